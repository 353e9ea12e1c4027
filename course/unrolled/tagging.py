"""Recurrent nets that read a sentence in both directions, and give a tag to each word or a class to the whole.

Schuster and Paliwal, "Bidirectional recurrent neural networks" (1997); words from their letters by a convolution, as
in Ma and Hovy, "End-to-end sequence labeling via bi-directional LSTM-CNNs-CRF" (2016); attention pooling with a learned
question, as in Yang and others, "Hierarchical attention networks for document classification" (2016). The cell is
unit 3's. Sentences of a batch differ in length: a mask says which steps are real, and what a pad holds changes
nothing.

Left out on purpose: a CRF on top of the tags, beam search, packing (pads are computed, and then put to zero).
Cost: an epoch of the treebank's 12,544 sentences, with letters and otherwise as `Config` is, takes about 12 seconds of
one core.

Shapes: B sentences, T words, C letters of a word, D numbers in an input, H in a state of one direction, G = 2H
in one of both (or H, if there is but one direction), K tags or classes. A mask is torch.bool, (B, T), true where a
word is real; pads stand at the end.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from unrolled.language_model import Output, cross_entropy
from unrolled.lstm import LSTMCell, run

# ruff: noqa: F722 (jaxtyping writes shapes as strings)

PAD, UNKNOWN = 0, 1  # ids of words and of letters
POOLINGS = "last", "ends", "mean", "max", "attention"

# --- batches of unequal length ---------------------------------------------------------------------------------------


def pad(sequences: Sequence[Sequence[int]], value: int = PAD) -> tuple[Int64[Tensor, "B T"], Bool[Tensor, "B T"]]:
    """Sequences side by side, filled up with `value` to the length of the longest; and the mask."""
    longest = max(map(len, sequences), default=0)
    rows = [[*sequence, *[value] * (longest - len(sequence))] for sequence in sequences]
    ids = torch.tensor(rows, dtype=torch.int64).reshape(len(rows), longest)  # (B, T), also without a row or a column
    lengths = torch.tensor([len(sequence) for sequence in sequences], dtype=torch.int64)  # (B,)
    return ids, torch.arange(longest) < lengths[:, None]  # (T,) < (B, 1) -> (B, T)


def reverse(x: Float[Tensor, "B T D"], mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B T D"]:
    """Each sentence's real steps in opposite order; its pads stay where they are, at the end."""
    steps = torch.arange(x.shape[1], device=x.device)  # (T,)
    opposite = mask.sum(1, keepdim=True) - 1 - steps  # (B, 1) − (T,) -> (B, T)
    places = torch.where(mask, opposite, steps)
    return x.gather(1, places[:, :, None].expand_as(x))


# --- from states to one vector ---------------------------------------------------------------------------------------


