"""Marks are the same by whichever way: our command, nbgrader's, and nbgrader's own run of the same checks."""

import json
import shutil

import jailed_course
import little_course
import pytest
from jailed_course import MLE, SUM, TWO, UNIT, book, hand_in

from autograder import grade as grading
from autograder.course import Course
from autograder.judging.plain import nbgrader_run as engine
from autograder.outcome import GRADED, REPAIRED
from autograder.recording import gradebook
from autograder.verifying import demo_class

pytestmark = pytest.mark.slow


def test_the_demonstration_class_gets_the_same_marks_from_nbgraders_own_run(tmp_path):
    assignment, members = demo_class.make(
        Course.find(jailed_course.ROOT).assignment(UNIT), tmp_path / "class", timeout=40
    )
    mistaken = [member for member in members if ": " in member.told]  # one for each exercise; every second will do
    for member in members:
        if "endless" in member.told or "torn" in member.told or member in mistaken[::2]:
            shutil.rmtree(assignment.submitted(member.student))  # the first two end otherwise without walls and repair
    ours = grading.grade(assignment, workers=2)
    marks = book(assignment)
    theirs = grading.grade(assignment, workers=2, grade_one=engine.grade_one)
    assert len(ours) == len(members) - 2 - len(mistaken[::2]) >= 8
    assert book(assignment) == marks
    assert [outcome.exercises for outcome in ours] == [outcome.exercises for outcome in theirs]
    assert {outcome.status for outcome in ours} == {GRADED, REPAIRED}


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # nbgrader's own
def test_the_button_in_formgrader_grades_with_the_same_engine(tmp_path):
    """It calls nbgrader's API in the server's own process."""
    from nbgrader.apps.api import NbGraderAPI

    assignment = jailed_course.make(tmp_path)
    hand_in(assignment, "half", TWO | {"perplexity": SUM})
    hand_in(assignment, "forger", {"mle": "import os\ndef mle(*_):\n    return {'x': os.listdir('/')}"})
    api = NbGraderAPI(assignment.course.directory, config=assignment.course.config)
    for student, points in (("half", 1), ("forger", 0)):
        done = api.autograde(UNIT, student)
        assert done["success"], done.get("error") or done.get("log")
        assert gradebook.marks(assignment)[student].score == points
    table = little_course.cell_called({"cells": _cells(assignment, "forger")}, "mle-check")["outputs"]
    assert "Permission" in str(table), "it ran in the jail"


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """The same submissions, graded by `autograder grade` and by `nbgrader autograde`."""
    courses = [jailed_course.make(tmp_path_factory.mktemp(name)) for name in ("ours", "nbgraders")]
    for assignment in courses:
        (assignment.course.root / "class.secret").write_text("one class, so that its inputs are the same")
        hand_in(assignment, "right", TWO | {"written-question": "Counts grow thin."})
        hand_in(assignment, "half", TWO | {"perplexity": SUM})
        hand_in(assignment, "forger", {"mle": MLE + "\n\ndef check(answer, points):\n    return points"})
        hand_in(assignment, "twice", TWO, little_course.copied("mle", "def mle(*_):\n    return 0", 0))
    grading.grade(courses[0], workers=2)
    run = little_course.nbgrader(courses[1], "autograde", UNIT)
    assert run.returncode == 0, run.stderr
    return courses


def test_nbgrader_autograde_gives_the_same_gradebook(both):
    ours, nbgraders = both
    assert book(nbgraders) == book(ours)
    assert {name: mark.score for name, mark in gradebook.marks(nbgraders).items()} == {
        "right": 3,
        "half": 1,
        "forger": 1,
        "twice": 3,
    }


def test_nbgrader_autograde_writes_the_same_notebooks(both):
    ours, theirs = (_cells(assignment, "half") for assignment in both)
    assert [cell["source"] for cell in ours if "check" not in _name(cell)] == [
        cell["source"] for cell in theirs if "check" not in _name(cell)
    ]
    assert [cell.get("outputs") for cell in ours] == [cell.get("outputs") for cell in theirs]


def _cells(assignment, student):
    notebook = json.loads(assignment.autograded(student).read_text(encoding="utf-8"))
    return [cell | {"source": "".join(cell["source"])} | _joined(cell) for cell in notebook["cells"]]


def _joined(cell) -> dict:
    """Outputs with their texts in one piece, and without counts."""
    if "outputs" not in cell:
        return {}
    outputs = []
    for output in cell["outputs"]:
        data = {
            kind: "".join(text) if isinstance(text, list) else text for kind, text in output.get("data", {}).items()
        }
        outputs.append((output["output_type"], "".join(output.get("text", "")), data))
    return {"outputs": outputs}


def _name(cell) -> str:
    return little_course.grade_id(cell) or ""


@pytest.mark.parametrize("whose", [0, 1], ids=["autograder grade", "nbgrader autograde"])
def test_nbgraders_own_feedback_of_either_run(both, whose):
    run = little_course.nbgrader(both[whose], "generate_feedback", UNIT)
    assert run.returncode == 0, run.stderr
    page = both[whose].feedback("half").read_text(encoding="utf-8")
    assert page.count('class="unrolled-check"') == 9
