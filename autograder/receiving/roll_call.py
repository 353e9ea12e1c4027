"""Who is on the class list and handed nothing in, and who handed something in and is not on it.

A folder's name is an id only if it is one letter by letter. One that differs in case, spaces or accents, or is a name,
is graded all the same, and the student who is likely meant is told; nothing is moved.
"""

import re
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches

from autograder.course import Assignment
from autograder.receiving.class_list import Student, kept, plain_id
from autograder.words import listed

NEAR = 0.8  # difflib's measure: 1 is the same id


def roll_call(assignment: Assignment) -> list[str]:
    """At most two lines; none where the course keeps no class list."""
    students = kept(assignment.course)
    if not students:
        return []
    here = {plain_id(name): name for name in assignment.students()}
    absent = [student for name, student in students.items() if plain_id(name) not in here]
    strangers = [name for plain, name in sorted(here.items()) if plain not in {plain_id(each) for each in students}]
    lines = []
    if absent:
        who = listed(f"{each.id} ({each.name})" if each.name else each.id for each in absent)
        lines.append(f"On the list and nothing handed in, {len(absent)} of {len(students)}: {who}")
    if strangers:
        meant = {name: likely(name, students.values()) for name in strangers}
        who = listed(f"{name} (is {meant[name].id} meant?)" if meant[name] else name for name in strangers)
        lines.append(f"Handed in and not on the list, {len(strangers)}: {who}")
    return lines


def likely(name: str, students: Iterable[Student]) -> Student | None:
    """Whom a folder of this name may belong to, if that is one student and no more."""
    students = list(students)
    for likeness in (letters, without_accents):
        wanted = likeness(name)
        same = [each for each in students if wanted in {likeness(way) for way in _ways(each)}]
        if same:
            return same[0] if len(same) == 1 else None
    ways = {without_accents(way): each for each in students for way in _ways(each)}
    near = {ways[way].id: ways[way] for way in get_close_matches(without_accents(name), ways, 3, NEAR)}
    return next(iter(near.values())) if len(near) == 1 else None


def _ways(student: Student) -> set[str]:
    """What a folder of theirs may be called."""
    first, last, mail = student.first_name, student.last_name, student.email.partition("@")[0]
    return {way for way in (student.id, f"{first}{last}", f"{last}{first}", student.email, mail) if way}


def letters(text: str) -> str:
    """A name as it is compared: small letters and numbers alone."""
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFC", text).casefold())


def without_accents(text: str) -> str:
    """The same where an é is an e."""
    parts = unicodedata.normalize("NFKD", text)
    return letters("".join(letter for letter in parts if not unicodedata.combining(letter)))
