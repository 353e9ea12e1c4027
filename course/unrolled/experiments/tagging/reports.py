"""Counting right answers: by words known and unknown, by pairs of tags, by spans, by a threshold.

Gold comes first, what was predicted second, everywhere. Sentences are lists of tags of equal length.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

Tags = Sequence[Sequence[str]]
Span = tuple[str, int, int]  # its name, its first word, the word after its last


def accuracy(gold: Iterable, predicted: Iterable) -> float:
    """The share of equal answers; of sentences of tags, over all words. ValueError if there are none."""
    pairs = [
        pair
        for one, other in zip(gold, predicted, strict=True)
        for pair in ([(one, other)] if isinstance(one, str | int) else zip(one, other, strict=True))
    ]
    if not pairs:
        raise ValueError("there is nothing to count: no answer was given")
    return sum(one == other for one, other in pairs) / len(pairs)


class ByWords(NamedTuple):
    """Shares of right tags, and how many words they are of."""

    all: float
    known: float
    unknown: float
    words: int
    unknown_words: int


def by_words(sentences: Sequence[Sequence[str]], gold: Tags, predicted: Tags, known: Iterable[str]) -> ByWords:
    """Accuracy over all words, and over those whose exact form is in `known`, and over those whose is not.

    Where there are no known, or no unknown, words their share is nan.
    """
    known, counts = set(known), Counter()
    for words, one, other in zip(sentences, gold, predicted, strict=True):
        for word, right, answer in zip(words, one, other, strict=True):
            counts[word in known, right == answer] += 1
    right = {old: counts[old, True] for old in (True, False)}
    n = {old: right[old] + counts[old, False] for old in (True, False)}
    shares = [right[old] / n[old] if n[old] else float("nan") for old in (True, False)]
    return ByWords(sum(right.values()) / sum(n.values()), *shares, sum(n.values()), n[False])


def confusion(gold: Tags, predicted: Tags, names: Sequence[str]) -> np.ndarray:
    """Counts (K, K), integers: row the right tag, column the answer, both in the order of `names`."""
    at, counts = {name: i for i, name in enumerate(names)}, np.zeros((len(names),) * 2, dtype=np.int64)
    for one, other in zip(gold, predicted, strict=True):
        for right, answer in zip(one, other, strict=True):
            counts[at[right], at[answer]] += 1
    return counts


# --- spans -----------------------------------------------------------------------------------------------------------


def spans(tags: Sequence[str]) -> set[Span]:
    """The spans of one sentence's BIO tags. An I- that continues nothing of its name opens a span, as in seqeval."""
    found, begun, name = set(), 0, None
    for at, tag in enumerate([*tags, "O"]):
        kind, _, inside = tag.partition("-")
        goes_on = kind == "I" and inside == name
        if name is not None and not goes_on:
            found.add((name, begun, at))
        if not goes_on:
            begun, name = at, inside if kind in ("B", "I") else None
    return found


class Spans(NamedTuple):
    """Shares from 0 to 1."""

    precision: float  # of the predicted spans, how many are right
    recall: float  # of the right spans, how many were predicted
    f1: float  # their harmonic mean


def span_scores(gold: Tags, predicted: Tags) -> Spans:
    """Over all sentences; a span is right if name, beginning and end are. What would be 0 / 0 is 0."""
    wanted = {(i, *span) for i, tags in enumerate(gold) for span in spans(tags)}
    given = {(i, *span) for i, tags in enumerate(predicted) for span in spans(tags)}
    right = len(wanted & given)
    precision, recall = (right / len(of) if of else 0.0 for of in (given, wanted))
    return Spans(precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0)


# --- a threshold -----------------------------------------------------------------------------------------------------


class Curve(NamedTuple):
    """Precision and recall for every threshold, from the highest down; arrays (N,). Equal scores are one point."""

    thresholds: np.ndarray
    precision: np.ndarray
    recall: np.ndarray

    @property
    def area(self) -> float:
        """Average precision: Σ (recall_n − recall_{n−1}) precision_n, with recall_0 = 0."""
        return float(np.sum(np.diff(self.recall, prepend=0.0) * self.precision))

    @property
    def best_f1(self) -> tuple[float, float]:
        """The best F1 of the curve, and its threshold."""
        f1 = 2 * self.precision * self.recall / np.maximum(self.precision + self.recall, 1e-12)
        return float(f1.max()), float(self.thresholds[f1.argmax()])


def precision_recall(gold: Sequence[int], scores: Sequence[float]) -> Curve:
    """gold: 1 or 0; scores: from a threshold on, 1 is predicted. ValueError if no gold answer is 1."""
    right, scores = np.asarray(gold), np.asarray(scores, dtype=np.float64)
    if not right.sum():
        raise ValueError("there is no 1 among the right answers: recall has no meaning")
    order = np.argsort(-scores, kind="stable")
    hits, scores = np.cumsum(right[order]), scores[order]
    last = np.append(np.diff(scores) != 0, True)  # the last of equal scores
    return Curve(scores[last], (hits / np.arange(1, len(hits) + 1))[last], (hits / hits[-1])[last])
