"""Two more nets of transformer blocks: one that translates, with an encoder and a decoder, and one that classifies.

`EncoderDecoder` is the net of Vaswani and others, "Attention is all you need" (2017): it answers what unit 5's
`Translator` answers, so that `unrolled.decoding` writes with it. `Classifier` reads the class of a whole from the last
vector of a first position, which stands for no word (Devlin and others, "BERT", 2019).

Left out on purpose: embeddings that both languages share, label smoothing.

Shapes: B sentences, N words of a source, M of a target, U words of the target's vocabulary, D numbers in a vector, H
heads, K = D/H, L layers. A padding mask is torch.bool, (B, N), true where a word is real.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from unrolled.attention import Positions, causal_mask, padding_mask
from unrolled.language_model import Output, cross_entropy
from unrolled.seq2seq import Pairs, Translation
from unrolled.tagging import PAD, Words
from unrolled.transformer import Decoder, Encoder, Kept

# ruff: noqa: F722 (jaxtyping writes shapes as strings)


@dataclass(frozen=True)
class Config:
    """The settings of either net."""

    source: int  # ids of words that are read, with PAD
    target: int  # U: ids of target words, with PAD, BEGIN and END; or classes
    width: int = 64  # D
    heads: int = 4  # H
    layers: int = 2  # L, of the encoder and of the decoder
    inner: int | None = None  # F, of the feed-forward nets; by default 4 D
    norm: str = "pre"  # one of transformer.NORMS
    activation: str = "relu"  # as published; or "gelu"
    positions: str = "sinusoid"  # one of attention.POSITIONS
    longest: int = 512  # positions that are learned, or made in advance
    dropout: float = 0.0  # share of numbers set to zero, in training, in embeddings and in what a sublayer found

    def stack(self) -> tuple:
        """What `Encoder` and `Decoder` are made from."""
        inner = self.inner or 4 * self.width
        return self.width, self.heads, inner, self.layers, self.norm, self.activation, self.dropout


class Embedding(nn.Module):
    """√D E[word_i] + p_i."""

    def __init__(self, words: int, config: Config):
        super().__init__()
        self.E = nn.Embedding(words, config.width, padding_idx=PAD)
        nn.init.normal_(self.E.weight, std=1 / math.sqrt(config.width))
        with torch.no_grad():
            self.E.weight[PAD] = 0
        self.positions = Positions(config.positions, config.width, config.longest)
        self.scale, self.dropout = math.sqrt(config.width), config.dropout

    def forward(self, ids: Int64[Tensor, "B N"], start: int = 0) -> Float[Tensor, "B N D"]:
        """start: how many words stand before the first of these."""
        x = self.E(ids) * self.scale + self.positions(ids.shape[1], start)
        return F.dropout(x, self.dropout, self.training)


# --- the encoder–decoder ---------------------------------------------------------------------------------------------


class State(NamedTuple):
    """Where the decoder stands; each tensor has a row for each sentence, so that rows can be chosen."""

    kept: tuple[Kept, ...]  # of each layer, what was written: keys and values (B, H, M, K)
    memory: tuple[Kept, ...]  # of each layer, what was read: (B, H, N, K)
    mask: Bool[Tensor, "B N"]


class EncoderDecoder(nn.Module):
    """An encoder reads the source; a decoder writes, and asks what was read in each of its layers; softmax(V y + b)."""

    def __init__(self, config: Config):
        super().__init__()
        self.config = config
        self.source, self.target = Embedding(config.source, config), Embedding(config.target, config)
        self.encoder, self.decoder = Encoder(*config.stack()), Decoder(*config.stack())
        self.output = nn.Linear(config.width, config.target)

    @property
    def device(self) -> torch.device:
        """Where the parameters are."""
        return self.output.weight.device

    def forward(self, inputs: Pairs, targets: Int64[Tensor, "B M"] | None = None, state: None = None) -> Translation:
        """Teacher forcing, all words of a target at once: logits (B, M, U), loss in nats. For weights see `weights`."""
        mask = padding_mask(inputs.mask)
        memory = self.encoder(self.source(inputs.source), mask)  # (B, N, D)
        logits = self.output(self.decoder(self.target(inputs.words), memory, memory_mask=mask))  # (B, M, U)
        return Translation(logits, None if targets is None else cross_entropy(logits, targets))

    def start(self, source: Int64[Tensor, "B N"], mask: Bool[Tensor, "B N"]) -> State:
        """Read the sources; nothing is written yet."""
        memory = self.encoder(self.source(source), padding_mask(mask))
        asked = tuple(block.cross.keys_values(memory) for block in self.decoder.blocks)
        nothing = tuple(block.attention.keys_values(memory[:, :0]) for block in self.decoder.blocks)
        return State(nothing, asked, mask)

    @torch.no_grad()
    def step(self, state: State, words: Int64[Tensor, " B"]) -> tuple[Float[Tensor, "B U"], State, None]:
        """Read the word written last (BEGIN at first): ln ŷ of the next, and the state after it; with a cache."""
        written = state.kept[0][0].shape[2]
        y, kept = self.target(words.to(self.device)[:, None], start=written), []  # (B, 1, D)
        for block, past, memory in zip(self.decoder.blocks, state.kept, state.memory, strict=True):
            y, grew, *_ = block.advance(y, memory, None, padding_mask(state.mask), past)
            kept.append(grew)
        log_probs = self.output(self.decoder.last(y))[:, 0].log_softmax(1)
        return log_probs, state._replace(kept=tuple(kept)), None

    @torch.no_grad()
    def weights(self, inputs: Pairs) -> dict[str, list[Tensor]]:
        """Where each layer's heads look, (B, H, M, N) each: "encoder", "decoder" and "cross". Without dropout."""
        was_training, mask = self.training, padding_mask(inputs.mask)
        self.eval()
        x, y = self.source(inputs.source), self.target(inputs.words)
        found, memory = {"encoder": self.encoder.weights(x, mask)}, self.encoder(x, mask)
        order, looked = causal_mask(y.shape[1], device=y.device), []
        for block in self.decoder.blocks:
            y, _, *both = block.advance(y, block.cross.keys_values(memory), order, mask, weights=True)
            looked.append(both)
        self.train(was_training)
        return found | {"decoder": [own for own, _ in looked], "cross": [across for _, across in looked]}


