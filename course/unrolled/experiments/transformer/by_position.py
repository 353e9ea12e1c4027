"""How much a language model gains from what stands before: its loss by position, and a window that slides.

    by_position(model, heldout)            # (C,) nats: of the first symbol of a window to its last
    sliding(model, heldout, stride=8)      # nats a symbol; each sees at least C − stride symbols

A window that is read from nothing at every C symbols makes half of the symbols do with little. One that moves on by
`stride` symbols scores these alone, and costs C/stride times as much.

Shapes: C symbols of context, W windows.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int64
from torch import Tensor

from unrolled.transformer_lm import TransformerLM

# ruff: noqa: F722 (jaxtyping writes shapes as strings)

TOGETHER = 64  # windows


def by_position(model: TransformerLM, ids: Int64[Tensor, " N"], windows: int = 1000) -> Float[Tensor, " C"]:
    """Mean nats at each position, over so many windows at most, each of them read from nothing."""
    size = model.context
    if len(ids) <= size:
        raise ValueError(f"the text has {len(ids)} symbols: for a window of {size} it takes one more, at least")
    return _losses(model, ids[: windows * size + 1].unfold(0, size + 1, size)).mean(0)


def sliding(model: TransformerLM, ids: Int64[Tensor, " N"], stride: int) -> float:
    """Mean nats a symbol, over all symbols but the first; a window begins every `stride` symbols."""
    size = model.context
    if not 1 <= stride <= size:
        raise ValueError(f"stride is {stride}: from 1 to the context, {size}")
    if len(ids) <= size:
        raise ValueError(f"the text has {len(ids)} symbols: for a window of {size} it takes one more, at least")
    losses = _losses(model, ids.unfold(0, size + 1, stride))  # (W, C)
    total, count = losses[0].sum() + losses[1:, size - stride :].sum(), size + (len(losses) - 1) * stride
    rest = len(ids) - 1 - count  # behind the last whole window
    if rest:
        total, count = total + _losses(model, ids[None, -size - 1 :])[0, size - rest :].sum(), count + rest
    return (total / count).item()


@torch.no_grad()
def _losses(model: TransformerLM, rows: Int64[Tensor, "W C1"]) -> Float[Tensor, "W C"]:
    """Of each symbol but the first of each row, after those before it in the row."""
    found, was_training = [], model.training
    model.eval()
    for some in rows.split(TOGETHER):
        some = some.to(model.device)
        logits = model(some[:, :-1]).logits
        found.append(F.cross_entropy(logits.mT, some[:, 1:], reduction="none").cpu())  # (W, V, C), (W, C) -> (W, C)
    model.train(was_training)
    return torch.cat(found)
