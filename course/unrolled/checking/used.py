"""The functions of a notebook that an answer leads to, found in its code.

Read is which globals the code loads, in the answer and in the functions that those are. So nothing need be run or
exchanged, and a local, a parameter or an attribute of the same name means nothing.
"""

import dis
import functools
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any


def functions_used(target: Any, is_own: Callable[[str], bool]) -> list[str]:
    """Their names, each once; `is_own` says of a file's name whether it is the student's."""
    found: dict[str, None] = {}
    for function in _reached(target, is_own):
        for name, value in _read(function):
            functions = _own(value, is_own)
            found |= dict.fromkeys([name, *(each.__name__ for each in functions)] if functions else [])
    return list(found)


def globals_used(target: Any, is_own: Callable[[str], bool]) -> set[str]:
    """The names of the notebook that they and the answer read."""
    functions = _reached(target, is_own)
    return {name for each in functions for name in _globals(each.__code__) if name in each.__globals__}


def _reached(target: Any, is_own: Callable[[str], bool]) -> Iterator[FunctionType]:
    """The answer's own functions, and those of the student's that they lead to."""
    seen, waiting = {id(target)}, _own(target, is_own)
    while waiting:
        function = waiting.pop()
        yield function
        for _, value in _read(function):
            if id(value) not in seen:
                waiting += _own(value, is_own)
            seen.add(id(value))


def _own(value: Any, is_own: Callable[[str], bool]) -> list[FunctionType]:
    return [each for each in _functions(value) if is_own(each.__code__.co_filename)]


def _functions(value: Any) -> list[FunctionType]:
    """The functions that a call of a value, or of its methods, would run."""
    if isinstance(value, functools.partial):
        return _functions(value.func)
    if isinstance(value, FunctionType):
        return [value]
    kind = value if isinstance(value, type) else type(value)
    return [each for each in vars(kind).values() if isinstance(each, FunctionType)]


def _read(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """The globals and the outer variables that a function reads, with what they mean now."""
    space = function.__globals__
    yield from ((name, space[name]) for name in _globals(function.__code__) if name in space)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # not bound yet
            continue


def _globals(code: CodeType) -> list[str]:
    """The names that code reads as globals, the code of inner functions included."""
    found = [step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"]
    for inner in code.co_consts:
        found += _globals(inner) if isinstance(inner, CodeType) else []
    return found
