"""Workers that several gradings share, where it is not their beginning and end that is tested: each begins for seconds.

    with kept():
        grading.grade(assignment)
        grading.grade(assignment, force=True)

A worker tells by the place that it is handed with each submission what to judge by, so that another course, unit or
check is no matter to it. Workers that died, or still have work, are ended as always.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from autograder.judging import pool


@contextmanager
def kept(workers: int = 1) -> Iterator[None]:
    """So many workers for all gradings of this process."""
    these = Kept(workers)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pool, "Processes", these.instead)
        try:
            yield
        finally:
            these.end()


class Kept(pool.Processes):
    """`pool.Processes` whose idle workers outlive a grading."""

    def instead(self, workers: int) -> "Kept":
        """These, whatever number is asked for."""
        return self

    def stop(self) -> None:
        executor = self._executor
        if executor is not None and (executor._broken or executor._pending_work_items):
            super().stop()

    def end(self) -> None:
        """End them, whatever they do."""
        super().stop()
