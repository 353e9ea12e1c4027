"""What a person marks in a unit: its questions with their rubrics, and everybody's answers to one of them.

The rubric is what the source says between BEGIN SOLUTION and END SOLUTION, which students never get. The answers are
read from the notebooks in autograded/, and so are those that the recorded marks are about.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from autograder.course import Assignment, Trouble
from autograder.judging.rubric import grade_id_of, source_of
from autograder.recording import marking
from autograder.recording.gradebook import most_points
from autograder.recording.marking import Place
from autograder.releasing.source import read_source
from autograder.returning.digest import Titles
from autograder.words import CHECK

PART = re.compile(
    r"^[ \t]*### BEGIN (SOLUTION|MARK SCHEME)[^\n]*\n(.*?)^[ \t]*### END \1", re.MULTILINE | re.DOTALL | re.IGNORECASE
)
WHOLE, HALF = 1.0, 0.5


@dataclass(frozen=True)
class Question:
    """A graded cell that concerns a person. `asks` and `rubric` are cells; points come in multiples of `step`."""

    name: str
    title: str
    most: float
    step: float
    asks: tuple[dict, ...]
    rubric: dict | None
    places: tuple[Place, ...]

    @property
    def marked(self) -> int:
        return sum(not place.waits for place in self.places)


@dataclass(frozen=True)
class Answer:
    """A student's answer, and where its points stand; `cell` is None where no notebook can be read."""

    place: Place
    cell: dict | None

    @property
    def digest(self) -> str:
        """A hash of what the student wrote, with the pictures in it."""
        return digest_of(self.cell)

    @property
    def version(self) -> str:
        return self.place.version(self.digest)


def questions(assignment: Assignment) -> list[Question]:
    """Those of a unit, in its order; cells that the machine marks only where a person gave points, or has to."""
    cells, titles = _source(assignment)
    most = most_points(assignment) | {grade_id_of(cell): _points(cell) for cell in cells if _about(cell).get("task")}
    by_name: dict[str, list[Place]] = {name: [] for name in most}
    for place in marking.places(assignment):
        if place.concerns_a_person and place.name in by_name:
            by_name[place.name].append(place)
    written = {grade_id_of(cell) for cell in cells if _is_written(cell)}
    return [
        _question(name, titles, most[name], cells, tuple(found))
        for name, found in by_name.items()
        if found or name in written
    ]


def question(assignment: Assignment, name: str) -> Question:
    """The one of that name. Raises Trouble."""
    found = questions(assignment)
    for each in found:
        if each.name == name:
            return each
    names = ", ".join(each.name for each in found)
    raise Trouble(f"{assignment.name} has no question {name!r}; those that a person marks: {names or 'none'}.")


def answers(assignment: Assignment, asked: Question, seed: str = "") -> list[Answer]:
    """Everybody's, in an order that tells nothing of whose they are, the same for the same seed."""
    key = f"{assignment.course.secret}/{assignment.name}/{asked.name}/{seed}".encode()
    order = sorted(asked.places, key=lambda place: hmac.digest(key, place.student.encode(), "sha256"))
    return [answer(assignment, place) for place in order]


def answer(assignment: Assignment, place: Place) -> Answer:
    """What the student wrote there."""
    path = assignment.autograded(place.student)
    try:
        about = path.stat()
        cells = _graded_cells(path, about.st_mtime_ns, about.st_size, about.st_ino)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Answer(place, None)
    return Answer(place, cells.get(place.name.removesuffix(CHECK)) or cells.get(place.name))


@lru_cache(maxsize=2048)
def _graded_cells(path: Path, *version: int) -> dict[str, dict]:
    cells = json.loads(path.read_bytes())["cells"]
    return {name: cell for cell in cells if (name := grade_id_of(cell))}


def digest_of(cell: dict | None) -> str:
    seen = json.dumps([source_of(cell), cell.get("attachments")], sort_keys=True) if cell else ""
    return hashlib.sha256(seen.encode()).hexdigest()[:16]


# --- what the source says ---------------------------------------------------------------------------------------------


def _source(assignment: Assignment) -> tuple[list[dict], dict[str, str]]:
    """The source's cells and the headings above them, or the solved notebook's cells where a class has no sources."""
    if assignment.source.is_file():
        about = assignment.source.stat()
        return _read(assignment, about.st_mtime_ns, about.st_size)
    try:
        return json.loads(assignment.solved.read_bytes())["cells"], {}
    except (OSError, ValueError, KeyError):
        return [], {}


@lru_cache(maxsize=16)
def _read(assignment: Assignment, *version: int) -> tuple[list[dict], dict[str, str]]:
    return read_source(assignment).cells, Titles(assignment).titles


def _about(cell: dict) -> dict:
    return cell["metadata"].get("nbgrader") or {}


def _points(cell: dict) -> float:
    return float(_about(cell).get("points") or 0)


def _is_written(cell: dict) -> bool:
    about = _about(cell)
    return bool(about.get("task") or (about.get("grade") and about.get("solution")))


def _question(name: str, titles: dict, most: float, cells: list[dict], places: tuple[Place, ...]) -> Question:
    at = _place(cells, name)
    title = _title(name, titles)
    if at is None:
        return Question(name, title, most, _step(None, most), (), None, places)
    cell = cells[at]
    return Question(name, title, most, _step(cell, most), tuple(_asked(cells, at)), _rubric(cell), places)


def _title(name: str, titles: dict[str, str]) -> str:
    """The heading above, told apart from that of another cell below it."""
    title = titles.get(name) or titles.get(name.removesuffix(CHECK)) or name
    if len({other.removesuffix(CHECK) for other, its in titles.items() if its == title}) < 2:
        return title
    return "Written question" if name == "written-question" else f"{title}: {name}"


def _place(cells: list[dict], name: str) -> int | None:
    """Of the cell that answers: the exercise's, where a check gives the points."""
    for wanted in (name.removesuffix(CHECK), name):
        for at, cell in enumerate(cells):
            if grade_id_of(cell) == wanted:
                return at
    return None


def _step(cell: dict | None, most: float) -> float:
    """Whole points, or what the question's cell says: `"step": 0.5`."""
    said = cell["metadata"].get("step") if cell else None
    return float(said) if said else WHOLE if most.is_integer() else HALF


def _rubric(cell: dict) -> dict:
    """What the source keeps back of the cell: all of it where nothing is marked, as in nbgrader."""
    parts = [part[2] for part in PART.finditer(source_of(cell))]
    return {**cell, "source": "\n".join(parts) if parts else source_of(cell), "outputs": []}


def _asked(cells: list[dict], at: int) -> Iterable[dict]:
    """The text above, and what the cell itself asks before its answer begins."""
    above = cells[at - 1] if at else None
    if above and above["cell_type"] == "markdown" and not grade_id_of(above):
        yield above
    own = PART.split(source_of(cells[at]))[0] if PART.search(source_of(cells[at])) else ""
    if own.strip() and cells[at]["cell_type"] == "markdown":
        yield {**cells[at], "source": own}
