"""The grader's end of one student's process: requests with time limits, callbacks served, every end explained.

Nothing the process sends is believed beyond its type. Whatever it does, a request ends within its limit and a grace
period, in a value, in one of the exceptions that checks know, or in `Ended`.
"""

import inspect
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from unrolled.checking import seeded
from unrolled.checking.always import Always
from unrolled.checking.answer import NotStarted, StudentError
from unrolled.checking.finished import ShortCut
from unrolled.checking.plain import SCALARS, cut, plain
from unrolled.checking.registry import SEED_VARIABLE, running

from .channel import Channel, Closed, Kind, TimeUp, content
from .encoding import encode
from .wire import MAX_TEXT, Callback, FrameError, Handle, Unsendable

TIMED_OUT, CRASHED, OUT_OF_MEMORY = "timed out", "crashed", "out of memory"
MAX_ASKED = 2**20  # bytes of the arguments of one callback
MAX_ASKED_TOGETHER = 32 * 2**20  # of all callbacks of a process: a check may keep what its function was called with
TOO_LARGE = "what it calls a function passed in with is too large"
GRACE = 1.0  # seconds between an interrupt and the end


@dataclass(frozen=True)
class Mishap:
    """Why a submission is not simply "graded": a status and one line."""

    status: str
    reason: str


class Process(Protocol):
    """What a session needs of a process."""

    def interrupt(self) -> None:
        """Raise KeyboardInterrupt in it."""

    def end(self, gone: bool = False) -> Mishap:
        """End it if it still runs, and say how it ended. `gone`: it has closed its connection."""


class Ended(Exception):
    """The process is gone; `mishap` says why."""

    def __init__(self, mishap: Mishap):
        super().__init__(mishap.reason)
        self.mishap = mishap


class TookTooLong(Exception):
    """A request was interrupted after its time; the process lives on."""


