"""The few things we ask of nbgrader's gradebook: clear old scores, read marks, name students."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from nbgrader.api import Gradebook, MissingEntry

from autograder.course import Assignment, Course, Trouble
from autograder.quiet import nbgrader_quiet


@dataclass(frozen=True)
class Mark:
    """A student's sum in one unit; `open` is how many of its points wait for a person, `late` what lateness costs."""

    score: float
    max_score: float
    open: float
    late: float = 0.0

    @property
    def counted(self) -> float:
        """What counts in the end, as `nbgrader export` reckons it."""
        return max(0.0, self.score - self.late)


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
        try:
            submissions = book.find_assignment(assignment.name).submissions
        except MissingEntry:
            return {}
        return {submission.student.id: _mark(submission) for submission in submissions}


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


def open_grades(submission) -> list:
    """The grades of a submission that wait for a person."""
    grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
    return [grade for grade in grades if grade.needs_manual_grade and grade.manual_score is None]


def _mark(submission) -> Mark:
    waiting = sum(grade.max_score for grade in open_grades(submission))
    late = submission.late_submission_penalty or 0
    return Mark(float(submission.score), float(submission.max_score), float(waiting), float(late))
