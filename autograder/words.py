"""Words that one part of the engine writes and another reads again; both sides of the jail can see this file."""

import re
from collections.abc import Iterable

CHECK = "-check"  # ends the grade id of a cell that checks the exercise named before it
DID_NOT_RUN = ": its cell did not run: "  # in a check's message, between what is missing and the error

MOST = 300
LONGEST = 4_096  # of a line that may hold a path, which is to be copied


def one_line(text: str, most: int = MOST) -> str:
    """Text that a student may have chosen, fit for a table: one line, printable, not too long."""
    return printable(" ".join(text[: 4 * most].split()), most)


def printable(text: str, most: int = LONGEST) -> str:
    """The same where each space counts, as in a path: nothing that a terminal obeys, such as a new line or a colour."""
    line = "".join(letter if letter.isprintable() else "�" for letter in text[: most + 1])
    return line if len(line) <= most else line[: most - 1] + "…"


def listed(those: Iterable[str], length: int = 80, most: int = 12) -> str:
    """`a, b, … and 7 more`: names that somebody else chose, in one line."""
    names = [one_line(each.encode("utf-8", "replace").decode(), length) for each in those]
    more = f", … and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def amount(number: float) -> str:
    """A number of points as everybody reads it: two decimals at most."""
    return f"{round(number, 2) + 0.0:.12g}"


def points(number: float) -> str:
    """`1 point`, `2.5 points`."""
    return f"{amount(number)} point{'s' * (amount(number) != '1')}"


def first_line(error: BaseException, length: int = 150) -> str:
    """What an exception says, in one line; its kind if it says nothing."""
    return one_line((str(error).strip() or type(error).__name__).splitlines()[0], length)


def word_of(unit: str) -> str:
    """`01_ngrams`, or `ngrams` -> `ngrams`: the name of a unit's notebook, modules and specimens."""
    return re.sub(r"^\d+_", "", unit)
