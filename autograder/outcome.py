"""What became of a submission: one status, one line of reason, and each exercise's points.

An engine is any function `(course, unit, student) -> Outcome`. It writes marks into nbgrader's gradebook and the
run notebook into autograded/; everything else (order, workers, limits, records, tables) is done around it, so that
another engine takes the place of `autograder.engine.grade_one` without a change elsewhere.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field

from autograder.course import Course

GRADED, REPAIRED = "graded", "graded with repairs"
TIMED_OUT, CRASHED, UNREADABLE, MISSING = "timed out", "crashed", "unreadable", "missing"
STATUSES = (GRADED, REPAIRED, TIMED_OUT, CRASHED, UNREADABLE, MISSING)


@dataclass(frozen=True)
class Exercise:
    """Points of one graded cell. `earned` is None where a person has to mark; `why` is what was lost first."""

    name: str
    points: float
    earned: float | None
    why: str = ""


@dataclass(frozen=True)
class Outcome:
    """The record of one submission; `key` is the hash of everything its marks depend on."""

    student: str
    status: str
    reason: str = ""
    exercises: list[Exercise] = field(default_factory=list)
    repairs: list[str] = field(default_factory=list)
    seconds: float = 0.0
    key: str = ""

    def to_dict(self) -> dict:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict) -> "Outcome":
        return cls(**{**data, "exercises": [Exercise(**exercise) for exercise in data["exercises"]]})


Engine = Callable[[Course, str, str], Outcome]
