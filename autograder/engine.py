"""The engine for now: nbgrader's own `Autograde`, one submission a call, so that nothing stops a batch.

Every way a submission can end is turned into a status. What no code of the student's can prevent is done first: old
scores are cleared, so a mark is only ever what this run earned. There are no walls: student code shares a process
with the checks.
"""

import json
import os
import shutil
import time

import nbformat
from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory
from nbgrader.nbgraderformat import SchemaTooNewError, SchemaTooOldError, ValidationError
from nbgrader.utils import determine_grade, is_grade

from autograder.course import Course, first_line, nbgrader_quiet, notebook_name
from autograder.gradebook import clear_scores
from autograder.outcome import CRASHED, GRADED, MISSING, REPAIRED, TIMED_OUT, UNREADABLE, Exercise, Outcome
from autograder.preprocessors import RECORD
from autograder.repair import Unrecognisable, recognise

REPORT = "application/vnd.unrolled.report+json"  # what a check cell shows besides its table
UNREADABLE_KINDS = (SchemaTooOldError, SchemaTooNewError, ValidationError)


def grade_one(course: Course, unit: str, student: str) -> Outcome:
    """Grades one submission into gradebook and autograded/; never raises for anything a student wrote."""
    started = time.monotonic()
    clear_scores(course, unit, student)
    shutil.rmtree(course.path("autograded", unit, student), ignore_errors=True)
    status, reason = _unfit(course, unit, student) or _autograde(course, unit, student)
    seconds = round(time.monotonic() - started, 1)
    if status:
        return Outcome(student, status, reason, seconds=seconds)
    return _outcome(course, unit, student, seconds)


def _unfit(course: Course, unit: str, student: str) -> tuple[str, str] | None:
    """Why nbgrader need not try: no file of the right name, no notebook in it, or not this unit's."""
    path = course.path("submitted", unit, student) / f"{notebook_name(unit)}.ipynb"
    if not path.is_file():
        others = ", ".join(sorted(other.name for other in path.parent.glob("*"))[:5])
        return MISSING, f"no {path.name}" + (f"; the folder holds {others}" if others else "; the folder is empty")
    try:
        json.loads(path.read_text(encoding="utf-8"))  # its errors name the line, nbformat's do not
        recognise(nbformat.read(path, as_version=4), _released(course, unit))
    except Unrecognisable as error:
        return UNREADABLE, str(error)
    except Exception as error:  # a torn file can break the reader in any way
        return UNREADABLE, f"not a notebook: {first_line(error)}"
    return None


def _autograde(course: Course, unit: str, student: str) -> tuple[str, str]:
    """Runs nbgrader; ("", "") if it came through."""
    directory = CourseDirectory(config=course.config)
    directory.assignment_id, directory.student_id = unit, student
    os.environ.setdefault("UNROLLED_SCALE", "smoke")
    os.environ.update(OMP_NUM_THREADS="1", MPLBACKEND="agg")
    with nbgrader_quiet() as errors:
        try:
            Autograde(coursedir=directory, config=course.config, force=True).start()
        except Exception as error:
            cause = (errors or [error])[0]
            status = UNREADABLE if isinstance(cause, UNREADABLE_KINDS) else CRASHED
            return status, f"nbgrader gave up: {type(cause).__name__}: {first_line(cause)}"
    return "", ""


def _outcome(course: Course, unit: str, student: str, seconds: float) -> Outcome:
    """Reads the status, the points and their reasons from the notebook that was run."""
    path = course.path("autograded", unit, student) / f"{notebook_name(unit)}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    repairs = list(notebook.metadata.get(RECORD, {}).get("repairs", []))
    status, reason = _how_it_ended(notebook, repairs)
    exercises = [_exercise(cell) for cell in notebook.cells if is_grade(cell)]
    return Outcome(student, status, reason, exercises, repairs, seconds)


def _how_it_ended(notebook, repairs: list[str]) -> tuple[str, str]:
    stops = {error.ename: f"{error.evalue}: {_where(cell)}" for cell in notebook.cells[::-1] for error in _errors(cell)}
    if "DeadKernelError" in stops:
        return CRASHED, stops["DeadKernelError"]
    if "CellTimeoutError" in stops:
        return TIMED_OUT, stops["CellTimeoutError"]
    if repairs:
        return REPAIRED, "; ".join(repairs)
    return GRADED, ""


def _exercise(cell) -> Exercise:
    meta = cell.metadata["nbgrader"]
    earned, points = determine_grade(cell)
    name = meta["grade_id"].removesuffix("-check")
    why = "" if earned is None or earned >= points else _why(cell)
    return Exercise(name, points, earned, why)


def _why(cell) -> str:
    """The first property that did not hold, or the error that stopped the cell."""
    for output in cell.get("outputs", []):
        for check in output.get("data", {}).get(REPORT, {}).get("checks", []):
            if check["outcome"] not in ("held", "fault"):
                return "not started" if check["outcome"] == "not started" else check["sentence"]
    for error in _errors(cell):
        ours = error.ename in ("CellTimeoutError", "DeadKernelError", "NotRun")
        return error.evalue if ours else f"{error.ename}: {error.evalue}".rstrip(": ").splitlines()[0]
    return "no answer" if cell.cell_type == "markdown" else "the check gave fewer points"


def _errors(cell) -> list:
    return [output for output in cell.get("outputs", []) if output.output_type == "error"]


def _where(cell) -> str:
    name = cell.metadata.get("nbgrader", {}).get("grade_id")
    return name if name else f"the cell “{cell.source.strip().splitlines()[0][:50]}”"


def _released(course: Course, unit: str):
    return nbformat.read(course.path("release", unit) / f"{notebook_name(unit)}.ipynb", as_version=4)
