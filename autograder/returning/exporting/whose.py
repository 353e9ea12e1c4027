"""Whose row each row of a platform's table is. A name is what its owner chose, and so says less than an id.

A row that gives ids or addresses is a person, found by these alone, whatever the name beside them says; a name counts
where a row gives nothing else. Two rows for one student are nobody's: nothing is guessed.
"""

from dataclasses import dataclass, field
from pathlib import Path

from autograder.course import Trouble
from autograder.receiving import class_list
from autograder.receiving.class_list import COLUMNS, NO_STUDENT, Student
from autograder.receiving.collecting import Who, whom
from autograder.words import listed, one_line

POINTS_POSSIBLE = "Points Possible"
TEST_STUDENT = "test"  # in the name of the one that Canvas adds

Rows = list[list[str]]


@dataclass
class Whose:
    """`owners`: the student by a row's place; `points`: the place of Canvas's row of what everything is worth."""

    owners: dict[int, str] = field(default_factory=dict)
    points: int | None = None
    strangers: list[str] = field(default_factory=list)  # rows that are nobody's, as they are told
    twice: dict[str, list[int]] = field(default_factory=dict)  # lines of the table by the student whom they all fit

    def told(self) -> list[str]:
        """A line for each kind of row that gets no mark."""
        lines = []
        if self.strangers:
            lines.append(f"{len(self.strangers)} rows of the file are nobody of the class: {listed(self.strangers)}")
        for student, numbers in self.twice.items():
            lines.append(
                f"Rows {', '.join(map(str, numbers))} are all {one_line(student, 60)}'s: none got a mark. "
                "Leave the right one in the file."
            )
        return lines


def whose(path: Path, rows: Rows, head: int, students: dict[str, Student]) -> Whose:
    """`rows[head]` is the heading. Raises Trouble where no column says whom a row is about."""
    places = _places(path, rows[head])
    found, fits = Whose(points=_points(rows, head, places)), {}
    by_address = any("@" in each.id + each.email for each in students.values())
    for place, row in enumerate(rows[head + 1 :], head + 1):
        if place == found.points or not any(row):
            continue
        who = _who(row, places, by_address)
        student = whom(who, students, {}, {}).id if who.ids or who.name else None
        if student:
            fits.setdefault(student, []).append(place)
        elif not _is_canvas(row, places):
            told = _name(row, places) or ", ".join(_cells(row, places, "id", "email"))
            found.strangers.append(one_line(told, 60))
    for student, those in fits.items():
        if len(those) == 1:
            found.owners[those[0]] = student
        else:
            found.twice[student] = [place + 1 for place in those]
    return found


def _places(path: Path, headings: list[str]) -> dict[str, list[int]]:
    """Which columns tell whom a row is about: ids, addresses, and names."""
    bare = [class_list.bare_heading(cell) for cell in headings]
    found = {what: [place for place, name in enumerate(bare) if name in names] for what, names in COLUMNS.items()}
    if not any(found.values()):
        raise Trouble(f"{path} has no column of ids or names that is known; it has: {listed(headings)}.")
    return found


def _points(rows: Rows, head: int, places: dict[str, list[int]]) -> int | None:
    """It stands above all people and has no id. Where a table has no ids, a person's row would look the same."""
    if not places["id"]:
        return None
    for place, row in enumerate(rows[head + 1 :], head + 1):
        if _cells(row, places, "id", "email"):
            return None
        if _name(row, places).casefold() == POINTS_POSSIBLE.casefold():
            return place
    return None


def _who(row: list[str], places: dict[str, list[int]], by_address: bool) -> Who:
    """Whom a row is about. Addresses say nothing where the class list has none."""
    name, ids = _name(row, places), _cells(row, places, "id", *(["email"] if by_address else []))
    return Who("", ids, "") if ids else Who(name, (), name)


def _name(row: list[str], places: dict[str, list[int]]) -> str:
    whole = _cells(row, places, "name")[:1]
    return " ".join(whole or (*_cells(row, places, "first_name")[:1], *_cells(row, places, "last_name")[:1]))


def _cells(row: list[str], places: dict[str, list[int]], *kinds: str) -> tuple[str, ...]:
    """What stands in a row under the headings of these kinds."""
    at = dict.fromkeys(place for kind in kinds for place in places[kind])
    return tuple(row[place].strip() for place in at if place < len(row) and row[place].strip())


def _is_canvas(row: list[str], places: dict[str, list[int]]) -> bool:
    """Whether nobody misses a mark there: Canvas's own test student, who has ids, or a row of no person."""
    name = _name(row, places)
    if _cells(row, places, "id", "email"):
        return NO_STUDENT.fullmatch(name) is not None and TEST_STUDENT in name.casefold()
    return not name or NO_STUDENT.fullmatch(name) is not None
