"""What each student has in each unit, as it is written into other programs.

A mark is a number only when it is final: with nothing handed in, and while points wait for a person, the place stays
empty, since a 0 there would be a mark. Penalties for lateness are off.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from autograder.course import Assignment, Course
from autograder.receiving import class_list
from autograder.receiving.class_list import Student
from autograder.recording import gradebook
from autograder.recording.gradebook import Mark
from autograder.recording.marks import renew_penalties
from autograder.words import CHECK, amount


@dataclass(frozen=True)
class Standing:
    """A student in one unit. `mark` is None for whom nothing was graded; `exercises` are points, None while open."""

    mark: Mark | None = None
    exercises: dict[str, float | None] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The mark with two decimals at most, or nothing."""
        return "" if self.mark is None or self.mark.open else amount(self.mark.counted)

    def exercise(self, name: str) -> str:
        """The points of an exercise, or nothing."""
        points = self.exercises.get(name)
        return "" if points is None else amount(points)


@dataclass(frozen=True)
class Column:
    """A unit's: its most points, its exercises with theirs, and everybody's standing by id."""

    unit: str
    most: float
    exercises: dict[str, float]
    standings: dict[str, Standing]


def people(course: Course) -> dict[str, Student]:
    """The class list, and whoever the gradebook knows besides, by id."""
    known = {name: Student(name, *_parts(full)) for name, full in gradebook.full_names(course).items()}
    return known | class_list.kept(course)


def column(assignment: Assignment) -> Column:
    """One unit's. Penalties follow a due date that was changed after grading."""
    most = gradebook.most_points(assignment)
    renew_penalties(assignment, gradebook.marks(assignment))
    marks, automatic = gradebook.marks(assignment), gradebook.automatic(assignment)
    standings = {name: Standing(mark, _exercises(mark, automatic.get(name, {}), most)) for name, mark in marks.items()}
    return Column(
        assignment.name, sum(most.values()), {_bare(name): points for name, points in most.items()}, standings
    )


def _exercises(mark: Mark, automatic: dict[str, float], most: Iterable[str]) -> dict[str, float | None]:
    """Points by exercise: a person's where there are some, the machine's else; None while a person must look."""
    found: dict[str, float | None] = {}
    for name in most:
        given = mark.given.get(name)
        if name in mark.waiting:
            found[_bare(name)] = None
        else:
            found[_bare(name)] = given[0] if given else automatic.get(name, 0.0)
    return found


def _bare(name: str) -> str:
    return name.removesuffix(CHECK)


def _parts(full: str) -> tuple[str, str]:
    first, _, last = full.rpartition(" ")
    return first, last
