"""Whether a page says what the gradebook and the record say now: it carries a hash of all that it was made of.

Times of files would say nothing of a mark given by hand, a comment, a penalty, or a copy put back.
"""

import hashlib
import json
import re
from dataclasses import asdict
from pathlib import Path

from sqlalchemy import select

from autograder.course import Assignment
from autograder.outcome import Outcome
from autograder.recording.gradebook import Mark, gradebook

SIGNATURE = re.compile(rb"<!-- made of ([0-9a-f]{64}) -->\n\Z")
LENGTH = len("<!-- made of  -->\n") + 64


def signed(page: str, key: str) -> str:
    """The page with its key behind everything that a student wrote."""
    return f"{page.rstrip()}\n<!-- made of {key} -->\n"


def signature(path: Path) -> str | None:
    """The key that a page carries; None where there is no page, or one of another making."""
    try:
        with open(path, "rb") as file:
            file.seek(max(0, path.stat().st_size - LENGTH))
            found = SIGNATURE.search(file.read())
    except OSError:
        return None
    return found[1].decode() if found else None


class Keys:
    """The keys that the pages of a unit should carry. `common` is what all pages are made of besides."""

    def __init__(self, assignment: Assignment, common: list):
        self._assignment, self._rows = assignment, _rows(assignment)
        self._common = json.dumps([common, _code()])

    def of(self, outcome: Outcome, mark: Mark) -> str:
        """A hash of the page's notebook, its outcome and everything that the gradebook has of the student."""
        digest = hashlib.sha256(self._common.encode())
        digest.update(json.dumps([outcome.to_dict(), asdict(mark), self._rows.get(outcome.student, [])]).encode())
        notebook = self._assignment.autograded(outcome.student)
        if notebook.is_file():
            digest.update(notebook.read_bytes())
        return digest.hexdigest()


def _rows(assignment: Assignment) -> dict[str, list]:
    """What the gradebook says of each student: scores, comments, penalties, names."""
    from nbgrader import api

    handed_in, notebook = api.SubmittedAssignment, api.SubmittedNotebook
    by_student = {
        "grades": select(
            handed_in.student_id, api.BaseCell.name, api.Grade.auto_score, api.Grade.manual_score,
            api.Grade.extra_credit, api.Grade.needs_manual_grade,
        )
        .join(notebook, notebook.assignment_id == handed_in.id)
        .join(api.Grade, api.Grade.notebook_id == notebook.id)
        .join(api.BaseCell, api.BaseCell.id == api.Grade.cell_id),
        "comments": select(
            handed_in.student_id, api.BaseCell.name, api.Comment.auto_comment, api.Comment.manual_comment
        )
        .join(notebook, notebook.assignment_id == handed_in.id)
        .join(api.Comment, api.Comment.notebook_id == notebook.id)
        .join(api.BaseCell, api.BaseCell.id == api.Comment.cell_id),
        "penalties": select(handed_in.student_id, notebook.late_submission_penalty).join(
            notebook, notebook.assignment_id == handed_in.id
        ),
        "names": select(handed_in.student_id, api.Student.first_name, api.Student.last_name).join(
            api.Student, api.Student.id == handed_in.student_id
        ),
    }  # fmt: skip
    found: dict[str, list] = {}
    with gradebook(assignment.course) as book:
        for what, rows in by_student.items():
            mine = rows.join(api.Assignment, api.Assignment.id == handed_in.assignment_id)
            for student, *values in book.db.execute(mine.where(api.Assignment.name == assignment.name)):
                found.setdefault(student, []).append([what, *values])
    return {student: sorted(rows, key=json.dumps) for student, rows in found.items()}


def _code() -> list[str]:
    """The making of pages itself."""
    files = sorted(path for path in Path(__file__).parent.rglob("*") if path.suffix in (".py", ".js", ".j2"))
    return [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]
