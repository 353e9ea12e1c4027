"""From what a name in a source says to a student of the class list. Nothing is guessed: one student fits, or nobody.

Compared are ids and e-mail addresses, then names in either order; case, accents, spaces and signs do not count where
only one student has the letters. A name does not outweigh an id or an address that is somebody else's, and where two
accounts would be one student neither is. Without a class list a name that is made like an id is taken as one.
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
    """`id` of the one student, or None; `among`: all that the name may mean; `said`: by a teacher, of this account."""

    id: str | None
    among: tuple[str, ...] = ()
    said: bool = False


def whom(who: Who, students: dict[str, Student], rows: dict[str, Row], own: dict[str, str]) -> Found:
    """`rows`: Moodle's worksheet, by number; `own`: what the teacher has said of names."""
    for said in (who.label, who.account, who.number, *who.ids, who.shown, who.name):
        if said and (named := own.get(plain_id(said))):
            return Found(named, said=said in (who.label, who.account))
    if who.number in rows:
        row = rows[who.number]
        who = Who(who.shown, tuple(filter(None, (row.id, row.email, *who.ids))), row.name or who.name)
    if not students:
        made_so = (each for each in map(plain_id, who.ids[-1:]) if AN_ID.fullmatch(each) and is_id(each))
        return Found(next(made_so, None))
    for said, ways in ((who.ids, lambda each: (each.id, each.email)), ((who.name,), _names)):
        for likeness in (plain_id, str.casefold, letters, without_accents):
            if hits := _hits(said, students.values(), likeness, ways):
                is_one = len(hits) == 1 and (said is who.ids or not _is_another(who, hits[0]))
                return Found(hits[0].id) if is_one else Found(None, tuple(each.id for each in hits))
    return Found(None)


def disputed(those: Iterable[tuple[str, str, str]]) -> set[tuple[str, str]]:
    """From (student, platform, account): the students and platforms where several accounts would be one student."""
    accounts: dict[tuple[str, str], set[str]] = {}
    for student, platform, account in those:
        accounts.setdefault((student, platform), set()).add(account)
    return {where for where, several in accounts.items() if len(several) > 1}


def _is_another(who: Who, student: Student) -> bool:
    """Whether what is known of somebody by that name speaks against this student: none of it has fitted."""
    address = any("@" in each for each in who.ids)
    return not who.by_name and (any("@" not in each for each in who.ids) or address and bool(student.email))


def _hits(said: Iterable[str], students: Iterable[Student], likeness, ways) -> list[Student]:
    """All whom one of the names fits."""
    wanted = {likeness(each) for each in said} - {""}
    return [each for each in students if wanted & {likeness(way) for way in ways(each) if way}]


def _names(student: Student) -> tuple[str, ...]:
    first, last = student.first_name, student.last_name
    return (f"{first} {last}".strip(), f"{last} {first}".strip(), f"{last}, {first}") if first or last else ()
