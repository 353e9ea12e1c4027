"""A worker's whole job: one submission in, one judged submission out. Reads the course's folders and writes nothing.

A worker process (see `pool`) keeps one `Grader`, with a warm jail behind it, and gives it one submission after another.
Everything that can be known of a submission is worked out here, so that the one writer only writes.
"""

import json
import os
import threading
import time
import warnings
from dataclasses import replace
from multiprocessing.util import Finalize

import nbformat
import torch
from nbgrader.preprocessors import LimitOutput
from unrolled.checking.registry import checks_of

from autograder.course import Trouble
from autograder.judging import cells, traces
from autograder.judging.asserts import Asserts, is_plain
from autograder.judging.jail import JailMissing, launch
from autograder.judging.judge import GRADED, Judge, Judgement
from autograder.judging.place import NoChecks, Place, ended_after
from autograder.judging.rubric import Rubric
from autograder.judging.seeds import seed_of
from autograder.judging.warm.worker import WorkerFailed
from autograder.outcome import CRASHED, REPAIRED, UNREADABLE, Judged, Outcome, failure
from autograder.receiving import submission
from autograder.recording.ledger import graders_key
from autograder.words import first_line, one_line

MOST_NOTED = 500  # characters of a reason, which may quote an error
SPARE_SECONDS = 120  # for the grader's own work on a submission, beyond all that is the submission's to spend


class Grader:
    """Judges a unit's submissions. Raises Trouble where none of them could be judged rightly."""

    def __init__(self, place: Place):
        self._assignment = assignment = place.assignment
        if graders_key(assignment) != place.graders:
            raise Trouble("A worker sees another source, other checks or other settings: give all of them one course.")
        self._released = nbformat.read(assignment.released, as_version=4)
        self._texts = [cell.source for cell in self._released.cells if cell.cell_type == "code"]
        self._source = source = nbformat.read(assignment.solved, as_version=4)
        rubric = _with_checks(Rubric.of(source, assignment.notebook), source)
        self._hard_limit = place.limits.notebook_seconds + SPARE_SECONDS
        self._limit = LimitOutput(config=assignment.course.config)
        self._judge = Judge(place.limits, place.require_jail, rubric.preload, launch.data_folders())
        Finalize(self, self._judge.__exit__, exitpriority=10)
        try:
            self._rubric = self._judge.learn(source, rubric)
        except (JailMissing, WorkerFailed) as error:
            raise Trouble(str(error)) from error

    def close(self) -> None:
        self._judge.__exit__()

    def judge_submission(self, student: str) -> Judged:
        """Reads, mends, runs and judges one submission, whatever it is."""
        begin, here = time.monotonic(), (self._assignment, student)
        try:
            handed_in = submission.read(*here, self._released, self._source)
            notebook = _restored(handed_in.notebook, self._released)
            judgement = self.judge(notebook)
            if judgement.status == UNREADABLE:
                raise submission.NotGradable(UNREADABLE, judgement.note)
        except submission.NotGradable as error:
            return Judged(Outcome(student, error.status, str(error)), timestamp=submission.time_of(*here))
        status, reason = _told(judgement, notebook, handed_in.repairs)
        exercises = cells.exercises(notebook, handed_in.lost)
        if judgement.status != GRADED and not any(each.why for each in exercises):
            reason += "; nothing was lost by it"
        reason = "; ".join(filter(None, [reason, *traces.told(traces.traces(notebook, self._texts))]))
        seconds = round(time.monotonic() - begin, 3)
        return Judged(
            Outcome(student, status, reason, exercises, handed_in.repairs, seconds, earlier=handed_in.earlier),
            _to_bytes(notebook),
            [report.to_dict() for report in judgement.reports],
            cells.scores(notebook),
            cells.comments(notebook),
            handed_in.handed_in,
            judgement.layers,
        )

    def judge(self, notebook) -> Judgement:
        """Runs a mended notebook in the jail and puts the new outputs into it; None of its cells is trusted."""
        seed = seed_of(notebook, self._assignment.course.secret)
        with ended_after(self._hard_limit):
            judgement = self._judge.grade(notebook, self._rubric, seed)
        for index, outputs in judgement.outputs.items():
            cell = notebook.cells[index]
            cell.outputs = [nbformat.from_dict(output) for output in outputs]
            self._limit.preprocess_cell(cell, {}, index)
        return judgement


