"""From checks to a report.

Every check ends in one of five outcomes. `held` and `failed` speak of the answer. `not started` and `skipped` say why
there is nothing to tell yet. `fault` is a mistake of the check itself: it is reported for the instructor and leaves the
account, so that it neither costs nor earns points.
"""

import random
import traceback
from dataclasses import asdict, dataclass, field
from typing import Any

import torch

from .answer import Answer, NotStarted, StudentError
from .compare import Mismatch
from .finished import ShortCut
from .hints import ARRIVES, leads_to_it, of_an_error
from .plain import NotPlain, cut
from .registry import Check, _running, checks_of, is_known, seeded
from .shares import shares

SCHEMA = 1
MOST = 1_500  # characters of a line of a result: a table is for reading, and setting a long word takes for ever
SILENT = " (does every path of the function return?)"


@dataclass
class Result:
    """What became of one check. `message` is the one line that says why it did not hold.

    `cause` says whose words that line is, where it tells of an exception: "answer" if they come from the process that
    the answer ran in, "run" for limits and whatever else is found beside it.
    """

    name: str
    sentence: str
    outcome: str
    weight: float = 1.0
    hidden: bool = False
    hint: str = ""
    message: str = ""
    what: str = ""
    where: str = ""
    expected: str = ""
    got: str = ""
    printed: str = ""
    cause: str = ""


@dataclass
class Report:
    """All results of one exercise. `to_dict` is the one documented form; every view renders it."""

    exercise: str
    points: float
    checks: list[Result] = field(default_factory=list)
    mend_first: str = ""  # another exercise, which this one calls and which does not hold itself; see `elsewhere`
    borrowed: list[str] = field(default_factory=list)  # names that grading will not have; see the module of this name

    @property
    def earned(self) -> float:
        """Points for the share of the weights that held, faults left out, rounded to hundredths."""
        total = sum(result.weight for result in self.checks if result.outcome != "fault")
        good = sum(result.weight for result in self.checks if result.outcome == "held")
        return round(self.points * good / total, 2) if total else 0.0

    @property
    def all_held(self) -> bool:
        return all(result.outcome == "held" for result in self.checks)

    @property
    def is_blank(self) -> bool:
        """Whether the exercise is not written yet."""
        return any(result.outcome == "not started" for result in self.checks)

    def to_dict(self) -> dict[str, Any]:
        worth = shares(self.points, self.earned, [(result.outcome, result.weight) for result in self.checks])
        return {
            "schema": SCHEMA,
            "exercise": self.exercise,
            "points": self.points,
            "earned": self.earned,
            "mend_first": self.mend_first,
            "borrowed": self.borrowed,
            "checks": [asdict(one) | {"points": share} for one, share in zip(self.checks, worth, strict=True)],
        }


def run(exercise: str, answer: Answer, points: float = 1.0, until_failure: bool = False) -> Report:
    """Run every registered check of `exercise` on `answer`, or those up to the first that fails.

    Raises LookupError for an unknown exercise. Nothing that the answer or a check does raises from here,
    but for the user's own interrupt.
    """
    report = Report(exercise, points)
    for check in checks_of(exercise):
        report.checks.append(_run_one(check, answer, report.checks))
        if until_failure and report.checks[-1].outcome == "failed":
            break
    _settle(report.checks)
    return report


