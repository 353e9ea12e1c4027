"""Graded cells may come and go after submissions exist: it is said which, and nothing is written before it is clear."""

import json

import little_course
import pytest
from edited_dice import changed, edit
from little_course import RIGHT, UNIT
from test_by_hand import give
from test_drift import record, todo

from autograder.course import Trouble
from autograder.recording import gradebook
from autograder.releasing import history
from autograder.releasing.release import release


@pytest.fixture
def assignment(tmp_path):
    assignment = little_course.make_released(tmp_path)
    for student in ("ada", "noa"):
        little_course.hand_in(assignment, student, RIGHT)
    little_course.hand_in_bytes(assignment, "torn", b"\x00")
    record(assignment)
    give(assignment, "ada", 3)
    give(assignment, "ada", 1, "throw_sum-check")
    edit(assignment, changed)
    return assignment


def everything(assignment) -> dict:
    files = [path for path in assignment.course.root.rglob("*") if path.is_file() and path.suffix != ".db"]
    with gradebook.gradebook(assignment.course) as book:
        notebook = book.find_notebook("dice", UNIT)
        cells = sorted((cell.name, cell.max_score) for cell in notebook.grade_cells)
        marks = sorted((s.student.id, s.score, s.max_score) for s in book.find_assignment(UNIT).submissions)
    return {path: path.read_bytes() for path in files} | {"cells": cells, "marks": marks}


def test_it_is_said_which_cells_come_and_go_and_nothing_is_written(assignment):
    before = everything(assignment)
    with pytest.raises(Trouble) as told:
        release(assignment)
    assert str(told.value) == (
        "00_dice: the gradebook has 3 submissions, and the source has other graded cells: doubled, doubled-check are "
        "new, throw_sum, throw_sum-check are gone (1 mark by hand would go with them). Nothing was written. "
        "`autograder release 00_dice --change-cells` makes room in the gradebook; all other marks stay."
    )
    assert everything(assignment) == before


def test_room_is_made_and_all_other_marks_stay(assignment):
    assert release(assignment, change_cells=True).changed
    with gradebook.gradebook(assignment.course) as book:
        for student in ("ada", "noa", "torn"):
            (notebook,) = book.find_submission(UNIT, student).notebooks
            assert sorted(grade.name for grade in notebook.grades) == [
                "doubled-check", "surprise-check", "written-question"
            ]  # fmt: skip
            assert sorted(comment.name for comment in notebook.comments) == ["doubled", "surprise", "written-question"]
    marks = gradebook.marks(assignment)
    assert marks["ada"].given == {"written-question": (3, 4)} and marks["ada"].score == 6
    assert marks["ada"].max_score == 8 and marks["noa"].score == 3
    assert todo(assignment) == {"ada", "noa", "torn"}, "the next run grades everybody"
    assert release(assignment).changed is False


def test_a_source_with_a_mistake_makes_no_room(assignment):
    edit(assignment, lambda text: text.replace("2 * eyes", "2 * ("))
    before = everything(assignment)
    with pytest.raises(Trouble, match="no Python"):
        release(assignment, change_cells=True)
    assert everything(assignment) == before


def test_without_submissions_cells_come_and_go_as_they_like(tmp_path):
    assignment = little_course.make_released(tmp_path)
    edit(assignment, changed)
    assert release(assignment).changed


def test_the_command_line_says_it_in_one_line(assignment):
    run = little_course.autograder(assignment, "release", "dice")
    assert run.returncode == 2 and run.stderr.count("\n") == 1 and "--change-cells" in run.stderr


def test_every_release_is_kept_once(assignment):
    release(assignment, change_cells=True)
    release(assignment)
    (older,) = history.earlier(assignment)
    assert "throw_sum" in json.dumps(older) and "doubled" not in json.dumps(older)
    edit(assignment, lambda text: text.replace("points: 1,", "points: 2,"))
    release(assignment)
    assert len(history.earlier(assignment)) == 2
    edit(assignment, lambda text: text.replace("# Two dice", "# Three dice"))
    release(assignment)
    assert len(history.earlier(assignment)) == 2, "nothing that a submission is held against"
