"""A released little course with recorded answers to its written question, and the server that marks them."""

import contextlib
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import little_course
from little_course import RIGHT, cell_called, released

from autograder.outcome import Exercise, Judged, Outcome
from autograder.recording import gradebook
from autograder.recording.recorder import recording

QUESTION = "written-question"
SCORES = {"throw_sum-check": 2.0, "surprise-check": 3.0, QUESTION: None}
STARTS = 240  # seconds, on a machine with other work, too


def made(folder: Path, answers: dict[str, str | dict]) -> little_course.Assignment:
    """The course with one recorded submission a student."""
    assignment = little_course.make_released(folder)
    record(assignment, answers)
    return assignment


def record(assignment, answers: dict[str, str | dict], **scores) -> None:
    """Records answers as the jail would have judged them; one may be a whole cell's content."""
    with recording(assignment) as book:
        for student, answer in answers.items():
            notebook = released(assignment)
            for name, source in RIGHT.items():
                cell_called(notebook, name)["source"] = source
            changed = answer if isinstance(answer, dict) else {"source": answer}
            cell_called(notebook, QUESTION).update(changed)
            outcome = Outcome(student, "graded", exercises=[Exercise("throw_sum", 2, 2.0)])
            judged = Judged(outcome, json.dumps(notebook).encode(), scores=SCORES | scores)
            book.record(judged, json.dumps(answer))


def standing(assignment, student: str, name: str = QUESTION) -> tuple:
    """Points by hand, whether a person is asked, and a person's comment, as nbgrader's own API says them."""
    unit, notebook = assignment.name, assignment.notebook
    with gradebook.gradebook(assignment.course) as book:
        grade = book.find_grade(name, notebook, unit, student)
        comment = book.find_comment(name, notebook, unit, student)
        return grade.manual_score, grade.needs_manual_grade, comment.manual_comment


@contextlib.contextmanager
def served(assignment, log: Path, *options: str) -> Iterator[str]:
    """The address, with its token, at which `autograder mark` serves; it is stopped at the end."""
    command = [sys.executable, "-m", "autograder.cli", "mark", assignment.name, "--no-browser", *options]
    with open(log, "w") as said:
        server = subprocess.Popen(command, cwd=assignment.course.root, stdout=said, stderr=said, env=dict(os.environ))
    try:
        yield _address(server, log)
    finally:
        server.kill()  # as a power cut would: what was given by then must be there
        server.wait(30)


def _address(server: subprocess.Popen, log: Path) -> str:
    for _ in range(STARTS * 5):
        assert server.poll() is None, log.read_text()
        if found := re.search(r"Open (http://127\.0\.0\.1:\d+/\S+)", log.read_text()):
            return found[1]
        time.sleep(0.2)
    raise AssertionError(log.read_text())
