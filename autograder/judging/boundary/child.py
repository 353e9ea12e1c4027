"""The student's end: runs cells, and calls what they defined when the grader asks.

Everything here runs beside the student's code, which may have replaced any of it. So nothing here decides a mark:
it only turns requests into calls of `LocalAnswer`, the very class that calls answers in a notebook, and what comes of
them into frames that the grader reads without trust.
"""

import contextlib
import functools
import random
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import torch
from unrolled.checking import LocalAnswer, registry
from unrolled.checking.answer import CallbackError, NotStarted, StudentError, read_arguments
from unrolled.checking.finished import ShortCut
from unrolled.checking.plain import plain

from .arguments import Held, Memory
from .channel import Channel, Closed, Kind, content
from .decoding import decode
from .shell import Shell
from .space import Spaces
from .wire import Callback, Handle, Unsendable

MAX_OBJECTS = 10_000
PRINTED = 2_000  # characters of what a call wrote that go to the grader
_seed_random, _seed_torch = random.seed, torch.default_generator.manual_seed  # a cell may write `random.seed = 42`


class Refused(Exception):
    """The grader's function failed on the grader's side."""


class Child:
    """Serves one channel until the grader closes it."""

    def __init__(self, channel: Channel, shell: Shell):
        self._channel, self._shell, self._spaces = channel, shell, Spaces(shell.user_ns)
        self._objects: list[LocalAnswer] = []
        self._lock, self._asked = threading.RLock(), 0
        self._memory = Memory(lambda data: decode(data, handle=self._find, callback=self._proxy))
        self._work: dict[Kind, Callable[..., tuple[Any, str]]] = {
            Kind.CELL: lambda source: (self._shell.run(source), ""),
            Kind.PIN: self._pin,
            Kind.CALL: lambda answer, args, kwargs, seed: self._do(answer, seed, lambda: answer(*args, **kwargs)),
            Kind.METHOD: lambda answer, name, args, kwargs, seed: self._do(
                answer, seed, lambda: answer.method(name, *args, **kwargs)
            ),
            Kind.ATTRIBUTE: lambda answer, name, args, kwargs, seed: self._do(
                answer, seed, lambda: answer.attribute(name)
            ),
            Kind.VALUE: lambda answer, args, kwargs, seed: self._do(answer, seed, answer.value),
            Kind.USES: lambda answer, args, kwargs, seed: self._do(answer, seed, answer.uses),
            Kind.GRADIENTS: lambda answer, upstream, args, kwargs, seed: self._do(
                answer, seed, lambda: answer.gradients(*args, upstream=upstream, **kwargs)
            ),
        }

    def serve(self) -> None:
        while True:
            try:
                self._handle(*self._channel.receive())
            except Closed:
                return
            except KeyboardInterrupt:  # came too late to interrupt anything
                continue

    def _handle(self, kind: Kind, data: bytes) -> None:
        number, *contents = decode(data, handle=self._find)
        try:
            value, printed = self._work[kind](*contents)
            try:
                self._channel.send(Kind.RETURN, number, value, printed[:PRINTED])
            except Unsendable:
                self._channel.send(Kind.RETURN, number, plain(value, self._keep), printed[:PRINTED])
        except BaseException as error:
            why, text = _reason(error)
            printed = getattr(contents[0], "printed", "") if contents else ""
            self._channel.send(Kind.RAISE, number, why, _clean(text), _clean(printed[:PRINTED]))

    def _do(self, answer: LocalAnswer, seed: int | None, work: Callable[[], Any]) -> tuple[Any, str]:
        if seed is not None:
            _seed_random(seed)
            _seed_torch(seed)
        value = work()
        return value, _clean(answer.printed)

    def _pin(self, name: str, exercise: str) -> tuple[Any, str]:
        """Take hold of what `name`, and all others, mean now: a later cell may use them for something else."""
        if name not in self._shell.user_ns:
            return None, ""
        self._spaces.keep(exercise)
        enter = functools.partial(self._spaces.enter, exercise)
        return Held(self._shell.user_ns[name], registry.forbidden(exercise), self._memory, enter), ""

    # --- objects that stay, functions that are elsewhere -------------------------------------------------------------

    def _keep(self, value: Any) -> Handle:
        if not isinstance(value, LocalAnswer):
            raise Unsendable(f"an object of class {type(value).__name__} is no plain data")
        if len(self._objects) >= MAX_OBJECTS:
            raise Unsendable(f"more than {MAX_OBJECTS:,} objects were returned")
        self._objects.append(value)
        return Handle(len(self._objects) - 1, type(value._target).__name__)

    def _find(self, handle: Handle) -> LocalAnswer:
        return self._objects[handle.number]

    def _proxy(self, callback: Callback) -> LocalAnswer:
        """The grader's function, as something that `LocalAnswer` hands to student code without wrapping it."""

        def ask(*args: Any, **kwargs: Any) -> Any:
            return self._call_back(callback.number, args, kwargs)

        def say(*args: Any, **kwargs: Any) -> Any:
            if kwargs or len(args) != count:
                return ask(*args, **kwargs)
            with _unwatched():
                read_arguments([args])  # what cannot be sent cannot be asked, here as there
                return plain(value)

        count, value = callback.known or (0, None)
        return LocalAnswer(say if callback.known else ask)

    def _call_back(self, index: int, args: tuple, kwargs: dict) -> Any:
        with self._lock, _unwatched():
            self._asked += 1
            number = self._asked
            try:
                self._channel.send(Kind.CALLBACK, number, index, list(args), kwargs)
            except Unsendable:
                self._channel.send(Kind.CALLBACK, number, index, *read_arguments([list(args), kwargs]))
            while True:
                kind, data = self._channel.receive()
                if kind is Kind.RETURN:
                    return content(data, (int, object, str))[1]
                if kind is Kind.RAISE:
                    _, why, text, _ = content(data, (int, str, str, str))
                    raise TypeError(text) if why == "call" else CallbackError(Refused())
                self._handle(kind, data)  # the grader's function calls the answer in turn


@contextlib.contextmanager
def _unwatched() -> Iterator[None]:
    """The watch for finished implementations looks at every call; those of the boundary need not be looked at."""
    before = sys.getprofile()
    sys.setprofile(None)
    try:
        yield
    finally:
        sys.setprofile(before)


def _reason(error: BaseException) -> tuple[str, str]:
    """Why a request has no value: a word for `Session` and one line for the reader."""
    if isinstance(error, Refused):
        return "callback", ""
    if isinstance(error, NotStarted):
        return "not started", str(error)
    if isinstance(error, ShortCut):
        return "short cut", str(error)
    if isinstance(error, KeyboardInterrupt):
        return "student", "interrupted"
    if isinstance(error, StudentError):
        return ("memory" if _is_memory(error.__cause__) else "student"), str(error)
    return "student", f"what it returns cannot be graded ({type(error).__name__}: {error})"


def _is_memory(error: BaseException | None) -> bool:
    """MemoryError, or what torch raises in its place."""
    return isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and "allocate memory" in str(error))


def _clean(text: str) -> str:
    """Text that can be sent: no lone surrogates, no megabytes."""
    return text[:10_000].encode("utf-8", "replace").decode()
