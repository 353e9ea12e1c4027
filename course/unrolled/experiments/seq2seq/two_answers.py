"""A task with two right answers: the time in German, said in the one way or in the other.

    two forty      →      zwei Uhr vierzig      or      zwanzig vor drei

Each way is right as a whole; zwanzig Uhr drei, half the one and half the other, is another time or none at all. A
decoder that reads what it wrote knows which way it has begun. One that is blind to it (`Blind`) can only give each word
its share of all right answers, place by place. Left out on purpose: the half hours, halb drei.

    judged(trained.model, trained.reader, all_times(), draws=20, seed=0)       # Judged(right=0.99, mixed=0.01, other=0)
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from unrolled.decoding import sample
from unrolled.experiments.seq2seq.numbers import Pair, spelt
from unrolled.experiments.seq2seq.reading import LIMIT, Reader, started
from unrolled.seq2seq import BEGIN, END, State, Translator

MINUTES = 5, 10, 20, 40, 50, 55


def all_times() -> list[Pair]:
    """Each of 72 times twice, once with each of its right answers."""
    return [p for hour in range(1, 13) for minute in MINUTES for p in _both(hour, minute)]


def _both(hour: int, minute: int) -> list[Pair]:
    source = [*spelt(hour, "en"), "-".join(spelt(minute, "en"))]
    plain = ["ein" if hour == 1 else _german(hour), "Uhr", _german(minute)]
    told = [_german(minute), "nach", _german(hour)]
    if minute > 30:
        told = [_german(60 - minute), "vor", _german(hour % 12 + 1)]
    aligned = [0, None, 1], [1, None, 0]
    return [Pair(source, target, places) for target, places in zip((plain, told), aligned, strict=True)]


def _german(number: int) -> str:
    return "".join(spelt(number, "de"))


class Blind(Translator):
    """A decoder that reads nothing of what it has written: to each step the same zeros are given."""

    def advance(self, state: State, x: Tensor) -> tuple[State, Tensor | None]:
        return super().advance(state, torch.zeros_like(x))


class Judged(NamedTuple):
    """Shares of what was written."""

    right: float  # one of the two right answers
    mixed: float  # each word stands at its place in one of the two, but not all in the same
    other: float


def judged(model: Translator, reader: Reader, pairs: Sequence[Pair], draws: int, seed: int) -> Judged:
    """Words are drawn from what the decoder says, `draws` times for each time of day."""
    answers: dict[tuple, list[list[str]]] = {}
    for p in pairs:
        answers.setdefault(tuple(p.source), []).append(p.target)
    sources = [list(source) for source in answers for _ in range(draws)]
    state, chance = started(model, reader, sources), torch.Generator().manual_seed(seed)
    written = sample(model.step, state, BEGIN, END, LIMIT, len(sources), generator=chance)
    found = [_kind(reader.words(ids), answers[tuple(source)]) for ids, source in zip(written, sources, strict=True)]
    return Judged(*(found.count(kind) / len(found) for kind in Judged._fields))


def _kind(words: list[str], answers: list[list[str]]) -> str:
    if words in answers:
        return "right"
    fits = len(words) == len(answers[0]) and all(
        w in at for w, at in zip(words, zip(*answers, strict=True), strict=True)
    )
    return "mixed" if fits else "other"
