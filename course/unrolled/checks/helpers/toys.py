"""Small models and tables that checks of answers which call a model ask about.

A model here is a function that answers are given to call: prob(word, context), context a tuple of words,
next_probs(ids so far), or step(symbol, state). It holds the caller to that form, so that a wrong call fails with a
sentence instead of a traceback. The checks of unit 1 use the models of words and ids, those of unit 2 the steps.
"""

import random
from collections.abc import Callable
from typing import Any

import torch

from unrolled.checking.compare import holds
from unrolled.checking.kinds import readable
from unrolled.checking.plain import describe, short

CALLED = "What does each call hand to step? It takes an id, an int, and then a state."
Model = Callable[[str, tuple], float]
Step = Callable[[int, torch.Tensor], tuple[torch.Tensor, torch.Tensor]]


def random_counts(rng: random.Random, words: str, order: int = 2) -> dict:
    """A table of counts: each of a few contexts of `order` - 1 words is followed by some, not all, of the words."""
    contexts = sorted({tuple(rng.choices(words, k=order - 1)) for _ in words})
    return {c: {w: rng.randint(1, 9) for w in rng.sample(words, rng.randint(2, len(words) - 1))} for c in contexts}


def random_log_probs(rng: random.Random, length: int) -> torch.Tensor:
    """Natural-log probabilities of `length` symbols between e^-6 and e^-1, shape (length,), float32."""
    return torch.tensor([rng.uniform(-6, -1) for _ in range(length)])


def table_model(table: dict) -> Model:
    """A model that looks its probabilities up in {context: {word: probability}}; 0 for a word that is not there."""
    length = len(next(iter(table)))

    def prob(word: Any, context: Any) -> float:
        _asked_well(word, context, length)
        holds(context in table, f"asked for P({word} | {' '.join(context)}), a context that is of no use here")
        return table[context].get(word, 0.0)

    return prob


def recording_model(length: int, probability: float) -> tuple[Model, set]:
    """A model with one probability for everything after `length` words, and the set of all it was asked."""
    seen: set[tuple[str, tuple]] = set()

    def prob(word: Any, context: Any) -> float:
        _asked_well(word, context, length)
        seen.add((word, context))
        return probability

    return prob, seen


def chain_model(table: torch.Tensor) -> Callable[[list[int]], torch.Tensor]:
    """next_probs of a bigram model: the row of `table`, shape (V, V), that the last id names; shape (V,)."""

    def next_probs(ids: Any) -> torch.Tensor:
        ids_are_well(ids, len(table))
        return table[ids[-1]]

    return next_probs


def ids_are_well(ids: Any, vocab_size: int | None = None) -> None:
    """Hold that a model was asked with a list of ids that is not empty (and whose last one is in its vocabulary)."""
    well = isinstance(ids, list) and len(ids) > 0 and all(type(i) is int for i in ids)
    given = short(ids) if isinstance(ids, list) else describe(ids)
    holds(well, f"next_probs was given {given}: it takes the list of all ids so far, each an int")
    if vocab_size is not None:
        holds(
            0 <= ids[-1] < vocab_size,
            f"next_probs was given the last id {short(ids[-1])}: the ids end at {vocab_size - 1}",
        )


def recording_step(vocab_size: int) -> tuple[Step, list]:
    """A net whose next symbol is certain, the sum of all read so far, and the list of what it was given to read.

    Its state, shape (1,), is the number of symbols read; it holds each call to the state that the call before gave.
    """
    seen: list[int] = []

    def step(symbol: Any, h: Any) -> tuple[torch.Tensor, torch.Tensor]:
        symbol = _id_of(symbol, h, vocab_size)
        holds(h.item() == len(seen), "step was not given the state that the step before it returned (h0 at first)")
        seen.append(symbol)
        return _certain(sum(seen) % vocab_size, vocab_size), h + 1

    return step, seen


def adding_step(vocab_size: int) -> Step:
    """A net whose state, shape (1,), is the sum of the first state and all symbols read; it says the next symbol."""

    def step(symbol: Any, h: Any) -> tuple[torch.Tensor, torch.Tensor]:
        h = h + _id_of(symbol, h, vocab_size)
        return _certain(int(h.item()) % vocab_size, vocab_size), h

    return step


def constant_step(logits: torch.Tensor) -> Step:
    """A net that has the same logits, shape (V,), after every symbol; its state has the shape (1,)."""

    def step(symbol: Any, h: Any) -> tuple[torch.Tensor, torch.Tensor]:
        _id_of(symbol, h, len(logits))
        return logits, h

    return step


def _certain(symbol: int, vocab_size: int) -> torch.Tensor:
    """Logits that leave no other symbol a chance, at any temperature up to 10."""
    return torch.full((vocab_size,), -2000.0).index_fill(0, torch.tensor(symbol), 0.0)


def _id_of(symbol: Any, h: Any, vocab_size: int) -> int:
    """The id that step was given, held to be one, as the state h is held to be the form of the nets here."""
    if isinstance(symbol, torch.Tensor) and symbol.dtype == torch.int64 and symbol.dim() == 0:
        symbol = symbol.item()
    holds(type(symbol) is int, f"step was given {describe(symbol)} as symbol: it takes one id, an int", CALLED)
    holds(0 <= symbol < vocab_size, f"step was given the id {short(symbol)}: the ids end at {vocab_size - 1}", CALLED)
    well = readable(h) and h.shape == (1,) and bool(h.isfinite())
    holds(well, f"step was given {describe(h)} as state: it takes h0, or what it returned", CALLED)
    return symbol


def _asked_well(word: Any, context: Any, length: int) -> None:
    holds(isinstance(word, str), f"prob was asked for {describe(word)}: it takes a word, then its context")
    holds(isinstance(context, tuple), f"prob was given {describe(context)} as context: it takes a tuple of words")
    holds(all(isinstance(w, str) for w in context), f"prob was given the context {short(context)}: not all are words")
    symbols = f"{len(context)} symbol{'s' * (len(context) != 1)}"
    well = len(context) == length
    holds(well, f"prob was asked for {short(word)} after {short(context)}: that is {symbols}, not {length}")
