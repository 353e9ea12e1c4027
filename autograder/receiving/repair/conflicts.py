"""Merge-conflict markers, in a file or in a cell's text: the two sides between which git could not decide.

The rule is: the last answer that parses. So the second side counts, and the first where the second is no Python.
"""

import re

from .python import parses

OPENS, SPLITS, CLOSES = "<<<<<<<", "=======", ">>>>>>>"
BASE = "|||||||"  # diff3 shows the common ancestor, too; it counts for nothing
MARKERS = [re.compile(rf"^{re.escape(mark)}(?: .*)?\r?$", re.MULTILINE) for mark in (OPENS, SPLITS, CLOSES)]


def has_conflict(text: str) -> bool:
    """Whether the three markers stand at the beginning of lines, in their order."""
    place = 0
    for marker in MARKERS:
        found = marker.search(text, place) if OPENS in text else None
        if found is None:
            return False
        place = found.end()
    return True


def sides(text: str) -> tuple[str, str]:
    """The text with the first, and with the second, side of every conflict."""
    first, second, state = [], [], ""
    for line in text.splitlines(keepends=True):
        mark = line[:7] if line[7:8] in (" ", "\n", "\r", "") else ""
        if mark in (OPENS, CLOSES) or (state and mark in (BASE, SPLITS)):
            state = "" if mark == CLOSES else mark
            continue
        if state in ("", OPENS):
            first.append(line)
        if state in ("", SPLITS):
            second.append(line)
    return "".join(first), "".join(second)


def settle(source: str) -> str:
    """A cell's text without its markers, by the rule above."""
    first, second = sides(source)
    return first if parses(first) and not parses(second) else second
