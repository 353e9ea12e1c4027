"""Points that a person gave belong to the answer for which they were given.

nbgrader keeps them whatever is handed in next, so that an old mark would count for a new text, or hold down an answer
that is right by now. Here the unit's record says, beside each of them, for which answer it was given. The same answer
keeps its mark, and nobody is asked again; for another one the mark waits until somebody has looked.

An answer is the cell that answers the exercise. Where a check gives points, its mark was given for all of the student's
code, so it also waits if other code changed and the check says something else by now.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace

from autograder.course import Assignment
from autograder.judging.rubric import grade_id_of, source_of
from autograder.outcome import Given, Outcome
from autograder.words import CHECK

Grades = Mapping[str, tuple[float | None, float | None, bool]]  # by grade id: by hand, automatic, if a person is asked


def given(assignment: Assignment, before: Outcome | None, grades: Grades, notebook: bytes, scores: Mapping) -> list:
    """The `Given` of one submission, as they stand once `notebook`, with these automatic `scores`, is recorded.

    `before` and `grades` are what is recorded until then, and the notebook of then lies in autograded/.
    """
    marked = {name: (points, asked) for name, (points, _, asked) in grades.items() if points is not None}
    if not marked:
        return []
    known = {each.name: each for each in before.by_hand} if before else {}
    old, new = _recorded(assignment, before) if before else {}, _cells(notebook)
    found = []
    for name, (points, asked) in marked.items():
        its = known.get(name)
        if its is None or its.points != points or (its.earlier and not asked):
            # given, or given again, since the last time: for what was recorded then
            its = Given(name, points, *_answer(old, name), grades[name][1])
        own, code = _answer(new, name)
        found.append(replace(its, earlier=not _is_same(its, own, code, scores.get(name))))
    return found


def waiting(outcome: Outcome) -> dict[str, float]:
    """The points that were given for another answer than the one that was graded last, by grade id."""
    return {each.name: each.points for each in outcome.by_hand if each.earlier}


def _is_same(mark: Given, own: str, code: str, score: float | None) -> bool:
    return bool(own) and mark.answer == own and (mark.code == code or mark.automatic == score)


def _answer(cells: list[dict], name: str) -> tuple[str, str]:
    """Hashes of the cell that answers, and of all code that is the student's; empty where there is none."""
    own = [cell for cell in cells if grade_id_of(cell) == name.removesuffix(CHECK)]
    code = [cell for cell in cells if cell["cell_type"] == "code" and not _is_check(cell)]
    return _hash(own), _hash(code)


def _recorded(assignment: Assignment, before: Outcome) -> list[dict]:
    """The notebook that the marks until now belong to; nothing if a run was stopped since it was written."""
    path = assignment.autograded(before.student)
    try:
        details = path.with_suffix(".grading.json")
        if details.exists() and json.loads(details.read_bytes())["key"] != before.key:
            return []
        return _cells(path.read_bytes())
    except (OSError, ValueError, KeyError, TypeError):
        return []


def _cells(notebook: bytes) -> list[dict]:
    return json.loads(notebook)["cells"] if notebook else []


def _hash(cells: list[dict]) -> str:
    texts = [source_of(cell) for cell in cells]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest() if texts else ""


def _is_check(cell: dict) -> bool:
    about = cell["metadata"].get("nbgrader", {})
    return bool(about.get("grade")) and not about.get("solution")
