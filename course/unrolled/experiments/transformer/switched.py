"""Language models of transformer blocks, of which a part is left out: to see what it is for.

    net = language_model(symbols, "residual", layers=12, seed=0)       # a TransformerLM without residual connections
    net = language_model(symbols, "residual", "norm")                  # and without norms

What is left out are some of PARTS. What is left out leaves no hole: without a norm the numbers go on as
they are, without a feed-forward net nothing is added after attention, and without residual connections a sublayer's
answer takes the place of what it read. With one head, as many numbers are computed as with several.
"""

import torch
from torch import Tensor, nn

from unrolled.attention import MultiHeadAttention
from unrolled.transformer import EncoderBlock
from unrolled.transformer_lm import TransformerLM

PARTS = "attention", "feed-forward", "residual", "norm", "heads", "positions"


class Straight(EncoderBlock):
    """A block without ways around: f(norm(x)), or norm(f(x))."""

    def after(self, i: int, x: Tensor, found: Tensor) -> Tensor:
        return super().after(i, torch.zeros_like(x), found)


class NoAttention(MultiHeadAttention):
    """Zeros in place of what other symbols have to give."""

    def __init__(self, heads: int):
        nn.Module.__init__(self)  # no matrices
        self.heads = heads

    def keys_values(self, context: Tensor) -> tuple[Tensor, Tensor]:
        return context[:, None], context[:, None]

    def attend(self, x: Tensor, *_) -> Tensor:
        return torch.zeros_like(x)


class NoFeedForward(nn.Module):
    """Zeros in place of what a feed-forward net gives."""

    def forward(self, x: Tensor) -> Tensor:
        return torch.zeros_like(x)


def language_model(
    symbols: int,
    *without: str,
    width: int = 64,
    heads: int = 4,
    layers: int = 4,
    context: int = 64,
    norm: str = "pre",
    positions: str = "learned",
    seed: int = 0,
) -> TransformerLM:
    """An untrained net; what is in all of them starts from the same numbers. ValueError for another part."""
    if unknown := [part for part in without if part not in PARTS]:
        raise ValueError(f"there is no part {unknown[0]!r} to leave out: choose of {', '.join(PARTS)}")
    torch.manual_seed(seed)
    sizes = {"width": width, "layers": layers, "context": context, "norm": norm}
    heads, positions = (1 if "heads" in without else heads), ("none" if "positions" in without else positions)
    net = TransformerLM(symbols, heads=heads, positions="learned" if positions == "none" else positions, **sizes)
    if positions == "none":
        net.positions = type(net.positions)("none", width)
    elif net.positions.E is not None:
        net.positions.E.weight.data.mul_(width**-0.5)  # as long as the symbols' vectors
    for at, block in enumerate(net.stack.blocks):
        net.stack.blocks[at] = _lacking(block, without)
    if "norm" in without:
        net.stack.last = nn.Identity()
    return net


def _lacking(block: EncoderBlock, without: tuple[str, ...]) -> EncoderBlock:
    if "residual" in without:
        sizes = block.attention.width, block.attention.heads, block.feed_forward.first.out_features
        straight = Straight(*sizes, block.order, block.feed_forward.activation)
        straight.load_state_dict(block.state_dict())
        block = straight
    if "feed-forward" in without:
        block.feed_forward, block.norms[1] = NoFeedForward(), nn.Identity()
    if "attention" in without:
        block.attention, block.norms[0] = NoAttention(block.attention.heads), nn.Identity()
    if "norm" in without:
        block.norms = nn.ModuleList(nn.Identity() for _ in block.norms)
    return block
