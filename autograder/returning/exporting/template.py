"""A learning platform's own export with marks filled in; all else in it stays as it is.

Canvas's gradebook, Moodle's grading worksheet and its gradebook export, and any other table with a column of ids,
addresses or names. Whose row is whose is told by `whose`. Rows that name nobody, and marks that find no row, are told.
"""

import csv
import io
from dataclasses import dataclass, field
from pathlib import Path

from autograder.course import Course, Trouble
from autograder.receiving import class_list
from autograder.receiving.class_list import Student
from autograder.returning.exporting.standing import Column
from autograder.returning.exporting.whose import Whose, whose
from autograder.words import amount, listed, word_of

GRADE, MAXIMUM, IDENTIFIER = "Grade", "Maximum Grade", "Identifier"  # of Moodle's worksheet


@dataclass
class Filled:
    """The file's text, encoded as it was, and what is to be told."""

    content: bytes
    marks: int = 0
    odd: bool = False  # whether a row is nobody's, or a mark has no row
    notes: list[str] = field(default_factory=list)


def fill(path: Path, columns: list[Column], students: dict[str, Student], named: dict[str, str], each: bool) -> Filled:
    """Write marks into a platform's table. `named`: the heading by unit, where it is not found; `each`: exercises, too.

    Raises Trouble for a file that is no such table, and where more than one column may be meant.
    """
    raw = _read(path)
    text = class_list.decoded(raw)
    rows, dialect = _parsed(path, text)
    head = next(number for number, row in enumerate(rows) if any(cell.strip() for cell in row))
    people = whose(path, rows, head, students)
    done = Filled(b"")
    for column in columns:
        _write_column(rows, head, people, column, named.get(column.unit), path, done, column.unit)
        for exercise in column.exercises if each else ():
            values = {name: standing.exercise(exercise) for name, standing in column.standings.items()}
            _put(
                rows,
                head,
                people,
                _appended(rows, head, f"{column.unit} {exercise}"),
                values,
                column.exercises[exercise],
            )
    _tell(done, people, columns)
    stream = io.StringIO(newline="")
    csv.writer(stream, **dialect).writerows(rows)
    done.content = _encoded(stream.getvalue(), raw)
    return done


def headings(said: list[str], course: Course) -> dict[str, str]:
    """`UNIT=HEADING` as the command line has it, by unit. Raises Trouble."""
    found = {}
    for each in said:
        unit, sign, heading = each.partition("=")
        if not sign:
            raise Trouble(f'--column {each!r} has no =: say UNIT=HEADING, as in ngrams="Unit 1 (12345)".')
        found[course.assignment(unit.strip()).name] = heading
    return found


def _write_column(rows, head, people: Whose, column, heading, path, done, unit) -> None:
    place = _place(path, rows[head], unit, heading)
    if place is None:
        place = _appended(rows, head, unit)
        done.notes.append(f"No column for {unit}: one was added with this name (or name one: --column {unit}=HEADING).")
    values = {name: standing.text for name, standing in column.standings.items()}
    _put(rows, head, people, place, values, column.most)
    done.marks += sum(bool(values.get(name)) for name in people.owners.values())
    if MAXIMUM in rows[head] and rows[head][place] == GRADE:
        most = {row[rows[head].index(MAXIMUM)] for number, row in enumerate(rows) if number in people.owners}
        if wrong := sorted(each for each in most if not _same(each, column.most)):
            done.notes.append(
                f"{MAXIMUM} is {listed(wrong)} there and {amount(column.most)} here: set it in Moodle first."
            )


def _put(rows, head: int, people: Whose, place: int, values: dict[str, str], most: float) -> None:
    for number, row in enumerate(rows[head + 1 :], head + 1):
        if not any(row):
            continue
        row += [""] * (place + 1 - len(row))
        if people.owners.get(number) in values:
            row[place] = values[people.owners[number]]
        elif number == people.points and not row[place].strip():
            row[place] = amount(most)


def _place(path: Path, headings: list[str], unit: str, heading: str | None) -> int | None:
    """The unit's column: the one that was named, Moodle's, or the only one that speaks of the unit."""
    if heading is not None:
        if heading not in headings:
            raise Trouble(f"{path} has no column {heading!r}; it has: {listed(headings)}.")
        return headings.index(heading)
    if IDENTIFIER in headings and GRADE in headings:
        return headings.index(GRADE)
    word = word_of(unit).replace("_", " ").casefold()
    fits = [
        place
        for place, cell in enumerate(headings)
        if unit in cell or word in cell.replace("_", " ").casefold().split("(")[0]
    ]
    if len(fits) > 1:
        names = listed(headings[place] for place in fits)
        raise Trouble(f"{path} has several columns for {unit} ({names}): say which, with --column {unit}=HEADING.")
    return fits[0] if fits else None


def _appended(rows, head: int, heading: str) -> int:
    width = max(len(row) for row in rows)
    if heading in rows[head]:
        return rows[head].index(heading)
    rows[head] += [""] * (width - len(rows[head])) + [heading]
    return width


def _tell(done: Filled, people: Whose, columns) -> None:
    """The join from both sides."""
    has_row = set(people.owners.values())
    done.notes += people.told()
    done.odd = bool(people.strangers or people.twice)
    for column in columns:
        empty = sorted({name for name in has_row if not column.standings.get(name, Empty).text})
        left = sorted(name for name, standing in column.standings.items() if standing.text and name not in has_row)
        if empty:
            done.notes.append(f"{column.unit}: empty for {len(empty)} (nothing graded, or not final): {listed(empty)}")
        if left:
            done.odd = True
            done.notes.append(f"{column.unit}: {len(left)} marks have no row in the file: {listed(left)}")


class Empty:
    """Whoever has no standing."""

    text = ""


def _same(text: str, number: float) -> bool:
    try:
        return abs(float(text.replace(",", ".")) - number) < 0.005
    except ValueError:
        return False


def _parsed(path: Path, text: str) -> tuple[list[list[str]], dict]:
    """The rows, and how to write them as they were."""
    line = text.lstrip("\ufeff \r\n").partition("\n")[0]
    delimiter = max(",;\t", key=line.count)
    try:
        rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise Trouble(f"{path} is no table: {error}.") from None
    if not any(any(row) for row in rows):
        raise Trouble(f"{path} is empty: export it from your platform again.")
    quoting = csv.QUOTE_ALL if line.startswith('"') and line.rstrip().endswith('"') else csv.QUOTE_MINIMAL
    return rows, {"delimiter": delimiter, "lineterminator": "\r\n" if "\r\n" in text else "\n", "quoting": quoting}


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Trouble(f"{path} cannot be read: {error.strerror}.") from None


def _encoded(text: str, raw: bytes) -> bytes:
    """As it was: with its mark, in its encoding."""
    if raw.startswith(b"\xef\xbb\xbf"):
        return text.encode("utf-8-sig")
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        little = raw.startswith(b"\xff\xfe")
        return raw[:2] + text.encode("utf-16-le" if little else "utf-16-be")
    return text.encode("utf-8")
