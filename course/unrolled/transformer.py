"""The transformer's blocks: attention and a small net, each normalised and with a way around it; and stacks of them.

Vaswani and others, "Attention is all you need" (2017), whose blocks are normalised after each sum ("post"); "pre" is
the order of today's, x + f(norm(x)), measured by Xiong and others, "On layer normalization in the transformer
architecture" (2020). Residual connections: He and others (2016). Layer normalisation: Ba, Kiros and Hinton (2016).
`layer_norm` is the equation, written out; the nets use torch's fused functions, which give the same numbers.

What is built of these blocks: `unrolled.transformer_lm`, a language model, and `unrolled.encoder_decoder`, a translator
and a classifier. Left out on purpose: rotary and relative positions, gated feed-forward nets, dropout of weights.

Shapes: B sequences, N symbols of each (M where queries are others than keys), D numbers in a vector; H heads, K = D/H;
F numbers inside the feed-forward net; L layers. A mask is torch.bool, true where a
query may look: (M, N), (B, M, N) or (B, 1 or H, M, N), with 1 for M or N, too.
"""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from unrolled.attention import MultiHeadAttention, causal_mask

# ruff: noqa: F722 (jaxtyping writes shapes as strings)

NORMS = "pre", "post"
ACTIVATIONS = {"gelu": F.gelu, "relu": F.relu}
Kept = tuple[Float[Tensor, "B H _ K"], Float[Tensor, "B H _ K"]]  # a layer's keys and values, of some positions

# --- parts -----------------------------------------------------------------------------------------------------------


def layer_norm(
    x: Float[Tensor, "*A D"], gamma: Float[Tensor, " D"], beta: Float[Tensor, " D"], eps: float = 1e-5
) -> Float[Tensor, "*A D"]:
    """γ (x − μ) / √(σ² + ε) + β, each vector by its own μ and σ²: the mean of (x − μ)², divided by D, not D − 1."""
    away = x - x.mean(-1, keepdim=True)
    variance = away.square().mean(-1, keepdim=True)  # (*A, 1)
    return gamma * away / (variance + eps).sqrt() + beta


class LayerNorm(nn.Module):
    """`layer_norm` with γ and β of its own, at first ones and zeros; computed in one pass."""

    def __init__(self, width: int, eps: float = 1e-5):
        super().__init__()
        self.gamma, self.beta = nn.Parameter(torch.ones(width)), nn.Parameter(torch.zeros(width))
        self.eps = eps

    def forward(self, x: Float[Tensor, "*A D"]) -> Float[Tensor, "*A D"]:
        return F.layer_norm(x, self.gamma.shape, self.gamma, self.beta, self.eps)


class FeedForward(nn.Module):
    """W₂ g(W₁ x + b₁) + b₂, for each position alone; g is "gelu" or "relu"."""

    def __init__(self, width: int, inner: int, activation: str = "gelu"):
        """width: D; inner: F."""
        super().__init__()
        if activation not in ACTIVATIONS:
            raise ValueError(f"there is no activation {activation!r}: choose one of {', '.join(ACTIVATIONS)}")
        self.first, self.second = nn.Linear(width, inner), nn.Linear(inner, width)
        self.activation = activation

    def forward(self, x: Float[Tensor, "*A D"]) -> Float[Tensor, "*A D"]:
        return self.second(ACTIVATIONS[self.activation](self.first(x)))  # (*A, D) -> (*A, F) -> (*A, D)


class Block(nn.Module):
    """What encoder and decoder blocks share: sublayers f, each with a norm and a way around it.

    "pre": x + f(norm(x)). "post": norm(x + f(x)). dropout: the share of f's numbers set to zero, in training.
    """

    def __init__(self, width: int, sublayers: int, norm: str = "pre", dropout: float = 0.0):
        super().__init__()
        if norm not in NORMS:
            raise ValueError(f"there is no norm {norm!r}: choose one of {', '.join(NORMS)}")
        self.order, self.dropout = norm, dropout
        self.norms = nn.ModuleList(LayerNorm(width) for _ in range(sublayers))

    def before(self, i: int, x: Tensor) -> Tensor:
        """What sublayer i reads."""
        return self.norms[i](x) if self.order == "pre" else x

    def after(self, i: int, x: Tensor, found: Tensor) -> Tensor:
        """What goes on when sublayer i has found that."""
        x = x + F.dropout(found, self.dropout, self.training)
        return x if self.order == "pre" else self.norms[i](x)


