"""One mark: what the page asks for, looked at, and written if nobody else was faster."""

import math
from dataclasses import dataclass

from autograder.course import Assignment, Trouble
from autograder.marking.questions import Answer, Question, answer
from autograder.recording import marking
from autograder.words import amount

LONGEST = 20_000  # characters of a comment


class Refused(Trouble):
    """The page asked for what cannot be."""


class Overtaken(Exception):
    """Another mark, or another answer, stands there than the page had; `answer` is what."""

    def __init__(self, found: Answer):
        super().__init__("overtaken")
        self.answer = found


@dataclass(frozen=True)
class Wish:
    """What a mark is to be, and the `version` that the page has seen.

    `waits`: the points stay those of an earlier answer. `restores`: it was so before, though no key gives such points.
    """

    version: str
    points: float | None
    comment: str
    restores: bool = False
    waits: bool = False

    @classmethod
    def of(cls, body: object, asked: Question) -> "Wish":
        """From a request. Raises Refused."""
        if not isinstance(body, dict):
            raise Refused("A mark is an object with version, points and comment.")
        version, points, comment = (body.get(name) for name in ("version", "points", "comment"))
        restores, waits = body.get("restores") is True, body.get("waits") is True
        if not isinstance(version, str) or not isinstance(comment, str) or len(comment) > LONGEST:
            raise Refused(f"A comment is text of at most {LONGEST} characters.")
        if points is not None:
            points = _points(points, asked, restores)
        return cls(version, points, comment.strip(), restores, waits and points is not None)


def _points(points: object, asked: Question, restores: bool) -> float:
    if isinstance(points, bool) or not isinstance(points, int | float) or not math.isfinite(points):
        raise Refused("Points are a number.")
    if restores:
        return float(points)
    if not 0 <= points <= asked.most or not (points / asked.step).is_integer():
        raise Refused(f"Points go from 0 to {amount(asked.most)} in steps of {amount(asked.step)}.")
    return float(points)


def give(assignment: Assignment, asked: Question, its: str, wish: Wish) -> Answer:
    """Gives it to the answer of this id; returns what stands there now. Raises Overtaken, Refused and Trouble."""
    with marking.writing(assignment):
        found = [place for place in marking.places(assignment, its) if place.name == asked.name]
        if not found:
            raise Refused("There is no such answer any more: load the page again.")
        seen = answer(assignment, found[0])
        if seen.version != wish.version:
            raise Overtaken(seen)
        try:
            now = marking.give(assignment, seen.place, wish.points, wish.comment, wish.waits)
        except marking.Changed as changed:
            raise Overtaken(answer(assignment, changed.place)) from None
    return answer(assignment, now)
