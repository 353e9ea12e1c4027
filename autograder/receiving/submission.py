"""From a student's folder to a notebook that can be graded, or to the status and the reason why there is none."""

from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import nbformat

from autograder.course import Assignment
from autograder.outcome import MISSING, UNREADABLE
from autograder.receiving.handed_in import handed_in
from autograder.receiving.repair import (
    AnotherUnit,
    Missing,
    NotANotebook,
    Unreadable,
    mend_parsed,
    mend_submission,
    repair,
)
from autograder.releasing import history
from autograder.releasing.source import grade_id
from autograder.words import first_line

RECORD = "unrolled"  # the key in a notebook's metadata under which repairs and status are recorded


class NotGradable(Exception):
    """There is nothing to run: `status` is "missing" or "unreadable", the text is the reason."""

    def __init__(self, status: str, reason: str):
        super().__init__(reason)
        self.status = status


@dataclass(frozen=True)
class Submission:
    """A mended notebook (nbformat 4.5), what was mended, and when it was handed in (UTC, without a time zone).

    `lost` names the exercises whose answers went with the damaged part of a torn file. `earlier` says what the teacher
    changed after the unit was handed out, which is no repair.
    """

    notebook: nbformat.NotebookNode
    repairs: list[str] = field(default_factory=list)
    handed_in: datetime | None = None
    lost: list[str] = field(default_factory=list)
    earlier: str = ""


def read(assignment: Assignment, student: str, released, source) -> Submission:
    """Finds and mends what a student handed in. Raises NotGradable, whatever the folder holds."""
    folder, name = assignment.submitted(student), f"{assignment.notebook}.ipynb"
    try:
        found, mended = mend_submission(folder, assignment.name, released, source)
    except Missing as error:
        raise NotGradable(MISSING, there_is_none(name, str(error))) from None
    except NotANotebook as error:
        raise NotGradable(UNREADABLE, is_none(name, str(error))) from None
    except AnotherUnit as error:
        raise NotGradable(UNREADABLE, is_another_units(assignment, error)) from None
    except Unreadable as error:
        raise NotGradable(UNREADABLE, str(error)) from None
    except Exception as error:  # a file can be broken in ways that nobody has thought of
        raise NotGradable(UNREADABLE, f"it cannot be mended ({type(error).__name__}): {first_line(error)}") from None
    notebook = nbformat.from_dict(mended.notebook)
    repairs, told = mended.repairs, ""
    older = _handed_out(
        assignment, repairs, lambda older: mend_submission(folder, assignment.name, older, older)[1].repairs
    )
    if older:
        repairs, told = older.repairs, _since(older.release, released)
    _blank_again(notebook, assignment, released)
    tell(notebook, repairs)
    return Submission(notebook, repairs, in_utc(found.handed_in), mended.lost, told)


def there_is_none(name: str, reason: str) -> str:
    """For the student: what is wrong, what to do, and then what was found."""
    return f"There is no {name}; please hand it in ({reason.removeprefix(f'no {name}; ')})"


def is_none(name: str, reason: str) -> str:
    """The same for a file that is no notebook."""
    return f"This is not a Jupyter notebook; please hand in {name} again ({reason.removeprefix('not a notebook: ')})"


def is_another_units(assignment: Assignment, error: AnotherUnit) -> str:
    """The same for a notebook of another unit: which one it looks like."""
    shared = {each.name: len(error.names & _grade_ids(each)) for each in assignment.course.assignments()}
    likely = max(shared, key=shared.get, default=None)
    kind = f"the notebook of {likely}" if likely and shared[likely] else "no notebook of this unit"
    return f"This looks like {kind}; please hand in {assignment.notebook}.ipynb ({error})"


def _grade_ids(assignment: Assignment) -> set[str]:
    """The grade ids of what was released; none where nothing was."""
    if not assignment.released.is_file():
        return set()
    cells = nbformat.read(assignment.released, as_version=4).cells
    return {grade_id(cell) for cell in cells} - {None}


def time_of(assignment: Assignment, student: str) -> datetime | None:
    """When a submission was handed in that cannot be graded."""
    return in_utc(handed_in(assignment.submitted(student))[0])


def mend(notebook, released, assignment: Assignment) -> list[str]:
    """Repairs, in place, a notebook that nbgrader has read, and tells it in the notebook. Returns what was done."""
    before = deepcopy(notebook)
    notes = repair(notebook, released)
    older = _handed_out(assignment, notes, lambda older: mend_parsed(before, older, older).repairs)
    notes = older.repairs if older else notes
    _blank_again(notebook, assignment, released)
    tell(notebook, notes)
    return notes


@dataclass(frozen=True)
class HandedOut:
    """An earlier release that a submission was made from, and what is to be mended in it, held against that."""

    release: dict[str, Any]
    repairs: list[str]


def _handed_out(assignment: Assignment, repairs: list[str], held_against: Callable) -> HandedOut | None:
    """The earlier release that leaves fewest repairs, if it leaves fewer than the present one."""
    found = None
    for older in history.earlier(assignment) if repairs else ():
        with suppress(Exception):  # the present release counts; an older one is a help
            notes = held_against(older)
            if len(notes) < len(found.repairs if found else repairs):
                found = HandedOut(older, notes)
    return found


def _since(older, released) -> str:
    which = history.differences(older, released)
    return "handed out before this release" + (f", which changed {which}" if which else "")


def _blank_again(notebook, assignment: Assignment, released) -> None:
    """An answer that says what was released earlier is as blank as one that says what is released now."""
    older = history.earlier(assignment)
    blank = {grade_id(cell): cell.source for cell in released.cells if older and grade_id(cell)}
    before = {(name, _bare(cell["source"])) for each in older for name, cell in history.graded(each).items()}
    for cell in notebook.cells:
        name = grade_id(cell)
        if name in blank and (name, _bare(cell.source)) in before:
            cell.source = blank[name]


def _bare(source: str | list[str]) -> str:
    return "".join("".join(source).split())


def tell(notebook, notes: list[str]) -> None:
    """Writes repairs into the notebook's metadata and, for people, into a cell at its top."""
    notebook.metadata[RECORD] = {"repairs": notes}
    if notes:
        lines = ["**This notebook was mended before it was graded.**", "", *(f"- {note}." for note in notes)]
        notice = nbformat.v4.new_markdown_cell("\n".join(lines))
        notice.id = "repairs"
        notebook.cells.insert(0, notice)


def in_utc(time: datetime | None) -> datetime | None:
    """As nbgrader's gradebook keeps times."""
    return time and time.astimezone(UTC).replace(tzinfo=None)
