"""What counts as calling a finished implementation, and how it is noticed.

An exercise may not call the finished model of its own unit, nor what `forbid` names. Such functions are *shut* while
its answer runs: their code is exchanged for code that raises `ShortCut`. It is the function itself that is shut, so
no alias, instance, partial or thread leads around it, and no name need be read in anybody's source. A builtin has no
code of that kind; for those alone, Python's profile hook looks on.

A notebook shuts them at each call of an answer and opens them again, since experiments use the finished model. The
grader's process shuts the unit's own model for good (`shut_for_good`), before it runs anything of a student's.

Not enforced, since nothing can tell it from work of one's own: a copy of the source, or of the code of a library
function made before the call; operators that lie below what `forbid` names. In a notebook also a copy of the model's
code, and a reload of it within the call: nobody gains a mark there. Of builtins
also: a thread that is begun with no hook, and code that changes this package's own objects; `keep_watch` stops the
plain ways to switch the hook off, and the grader's table names those who write such code.
"""

import contextlib
import functools
import importlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

from .standing_in import Called, ShortCut, function_of, functions_in, is_stand_in, noticed, stand_in

__all__ = ["Seal", "ShortCut", "functions_in", "is_shut", "keep_watch", "seal", "shut_for_good"]


class Seal:
    """What an exercise may not call: functions, classes (that is, making one) and modules (all functions in them)."""

    def __init__(self, things: tuple[Callable | ModuleType, ...]):
        self._specs = {thing.__name__: None for thing in things if isinstance(thing, ModuleType)}
        named = [thing for thing in things if not isinstance(thing, ModuleType)]
        self._builtins = [thing for thing in named if function_of(thing) is None]
        self._codes: list[tuple[FunctionType, CodeType, CodeType]] = []
        self._add([function for function in map(function_of, named) if function is not None])
        self._shut, self._answers, self._hooks = False, 0, (None, None)

    def on(self) -> "_On":
        """A context that shuts them while an answer runs. It has at the end the names of what the answer `called`."""
        return _On(self)

    @contextlib.contextmanager
    def off(self) -> Iterator[None]:
        """Open for a while, within `on`: a check's own functions may use what they like."""
        before = self._shut
        self._set(False)
        try:
            yield
        finally:
            self._set(before and self._answers > 0)  # a thread may come back after its answer has ended

    def enter(self) -> bool:
        """Shut, once more. Returns whether they were shut before."""
        before = self._shut
        self._look_for_reloads()
        if not self._answers and self._builtins:
            self._hooks = sys.getprofile(), threading.getprofile()
            _watching.add(self)
        self._answers += 1
        self._set(True)
        return before

    def leave(self, shut: bool) -> None:
        self._set(shut)
        self._answers -= 1
        _watching.discard(None if self._answers else self)

    def _set(self, shut: bool) -> None:
        """The profile hook comes last and goes first, since it slows down whatever runs."""
        if self._builtins and not shut:
            sys.setprofile(self._hooks[0])
            threading.setprofile(self._hooks[1])
        if shut != self._shut:
            self._shut = shut
            for function, code, other in self._codes:
                function.__code__ = other if shut else code
        if self._builtins and shut:
            threading.setprofile(self._look)
            sys.setprofile(self._look)

    def _look(self, frame: FrameType, event: str, arg: Any) -> None:
        if event == "c_call" and any(arg is builtin for builtin in self._builtins):
            noticed.append(getattr(arg, "__name__", repr(arg)))

    def _look_for_reloads(self) -> None:
        """A module that was loaded, or loaded anew, since the last look has other functions."""
        for name, known in self._specs.items():
            module = sys.modules.get(name)
            if module is not None and module.__spec__ is not known:
                self._specs[name] = module.__spec__
                self._add(functions_in(module))

    def _add(self, functions: list[FunctionType]) -> None:
        opened = [function for function in functions if not is_stand_in(function.__code__)]
        self._codes += [(function, function.__code__, stand_in(function)) for function in opened]


class _On:
    """What `Seal.on` makes."""

    def __init__(self, seal: Seal):
        self._seal, self.called = seal, []

    def __enter__(self) -> "_On":
        self._begin, self._before = len(noticed), self._seal.enter()
        return self

    def __exit__(self, *error: object) -> None:
        self._seal.leave(self._before)
        self.called = noticed[self._begin :]
        del noticed[self._begin :]


_for_good: set[str] = set()
_watching: set[Seal] = set()  # those that look on by the profile hook now


def keep_watch(*files: str) -> None:
    """While the profile hook looks on, let nobody but code of these files, and this one, set it to something else.

    Who tries has called what it may not. Python's audit hooks cannot be taken away.
    """
    own = {__file__, threading.__file__, *files}

    def refuse(event: str, arguments: tuple) -> None:
        if event == "sys.setprofile" and _watching and sys._getframe(1).f_code.co_filename not in own:
            Called("sys.setprofile").notice()

    sys.addaudithook(refuse)


@functools.lru_cache(64)
def seal(things: tuple[Callable | ModuleType, ...]) -> Seal:
    """The one seal of these things."""
    return Seal(things)


def shut_for_good(name: str) -> None:
    """Shut a module's functions in this process and its forks, and let it not be loaded anew.

    Their code is kept nowhere. What Python calls at each `exec` cannot be taken away by anything that runs later.
    """
    module = importlib.import_module(name)
    for function in functions_in(module):
        function.__code__ = stand_in(function)

    normal = os.path.normpath  # one file has many spellings: a/./b.py
    own = normal(module.__file__)

    def refuse(event: str, arguments: tuple) -> None:
        file = getattr(arguments[0], "co_filename", "") if event == "exec" else ""
        if file and normal(file) == own:
            Called(name).notice()

    sys.addaudithook(refuse)
    _for_good.add(name)


def is_shut(name: str) -> bool:
    """Whether a module is shut for good in this process."""
    return name in _for_good
