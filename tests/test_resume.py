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

from autograder import grade as grading
from autograder import ledger
from autograder.outcome import Outcome

STUDENTS = 10
SHORT = SCRATCH / "t"  # of a length that sockets bear
SHORT.mkdir()


def fill(course):
    for number in range(STUDENTS):
        answers = ({}, TWO, TWO | {"perplexity": SUM})[number % 3]
        hand_in(course, f"student_{number:02}", answers)
    hand_in(course, "torn", {}).write_bytes(b"")
    return course


def begin(course) -> subprocess.Popen:
    command = [sys.executable, "-m", "autograder.cli", "grade", "ngrams", "--workers", "2"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    variables = os.environ | {"TMPDIR": str(SHORT)}
    return subprocess.Popen(command, cwd=course.root, env=variables, start_new_session=True, **quiet)


def done(course) -> int:
    path = ledger.ledger_path(course, UNIT)
    return max(0, path.read_bytes().count(b"\n") - 1) if path.exists() else 0


@pytest.mark.slow
def test_killed_at_random_points_it_ends_as_an_unbroken_run(tmp_path):
    unbroken, broken = (fill(jailed_course.make(tmp_path / name)) for name in ("unbroken", "broken"))
    assert begin(unbroken).wait(200) == 0
    chance = random.Random(0)
    ends = [_killed(broken, after=1, wait=chance.uniform(0, 0.2)) for _ in range(3)]
    assert ends[0] == -signal.SIGKILL and done(broken) > 0, "the first was killed at work"
    assert _gone(broken), "a worker outlives the process that was killed"
    assert not list(SHORT.glob("unrolled-*")), "it left files"
    assert begin(broken).wait(200) == 0
    assert book(broken) == book(unbroken)
    assert _told(broken) == _told(unbroken)


def _killed(course, after: int, wait: float) -> int:
    """Grades until `after` more submissions are done and `wait` seconds, kills; returns how the process ended."""
    process, before = begin(course), done(course)
    while process.poll() is None and done(course) < before + after:
        time.sleep(0.01)
    time.sleep(wait)
    process.kill()
    return process.wait()


def _gone(course, seconds: float = 20) -> bool:
    """Whether every process that worked in the course's folder ends by itself."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if str(course.root) not in [process.info["cwd"] for process in psutil.process_iter(["cwd"])]:
            return True
        time.sleep(0.2)
    return False


def _told(course):
    return {name: (outcome.status, outcome.exercises) for name, outcome in ledger.read(course, UNIT).items()}


@pytest.mark.slow
def test_killed_between_any_two_writes_of_one_submission(tmp_path):
    """Notebook, gradebook and record are written one after another: a stop after each of them is mended."""
    course = jailed_course.make(tmp_path)
    hand_in(course, "ida", TWO)
    grading.grade(course, UNIT)
    whole = book(course)
    for owner, name in ("recorder.Recorder", "_write_files"), ("marks.Marks", "write"):
        hand_in(course, "ida", {})
        grading.grade(course, UNIT)
        hand_in(course, "ida", TWO)
        _grade_and_stop_after(course, owner, name)
        assert ledger.read(course, UNIT)["ida"].exercises[1].earned == 0, "it is not done"
        grading.grade(course, UNIT)
        assert book(course) == whole and ledger.read(course, UNIT)["ida"].exercises[1].earned == 1


@pytest.mark.slow
def test_killed_while_it_ends_its_workers_it_leaves_no_files(tmp_path):
    course = jailed_course.make(tmp_path)
    hand_in(course, "ida", TWO)
    _grade_and_stop_after(course, "launch.Seats", "clear")
    assert _gone(course) and not list(SHORT.glob("unrolled-*"))
    assert ledger.read(course, UNIT)["ida"].status == "graded"


def _grade_and_stop_after(course, owner: str, name: str) -> None:
    code = (
        "import os, pathlib\n"
        "from autograder import grade, marks, recorder\n"
        "from autograder.jail import launch\n"
        "from autograder.course import Course\n"
        f"whole = {owner}.{name}\n"
        f"{owner}.{name} = lambda *given: (whole(*given), os._exit(9))\n"
        f"grade.grade(Course(pathlib.Path({str(course.root)!r}), pathlib.Path({str(course.solutions)!r})), {UNIT!r})\n"
    )
    variables = os.environ | {"TMPDIR": str(SHORT)}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=200, env=variables)
    assert run.returncode == 9, run.stderr


def test_a_torn_last_line_is_passed_over(tmp_path):
    course = little_course.make(tmp_path)
    ledger.write(course, UNIT, {"ada": Outcome("ada", "graded")})
    ledger.append(course, UNIT, Outcome("ben", "graded"))
    ledger.append(course, UNIT, Outcome("ben", "crashed"))
    path = ledger.ledger_path(course, UNIT)
    path.write_bytes(path.read_bytes() + b'{"student": "car')
    found = ledger.read(course, UNIT)
    assert {name: outcome.status for name, outcome in found.items()} == {"ada": "graded", "ben": "crashed"}
    ledger.write(course, UNIT, found)
    assert path.read_bytes().endswith(b"}\n") and len(ledger.read(course, UNIT)) == 2


@pytest.mark.parametrize(
    ("file", "counts"),
    [("repair/rules.py", True), ("marks.py", True), ("hidden/ngrams.py", True), ("hidden/b.py", False)],
)
def test_marks_depend_on_the_engine_too(tmp_path, monkeypatch, file, counts):
    """An update that mends or judges otherwise grades again; another unit's hidden checks do not."""
    course, grader = little_course.make(tmp_path / "course"), tmp_path / "autograder"
    monkeypatch.setattr("autograder.__file__", str(grader / "__init__.py"))
    path = grader / file
    path.parent.mkdir(parents=True)
    path.write_text("old = 1\n", encoding="utf-8")
    before = ledger.graders_key(course, UNIT)
    path.write_text("new = 1\n", encoding="utf-8")
    assert (ledger.graders_key(course, UNIT) != before) == counts


@pytest.mark.parametrize(
    ("file", "counts"), [("checking/plain.py", True), ("checks/helpers/toys.py", True), ("data/finding.py", False)]
)
def test_marks_depend_on_what_checks_use(tmp_path, monkeypatch, file, counts):
    """Helpers say what a right answer is, as checks do; what a notebook reads does not."""
    course, library = little_course.make(tmp_path / "course"), tmp_path / "unrolled"
    monkeypatch.setattr("unrolled.__file__", str(library / "__init__.py"))
    path = library / file
    path.parent.mkdir(parents=True)
    path.write_text("old = 1\n", encoding="utf-8")
    before = ledger.graders_key(course, UNIT)
    path.write_text("new = 1\n", encoding="utf-8")
    assert (ledger.graders_key(course, UNIT) != before) == counts