class Passed(NamedTuple):
    """What comes out of a block."""

    x: Float[Tensor, "B M D"]
    kept: Kept  # keys and values of all positions so far
    weights: Tensor | None = None  # (B, H, M, N), where it looked, if asked for
    cross_weights: Tensor | None = None  # of a decoder's cross-attention


def grown(past: Kept | None, new: Kept) -> Kept:
    """Keys and values with those of more positions behind them: along N, the third axis."""
    return new if past is None else (torch.cat([past[0], new[0]], dim=2), torch.cat([past[1], new[1]], dim=2))


# --- blocks ----------------------------------------------------------------------------------------------------------


class EncoderBlock(Block):
    """Self-attention, then the feed-forward net. With a causal mask: the block of a decoder-only language model."""

    def __init__(
        self,
        width: int,
        heads: int,
        inner: int,
        norm: str = "pre",
        activation: str = "gelu",
        dropout: float = 0.0,
    ):
        """width: D; heads: H; inner: F."""
        super().__init__(width, 2, norm, dropout)
        self.attention = MultiHeadAttention(width, heads)
        self.feed_forward = FeedForward(width, inner, activation)

    def forward(self, x: Float[Tensor, "B N D"], mask: Tensor | None = None) -> Float[Tensor, "B N D"]:
        return self.advance(x, mask).x

    def advance(
        self, x: Float[Tensor, "B M D"], mask: Tensor | None = None, past: Kept | None = None, weights: bool = False
    ) -> Passed:
        """The same for M positions that come after others, of which `past` holds the keys and values."""
        h = self.before(0, x)
        kept = grown(past, self.attention.keys_values(h))  # (B, H, N, K) twice, N with the M new ones
        found, looked = _attended(self.attention, h, kept, mask, weights)
        x = self.after(0, x, found)
        x = self.after(1, x, self.feed_forward(self.before(1, x)))
        return Passed(x, kept, looked)

    @classmethod
    def like(cls, twin: nn.TransformerEncoderLayer) -> "EncoderBlock":
        """One with the numbers of torch's."""
        ours = cls(*_sizes(twin)).to(twin.linear1.weight)
        ours.attention = MultiHeadAttention.like(twin.self_attn)
        return _copied(ours, twin, [twin.norm1, twin.norm2])


class DecoderBlock(Block):
    """Self-attention under a causal mask, then cross-attention to what was read, then the feed-forward net."""

    def __init__(
        self,
        width: int,
        heads: int,
        inner: int,
        norm: str = "pre",
        activation: str = "gelu",
        dropout: float = 0.0,
    ):
        super().__init__(width, 3, norm, dropout)
        self.attention, self.cross = MultiHeadAttention(width, heads), MultiHeadAttention(width, heads)
        self.feed_forward = FeedForward(width, inner, activation)

    def forward(
        self,
        y: Float[Tensor, "B M D"],
        memory: Float[Tensor, "B N D"],
        mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
    ) -> Float[Tensor, "B M D"]:
        """mask: where positions may look at each other, by default at those up to themselves; memory_mask: the same
        for the memory, by default everywhere."""
        mask = causal_mask(y.shape[1], device=y.device) if mask is None else mask
        return self.advance(y, self.cross.keys_values(memory), mask, memory_mask).x

    def advance(
        self,
        y: Float[Tensor, "B M D"],
        memory: Kept,
        mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        past: Kept | None = None,
        weights: bool = False,
    ) -> Passed:
        """The same for M positions after those in `past`; memory: its keys and values. No mask: all may be seen."""
        h = self.before(0, y)
        kept = grown(past, self.attention.keys_values(h))
        found, looked = _attended(self.attention, h, kept, mask, weights)
        y = self.after(0, y, found)
        found, across = _attended(self.cross, self.before(1, y), memory, memory_mask, weights)  # norms no memory
        y = self.after(1, y, found)
        y = self.after(2, y, self.feed_forward(self.before(2, y)))
        return Passed(y, kept, looked, across)

    @classmethod
    def like(cls, twin: nn.TransformerDecoderLayer) -> "DecoderBlock":
        """One with the numbers of torch's."""
        ours = cls(*_sizes(twin)).to(twin.linear1.weight)
        ours.attention = MultiHeadAttention.like(twin.self_attn)
        ours.cross = MultiHeadAttention.like(twin.multihead_attn)
        return _copied(ours, twin, [twin.norm1, twin.norm2, twin.norm3])