class Session:
    """Talks to one process.

    `layers` are those of the jail that hold it, `mishaps` collects what went wrong, `printed` is what the last call
    wrote, and `ended` says how the process ended, once it has.
    """

    def __init__(self, channel: Channel, process: Process, answer: Callable[["Session", Handle], Any]):
        self._channel, self._process, self._answer = channel, process, answer
        self._number, self._check = 0, None
        self._callbacks: list[tuple[Callable, inspect.Signature]] = []
        self._failure: Exception | None = None
        self._asked = 0
        self.printed, self.mishaps, self.ended = "", [], None
        self.layers: tuple[str, ...] = ()

    def greet(self, seconds: float) -> bool:
        """Hear which of the jail's layers are in force, before any student code runs; False if nothing comes."""
        try:
            kind, data = self._channel.receive(time.monotonic() + seconds)
            self.layers = tuple(content(data, (list,))[0])
        except (TimeUp, Closed, FrameError):
            kind = None
        if kind is not Kind.HELLO:
            self.end()
        return kind is Kind.HELLO

    def cell(self, source: str, seconds: float) -> tuple[Any, bool]:
        """Run a cell: its outputs as they were sent, and whether it raised."""
        value = self.request(Kind.CELL, source, seconds=seconds)
        if type(value) is not tuple or len(value) != 2 or type(value[1]) is not bool:
            raise Ended(self.end(FrameError("no outputs")))
        return value

    def ask(self, kind: Kind, *subject: Any, args: tuple = (), kwargs: dict | None = None, seconds: float) -> Any:
        """A request about a student's object, with arguments as a check gives them."""
        sent = [self._spelled(arg) for arg in args]
        named = {name: self._spelled(value) for name, value in (kwargs or {}).items()}
        return self.request(kind, *subject, sent, named, self._new_seed(), seconds=seconds)

    def request(self, kind: Kind, *contents: Any, seconds: float) -> Any:
        """Raises NotStarted, StudentError, ShortCut, TookTooLong, Ended, or what a callback raised."""
        if self.ended:
            raise Ended(self.ended)
        self._number += 1
        number, deadline = self._number, time.monotonic() + seconds
        return self._guarded(lambda: self._exchange(kind, number, contents, deadline), number, seconds)

    def end(self, why: FrameError | None = None, gone: bool = False) -> Mishap:
        """End the process; `why` overrides what its own end says."""
        if self.ended is None:
            own = self._process.end(gone)
            self.ended = Mishap(CRASHED, f"the process sent {why}") if why else own
            self._channel.close()
        return self.ended

    # --- one exchange ----------------------------------------------------------------------------------------------

    def _guarded(self, exchange: Callable[[], Any], number: int = 0, seconds: float = 0.0) -> Any:
        """Every end of an exchange that is none of the student's exceptions."""
        try:
            return exchange()
        except TimeUp:
            self._interrupt(number, seconds)
            raise TookTooLong(f"it took longer than {seconds:g} s") from None
        except Closed:
            mishap = self.end(gone=True)
        except FrameError as error:
            mishap = self.end(error)
        except KeyboardInterrupt:  # the user's own
            self.end()
            raise
        self.mishaps.append(mishap)
        raise Ended(mishap)

    def _exchange(self, kind: Kind, number: int, contents: tuple, deadline: float) -> Any:
        self._channel.send(kind, number, *contents, deadline=deadline)
        while True:
            kind, data = self._channel.receive(deadline)
            if kind is Kind.CALLBACK:
                self._call_back(data, deadline)
            elif kind is Kind.RETURN:
                return self._returned(data, number, deadline)
            elif kind is Kind.RAISE:
                self._raised(data, number)
            else:
                raise FrameError(f"a {kind.name} where an answer was due")

    def _returned(self, data: bytes, number: int, deadline: float) -> Any:
        hooks = {"handle": lambda handle: self._answer(self, handle)}
        seconds = max(0.1, deadline - time.monotonic())
        got, value, printed = content(data, (int, object, str), seconds=seconds, **hooks)
        _same(got, number)
        self.printed = printed[:MAX_TEXT]
        return value

    def _raised(self, data: bytes, number: int) -> None:
        got, why, text, printed = content(data, (int, str, str, str))
        _same(got, number)
        text, self.printed = cut(text, MAX_TEXT), printed[:MAX_TEXT]
        failure, self._failure = self._failure, None
        if why == "callback" and failure is not None:
            raise failure
        if why == "not started":
            raise NotStarted.read(text)
        if why == "short cut":
            raise ShortCut(text)
        if why == "memory":
            self.mishaps.append(Mishap(OUT_OF_MEMORY, text))
        raise StudentError(text, "answer")  # any text at all may stand in it

    def _interrupt(self, number: int, seconds: float) -> None:
        """Interrupt the code that took too long; end the process if it does not stop."""
        self.mishaps.append(Mishap(TIMED_OUT, f"it took longer than {seconds:g} s"))
        self._process.interrupt()
        deadline, kind = time.monotonic() + GRACE, None
        try:
            while kind not in (Kind.RETURN, Kind.RAISE):
                kind, data = self._channel.receive(deadline)
            _same(content(data, (int, object, str) if kind is Kind.RETURN else (int, str, str, str))[0], number)
        except (TimeUp, Closed, FrameError):
            self.end()
            self.ended = Mishap(TIMED_OUT, f"it took longer than {seconds:g} s and ignored the interrupt")
            raise Ended(self.ended) from None

    # --- what a check passes in --------------------------------------------------------------------------------------

    def _spelled(self, value: Any) -> bytes:
        """An argument's bytes. Each has its own, so that what comes again need not be read again."""
        try:
            return encode(value)  # most are plain data, and need no copy on the way
        except Unsendable:
            return encode(plain(value, self._refer))

    def _refer(self, value: Any) -> Any:
        """What stands for an argument that is no plain data: a number."""
        handle = getattr(value, "handle_in", None)
        if handle is not None:
            return handle(self)
        if not callable(value):
            raise TypeError(f"a check passed {value!r}, which is neither plain data nor a function")
        self._callbacks.append((value, inspect.signature(value)))
        known = (len(value.names), plain(value.value)) if isinstance(value, Always) else None
        return Callback(len(self._callbacks) - 1, known)

    def _call_back(self, data: bytes, deadline: float) -> None:
        self._asked += len(data)
        if len(data) > MAX_ASKED or self._asked > MAX_ASKED_TOGETHER:
            return self._channel.send(Kind.RAISE, 0, "call", TOO_LARGE, "", deadline=deadline)
        number, index, args, kwargs = content(data, (int, int, list, dict))
        if not 0 <= index < len(self._callbacks) or not all(type(name) is str for name in kwargs):
            raise FrameError("a call of a function that was not passed in")
        function, signature = self._callbacks[index]
        try:
            signature.bind(*args, **kwargs)
        except TypeError as error:  # a call of the wrong form is the caller's mistake
            return self._channel.send(Kind.RAISE, number, "call", str(error), "", deadline=deadline)
        try:
            value = _sendable(function(*args, **kwargs))
        except (Ended, TookTooLong):
            raise
        except Exception as error:
            self._failure = error
            return self._channel.send(Kind.RAISE, number, "failed", "", "", deadline=deadline)
        return self._channel.send(Kind.RETURN, number, value, "", deadline=deadline)

    def _new_seed(self) -> int | None:
        """The running check's seed at its first call, so that its global random numbers are the same each time."""
        check = os.environ.get(SEED_VARIABLE), running()
        changed, self._check = check != self._check, check
        return seeded().randrange(2**31) if changed else None

    def forget_seed(self) -> None:
        """The next call seeds anew; between exercises, whose checks may share a name."""
        self._check = None


def _sendable(value: Any) -> Any:
    """A copy of plain data, which scalars need not have."""
    return value if type(value) in SCALARS else plain(value)


def _same(got: int, number: int) -> None:
    if got != number:
        raise FrameError("an answer to another question")
