"""Which tests belong to a unit, and which must share a process.

A unit's tests are found by where they lie (tests/units/lstm/), by the mark `unit("lstm")`, or by a parameter that is
the unit or one of its exercises. Tests of one file share a process, since they share what they prepared; those marked
`by_unit` share it with the others of their unit only.
"""

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
    "record",
    "grade",
    "jail",
    "resume",
    "pool",
    "scaffold_whole",
)


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


def group(items: list[pytest.Item], root: Path) -> None:
    """Gives each test its group, and puts the longest groups first."""
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(_group_of(item, root)))
    items.sort(key=lambda item: _place(item.get_closest_marker("xdist_group").args[0]))


def _group_of(item: pytest.Item, root: Path) -> str:
    name = item.path.stem.removeprefix("test_")
    if item.path.parent.name == "book":
        return "book"  # one small book and one real one serve all files
    if item.get_closest_marker("by_unit") is not None:
        return f"{name}:{str(parameters(item)[0]).split('_', 1)[-1]}"
    return name


def _place(name: str) -> int:
    head = name.partition(":")[0]
    return LONGEST_FIRST.index(head) if head in LONGEST_FIRST else len(LONGEST_FIRST)
