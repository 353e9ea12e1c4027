"""The checks that exist, by exercise, in the order of their files.

Public checks live in `unrolled.checks`, one file a unit. The grader adds hidden ones by importing a module of its
own, `autograder.hidden.UNIT`; reports withhold the values that those used.
"""

import functools
import hashlib
import importlib
import importlib.util
import os
import pkgutil
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from . import finished
from .answer import Answer

SEED_VARIABLE = "UNROLLED_CHECK_SEED"


@dataclass(frozen=True)
class Check:
    """One property of one exercise. `name` is the function's, `sentence` its docstring's first line."""

    exercise: str
    name: str
    sentence: str
    function: Callable[[Answer], None]
    weight: float = 1.0
    hint: str = ""
    needs: str | None = None
    hidden: bool = False


_checks: dict[str, dict[str, Check]] = {}
_forbidden: dict[str, tuple[Callable, ...]] = {}
_running: list[str] = []


def register(
    exercise: str, weight: float = 1.0, hint: str = "", needs: str | None = None
) -> Callable[[Callable], Callable]:
    """Declare the decorated function as a check of `exercise`; see `unrolled.checking.check`.

    Raises ValueError if it has no docstring (the sentence students read), a weight that is not positive, `needs` a
    check that is not declared before it, or has the name of a check of the same exercise in another file; and if the
    exercise is another unit's.
    """

    def declare(function: Callable[[Answer], None]) -> Callable[[Answer], None]:
        if not (function.__doc__ or "").strip():
            raise ValueError(f"the check {function.__name__} needs a docstring: the sentence that students read")
        if weight <= 0:
            raise ValueError(f"the check {function.__name__} needs a weight above 0, not {weight}")
        here = _checks.setdefault(exercise, {})
        _refuse_another_units(exercise, function, here)
        if needs is not None and needs not in here:
            raise ValueError(f"the check {function.__name__} needs {needs!r}, which {exercise} does not have yet")
        if function.__name__ in here and here[function.__name__].function.__module__ != function.__module__:
            raise ValueError(f"{exercise} already has a check {function.__name__}: give the new one another name")
        hidden = function.__module__.startswith("autograder.")
        sentence = " ".join(function.__doc__.split("\n\n")[0].split())
        here[function.__name__] = Check(exercise, function.__name__, sentence, function, weight, hint, needs, hidden)
        return function

    return declare


def _refuse_another_units(exercise: str, function: Callable, here: dict[str, Check]) -> None:
    """An exercise is one unit's, whose public and hidden checks know of each other; a notebook's own go anywhere."""
    unit = _unit_of(function.__module__)
    for check in here.values():
        if unit and _unit_of(check.function.__module__) not in (None, unit):
            files = [_file_of(module) for module in (check.function.__module__, function.__module__)]
            raise ValueError(f"{exercise} is an exercise of two units, in {files[0]} and in {files[1]}: rename one")


def _unit_of(module: str) -> str | None:
    """The unit whose checks a module declares; None for a notebook or a test."""
    for package in ("unrolled.checks.", "autograder.hidden."):
        if module.startswith(package):
            return module.removeprefix(package).split(".")[0]
    return None


def _file_of(module: str) -> str:
    return getattr(sys.modules.get(module), "__file__", None) or module


def forbid(exercise: str, *things: Callable | ModuleType) -> None:
    """Name what does what `exercise` asks to be written: functions, classes, or modules with all functions in them.

    Calling one fails the check. The finished model of the exercise's own unit need not be named; those of other units
    are tools that an answer may use, unless they are.
    """
    _forbidden[exercise] = things


def forbidden(exercise: str) -> tuple[Callable | ModuleType, ...]:
    """What an answer may not call: what `forbid` named, and the finished model of the exercise's own unit."""
    _declared(exercise)
    checks = _checks.get(exercise, {}).values()
    modules = dict.fromkeys(check.function.__module__ for check in checks if not check.hidden)
    lessons = (_lesson(module) for module in modules)
    return (*_forbidden.get(exercise, ()), *(lesson for lesson in lessons if lesson is not None))


@functools.cache
def _lesson(checks: str) -> ModuleType | None:
    """The finished model of the unit whose checks are in this module, if there is one that is not shut anyway."""
    name = lesson_of(checks)
    if name is None or finished.is_shut(name) or importlib.util.find_spec(name) is None:
        return None
    return importlib.import_module(name)


def lesson_of(checks: str) -> str | None:
    """The name of the unit's finished model, "unrolled.ngrams" for "unrolled.checks.ngrams"; None for other modules."""
    package, _, unit = checks.rpartition(".")
    return f"unrolled.{unit}" if package == "unrolled.checks" else None


def is_exercise(name: object) -> bool:
    """Whether somebody declares checks of an exercise of this name."""
    return isinstance(name, str) and _declared(name)


def unit_of(exercise: str) -> str:
    """The unit that declares the public checks of an exercise, "ngrams"; nothing where a notebook or a test does."""
    modules = [check.function.__module__ for check in _checks.get(exercise, {}).values()]
    return next(filter(None, map(_unit_of, modules)), "") or ""


def is_known(name: str) -> bool:
    """The same, of the units whose checks were imported."""
    return name in _checks


def _declared(exercise: str) -> bool:
    """Import the units' checks until one declares the exercise, those first that name it; whether any did."""
    for unit in sorted(_texts(), key=lambda unit: (f'"{exercise}"' not in _texts()[unit], unit)):
        if any(not check.hidden for check in _checks.get(exercise, {}).values()):
            break
        importlib.import_module(f"unrolled.checks.{unit}")
    return exercise in _checks


@functools.cache
def _texts() -> dict[str, str]:
    """Each unit's public checks as they are written: a notebook need not import those of seven other units."""
    from unrolled import checks

    units = [module.name for module in pkgutil.iter_modules(checks.__path__) if not module.ispkg]
    return {unit: Path(checks.__path__[0], f"{unit}.py").read_text("utf-8") for unit in units}


def declared() -> dict[str, list[Check]]:
    """What was declared so far, by exercise, whoever did."""
    return {exercise: list(checks.values()) for exercise, checks in _checks.items()}


def checks_of(exercise: str) -> list[Check]:
    """All registered checks of an exercise, public ones first; units are imported until one declares it.

    Raises LookupError, with the names that exist, for an exercise nobody declared.
    """
    if not _declared(exercise):
        known = ", ".join(sorted(_checks)) or "none"
        raise LookupError(f"there is no exercise {exercise!r}; the exercises are: {known}")
    return sorted(_checks[exercise].values(), key=lambda check: check.hidden)


def running() -> str:
    """The name of the check that is running, or nothing."""
    return _running[-1] if _running else ""


def seeded() -> random.Random:
    """A random number generator that depends only on the running check and on UNROLLED_CHECK_SEED (default 0)."""
    seed = os.environ.get(SEED_VARIABLE, "0")
    return random.Random(hashlib.sha256(f"{seed}/{running()}".encode()).digest())
