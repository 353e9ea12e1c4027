"""The one writer: judged submissions into nbgrader's gradebook, the autograded/ folder and the record of the unit.

For each submission, in this order: the notebook, with `NAME.grading.json` beside it; the gradebook, in one transaction
that clears the old automatic scores and writes the new ones; last the line in the unit's record (`ledger`) that says
"done". Whoever is stopped in between grades that submission again, and gets the same.

`NAME.grading.json` (schema 1): `unit`, `student`, `status`, `reason`, `repairs`, `seconds`, `earned`, `points` (without
what waits for a person), `layers` of the jail, `key` (the hash of all that the marks depend on) and `reports`, one for
each exercise in the form of `unrolled.checking.Report.to_dict`. It names hidden checks and their values: not for
students.
"""

import contextlib
import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path

from autograder.course import Assignment, Trouble
from autograder.outcome import Judged, Outcome
from autograder.receiving.files import walk
from autograder.recording import ledger
from autograder.recording.by_hand import given
from autograder.recording.gradebook import gradebook
from autograder.recording.marking import writing
from autograder.recording.marks import Marks

SCHEMA = 1
MOST_FILES, MOST_BYTES = 200, 64_000_000  # of what lies beside a submitted notebook and is copied with it


@contextlib.contextmanager
def recording(assignment: Assignment) -> Iterator["Recorder"]:
    """A recorder, for one process at a time."""
    with _alone(assignment), gradebook(assignment.course) as book:
        known = ledger.read(assignment)
        ledger.write(assignment, known)
        yield Recorder(assignment, Marks(assignment, book.db), known)


class Recorder:
    """Writes down one submission after another."""

    def __init__(self, assignment: Assignment, marks: Marks, known: dict[str, Outcome]):
        """`known`: the outcomes that are recorded already, by student."""
        self._assignment, self._marks, self._known = assignment, marks, known
        directory = assignment.course.directory
        self._ignored = [*directory.ignore, "*.ipynb"]
        self._mode = 0o664 if directory.groupshared else 0o444  # as nbgrader does

    def record(self, judged: Judged, key: str) -> Outcome:
        """Writes it down; `key` is the hash of all that its marks depend on. Returns the outcome as recorded."""
        with writing(self._assignment):  # no mark is given between the old answer and the new one
            return self._record(judged, key)

    def _record(self, judged: Judged, key: str) -> Outcome:
        student, key = judged.outcome.student, judged.outcome.key or key
        grades, before = self._marks.given(student), self._known.get(student)
        by_hand = given(self._assignment, before, grades, judged.notebook, judged.scores)
        outcome = replace(judged.outcome, key=key, by_hand=by_hand, reason=self._with_age(judged, before, key))
        judged = replace(judged, outcome=outcome)
        self._write_files(judged)
        self._marks.write(student, judged)
        ledger.append(self._assignment, outcome)
        return outcome

    def _with_age(self, judged: Judged, before: Outcome | None, key: str) -> str:
        """The reason; and, where an older file has taken the place of a newer one, that it has."""
        time, student = judged.timestamp, judged.outcome.student
        newer = self._marks.handed_in(student) if time and before and before.key != key else None
        if newer is None or newer <= time:
            return judged.outcome.reason
        told = f"handed in {time:%Y-%m-%d %H:%M} UTC, before what was graded until now ({newer:%Y-%m-%d %H:%M} UTC)"
        return "; ".join(filter(None, [judged.outcome.reason, told]))

    def _write_files(self, judged: Judged) -> None:
        """An old run must not be taken for the new one's, so its folder goes first."""
        student, path = judged.outcome.student, self._assignment.autograded(judged.outcome.student)
        folder = path.parent
        if folder.exists():
            shutil.rmtree(folder)
        if not judged.notebook:
            return
        folder.mkdir(parents=True)
        for source in (self._assignment.submitted(student), self._assignment.solved.parent):
            self._copy_companions(source, folder)
        self._write(path.with_suffix(".grading.json"), _details(self._assignment.name, judged))
        self._write(path, judged.notebook)

    def _copy_companions(self, source: Path, folder: Path) -> None:
        """Plain files that lie beside a notebook, such as pictures in a written answer.

        Left are links, floods, what stands where we write, and what cannot be copied: a name may be too long, a file
        closed to us, and none of that may keep the class waiting.
        """
        left, room, taken = MOST_FILES, MOST_BYTES, self._own_names()
        for path in _plain_files(source, self._ignored):
            below = path.relative_to(source)
            if below.parts[0] in taken:
                continue
            with contextlib.suppress(OSError):
                left, room = left - 1, room - path.stat().st_size
                if left < 0 or room < 0:
                    return
                (folder / below).parent.mkdir(parents=True, exist_ok=True)
                self._write(folder / below, path.read_bytes())

    def _own_names(self) -> set[str]:
        """What the recorder itself writes into a folder, and each for a moment under another name."""
        name = self._assignment.notebook
        own = f"{name}.ipynb", f"{name}.grading.json"
        return {*own, *(_new(Path(each)).name for each in own)}

    def _write(self, path: Path, content: bytes) -> None:
        """In one step: a reader finds the old file or the new one."""
        new = _new(path)
        new.write_bytes(content)
        new.chmod(self._mode)
        os.replace(new, path)


def _new(path: Path) -> Path:
    return path.with_name(path.name + ".new")


def _details(unit: str, judged: Judged) -> bytes:
    outcome = judged.outcome
    marked = [exercise for exercise in outcome.exercises if exercise.earned is not None]
    record = {
        "schema": SCHEMA,
        "unit": unit,
        **{name: getattr(outcome, name) for name in ("student", "status", "reason", "repairs", "seconds", "key")},
        "earned": sum(exercise.earned for exercise in marked),
        "points": sum(exercise.points for exercise in marked),
        "layers": judged.layers,
        "reports": judged.reports,
    }
    return json.dumps(record).encode()


def _plain_files(folder: Path, ignored: list[str]) -> Iterator[Path]:
    """By their names: nbgrader's `is_ignored` takes a bracket in the course's path for a pattern."""
    return (path for path in walk(folder) if not path.is_symlink() and not any(fnmatch(path.name, e) for e in ignored))


@contextlib.contextmanager
def _alone(assignment: Assignment) -> Iterator[None]:
    """Holds a lock that ends with this process."""
    path = assignment.record.with_suffix(".lock")
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            told = f"{assignment.name} is being graded by another `autograder grade`: wait for it, or stop it."
            raise Trouble(told) from None
        yield
