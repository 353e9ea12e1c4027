"""The one way in which repair gives up."""

from collections.abc import Iterable

from autograder.words import one_line


class Unreadable(Exception):
    """Nothing can be done with a submission. The text is one line for teacher and student."""

    def __init__(self, reason: str):
        super().__init__(one_line(reason))


class Unrecognisable(Unreadable):
    """A notebook, but not of this unit: no cell of it answers or checks one of the unit's exercises."""


class AnotherUnit(Unrecognisable):
    """A notebook with exercises, none of which is one of this unit's; `names` are the grade ids of its cells."""

    def __init__(self, reason: str, names: Iterable[str] = ()):
        super().__init__(reason)
        self.names = frozenset(names)


class NotANotebook(Unreadable):
    """Something else than a notebook, or so damaged that nothing of one is left."""


class Missing(Unreadable):
    """There is no file that could be the submission."""
