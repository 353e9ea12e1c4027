"""Answers that are more alike than answers to one exercise are: a lead for somebody who knows the students, no verdict.

Taken out first is what nobody needs to copy from anybody: every statement of the release and of the solution. Of the
rest RapidFuzz compares the tokens, in their order and with the statements sorted (Indel: the share of tokens that need
neither be put in nor taken out). What two answers share weighs the more the fewer others have it: a statement's weight
is log2(N / n) bits, where n of N answers have it; those of the specimens, written independently, count among the N. A
statement of few tokens weighs less, a long one up to twice as much; an answer of a line or two is no lead at all.
"""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count

from .normal import Statement, statements

ALIKE = 0.75  # of two answers' tokens
LINES, TOKENS = 3, 25  # of its own that two answers must share at least
WHOLE, MOST = 8, 2.0  # tokens of a statement that weighs once; how often a long one weighs
FEW = 30  # a class of fewer is reckoned as one of so many
BITS = 16.0  # of a lead, over all exercises: measured on specimens, which are independent, and on copies of them


@dataclass(frozen=True)
class Passage:
    """Two answers to one exercise: what is alike, and the lines of each source (from 1) where it stands."""

    exercise: str
    likeness: float
    bits: float
    shared: int
    left: frozenset[int]
    right: frozenset[int]


@dataclass(frozen=True)
class Lead:
    """Two submissions, and what they have in common; the weightiest passage first."""

    students: tuple[str, str]
    bits: float
    passages: tuple[Passage, ...]


def leads(answers: dict[str, dict[str, str]], given: Iterable[str], known: dict[str, list[str]]) -> list[Lead]:
    """The weightiest first. `answers`: code by exercise and student; `given`: the release's and the solution's code;
    `known`: independent answers by exercise."""
    common = {each.text for source in given for each in statements(source)}
    found: dict[tuple[str, str], list[tuple]] = {}
    for exercise, sources in answers.items():
        own = {student: _own(source, common) for student, source in sources.items()}
        for pair, told in _pairs(own, [statements(source) for source in known.get(exercise, ())]):
            found.setdefault(pair, []).append((exercise, [own[student] for student in pair], *told))
    made = [
        Lead(pair, bits, tuple(_passage(*each) for each in sorted(those, key=lambda each: -each[-1])))
        for pair, those in found.items()
        if (bits := sum(each[-1] for each in those)) >= BITS
    ]
    return sorted(made, key=lambda lead: (-lead.bits, lead.students))


def _pairs(own: dict[str, list[Statement]], known: list[tuple[Statement, ...]]):
    """Pairs of students whose answers are alike: how much, how many statements they share, and what these weigh."""
    having = Counter(text for parts in (*own.values(), *known) for text in {each.text for each in parts})
    size = max(FEW, len(own) + len(known))
    tokens = {each.text: len(each.tokens) for parts in own.values() for each in parts}
    weight = {text: math.log2(size / having[text]) * min(MOST, many / WHOLE) for text, many in tokens.items()}
    names = [student for student, parts in own.items() if len(parts) >= LINES and _length(parts) >= TOKENS]
    counts = [Counter(each.text for each in own[student]) for student in names]
    for one, other, likeness in _alike([own[student] for student in names]):
        left, right = counts[one], counts[other]
        both = {text: min(many, right[text]) for text, many in left.items() if text in right}
        if sum(both.values()) >= LINES and sum(tokens[text] * many for text, many in both.items()) >= TOKENS:
            yield (names[one], names[other]), (likeness, sum(both.values()), sum(weight[text] for text in both))


def _passage(exercise: str, sides: list[list[Statement]], likeness: float, shared: int, bits: float) -> Passage:
    texts = set.intersection(*({each.text for each in parts} for parts in sides))
    lines = (
        frozenset(number for each in parts if each.text in texts for number in range(each.first, each.last + 1))
        for parts in sides
    )
    return Passage(exercise, likeness, bits, shared, *lines)


def _own(source: str, common: set[str]) -> list[Statement]:
    return [each for each in statements(source) if each.text not in common]


def _length(parts: Iterable[Statement]) -> int:
    return sum(len(each.tokens) for each in parts)


def _alike(those: list[list[Statement]]) -> list[tuple[int, int, float]]:
    """Pairs by their places, with how alike they are."""
    import numpy as np
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import cdist

    if len(those) < 2:
        return []
    letters: dict[str, str] = {}
    numbers = (number for number in count(1) if not 0xD800 <= number < 0xE000)  # surrogates are no letters

    def spelt(parts: Iterable[Statement]) -> str:
        return "".join(letters.setdefault(token, chr(next(numbers))) if token not in letters else letters[token]
                       for part in parts for token in part.tokens)  # fmt: skip

    ways = ([spelt(parts) for parts in those], [spelt(sorted(parts, key=lambda each: each.text)) for parts in those])
    options = {"scorer": Indel.normalized_similarity, "score_cutoff": ALIKE, "dtype": np.float32}
    best = np.maximum(*(cdist(way, way, **options) for way in ways))
    rows, columns = np.nonzero(np.triu(best, 1) >= ALIKE)
    return [(int(row), int(column), float(best[row, column])) for row, column in zip(rows, columns, strict=True)]
