"""Reading a file that somebody else chose: an ordinary one, within bounds, and no link to anywhere."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from .errors import Unreadable

MAX_DEPTH = 5
MAX_ENTRIES = 2_000
SKIPPED = ("__MACOSX", "node_modules", "__pycache__")


def read_file(path: Path, most: int) -> bytes:
    """The bytes of an ordinary file, at most `most` + 1 of them. Raises Unreadable."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)  # a pipe would block for ever
    except OSError as error:
        kind = "is a link" if path.is_symlink() else f"cannot be read: {error.strerror}"
        raise Unreadable(f"{path.name} {kind}") from None
    with os.fdopen(handle, "rb") as stream:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise Unreadable(f"{path.name} is no ordinary file")
        return stream.read(most + 1)


def walk(folder: Path) -> Iterator[Path]:
    """All ordinary files and links below `folder`, hidden ones left out; sorted, the upper folders first."""
    waiting, seen = [(folder, 0)], 0
    while waiting:
        place, depth = waiting.pop(0)
        for entry in _sorted(place):
            seen += 1
            if seen > MAX_ENTRIES:
                return
            if entry.name.startswith(".") or entry.name in SKIPPED:
                continue
            if entry.is_symlink() or entry.is_file(follow_symlinks=False):
                yield Path(entry.path)
            elif entry.is_dir(follow_symlinks=False) and depth < MAX_DEPTH:
                waiting.append((Path(entry.path), depth + 1))


def _sorted(folder: Path) -> list[os.DirEntry]:
    """The entries of a folder by name; of an endless folder only as many as are looked at."""
    try:
        with os.scandir(folder) as entries:
            some = [entry for entry, _ in zip(entries, range(MAX_ENTRIES + 1), strict=False)]
    except OSError:
        return []
    return sorted(some, key=lambda entry: entry.name)
