"""Points and comments that a person gives, written into nbgrader's gradebook as formgrader writes them.

Two may mark at once, here or in formgrader: who gives a mark says what stood there when they looked, and nothing is
written if something else stands there by now. `autograder grade` may exchange the answer at the same time; a lock, held
for one submission's writing, keeps the two apart.
"""

import fcntl
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from nbgrader import api
from sqlalchemy import select, update
from sqlalchemy.exc import OperationalError

from autograder.course import Assignment, Trouble
from autograder.recording import by_hand, ledger
from autograder.recording.gradebook import gradebook
from autograder.words import CHECK


@dataclass(frozen=True)
class Place:
    """Where one student's points for one graded cell stand. `id` is the gradebook's, and tells nobody's name.

    `points` were given by a person, `automatic` by the machine; `waits` for a person, and `earlier` says that `points`
    were given for another answer than the one that stands there now. `comment` is a person's, `remark` nbgrader's own.
    `comment_id` is None where the gradebook keeps no comment on the cell.
    """

    id: str
    name: str
    student: str
    points: float | None
    automatic: float | None
    waits: bool
    earlier: bool
    comment: str
    remark: str
    comment_id: str | None
    asked: bool  # nbgrader's flag, which its own autograde raises again beside points that stay

    @property
    def concerns_a_person(self) -> bool:
        """Not so where the machine has settled it, as the zero of an answer that was left blank."""
        return self.waits or self.points is not None

    def version(self, answer: str) -> str:
        """A hash of all that somebody saw who looked at it; `answer` is one of what the student wrote."""
        seen = json.dumps([self.points, self.waits, self.comment, answer])
        return hashlib.sha256(seen.encode()).hexdigest()[:16]


class Changed(Exception):
    """Something else stands there than what was seen; `place` is what."""

    def __init__(self, place: Place):
        super().__init__("changed meanwhile")
        self.place = place


def places(assignment: Assignment, only: str | None = None) -> list[Place]:
    """Every graded cell of every recorded submission of the unit's notebook, or that of one id."""
    earlier = {student: by_hand.waiting(outcome) for student, outcome in ledger.read(assignment).items()}
    with gradebook(assignment.course) as book:
        return _places(book, assignment, earlier, only)


def _places(book, assignment: Assignment, earlier: dict, only: str | None = None) -> list[Place]:
    handed_in, notebook, cell, grade = api.SubmittedAssignment, api.SubmittedNotebook, api.BaseCell, api.Grade
    mine = api.Assignment.name == assignment.name, api.Notebook.name == assignment.notebook

    def of_unit(columns, table):
        found = select(*columns).join(cell, cell.id == table.cell_id).join(notebook, notebook.id == table.notebook_id)
        found = found.join(handed_in, handed_in.id == notebook.assignment_id)
        found = found.join(api.Notebook, api.Notebook.id == notebook.notebook_id)
        return found.join(api.Assignment, api.Assignment.id == handed_in.assignment_id).where(*mine)

    comment = api.Comment
    asked = (comment.id, cell.name, comment.notebook_id, comment.manual_comment, comment.auto_comment)
    comments = {(row.notebook_id, row.name): row for row in book.db.execute(of_unit(asked, comment))}
    asked = (
        *(grade.id, cell.name, grade.notebook_id, handed_in.student_id),
        *(grade.manual_score, grade.auto_score, grade.needs_manual_grade),
    )
    grades = of_unit(asked, grade) if only is None else of_unit(asked, grade).where(grade.id == only)
    found = []
    for row in book.db.execute(grades):
        its = comments.get((row.notebook_id, row.name)) or comments.get((row.notebook_id, row.name.removesuffix(CHECK)))
        before = earlier.get(row.student_id, {}).get(row.name)
        again = row.needs_manual_grade and row.manual_score is not None and row.manual_score == before
        found.append(
            Place(
                row.id,
                row.name,
                row.student_id,
                row.manual_score,
                row.auto_score,
                again or (row.needs_manual_grade and row.manual_score is None),
                again,
                (its.manual_comment if its else None) or "",
                (its.auto_comment if its else None) or "",
                its.id if its else None,
                row.needs_manual_grade,
            )
        )
    return found


def give(assignment: Assignment, seen: Place, points: float | None, comment: str, waits: bool = False) -> Place:
    """Writes points and comment, if the gradebook still says what `seen` says; returns what stands there now.

    As in formgrader: points that are taken back (None) wait for a person again, where the machine has given none.
    `waits`: the points stay, and go on waiting, as those of an earlier answer do. Raises Changed, and Trouble.
    """
    asked = waits or (points is None and seen.automatic is None)
    earlier = {seen.student: by_hand.waiting(its)} if (its := ledger.read(assignment).get(seen.student)) else {}
    try:
        with gradebook(assignment.course) as book:
            done = _set(book.db, api.Grade, seen.id, _grade(seen.points, seen.asked), _grade(points, asked))
            if done and seen.comment_id and comment != seen.comment:
                said = {"manual_comment": comment or None}
                done = _set(book.db, api.Comment, seen.comment_id, {"manual_comment": seen.comment or None}, said)
            (book.db.commit if done else book.db.rollback)()
            (now,) = _places(book, assignment, earlier, seen.id)
    except OperationalError as error:
        raise Trouble(f"The gradebook is busy ({error.orig}): try again.") from error
    if not done:
        raise Changed(now)
    return now


def _grade(points: float | None, asked: bool) -> dict:
    return {"manual_score": points, "needs_manual_grade": asked}


def _set(session, table, its: str, old: dict, new: dict) -> bool:
    """Changes a row in one statement, if it is as it was; an empty comment may be one or none."""
    same = [_same(getattr(table, name), value) for name, value in old.items()]
    return session.execute(update(table).where(table.id == its, *same).values(**new)).rowcount == 1


def _same(column, value):
    if value is None and column.key == "manual_comment":
        return column.is_(None) | (column == "")
    return column.is_not_distinct_from(value)


@contextmanager
def writing(assignment: Assignment) -> Iterator[None]:
    """Holds back whoever else would write a submission's answer or mark in this moment."""
    path = assignment.record.with_suffix(".writing")
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
