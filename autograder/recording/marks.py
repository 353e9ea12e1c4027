"""One submission's marks into nbgrader's gradebook, in one transaction and few statements.

It does what nbgrader's Autograde, SaveAutoGrades and AssignLatePenalties do, of which each opens the gradebook anew and
commits cell by cell. What a person gave stays: manual scores, extra credit, comments, extensions.
"""

from collections.abc import Iterable
from datetime import datetime

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    GradeCell,
    Notebook,
    SolutionCell,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from autograder import course
from autograder.course import Trouble
from autograder.outcome import Judged
from autograder.recording.by_hand import Grades, waiting
from autograder.recording.gradebook import gradebook

LONGEST_NAME = 128  # characters of a student id in nbgrader's gradebook


def unrecordable(student: str) -> str:
    """Why the gradebook cannot have a student of this name, or nothing."""
    if len(student) > LONGEST_NAME:
        return f"the folder's name has more than {LONGEST_NAME} characters, nbgrader's limit: rename it"
    try:
        student.encode()
    except UnicodeEncodeError:
        return "the folder's name is not UTF-8: rename it"
    return ""


class Marks:
    """The part of the gradebook that belongs to a unit. `session` is the caller's, who opens and closes it."""

    def __init__(self, assignment: course.Assignment, session: Session):
        self._session, self._name = session, assignment.notebook
        self._unit = session.execute(select(Assignment.id).where(Assignment.name == assignment.name)).scalar_one()
        notebooks = select(Notebook.id, Notebook.name).where(Notebook.assignment_id == self._unit)
        self._notebooks = dict(session.execute(notebooks).tuples().all())
        self._cells = {notebook: _cells(session, notebook) for notebook in self._notebooks}
        self._penalties = AssignLatePenalties(config=assignment.course.config)
        self._penalties.init_plugin()
        session.commit()

    def given(self, student: str) -> Grades:
        """What a person and what the machine gave the graded cells of the unit's own notebook, until now."""
        if unrecordable(student):
            return {}
        grades = (
            select(BaseCell.name, Grade.manual_score, Grade.auto_score, Grade.needs_manual_grade)
            .join(BaseCell, BaseCell.id == Grade.cell_id)
            .join(SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id)
            .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
            .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
            .where(SubmittedAssignment.assignment_id == self._unit, SubmittedAssignment.student_id == student)
            .where(Notebook.name == self._name)
        )
        return {name: tuple(found) for name, *found in self._session.execute(grades)}

    def handed_in(self, student: str) -> datetime | None:
        """When what was graded until now was handed in (UTC), as far as anybody knows."""
        if unrecordable(student):
            return None
        mine = SubmittedAssignment.assignment_id == self._unit, SubmittedAssignment.student_id == student
        return self._session.execute(select(SubmittedAssignment.timestamp).where(*mine)).scalar()

    def write(self, student: str, judged: Judged) -> None:
        """Replaces all automatic scores and comments of the student's submission; see `unrecordable`."""
        if unrecordable(student):
            return
        try:
            submission = self._submission(student, judged)
            for notebook in submission.notebooks:
                known = judged if self._notebooks[notebook.notebook_id] == self._name else Judged(judged.outcome)
                self._write_scores(notebook.id, known)
                self._write_comments(notebook.id, known)
                self._write_penalty(submission, notebook)
            self._session.commit()
        except BaseException:
            self._session.rollback()
            raise

    def renew_penalties(self, students: Iterable[str]) -> int:
        """Asks the plug-in anew for submissions already marked; returns how many penalties are another now.

        They depend on what no file holds: the due date, extensions, and the points that a person gave meanwhile.
        """
        mine = [SubmittedAssignment.assignment_id == self._unit, SubmittedAssignment.student_id.in_(list(students))]
        if self._session.get(Assignment, self._unit).duedate is None:
            mine.append(SubmittedAssignment.late_submission_penalty > 0)  # mostly nobody, and quick to know
        changed = 0
        for submission in self._session.execute(select(SubmittedAssignment).where(*mine)).scalars().all():
            before = [notebook.late_submission_penalty or 0 for notebook in submission.notebooks]
            for notebook in submission.notebooks:
                self._write_penalty(submission, notebook)
            changed += before != [notebook.late_submission_penalty or 0 for notebook in submission.notebooks]
        self._session.commit()
        return changed

    def _submission(self, student: str, judged: Judged) -> SubmittedAssignment:
        mine = SubmittedAssignment.assignment_id == self._unit, SubmittedAssignment.student_id == student
        submission = self._session.execute(select(SubmittedAssignment).where(*mine)).scalar_one_or_none()
        if submission is None:
            if self._session.get(Student, student) is None:
                self._session.add(Student(id=student))
            submission = self._new(student)
        if judged.timestamp:
            submission.timestamp = judged.timestamp
        return submission

    def _new(self, student: str) -> SubmittedAssignment:
        """A submission with a place for each grade and comment, as `Gradebook.add_submission` makes it."""
        submission = SubmittedAssignment(assignment_id=self._unit, student_id=student)
        for notebook, cells in self._cells.items():
            handed_in = SubmittedNotebook(notebook_id=notebook, assignment=submission)
            handed_in.grades = [Grade(cell_id=cell) for cell, kind in cells if kind is not SolutionCell]
            handed_in.comments = [Comment(cell_id=cell) for cell, kind in cells if kind is not GradeCell]
        self._session.add(submission)
        self._session.flush()
        return submission

    def _write_scores(self, notebook: str, judged: Judged) -> None:
        """A person is asked where the machine gave no score, and where one was given for another answer.

        nbgrader asks again wherever a person gave points before.
        """
        earlier = waiting(judged.outcome)
        grades = select(Grade.id, Grade.manual_score, BaseCell.name).join(BaseCell, BaseCell.id == Grade.cell_id)
        rows = []
        for grade, manual, name in self._session.execute(grades.where(Grade.notebook_id == notebook)):
            score = judged.scores.get(name, None if judged.notebook else 0.0)
            asked = score is None if manual is None else name in earlier
            rows.append({"id": grade, "auto_score": score, "needs_manual_grade": asked})
        if rows:
            self._session.execute(update(Grade), rows)

    def _write_comments(self, notebook: str, judged: Judged) -> None:
        comments = select(Comment.id, BaseCell.name).join(BaseCell, BaseCell.id == Comment.cell_id)
        found = self._session.execute(comments.where(Comment.notebook_id == notebook)).tuples().all()
        rows = [{"id": comment, "auto_comment": judged.comments.get(name)} for comment, name in found]
        if rows:
            self._session.execute(update(Comment), rows)

    def _write_penalty(self, submission: SubmittedAssignment, notebook: SubmittedNotebook) -> None:
        """nbgrader's plug-in decides; without lateness it is not asked."""
        notebook.late_submission_penalty = None
        due = submission.assignment.duedate is not None  # without one, an extension breaks nbgrader's arithmetic
        late = submission.total_seconds_late if due else 0
        if late <= 0:
            return
        self._session.flush()
        self._session.refresh(notebook, ["score"])
        try:
            penalty = self._penalties.plugin_inst.late_submission_penalty(submission.student_id, notebook.score, late)
        except Exception as error:
            raise Trouble(f"The plug-in for late submissions failed: {type(error).__name__}: {error}.") from error
        if penalty is not None:
            notebook.late_submission_penalty = self._penalties._check_late_penalty(notebook, penalty)


