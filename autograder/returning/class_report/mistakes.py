"""What wrong answers have in common: grouped by the first property that does not hold, and by what came instead.

Many checks draw other inputs for each submission, so that no two values are equal. Where what was expected differs
within a property, numbers in what came are left out of the comparison; where it is a case by hand, all of it counts.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from autograder.words import one_line

from .gathering import Answer, Result, Submission

MOST = 6  # groups of an exercise that are told
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


@dataclass(frozen=True)
class Group:
    """Answers that are wrong alike: `came` says how, in one of them, whose code is `example`."""

    exercise: str
    sentence: str
    hidden: bool
    came: str
    students: list[str]
    example: str
    source: str


def grouped(submissions: Iterable[Submission]) -> dict[str, list[Group]]:
    """By exercise, the largest groups first. Not in them: what was not begun, and what could not be tried."""
    found: dict[str, dict[str, list[tuple[str, Answer, Result]]]] = {}
    for one in submissions:
        for answer in one.answers.values():
            if answer.failed:
                first = answer.failed[0]
                found.setdefault(answer.exercise, {}).setdefault(first.name, []).append((one.student, answer, first))
    return {exercise: _groups(by_property.values()) for exercise, by_property in found.items()}


def came(result: Result) -> str:
    """What there is to say of a property that does not hold, in one line."""
    if not result.expected:
        return one_line(result.message, 200)
    place = f"{result.place}: " if result.place else ""
    return one_line(f"{place}expected {result.expected}, got {result.got}", 240)


def _groups(properties: Iterable[list]) -> list[Group]:
    groups: list[Group] = []
    for those in properties:
        fixed = len({(first.place, first.expected) for _, _, first in those}) == 1
        alike: dict[str, list] = {}
        for each in those:
            alike.setdefault(_likeness(each[2], fixed), []).append(each)
        groups += [_group(members) for members in alike.values()]
    return sorted(groups, key=lambda group: (-len(group.students), group.sentence, group.example))


def _likeness(result: Result, fixed: bool) -> str:
    text = result.got or result.message
    return text if fixed else NUMBER.sub("#", text)


def _group(members: list) -> Group:
    """The shortest answer is the example: what is wrong with it is soonest seen."""
    student, answer, first = min(members, key=lambda each: (len(each[1].source), each[0]))
    return Group(
        answer.exercise,
        first.sentence,
        first.hidden,
        came(first),
        sorted(name for name, _, _ in members),
        student,
        answer.source,
    )
