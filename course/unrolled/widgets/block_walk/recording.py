"""Runs a stack of blocks of `unrolled.transformer` part by part, and keeps what each part gives.

    BlockWalk(words, **record(model.encoder, x, mask))

The same modules in the same order as in the stack itself, without dropout; a test holds what comes out to the stack's
own output. Left out on purpose: batches (give one sentence), gradients, a cache.
"""

import torch
from torch import Tensor, nn

from unrolled.attention import causal_mask

from .walking import LOOKS


@torch.no_grad()
def record(
    stack: nn.Module,
    x: Tensor,
    mask: Tensor | None = None,
    memory: Tensor | None = None,
    memory_mask: Tensor | None = None,
) -> dict:
    """x, layers, norm and final, as `BlockWalk` takes them.

    stack: an Encoder or a Decoder of `unrolled.transformer`, with x (1, N, D), what goes into the first block; one
        block of its; or a TransformerLM, with x its symbols (1, N) int64.
    mask: where may be looked; by default everywhere, in a Decoder and a TransformerLM not at what comes later.
    memory: (1, M, D), what a Decoder asks; memory_mask: where it may look there. ValueError if it lacks a memory.
    """
    training = stack.training
    stack.eval()
    try:
        return _record(stack, x, mask, memory, memory_mask)
    finally:
        stack.train(training)


def _record(stack: nn.Module, x: Tensor, mask, memory, memory_mask) -> dict:
    if hasattr(stack, "stack"):  # a language model
        mask = causal_mask(x.shape[1], device=x.device) if mask is None else mask
        x, stack = stack.embedded(x), stack.stack
    blocks = getattr(stack, "blocks", [stack])
    if hasattr(blocks[0], "cross"):
        if memory is None:
            raise ValueError("a decoder's block asks a memory: give memory=…, what the encoder returned")
        mask = causal_mask(x.shape[1], device=x.device) if mask is None else mask
    first, layers = x, []
    for block in blocks:
        layer, x = _through(block, x, {"attention": (None, mask), "cross": (memory, memory_mask)})
        layers.append(layer)
    last = getattr(stack, "last", nn.Identity())
    final = None if isinstance(last, nn.Identity) else last(x)
    return {"x": first, "layers": layers, "norm": blocks[0].order, "final": final}


def _through(block: nn.Module, x: Tensor, asked: dict[str, tuple]) -> tuple[dict[str, Tensor], Tensor]:
    """What each part of a block gives, and what comes out of it."""
    layer = {}
    for i, part in enumerate(name for name in ("attention", "cross", "feed_forward") if hasattr(block, name)):
        read, work = block.before(i, x), getattr(block, part)
        if part in asked:
            context, mask = asked[part]
            found, layer[LOOKS[part]] = work(read, context, mask, need_weights=True)
        else:
            found = work(read)
        x = block.after(i, x, found)
        layer |= {part: found, f"norm{i + 1}": read if block.order == "pre" else x}
    return layer, x
