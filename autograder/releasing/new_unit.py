"""What a new unit may be called: `04_tagging`, and its exercises with their points, as the command line says them.

All of it becomes names of files, modules, functions and cells, so it is refused here, in one line, before anything is
written.
"""

import builtins
import keyword
import re
from contextlib import suppress
from dataclasses import dataclass

from autograder.course import Course, Trouble
from autograder.releasing.check_call import refuse_points
from autograder.releasing.slips import Slip
from autograder.releasing.source import open_source

UNIT = re.compile(r"[0-9]{2}_[a-z][a-z0-9_]*")
EXERCISE = re.compile(r"[a-z][a-z0-9_]*")
LONGEST = 24  # characters: a check's name begins with its exercise's, and lines have an end
OF_THE_EXAMPLE = {  # names that the example's notebook and answers have at their top; a test holds it to them
    *("setup", "torch", "figures", "check", "ready", "pick", "remembered", "accumulate"),
    *("h", "number", "steps", "impulse", "fading", "keep", "left", "count", "apart", "figure", "ax"),
}


@dataclass(frozen=True)
class NewExercise:
    name: str
    points: float


@dataclass(frozen=True)
class NewUnit:
    """`name` is 04_tagging; the exercises are in the notebook's order."""

    name: str
    exercises: tuple[NewExercise, ...]

    @property
    def number(self) -> int:
        return int(self.name[:2])

    @property
    def word(self) -> str:
        return self.name[3:]

    @property
    def title(self) -> str:
        return self.word.replace("_", " ")


def named(course: Course, name: str, exercises: list[str]) -> NewUnit:
    """The unit that these words ask for. Raises Trouble for the first of them that will not do."""
    if not UNIT.fullmatch(name):
        raise Trouble(f"{name!r} is no unit's name: two digits and a word in small letters, as in 04_tagging.")
    if not exercises:
        raise Trouble(f"{name} needs an exercise: name each with its points, as in --exercise viterbi:3.")
    unit, taken = NewUnit(name, tuple(map(_exercise, exercises))), _taken(course)
    _refuse_word(unit.word, "a unit", taken)
    for other in course.assignments():
        if other.name[:2] == name[:2]:
            raise Trouble(f"the number of {name} is taken by {other.name}: give the unit another.")
    _refuse_exercises([exercise.name for exercise in unit.exercises], taken | {unit.word: "the unit itself"})
    return unit


def _exercise(text: str) -> NewExercise:
    name, _, said = text.partition(":")
    try:
        points = float(said)
        refuse_points(name, points)
    except ValueError:
        raise Trouble(f"{text!r} is no exercise: say its name and its points, as in --exercise viterbi:3.") from None
    except Slip as slip:
        raise Trouble(f"{text!r} will not do: {slip}.") from None
    return NewExercise(name, int(points) if points.is_integer() else points)


def _refuse_exercises(names: list[str], taken: dict[str, str]) -> None:
    for place, name in enumerate(names):
        if not EXERCISE.fullmatch(name):
            raise Trouble(f"{name!r} is no exercise's name: small letters, digits and underscores, a letter first.")
        _refuse_word(name, "an exercise", taken)
        if name in OF_THE_EXAMPLE or hasattr(builtins, name):
            raise Trouble(f"{name} means something else in a notebook: give the exercise another name.")
        if name in names[:place]:
            raise Trouble(f"{name} is named twice: an exercise has one check cell and one number of points.")


def _refuse_word(word: str, what: str, taken: dict[str, str]) -> None:
    if keyword.iskeyword(word):
        raise Trouble(f"{word} is a word of Python's own: {what} needs another name.")
    if len(word) > LONGEST:
        raise Trouble(f"{word} is too long a name for {what}: {LONGEST} characters at most.")
    if word in taken:
        raise Trouble(f"{word} is {taken[word]} already: a name means one thing in the whole course.")


def _taken(course: Course) -> dict[str, str]:
    """Names of other units and of their exercises, and whose each is."""
    taken = {}
    for other in course.assignments():
        taken[other.notebook] = f"the unit {other.name}"
        with suppress(Trouble):  # a source that is no notebook yet
            told = open_source(other).told
            taken |= {each.name: f"an exercise of {other.name}" for each in told if each.kind == "exercise"}
    return taken
