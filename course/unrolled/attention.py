"""Self-attention with many heads: each word asks all others, at once, and takes from each as much as it answers.

Vaswani and others, "Attention is all you need" (2017): Attention(Q, K, V) = softmax(QKᵀ/√d_k)V, many heads, and
positions as sines and cosines. One thing is new after unit 5: the question is no decoder's state. Queries, keys and
values all come from the same words, each by a matrix of its own. `attention` is the equation, written out;
`MultiHeadAttention` computes it by torch's fused function, and the weights only if they are asked for.

Left out on purpose: dropout of weights, relative and rotary positions, everything else of a transformer (unit 7).

Shapes: B sentences; M queries and N keys of each, M = N where a sentence asks itself; D numbers in a word's vector;
H heads, K = D/H numbers in a head's query or key; V in a value. A mask is torch.bool, true where a query may look,
the convention of torch's `scaled_dot_product_attention`; a padding mask is (B, N), true where a word is real.
"""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from unrolled.language_model import Output, cross_entropy
from unrolled.tagging import PAD, Words

# ruff: noqa: F722 (jaxtyping writes shapes as strings)

POSITIONS = "sinusoid", "learned", "none"

# --- the equation ----------------------------------------------------------------------------------------------------


def attention(
    q: Float[Tensor, "*A M K"], k: Float[Tensor, "*A N K"], v: Float[Tensor, "*A N V"], mask: Tensor | None = None
) -> tuple[Float[Tensor, "*A M V"], Float[Tensor, "*A M N"]]:
    """softmax(QKᵀ/√K)V, and the weights α. mask: bool, of a shape that broadcasts to (*A, M, N).

    Whatever axes stand in front (sentences, heads) are worked on side by side. Weights are exactly 0 where the mask is
    false; a query that may look nowhere gets zeros.
    """
    weights = attention_weights(q, k, mask)
    return weights @ v, weights  # (*A, M, N) @ (*A, N, V) -> (*A, M, V)


def attention_weights(
    q: Float[Tensor, "*A M K"], k: Float[Tensor, "*A N K"], mask: Tensor | None = None
) -> Float[Tensor, "*A M N"]:
    """α_ij = softmax_j(q_i · k_j / √K) over the keys j at which query i may look."""
    scores = q @ k.mT / math.sqrt(k.shape[-1])  # (*A, M, K) @ (*A, K, N) -> (*A, M, N)
    if mask is None:
        return scores.softmax(-1)
    scores = scores.masked_fill(~mask, -torch.inf)
    scores = scores.masked_fill(~mask.any(-1, keepdim=True), 0.0)  # a row of −inf alone has no softmax
    return scores.softmax(-1).masked_fill(~mask, 0.0)


# --- masks -----------------------------------------------------------------------------------------------------------


def padding_mask(real: Bool[Tensor, "B N"]) -> Bool[Tensor, "B 1 1 N"]:
    """Every head and every query may look at real words only."""
    return real[:, None, None]


def causal_mask(n: int, queries: int | None = None, device: torch.device | str | None = None) -> Bool[Tensor, "M N"]:
    """Position i may look at j ≤ i. queries: M, for the last M of n positions alone; by default for all of them."""
    places = torch.arange(n, device=device)  # (N,)
    return places <= places[n - (n if queries is None else queries) :, None]  # (N,) <= (M, 1) -> (M, N)


def additive(mask: Bool[Tensor, "*A"], dtype: torch.dtype = torch.float32) -> Float[Tensor, "*A"]:
    """The same mask in another convention, to be added to the scores: 0 where a query may look, −∞ where not."""
    return torch.zeros(mask.shape, dtype=dtype, device=mask.device).masked_fill(~mask, -torch.inf)


# --- many heads ------------------------------------------------------------------------------------------------------


