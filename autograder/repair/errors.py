"""The one way in which repair gives up."""


class Unreadable(Exception):
    """Nothing can be done with a submission. The text is one line for teacher and student."""


class Unrecognisable(Unreadable):
    """A notebook, but not of this unit: no cell of it answers or checks one of the unit's exercises."""


class Missing(Unreadable):
    """There is no file that could be the submission."""
