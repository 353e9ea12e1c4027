"""What a feedback page begins with: for each exercise half a screen, with the answer, what does not hold and its cost.

nbgrader's page calls every check "Test cell" and leads below the answer, which the student then has to look for in a
whole unit. `page.html.j2` draws what is gathered here and folds nbgrader's notebook below it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from nbgrader.utils import is_grade, is_solution, is_task
from unrolled.checking import table

from autograder.course import Assignment
from autograder.judging.cells import REPORT, errors, is_untouched
from autograder.judging.withheld import withheld
from autograder.outcome import GRADED, Outcome
from autograder.recording.gradebook import Mark, full_names
from autograder.releasing.source import grade_id, read_source
from autograder.returning.report import lateness
from autograder.words import CHECK, amount, one_line, points

MOST = 3  # properties that are told in full; the table in the notebook has all
NO_RESPONSE = "No response."  # nbgrader's remark on what is said here in other words


@dataclass(frozen=True)
class Lost:
    """A property that does not hold, with what there is to say of it and its points."""

    sentence: str
    details: list[str]
    cost: str


@dataclass(frozen=True)
class Section:
    """One graded cell. `cell` is the answer, None where none stands there; `anchor` is where it is in the notebook."""

    name: str
    title: str
    mark: str
    whole: bool
    anchor: str
    cell: Any = None
    notes: list[str] = field(default_factory=list)
    lost: list[Lost] = field(default_factory=list)
    comment: str = ""


class Titles:
    """What all pages of a unit need: the unit's title, the exercises' titles, the students' names."""

    def __init__(self, assignment: Assignment):
        self.unit, self.titles = _titles(read_source(assignment).cells)
        self.unit, self.names = self.unit or assignment.name, full_names(assignment.course)


def top(titles: Titles, outcome: Outcome, mark: Mark, waiting: dict[str, float]) -> dict[str, Any]:
    """Whose page it is, the sum, and what concerns the whole submission."""
    total = f"{amount(mark.settled)} of {points(mark.max_score)}"
    left = f"; {amount(sum(waiting.values()))} of them not marked yet" if waiting else ""
    told = outcome.repairs or [outcome.reason] if outcome.reason else []
    status = "" if outcome.status == GRADED else outcome.status
    return {
        "title": f"{titles.unit} · {titles.names.get(outcome.student) or outcome.student}",
        "total": total + left,
        "status": status[:1].upper() + status[1:],
        "told": [*told, *([line[:1].upper() + line[1:]] if (line := lateness(mark)) else [])],
    }


def sections(cells: list, titles: Titles, outcome: Outcome, mark: Mark, waiting: dict[str, float]) -> list[Section]:
    """One for each graded cell, in the notebook's order. `cells` carry the scores that nbgrader has put into them."""
    found, shown = [], set()
    for cell, answer in _graded(cells):
        again = grade_id(answer) in shown
        shown.add(grade_id(answer))
        found.append(_section(cell, answer, titles, outcome, mark, waiting, again))
    return [_apart(section, found[:place]) for place, section in enumerate(found)]


def _graded(cells: list) -> Iterator[tuple]:
    """Each graded cell with the cell that answers it: itself, the one of its exercise's name, or the last one above."""
    answers, latest = {}, None
    for cell in cells:
        name = grade_id(cell)
        if is_solution(cell):
            answers[name] = latest = cell
        if is_grade(cell) or is_task(cell):
            yield cell, answers.get(name) or answers.get(name.removesuffix(CHECK)) or latest or cell


def _apart(section: Section, before: list[Section]) -> Section:
    """Under a title of its own: two cells below one heading are told apart by their ids."""
    if section.title not in (other.title for other in before):
        return section
    name = section.name.removesuffix(CHECK)
    return replace(section, title="Written question" if name == "written-question" else f"{section.title}: {name}")


def _section(cell, answer, titles: Titles, outcome: Outcome, mark: Mark, waiting, again: bool) -> Section:
    name, about = grade_id(cell), cell.metadata["nbgrader"]
    score, most = float(about["score"] or 0), float(about["points"])
    lost, notes = ([], []) if name in waiting or score >= most else _why(cell, name, outcome)
    if name in mark.given and name not in mark.earlier:
        lost, notes = [], ["Marked by hand."]
    untouched = is_solution(answer) and is_untouched(answer)
    comment = answer.metadata["nbgrader"].get("comment") or ""
    title = titles.titles.get(name) or titles.titles.get(grade_id(answer)) or name
    return Section(
        name,
        title,
        "not marked yet" if name in waiting else f"{amount(score)} of {points(most)}",
        score >= most,
        f"comment-{grade_id(answer)}" if is_solution(answer) or is_task(answer) else name,
        None if untouched or again or not is_solution(answer) else answer,
        notes,
        lost,
        "" if again or comment == NO_RESPONSE else comment,
    )


def _why(cell, name: str, outcome: Outcome) -> tuple[list[Lost], list[str]]:
    """What a check found, property by property; else the one reason that is recorded."""
    for output in cell.get("outputs", []):
        if report := output.get("data", {}).get(REPORT):
            report = withheld(report)
            if not any(check["outcome"] == "not started" for check in report["checks"]):
                return _lost(report), [line for line in [table.elsewhere(report)] if line]
    found = [one_line(f"{error.ename}: {error.evalue}".rstrip(": ")) for error in errors(cell)]
    why = next((each.why for each in outcome.exercises if each.name == name.removesuffix(CHECK)), "")
    note = found[0] if found and not why else why
    return [], [f"{note[:1].upper()}{note[1:]}" if note in ("not started", "no answer") else note] if note else []


def _lost(report: dict[str, Any]) -> list[Lost]:
    """The first few properties that failed in full, then one line on the others."""
    against = [check for check in report["checks"] if check["outcome"] not in ("held", "fault")]
    failed = [check for check in against if check["outcome"] == "failed"][:MOST]
    rest = [check for check in against if check not in failed]
    told = [Lost(check["sentence"], _details(check), _cost(check["points"])) for check in failed]
    if rest:
        which = f"{len(rest)} more propert{'ies do' if len(rest) > 1 else 'y does'} not hold or could not be tried."
        told.append(Lost(which, [], _cost(sum(check["points"] for check in rest))))
    return told


def _details(check: dict[str, Any]) -> list[str]:
    return [line for line in table.details(check) if line]


def _cost(lost: float) -> str:
    return f"−{amount(lost)}"


def _titles(cells: list) -> tuple[str, dict[str, str]]:
    """The unit's title; for each cell with a grade id the heading above it, as far as the first · or bracket."""
    unit, heading, titles = "", "", {}
    for cell in cells:
        if grade_id(cell):
            titles |= {grade_id(cell): heading} if heading else {}
        elif cell.cell_type == "markdown":
            for level, text in re.findall(r"^(#+) (.+)$", cell.source, re.MULTILINE):
                heading = re.split(r" · | \(", text)[0]
                unit = unit or (heading if level == "#" else "")
    return unit, titles
