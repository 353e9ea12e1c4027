"""From what a name in a source says to a student of the class list. Nothing is guessed: one student fits, or nobody.

Compared are ids and e-mail addresses, then names in either order; case, accents, spaces and signs do not count where
only one student has the letters. Without a class list a name that is made like an id is taken as one.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from autograder.receiving.class_list import Student, is_id, plain_id
from autograder.receiving.roll_call import letters, without_accents

from .shapes import Who
from .worksheet import Row

AN_ID = re.compile(r"[^\s,/+]+")


@dataclass(frozen=True)
class Found:
    """`id` of the one student, or None; `among`: all that the name may mean, if it means more than one."""

    id: str | None
    among: tuple[str, ...] = ()


def whom(who: Who, students: dict[str, Student], rows: dict[str, Row], own: dict[str, str]) -> Found:
    """`rows`: Moodle's worksheet, by number; `own`: what the teacher has said of names."""
    for said in (who.shown, who.name, *who.ids, who.number):
        if said and (named := own.get(plain_id(said))):
            return Found(named)
    if who.number in rows:
        row = rows[who.number]
        who = Who(who.shown, tuple(filter(None, (row.id, row.email, *who.ids))), row.name or who.name)
    if not students:
        made_so = (each for each in map(plain_id, who.ids[-1:]) if AN_ID.fullmatch(each) and is_id(each))
        return Found(next(made_so, None))
    for said, ways in ((who.ids, lambda each: (each.id, each.email)), ((who.name,), _names)):
        for likeness in (plain_id, str.casefold, letters, without_accents):
            if hits := _hits(said, students.values(), likeness, ways):
                return Found(hits[0]) if len(hits) == 1 else Found(None, tuple(hits))
    return Found(None)


def _hits(said: Iterable[str], students: Iterable[Student], likeness, ways) -> list[str]:
    """The ids of all whom one of the names fits."""
    wanted = {likeness(each) for each in said} - {""}
    return [each.id for each in students if wanted & {likeness(way) for way in ways(each) if way}]


def _names(student: Student) -> tuple[str, ...]:
    first, last = student.first_name, student.last_name
    return (f"{first} {last}".strip(), f"{last} {first}".strip(), f"{last}, {first}") if first or last else ()
