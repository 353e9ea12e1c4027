"""The judge: notebooks in, judgements out. One warm worker, used again and again.

    with Judge() as judge:
        judgement = judge.grade(notebook, rubric)

Scores are computed here from the checks' results and from nothing that a submission says. What is left out on
purpose: reading files, repairing notebooks and keeping records are other modules' work.
"""

import dataclasses
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unrolled.checking import Report, table
from unrolled.checking.notebook import MIME
from unrolled.checking.registry import SEED_VARIABLE

from autograder.course import Trouble
from autograder.judging import jail
from autograder.judging.boundary.session import CRASHED, OUT_OF_MEMORY, TIMED_OUT, Session
from autograder.judging.jail.limits import Limits
from autograder.words import CHECK, one_line

from .asserts import failure, scored
from .rubric import Rubric, grade_id_of
from .sitting import Sitting
from .warm.worker import Worker
from .withheld import withheld

GRADED, UNREADABLE = "graded", "unreadable"
STATUSES = (GRADED, TIMED_OUT, CRASHED, OUT_OF_MEMORY, UNREADABLE)


@dataclass(frozen=True)
class Judgement:
    """What became of a submission. `outputs` has the new outputs of each cell that was run, by its index."""

    status: str
    note: str = ""
    reports: tuple[Report, ...] = ()
    outputs: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    seconds: float = 0.0
    layers: tuple[str, ...] = ()

    @property
    def earned(self) -> float:
        return sum(report.earned for report in self.reports)


class Judge:
    """Grades with one warm worker. `require_jail` refuses to go on where a layer of the jail is missing."""

    def __init__(
        self,
        limits: Limits | None = None,
        require_jail: bool = False,
        preload: Iterable[str] = (),
        data: Iterable[str | Path] = (),
        bubblewrapped: bool | None = None,
    ):
        self._limits, self._require = limits or Limits(), require_jail
        self._worker = Worker(preload, data, bubblewrapped)

    def __enter__(self) -> "Judge":
        return self

    def __exit__(self, *error: object) -> None:
        self._worker.close()

    def describe(self) -> str:
        """One line on the jail, found by entering it. Raises JailMissing if a whole one is required."""
        session = self._fork(self._limits, lambda session, handle: None)
        session.end()
        return jail.describe(session.layers)

    def grade(self, notebook: dict[str, Any], rubric: Rubric, seed: int = 0) -> Judgement:
        """Judge one submission. Raises WorkerFailed or JailMissing, and nothing that a submission can cause."""
        begin = time.monotonic()
        rubric.import_hidden_checks()
        if problem := _unfit(notebook):
            return Judgement(UNREADABLE, problem)
        os.environ[SEED_VARIABLE] = str(seed)
        sitting = Sitting(notebook, rubric, self._limits, self._fork)
        reports = tuple(_blamed(report, rubric) for report in sitting.judge())
        outputs = sitting.outputs | _tables(notebook, rubric, reports) | _scored(notebook, rubric, sitting.outputs)
        first = sitting.mishaps[0] if sitting.mishaps else None
        status, note = (first.status, first.reason) if first else (GRADED, "")
        return Judgement(status, note, reports, outputs, time.monotonic() - begin, sitting.layers)

    def learn(self, source: dict[str, Any], rubric: Rubric, seed: int = 0) -> Rubric:
        """The rubric with the checks that hold on its reference, found by grading `source`, the solved notebook.

        Raises Trouble for a cell of assertions that the source's own answers do not pass: nobody's would.
        """
        judgement = self.grade(source, dataclasses.replace(rubric, sound={}), seed)
        _refuse_unsound(source, rubric, judgement)
        sound = {
            report.exercise: frozenset(check.name for check in report.checks if check.outcome == "held")
            for report in judgement.reports
        }
        return dataclasses.replace(rubric, sound=sound)

    def _fork(self, *arguments: Any) -> Session:
        session = self._worker.fork(*arguments)
        if self._require and jail.missing(session.layers):
            session.end()
            jail.demand(session.layers)
        return session


def _unfit(notebook: Any) -> str:
    """Why this is no notebook that can be run, or nothing."""
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        return "it holds no list of cells"
    for cell in cells:
        source = cell.get("source", "")
        lines = source if isinstance(source, list) else [source]
        if not all(isinstance(line, str) for line in lines) or not isinstance(cell.get("metadata", {}), dict):
            return "a cell has no source or no metadata of the right kind"
    return ""


def _blamed(report: Report, rubric: Rubric) -> Report:
    """A check that holds on the reference and breaks on an answer was broken by the answer, and costs points."""
    for result in report.checks:
        if result.outcome == "fault" and result.name in rubric.sound.get(report.exercise, ()):
            result.outcome = "failed"
            result.message = "What your code returned, or asked of a function it was given, could not be worked with."
    return report


def _tables(notebook: dict[str, Any], rubric: Rubric, reports: Iterable[Report]) -> dict[int, list[dict[str, Any]]]:
    """What each check cell shows: the report's table, and the points earned as nbgrader reads them."""
    by_check = {report.exercise + CHECK: report for report in reports}
    return {
        index: _table(by_check[grade_id_of(cell)])
        for index, cell in enumerate(notebook["cells"])
        if grade_id_of(cell) in by_check and cell.get("cell_type") == "code"
    }


def _scored(notebook: dict[str, Any], rubric: Rubric, outputs: dict[int, list]) -> dict[int, list[dict[str, Any]]]:
    """What each cell of assertions shows, with its points as nbgrader reads them."""
    points = {each.name: each.points for each in rubric.asserts}
    return {
        index: scored(outputs.get(index), points[grade_id_of(cell)])
        for index, cell in enumerate(notebook["cells"])
        if grade_id_of(cell) in points
    }


def _refuse_unsound(source: dict[str, Any], rubric: Rubric, judgement: Judgement) -> None:
    points = {each.name: each.points for each in rubric.asserts}
    for index, cell in enumerate(source["cells"]):
        name = grade_id_of(cell)
        if name in points and (why := failure(judgement.outputs[index], points[name])):
            told = f"The cell {name} of {rubric.name} fails on the source's own answer: {one_line(why, 150)}"
            raise Trouble(f"{told}. Mend the cell or the answer; then release and grade again.")


def _table(report: Report) -> list[dict[str, Any]]:
    data = withheld(report.to_dict())
    shown = {"text/html": table.to_html(data), "text/plain": table.text(data), MIME: data}
    points = {"text/plain": repr(float(report.earned))}
    return [
        {"output_type": "display_data", "data": shown, "metadata": {}},
        {"output_type": "execute_result", "data": points, "metadata": {}, "execution_count": None},
    ]
