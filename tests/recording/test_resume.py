"""Killed at any moment and started again, `grade` ends with the gradebook of an unbroken run."""

import os
import random
import signal
import subprocess
import sys
import time

import jailed_course
import little_course
import psutil
import pytest
from conftest import SCRATCH
from jailed_course import SUM, TWO, UNIT, book, hand_in
from kept_workers import kept

from autograder import grade as grading
from autograder.course import Assignment
from autograder.outcome import Outcome
from autograder.recording import ledger

STUDENTS = 10
SHORT = SCRATCH / "t"  # of a length that sockets bear
SHORT.mkdir()


def fill(assignment):
    for number in range(STUDENTS):
        answers = ({}, TWO, TWO | {"perplexity": SUM})[number % 3]
        hand_in(assignment, f"student_{number:02}", answers)
    hand_in(assignment, "torn", {}).write_bytes(b"")
    return assignment


def begin(assignment) -> subprocess.Popen:
    command = [sys.executable, "-m", "autograder.cli", "grade", "ngrams", "--workers", "2"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    variables = os.environ | {"TMPDIR": str(SHORT)}
    return subprocess.Popen(command, cwd=assignment.course.root, env=variables, start_new_session=True, **quiet)


def done(assignment) -> int:
    path = assignment.record
    return max(0, path.read_bytes().count(b"\n") - 1) if path.exists() else 0


@pytest.mark.slow
def test_killed_at_random_points_it_ends_as_an_unbroken_run(tmp_path):
    unbroken, broken = (fill(jailed_course.make(tmp_path / name)) for name in ("unbroken", "broken"))
    assert begin(unbroken).wait(200) == 1  # one is unreadable
    chance = random.Random(0)
    ends = [_killed(broken, after=1, wait=chance.uniform(0, 0.2)) for _ in range(3)]
    assert ends[0] == -signal.SIGKILL and done(broken) > 0, "the first was killed at work"
    assert _gone(broken), "a worker outlives the process that was killed"
    assert not list(SHORT.glob("unrolled-*")), "it left files"
    assert begin(broken).wait(200) == 1  # one is unreadable
    assert book(broken) == book(unbroken)
    assert _told(broken) == _told(unbroken)


def _killed(assignment, after: int, wait: float) -> int:
    """Grades until `after` more submissions are done and `wait` seconds, kills; returns how the process ended."""
    process, before = begin(assignment), done(assignment)
    while process.poll() is None and done(assignment) < before + after:
        time.sleep(0.01)
    time.sleep(wait)
    process.kill()
    return process.wait()


def _gone(assignment, seconds: float = 20) -> bool:
    """Whether every process that worked in the course's folder ends by itself."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if str(assignment.course.root) not in [process.info["cwd"] for process in psutil.process_iter(["cwd"])]:
            return True
        time.sleep(0.2)
    return False


def _told(assignment):
    return {name: (outcome.status, outcome.exercises) for name, outcome in ledger.read(assignment).items()}


@pytest.mark.slow
def test_killed_between_any_two_writes_of_one_submission(tmp_path):
    """Notebook, gradebook and record are written one after another: a stop after each of them is mended."""
    assignment = jailed_course.make(tmp_path)
    with kept():
        hand_in(assignment, "ida", TWO)
        grading.grade(assignment)
        whole = book(assignment)
        for owner, name in ("recorder.Recorder", "_write_files"), ("marks.Marks", "write"):
            hand_in(assignment, "ida", {})
            grading.grade(assignment)
            hand_in(assignment, "ida", TWO)
            _grade_and_stop_after(assignment, owner, name)
            assert ledger.read(assignment)["ida"].exercises[1].earned == 0, "it is not done"
            grading.grade(assignment)
            assert book(assignment) == whole and ledger.read(assignment)["ida"].exercises[1].earned == 1


@pytest.mark.slow
def test_killed_while_it_ends_its_workers_it_leaves_no_files(tmp_path):
    assignment = jailed_course.make(tmp_path)
    hand_in(assignment, "ida", TWO)
    _grade_and_stop_after(assignment, "launch.Seats", "clear")
    assert _gone(assignment) and not list(SHORT.glob("unrolled-*"))
    assert ledger.read(assignment)["ida"].status == "graded"


def _grade_and_stop_after(assignment, owner: str, name: str) -> None:
    home = assignment.course
    code = (
        "import os, pathlib\n"
        "from autograder import grade\n"
        "from autograder.recording import marks, recorder\n"
        "from autograder.judging.jail import launch\n"
        "from autograder.course import Assignment, Course\n"
        f"whole = {owner}.{name}\n"
        f"{owner}.{name} = lambda *given: (whole(*given), os._exit(9))\n"
        f"course = Course(pathlib.Path({str(home.root)!r}), pathlib.Path({str(home.solutions)!r}))\n"
        f"grade.grade(Assignment(course, {UNIT!r}))\n"
    )
    variables = os.environ | {"TMPDIR": str(SHORT)}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=200, env=variables)
    assert run.returncode == 9, run.stderr


def test_a_torn_last_line_is_passed_over(tmp_path):
    assignment = little_course.make(tmp_path)
    ledger.write(assignment, {"ada": Outcome("ada", "graded")})
    ledger.append(assignment, Outcome("ben", "graded"))
    ledger.append(assignment, Outcome("ben", "crashed"))
    path = assignment.record
    path.write_bytes(path.read_bytes() + b'{"student": "car')
    found = ledger.read(assignment)
    assert {name: outcome.status for name, outcome in found.items()} == {"ada": "graded", "ben": "crashed"}
    ledger.write(assignment, found)
    assert path.read_bytes().endswith(b"}\n") and len(ledger.read(assignment)) == 2


@pytest.mark.parametrize(
    ("file", "counts"),
    [("repair/rules.py", True), ("marks.py", True), ("hidden/ngrams.py", True), ("hidden/b.py", False)],
)
def test_marks_depend_on_the_engine_too(tmp_path, monkeypatch, file, counts):
    """An update that mends or judges otherwise grades again; another unit's hidden checks do not."""
    assignment = Assignment(little_course.make(tmp_path / "course").course, UNIT)
    grader = tmp_path / "autograder"
    monkeypatch.setattr("autograder.__file__", str(grader / "__init__.py"))
    path = grader / file
    path.parent.mkdir(parents=True)
    path.write_text("old = 1\n", encoding="utf-8")
    before = ledger.graders_key(assignment)
    path.write_text("new = 1\n", encoding="utf-8")
    assert (ledger.graders_key(assignment) != before) == counts


@pytest.mark.parametrize(
    ("file", "counts"), [("checking/plain.py", True), ("checks/helpers/toys.py", True), ("data/finding.py", False)]
)
def test_marks_depend_on_what_checks_use(tmp_path, monkeypatch, file, counts):
    """Helpers say what a right answer is, as checks do; what a notebook reads does not."""
    assignment, library = little_course.make(tmp_path / "course"), tmp_path / "unrolled"
    monkeypatch.setattr("unrolled.__file__", str(library / "__init__.py"))
    path = library / file
    path.parent.mkdir(parents=True)
    path.write_text("old = 1\n", encoding="utf-8")
    before = ledger.graders_key(assignment)
    path.write_text("new = 1\n", encoding="utf-8")
    assert (ledger.graders_key(assignment) != before) == counts
