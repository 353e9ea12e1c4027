"""Every attempt is kept under `collected/`, whole; a copy of the last one lies under `submitted/`, where grading looks.

Nothing is overwritten. What stands under `submitted/` and was not collected is left alone, unless it may be replaced;
then it is kept first. An attempt is named by its time and its content, so that the same one is never kept twice.
"""

import hashlib
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from autograder.course import Assignment
from autograder.receiving.handed_in import NAME as TIMESTAMP

STAMP = "%Y-%m-%d %H:%M:%S +0000"
Files = dict[PurePosixPath, bytes]


@dataclass(frozen=True)
class Kept:
    """What an attempt consists of, with its time in timestamp.txt. `order`: the last one of a student's counts."""

    files: tuple[tuple[PurePosixPath, bytes], ...]
    order: tuple[float, int, int]  # time, source, rank

    @property
    def name(self) -> str:
        """The folder under `collected/`: by time, then content."""
        time = datetime.fromtimestamp(self.order[0], UTC)
        return f"{time.strftime('%Y-%m-%dT%H-%M-%SZ') if self.order[0] else 'untimed'}-{digest(dict(self.files))}"


def kept(files: Files, time: datetime | None, source: int, rank: int) -> Kept:
    """An attempt as it will lie on disk. A time of the platform's takes the place of a timestamp.txt that was in it."""
    whole = dict(files)
    if time is not None:
        whole[PurePosixPath(TIMESTAMP)] = f"{time.strftime(STAMP)}\n".encode()
    return Kept(tuple(sorted(whole.items())), (time.timestamp() if time else 0.0, source, rank))


def digest(files: Files) -> str:
    """Eight signs for names and content."""
    whole = hashlib.sha256()
    for path, content in sorted(files.items()):
        whole.update(f"{path}\0{len(content)}\0".encode("utf-8", "surrogateescape") + content)
    return whole.hexdigest()[:8]


def shelf(assignment: Assignment, student: str) -> Path:
    """Where a student's attempts at a unit are kept."""
    return assignment.course.root / "collected" / assignment.name / student


def last(those: list, key: Callable):
    """The one that counts; of equals the later in the list."""
    return max(reversed(those), key=key)


def place(assignment: Assignment, student: str, found: list[Kept], replace: bool, dry_run: bool) -> str:
    """Keep all of them and put the last one where it counts. What came of it: one of OUTCOMES."""
    home, here = assignment.submitted(student), on_disk(assignment.submitted(student))
    shelved = {path.name: path for path in _folders(shelf(assignment, student))}
    counts = last(found, key=lambda attempt: attempt.order)
    if not dry_run:
        for attempt in found:
            if attempt.name not in shelved:
                _write(shelf(assignment, student) / attempt.name, dict(attempt.files))
    if here == dict(counts.files):
        return "unchanged"
    if here:
        before = next((name for name, path in shelved.items() if on_disk(path) == here), None)
        if before is None and not replace:
            return "left alone"
        if before and not before.startswith("untimed") and counts.order[0] and before > counts.name:
            return "older"
        if before is None and not dry_run:
            _write(shelf(assignment, student) / f"before-{digest(here)}", here)
    if not dry_run:
        _put(home, dict(counts.files))
    return "replaced" if here else "placed"


OUTCOMES = {  # what `place` says, and how it is told
    "placed": "placed",
    "replaced": "replaced by a later attempt",
    "unchanged": "there already",
    "older": "older than what is there, and only kept",
    "left alone": "left alone, since other files lie there (--replace keeps those and puts these)",
}


def on_disk(folder: Path) -> Files:
    """All ordinary files below a folder."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()) if folder.is_dir() else ()
    return {PurePosixPath(path.relative_to(folder).as_posix()): path.read_bytes() for path in files}


def _folders(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []


def _write(folder: Path, files: Files) -> None:
    """Whole or not at all."""
    new = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    try:
        for path, content in files.items():
            file = new.joinpath(*path.parts)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        os.replace(new, folder)
    except OSError:
        shutil.rmtree(new, ignore_errors=True)
        raise


def _put(home: Path, files: Files) -> None:
    """In the place of what lies there, which is kept already."""
    old = home.with_name(f".{home.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if home.exists():
        os.replace(home, old)
    try:
        _write(home, files)
    except OSError:
        if old.exists() and not home.exists():
            os.replace(old, home)
        raise
    shutil.rmtree(old, ignore_errors=True)