# --- a worker process ------------------------------------------------------------------------------------------------

_graders: dict[Place, Grader] = {}
_one_at_a_time = threading.Lock()  # a Dask worker has several threads; checks and their seeds belong to the process


def judge_submission(place: Place, student: str) -> Judged:
    """What a pool runs. Raises Trouble for what would befall every submission."""
    with _one_at_a_time:
        grader = _grader(place)
        try:
            return grader.judge_submission(student)
        except WorkerFailed as error:
            return failure(student, str(error))
        except MemoryError:
            return Judged(Outcome(student, CRASHED, "what it returns, prints or shows is too much for the grader"))


def judge_notebook(place: Place, text: str) -> str:
    """The same for nbgrader's preprocessor: a mended notebook as JSON, which comes back with new outputs."""
    with _one_at_a_time:
        grader, notebook = _grader(place), nbformat.reads(text, as_version=4)
        judgement = grader.judge(notebook)
        status, reason = _told(judgement, notebook, notebook.metadata.get(submission.RECORD, {}).get("repairs", []))
        notebook.metadata[submission.RECORD] |= {"status": status, "reason": reason}
        return _to_bytes(notebook).decode()


def _grader(place: Place) -> Grader:
    if place not in _graders:
        if any(replace(place, graders=other.graders) == other for other in _graders):
            raise Trouble("The checks or settings were changed while this worker ran: start the workers anew.")
        while _graders:
            _graders.popitem()[1].close()
        torch.set_num_threads(1)
        warnings.simplefilter("ignore")  # what a library thinks of a student's file is told by our own status
        os.environ.setdefault("UNROLLED_SCALE", "smoke")
        _graders[place] = Grader(place)
    return _graders[place]


# --- details ---------------------------------------------------------------------------------------------------------


def _with_checks(rubric: Rubric, source) -> Rubric:
    """The unit with its cells of assertions, if a declared check serves each of its other graded code cells."""
    rubric.import_hidden_checks()
    plain = []
    for cell in source.cells:
        about = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "code" and about.get("grade") and not about.get("solution") and is_plain(cell.source):
            plain.append(Asserts(about["grade_id"], float(about["points"]), cell.source))
    names = {each.name for each in plain}
    declared = tuple(exercise for exercise in rubric.exercises if exercise.check not in names)
    for exercise in declared:
        try:
            checks_of(exercise.name)
        except LookupError:
            raise NoChecks(_no_checks(rubric.name, exercise.check)) from None
    return replace(rubric, exercises=declared, asserts=tuple(plain))


def _no_checks(unit: str, cell: str) -> str:
    return (
        f"Nothing in unrolled.checks or autograder.hidden declares checks for the cell {cell} of {unit}: "
        "write them, or grade without walls with --engine nbgrader."
    )


def _restored(notebook, released):
    """With the graded cells as they were released; hostile metadata can break this in any way."""
    try:
        cells.restore(notebook, released)
    except Exception as error:
        raise submission.NotGradable(UNREADABLE, f"it cannot be mended: {first_line(error)}") from error
    return notebook


def _told(judgement: Judgement, notebook, notes: list[str]) -> tuple[str, str]:
    """Status and reason: trouble first, then repairs."""
    if judgement.status != GRADED:
        place = _where(judgement, notebook)
        return judgement.status, one_line(f"{judgement.note}: {place}" if place else judgement.note, MOST_NOTED)
    return (REPAIRED, "; ".join(notes)) if notes else (GRADED, "")


def _where(judgement: Judgement, notebook) -> str:
    """The cell or the exercise that first met with the trouble."""
    for index, outputs in sorted(judgement.outputs.items()):
        if any(judgement.note and judgement.note in output.get("evalue", "") for output in outputs):
            return cells.where(notebook.cells[index])
    for report in judgement.reports:
        if any(judgement.note in check.message for check in report.checks):
            return report.exercise
    return ""


def _to_bytes(notebook) -> bytes:
    """A notebook as JSON, a cell a line: an indented one takes twenty times as long."""
    rest = {key: value for key, value in notebook.items() if key != "cells"}
    lines = ",\n".join(json.dumps(cell, ensure_ascii=False) for cell in notebook.cells)
    return f'{{"cells": [\n{lines}\n],\n{json.dumps(rest)[1:]}\n'.encode("utf-8", "replace")
