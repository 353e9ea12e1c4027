"""What the names of a notebook mean, by exercise: for each, what they meant where its check stood.

A student has seen a function called with the globals of its check cell. What a later cell makes of a helper, a
constant or the name of a builtin is of no matter to it. A name that was unknown there means what it means at the end,
since a student may run cells in any order. Left out on purpose: what is changed in place, a list say, is one object.
"""

import builtins
from typing import Any


class Spaces:
    """`names` is the one dict that all of the notebook's functions look in."""

    def __init__(self, names: dict[str, Any]):
        self._names, self._end = names, None
        self._kept: dict[str, dict[str, Any]] = {}
        self._here: str | None = None

    def keep(self, exercise: str) -> None:
        """Note what the names mean now."""
        self._kept[exercise] = dict(self._names)

    def enter(self, exercise: str) -> None:
        """Let names mean what they meant to this exercise. Its own calls may go on changing that."""
        if exercise == self._here or exercise not in self._kept:
            return
        if self._end is None:
            self._end = {name: value for name, value in self._names.items() if not hasattr(builtins, name)}
        self._here, meant = exercise, self._end | self._kept[exercise]
        self._names.update(meant)
        for name in self._names.keys() - meant.keys():
            del self._names[name]
