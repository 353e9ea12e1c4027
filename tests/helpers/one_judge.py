"""One warm worker for all tests of the judge, and the few words in which they write notebooks."""

import atexit
import functools
from dataclasses import replace
from typing import Any

from autograder.judging.jail.limits import MIB, Limits
from autograder.judging.judge import Judge

IN_THE_END = 60  # seconds within which what is bounded has ended, on a machine with other work, too
SHORT = Limits(
    cell_seconds=2,
    call_seconds=1,
    exercise_seconds=3,
    notebook_seconds=15,
    cpu_seconds=20,
    memory=400 * MIB,
    threads=32,
    file=4 * MIB,
    scratch=8 * MIB,
)
ORDINARY = Limits()
UNHURRIED = replace(SHORT, cell_seconds=60, call_seconds=60, exercise_seconds=60, notebook_seconds=120)


@functools.cache
def engine() -> Judge:
    """The engine with short limits; it is started once, since that imports torch."""
    warm = Judge(SHORT)
    atexit.register(warm.__exit__)
    return warm


def patient(hasty: Judge | None = None, limits: Limits = ORDINARY) -> Judge:
    """The same worker with ordinary limits, for what takes its time on a busy machine."""
    slow = Judge(limits)
    slow._worker = (hasty or engine())._worker
    return slow


def code(source: str, grade_id: str | None = None, points: float | None = None, tags: tuple = ()) -> dict[str, Any]:
    """A code cell; with `points`, one that checks."""
    metadata: dict[str, Any] = {"tags": list(tags)}
    if grade_id:
        about = {"grade_id": grade_id, "grade": points is not None, "solution": points is None}
        metadata["nbgrader"] = about | ({"points": points} if points is not None else {})
    return {"cell_type": "code", "source": source, "metadata": metadata, "outputs": [], "execution_count": None}


def asks(exercise: str, points: float = 1) -> dict[str, Any]:
    """The check cell of an exercise."""
    return code(f"check({exercise}, points={points})", f"{exercise}-check", points)


def notebook(*cells: dict[str, Any] | str) -> dict[str, Any]:
    """A notebook of these cells; a string is a code cell."""
    cells = [code(cell) if isinstance(cell, str) else cell for cell in cells]
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
