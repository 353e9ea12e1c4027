"""Mends what editors break in a submitted notebook, by stated rules, and says what it mended.

The release is the measure: a cell belongs to the exercise that its grade id names, the release's order and source
decide. Rules so far:

- of several cells with one grade id the last in order counts; the others stay, as plain cells;
- a last answer that stands below its own check moves up to where the first copy stands, since the check would
  not see it there;
- a deleted check, or a deleted answer, comes back as it was released;
- saved widget state goes (running the notebook writes it anew, and half a state breaks nbgrader's feedback).

Left out on purpose, until the grading engine of our own: encodings, torn files, stripped or forged metadata.
"""

from copy import deepcopy

from autograder.source import grade_id


class Unrecognisable(Exception):
    """A notebook in which no cell carries the id of an exercise."""


def repair(notebook, released) -> list[str]:
    """Mends `notebook` in place against the `released` one; returns one sentence for each repair."""
    recognise(notebook, released)
    wanted = [grade_id(cell) for cell in released.cells if grade_id(cell)]
    notes = _keep_last_copies(notebook, wanted) + _bring_back_missing(notebook, released)
    notebook.metadata.pop("widgets", None)
    return notes


def recognise(notebook, released) -> None:
    """Raises Unrecognisable unless some cell of `notebook` carries a grade id of the release."""
    wanted = {grade_id(cell) for cell in released.cells} - {None}
    if not any(grade_id(cell) in wanted for cell in notebook.cells):
        raise Unrecognisable("no cell carries the id of an exercise: was it made from the released notebook?")


def _keep_last_copies(notebook, wanted: list[str]) -> list[str]:
    notes = []
    for name in wanted:
        copies = [cell for cell in notebook.cells if grade_id(cell) == name]
        if len(copies) < 2:
            continue
        for cell in copies[:-1]:
            del cell.metadata["nbgrader"]
        notes.append(f"{len(copies)} cells were called {name}; the last one counts")
        if _stands_below_its_check(notebook, copies[-1]):
            _move_after(notebook, copies[-1], copies[0])
            notes.append(f"the last {name} stood below its check; it was moved above it")
    return notes


def _stands_below_its_check(notebook, cell) -> bool:
    check = _index(notebook, lambda other: grade_id(other) == f"{grade_id(cell)}-check")
    return check is not None and check < _index(notebook, lambda other: other is cell)


def _move_after(notebook, cell, earlier) -> None:
    del notebook.cells[_index(notebook, lambda other: other is cell)]
    notebook.cells.insert(_index(notebook, lambda other: other is earlier) + 1, cell)


def _bring_back_missing(notebook, released) -> list[str]:
    """Puts each graded cell that is gone behind the graded cell that precedes it in the release."""
    notes, previous = [], None
    for cell in released.cells:
        name = grade_id(cell)
        if not name:
            continue
        if _index(notebook, lambda other, name=name: grade_id(other) == name) is None:
            before = _index(notebook, lambda other, name=previous: grade_id(other) == name) if previous else None
            notebook.cells.insert(0 if before is None else before + 1, deepcopy(cell))
            notes.append(f"{name} was missing and was put back as released")
        previous = name
    return notes


def _index(notebook, matches) -> int | None:
    return next((index for index, cell in enumerate(notebook.cells) if matches(cell)), None)
