"""What is known of each submission of a unit: its mark, its time, each answer's code and what its checks found.

From the gradebook, the unit's record, and under autograded/ the notebooks with the `.grading.json` beside them. Nothing
is written.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property

from nbgrader import api
from sqlalchemy import select

from autograder.course import Assignment, Trouble
from autograder.judging.rubric import code_cells, grade_id_of, source_of
from autograder.outcome import Outcome
from autograder.receiving import class_list
from autograder.recording import gradebook, ledger
from autograder.recording.gradebook import Mark
from autograder.releasing.source import read_source
from autograder.returning.digest import Titles
from autograder.words import CHECK

MOST_CODE = 20_000  # characters of an answer that are looked at and shown


@dataclass(frozen=True)
class Result:
    """What one property found. `came`: where it looked, what it expected and what it got."""

    name: str
    sentence: str
    outcome: str
    hidden: bool
    message: str
    expected: str
    got: str
    place: str


@dataclass(frozen=True)
class Answer:
    """One student's to one exercise; `results` are empty where nothing was tried. `mend_first` names another one."""

    exercise: str
    source: str
    points: float
    earned: float | None
    why: str
    results: tuple[Result, ...] = ()
    mend_first: str = ""

    @cached_property
    def failed(self) -> tuple[Result, ...]:
        return tuple(one for one in self.results if one.outcome == "failed")


@dataclass(frozen=True)
class Submission:
    """One student's. `mark` is None where the gradebook has none; `time` is in UTC, None where nobody knows."""

    student: str
    name: str
    outcome: Outcome
    mark: Mark | None
    time: datetime | None
    late: bool = False  # extensions taken off
    answers: dict[str, Answer] = field(default_factory=dict)


@dataclass(frozen=True)
class Gathered:
    """A unit's. `points` of each graded cell by its bare name, in order; `given` is code that everybody has."""

    unit: str
    title: str
    titles: dict[str, str]
    points: dict[str, float]
    due: datetime | None
    submissions: list[Submission]
    on_list: int
    given: tuple[str, ...]


def gather(assignment: Assignment, progress: Callable[[int, int], None] = lambda done, total: None) -> Gathered:
    """All submissions of a unit, by student. Raises Trouble where nothing is graded."""
    outcomes = ledger.read(assignment)
    if not outcomes:
        unit = assignment.name
        raise Trouble(f"Nothing is graded in {unit} yet: run `autograder grade {unit}` first.")
    points = {name.removesuffix(CHECK): most for name, most in gradebook.most_points(assignment).items()}
    marks, names = gradebook.marks(assignment), gradebook.full_names(assignment.course)
    times, due, more = _times(assignment)
    solved, titles = _notebook(assignment.solved), Titles(assignment)
    order = [name for cell in solved["cells"] if (name := (grade_id_of(cell) or "").removesuffix(CHECK)) in points]
    points = {name: points[name] for name in dict.fromkeys([*order, *points])}
    found = []
    for done, (student, outcome) in enumerate(sorted(outcomes.items()), 1):
        answers = _answers(assignment, student, outcome)
        mark, time = marks.get(student), times.get(student)
        late = bool(time and due) and time > due + more.get(student, timedelta())
        found.append(Submission(student, names.get(student, ""), outcome, mark, time, late, answers))
        progress(done, len(outcomes))
    return Gathered(
        assignment.name,
        titles.unit,
        _shown(titles.titles, points),
        points,
        due,
        found,
        len(class_list.kept(assignment.course)),
        _given(solved, _notebook(assignment.released), _reference(assignment)),
    )


def _answers(assignment: Assignment, student: str, outcome: Outcome) -> dict[str, Answer]:
    """By exercise. A file that cannot be read has none; that is told elsewhere."""
    path = assignment.autograded(student)
    cells = {grade_id_of(cell): source_of(cell) for cell in code_cells(_notebook(path)) if grade_id_of(cell)}
    reports = {
        report["exercise"]: report for report in _notebook(path.with_suffix(".grading.json"), {}).get("reports", [])
    }
    found = {}
    for each in outcome.exercises:
        source, report = cells.get(each.name, "")[:MOST_CODE], reports.get(each.name, {})
        results = tuple(_result(check) for check in report.get("checks", ()))
        found[each.name] = Answer(
            each.name, source, each.points, each.earned, each.why, results, report.get("mend_first") or ""
        )
    return found


def _result(check: dict) -> Result:
    place = f"{check.get('what', '')}{' at ' * bool(check.get('where'))}{check.get('where', '')}"
    said = (str(check.get(name) or "") for name in ("message", "expected", "got"))
    return Result(check["name"], check["sentence"], check["outcome"], bool(check["hidden"]), *said, place)


def _notebook(path, otherwise: dict | None = None) -> dict:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {"cells": []} if otherwise is None else otherwise


def _times(assignment: Assignment) -> tuple[dict[str, datetime], datetime | None, dict[str, timedelta]]:
    """When each was handed in, the due date, and who has an extension; nbgrader keeps times in UTC without saying so.

    What class.toml says of the last two counts, whether the gradebook has it yet or not.
    """
    handed_in, unit = api.SubmittedAssignment, api.Assignment
    with gradebook.gradebook(assignment.course) as book:
        rows = select(handed_in.student_id, handed_in.timestamp, handed_in.extension)
        rows = rows.join(unit, unit.id == handed_in.assignment_id).where(unit.name == assignment.name)
        found = book.db.execute(rows).tuples().all()
        due = book.db.execute(select(unit.duedate).where(unit.name == assignment.name)).scalar()
    said = assignment.course.class_file
    due = said.due.get(assignment.name) or (due and due.replace(tzinfo=UTC))
    more = {student: extension for student, _, extension in found if extension}
    more = more if said.extensions is None else said.extensions.get(assignment.name, {})
    return {student: time.replace(tzinfo=UTC) for student, time, _ in found if time}, due, more


def _reference(assignment: Assignment) -> list[str]:
    """The source's own answers, without nbgrader's markers."""
    return [
        re.sub(r"^.*### (BEGIN|END) SOLUTION.*$", "", cell.source, flags=re.MULTILINE)
        for cell in read_source(assignment).cells
        if cell.cell_type == "code"
    ]


def _given(solved: dict, released: dict, reference: list[str]) -> tuple[str, ...]:
    """All code that nobody needs to copy from anybody: the release's and the solution's."""
    return (*(source_of(cell) for notebook in (solved, released) for cell in code_cells(notebook)), *reference)


def _shown(titles: dict[str, str], points: dict[str, float]) -> dict[str, str]:
    """A heading for each exercise; its name where two would have the same."""
    found = {name: titles.get(name) or titles.get(f"{name}{CHECK}") or name for name in points}
    return {name: title if list(found.values()).count(title) == 1 else name for name, title in found.items()}
