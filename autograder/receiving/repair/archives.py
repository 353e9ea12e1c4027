"""Notebooks inside a zip archive, read member by member into memory. Nothing is ever unpacked to disk.

Refused: an archive that is too long or has too many members, a member that would leave its folder, a link, a member
that is encrypted or grows beyond all bounds. Archives in archives stay closed.
"""

import io
import stat
import zipfile
import zlib
from pathlib import PurePosixPath

from ..errors import Unreadable
from .reading import MAX_BYTES, MIB

MAX_MEMBERS = 1_000
MAX_DIRECTORY = MIB  # bytes of the archive's table of contents
MAX_RATIO = 500  # a notebook shrinks to a tenth or so, a bomb to a thousandth
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the others may ask for gigabytes to begin with
BROKEN = (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError, NotImplementedError, KeyError)
END, ZIP64 = b"PK\x05\x06", b"PK\x06\x07"


def members(raw: bytes) -> list[str]:
    """The names of all ordinary files in an archive. Raises Unreadable for one that cannot be trusted."""
    with _opened(raw) as archive:
        found = archive.infolist()
    if len(found) > MAX_MEMBERS:
        raise Unreadable(f"the archive has more than {MAX_MEMBERS:,} members")
    for member in found:
        _refuse_wanderer(member)
    return [member.filename for member in found if not member.is_dir()]


def content(raw: bytes, name: str) -> bytes:
    """A member's bytes. Raises Unreadable."""
    with _opened(raw) as archive:
        member = archive.getinfo(name)
        if member.file_size > MAX_BYTES or member.file_size > MAX_RATIO * max(member.compress_size, 100):
            raise Unreadable(f"{name} unpacks to {member.file_size / MIB:.0f} MiB: it may be a zip bomb")
        if member.flag_bits & 1:
            raise Unreadable(f"{name} is encrypted")
        if member.compress_type not in METHODS:
            raise Unreadable(f"{name} is packed in a way that is not opened here")
        try:
            with archive.open(member) as stream:
                return stream.read(MAX_BYTES + 1)
        except BROKEN as error:
            raise Unreadable(f"{name} is damaged in the archive: {error}") from error


def _opened(raw: bytes) -> zipfile.ZipFile:
    end = raw.rfind(END, max(0, len(raw) - 2**16 - 22))
    table = int.from_bytes(raw[end + 12 : end + 16], "little")
    if end >= 0 and (table > MAX_DIRECTORY or ZIP64 in raw[max(0, end - 20) : end]):
        raise Unreadable("the archive's table of contents is too long")
    try:
        return zipfile.ZipFile(io.BytesIO(raw))
    except BROKEN as error:
        raise Unreadable(f"a damaged zip archive: {error}") from error


def _refuse_wanderer(member: zipfile.ZipInfo) -> None:
    path = PurePosixPath(member.filename.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or ":" in path.parts[0]:
        raise Unreadable(f"the archive would write outside its folder: {member.filename[:80]}")
    if stat.S_ISLNK(member.external_attr >> 16):
        raise Unreadable(f"the archive holds a link: {member.filename[:80]}")