class MultiHeadAttention(nn.Module):
    """head_h = Attention(X W^Q_h, C W^K_h, C W^V_h), and [head_1 ; … ; head_H] W^O. Self-attention has C = X.

    The matrices of all heads stand side by side in one of D × D each: its columns from hK on are head h's.
    """

    def __init__(self, width: int, heads: int, bias: bool = True):
        """width: D, of which each head works on D/heads."""
        super().__init__()
        if heads < 1 or width < 1 or width % heads:
            raise ValueError(f"width is {width}, heads {heads}: heads must divide width")
        self.width, self.heads = width, heads
        self.query, self.key, self.value, self.output = (nn.Linear(width, width, bias) for _ in range(4))

    def forward(
        self,
        x: Float[Tensor, "B M D"],
        context: Float[Tensor, "B N D"] | None = None,
        mask: Tensor | None = None,
        need_weights: bool = False,
    ) -> Tensor | tuple[Tensor, Tensor]:
        """(B, M, D); with need_weights also the weights (B, H, M, N). context: where to look, by default x itself.

        mask: (M, N) for all sentences, (B, M, N), or (B, 1 or H, M, N); M and N may be 1 for all.
        """
        return self.attend(x, *self.keys_values(x if context is None else context), mask, need_weights)

    def keys_values(self, context: Float[Tensor, "B N D"]) -> tuple[Tensor, Tensor]:
        """What can be asked of a context, (B, H, N, K) twice: computed once, however often one asks."""
        return self._split(self.key(context)), self._split(self.value(context))

    def attend(
        self,
        x: Float[Tensor, "B M D"],
        k: Float[Tensor, "B H N K"],
        v: Float[Tensor, "B H N K"],
        mask: Tensor | None = None,
        need_weights: bool = False,
    ) -> Tensor | tuple[Tensor, Tensor]:
        """Ask keys and values that are ready; see `forward`."""
        q, mask = self._split(self.query(x)), _for_heads(mask, x, k)  # (B, H, M, K)
        if need_weights:
            found, weights = attention(q, k, v, mask)  # (B, H, M, K), (B, H, M, N)
            return self._merged(found), weights
        return self._merged(F.scaled_dot_product_attention(q, k, v, attn_mask=mask))

    def _split(self, x: Float[Tensor, "B N D"]) -> Float[Tensor, "B H N K"]:
        return x.unflatten(2, (self.heads, -1)).transpose(1, 2)  # (B, N, D) -> (B, N, H, K) -> (B, H, N, K)

    def _merged(self, heads: Float[Tensor, "B H M K"]) -> Float[Tensor, "B M D"]:
        return self.output(heads.transpose(1, 2).flatten(2))  # (B, H, M, K) -> (B, M, H, K) -> (B, M, D)

    @classmethod
    def like(cls, twin: nn.MultiheadAttention) -> "MultiHeadAttention":
        """One with the numbers of torch's, which keeps W^Q, W^K and W^V below each other in one matrix (3D, D)."""
        ours = cls(twin.embed_dim, twin.num_heads, twin.in_proj_bias is not None).to(twin.in_proj_weight)
        parts = ours.query, ours.key, ours.value
        with torch.no_grad():
            for part, weight in zip(parts, twin.in_proj_weight.chunk(3), strict=True):
                part.weight.copy_(weight)
            ours.output.weight.copy_(twin.out_proj.weight)
            if twin.in_proj_bias is not None:
                ours.output.bias.copy_(twin.out_proj.bias)
                for part, shift in zip(parts, twin.in_proj_bias.chunk(3), strict=True):
                    part.bias.copy_(shift)
        return ours


def _for_heads(mask: Tensor | None, x: Tensor, k: Tensor) -> Tensor | None:
    """A mask that broadcasts to (B, H, M, N); ValueError for one that is something else."""
    if mask is None:
        return None
    full = *k.shape[:2], x.shape[1], k.shape[2]
    of_heads = mask[:, None] if mask.ndim == 3 else mask
    fits = all(size in (1, wanted) for size, wanted in zip(of_heads.shape[::-1], full[::-1], strict=False))
    if mask.dtype != torch.bool or mask.ndim not in (2, 3, 4) or not fits:
        b, _, m, n = full
        wanted = f"bool, {(m, n)}, {(b, m, n)} or {full}, with 1 for any of these"
        raise ValueError(f"the mask must be {wanted}; got {mask.dtype}, {tuple(mask.shape)}")
    return of_heads


# --- order -----------------------------------------------------------------------------------------------------------


def sinusoids(n: int, d: int, start: int = 0) -> Float[Tensor, "N D"]:
    """Rows for the positions start, start + 1, …: PE(p, 2i) = sin(p / 10000^(2i/d)), PE(p, 2i + 1) = the cosine."""
    rates = 10_000.0 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)  # (⌈D/2⌉,) radians a position
    angles = torch.arange(start, start + n, dtype=torch.float64)[:, None] * rates  # (N, 1) · (⌈D/2⌉,)
    return torch.stack([angles.sin(), angles.cos()], dim=2).flatten(1)[:, :d].float()  # sine and cosine in turn


