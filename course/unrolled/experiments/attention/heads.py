"""What single heads do: where each looks, how different they are, and what is lost without one of them.

    counter = train_counter(steps=600, seed=0, task="both", positions="sinusoid", rate=2e-2)
    habits(counter)                    # for each head of the first layer, the share of its weight on each kind of place
    diversity(counter)                 # (H, H): how far apart two heads look, 0 … 1
    pruning(counter)                   # Pruned(whole=…, without=[…], alone=[…]): accuracies
    halves(without(counter, head=2))   # of a counter that lacks a head: which half of its answers is still right

A head adds its own share to what the layer gives: out = Σ_h head_h W^O_h + b. To take one away is to put its columns of
W^O to zero. Left out on purpose: training again after a head was taken away.

Shapes: H heads, K numbers of each; N letters and a mark.
"""

import copy
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from unrolled.attention import MultiHeadAttention
from unrolled.experiments.attention.counting import Counter, exam, share_right
from unrolled.language_model import IGNORED

HABITS = "the mark", "itself", "the place before", "two before", "its like before", "other letters"


def keep_heads(layer: MultiHeadAttention, heads: Sequence[int]) -> MultiHeadAttention:
    """A copy of a layer in which only these heads count."""
    if unknown := [h for h in heads if not 0 <= h < layer.heads]:
        raise ValueError(f"there is no head {unknown[0]}: the layer has heads 0 to {layer.heads - 1}")
    kept = copy.deepcopy(layer)
    gone = torch.ones(layer.heads, dtype=torch.bool)
    gone[list(heads)] = False
    with torch.no_grad():
        kept.output.weight.unflatten(1, (layer.heads, -1))[:, gone] = 0.0  # (D, D) -> (D, H, K)
    return kept


def with_heads(counter: Counter, heads: Sequence[int], layer: int = 0) -> Counter:
    """A counter like this one in which only these heads of a layer count."""
    model = copy.deepcopy(counter.model)
    model.layers[layer] = keep_heads(model.layers[layer], heads)
    return Counter(model, counter.history, counter.task)


def without(counter: Counter, head: int, layer: int = 0) -> Counter:
    """A counter like this one without a head."""
    return with_heads(counter, [h for h in range(counter.model.layers[layer].heads) if h != head], layer)


# --- what is lost ----------------------------------------------------------------------------------------------------


class Pruned(NamedTuple):
    """Shares of right answers in new strings of 20 letters."""

    whole: float
    without: list[float]  # one head each
    alone: list[float]  # with this head only


def pruning(counter: Counter, layer: int = 0) -> Pruned:
    """One head after the other is taken away, and then all but one."""
    heads = range(counter.model.layers[layer].heads)
    away = [without(counter, h, layer).accuracy(20) for h in heads]
    return Pruned(counter.accuracy(20), away, [with_heads(counter, [h], layer).accuracy(20) for h in heads])


class Halves(NamedTuple):
    """Of the task "both": shares of right counts, and of right vowels."""

    count: float
    vowel: float


@torch.no_grad()
def halves(counter: Counter) -> Halves:
    """Each half of the answers of a counter with the task "both", on its own."""
    if counter.task != "both":
        raise ValueError(f"the task {counter.task!r} has no halves: train with task='both'")
    batch = exam(20, task="both")
    said, targets = counter.model(batch.inputs.to(counter.model.device)).logits.argmax(2).cpu(), batch.targets
    asked = targets != IGNORED
    pairs = [(part(said), part(targets).masked_fill(~asked, IGNORED)) for part in (lambda x: x // 2, lambda x: x % 2)]
    return Halves(*(share_right(*pair) for pair in pairs))


# --- where they look -------------------------------------------------------------------------------------------------


def habits(counter: Counter, layer: int = 0) -> list[dict[str, float]]:
    """For each head the mean share of a letter's weight on each of HABITS, from the fifth letter of new strings on.

    A place belongs to the first kind that fits, in the order: the mark, itself, its like before, the place before, two
    before; later letters, if the net sees them, are "other letters".
    """
    ids, weights = _looks(counter, layer)
    i, j = torch.arange(ids.shape[1])[:, None], torch.arange(ids.shape[1])
    like = (ids[:, :, None] == ids[:, None]) & (j < i)  # (B, N, N)
    kinds = {"the mark": j == 0, "itself": j == i, "its like before": like, "the place before": j == i - 1}
    kinds |= {"two before": j == i - 2, "other letters": torch.ones_like(like)}
    free, found = torch.ones_like(like), {}
    for name, kind in kinds.items():
        found[name] = (weights * (kind & free)[:, None]).sum(3)[:, :, 5:].mean((0, 2))  # (B, H, N) -> (H,)
        free = free & ~kind
    return [{name: found[name][h].item() for name in HABITS} for h in range(weights.shape[1])]


def diversity(counter: Counter, layer: int = 0) -> Tensor:
    """(H, H): ½ Σ_j |α_ij − α'_ij| of two heads, mean over letters i. 0: alike; 1: never the same place."""
    weights = _looks(counter, layer)[1][:, :, 5:]  # (B, H, N, N)
    return torch.stack(
        [(weights - weights[:, h : h + 1]).abs().sum(3).mean((0, 2)) / 2 for h in range(weights.shape[1])]
    )


def _looks(counter: Counter, layer: int) -> tuple[Tensor, Tensor]:
    words = exam(20, asked=200, task=counter.task).inputs
    return words.ids, counter.model.weights(words.to(counter.model.device))[layer].cpu()