def _attended(layer: MultiHeadAttention, h: Tensor, kept: Kept, mask: Tensor | None, weights: bool) -> tuple:
    found = layer.attend(h, *kept, mask, weights)
    return found if weights else (found, None)


def _sizes(twin: nn.Module) -> tuple[int, int, int, str, str]:
    activation = "relu" if twin.activation is F.relu or isinstance(twin.activation, nn.ReLU) else "gelu"
    norm = "pre" if twin.norm_first else "post"
    return twin.linear1.in_features, twin.self_attn.num_heads, twin.linear1.out_features, norm, activation


def _copied(ours: Block, twin: nn.Module, norms: list[nn.LayerNorm]) -> Block:
    ours.feed_forward.first.load_state_dict(twin.linear1.state_dict())
    ours.feed_forward.second.load_state_dict(twin.linear2.state_dict())
    for norm, other in zip(ours.norms, norms, strict=True):
        norm.load_state_dict({"gamma": other.weight, "beta": other.bias})
        norm.eps = other.eps
    return ours.train(twin.training)


# --- stacks ----------------------------------------------------------------------------------------------------------


class Encoder(nn.Module):
    """L encoder blocks. What pre-norm blocks leave was only ever added to: it is normalised once more, at the end."""

    def __init__(
        self,
        width: int,
        heads: int,
        inner: int,
        layers: int,
        norm: str = "pre",
        activation: str = "gelu",
        dropout: float = 0.0,
    ):
        super().__init__()
        self.blocks = nn.ModuleList(EncoderBlock(width, heads, inner, norm, activation, dropout) for _ in range(layers))
        self.last = LayerNorm(width) if norm == "pre" else nn.Identity()

    def forward(self, x: Float[Tensor, "B N D"], mask: Tensor | None = None) -> Float[Tensor, "B N D"]:
        for block in self.blocks:
            x = block(x, mask)
        return self.last(x)

    def weights(self, x: Float[Tensor, "B N D"], mask: Tensor | None = None) -> list[Float[Tensor, "B H N N"]]:
        """Where each layer's heads look."""
        found = []
        for block in self.blocks:
            x, _, looked, _ = block.advance(x, mask, weights=True)
            found.append(looked)
        return found


class Decoder(nn.Module):
    """L decoder blocks, all of which ask the same memory."""

    def __init__(
        self,
        width: int,
        heads: int,
        inner: int,
        layers: int,
        norm: str = "pre",
        activation: str = "gelu",
        dropout: float = 0.0,
    ):
        super().__init__()
        self.blocks = nn.ModuleList(DecoderBlock(width, heads, inner, norm, activation, dropout) for _ in range(layers))
        self.last = LayerNorm(width) if norm == "pre" else nn.Identity()

    def forward(
        self,
        y: Float[Tensor, "B M D"],
        memory: Float[Tensor, "B N D"],
        mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
    ) -> Float[Tensor, "B M D"]:
        """For the masks see `DecoderBlock`."""
        for block in self.blocks:
            y = block(y, memory, mask, memory_mask)
        return self.last(y)
