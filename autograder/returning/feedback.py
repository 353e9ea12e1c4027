"""Writes each student's feedback page with nbgrader's `generate_feedback`, and looks at what it wrote.

A page must show every check's table, and no line of a hidden check, and asks no other server for anything. A submission
that could not be graded gets a page too, which says why; nbgrader alone would leave those students without a word.
"""

import html
import json
import os
import sys
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from autograder.course import Assignment, Trouble
from autograder.outcome import Outcome
from autograder.quiet import nbgrader_quiet
from autograder.recording import ledger
from autograder.releasing.leaks import bare, hidden_code, leaked, text_in
from autograder.returning import formulas
from autograder.returning import waiting as waits
from autograder.returning.head import Head
from autograder.words import first_line

TABLE = 'class="unrolled-check"'
REPORT = "application/vnd.unrolled.report+json"


@dataclass(frozen=True)
class Page:
    """One feedback page: where it is, how many tables it shows, whether it is of a graded notebook, what waits."""

    student: str
    path: Path
    tables: int
    graded: bool = True
    waiting: waits.Waiting = field(default_factory=dict)


def feedback(assignment: Assignment, student: str | None = None) -> list[Page]:
    """Writes the pages of a unit's graded submissions; returns them by student."""
    outcomes = ledger.read(assignment)
    if student is not None:
        outcomes = {name: outcome for name, outcome in outcomes.items() if name == student}
    if not outcomes:
        whose = f" of {student}" if student else ""
        unit = assignment.name
        raise Trouble(f"Nothing{whose} is graded in {unit} yet: run `autograder grade {unit}` first.")
    if not formulas.can_set(formulas.MATHJAX):
        print(formulas.MISSING, file=sys.stderr)
    known: dict = {}  # most formulas are the unit's, the same on every page
    open_ones, head = waits.waiting(assignment), Head(assignment)
    return [_page(assignment, outcomes[name], head, known, open_ones.get(name, {})) for name in sorted(outcomes)]


def outdated(assignment: Assignment, student: str | None = None) -> list[str]:
    """The students whose page was written before their last grading; who has no page yet is none of them."""
    outcomes = [outcome for name, outcome in ledger.read(assignment).items() if student in (None, name)]
    return sorted(outcome.student for outcome in outcomes if _is_outdated(assignment, outcome))


def _is_outdated(assignment: Assignment, outcome: Outcome) -> bool:
    notebook, path = _paths(assignment, outcome.student)
    if not path.is_file():
        return False
    if notebook.is_file():
        return path.stat().st_mtime_ns < notebook.stat().st_mtime_ns
    return path.read_text(encoding="utf-8") != _notice(assignment.name, outcome)


def _paths(assignment: Assignment, student: str) -> tuple[Path, Path]:
    """The notebook that was run, and its page."""
    return assignment.autograded(student), assignment.feedback(student)


def _page(assignment: Assignment, outcome: Outcome, head: Head, known: dict, open_ones: waits.Waiting) -> Page:
    notebook, path = _paths(assignment, outcome.student)
    if not notebook.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_notice(assignment.name, outcome), encoding="utf-8")
        return Page(outcome.student, path, 0, graded=False)
    _generate(assignment, outcome.student)
    tables = _look_at(path, json.loads(notebook.read_text(encoding="utf-8"))["cells"])
    text = head.write(waits.say_so(path.read_text(encoding="utf-8"), open_ones), outcome)
    if formulas.can_set(formulas.MATHJAX):
        text = formulas.set_formulas(text, known)
    path.write_text(text, encoding="utf-8")
    return Page(outcome.student, path, tables, waiting=open_ones)


def _generate(assignment: Assignment, student: str) -> None:
    from nbgrader.converters import GenerateFeedback

    directory, config = assignment.nbgrader_directory(student), assignment.course.config
    with nbgrader_quiet() as errors:
        try:
            GenerateFeedback(coursedir=directory, config=config, force=True).start()
        except Exception as error:
            cause = first_line((errors or [error])[0])
            raise Trouble(f"nbgrader could not write {student}'s feedback: {cause}") from error


def _look_at(path: Path, cells: list[dict]) -> int:
    """Counts the page's check tables; refuses it if one is missing or a hidden check's code is shown."""
    text = path.read_text(encoding="utf-8")
    wanted = sum(REPORT in output.get("data", {}) for cell in cells for output in cell.get("outputs", []))
    if text.count(TABLE) < wanted:
        raise Trouble(f"{path} shows {text.count(TABLE)} of {wanted} check tables; is text/html still preferred?")
    own = bare("\n".join("".join(cell["source"]) for cell in cells))
    secrets = leaked({key: line for key, line in hidden_lines(path.stem).items() if key not in own}, text)
    if secrets:
        os.replace(path, path.with_suffix(".withheld"))
        raise Trouble(f"{path} would show a hidden check's code ({secrets[0]!r}); it was withheld.")
    return text.count(TABLE)


@cache
def hidden_lines(name: str) -> dict[str, str]:
    """The code of the unit's hidden checks that students do not have, by its bare form; empty if it has none."""
    spec, package = find_spec(f"autograder.hidden.{name}"), find_spec("unrolled")
    return hidden_code(Path(spec.origin), text_in(Path(package.origin).parent)) if spec and spec.origin else {}


def _notice(unit: str, outcome: Outcome) -> str:
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        f"<title>{html.escape(unit)}</title><h1>{html.escape(unit)}</h1>"
        f"<p>This submission could not be graded. Status: <strong>{html.escape(outcome.status)}</strong>.</p>"
        f"<p>{html.escape(outcome.reason)}</p></html>\n"
    )
