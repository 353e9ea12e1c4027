"""A language model made of transformer blocks: it reads all of its window at once, and writes with a cache.

Encoder blocks under a causal mask, which is a decoder without cross-attention: Radford and others, "Improving language
understanding by generative pre-training" (2018). The embeddings serve as output matrix, too (Press and Wolf, 2017).
Two ways to go on reading give the same numbers: `read` computes the whole window anew, `cached` keeps each layer's keys
and values and computes new symbols alone.

Left out on purpose: beam search (`unrolled.decoding` has it), relative positions, with which a window could move on
without being read again.

Shapes: B sequences, N symbols of a window, at most C, its context; T new ones; V vocabulary; D numbers in a vector; H
heads, K = D/H; F numbers inside the feed-forward net; L layers.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int64
from torch import Tensor, nn

from unrolled.attention import Positions, causal_mask
from unrolled.decoding import narrowed
from unrolled.language_model import LanguageModel, Output, cross_entropy
from unrolled.transformer import Encoder, Kept

# ruff: noqa: F722 (jaxtyping writes shapes as strings)


class Cache(NamedTuple):
    """What a language model keeps of the symbols in its window, so that none of them is computed again."""

    ids: Int64[Tensor, "B N"]
    kept: tuple[Kept, ...]  # of each layer; none at the beginning


class TransformerLM(LanguageModel):
    """x_i = E[symbol_i] + p_i; L encoder blocks under a causal mask; softmax(V x_i). tied: V is E.

    Its state is no vector: it is the symbols themselves, (B, n), n ≤ C, at first none. The window holds C symbols at
    most. When it is full and another symbol comes, it moves on: its later half stays and is counted from position 0.
    So it does not matter in which pieces a text is read, and at least C/2 symbols before each stay visible.
    """

    def __init__(
        self,
        vocab_size: int,
        width: int = 128,
        heads: int = 4,
        layers: int = 3,
        context: int = 64,
        inner: int | None = None,
        norm: str = "pre",
        activation: str = "gelu",
        positions: str = "learned",
        tied: bool = True,
        dropout: float = 0.0,
    ):
        """width: D; heads: H; layers: L; context: C; inner: F, by default 4 D; positions: see `Positions`."""
        super().__init__(vocab_size)
        if context < 1 or layers < 1:
            raise ValueError(f"context is {context}, layers {layers}: both must be at least 1")
        self.context, self.dropout = context, dropout
        self.E = nn.Parameter(torch.randn(vocab_size, width) / math.sqrt(width))  # (V, D)
        self.positions = Positions(positions, width, context)
        self.stack = Encoder(width, heads, inner or 4 * width, layers, norm, activation, dropout)
        self.V = self.E if tied else nn.Parameter(torch.randn(vocab_size, width) / math.sqrt(width))

    def start(self, batch: int = 1) -> Int64[Tensor, "B 0"]:
        """Nothing was read."""
        return torch.zeros(batch, 0, dtype=torch.int64, device=self.device)

    def forward(self, tokens: Tensor, targets: Tensor | None = None, state: Tensor | None = None) -> Output:
        """As of every language model, but for the state, which grows."""
        self._check_tokens(tokens)
        state = self.start(len(tokens)) if state is None else state
        if state.ndim != 2 or len(state) != len(tokens) or state.shape[1] > self.context:
            wanted = f"({len(tokens)}, n) with n at most {self.context}"
            raise ValueError(f"the state has shape {tuple(state.shape)}; {len(tokens)} sequences need {wanted}")
        logits, state = self.read(tokens, state)
        if targets is None:
            return Output(logits, None, state)
        self._check_targets(targets, tokens)
        return Output(logits, cross_entropy(logits, targets), state)

    def read(
        self, tokens: Int64[Tensor, "B T"], state: Int64[Tensor, "B n"]
    ) -> tuple[Float[Tensor, "B T V"], Int64[Tensor, "B n2"]]:
        """The plain way: all of the window is computed, whatever is new of it."""
        found = [self.E.new_zeros(*tokens.shape, self.vocab_size)[:, :0]]  # for T = 0
        for new in self._pieces(tokens, state.shape[1]):
            old = self._room(state)
            state = torch.cat([old, new], dim=1)  # (B, n), n ≤ C
            x = self.stack(self.embedded(state), causal_mask(state.shape[1], device=state.device))
            found.append(self._logits(x[:, old.shape[1] :]))
        return torch.cat(found, dim=1) if len(found) > 2 else found[-1], state

    # the cache

    def empty(self, batch: int = 1) -> Cache:
        """Nothing was read."""
        return Cache(self.start(batch), ())

    def cached(self, tokens: Int64[Tensor, "B T"], cache: Cache) -> tuple[Float[Tensor, "B T V"], Cache]:
        """`read` by keys and values that are kept: only new symbols are computed, and the window when it moves."""
        found = [self.E.new_zeros(*tokens.shape, self.vocab_size)[:, :0]]
        for new in self._pieces(tokens, cache.ids.shape[1]):
            if cache.ids.shape[1] == self.context:
                cache = self.cached(self._room(cache.ids), self.empty(len(tokens)))[1]
            x, kept = self.embedded(new, start=cache.ids.shape[1]), []
            ids = torch.cat([cache.ids, new], dim=1)
            mask = causal_mask(ids.shape[1], queries=new.shape[1], device=ids.device)  # (T, n)
            for block, past in zip(self.stack.blocks, cache.kept or [None] * len(self.stack.blocks), strict=True):
                x, grew, *_ = block.advance(x, mask, past)
                kept.append(grew)
            cache = Cache(ids, tuple(kept))
            found.append(self._logits(self.stack.last(x)))
        return torch.cat(found, dim=1), cache

    @torch.no_grad()
    def advance(self, cache: Cache, words: Int64[Tensor, " B"]) -> tuple[Float[Tensor, "B V"], Cache]:
        """Read one symbol a row: ln ŷ of the next, and the cache after it; for `unrolled.decoding`."""
        logits, cache = self.cached(words.to(self.device)[:, None], cache)
        return logits[:, 0].log_softmax(1), cache

    @torch.no_grad()
    def weights(self, tokens: Int64[Tensor, "B N"]) -> list[Float[Tensor, "B H N N"]]:
        """Where each layer's heads look, in a text that the window holds, without dropout."""
        training, mask = self.training, causal_mask(tokens.shape[1], device=tokens.device)
        found = self.eval().stack.weights(self.embedded(tokens), mask)
        self.train(training)
        return found

    def embedded(self, ids: Int64[Tensor, "B N"], start: int = 0) -> Float[Tensor, "B N D"]:
        """Symbols and their positions from `start` on, added."""
        x = F.embedding(ids, self.E) + self.positions(ids.shape[1], start)
        return F.dropout(x, self.dropout, self.training)

    def _logits(self, x: Float[Tensor, "B N D"]) -> Float[Tensor, "B N V"]:
        return F.linear(x, self.V)  # (B, N, D) @ (D, V) -> (B, N, V)

    def _room(self, ids: Int64[Tensor, "B n"]) -> Int64[Tensor, "B n2"]:
        """What stays in the window when another symbol comes: all of it, or its later half."""
        return ids if ids.shape[1] < self.context else ids[:, self.context - self.context // 2 :]

    def _pieces(self, tokens: Int64[Tensor, "B T"], n: int) -> Iterator[Int64[Tensor, "B t"]]:
        """The new symbols in pieces that go into the window, in which n stand."""
        while tokens.shape[1]:
            n = self.context // 2 if n == self.context else n
            new, tokens = tokens[:, : self.context - n], tokens[:, self.context - n :]
            n += new.shape[1]
            yield new


def generate(
    model: TransformerLM,
    prompt: Int64[Tensor, "B N"],
    symbols: int,
    *,
    temperature: float = 1.0,
    top_k: int | None = None,
    generator: torch.Generator | None = None,
    cache: bool = True,
) -> Int64[Tensor, "B S"]:
    """So many symbols that follow each prompt, drawn one after another; N ≥ 1. cache: False for the plain way.

    Both ways draw the same from equal generators, but for ties that rounding decides.
    """
    read, kept = (model.cached, model.empty(len(prompt))) if cache else (model.read, model.start(len(prompt)))
    words, found, was_training = prompt.to(model.device), [], model.training
    model.eval()
    with torch.no_grad():
        for _ in range(symbols):
            logits, kept = read(words, kept)
            chances = narrowed(logits[:, -1].float().cpu().log_softmax(1), temperature, top_k).exp()
            words = torch.multinomial(chances, 1, generator=generator).to(model.device)  # (B, 1)
            found.append(words)
    model.train(was_training)
    return torch.cat(found, dim=1).cpu() if found else prompt[:, :0].cpu()


def parameter_count(
    vocab_size: int,
    width: int,
    layers: int,
    context: int,
    inner: int | None = None,
    norm: str = "pre",
    positions: str = "learned",
    tied: bool = True,
) -> int:
    """How many numbers a `TransformerLM` learns, by formula; the number of heads does not matter.

    V D for symbols, V D more if the output is not tied; C D for learned positions; in each layer 4 D² + 4 D
    for attention, 2 D F + F + D for the feed-forward net and 4 D for two norms; 2 D for the last norm of "pre".
    """
    inner = 4 * width if inner is None else inner
    ends = vocab_size * width * (1 if tied else 2)
    ends += context * width * (positions == "learned") + 2 * width * (norm == "pre")
    attention, feed_forward, norms = 4 * width * (width + 1), 2 * width * inner + inner + width, 4 * width
    return ends + layers * (attention + feed_forward + norms)
