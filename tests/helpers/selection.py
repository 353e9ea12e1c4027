"""Which tests belong to a unit, and which must share a process.

A unit's tests are found by where they lie (tests/units/lstm/), by the mark `unit("lstm")`, or by a parameter that is
the unit or one of its exercises. Tests of one file share a process, since they share what they prepared. The groups of
pytest-xdist would say so, but its 3.8 cannot mark them for pytest 9.2: `conftest` has a schedule of our own.
"""

import re
from functools import cache
from pathlib import Path

import pytest

# The longest groups, which begin first, so that none is left over at the end with one process at work.
LONGEST_FIRST = (
    "verify_units",
    "book",
    "attacks",
    "release",
    "equality",
    "tutorial",
    "record",
    "grade",
    "hub",
    "jail",
    "resume",
    "pool",
    "scaffold_whole",
)
only: str | None = None  # the unit that `--unit` names
BY_UNIT = ("verify_units", "invariant", "finished_graded")  # whose units share nothing


def belongs(item: pytest.Item, unit: str, root: Path) -> bool:
    """Whether a test is about this unit."""
    if item.path.parent == root / "tests" / "units" / unit or unit in marked(item):
        return True
    return any(names(value, unit, root) for value in parameters(item))


def marked(item: pytest.Item) -> set[str]:
    """The units that the mark `unit` names."""
    return {name for mark in item.iter_markers("unit") for name in mark.args}


def parameters(item: pytest.Item) -> list:
    return list(item.callspec.params.values()) if hasattr(item, "callspec") else []


def names(value, unit: str, root: Path) -> bool:
    """Whether a parameter stands for the unit: its name with or without the number, or one of its exercises."""
    word = getattr(value, "name", value)  # an Assignment has one
    word = word.partition("_")[2] if isinstance(word, str) and word[:2].isdigit() else word
    return isinstance(word, str) and (word == unit or word in exercises(unit, root))


@cache
def exercises(unit: str, root: Path) -> frozenset[str]:
    """The unit's exercises: each has a file of specimens."""
    return frozenset(path.stem for path in (root / "autograder" / "specimens" / unit).glob("*.py"))


def in_order(items: list[pytest.Item]) -> None:
    """Puts the longest groups first."""
    items.sort(key=lambda item: _place(group_of(item.nodeid)))


def group_of(nodeid: str) -> str:
    """The tests that share a process with this one: those of its file, or of its file and unit."""
    path, _, name = nodeid.partition("::")
    folder, file = Path(path).parts[-2:] if "/" in path else ("", path)
    if folder == "book" or name.startswith("test_the_solved_notebook_runs_whole"):
        return "book"  # one small book and one real one serve them all
    word = Path(file).stem.removeprefix("test_")
    word = "verify_units" if word == "golden_marks" else word  # which asks for the marks of the same trials
    unit = re.search(r"\[(?:\d\d_)?(\w+)", name) if word in BY_UNIT else None
    return f"{word}:{unit[1]}" if unit else word


def _place(group: str) -> int:
    head = group.partition(":")[0]
    return LONGEST_FIRST.index(head) if head in LONGEST_FIRST else len(LONGEST_FIRST)
