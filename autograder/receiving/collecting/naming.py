"""What a student called files, as names that any file system takes: each file keeps one of its own."""

import unicodedata
from collections.abc import Iterable
from pathlib import PurePosixPath

from autograder.receiving.handed_in import NAME as TIMESTAMP
from autograder.words import printable

LONGEST = 200  # bytes of a name; file systems take 255, and what is written first is called a little longer
ENDING = 20  # bytes of an ending that is kept when the rest is cut
FORBIDDEN = str.maketrans(dict.fromkeys('/\\:*?"<>|', "_"))


def named(paths: Iterable[PurePosixPath]) -> dict[PurePosixPath, PurePosixPath]:
    """A path for each file; two that would be one, also for systems where a and A are, are numbered."""
    taken = {(PurePosixPath(), TIMESTAMP): ((TIMESTAMP,), True)}  # in a folder, a name: whose it is, and if a file's
    found = {}
    for path in sorted(paths):
        here = PurePosixPath()
        for depth in range(1, len(path.parts) + 1):
            here = here / _free(here, path.parts[:depth], depth == len(path.parts), taken)
        found[path] = here
    return found


def _free(folder: PurePosixPath, parts: tuple[str, ...], is_file: bool, taken: dict) -> str:
    """A name that is no other's in a folder."""
    number, name = 1, _plain(parts[-1])
    while taken.setdefault((folder, _as_compared(name)), (parts, is_file)) != (parts, is_file):
        number += 1
        name = _plain(parts[-1], f"-{number}")
    return name


def _plain(part: str, mark: str = "") -> str:
    """One name. Spaces at its ends go first: what is `..` without them would lead out of the student's folder."""
    name = printable(" ".join(part.split())).translate(FORBIDDEN)
    name = name if name and not name.startswith(".") else f"_{name}"
    stem, dot, ending = name.rpartition(".")
    if not stem or len(ending.encode()) > ENDING:
        stem, dot, ending = name, "", ""
    most = LONGEST - len(f"{mark}{dot}{ending}".encode())
    return stem.encode()[:most].decode(errors="ignore") + mark + dot + ending


def _as_compared(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()
