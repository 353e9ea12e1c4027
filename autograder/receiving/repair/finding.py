"""Which of the files that somebody handed in is the notebook.

A file that bears the unit's name comes before any other notebook, one that lies open before one in a zip archive, one
nearer to the top before one further down; then the right name, the same in capitals or small letters, the same with
something added, as "(1)", "copy" or ".txt", the highest number first. Links are never followed.

The first of them that can be mended and answers something counts (`mend_submission`). Another that was answered in
another way does not, and is told: nobody need guess which of two versions was meant.
"""

import os
import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from autograder.words import one_line, word_of

from ..errors import Missing, Unreadable
from ..files import read_file, walk
from ..handed_in import handed_in
from . import archives
from .mending import Mended, mend
from .reading import MAX_BYTES, MAX_READ, MIB

MOST_FOUND = 10
MOST_COMPARED = 3  # notebooks beside the one that counts, of which is told what they hold
NOTEBOOK = re.compile(r"(.+?)\.ipynb(.{0,16})", re.DOTALL)
RIGHT, RECASED, RENAMED, OTHER = range(4)
Rank = tuple[bool, bool, int, int, int]


@dataclass(frozen=True)
class Found:
    """A file that may be the notebook; `name` is its path in the submission. `read` gives its bytes."""

    name: str
    path: Path
    member: str | None = None
    repairs: tuple[str, ...] = ()
    handed_in: datetime | None = None

    def read(self) -> bytes:
        """Raises Unreadable: a link, a damaged archive, a zip bomb."""
        raw = read_file(self.path, MAX_READ)
        if len(raw) > MAX_READ:
            size = self.path.stat().st_size
            raise Unreadable(f"the file has {size / MIB:.0f} MiB, more than {MAX_READ // MIB}: clear the outputs")
        return raw if self.member is None else archives.content(raw, self.member)


def find_submission(folder: Path, unit: str) -> list[Found]:
    """The files that may be the notebook of `unit` (`01_ngrams`), best first. Raises Missing if there is none."""
    stem, ranked, refused = word_of(unit), [], []
    for path in walk(folder) if not _is_linked(folder) else ():
        name = _shown(path.relative_to(folder))
        if path.is_symlink():
            refused.append(f"{one_line(name, 120)} is a link, which is not followed")
            continue
        for inside, member in _contents(path, name, refused):
            if rank := _rank(inside, stem, member is not None):
                ranked.append((rank, inside, path, member))
    if not ranked:
        raise Missing(_why_missing(folder, stem, refused))
    time, notes = handed_in(folder)
    ranked.sort(key=lambda entry: entry[:2])
    return [
        Found(name, path, member, tuple(_renamed(name, stem) + notes + refused[:3]), time)
        for _, name, path, member in ranked[:MOST_FOUND]
    ]


def mend_submission(
    folder: Path, unit: str, release_notebook: dict[str, Any], source_notebook: dict[str, Any]
) -> tuple[Found, Mended]:
    """The file that counts, and its notebook mended. Raises Missing, or Unreadable with the reason for each file."""
    candidates, blank, reasons, errors = find_submission(folder, unit), None, [], []
    for found in candidates:
        try:
            mended = mend(found.read(), release_notebook, source_notebook)
        except Unreadable as error:
            errors.append(error)
            reasons.append(f"{one_line(found.name, 120)}: {error}" if len(candidates) > 1 else str(error))
            continue
        mended.repairs = [*found.repairs, *reasons, *mended.repairs]
        if mended.answered:
            others = [other for other in candidates if other is not found]
            mended.repairs += _not_counted(found, mended, others, release_notebook, source_notebook)
            return found, mended
        blank = blank or (found, mended)
    if blank is None:
        raise errors[0] if len(errors) == 1 else _kind(errors)("; ".join(reasons[:3]))
    return blank