def masked_mean(states: Float[Tensor, "B T H"], mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B H"]:
    """The mean over the real steps; zeros for a row that has none."""
    real = states.masked_fill(~mask[:, :, None], 0.0)  # not times 0, which leaves nan where a pad holds inf
    return real.sum(1) / mask.sum(1, keepdim=True).clamp(min=1)


def masked_max(states: Float[Tensor, "B T H"], mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B H"]:
    """The largest value over the real steps, number by number; zeros for a row that has none."""
    if states.shape[1] == 0:
        return states.sum(1)
    largest = states.masked_fill(~mask[:, :, None], -torch.inf).amax(1)
    return largest.masked_fill(~mask.any(1, keepdim=True), 0.0)


def last_states(states: Float[Tensor, "B T H"], mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B H"]:
    """The state at the last real step; zeros for a row that has none."""
    steps = torch.arange(states.shape[1], device=states.device)
    last = mask & (steps == mask.sum(1, keepdim=True) - 1)  # (B, T), one step a row
    return states.masked_fill(~last[:, :, None], 0.0).sum(1)


def attention_pool(
    states: Float[Tensor, "B T H"], mask: Bool[Tensor, "B T"], query: Float[Tensor, " H"]
) -> tuple[Float[Tensor, "B H"], Float[Tensor, "B T"]]:
    """Σ_t α_t h_t with α = softmax(h_t · q) over the real steps: the sum, and the weights α, exactly 0 on pads."""
    real = states.masked_fill(~mask[:, :, None], 0.0)
    scores = (real @ query).masked_fill(~mask, -torch.inf)  # (B, T, H) @ (H,) -> (B, T)
    scores = scores.masked_fill(~mask.any(1, keepdim=True), 0.0)  # a row of −inf alone has no softmax
    weights = scores.softmax(1).masked_fill(~mask, 0.0)
    return torch.einsum("bt,bth->bh", weights, real), weights


# --- both directions -------------------------------------------------------------------------------------------------


class BiLSTM(nn.Module):
    """Layers of two LSTMs each, one from left to right, one from right to left: h_t = [→h_t ; ←h_t].

    Both read the h_t of the layer below. What comes out at pads is zero. The same numbers and gradients as
    torch.nn.LSTM(bidirectional=True) on a packed batch. directions=1 leaves out the way from right to left.
    """

    def __init__(self, width: int, hidden: int, layers: int = 1, dropout: float = 0.0, directions: int = 2):
        """width: D; hidden: H of one direction; dropout: the share set to zero between layers, in training."""
        super().__init__()
        if layers < 1 or directions not in (1, 2):
            raise ValueError(f"layers is {layers}, directions {directions}: at least 1, and 1 or 2")
        inputs = [width] + [directions * hidden] * (layers - 1)
        self.layers = nn.ModuleList(nn.ModuleList(LSTMCell(size, hidden) for _ in range(directions)) for size in inputs)
        self.dropout, self.size = dropout, directions * hidden

    def forward(self, x: Float[Tensor, "B T D"], mask: Tensor) -> Float[Tensor, "B T G"]:
        if mask.dtype != torch.bool or mask.shape != x.shape[:2]:
            raise ValueError(f"the mask must be bool, {tuple(x.shape[:2])}; got {mask.dtype}, {tuple(mask.shape)}")
        for number, cells in enumerate(self.layers):
            x = F.dropout(x, self.dropout, self.training and number > 0)
            ways = [read(cells[0], x)]  # (B, T, H); pads stand behind what is real, which never sees them
            ways += [reverse(read(cell, reverse(x, mask)), mask) for cell in cells[1:]]
            x = torch.cat(ways, dim=2).masked_fill(~mask[:, :, None], 0.0)  # (B, T, G)
        return x


def read(cell: LSTMCell, x: Float[Tensor, "B T D"]) -> Float[Tensor, "B T H"]:
    """All outputs of one LSTM that starts from zeros."""
    zeros = x.new_zeros(len(x), cell.hidden)
    return run(cell, x, (zeros, zeros))[0]


# --- words as vectors ------------------------------------------------------------------------------------------------


class Words(NamedTuple):
    """What a net reads: sentences as ids of words, and of their letters if it looks at them."""

    ids: Tensor  # (B, T) int64
    mask: Tensor  # (B, T) bool
    letters: Tensor | None = None  # (B, T, C) int64, PAD after the end of a word

    def to(self, device: torch.device | str) -> "Words":
        return Words(*(None if part is None else part.to(device) for part in self))


@dataclass(frozen=True)
class Config:
    """The settings of a net."""

    words: int  # ids of words, with PAD and UNKNOWN
    classes: int  # K: tags of a word, or classes of a sentence
    letters: int = 0  # ids of letters, with PAD and UNKNOWN; 0: letters are not looked at
    width: int = 64  # D, numbers in a word's embedding
    spelling: int = 32  # numbers that the letters add to it
    hidden: int = 64  # H, of each direction
    layers: int = 1
    directions: int = 2  # 1: from left to right alone
    dropout: float = 0.3  # share of numbers set to zero, in training, before each layer and before the output
    word_dropout: float = 0.0  # share of words that are read as UNKNOWN, in training
    pooling: str = "max"  # of a Classifier: one of POOLINGS


class Spelling(nn.Module):
    """A vector for each word from its letters: the largest answer of each of S filters that look at three at a time."""

    def __init__(self, letters: int, size: int):
        super().__init__()
        self.E = nn.Embedding(letters, 24, padding_idx=PAD)
        self.filters = nn.Conv1d(24, size, kernel_size=3, padding=1)

    def forward(self, letters: Int64[Tensor, "B T C"]) -> Float[Tensor, "B T S"]:
        if letters.numel() == 0:  # no word, or none with letters: a convolution needs some
            return self.filters.weight.new_zeros(*letters.shape[:2], len(self.filters.weight))
        rows = letters.flatten(0, 1)  # (B·T, C)
        answers = self.filters(self.E(rows).transpose(1, 2)).transpose(1, 2)  # (B·T, C, S)
        return masked_max(answers, rows != PAD).unflatten(0, letters.shape[:2])  # (B·T, S) -> (B, T, S)


class Embedding(nn.Module):
    """x_t = [E[word] ; table[word] ; spelling(letters)]: what is learned here, what was learned elsewhere, letters.

    E[word] is one_hot(word) @ E: a product with a row of zeros and a single one picks out a row. table (V', D'): fixed
    vectors, such as those of skip-gram; None for none. It may have more rows than E: words with an id beyond E's are
    UNKNOWN to E, though not to the table.
    """

    def __init__(self, config: Config, table: Float[Tensor, "V D2"] | None = None):
        super().__init__()
        self.E = nn.Embedding(config.words, config.width, padding_idx=PAD)
        self.register_buffer("table", table)
        self.spelling = Spelling(config.letters, config.spelling) if config.letters else None
        self.word_dropout = config.word_dropout
        beside = 0 if table is None else table.shape[1]
        self.size = config.width + beside + (config.spelling if config.letters else 0)

    def forward(self, words: Words) -> Float[Tensor, "B T D"]:
        ids = words.ids.masked_fill(words.ids >= self.E.num_embeddings, UNKNOWN)
        if self.training and self.word_dropout:
            forgotten = torch.rand(ids.shape, device=ids.device) < self.word_dropout
            ids = ids.masked_fill(forgotten & words.mask, UNKNOWN)
        parts = [self.E(ids)]
        if self.table is not None:
            parts.append(F.embedding(words.ids, self.table))
        if self.spelling is not None:
            if words.letters is None:
                raise ValueError("this net looks at letters: give it words.letters, shape (B, T, C)")
            parts.append(self.spelling(words.letters))
        return torch.cat(parts, dim=2)  # (B, T, D)


# --- the two nets ----------------------------------------------------------------------------------------------------


class Tagger(nn.Module):
    """A class for each word: ŷ_t = softmax(V h_t + c)."""

    def __init__(self, config: Config, table: Float[Tensor, "V D2"] | None = None):
        super().__init__()
        self.config = config
        self.embedding = Embedding(config, table)
        self.states = BiLSTM(self.embedding.size, config.hidden, config.layers, config.dropout, config.directions)
        self.output = nn.Linear(self.states.size, config.classes)

    @property
    def device(self) -> torch.device:
        """Where the parameters are."""
        return self.output.weight.device

    def forward(self, words: Words, targets: Int64[Tensor, "B T"] | None = None, state: None = None) -> Output:
        """logits (B, T, K). targets: a class for each word, IGNORED for pads; the loss is the mean over the words.

        state is always None: such a net reads whole sentences, and has nothing to go on from.
        """
        logits = self.output(self._dropped(self.read(words)))  # (B, T, G) -> (B, T, K)
        return Output(logits, None if targets is None else cross_entropy(logits, targets), None)

    def read(self, words: Words) -> Float[Tensor, "B T G"]:
        """The states of the top layer."""
        return self.contextual(self._dropped(self.embedding(words)), words.mask)

    def contextual(self, x: Float[Tensor, "B T D"], mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B T G"]:
        """Vectors of words in, vectors of the same words in this sentence out."""
        return self.states(x, mask)

    def _dropped(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.config.dropout, self.training)


class Classifier(Tagger):
    """A class for the whole: the states pooled into one vector, and a softmax on that."""

    def __init__(self, config: Config, table: Float[Tensor, "V D2"] | None = None):
        super().__init__(config, table)
        if config.pooling not in POOLINGS:
            raise ValueError(f"there is no pooling {config.pooling!r}: choose one of {', '.join(POOLINGS)}")
        self.query = nn.Parameter(torch.randn(self.states.size) / self.states.size**0.5)  # for "attention" alone

    def forward(self, words: Words, targets: Int64[Tensor, " B"] | None = None, state: None = None) -> Output:
        """logits (B, K); targets: a class for each sentence."""
        logits = self.output(self._dropped(self.pool(self.read(words), words.mask)))  # (B, G) -> (B, K)
        return Output(logits, None if targets is None else F.cross_entropy(logits, targets), None)

    def pool(self, states: Float[Tensor, "B T H"], mask: Bool[Tensor, "B T"]) -> Float[Tensor, "B H"]:
        """One vector a sentence, as config.pooling says. "ends": the last state of each direction, which for the one
        from right to left stands at the first word; "last": the state at the last word, of both directions."""
        how = self.config.pooling
        if how == "attention":
            return attention_pool(states, mask, self.query)[0]
        if how == "ends":
            forward = last_states(states, mask)[:, : self.config.hidden]
            backward = states[:, :1].sum(1)[:, self.config.hidden :]  # a sum over one step, or over none
            return torch.cat([forward, backward], dim=1)
        return {"last": last_states, "mean": masked_mean, "max": masked_max}[how](states, mask)
