"""Code that stands in for a function's own, and tells that the function was called. See `finished`."""

import functools
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import NoReturn

UNWATCHED = ("sys.setprofile",)
noticed: list[str] = []  # the names of what was called, in order


_HOLDERS = (FunctionType, staticmethod, classmethod, property, functools.cached_property)
_HOLDERS += (functools.partial, functools.partialmethod)
_HELD = ("__wrapped__", "__func__", "func", "fget", "fset", "fdel")


class ShortCut(Exception):
    """The answer calls a finished implementation instead of being one. `cause` is as in `running.Result`."""

    cause = "answer"

    @classmethod
    def to(cls, name: str) -> "ShortCut":
        what = "which derives for you" if name.startswith("autograd") else "the finished implementation"
        if name in UNWATCHED:
            return cls(f"the answer calls {name}, which would hide what it does: leave that out")
        return cls(f"the answer calls {name}, {what}: write it yourself")


def functions_in(module: ModuleType) -> list[FunctionType]:
    """All functions written in a module's file: its own, those of its classes, and those that a decorator wraps."""
    found, seen, waiting = [], set(), list(vars(module).values())
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, FunctionType) and thing.__code__.co_filename == module.__file__:
            found.append(thing)
        if isinstance(thing, type) and thing.__module__ == module.__name__:
            waiting += vars(thing).values()
        elif isinstance(thing, _HOLDERS):
            waiting += (getattr(thing, name, None) for name in _HELD)
    return found


def function_of(thing: Callable) -> FunctionType | None:
    """The Python function that runs when a function is called, or a class."""
    made = getattr(thing, "__init__", None) if isinstance(thing, type) else thing
    return made if isinstance(made, FunctionType) else None


class Called:
    """Stands in the code of a function that is shut."""

    def __init__(self, name: str):
        self._name = name

    def notice(self) -> NoReturn:
        """Note it, since the answer may swallow what is raised."""
        noticed.append(self._name)
        raise ShortCut.to(self._name)


def stand_in(function: FunctionType) -> CodeType:
    """Code to put in the place of the function's, which must have as many free variables."""
    code = function.__code__
    empty, called = _empty(len(code.co_freevars)), Called(_name_of(function))
    constants = tuple(called if constant == "called" else constant for constant in empty.co_consts)
    return empty.replace(co_consts=constants, co_name=code.co_name, co_qualname=code.co_qualname)


def is_stand_in(code: CodeType) -> bool:
    return code.co_filename == __file__


@functools.cache
def _empty(free: int) -> CodeType:
    """A function's code that takes any arguments and has `free` free variables. It does not come to read them."""
    names = ", ".join(f"free_{number}" for number in range(free))
    source = f"def outer({names}):\n    def inner(*_, **__):\n        'called'.notice()\n        return [{names}]"
    outer = next(thing for thing in compile(source, __file__, "exec").co_consts if isinstance(thing, CodeType))
    return next(thing for thing in outer.co_consts if isinstance(thing, CodeType))


def _name_of(function: FunctionType) -> str:
    """What a student may know it by: whoever asks for a derivative has called something above torch's own function."""
    path = Path(function.__code__.co_filename)
    module = path.parent.name if path.stem == "__init__" else path.stem
    name = f"{module}.{function.__qualname__}"
    return f"autograd (in the end {name})" if {"autograd", "_functorch"} & set(path.parts) else name
