"""A folder or a zip archive as a list of files with names, read when they are needed and never unpacked.

Passed over: hidden files, links, what operating systems and Python leave behind.
"""

import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from autograder.course import Trouble
from autograder.receiving.errors import Unreadable
from autograder.receiving.files import SKIPPED, read_file
from autograder.words import one_line

LARGEST = 128 * 2**20  # bytes of one file
MOST = 20_000  # files of one source


@dataclass(frozen=True)
class Entry:
    """A file of a source: where it lies in it, how to read it, in a folder whose it is. `read` raises Unreadable."""

    path: PurePosixPath
    read: Callable[[], bytes]
    account: str = ""


def entries(source: Path) -> list[Entry]:
    """All files, sorted by name. Raises Trouble for what is neither a folder nor an archive that can be opened."""
    if source.is_dir():
        found = list(_of_folder(source, source))
    elif source.is_file():
        found = _of_archive(source)
    else:
        raise Trouble(f"{source} is not there: name a folder or a zip archive.")
    if len(found) > MOST:
        raise Trouble(f"{source} holds more than {MOST:,} files: is it what a platform gave for one unit?")
    return sorted(found, key=lambda entry: entry.path.parts)


def _of_folder(top: Path, folder: Path):
    for path in sorted(folder.iterdir()):
        if passed_over(path.name) or path.is_symlink():
            continue
        if path.is_dir():
            yield from _of_folder(top, path)
        elif path.is_file():
            place = PurePosixPath(path.relative_to(top).as_posix())
            yield Entry(place, lambda path=path: _bounded(path), _account(path))


def _account(path: Path) -> str:
    """The name of the account whose file it is; empty where the system has no such names."""
    try:
        return path.owner()
    except (KeyError, OSError, NotImplementedError):
        return ""


def _bounded(path: Path) -> bytes:
    content = read_file(path, LARGEST)
    if len(content) > LARGEST:
        raise Unreadable(f"{path.name} is larger than {LARGEST // 2**20} MiB")
    return content


def _of_archive(source: Path) -> list[Entry]:
    try:
        with zipfile.ZipFile(source) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise Trouble(f"{source} is no zip archive that can be opened ({one_line(str(error), 80)}).") from None
    found = []
    for member in members:
        path = PurePosixPath(member.filename.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts or (path.parts and ":" in path.parts[0][:2]):
            raise Trouble(f"{source} would write outside its folder: {one_line(member.filename, 80)}.")
        if path.parts and not any(map(passed_over, path.parts)):
            found.append(Entry(path, lambda member=member: _member(source, member)))
    return found


def _member(source: Path, member: zipfile.ZipInfo) -> bytes:
    """Never more than LARGEST bytes are made of it, whatever it says of its size."""
    try:
        with zipfile.ZipFile(source) as archive, archive.open(member) as stream:
            content = stream.read(LARGEST + 1)
    except Exception as error:  # an archive can be damaged in many ways
        raise Unreadable(f"{member.filename} cannot be read from the archive: {error}") from None
    if len(content) > LARGEST:
        raise Unreadable(f"{member.filename} is larger than {LARGEST // 2**20} MiB")
    return content


def passed_over(name: str) -> bool:
    """Whether a file or folder of this name is nobody's work."""
    return name.startswith(".") or name in SKIPPED
