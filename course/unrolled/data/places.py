"""Where data lies on this machine: a cache of one's own, a mirror folder that somebody filled, the course's own folder.

UNROLLED_CACHE moves the cache. UNROLLED_DATA names the mirror; without it, it is `../shared/data` beside a checkout of
the course. A file is sound if its SHA-256 is the registered one; any other is named once and passed over.
"""

import os
from functools import cache
from pathlib import Path

import pooch

from unrolled.errors import OneLineError

COURSE = Path(__file__).resolve().parents[2]  # the folder with the notebooks, unless the package is installed elsewhere


class DataError(OneLineError):
    """Something that the course reads is not there and cannot be had; the message says what to do."""


def cache_folder() -> Path:
    """Where fetched files and stand-ins are kept."""
    return Path(os.environ.get("UNROLLED_CACHE") or pooch.os_cache("unrolled")).expanduser()


def mirror_folder() -> Path:
    """Where data sets may lie already, to be read in place; it need not exist."""
    return Path(os.environ.get("UNROLLED_DATA") or COURSE.parents[1] / "shared" / "data").expanduser()


def sound(path: Path, sha256: str) -> bool:
    """Whether the registered file is there. Another file in its place is named in one line, and left to be replaced."""
    if not path.is_file():
        return False
    try:
        fault = None if pooch.file_hash(str(path)) == sha256 else "has a wrong SHA-256"
    except OSError as problem:
        fault = f"cannot be read ({problem.strerror})"
    if fault:
        say_once(f"{path} {fault}: it is passed over.")
    return fault is None


@cache
def say_once(line: str) -> None:
    """Print a line, unless this process has printed it."""
    print(line, flush=True)
