"""The call that students make, and the decorator that declares a check: both are `check`."""

import contextlib
import sys
from collections.abc import Callable
from typing import Any, overload

from . import table
from .answer import LocalAnswer, StudentError
from .elsewhere import look_elsewhere
from .naming import exercise_of
from .registry import forbidden, register
from .running import Report, run

MIME = "application/vnd.unrolled.report+json"
reports: list[Report] = []  # every report of this process, for `python -m unrolled.checking`


@overload
def check(exercise: str, *, weight: float = ..., hint: str = ..., needs: str | None = ...) -> Callable: ...
@overload
def check(answer: Any, *, points: float, exercise: str | None = ...) -> float: ...


def check(
    subject: Any,
    *,
    points: float | None = None,
    exercise: str | None = None,
    weight: float = 1.0,
    hint: str = "",
    needs: str | None = None,
) -> Any:
    """Run an exercise's checks, or declare one.

    With `points`, as in a notebook's `check(lstm_step, points=4)`: run all checks of the exercise named there (see
    `naming`) or by `exercise`, show the table and return the points earned, between 0 and `points`.

    Without, as the decorator `@check("lstm_step", weight=1, hint="…", needs="another_check")`: declare the function
    below as a check. It takes the answer, states one property and raises through `close` or `holds`.
    """
    if points is None:
        return register(subject, weight, hint, needs)
    name = exercise or exercise_of(subject, sys._getframe(1)) or getattr(subject, "__name__", None)
    if name is None:
        print("check needs the exercise's name: check(value, points=…, exercise='…')")
        return 0.0
    try:
        answer = LocalAnswer(subject, forbidden(name))
        report = run(name, answer, points)
    except LookupError as unknown:
        print(f"Nothing to check: {unknown.args[0]}")
        return 0.0
    with contextlib.suppress(StudentError):  # of an object that cannot be looked into
        look_elsewhere(report, answer.uses(), {each.exercise: each for each in reports}.values())
    reports.append(report)
    _show(report)
    return float(report.earned)


def ready(*exercises: str) -> bool:
    """Whether the last check of each of these exercises held in full; if not, one line says what is missing.

    For cells that run a student's own answer on real data: `if ready("ngram_counts"): …`.
    """
    last = {report.exercise: report for report in reports}
    missing = [name for name in exercises if name not in last or not last[name].all_held]
    if missing:
        checks = "its check" if len(missing) == 1 else "their checks"
        own = " and ".join(missing)
        print(f"This cell uses your own {own}: run {checks} again, and come back when every property there holds.")
    return not missing


def _show(report: Report) -> None:
    data = report.to_dict()
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None or not hasattr(shell, "kernel"):
        print(table.text(data))
        return
    from IPython.display import display

    display({"text/html": table.to_html(data), "text/plain": table.text(data), MIME: data}, raw=True)
