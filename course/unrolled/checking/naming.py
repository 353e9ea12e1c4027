"""Which exercise a call of `check` is about.

The cell says it: `check(mle, points=2)` is about mle, whatever object the name stands for: a function, a lambda, a
partial, a model. Where the call shows no such name, the object's own name is asked, and last the names under which
the notebook holds it.
"""

import ast
import itertools
import linecache
from types import CodeType, FrameType
from typing import Any

from .registry import is_exercise


def exercise_of(subject: Any, caller: FrameType) -> str | None:
    """The exercise that `caller`, which is calling `check(subject, …)`, means; None if no name is one."""
    held = [name for name, value in list(caller.f_globals.items()) if value is subject]
    names = (_written(caller), getattr(subject, "__name__", None), *held)
    return next((name for name in names if is_exercise(name)), None)


def _written(caller: FrameType) -> str | None:
    """The name that stands as first argument in the call that `caller` is at."""
    place = _place(caller.f_code, caller.f_lasti)
    if place is None:
        return None
    first, last, begin, end = place
    lines = [linecache.getline(caller.f_code.co_filename, number).encode() for number in range(first, last + 1)]
    lines[-1] = lines[-1][:end]  # in this order, since both may be the same line
    lines[0] = lines[0][begin:]
    try:
        call = ast.parse(b"".join(lines).strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return None
    argument = call.args[0] if isinstance(call, ast.Call) and call.args else None
    return argument.id if isinstance(argument, ast.Name) else None


def _place(code: CodeType, instruction: int) -> tuple[int, int, int, int] | None:
    """First and last line, and first and last byte in them, of what an instruction was made of; None if unknown."""
    place = next(itertools.islice(code.co_positions(), instruction // 2, None), (None,))
    return None if None in place else place
