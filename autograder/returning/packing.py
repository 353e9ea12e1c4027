"""Feedback pages in one zip, named as a learning platform wants them back.

Moodle ("Upload multiple feedback files in a zip") and Canvas ("Upload Submissions") look only at the names that their
own archive gave the submissions; `collect` keeps these. For any other platform each page is called as its student is.
"""

import io
import os
import re
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from autograder.course import Assignment
from autograder.receiving import class_list
from autograder.receiving.collecting import Who, called, whom, worksheet
from autograder.words import listed, one_line

PLATFORMS = {"moodle": "Moodle", "canvas": "Canvas", "names": ""}
CANVAS = re.compile(r"[^_/]+(?:_LATE)?_\d+_\d+_")  # name, user, attachment: what Canvas reads
FORBIDDEN = re.compile(r'[\\/:*?"<>|]')  # in the name of a file, on one system or another


@dataclass
class Packed:
    """The zip, the pages' names in it by student, and whom the platform would not know."""

    path: Path
    names: dict[str, str] = field(default_factory=dict)
    unnamed: list[str] = field(default_factory=list)

    def to_dict(self) -> dict:
        """As plain data."""
        return {"path": str(self.path), "names": self.names, "unnamed": self.unnamed}

    def told(self, kind: str, unit: str, dry_run: bool = False) -> list[str]:
        """Lines for a terminal."""
        count = f"{len(self.names)} page{'s' * (len(self.names) != 1)}"
        lines = [f"Would pack {count}: {self.path}" if dry_run else f"{self.path}: {count}."]
        if self.unnamed:
            what = f"`autograder collect {unit} ARCHIVE` with {PLATFORMS[kind]}'s archive (it may be run again)"
            also = ", or name its grading worksheet with --moodle" if kind == "moodle" else ""
            lines.append(
                f"{len(self.unnamed)} left out, since it is not known what {PLATFORMS[kind]} calls them: "
                f"{listed(self.unnamed)}. Run {what}{also}."
            )
        if kind == "canvas" and self.names:
            lines.append("Canvas shows each page under the name of the file that was handed in, and it is a web page.")
        return lines


def pack(
    assignment: Assignment, pages: dict[str, Path], kind: str, moodle: Path | None = None, dry_run: bool = False
) -> Packed:
    """Puts `pages`, by student, into one zip; `kind` is a key of PLATFORMS, `moodle` its grading worksheet.

    Equal pages give an equal zip. Raises Trouble for a worksheet that is none.
    """
    packed = Packed(assignment.course.root / f"feedback-{assignment.name}-{kind}.zip")
    name = _names(assignment, kind, moodle)
    for student in sorted(pages):
        inside = name(student)
        if not inside or inside in packed.names.values():
            packed.unnamed.append(student)
        else:
            packed.names[student] = inside
    if packed.names and not dry_run:
        _write(packed.path, ((inside, pages[student].read_bytes()) for student, inside in packed.names.items()))
    return packed


def page_name(assignment: Assignment, student: str) -> str:
    """A page's file name as its student sees it: 01_ngrams-ada.html."""
    return f"{assignment.name}-{plain(student)}.html"


def plain(student: str) -> str:
    """An id as part of a file's name, on any system."""
    return FORBIDDEN.sub("_", one_line(student.encode("utf-8", "replace").decode(), 100))


def _names(assignment: Assignment, kind: str, moodle: Path | None) -> Callable[[str], str]:
    """From a student to the page's name in the zip, or to nothing."""
    if kind == "names":
        return lambda student: f"{plain(student)}.html"
    known, rows = called.read(assignment), _rows(assignment, moodle) if kind == "moodle" and moodle else {}

    def name(student: str) -> str:
        page, theirs = page_name(assignment, student), known.get(student, {}).get(PLATFORMS[kind], "")
        if kind == "moodle":
            folder = rows.get(class_list.plain_id(student), theirs)
            return f"{folder}/{page}" if folder else ""
        found = CANVAS.match(theirs)
        return f"{found[0]}{page}" if found else ""

    return name


def _rows(assignment: Assignment, moodle: Path) -> dict[str, str]:
    """Moodle's folder by student, from its worksheet."""
    students, found = class_list.kept(assignment.course), {}
    rows = worksheet(moodle, assignment.course.class_file.zone)
    for row in rows.values():
        who = Who(row.name, (), row.name, row.number)
        if student := whom(who, students, rows, {}).id:
            found[class_list.plain_id(student)] = called.moodle_folder(who)
    return found


def _write(path: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """In one step, without times."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, page in files:
            archive.writestr(zipfile.ZipInfo(name), page, zipfile.ZIP_DEFLATED)
    new = path.with_suffix(".zip.new")
    new.write_bytes(content.getvalue())
    os.replace(new, path)