def _run_one(check: Check, answer: Answer, before: list[Result]) -> Result:
    result = Result(check.name, check.sentence, "held", check.weight, check.hidden, check.hint)
    reason = _skip(check, before)
    if reason:
        result.outcome, result.message = "skipped", reason
        return result
    _running.append(check.name)
    heard = _Heard(answer)
    try:
        with _same_randomness():
            check.function(heard)
    except Mismatch as wrong:
        _tell(result, wrong, heard.was_silent and wrong.got == "None", before)
    except NotStarted as unfinished:
        _missing(result, unfinished, check.exercise)
    except (StudentError, ShortCut) as wrong:
        result.outcome, result.message, result.cause = "failed", str(wrong), wrong.cause
        result.hint = of_an_error(str(wrong), check.hint, before)
    except NotPlain as wrong:
        result.outcome, result.message = (
            "failed",
            f"{wrong}: return numbers, strings, lists, dicts or tensors",
        )
    except Exception as fault:
        line = traceback.extract_tb(fault.__traceback__)[-1].lineno
        result.outcome = "fault"
        result.message = f"The check itself broke ({type(fault).__name__}: {fault}, line {line}) and does not count."
    finally:
        _running.pop()
    result.printed = getattr(answer, "printed", "")[:500] if result.outcome == "failed" else ""
    for line in ("message", "what", "where", "expected", "got"):  # a check may quote what the answer gave it
        setattr(result, line, cut(getattr(result, line), MOST))
    return result


class _Heard:
    """The answer as a check gets it; it is noted whether a call of it returned None."""

    def __init__(self, answer: Answer):
        self._answer, self.was_silent = answer, False

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        args = tuple(arg._answer if isinstance(arg, _Heard) else arg for arg in args)
        result = self._answer(*args, **kwargs)
        self.was_silent = self.was_silent or result is None
        return result

    def __getattr__(self, name: str) -> Any:
        return getattr(self._answer, name)


def _missing(result: Result, unfinished: NotStarted, exercise: str) -> None:
    """Say what is not written: this case of the exercise, or another exercise that the answer calls."""
    other = next((name for name in unfinished.names if is_known(name)), exercise)
    result.outcome, result.message, result.hint = "not started", f"This case is not written yet: {unfinished.line}", ""
    if other != exercise:
        result.outcome = "failed"
        result.message = f"The answer calls {other}, which is not written yet: write that exercise first."


def _settle(results: list[Result]) -> None:
    """An exercise that came to nothing in every check is not written; else each case that is not is a failure."""
    unwritten = [place for place, result in enumerate(results) if result.outcome == "not started"]
    blank = {result.outcome for result in results} <= {"not started", "skipped", "fault"}
    for place in unwritten if not blank else ():
        results[place].outcome = "failed"
    for place in range(unwritten[0], len(results)) if unwritten and blank else ():
        results[place].outcome = "not started" if place == unwritten[0] else "skipped"
        results[place].message = "The exercise is not written yet."


def _tell(result: Result, wrong: Mismatch, silent: bool, before: list[Result]) -> None:
    """Put what does not hold into the result of a check.

    The hint of this very mistake comes before that of the check. Of an answer that had another form from the start, the
    message says so, and the hint, which is about content, is left out. If a check before held, the form is what this
    one is about. Of a hidden one the hint is all there is.
    """
    result.outcome, result.message, result.what, result.where = "failed", wrong.message, wrong.what, wrong.where
    result.expected, result.got = wrong.expected, wrong.got + SILENT * silent
    result.hint = wrong.hint or result.hint
    if wrong.hint == ARRIVES and not result.hidden and any(map(leads_to_it, before)):
        result.hint = ""
    well_formed = any(one.outcome == "held" for one in before)
    if (wrong.form or silent) and not well_formed and not result.hidden:
        result.hint = ""


def _skip(check: Check, before: list[Result]) -> str:
    """Why this check need not be tried, or nothing."""
    for result in before:
        if result.name == check.needs and result.outcome != "held":
            return "It builds on a property above that does not hold yet."
    return ""


class _same_randomness:
    """Give a check the same global random numbers each time, and give the notebook its own back afterwards."""

    def __enter__(self) -> None:
        self._python, self._torch = random.getstate(), torch.get_rng_state()
        seed = seeded().randrange(2**31)
        random.seed(seed)
        torch.default_generator.manual_seed(seed)

    def __exit__(self, *error: object) -> None:
        random.setstate(self._python)
        torch.set_rng_state(self._torch)
