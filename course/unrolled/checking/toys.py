"""Small models and tables that checks of count models ask about.

A model here is a function that answers are given to call: prob(word, context), context a tuple of words, or
next_probs(ids so far). It holds the caller to that form, so that a wrong call fails with a sentence instead of a
traceback.
"""

import random
from collections.abc import Callable
from typing import Any

import torch

from .compare import holds
from .plain import describe, short

Model = Callable[[str, tuple], float]


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
    holds(well, f"next_probs was given {short(ids)}: it takes the list of all ids so far, each an int")
    if vocab_size is not None:
        holds(
            0 <= ids[-1] < vocab_size,
            f"next_probs was given the last id {short(ids[-1])}: the ids end at {vocab_size - 1}",
        )


def _asked_well(word: Any, context: Any, length: int) -> None:
    holds(isinstance(word, str), f"prob was asked for {describe(word)}: it takes a word, then its context")
    holds(isinstance(context, tuple), f"prob was given {describe(context)} as context: it takes a tuple of words")
    holds(all(isinstance(w, str) for w in context), f"prob was given the context {short(context)}: not all are words")
    holds(
        len(context) == length,
        f"prob was asked for {short(word)} after {short(context)}: that is {len(context)} symbols, not {length}",
    )
