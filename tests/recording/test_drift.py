"""The record and the gradebook cannot drift apart: whoever has other marks there, or none, is graded again."""

import json

import little_course
import pytest
from little_course import RIGHT, UNIT, released
from test_by_hand import SCORES, give

from autograder import grade as grading
from autograder.course import Trouble
from autograder.outcome import Exercise, Judged, Outcome
from autograder.recording import gradebook, ledger
from autograder.recording.recorder import recording
from autograder.releasing.release import release


def todo(assignment):
    return set(grading.submissions_to_grade(assignment, None, False))


def record(assignment):
    """What a run of the jail would write of three submissions."""
    earned = [Exercise(name.removesuffix("-check"), 4, score) for name, score in SCORES.items()]
    notebook = json.dumps(released(assignment)).encode()
    with recording(assignment) as book:
        for student in ("ada", "noa"):
            judged = Judged(Outcome(student, "graded", exercises=earned), notebook, scores=SCORES)
            book.record(judged, ledger.key(assignment, student))
        book.record(Judged(Outcome("torn", "unreadable")), ledger.key(assignment, "torn"))


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    assignment = little_course.make_released(tmp_path_factory.mktemp("drift"))
    for student in ("ada", "noa"):
        little_course.hand_in(assignment, student, RIGHT)
    little_course.hand_in_bytes(assignment, "torn", b"\x00")
    assert todo(assignment) == {"ada", "noa", "torn"}
    return assignment


@pytest.fixture
def assignment(graded):
    record(graded)
    assert todo(graded) == set()
    return graded


def test_a_removed_student_or_submission_is_graded_again(assignment):
    with gradebook.gradebook(assignment.course) as book:
        book.remove_student("ada")
    assert todo(assignment) == {"ada"}
    with gradebook.gradebook(assignment.course) as book:
        book.remove_submission(UNIT, "torn")
    assert todo(assignment) == {"ada", "torn"}
    record(assignment)
    assert todo(assignment) == set() and gradebook.marks(assignment)["ada"].score == 5


def test_another_score_in_the_gradebook_is_mended_and_a_persons_stays(assignment):
    give(assignment, "ada", 4)
    give(assignment, "ada", 1, "surprise-check")
    assert todo(assignment) == set(), "what a person gives is no drift"
    with gradebook.gradebook(assignment.course) as book:
        book.find_grade("throw_sum-check", "dice", UNIT, "noa").auto_score = 1
        book.db.commit()
    assert todo(assignment) == {"noa"}


def test_a_new_gradebook_is_filled_again(assignment):
    (assignment.course.root / "gradebook.db").unlink()
    with pytest.raises(Trouble, match="run `autograder release"):
        todo(assignment)
    release(assignment)
    assert todo(assignment) == {"ada", "noa", "torn"}


def test_in_a_path_with_brackets_the_same_files_are_copied(tmp_path):
    assignment = little_course.make_released(tmp_path / "class [b]")
    for student in ("ada", "noa"):
        folder = little_course.hand_in(assignment, student, RIGHT).parent
        (folder / "a picture.png").write_bytes(b"png")
        (folder / "other.ipynb").write_text("{}")
    little_course.hand_in_bytes(assignment, "torn", b"\x00")
    record(assignment)
    found = sorted(path.name for path in assignment.autograded("ada").parent.iterdir())
    assert found == ["a picture.png", "dice.grading.json", "dice.ipynb"]