def renew_penalties(assignment: course.Assignment, students: Iterable[str]) -> int:
    """How many late submissions have another penalty now than before."""
    with gradebook(assignment.course) as book:
        _take_dates(assignment, book.db)
        return Marks(assignment, book.db).renew_penalties(name for name in students if not unrecordable(name))


def _take_dates(assignment: course.Assignment, session: Session) -> None:
    """The due date and the extensions that class.toml speaks of; nbgrader keeps times in UTC without saying so."""
    said = assignment.course.class_file
    unit = session.execute(select(Assignment).where(Assignment.name == assignment.name)).scalar_one()
    if assignment.name in said.due:
        unit.duedate = said.due[assignment.name].replace(tzinfo=None)
    if said.extensions is not None:
        own = said.extensions.get(assignment.name, {})
        mine = select(SubmittedAssignment).where(SubmittedAssignment.assignment_id == unit.id)
        for submission in session.execute(mine).scalars():
            submission.extension = own.get(submission.student_id)
    session.commit()


def _cells(session: Session, notebook: str) -> list[tuple[str, type]]:
    """The ids of a notebook's graded, answered and task cells, with their kinds."""
    kinds = (GradeCell, SolutionCell, TaskCell)
    return [
        (cell, kind)
        for kind in kinds
        for (cell,) in session.execute(select(kind.id).where(kind.notebook_id == notebook))
    ]
