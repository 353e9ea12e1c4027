"""What a worker must know to begin, and what ends it where nothing else does. Imports neither torch nor nbgrader."""

import faulthandler
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from autograder.course import Assignment, Trouble

from .jail.limits import Limits


class NoChecks(Trouble):
    """A unit that cannot be graded behind walls, since nothing declares checks for a cell of it."""


@dataclass(frozen=True)
class Place:
    """An assignment on a disk that the worker sees, and whose word counts.

    `graders` is the hash of source, checks and settings as the caller sees them; a worker with others refuses.
    """

    assignment: Assignment
    graders: str
    limits: Limits
    require_jail: bool = False


@contextmanager
def ended_after(seconds: float) -> Iterator[None]:
    """Ends this process, whatever holds it, if the block takes longer: the last resort behind a submission's limits."""
    with open(os.devnull, "w") as nowhere:
        faulthandler.dump_traceback_later(seconds, exit=True, file=nowhere)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()