def _kind(errors: list[Unreadable]) -> type[Unreadable]:
    """What all of them are, if they are of one kind."""
    first, *others = {type(error) for error in errors}
    return Unreadable if others else first


def _not_counted(
    counts: Found, mended: Mended, others: list[Found], release: dict[str, Any], source: dict[str, Any]
) -> list[str]:
    """A sentence on what other notebooks of the submission hold, if they answer something in another way."""
    told = []
    for other in others[:MOST_COMPARED]:
        with suppress(Unreadable):
            beside = mend(other.read(), release, source)
            if beside.answered and _answers(beside) != _answers(mended):
                told.append(f"{one_line(other.name, 120)} has {beside.answered} and does not count")
    exercises = f"{mended.answered} exercise{'s' * (mended.answered != 1)} answered"
    return [f"{one_line(counts.name, 120)} counts, with {exercises}; {', '.join(told)}"] if told else []


def _answers(mended: Mended) -> list[str]:
    """What stands in the cells that are the student's to write."""
    cells = mended.notebook["cells"]
    return [cell["source"] for cell in cells if cell["metadata"].get("nbgrader", {}).get("solution")]


def _contents(path: Path, name: str, refused: list[str]) -> Iterator[tuple[str, str | None]]:
    """The file itself, or the members of an archive, whatever it is called."""
    zipped = path.suffix.lower() == ".zip"
    if not zipped and not (NOTEBOOK.fullmatch(path.name) and _begins_as_zip(path)):
        yield name, None
        return
    try:
        raw = read_file(path, MAX_BYTES)
        if len(raw) > MAX_BYTES:
            raise Unreadable("the archive is too long")
        yield from ((f"{name}/{member}", member) for member in archives.members(raw))
    except Unreadable as error:
        refused.append(f"{one_line(name, 120)} was not opened: {error}")


def _begins_as_zip(path: Path) -> bool:
    try:
        return read_file(path, 3) == b"PK\x03\x04"
    except Unreadable:
        return False


def _rank(name: str, stem: str, archived: bool) -> Rank | None:
    """How good a name is, the smaller the better; None for what is no notebook's name."""
    path = PurePosixPath(name)
    match = NOTEBOOK.fullmatch(unicodedata.normalize("NFC", path.name).casefold())
    if match is None or any(part.startswith(".") or part == "__MACOSX" for part in path.parts):
        return None
    head, tail = match.groups()
    stem, named = stem.casefold(), re.search(rf"(?<![a-z]){re.escape(stem.casefold())}(?![a-z])(.*)", head, re.DOTALL)
    if path.name == f"{stem}.ipynb":
        kind = RIGHT
    elif (head, tail) == (stem, ""):
        kind = RECASED
    else:
        kind = RENAMED if named else OTHER
    numbers = re.findall(r"\d{1,4}", (named.group(1) if named else "") + tail)
    return kind == OTHER, archived, len(path.parts), kind, -int(numbers[-1]) if numbers else 0


def _renamed(name: str, stem: str) -> list[str]:
    return [] if name == f"{stem}.ipynb" else [f"the notebook was handed in as {one_line(name, 120)}"]


def _why_missing(folder: Path, stem: str, refused: list[str]) -> str:
    if _is_linked(folder):
        return f"no {stem}.ipynb; the folder is a link, which is not followed"
    others = [one_line(_shown(path.relative_to(folder)), 60) for path in walk(folder)]
    holds = f"the folder holds {', '.join(others[:5])}" if others else "the folder is empty"
    return "; ".join([f"no {stem}.ipynb", holds, *refused[:3]])


def _is_linked(folder: Path) -> bool:
    """Whether a unit's folder, or the student's that it lies in, is somebody else's."""
    return folder.is_symlink() or folder.parent.is_symlink()


def _shown(path: Path) -> str:
    """A path as text that can be written anywhere, whatever bytes its name has."""
    return os.fsencode(path.as_posix()).decode("utf-8", "replace")
