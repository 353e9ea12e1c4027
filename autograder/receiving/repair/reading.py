"""From a file's bytes to a notebook as plain dicts and lists: encodings, strangers, conflicts, torn JSON.

Every step is bounded: the file's length, its brackets (each costs memory once it is read), the number of cells.
Outputs are of no concern here; they are dropped when the cells are looked at, and of a long file its figures before it
is measured: two hundred of them make no notebook unreadable.
"""

import codecs
import json
import re
from dataclasses import dataclass, field
from typing import Any

from ..errors import NotANotebook, Unreadable
from .conflicts import has_conflict, sides
from .recovery import recover

MIB = 2**20
MAX_BYTES = 25 * MIB  # without the pictures of its outputs
MAX_READ = 128 * MIB  # with them
PICTURE = re.compile(rb'("data":\s*\{\s*"image/(?:png|jpeg)":\s*")(?:[A-Za-z0-9+/=]|\\n)+"')  # of an output
MAX_BRACKETS = 1_000_000
MAX_CELLS = 3_000
MARKS = {  # the longer ones first: that of UTF-32 begins with that of UTF-16
    codecs.BOM_UTF32_LE: ("utf-32-le", "UTF-32"),
    codecs.BOM_UTF32_BE: ("utf-32-be", "UTF-32"),
    codecs.BOM_UTF16_LE: ("utf-16-le", "UTF-16"),
    codecs.BOM_UTF16_BE: ("utf-16-be", "UTF-16"),
}
STRANGERS = {
    b"PK\x03\x04": "a zip archive",
    b"\x1f\x8b": "a gzip archive",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a rar archive",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
}


@dataclass
class Draft:
    """What a file holds. `notebooks` has two only after a merge conflict, the side that counts first.

    `torn` says that cells may be lost, so that whatever is missing should come from the release.
    """

    notebooks: list[dict[str, Any]]
    repairs: list[str] = field(default_factory=list)
    torn: bool = False


def read(raw: bytes) -> Draft:
    """Raises Unreadable for what holds no cells."""
    raw = PICTURE.sub(rb'\1"', raw) if MAX_BYTES < len(raw) <= MAX_READ else raw
    _refuse_stranger(raw)
    text, repairs = decode(raw)
    _refuse_web_page(text)
    if text.count("[") + text.count("{") > MAX_BRACKETS:
        raise Unreadable(f"the file has more than {MAX_BRACKETS:,} brackets: clear the outputs and hand in again")
    notebook, complaint = _load(text)
    if notebook is not None:
        return Draft([notebook], repairs)
    if has_conflict(text):
        return _both_sides(text, repairs)
    notebook = _recovered(text)
    if not notebook["cells"]:
        raise NotANotebook(f"not a notebook: {complaint}")
    return Draft([notebook], [*repairs, _told(len(notebook["cells"]))], torn=True)


def decode(raw: bytes) -> tuple[str, list[str]]:
    """The file as text: UTF-8, else by its mark, else UTF-16 by its zeros, else Windows-1252 byte by byte."""
    if raw.startswith(codecs.BOM_UTF8):
        text, repairs = decode(raw.lstrip(codecs.BOM_UTF8))
        return text, ["the file began with a byte order mark", *repairs]
    for mark, (encoding, name) in MARKS.items():
        if raw.startswith(mark):
            return raw[len(mark) :].decode(encoding, "replace"), [f"the file was in {name} and was read as such"]
    if encoding := _by_zeros(raw[:4000]):
        return raw.decode(encoding, "replace"), ["the file was in UTF-16 and was read as such"]
    try:
        return raw.decode("utf-8"), []
    except UnicodeDecodeError:
        return raw.decode("utf-8", "windows-1252"), ["what was not UTF-8 was read as Windows-1252 (Latin-1)"]


def _as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    """Decodes the bytes that are no UTF-8; the five that Windows-1252 does not know are Latin-1's."""
    damaged = error.object[error.start : error.end]
    letters = (bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in damaged)
    return "".join(letters), error.end


codecs.register_error("windows-1252", _as_windows_1252)


def _by_zeros(head: bytes) -> str | None:
    """UTF-16 of a mostly English text is zero in every second byte."""
    pairs = len(head) // 2
    if pairs and head[1::2].count(0) > 0.3 * pairs:
        return "utf-16-le"
    return "utf-16-be" if pairs and head[0::2].count(0) > 0.3 * pairs else None


def _refuse_stranger(raw: bytes) -> None:
    if len(raw) > MAX_BYTES:
        raise Unreadable(f"the file has {len(raw) / MIB:.0f} MiB, more than {MAX_BYTES // MIB}: clear the outputs")
    if not raw.strip(b"\0 \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise NotANotebook("the file is empty")
    for begins, kind in STRANGERS.items():
        if raw.startswith(begins):
            raise NotANotebook(f"{kind}, not a notebook")


def _refuse_web_page(text: str) -> None:
    head = text[:2000].lstrip("\ufeff \t\r\n").lower()
    if head.startswith("<") and ("<html" in head or "<!doctype html" in head):
        raise NotANotebook("a web page, not a notebook: download the notebook itself and hand that in")


def _load(text: str) -> tuple[dict[str, Any] | None, str]:
    """The notebook, or why there is none."""
    try:
        value = json.loads(text.lstrip("\ufeff"), strict=False)
    except ValueError as error:
        return None, str(error).splitlines()[0][:150]
    except RecursionError:
        return None, "nested without measure"
    if isinstance(value, dict) and (isinstance(value.get("cells"), list) or isinstance(value.get("worksheets"), list)):
        return value, ""
    return None, "it holds no list of cells"


def _both_sides(text: str, repairs: list[str]) -> Draft:
    first, second = sides(text)
    found, torn = [], False
    for side in (second, first):
        notebook, _ = _load(side)
        if notebook is None:
            notebook, torn = _recovered(side), True
        found.append(notebook)
    told = "two versions stood in the file, with git's conflict markers: the last answer that is Python counts"
    return Draft(found, [*repairs, told], torn)


def _recovered(text: str) -> dict[str, Any]:
    return {"cells": recover(text, MAX_CELLS + 1), "nbformat": 4, "nbformat_minor": 4}


def _told(number: int) -> str:
    return f"the file is damaged: {number} cell{'s' * (number != 1)} could be read, what is missing is as released"
