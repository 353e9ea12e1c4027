"""The plain run: nbgrader's own `Autograde`, one submission a call, so that nothing stops a batch.

It serves the test that our own way gives the same marks, and whoever has no jail.

Every way a submission can end is turned into a status. What no code of the student's can prevent is done first: old
scores are cleared, so a mark is only ever what this run earned. There are no walls: student code shares a process
with the checks.
"""

import json
import os
import shutil
import time
from copy import deepcopy

import nbformat
from nbgrader.converters import Autograde
from nbgrader.nbgraderformat import SchemaTooNewError, SchemaTooOldError, ValidationError

from autograder.course import Assignment
from autograder.judging.cells import errors, exercises, where
from autograder.judging.plain.preprocessors import ExecuteForMarks
from autograder.judging.settings import JudgeInJail
from autograder.outcome import CRASHED, GRADED, MISSING, REPAIRED, TIMED_OUT, UNREADABLE, Outcome
from autograder.quiet import nbgrader_quiet
from autograder.receiving.repair import Unrecognisable, recognise
from autograder.receiving.submission import RECORD, is_none, there_is_none
from autograder.recording.gradebook import clear_scores
from autograder.words import first_line

UNREADABLE_KINDS = (SchemaTooOldError, SchemaTooNewError, ValidationError)


def grade_one(assignment: Assignment, student: str) -> Outcome:
    """Grades one submission into gradebook and autograded/; never raises for anything a student wrote."""
    started = time.monotonic()
    clear_scores(assignment, student)
    shutil.rmtree(assignment.folder("autograded", student), ignore_errors=True)
    status, reason = _unfit(assignment, student) or _autograde(assignment, student)
    seconds = round(time.monotonic() - started, 1)
    if status:
        return Outcome(student, status, reason, seconds=seconds)
    return _outcome(assignment, student, seconds)


def _unfit(assignment: Assignment, student: str) -> tuple[str, str] | None:
    """Why nbgrader need not try: no file of the right name, no notebook in it, or not this unit's."""
    path = assignment.submitted(student) / f"{assignment.notebook}.ipynb"
    if not path.is_file():
        others = ", ".join(sorted(other.name for other in path.parent.glob("*"))[:5])
        return MISSING, there_is_none(path.name, f"the folder holds {others}" if others else "the folder is empty")
    try:
        json.loads(path.read_text(encoding="utf-8"))  # its errors name the line, nbformat's do not
        recognise(nbformat.read(path, as_version=4), _released(assignment))
    except Unrecognisable as error:
        return UNREADABLE, str(error)
    except Exception as error:  # a torn file can break the reader in any way
        return UNREADABLE, is_none(path.name, first_line(error))
    return None


def _autograde(assignment: Assignment, student: str) -> tuple[str, str]:
    """Runs nbgrader; ("", "") if it came through."""
    config, directory = assignment.course.config, assignment.nbgrader_directory(student)
    os.environ.setdefault("UNROLLED_SCALE", "smoke")
    os.environ.update(OMP_NUM_THREADS="1", MPLBACKEND="agg")
    with nbgrader_quiet() as errors:
        try:
            Autograde(coursedir=directory, config=_in_process(config), force=True).start()
        except Exception as error:
            cause = (errors or [error])[0]
            status = UNREADABLE if isinstance(cause, UNREADABLE_KINDS) else CRASHED
            return status, f"nbgrader gave up: {type(cause).__name__}: {first_line(cause)}"
    return "", ""


def _in_process(config):
    """The course's settings, with checks that run beside the student's code."""
    config = deepcopy(config)
    steps = config.Autograde.autograde_preprocessors
    config.Autograde.autograde_preprocessors = [ExecuteForMarks if step is JudgeInJail else step for step in steps]
    return config


def _outcome(assignment: Assignment, student: str, seconds: float) -> Outcome:
    """Reads the status, the points and their reasons from the notebook that was run."""
    notebook = nbformat.read(assignment.autograded(student), as_version=4)
    repairs = list(notebook.metadata.get(RECORD, {}).get("repairs", []))
    status, reason = _how_it_ended(notebook, repairs)
    return Outcome(student, status, reason, exercises(notebook), repairs, seconds)


def _how_it_ended(notebook, repairs: list[str]) -> tuple[str, str]:
    stops = {error.ename: f"{error.evalue}: {where(cell)}" for cell in notebook.cells[::-1] for error in errors(cell)}
    if "DeadKernelError" in stops:
        return CRASHED, stops["DeadKernelError"]
    if "CellTimeoutError" in stops:
        return TIMED_OUT, stops["CellTimeoutError"]
    if repairs:
        return REPAIRED, "; ".join(repairs)
    return GRADED, ""


def _released(assignment: Assignment):
    return nbformat.read(assignment.released, as_version=4)
