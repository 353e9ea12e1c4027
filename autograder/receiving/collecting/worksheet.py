"""Tables that say whose a name is: Moodle's grading worksheet, and a teacher's own list of two columns.

Moodle's archives name a student by name and a number of the submission, and no time; its worksheet ("Download grading
worksheet") has for each number the e-mail address, the id where it is shown, and when the submission was changed.
"""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from autograder.course import Trouble
from autograder.receiving import class_list
from autograder.receiving.files import read_file
from autograder.words import one_line

PARTICIPANT = re.compile(r"\D*(\d+)")
FORMS = (  # as Moodle writes it in English; without the weekday
    "%d %B %Y, %I:%M %p",
    "%d %B %Y, %H:%M",
    "%B %d, %Y, %I:%M %p",
)


@dataclass(frozen=True)
class Row:
    """One line of the worksheet. `time` in UTC; None where nothing was handed in, or no such time is understood."""

    number: str
    name: str
    email: str
    id: str
    time: datetime | None
    odd_time: str = ""  # what stood there, if it was not understood


def worksheet(path: Path, zone: ZoneInfo | None) -> dict[str, Row]:
    """Moodle's table, by number. Raises Trouble."""
    rows = list(_rows(path))
    if not rows or "Identifier" not in rows[0] or "Full name" not in rows[0]:
        raise Trouble(f"{path} is no grading worksheet of Moodle's: it needs the columns Identifier and Full name.")
    return {row.number: row for row in (_row(each, zone) for each in rows) if row.number}


def own_list(path: Path) -> dict[str, str]:
    """A teacher's list: what stands in the source, and the id that it means, one pair a line. Raises Trouble."""
    said = {}
    for number, row in enumerate(csv.reader(io.StringIO(_text(path), newline="")), 1):
        pair = [class_list.plain_id(cell) for cell in row if cell.strip()]
        if pair and len(pair) != 2:
            raise Trouble(
                f"{path}, line {number}: two columns are needed, a name as it stands in the source and an id."
            )
        if pair and not class_list.is_id(pair[1]):
            raise Trouble(f"{path}, line {number}: no folder can be called {one_line(pair[1], 40)}, so it is no id.")
        said |= {pair[0]: pair[1]} if pair else {}
    return said


def _row(row: dict[str, str], zone: ZoneInfo | None) -> Row:
    number = PARTICIPANT.fullmatch(row["Identifier"])
    said = row.get("Last modified (submission)", "").strip()
    time = _time(said, zone)
    return Row(
        number[1] if number else "",
        row["Full name"].strip(),
        row.get("Email address", "").strip(),
        row.get("ID number", "").strip(),
        time,
        "" if time or said in ("", "-") else one_line(said, 60),
    )


def _time(said: str, zone: ZoneInfo | None) -> datetime | None:
    without_day = re.sub(r"^[A-Za-z]+, (?=[\dA-Z])", "", said.replace("\u202f", " "))
    for form in FORMS:
        try:
            time = datetime.strptime(without_day, form)
        except ValueError:
            continue
        return (time.replace(tzinfo=zone) if zone else time).astimezone(UTC)
    return None


def _rows(path: Path) -> Iterator[dict[str, str]]:
    for row in csv.DictReader(io.StringIO(_text(path), newline="")):
        yield {(heading or "").strip(): cell for heading, cell in row.items() if isinstance(cell, str)}


def _text(path: Path) -> str:
    try:
        return read_file(path, class_list.LARGEST).decode("utf-8-sig")
    except Exception as error:
        raise Trouble(f"{path} cannot be read: {one_line(str(error))}.") from None
