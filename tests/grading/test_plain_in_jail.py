"""A unit of plain nbgrader cells, graded in the jail from hand-in to page: the teacher needs no Python package."""

import little_course
import pytest
from little_course import RIGHT, UNIT

from autograder import grade as grading
from autograder.recording import gradebook, ledger
from autograder.releasing.release import release
from autograder.returning.feedback import feedback

pytestmark = pytest.mark.slow

CLASS = {
    "right": RIGHT,
    "half": RIGHT | {"surprise": "def surprise(sides):\n    return math.log2(sides)"},
    "blank": {},
    "no_sixes": RIGHT | {"throw_sum": "def throw_sum(first, second):\n    return 3"},
    "exits": RIGHT | {"surprise": "def surprise(sides):\n    import os\n    os._exit(0)"},
}
WANTED = {  # status, points, and what is told of them
    "right": ("graded", 5, []),
    "half": ("graded", 3.5, ["the check gave fewer points"]),
    "blank": ("graded", 0, ["not started", "not started", "no answer"]),
    "no_sixes": ("graded", 3, ["AssertionError: the hidden pair of sixes"]),
    "exits": ("crashed", 2, ["the code ended the process with exit code 0"]),
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    assignment = little_course.make_released(tmp_path_factory.mktemp("plain"))
    for student, answers in CLASS.items():
        little_course.hand_in(assignment, student, answers)
    grading.grade(assignment)
    return assignment


@pytest.mark.parametrize("student", CLASS)
def test_status_points_and_reason(graded, student):
    outcome, mark = ledger.read(graded)[student], gradebook.marks(graded)[student]
    whys = [each.why for each in outcome.exercises if each.why]
    assert (outcome.status, mark.score, whys) == WANTED[student]


def test_the_hidden_half_of_a_test_stays_on_this_side(graded):
    (page,) = feedback(graded, "no_sixes")
    assert page.problem == ""
    text = page.path.read_text(encoding="utf-8") + graded.autograded("no_sixes").read_text(encoding="utf-8")
    assert "the hidden pair of sixes" in text and "throw_sum(6, 6)" not in text and "HIDDEN" not in text


def test_it_is_said_at_the_release_who_can_read_hidden_tests(graded):
    assert release(graded).told()[-1] == (
        "  Hidden tests in the cell throw_sum-check run in the student's own process, which can read them."
    )
    assert graded.name == UNIT
