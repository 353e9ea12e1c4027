"""What `nbgrader release_feedback` wants beside a page: when the work was handed in, and its secret.

nbgrader's exchange gives a page back under a name made from a secret that came with the submission, so that nobody
else can ask for it. Both files are those of the graded submission: a later one, collected since, has another secret.
"""

import contextlib
import os
from pathlib import Path

from autograder.course import Assignment
from autograder.receiving.errors import Unreadable
from autograder.receiving.files import read_file

SECRET, TIME = "submission_secret.txt", "timestamp.txt"
MOST = 1000  # bytes


def accompany(assignment: Assignment, student: str) -> None:
    """Puts both beside the student's page, if the work came through the exchange."""
    graded, page = assignment.autograded(student), assignment.feedback(student)
    source = graded.parent if graded.is_file() else assignment.submitted(student)
    if not (source / SECRET).is_file():
        return
    for name in (SECRET, TIME):
        with contextlib.suppress(Unreadable):
            _put(page.with_name(name), read_file(source / name, MOST)[:MOST])


def _put(path: Path, content: bytes) -> None:
    if path.is_file() and path.read_bytes() == content:
        return
    new = path.with_suffix(".new")
    new.write_bytes(content)
    os.replace(new, path)
