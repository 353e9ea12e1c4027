"""`nbgrader export` in this course: penalties are renewed first, and every spreadsheet reads the file."""

import csv
import json
from datetime import datetime

import little_course
import pytest
from little_course import RIGHT, UNIT, released
from test_by_hand import SCORES, give

from autograder.outcome import Judged, Outcome
from autograder.recording import gradebook
from autograder.recording.recorder import recording

CLASS = '[due]\n00_dice = 2026-01-10T18:00:00Z\n[late]\npenalty = "zero"\n'


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    """ada is late and has 5 points, bo is in time; cy has handed nothing in."""
    assignment = little_course.make_released(tmp_path_factory.mktemp("export"))
    (assignment.course.root / "class.toml").write_text(CLASS, encoding="utf-8")
    names = {"ada": ("Ada", "Lee, the elder"), "bo": ("Bo", "Çelik"), "cy": ("Cy", "")}
    gradebook.name_students(assignment.course, names)
    notebook = json.dumps(released(assignment)).encode()
    with recording(assignment) as book:
        for student, day in (("ada", 11), ("bo", 10)):
            scores = SCORES | {"surprise-check": 1 / 3}
            judged = Judged(Outcome(student, "graded"), notebook, scores=scores, timestamp=datetime(2026, 1, day))
            book.record(judged, "key")
    give(assignment, "ada", 4)
    assert RIGHT
    return assignment


@pytest.fixture(scope="module")
def rows(assignment):
    run = little_course.nbgrader(assignment, "export", "--to", "marks.csv")
    assert run.returncode == 0 and "Traceback" not in run.stderr, run.stderr
    with open(assignment.course.root / "marks.csv", encoding="utf-8-sig", newline="") as file:
        return {row["student_id"]: row for row in csv.DictReader(file)}


def test_a_mark_given_since_the_last_run_is_taken_off_too(rows):
    late = rows["ada"]
    assert (late["raw_score"], late["late_submission_penalty"], late["score"]) == ("6.33", "6.33", "0")
    assert (rows["bo"]["score"], rows["bo"]["max_score"]) == ("2.33", "9")


def test_who_handed_nothing_in_has_zero(rows):
    assert (rows["cy"]["score"], rows["cy"]["timestamp"], rows["cy"]["assignment"]) == ("0", "", UNIT)


def test_names_are_whole_whatever_is_in_them(rows):
    assert (rows["ada"]["last_name"], rows["bo"]["last_name"]) == ("Lee, the elder", "Çelik")


def test_only_some_students_may_be_asked_for(assignment):
    run = little_course.nbgrader(assignment, "export", "--student", "['bo']")
    assert run.returncode == 0, run.stderr
    lines = (assignment.course.root / "grades.csv").read_text(encoding="utf-8-sig").splitlines()
    assert len(lines) == 2 and ",bo," in lines[1]


def test_a_mistake_in_the_class_file_is_one_line(assignment):
    (assignment.course.root / "class.toml").write_text("due = 3\n", encoding="utf-8")
    run = little_course.nbgrader(assignment, "export", "--to", "never.csv")
    (assignment.course.root / "class.toml").write_text(CLASS, encoding="utf-8")
    assert run.returncode == 1 and "due is no table" in run.stderr and "Traceback" not in run.stderr
    assert not (assignment.course.root / "never.csv").exists()