class Positions(nn.Module):
    """A vector for each position: "sinusoid", "learned" (a row each, of `longest`), or "none": zeros."""

    def __init__(self, kind: str, width: int, longest: int = 512):
        super().__init__()
        if kind not in POSITIONS:
            raise ValueError(f"there are no positions {kind!r}: choose one of {', '.join(POSITIONS)}")
        self.kind, self.width, self.longest = kind, width, longest
        self.E = nn.Embedding(longest, width) if kind == "learned" else None
        self.register_buffer("table", sinusoids(longest if kind == "sinusoid" else 0, width), persistent=False)

    def forward(self, n: int, start: int = 0) -> Float[Tensor, "N D"]:
        """Of n positions from `start` on. Learned ones end at `longest`: ValueError beyond it."""
        if self.E is not None:
            if start + n > self.longest:
                raise ValueError(f"position {start + n - 1} has no vector: {self.longest} positions were learned")
            return self.E.weight[start : start + n]
        if start + n <= len(self.table):
            return self.table[start : start + n]
        return (
            self.table.new_zeros(n, self.width)
            if self.kind == "none"
            else sinusoids(n, self.width, start).to(self.table)
        )


# --- a net -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Config:
    """The settings of a net."""

    words: int  # ids of words, with PAD
    classes: int  # C: of a word
    width: int = 32  # D
    heads: int = 4  # H, of each layer
    layers: int = 1
    positions: str = "sinusoid"  # one of POSITIONS
    causal: bool = False  # whether a word sees those before it and itself alone
    residual: bool = False  # whether what stood there is added to what a layer found
    longest: int = 512  # positions that are learned, or made in advance
    dropout: float = 0.0  # share of numbers set to zero, in training, before each layer and before the output


class SelfAttention(nn.Module):
    """A class for each word: x_i = E[word_i] + p_i; in each layer x ← MultiHead(x); softmax(V x_i + c).

    residual: x ← x + MultiHead(x), of which unit 7 says more.
    """

    def __init__(self, config: Config):
        super().__init__()
        self.config = config
        self.E = nn.Embedding(config.words, config.width, padding_idx=PAD)
        self.positions = Positions(config.positions, config.width, config.longest)
        self.layers = nn.ModuleList(MultiHeadAttention(config.width, config.heads) for _ in range(config.layers))
        self.output = nn.Linear(config.width, config.classes)

    @property
    def device(self) -> torch.device:
        """Where the parameters are."""
        return self.output.weight.device

    def forward(self, words: Words, targets: Int64[Tensor, "B N"] | None = None, state: None = None) -> Output:
        """logits (B, N, C). targets: a class for each word, IGNORED for those that do not count; loss in nats.

        state is always None: such a net reads whole sentences, and has nothing to go on from.
        """
        logits = self.output(self._dropped(self.read(words)))  # (B, N, D) -> (B, N, C)
        return Output(logits, None if targets is None else cross_entropy(logits, targets), None)

    def read(self, words: Words) -> Float[Tensor, "B N D"]:
        """The vectors after the last layer."""
        x, mask = self.embedded(words), self.mask(words.mask)
        for layer in self.layers:
            x = self._after(x, layer(self._dropped(x), mask=mask))
        return x

    @torch.no_grad()
    def weights(self, words: Words) -> list[Float[Tensor, "B H N N"]]:
        """Where each layer's heads look, without dropout."""
        x, mask, found = self.embedded(words), self.mask(words.mask), []
        for layer in self.layers:
            new, weights = layer(x, mask=mask, need_weights=True)
            x = self._after(x, new)
            found.append(weights)
        return found

    def embedded(self, words: Words) -> Float[Tensor, "B N D"]:
        """Words and their positions, added."""
        return self.E(words.ids) + self.positions(words.ids.shape[1])

    def mask(self, real: Bool[Tensor, "B N"]) -> Bool[Tensor, "B 1 M N"]:
        """Where the words of a batch may look; M is 1 if all may look at the same."""
        mask = padding_mask(real)
        return mask & causal_mask(real.shape[1], device=real.device) if self.config.causal else mask

    def _after(self, x: Tensor, new: Tensor) -> Tensor:
        return x + new if self.config.residual else new

    def _dropped(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.config.dropout, self.training)
