"""The one way in which repair gives up."""

MOST = 300


def one_line(text: str, most: int = MOST) -> str:
    """Text that a student may have chosen, fit for a table: one line, printable, not too long."""
    line = "".join(letter if letter.isprintable() else "�" for letter in " ".join(text[: 4 * most].split()))
    return line if len(line) <= most else line[: most - 1] + "…"


class Unreadable(Exception):
    """Nothing can be done with a submission. The text is one line for teacher and student."""

    def __init__(self, reason: str):
        super().__init__(one_line(reason))


class Unrecognisable(Unreadable):
    """A notebook, but not of this unit: no cell of it answers or checks one of the unit's exercises."""


class NotANotebook(Unreadable):
    """Something else than a notebook, or so damaged that nothing of one is left."""


class Missing(Unreadable):
    """There is no file that could be the submission."""
