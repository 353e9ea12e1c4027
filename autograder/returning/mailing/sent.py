"""What went out: `feedback/01_ngrams.mailed.jsonl`, a line for each step, written through to the disk.

A line is `{"student", "digest", "address", "state", "time"}`; of several of one page the last counts. `begun` stands
there from just before a page is handed to the server until its answer: whoever is stopped in between cannot know
whether it went out, so that page is sent again only if somebody says so.
"""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from autograder.course import Assignment, Trouble

BEGUN, SENT, REFUSED = "begun", "sent", "refused"


@dataclass(frozen=True)
class Step:
    """The last that is known of a page."""

    state: str
    address: str
    time: str


def place(assignment: Assignment) -> Path:
    return assignment.feedback("x").parents[2] / f"{assignment.name}.mailed.jsonl"


def read(assignment: Assignment) -> dict[tuple[str, str], Step]:
    """By student and the page's digest. A last line that was torn is passed over. Raises Trouble."""
    path = place(assignment)
    try:
        lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    except FileNotFoundError:
        return {}
    found = {}
    for number, line in enumerate(lines, 1):
        try:
            said = json.loads(line)
            found[said["student"], said["digest"]] = Step(said["state"], said["address"], said["time"])
        except (ValueError, KeyError, TypeError):
            raise Trouble(f"{path}, line {number} is damaged: mend it, since it says what was sent already.") from None
    return found


@contextmanager
def writing(assignment: Assignment) -> Iterator["Book"]:
    """The record, for one process at a time. Raises Trouble."""
    path = place(assignment)
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "ab+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Trouble(f"{assignment.name} is being mailed by another `autograder mail`: wait for it.") from None
        _end_line(file)
        yield Book(file)


class Book:
    """Adds lines."""

    def __init__(self, file):
        self._file = file

    def note(self, student: str, digest: str, address: str, state: str) -> None:
        """On the disk when this returns."""
        time = datetime.now(UTC).isoformat(timespec="seconds")
        line = {"student": student, "digest": digest, "address": address, "state": state, "time": time}
        self._file.write(json.dumps(line).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def _end_line(file) -> None:
    """Takes off a line that was torn, before which nothing was sent."""
    file.seek(0)
    content = file.read()
    if content and not content.endswith(b"\n"):
        file.truncate(content.rfind(b"\n") + 1)
