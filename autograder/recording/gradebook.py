"""The few things we ask of nbgrader's gradebook: clear old scores, read marks, name students."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from nbgrader import api as tables
from nbgrader.api import BaseCell, Grade, Gradebook, MissingEntry, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import select

from autograder.course import Assignment, Course, Trouble
from autograder.quiet import nbgrader_quiet
from autograder.recording import by_hand, ledger


@dataclass(frozen=True)
class Mark:
    """A student's sum in one unit; `open` is how many of its points wait for a person, `late` what lateness costs.

    `overdue`: seconds after the due date, extensions taken off, whether they cost anything or not.

    `given` are points that a person gave, and of how many, by grade id; `earlier` are those of them that were given
    for another answer than the one that stands there now. They wait, too, but are in `score`, as in nbgrader's.
    """

    score: float
    max_score: float
    open: float
    late: float = 0.0
    given: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    earlier: Mapping[str, float] = field(default_factory=dict)
    overdue: float = 0.0
    waiting: tuple[str, ...] = ()  # grade ids whose points wait for a person

    @property
    def counted(self) -> float:
        """What counts in the end, as `nbgrader export` reckons it."""
        return max(0.0, self.score - self.late)

    @property
    def settled(self) -> float:
        """The same without what was given for earlier answers."""
        return max(0.0, self.score - sum(self.earlier.values()) - self.late)


@contextmanager
def gradebook(course: Course) -> Iterator[Gradebook]:
    """The course's gradebook, made if it does not exist."""
    from sqlalchemy.exc import DatabaseError

    try:
        with nbgrader_quiet(), Gradebook(course.db_url, course.directory.course_id) as book:
            yield book
    except DatabaseError as error:
        raise Trouble(f"The gradebook {course.db_url} cannot be used: {error.orig}.") from error


def is_released(assignment: Assignment) -> bool:
    """Whether the gradebook knows the unit's cells."""
    with gradebook(assignment.course) as book:
        try:
            return bool(book.find_assignment(assignment.name).notebooks)
        except MissingEntry:
            return False


def clear_scores(assignment: Assignment, student: str) -> None:
    """Sets all automatic scores of a submission to zero, recording student and submission if they are new.

    What a person gave (manual scores, extra credit, comments) stays. nbgrader alone would keep an old score
    where a resubmission no longer has the cell.
    """
    with gradebook(assignment.course) as book:
        book.update_or_create_student(student)
        submission = book.update_or_create_submission(assignment.name, student)
        for grade in (grade for notebook in submission.notebooks for grade in notebook.grades):
            grade.auto_score = 0.0
            grade.needs_manual_grade = grade.manual_score is not None
        book.db.commit()


def marks(assignment: Assignment) -> dict[str, Mark]:
    """Every recorded student's mark."""
    with gradebook(assignment.course) as book:
        return {
            submission.student.id: _mark(submission, earlier) for submission, earlier in submissions(assignment, book)
        }


def automatic(assignment: Assignment) -> dict[str, dict[str, float]]:
    """Every recorded student's automatic scores by grade id, 0 where there is none: one statement for all."""
    grades = (
        select(SubmittedAssignment.student_id, BaseCell.name, Grade.auto_score)
        .join(SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .join(tables.Assignment, tables.Assignment.id == SubmittedAssignment.assignment_id)
        .join(BaseCell, BaseCell.id == Grade.cell_id)
        .where(tables.Assignment.name == assignment.name)
    )
    found: dict[str, dict[str, float]] = {}
    with gradebook(assignment.course) as book:
        for student, name, score in book.db.execute(grades):
            found.setdefault(student, {})[name] = score or 0.0
    return found


def most_points(assignment: Assignment) -> dict[str, float]:
    """What each graded cell of a unit is worth, by grade id, in the notebook's order. Trouble before its release."""
    with gradebook(assignment.course) as book:
        try:
            notebooks = book.find_assignment(assignment.name).notebooks
        except MissingEntry:
            notebooks = []
        found = {cell.name: float(cell.max_score) for notebook in notebooks for cell in notebook.grade_cells}
    if not found:
        raise Trouble(f"The gradebook does not know {assignment.name}: run `autograder release {assignment.name}`.")
    return found


def submissions(assignment: Assignment, book: Gradebook) -> Iterator[tuple]:
    """Each recorded submission of a unit, with the points in it that were given for an earlier answer, by grade id."""
    try:
        recorded = book.find_assignment(assignment.name).submissions
    except MissingEntry:
        return
    outcomes = ledger.read(assignment)
    for submission in recorded:
        outcome = outcomes.get(submission.student.id)
        yield submission, by_hand.waiting(outcome) if outcome else {}


def name_students(course: Course, names: dict[str, tuple[str, str]]) -> None:
    """Records first and last names by student id."""
    with gradebook(course) as book:
        for student, (first, last) in names.items():
            book.update_or_create_student(student, first_name=first, last_name=last)


def full_names(course: Course) -> dict[str, str]:
    """First and last name by student id, of those who have either."""
    with gradebook(course) as book:
        names = {
            student.id: f"{student.first_name or ''} {student.last_name or ''}".strip() for student in book.students
        }
    return {student: name for student, name in names.items() if name}


def open_grades(submission, earlier: Mapping[str, float]) -> list:
    """The grades of a submission that wait for a person: not marked at all, or for an `earlier` answer.

    Who marks the new answer in formgrader takes the flag away, whatever number it gets.
    """
    waiting = [grade for grade in _grades(submission) if grade.needs_manual_grade]
    return [grade for grade in waiting if grade.manual_score in (None, earlier.get(grade.name))]


def _grades(submission) -> list:
    return [grade for notebook in submission.notebooks for grade in notebook.grades]


def _mark(submission, earlier: Mapping[str, float]) -> Mark:
    waiting = open_grades(submission, earlier)
    marked = [grade for grade in _grades(submission) if grade.manual_score is not None]
    return Mark(
        float(submission.score),
        float(submission.max_score),
        float(sum(grade.max_score for grade in waiting)),
        float(submission.late_submission_penalty or 0),
        {grade.name: (float(grade.manual_score), float(grade.max_score)) for grade in marked},
        {grade.name: float(grade.manual_score) for grade in waiting if grade.manual_score is not None},
        float(submission.total_seconds_late) if submission.assignment.duedate else 0.0,  # an extension needs a date
        tuple(sorted(grade.name for grade in waiting)),
    )
