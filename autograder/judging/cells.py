"""Graded cells: putting them back as they were released; reading points and reasons from them once they were run."""

from collections.abc import Collection
from dataclasses import replace

from nbgrader.utils import compute_checksum, determine_grade, is_grade, is_locked, is_solution
from unrolled.checking import table

from autograder.outcome import Exercise
from autograder.releasing.source import grade_id
from autograder.words import CHECK, DID_NOT_RUN, one_line

REPORT = "application/vnd.unrolled.report+json"  # what a check cell shows besides its table
LONG = 500  # characters of a reason: a property's sentence, and what came
LOST = "lost with the damaged part of the file"
# Errors that speak of the run, not of the answer.
OURS = ("CellTimeoutError", "DeadKernelError", "NotRun", "TookTooLong", "Ended", "Unreadable")


def restore(notebook, released) -> None:
    """Makes the cells that nbgrader knows what the release says, as nbgrader's OverwriteCells and ClearOutput do.

    Kind and metadata come from the release for all of them, the source for the locked ones. A cell with a grade id
    that the release lacks becomes a plain one. Expects every graded cell of the release, once (see `repair`).
    """
    known = {grade_id(cell): cell for cell in released.cells if grade_id(cell)}
    for cell in notebook.cells:
        original = known.get(grade_id(cell))
        if original is None:
            cell.metadata.pop("nbgrader", None)
        else:
            _restore_cell(cell, original)
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    notebook.metadata["kernelspec"] = dict(released.metadata.kernelspec)


def _restore_cell(cell, original) -> None:
    cell.metadata["nbgrader"] = original.metadata["nbgrader"].copy()
    if is_locked(original):
        cell.source = original.source
    if cell.cell_type != original.cell_type:
        cell.cell_type = original.cell_type
        for key in () if cell.cell_type == "code" else ("outputs", "execution_count"):
            cell.pop(key, None)


def exercise(cell) -> Exercise:
    """Points of a graded cell as nbgrader counts them, and why some were lost."""
    earned, points = determine_grade(cell)
    name = cell.metadata["nbgrader"]["grade_id"].removesuffix(CHECK)
    why = "" if earned is None or earned >= points else one_line(_why(cell), LONG)
    return Exercise(name, points, earned, why)


def exercises(notebook, lost: Collection[str] = ()) -> list[Exercise]:
    """Of all graded cells; `lost` names those whose answer went with the damaged part of a file."""
    all_of_them = [exercise(cell) for cell in notebook.cells if is_grade(cell)]
    return [replace(each, why=LOST) if each.why and each.name in lost else each for each in all_of_them]


def scores(notebook) -> dict[str, float | None]:
    """By grade id; None where a person marks."""
    return {grade_id(cell): determine_grade(cell)[0] for cell in notebook.cells if is_grade(cell)}


def comments(notebook) -> dict[str, str | None]:
    """What nbgrader remarks by itself on each answer."""
    return {
        grade_id(cell): "No response." if is_untouched(cell) else None for cell in notebook.cells if is_solution(cell)
    }


def is_untouched(cell) -> bool:
    """Whether an answer is still as it was released, by nbgrader's checksum."""
    return cell.metadata["nbgrader"].get("checksum") == compute_checksum(cell)


def errors(cell) -> list:
    return [output for output in cell.get("outputs", []) if output.output_type == "error"]


def where(cell) -> str:
    """How a reader finds the cell: its grade id, or how it begins."""
    return grade_id(cell) or f"the cell “{(cell.source.strip().splitlines() or [''])[0][:50]}”"


def _why(cell) -> str:
    """Another exercise to mend first; the first property that did not hold; or the error that stopped the cell."""
    for output in cell.get("outputs", []):
        report = output.get("data", {}).get(REPORT, {})
        if report.get("mend_first"):
            return table.elsewhere(report).removesuffix(".")
        for check in report.get("checks", []):
            if check["outcome"] not in ("held", "fault"):
                return check["outcome"] if check["outcome"] == "not started" else _why_failed(check)
    for error in errors(cell):
        if error.ename == "NotImplementedError" and error.evalue.startswith("not started"):
            return "not started"
        line = error.evalue if error.ename in OURS else f"{error.ename}: {error.evalue}".rstrip(": ")
        return (line.splitlines() or [error.ename])[0]
    return "no answer" if cell.cell_type == "markdown" else "the check gave fewer points"


def _why_failed(check: dict) -> str:
    """The error that kept the answer from being defined, or the limit that was met; else the property and what came."""
    _, undefined, error = check["message"].partition(DID_NOT_RUN)
    _, interrupted, limit = check["message"].partition("the call was interrupted: ")
    if undefined or interrupted:
        return f"{error} (its cell did not run)" if undefined else limit
    came = check["message"]
    if check.get("expected"):
        place = f"{check['what']}: " if check.get("what") else ""
        came = f"{place}expected {_short(check['expected'])}, got {_short(check['got'])}"
    return f"{check['sentence']} ({_short(came, 120)})" if came else check["sentence"]


def _short(text: str, most: int = 40) -> str:
    return one_line(str(text), most)
