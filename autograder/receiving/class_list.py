"""The class list, as spreadsheets and learning platforms export it, read into one form: `students.csv`.

Read are UTF-8 and UTF-16 with or without a mark, Windows-1252, and commas, semicolons or tabs between the columns. The
column of ids is found by its heading; which one was taken is told. Ids are compared in Unicode's NFC, so that an `é`
of two parts is the `é` of one.
"""

import csv
import io
import os
import re
import unicodedata
from dataclasses import asdict, dataclass, field
from pathlib import Path

from autograder.course import Course, Trouble
from autograder.receiving.files import read_file
from autograder.words import one_line

NAME = "students.csv"
LARGEST = 20_000_000
COLUMNS = {  # headings by what they mean, the first found of each row counts; compared without case, spaces and signs
    "id": ("studentid", "sisloginid", "loginid", "username", "userid", "sisuserid", "idnumber", "id", "email"),
    "first_name": ("firstname", "givenname", "given", "forename", "vorname", "prenom"),
    "last_name": ("lastname", "surname", "familyname", "family", "nachname", "nom"),
    "name": ("fullname", "studentname", "displayname", "name", "student"),
    "email": ("email", "emailaddress", "mail", "sisemail"),
}
NO_STUDENT = re.compile(r"\s*(points possible|student, test|test student)\s*", re.IGNORECASE)  # rows of Canvas's


LONGEST_ID = 128  # bytes
FORBIDDEN = re.compile(r'[/\\:*?<>|"\[\]]')  # parts of paths, and what nbgrader takes for a pattern


@dataclass(frozen=True)
class Student:
    """One line of the list."""

    id: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()


@dataclass
class ClassList:
    """Students by id; `column` is the heading that their ids stood under, `passed_over` tells of rows without one."""

    students: dict[str, Student] = field(default_factory=dict)
    column: str = ""
    passed_over: list[str] = field(default_factory=list)


def plain_id(text: str) -> str:
    """An id as it is compared: in NFC, without spaces around it."""
    return unicodedata.normalize("NFC", text).strip()


def is_id(text: str) -> bool:
    """Whether a text may be an id. Folders are called by ids, so it is one part of a path on any system.

    Asked wherever an id comes in: from a class list, a teacher's own list, or a name where there is no list.
    """
    short = 0 < len(text) <= LONGEST_ID and len(text.encode("utf-8", "replace")) <= LONGEST_ID
    return short and text.isprintable() and not text.startswith(".") and not FORBIDDEN.search(text)


def kept(course: Course) -> dict[str, Student]:
    """The class list that the course keeps, by id; empty if it keeps none."""
    path = course.root / NAME
    return read(path).students if path.is_file() else {}


def keep(course: Course, students: dict[str, Student]) -> None:
    """Replaces the course's list in one step."""
    path = course.root / NAME
    new = path.with_suffix(".csv.new")
    with open(new, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(Student.__dataclass_fields__))
        writer.writeheader()
        writer.writerows(asdict(students[name]) for name in sorted(students))
    os.replace(new, path)


def read(path: Path, column: str | None = None) -> ClassList:
    """The list in a file. `column`: the heading of the ids, where it is not found by itself. Raises Trouble."""
    try:
        text = decoded(read_file(path, LARGEST))
    except Exception as error:
        raise Trouble(f"{path} cannot be read: {one_line(str(error))}.") from error
    text, delimiter = _delimited(text)
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    head = next((place for place, row in enumerate(rows) if sum(bool(cell.strip()) for cell in row)), None)
    if head is None:
        raise Trouble(f"{path} is empty: export the class list again.")
    headings = [cell.strip() for cell in rows[head]]
    places = _places(path, headings, column)
    found = ClassList(column=headings[places["id"]])
    for number, row in enumerate(rows[head + 1 :], head + 2):
        _take(found, {what: row[place].strip() if place < len(row) else "" for what, place in places.items()}, number)
    if not found.students:
        raise Trouble(
            f"{path} names no student under {found.column!r}: {'; '.join(found.passed_over[:3]) or 'no rows'}."
        )
    return found


def _take(found: ClassList, row: dict[str, str], number: int) -> None:
    if not any(row.values()):
        return
    whole = row.pop("name", "")
    if NO_STUDENT.fullmatch(whole) or NO_STUDENT.fullmatch(row["id"]):
        return
    if whole and not row.get("first_name") and not row.get("last_name"):
        row["first_name"], row["last_name"] = _parts(whole)
    student = Student(**{what: unicodedata.normalize("NFC", text) for what, text in row.items()})
    if not student.id:
        found.passed_over.append(f"row {number} ({one_line(student.name, 40) or 'no name'}) has no id")
    elif not is_id(student.id):
        shown = one_line(student.id, 40)
        found.passed_over.append(f"row {number} has the id {shown}, by which no folder can be called")
    elif student.id in found.students:
        found.passed_over.append(f"row {number} has the id {one_line(student.id, 40)} again")
    else:
        found.students[student.id] = student


def _parts(name: str) -> tuple[str, str]:
    """First and last name: `Lee, Ada` or `Ada Lee`."""
    last, comma, first = name.partition(",")
    if comma:
        return first.strip(), last.strip()
    first, _, last = name.rpartition(" ")
    return first.strip(), last.strip()


def _places(path: Path, headings: list[str], column: str | None) -> dict[str, int]:
    bare = [bare_heading(heading) for heading in headings]
    places = {}
    for what, names in COLUMNS.items():
        place = next((bare.index(name) for name in names if name in bare), None)
        if place is not None:
            places[what] = place
    if column is not None:
        if column not in headings:
            raise Trouble(f"{path} has no column {column!r}; it has: {one_line(', '.join(headings))}.")
        places["id"] = headings.index(column)
    if "id" not in places:
        known = one_line(", ".join(headings))
        raise Trouble(f"{path} has no column of ids that is known; name it with --id-column. Its columns: {known}.")
    return places


def bare_heading(heading: str) -> str:
    """A heading as COLUMNS has it: small letters alone."""
    return re.sub(r"\W|_", "", unicodedata.normalize("NFC", heading).casefold())


def decoded(raw: bytes) -> str:
    """A table's text, whatever program wrote it."""
    for mark, name in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if raw.startswith(mark):
            return raw.decode(name)
    if b"\0" in raw:  # UTF-16 without a mark: every second byte of plain letters is 0
        return raw.decode("utf-16-le" if raw[1::2].count(0) >= raw[::2].count(0) else "utf-16-be")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def _delimited(text: str) -> tuple[str, str]:
    """The text, and what stands most often in its first line; Excel says `sep=;` in a line of its own."""
    line, _, rest = text.lstrip().partition("\n")
    if said := re.fullmatch(r"sep=(.)\s*", line, re.IGNORECASE):
        return rest, said[1]
    return text, max(",;\t", key=line.count)
