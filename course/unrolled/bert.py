"""BERT: an encoder that reads both ways, to be trained on text alone first and then, with a small head, on a task.

Devlin, Chang, Lee and Toutanova, "BERT: pre-training of deep bidirectional transformers for language understanding"
(2019). A piece's vector at the beginning is the sum of three: of the piece, of its position and of its segment, 0 or 1.
Then come post-norm encoder blocks of unit 7. GELU: Hendrycks and Gimpel (2016). Checkpoints of others are read by
`unrolled.bert_checkpoints`; what it is pre-trained on is made by `unrolled.pretraining`.

Left out on purpose: dropout of attention weights, relative positions, decoding.

Shapes: B sequences, N pieces of each, D numbers in a vector; L layers, H heads, F numbers inside the feed-forward net;
V pieces on the list; C classes; K chosen positions of a batch. A mask is torch.bool, true where a piece is real.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from unrolled.attention import padding_mask
from unrolled.language_model import IGNORED, Output, cross_entropy
from unrolled.transformer import EncoderBlock, LayerNorm

# ruff: noqa: F722 (jaxtyping writes shapes as strings)


@dataclass(frozen=True)
class BertConfig:
    """The settings of a net."""

    pieces: int = 30_522  # V
    width: int = 768  # D
    heads: int = 12  # H
    layers: int = 12  # L
    inner: int = 3072  # F
    longest: int = 512  # positions that are learned
    segments: int = 2
    dropout: float = 0.1  # share set to zero, in training: of the embeddings, and of what each sublayer finds
    eps: float = 1e-12  # of the norms


BASE = BertConfig()
LARGE = BertConfig(width=1024, heads=16, layers=24, inner=4096)


def parameter_count(config: BertConfig, pooler: bool = True) -> int:
    """How many numbers a `Bert` learns, by formula: 109,482,240 of BASE and 335,141,888 of LARGE.

    (V + P + S) D + 2 D for V pieces, P positions, S segments and their norm; in each layer 4 (D² + D) for attention,
    2 D F + F + D for the feed-forward net, 4 D for two norms; D² + D for the pooler.
    """
    d, f = config.width, config.inner
    rows = config.pieces + config.longest + config.segments
    linear = d * (d + 1)
    layer = 4 * linear + (d + 1) * f + (f + 1) * d + 4 * d
    return rows * d + 2 * d + config.layers * layer + pooler * linear


# --- what is read ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pieces:
    """A batch to read."""

    ids: Int64[Tensor, "B N"]
    segments: Int64[Tensor, "B N"]  # 0 for [CLS] A [SEP], 1 for B [SEP]
    mask: Bool[Tensor, "B N"]  # true where a piece is real

    @classmethod
    def of(cls, ids: Sequence[Sequence[int]], segments: Sequence[Sequence[int]] | None = None, pad: int = 0):
        """Sequences of different length side by side, filled up with `pad`, in segment 0. segments: by default 0."""
        n = max(map(len, ids), default=0)
        segments = [[0] * len(row) for row in ids] if segments is None else segments
        rows = [[[*row, *[fill] * (n - len(row))] for row in part] for part, fill in ((ids, pad), (segments, 0))]
        lengths = torch.tensor([len(row) for row in ids], dtype=torch.int64)
        both = (torch.tensor(part, dtype=torch.int64).reshape(len(ids), n) for part in rows)
        return cls(*both, torch.arange(n) < lengths[:, None])

    def to(self, where: torch.device | str, non_blocking: bool = False) -> "Pieces":
        return Pieces(*(part.to(where, non_blocking=non_blocking) for part in (self.ids, self.segments, self.mask)))

    def __len__(self) -> int:
        return len(self.ids)


class Embeddings(nn.Module):
    """norm(E[piece] + P[position] + S[segment]), positions from 0."""

    def __init__(self, config: BertConfig):
        super().__init__()
        self.pieces = nn.Embedding(config.pieces, config.width)
        self.positions = nn.Embedding(config.longest, config.width)
        self.segments = nn.Embedding(config.segments, config.width)
        self.norm, self.dropout = LayerNorm(config.width, config.eps), nn.Dropout(config.dropout)

    def forward(self, ids: Int64[Tensor, "B N"], segments: Int64[Tensor, "B N"]) -> Float[Tensor, "B N D"]:
        n, most = ids.shape[1], len(self.positions.weight)
        if n > most:
            raise ValueError(f"{n} pieces are more than the {most} positions that were learned: cut the text")
        kinds = self.segments(segments)  # (B, N, D)
        return self.dropout(self.norm(kinds + self.positions.weight[:n] + self.pieces(ids)))


# --- the encoder -----------------------------------------------------------------------------------------------------


class Read(NamedTuple):
    """What an encoder makes of a batch."""

    hidden: tuple[Float[Tensor, "B N D"], ...]  # the embeddings, then after each layer: L + 1
    pooled: Float[Tensor, "B D"] | None  # tanh(W h + b) of the last layer's [CLS]; None without a pooler
    weights: tuple[Float[Tensor, "B H N N"], ...] | None  # where each layer's heads look, if asked for


class Bert(nn.Module):
    """Embeddings, L post-norm encoder blocks, and a pooler for [CLS]."""

    def __init__(self, config: BertConfig, pooler: bool = True):
        super().__init__()
        self.config = config
        self.embeddings = Embeddings(config)
        sizes = config.width, config.heads, config.inner, "post", "gelu", config.dropout
        self.blocks = nn.ModuleList(EncoderBlock(*sizes) for _ in range(config.layers))
        self.pooler = nn.Linear(config.width, config.width) if pooler else None
        for block in self.blocks:
            for norm in block.norms:
                norm.eps = config.eps
        self.apply(small)

    @property
    def device(self) -> torch.device:
        """Where the parameters are."""
        return self.embeddings.pieces.weight.device

    def forward(self, pieces: Pieces, weights: bool = False) -> Read:
        """weights: whether to say where the heads look, too, which takes memory and time."""
        hidden, looked, mask = [self.embeddings(pieces.ids, pieces.segments)], [], padding_mask(pieces.mask)
        for block in self.blocks:
            step = block.advance(hidden[-1], mask, weights=weights)
            hidden.append(step.x)
            looked.append(step.weights)
        pooled = None if self.pooler is None else self.pooler(hidden[-1][:, 0]).tanh()  # (B, D)
        return Read(tuple(hidden), pooled, tuple(looked) if weights else None)


def small(module: nn.Module) -> None:
    """BERT's beginning: matrices and embeddings from N(0, 0.02²), shifts 0."""
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# --- pre-training ----------------------------------------------------------------------------------------------------


