"""Points given by hand belong to the answer they were given for, whatever is handed in or graded next."""

import json

import little_course
import pytest
from little_course import RIGHT, UNIT, cell_called, released

from autograder.outcome import Exercise, Judged, Outcome
from autograder.recording import gradebook, ledger
from autograder.recording.recorder import recording
from autograder.returning.report import losses, mark_text
from autograder.returning.waiting import waiting

SCORES = {"throw_sum-check": 2.0, "surprise-check": 3.0, "written-question": None}
WRONG = {"surprise": "def surprise(sides):\n    return sides"}


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    assignment = little_course.make_released(tmp_path_factory.mktemp("by_hand"))
    return assignment


@pytest.fixture
def student(request):
    return request.node.name[5:60]


def grade(assignment, student, answers, key="", **scores):
    """Records answers as the jail would have judged them; `scores` by exercise."""
    notebook = released(assignment)
    for name, source in (RIGHT | answers).items():
        cell_called(notebook, name)["source"] = source
    automatic = SCORES | {f"{name}-check": points for name, points in scores.items()}
    outcome = Outcome(student, "graded", exercises=[Exercise("surprise", 3, automatic["surprise-check"], "wrong")])
    judged = Judged(outcome, json.dumps(notebook).encode(), scores=automatic)
    with recording(assignment) as book:
        book.record(judged, key or json.dumps([answers, scores]))


def give(assignment, student, points, name="written-question"):
    """As formgrader does, which also takes the flag away."""
    with gradebook.gradebook(assignment.course) as book:
        grade = book.find_grade(name, "dice", UNIT, student)
        grade.manual_score, grade.needs_manual_grade = points, False
        book.db.commit()


def shown(assignment, student):
    """The mark and the lines on what a person gave."""
    mark = gradebook.marks(assignment)[student]
    return mark_text(mark), [line for line in losses(ledger.read(assignment)[student], mark).splitlines() if line]


def test_the_same_answer_keeps_its_mark_and_another_one_waits(assignment, student):
    grade(assignment, student, {})
    assert shown(assignment, student)[0] == "5 / 5 + 4?"
    give(assignment, student, 2)
    told = "−2 written-question: marked by hand"
    assert shown(assignment, student) == ("7 / 9", ["−0 surprise: wrong", told])
    grade(assignment, student, {"throw_sum": "def throw_sum(a, b):\n    return b + a"})
    assert shown(assignment, student)[0] == "7 / 9", "the written answer is the same"
    grade(assignment, student, {"written-question": "I thought again."})
    assert shown(assignment, student)[0] == "5 / 5 + 4?"
    assert "written-question: marked 2 for an earlier answer: look again" in shown(assignment, student)[1]
    assert waiting(assignment)[student] == {"written-question": 4}, "its page says so, too"
    grade(assignment, student, {"written-question": "I thought again."}, "after an update")
    assert shown(assignment, student)[0] == "5 / 5 + 4?"
    grade(assignment, student, {})
    assert shown(assignment, student)[0] == "7 / 9", "the answer that was marked has come back"


def test_who_has_looked_again_is_not_asked_again(assignment, student):
    grade(assignment, student, {})
    give(assignment, student, 2)
    grade(assignment, student, {"written-question": "I thought again."})
    give(assignment, student, 3)
    assert shown(assignment, student)[0] == "8 / 9"
    grade(assignment, student, {"written-question": "I thought again."}, "forced")
    assert shown(assignment, student)[0] == "8 / 9"
    grade(assignment, student, {})
    assert shown(assignment, student)[0] == "5 / 5 + 4?"


def test_the_same_points_for_the_new_answer_settle_it(assignment, student):
    grade(assignment, student, {})
    give(assignment, student, 2)
    grade(assignment, student, {"written-question": "I thought again."})
    give(assignment, student, 2)
    assert shown(assignment, student)[0] == "7 / 9"
    grade(assignment, student, {"written-question": "I thought again."}, "forced")
    assert shown(assignment, student)[0] == "7 / 9"


def test_a_mark_after_a_complaint_does_not_hold_down_a_later_answer(assignment, student):
    grade(assignment, student, WRONG, surprise=0.0)
    give(assignment, student, 1, "surprise-check")
    give(assignment, student, 4)
    assert shown(assignment, student) == ("7 / 9", ["−2 surprise: marked by hand"]), "not what the machine said"
    grade(assignment, student, WRONG, "after an update", surprise=0.5)
    assert shown(assignment, student)[0] == "7 / 9", "the same answer and code, whatever the machine says by now"
    grade(assignment, student, {})
    assert shown(assignment, student)[0] == "6 / 6 + 3?"
    give(assignment, student, 3, "surprise-check")
    assert shown(assignment, student) == ("9 / 9", [])


def test_other_code_counts_where_the_machine_says_something_else(assignment, student):
    grade(assignment, student, WRONG, surprise=0.0)
    give(assignment, student, 1, "surprise-check")
    other = WRONG | {"throw_sum": "def throw_sum(a, b):\n    return b + a"}
    grade(assignment, student, other, surprise=0.0)
    assert gradebook.marks(assignment)[student].earlier == {}
    grade(assignment, student, other | {"throw_sum": "surprise = len"}, surprise=3.0)
    assert gradebook.marks(assignment)[student].earlier == {"surprise-check": 1}


def test_after_a_stop_in_between_nobody_guesses(assignment, student, monkeypatch):
    grade(assignment, student, {})
    give(assignment, student, 2)
    monkeypatch.setattr("autograder.recording.marks.Marks.write", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):  # the notebook is written, the gradebook is not
        grade(assignment, student, {"written-question": "I thought again."})
    monkeypatch.undo()
    grade(assignment, student, {"written-question": "I thought again."})
    assert shown(assignment, student)[0] == "5 / 5 + 4?"
