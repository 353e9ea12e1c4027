"""Finds what lies under submitted/ in a place where grading never looks, and says where it belongs.

A submission counts in `submitted/STUDENT/UNIT/`. Anything else would be passed over without a word, and a student would
have no mark. Left out on purpose: nothing is moved. A name near a unit's may be that unit's or somebody's notes, and a
person decides that.
"""

import zipfile
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

from autograder.course import Assignment
from autograder.receiving.files import SKIPPED
from autograder.recording import gradebook
from autograder.words import one_line, word_of

MOST = 20  # lines; whoever has more misplaced files has one cause for all of them
GLOB = set("*?[")  # what nbgrader's formgrader, which looks for files by patterns, takes for one
NEAR = 0.6  # difflib's measure: 1 is the same name


def strays(assignment: Assignment, student: str | None = None) -> list[str]:
    """One line for each misplaced file or folder; a file without a unit is taken to be meant for this one."""
    top, units = assignment.submitted("x").parents[1], _units(assignment)
    lines = [
        f"{_shown(path, top)}{line}"
        for place in _entries(top)
        if student in (None, place.name)
        for path, line in _in_place(place, assignment.name, units)
    ]
    if set(str(top)) & GLOB:
        what = f"has one of {' '.join(sorted(GLOB))} in its path"
        lines.insert(0, f"{top.parent} {what}: formgrader counts no submissions there.")
    left = len(lines) - MOST
    return [*lines[:MOST], f"… and {left} more."] if left > 0 else lines


def _in_place(place: Path, unit: str, units: list[str]) -> Iterator[tuple[Path, str]]:
    """What is wrong with one entry of submitted/."""
    if not place.is_dir():
        if (count := _notebooks_in(place)) > 1:
            home = f"{place.parent.name}/STUDENT/{unit}/"
            yield place, f" holds {count} notebooks, perhaps a whole class's: unpack it and put each into {home}"
        elif _may_be_submission(place):
            yield place, f" lies in no student's folder: put it into {_home(place, unit)}/"
        return
    if place.name in units:
        right = f"{place.parent.name}/STUDENT/{place.name}"
        yield place, f" is called like a unit, not like a student: put its files into {right}/"
        return
    for path in _entries(place):
        if path.is_dir() and path.name not in units:
            near = _meant(path.name, units)
            yield path, ": there is no unit of that name" + (f"; is {near} meant?" if near else ".")
        elif not path.is_dir() and _may_be_submission(path):
            right = f"{place.parent.name}/{_name(place)}/{unit}"
            yield path, f" lies in no unit's folder: put it into {right}/"


def _units(assignment: Assignment) -> list[str]:
    """Everything a folder may be called: our units, and whatever else the gradebook knows as an assignment."""
    course = assignment.course
    with gradebook.gradebook(course) as book:
        return sorted({each.name for each in (assignment, *course.assignments(), *book.assignments)})


def _meant(name: str, units: list[str]) -> str | None:
    """The unit that a wrong name may stand for: by number, by word, or by its letters."""
    low = name.casefold().replace(" ", "_").replace("-", "_")
    for unit in units:
        number, _, word = unit.casefold().partition("_")
        if low in (unit.casefold(), word, number, number.lstrip("0") or "0"):
            return unit
    words = {word_of(unit).casefold(): unit for unit in units} | {unit.casefold(): unit for unit in units}
    return next((words[near] for near in get_close_matches(low, words, 1, NEAR)), None)


def _home(path: Path, unit: str) -> str:
    """Where a loose notebook may belong: its name may be its student's, but not if it is the unit's."""
    stem = _name(path).split(".")[0].strip()
    student = "STUDENT" if stem.casefold() in ("", word_of(unit), unit) else stem
    return f"{path.parent.name}/{student}/{unit}"


def _may_be_submission(path: Path) -> bool:
    return ".ipynb" in path.name.casefold() or path.suffix.casefold() == ".zip"


def _notebooks_in(path: Path) -> int:
    """How many notebooks an archive holds; 0 of what is none."""
    if path.suffix.casefold() != ".zip":
        return 0
    try:
        with zipfile.ZipFile(path) as archive:
            return sum(name.casefold().endswith(".ipynb") for name in archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError):
        return 0


def _entries(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if not path.name.startswith(".") and path.name not in SKIPPED)


def _shown(path: Path, top: Path) -> str:
    return f"{top.name}/{'/'.join(_name(Path(part)) for part in path.relative_to(top).parts)}"


def _name(path: Path) -> str:
    """A name that can be printed, whatever bytes it has."""
    return one_line(path.name.encode("utf-8", "replace").decode(), 120)
