"""When a repository's last commit was made, read from its files. Git is not run: here a student may have set it up.

Read are objects by themselves and in packs (`gitformat-pack` in Git's documentation), also as a difference to another
one. Whatever is odd, too large or missing gives no time.
"""

import re
import zlib
from bisect import bisect_left
from datetime import UTC, datetime
from pathlib import Path

from autograder.receiving.errors import Unreadable
from autograder.receiving.files import read_file

SHA = re.compile(r"[0-9a-f]{40}")
REF = re.compile(r"ref: (refs/[\w./-]+)")
COMMITTER = re.compile(rb"^committer .*> (\d{1,10}) [+-]\d{4}$", re.MULTILINE)
LARGEST_FILE = 256 * 2**20  # bytes of a pack
MOST_PACKS = 50
LARGEST = 2**20  # bytes of a commit
DEEPEST = 50  # differences upon differences
COMMIT, BY_OFFSET = 1, 6  # kinds of objects in a pack
ODD = (Unreadable, OSError, ValueError, IndexError, StopIteration, OverflowError, zlib.error)


def committed(git: Path) -> datetime | None:
    """The time in UTC, by the clock of whoever made the commit; None where it cannot be read."""
    try:
        name = _head(git)
        time = COMMITTER.search(_loose(git, name) or _packed(git, name))
        return datetime.fromtimestamp(int(time[1]), UTC) if time else None
    except ODD:
        return None


def _head(git: Path) -> str:
    """The commit's name: what HEAD says, or the branch that it names."""
    said = _text(git / "HEAD")
    if not (ref := REF.fullmatch(said)):
        return _sha(said)
    if ".." in ref[1]:
        raise ValueError("a branch outside its folder")
    if (git / ref[1]).is_file():
        return _sha(_text(git / ref[1]))
    lines = (line.split(" ") for line in _text(git / "packed-refs").splitlines())
    return _sha(next(line[0] for line in lines if line[1:] == [ref[1]]))


def _loose(git: Path, name: str) -> bytes:
    """An object that lies by itself, without its heading; nothing if it does not."""
    path = git / "objects" / name[:2] / name[2:]
    if not path.is_file():
        return b""
    kind, _, content = _unpacked(read_file(path, LARGEST)).partition(b"\0")
    return content if kind.startswith(b"commit ") else b""


def _packed(git: Path, name: str) -> bytes:
    for index in sorted((git / "objects" / "pack").glob("*.idx"))[:MOST_PACKS]:
        place = _place(read_file(index, LARGEST_FILE), bytes.fromhex(name))
        if place is not None:
            return _object(read_file(index.with_suffix(".pack"), LARGEST_FILE), place)
    raise ValueError("no such commit")


def _place(index: bytes, name: bytes) -> int | None:
    """Where an object begins in its pack. In the index: 256 counts, names, checksums, places, in version 2."""
    if index[:8] != b"\xfftOc\0\0\0\2":
        raise ValueError("another version")
    names, count = 1032, _number(index[1028:1032])
    if len(index) < names + 28 * count:
        raise ValueError("cut short")
    at = bisect_left(range(count), name, key=lambda at: index[names + 20 * at : names + 20 * (at + 1)])
    if at == count or index[names + 20 * at : names + 20 * (at + 1)] != name:
        return None
    places = names + 24 * count + 4 * at
    return _number(index[places : places + 4])  # 2**31 and more would be in a pack that is too large here


def _object(pack: bytes, place: int, deep: int = 0) -> bytes:
    """A commit in a pack; a difference to another is applied to that."""
    if not 12 <= place < len(pack) or deep > DEEPEST:
        raise ValueError("outside the pack")
    kind, at = pack[place] >> 4 & 7, place
    while pack[at] & 128:
        at += 1
    at += 1
    if kind == COMMIT:
        return _unpacked(pack[at : at + LARGEST])
    if kind != BY_OFFSET:  # in a pack on disk differences are by offset, unless somebody asked for the other way
        raise ValueError("no commit")
    back, at = pack[at] & 127, at + 1
    while pack[at - 1] & 128:
        back, at = (back + 1) << 7 | pack[at] & 127, at + 1
    return _applied(_object(pack, place - back, deep + 1), _unpacked(pack[at : at + LARGEST]))


def _applied(base: bytes, difference: bytes) -> bytes:
    """What a difference makes of its base: pieces copied from it, and new ones."""
    whole, at = bytearray(), _after_number(difference, _after_number(difference, 0))
    while at < len(difference) and len(whole) <= LARGEST:
        step, at = difference[at], at + 1
        if not step & 128:
            whole += difference[at : at + step]
            at += step
            continue
        fields = []
        for bit in range(7):
            present = step >> bit & 1
            fields.append(difference[at] if present else 0)
            at += present
        start, length = (int.from_bytes(bytes(part), "little") for part in (fields[:4], fields[4:]))
        whole += base[start : start + (length or 65536)]
    return bytes(whole)


def _after_number(raw: bytes, at: int) -> int:
    while raw[at] & 128:
        at += 1
    return at + 1


def _unpacked(raw: bytes) -> bytes:
    return zlib.decompressobj().decompress(raw, LARGEST)


def _number(raw: bytes) -> int:
    return int.from_bytes(raw, "big")


def _sha(text: str) -> str:
    if not SHA.fullmatch(text):
        raise ValueError("no commit's name")
    return text


def _text(path: Path) -> str:
    return read_file(path, LARGEST).decode("utf-8").strip()
