"""Which properties fail most, and which fail in the same submissions.

`chance` is how many would fail both if the two had nothing to do with each other: the product of both shares.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from .gathering import Submission

MOST = 15  # properties that are told


@dataclass(frozen=True)
class Together:
    """Another property: how many fail both, and how many would by chance."""

    exercise: str
    sentence: str
    both: int
    chance: float


@dataclass(frozen=True)
class Property:
    """One that fails: how many of those that were tried. `same` and `other` are its nearest, by exercise."""

    exercise: str
    name: str
    sentence: str
    hidden: bool
    failed: int
    tried: int
    same: Together | None = None
    other: Together | None = None


def failing(submissions: Iterable[Submission]) -> list[Property]:
    """Those that fail somewhere, the most frequent first."""
    tried, failed, about = _counted(submissions)
    ranked = sorted(failed, key=lambda key: (-len(failed[key]), key))[:MOST]
    pairs = _pairs(tried, failed)
    return [
        Property(
            *key,
            *about[key],
            len(failed[key]),
            len(tried[key]),
            _nearest(key, pairs, about, lambda other, key=key: other[0] == key[0]),
            _nearest(key, pairs, about, lambda other, key=key: other[0] != key[0]),
        )
        for key in ranked
    ]


def _counted(submissions: Iterable[Submission]) -> tuple[dict, dict, dict]:
    """By exercise and name: who was tried, who failed, and what there is to say of it."""
    tried, failed, about = {}, {}, {}
    for one in submissions:
        for answer in one.answers.values():
            for result in answer.results:
                key = answer.exercise, result.name
                if result.outcome in ("held", "failed"):
                    tried.setdefault(key, set()).add(one.student)
                    about[key] = result.sentence, result.hidden
                if result.outcome == "failed":
                    failed.setdefault(key, set()).add(one.student)
    return tried, failed, about


def _pairs(tried: dict, failed: dict) -> dict[tuple, tuple[int, float]]:
    """For two properties that fail together twice or more, and more often than by chance: how often, and by chance."""
    found = {}
    for one, other in combinations(failed, 2):
        both, known = len(failed[one] & failed[other]), tried[one] & tried[other]
        if both < 2:
            continue
        chance = len(failed[one] & known) * len(failed[other] & known) / len(known)
        if both > chance:
            found[one, other] = found[other, one] = both, chance
    return found


def _nearest(key: tuple, pairs: dict, about: dict, fits) -> Together | None:
    """The other property whose failing together is furthest above chance."""
    near = [(both - chance, other) for (one, other), (both, chance) in pairs.items() if one == key and fits(other)]
    if not near:
        return None
    _, other = max(near)
    return Together(other[0], about[other][0], *pairs[key, other])