class MaskedHead(nn.Module):
    """norm(gelu(W h + b)) Eᵀ + c: a score for each piece; E are the embeddings' own vectors."""

    def __init__(self, config: BertConfig):
        super().__init__()
        self.transform, self.norm = nn.Linear(config.width, config.width), LayerNorm(config.width, config.eps)
        self.bias = nn.Parameter(torch.zeros(config.pieces))
        self.apply(small)

    def forward(self, h: Float[Tensor, "*A D"], table: Float[Tensor, "V D"]) -> Float[Tensor, "*A V"]:
        return F.linear(self.norm(F.gelu(self.transform(h))), table, self.bias)  # (*A, D) @ (D, V) -> (*A, V)


class Losses(NamedTuple):
    """Of a batch, in nats; and the scores they come from."""

    masked: Tensor  # () mean over the chosen positions
    following: Tensor  # () mean over the pairs
    masked_logits: Float[Tensor, "K V"]  # in the order of the batch: row by row
    following_logits: Float[Tensor, "B 2"]  # 0: the second part goes on with the first; 1: it is from elsewhere


class PretrainedBert(nn.Module):
    """Bert with its two heads: the hidden pieces, and whether the second part follows the first."""

    def __init__(self, config: BertConfig):
        super().__init__()
        self.bert, self.masked = Bert(config), MaskedHead(config)
        self.following = nn.Linear(config.width, 2)
        self.following.apply(small)

    def forward(self, pieces: Pieces, targets: Int64[Tensor, "B N"], elsewhere: Int64[Tensor, " B"]) -> Losses:
        """targets: the hidden piece at chosen positions, IGNORED at all others, for which no score is computed."""
        read, chosen = self.bert(pieces), targets != IGNORED
        scores = self.masked(read.hidden[-1][chosen], self.bert.embeddings.pieces.weight)  # (K, D) -> (K, V)
        following = self.following(read.pooled)  # (B, D) @ (D, 2) -> (B, 2)
        return Losses(
            F.cross_entropy(scores, targets[chosen]), F.cross_entropy(following, elsewhere), scores, following
        )

    def guesses(self, pieces: Pieces) -> Float[Tensor, "B N V"]:
        """ln p of each piece at every position: for filling masks, not for training."""
        return self.masked(self.bert(pieces).hidden[-1], self.bert.embeddings.pieces.weight).log_softmax(-1)


# --- tasks -----------------------------------------------------------------------------------------------------------


class _Task(nn.Module):
    def __init__(self, bert: Bert, outputs: int):
        super().__init__()
        self.bert, self.output = bert, nn.Linear(bert.config.width, outputs)
        self.dropout = nn.Dropout(bert.config.dropout)
        self.output.apply(small)

    @property
    def device(self) -> torch.device:
        """Where the parameters are."""
        return self.bert.device


class Classifier(_Task):
    """A class for each sequence, of one sentence or two: softmax(W pooled + c), by way of [CLS]."""

    def forward(self, pieces: Pieces, targets: Int64[Tensor, " B"] | None = None, state: None = None) -> Output:
        """logits (B, C); loss in nats. state is always None, here and below."""
        read = self.bert(pieces)
        first = read.hidden[-1][:, 0] if read.pooled is None else read.pooled
        logits = self.output(self.dropout(first))  # (B, D) -> (B, C)
        return Output(logits, None if targets is None else cross_entropy(logits, targets), None)


class Tagger(_Task):
    """A class for each piece; targets (B, N) with IGNORED for those that do not count."""

    def forward(self, pieces: Pieces, targets: Int64[Tensor, "B N"] | None = None, state: None = None) -> Output:
        """logits (B, N, C); loss in nats."""
        logits = self.output(self.dropout(self.bert(pieces).hidden[-1]))
        return Output(logits, None if targets is None else cross_entropy(logits, targets), None)


class SpanFinder(_Task):
    """Where an answer begins and where it ends: two scores for each piece. Position 0, [CLS], for no answer."""

    def __init__(self, bert: Bert):
        super().__init__(bert, 2)

    def forward(self, pieces: Pieces, targets: Int64[Tensor, "B 2"] | None = None, state: None = None) -> Output:
        """logits (B, 2, N), −∞ at pads; targets: first and last piece; loss in nats, the mean of both ends."""
        scores = self.output(self.dropout(self.bert(pieces).hidden[-1])).mT  # (B, N, 2) -> (B, 2, N)
        logits = scores.masked_fill(~pieces.mask[:, None], -torch.inf)
        return Output(logits, None if targets is None else cross_entropy(logits, targets), None)
