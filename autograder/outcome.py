"""What became of a submission: one status, one line of reason, and each exercise's points.

`judging.grader` judges a submission in the jail and gives a `Judged`, which `recording.recorder` writes down. The other
way is a `PlainRun`, any function `(assignment, student) -> Outcome` that writes by itself, as
`judging.plain.nbgrader_run.grade_one` does by way of nbgrader's own `autograde`.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import datetime

from autograder.course import Assignment

GRADED, REPAIRED = "graded", "graded with repairs"
TIMED_OUT, CRASHED, OUT_OF_MEMORY = "timed out", "crashed", "out of memory"
UNREADABLE, MISSING = "unreadable", "missing"
STATUSES = (GRADED, REPAIRED, TIMED_OUT, CRASHED, OUT_OF_MEMORY, UNREADABLE, MISSING)
NEVER = "the grader's own fault"  # as a key it equals no hash, so the submission is graded again next time


@dataclass(frozen=True)
class Exercise:
    """Points of one graded cell. `earned` is None where a person has to mark; `why` is what was lost first."""

    name: str
    points: float
    earned: float | None
    why: str = ""


@dataclass(frozen=True)
class Given:
    """Points that a person gave one graded cell, and for which answer: see `recording.by_hand`.

    `answer` and `code` are hashes, empty where nobody knows any more; `automatic` is the score beside it at that time.
    `earlier` says that another answer stands there by now.
    """

    name: str
    points: float
    answer: str
    code: str
    automatic: float | None
    earlier: bool = False


@dataclass(frozen=True)
class Outcome:
    """The record of one submission; `key` is the hash of everything its marks depend on.

    `repairs` are of what the student's file had lost; `earlier` is what the teacher changed since it was handed out.
    """

    student: str
    status: str
    reason: str = ""
    exercises: list[Exercise] = field(default_factory=list)
    repairs: list[str] = field(default_factory=list)
    seconds: float = 0.0
    key: str = ""
    by_hand: list[Given] = field(default_factory=list)
    earlier: str = ""

    def to_dict(self) -> dict:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict) -> "Outcome":
        exercises, by_hand = data["exercises"], data.get("by_hand", [])
        read = {"exercises": [Exercise(**each) for each in exercises], "by_hand": [Given(**each) for each in by_hand]}
        return cls(**data | read)


@dataclass(frozen=True)
class Judged:
    """A judged submission before it is written down: plain data, which passes from a worker to the one writer.

    `scores` has a number for each graded cell, or None where a person marks. `comments` is what nbgrader remarks on an
    answer by itself ("No response.") or None. Where there is no `notebook`, every automatic score is zero.
    `layers` are those of the jail that held; None if none was needed.
    """

    outcome: Outcome
    notebook: bytes = b""
    reports: list[dict] = field(default_factory=list)
    scores: dict[str, float | None] = field(default_factory=dict)
    comments: dict[str, str | None] = field(default_factory=dict)
    timestamp: datetime | None = None
    layers: tuple[str, ...] | None = None


def failure(student: str, reason: str) -> Judged:
    """Nothing could be found out, by the grader's own fault: no marks for now, and another try the next time."""
    told = f"the grader could not go on: {' '.join(reason.split())[:200]}"
    return Judged(Outcome(student, CRASHED, told, key=NEVER))


def ended(student: str) -> Judged:
    """It ended the process that judged it, and another one again when it was alone: that is how it ends, for good."""
    told = "it ended the process that graded it, twice: look at what it returns, prints or raises"
    return Judged(Outcome(student, CRASHED, told))


PlainRun = Callable[[Assignment, str], Outcome]