# --- a class for the whole -------------------------------------------------------------------------------------------


class Classifier(nn.Module):
    """softmax(V x₀ + c), x₀ the last vector of a first position, whose first vector is learned and stands for no word.

    config.target: classes.
    """

    def __init__(self, config: Config):
        super().__init__()
        self.config = config
        self.source, self.encoder = Embedding(config.source, config), Encoder(*config.stack())
        self.first = nn.Parameter(torch.randn(config.width))  # (D,)
        self.output = nn.Linear(config.width, config.target)

    @property
    def device(self) -> torch.device:
        """Where the parameters are."""
        return self.output.weight.device

    def forward(self, words: Words, targets: Int64[Tensor, " B"] | None = None, state: None = None) -> Output:
        """logits (B, C); targets: a class for each sentence; loss in nats."""
        logits = self.output(self.encoder(*self.begun(words))[:, 0])  # (B, D) -> (B, C)
        return Output(logits, None if targets is None else F.cross_entropy(logits, targets), None)

    @torch.no_grad()
    def weights(self, words: Words) -> list[Float[Tensor, "B H N1 N1"]]:
        """Where each layer's heads look; row and column 0 are the first position's. Without dropout."""
        was_training = self.training
        found = self.eval().encoder.weights(*self.begun(words))
        self.train(was_training)
        return found

    def begun(self, words: Words) -> tuple[Float[Tensor, "B N1 D"], Bool[Tensor, "B 1 1 N1"]]:
        """The words' vectors behind the first one, and the mask; N1 = N + 1."""
        first = self.first.expand(len(words.ids), 1, -1)  # (B, 1, D); words count their positions from 0
        real = F.pad(words.mask, (1, 0), value=True)  # (B, N + 1)
        return torch.cat([first, self.source(words.ids)], dim=1), padding_mask(real)
