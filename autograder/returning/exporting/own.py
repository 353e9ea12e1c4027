"""A table of one's own: a row a student, a column a unit, or one an exercise; or the same as JSON.

What a spreadsheet might take for a formula is written as text, by an apostrophe in front: at the start of a cell, and
behind each sign at which some spreadsheet begins a new one, whatever this table has between its columns.
"""

import csv
import io
import json
import re

from autograder.receiving.class_list import Student
from autograder.returning.exporting.standing import Column, Standing

FORMULA = re.compile(
    r"""((?:^|[;,|\t\r\n]) [\s"'\u200b\ufeff]*) (?=[=+@\-\uff1d\uff0b\uff20\uff0d])  # wide signs count in some, too
    | ^(?=[\t\r])""",
    re.VERBOSE,
)


def wide(columns: list[Column], students: dict[str, Student], each: bool) -> str:
    """CSV with a heading; the most points stand behind a column's name."""
    head = ["id", "first name", "last name"]
    for column in columns:
        head.append(f"{column.unit} ({column.most:g})")
        head += [f"{column.unit} {name} ({most:g})" for name, most in column.exercises.items()] if each else []
    rows = [
        head,
        *([*map(harmless, _person(name, students)), *_marks(name, columns, each)] for name in _all(columns, students)),
    ]
    stream = io.StringIO(newline="")
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


def as_json(columns: list[Column], students: dict[str, Student]) -> str:
    """A list with one object a student: marks as numbers, null where there is none that is final."""
    found = []
    for name in _all(columns, students):
        id, first, last = _person(name, students)
        told = {column.unit: _told(column, column.standings.get(name, Standing())) for column in columns}
        found.append({"id": id, "first_name": first, "last_name": last, "units": told})
    return json.dumps(found, ensure_ascii=False, indent=1)


def harmless(text: str) -> str:
    """Text that no spreadsheet runs."""
    return FORMULA.sub(lambda match: f"{match[0]}'", text)


def _told(column: Column, standing: Standing) -> dict:
    mark, final = standing.mark, bool(standing.text)
    return {
        "mark": round(mark.counted, 2) if final else None,
        "of": column.most,
        "waiting": mark.open if mark else None,
        "late": mark.late if mark else None,
        "exercises": {name: standing.exercises.get(name) for name in column.exercises},
    }


def _all(columns: list[Column], students: dict[str, Student]) -> list[str]:
    return sorted({*students, *(name for column in columns for name in column.standings)})


def _person(name: str, students: dict[str, Student]) -> tuple[str, str, str]:
    student = students.get(name, Student(name))
    return student.id, student.first_name, student.last_name


def _marks(name: str, columns: list[Column], each: bool) -> list[str]:
    found = []
    for column in columns:
        standing = column.standings.get(name, Standing())
        found += [standing.text, *(standing.exercise(one) for one in column.exercises if each)]
    return found
