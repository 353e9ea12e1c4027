"""What the teacher changed after the unit was handed out is no repair of the student's file."""

import json

import little_course
import nbformat
import pytest
from edited_dice import changed, edit
from little_course import RIGHT, UNIT

from autograder.judging.cells import is_untouched
from autograder.outcome import Outcome
from autograder.receiving import submission
from autograder.releasing.release import release
from autograder.releasing.source import grade_id, read_source
from autograder.returning.report import losses


def other_points(text: str) -> str:
    return text.replace("points: 3,", "points: 5,")


def other_check(text: str) -> str:
    return text.replace("(throw_sum(1, 2) == 3)", "(throw_sum(2, 2) == 4)")


def other_setup(text: str) -> str:
    return text.replace("import math\n", "import math\nimport random\n")


def other_stub(text: str) -> str:
    return text.replace("def surprise(sides):", "def surprise(sides: int):")


CHANGES = {
    "points": (other_points, "surprise-check (points)"),
    "a check": (other_check, "throw_sum-check (text)"),
    "cells": (changed, "doubled and doubled-check (new), throw_sum and throw_sum-check (gone)"),
}


@pytest.fixture
def assignment(tmp_path):
    return little_course.make_released(tmp_path)


def read(assignment, student="ada"):
    released = nbformat.read(assignment.released, as_version=4)
    return submission.read(assignment, student, released, json.loads(json.dumps(read_source(assignment))))


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_of_the_teachers_is_told_the_teacher_alone(assignment, what):
    change, told = CHANGES[what]
    little_course.hand_in(assignment, "ada", RIGHT)
    edit(assignment, change)
    release(assignment)
    found = read(assignment)
    assert found.repairs == []
    assert found.earlier == f"handed out before this release, which changed {told}"
    assert "mended" not in found.notebook.cells[0].source


def test_what_the_student_broke_is_told_beside_it(assignment):
    little_course.hand_in(assignment, "ada", RIGHT, little_course.without("throw_sum-check"))
    edit(assignment, other_points)
    release(assignment)
    found = read(assignment)
    assert found.repairs == ["throw_sum-check was missing and was put back as released"]
    assert found.earlier.endswith("surprise-check (points)")


def test_a_student_who_changed_points_is_still_told(assignment):
    def cheat(notebook):
        little_course.cell_called(notebook, "surprise-check")["metadata"]["nbgrader"]["points"] = 99

    release(assignment)
    little_course.hand_in(assignment, "ada", RIGHT, cheat)
    found = read(assignment)
    assert found.repairs == ["nbgrader's settings of surprise-check had been changed (points)"] and found.earlier == ""


def test_two_releases_later_each_is_measured_by_its_own(assignment):
    little_course.hand_in(assignment, "ada", RIGHT)
    edit(assignment, other_points)
    release(assignment)
    little_course.hand_in(assignment, "bo", RIGHT)
    edit(assignment, other_check)
    release(assignment)
    little_course.hand_in(assignment, "cy", RIGHT)
    told = [read(assignment, student).earlier.rpartition("changed ")[2] for student in ("ada", "bo", "cy")]
    assert told == ["throw_sum-check (text), surprise-check (points)", "throw_sum-check (text)", ""]
    assert all(read(assignment, student).repairs == [] for student in ("ada", "bo", "cy"))


def test_a_blank_answer_of_an_earlier_release_is_still_blank(assignment):
    little_course.hand_in(assignment, "ada", {})
    edit(assignment, other_stub)
    release(assignment)
    cells = {grade_id(cell): cell for cell in read(assignment).notebook.cells}
    assert is_untouched(cells["surprise"])


def test_the_table_has_the_neutral_line_and_the_status_says_graded():
    outcome = Outcome("ada", "graded", earlier="handed out before this release, which changed a (points)")
    assert losses(outcome) == "handed out before this release, which changed a (points)"
    assert Outcome.from_dict(outcome.to_dict()) == outcome
    assert Outcome.from_dict({k: v for k, v in outcome.to_dict().items() if k != "earlier"}).earlier == ""


def test_nbgraders_own_autograde_tells_no_repair_either(assignment):
    little_course.hand_in(assignment, "ada", RIGHT)
    edit(assignment, other_points)
    release(assignment)
    notebook = nbformat.read(assignment.submitted("ada") / "dice.ipynb", as_version=4)
    assert submission.mend(notebook, nbformat.read(assignment.released, as_version=4), assignment) == []
    assert assignment.name == UNIT
