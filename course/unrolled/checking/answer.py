"""How a check calls an answer.

`LocalAnswer` wraps the student's function, class or value in this process. Arguments go in as copies, results come
out as plain data, what the code prints is kept, what it raises becomes a `StudentError`, and a call into a finished
implementation is noticed. A stand-in for an answer in another process offers the same calls, so one check serves both.
"""

import contextlib
import inspect
import io
import linecache
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Protocol

from .gradients import gradients
from .plain import plain, same

PACKAGE = Path(__file__).resolve().parent.parent


class Answer(Protocol):
    """What a check may do with an answer: call it, or read it when it is plain data.

    What a call returns is plain data, with another `Answer` in the place of each object of another kind, such as a
    model that was constructed. Such an object is used by `method` (`state_dict`, `load_state_dict`, …) and
    `attribute`; `gradients` calls it and differentiates (see `unrolled.checking.gradients`).
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def value(self) -> Any: ...
    def method(self, name: str, *args: Any, **kwargs: Any) -> Any: ...
    def attribute(self, name: str) -> Any: ...
    def gradients(self, *args: Any, upstream: Any = None, **kwargs: Any) -> dict[str, Any]: ...


class NotStarted(Exception):
    """The exercise still raises NotImplementedError."""


class StudentError(Exception):
    """The student's code raised something; `str()` gives type, message and line."""


class ShortCut(Exception):
    """The answer calls a finished implementation instead of being one."""


class LocalAnswer:
    """The student's object, called in this process.

    `forbidden` holds library functions (beyond the course's own lesson modules) that the exercise asks to write.
    After a call, `printed` holds what it wrote to stdout and stderr.
    """

    def __init__(self, target: Any, forbidden: tuple[Callable, ...] = ()):
        self._target, self._watch, self.printed = target, _Watch(forbidden), ""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._run(self._target, args, kwargs)

    def method(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Call a method of the answer."""
        return self._run(lambda *sent, **named: getattr(self._target, name)(*sent, **named), args, kwargs)

    def attribute(self, name: str) -> Any:
        """Read an attribute of the answer."""
        return self._run(lambda: getattr(self._target, name), (), {})

    def gradients(self, *args: Any, upstream: Any = None, **kwargs: Any) -> dict[str, Any]:
        """Call the answer and differentiate; see `unrolled.checking.gradients`."""
        return self._run(lambda *sent, **named: gradients(self._target, sent, named, upstream), args, kwargs)

    def _run(self, target: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
        """Call `target`, the student's code, with copies of plain data; bring its result back as plain data."""
        sent, named, unchanged = self._handed_over(args, kwargs)
        output = io.StringIO()
        try:
            with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output), self._watch.on():
                result = target(*sent, **named)
        except NotImplementedError as error:
            raise NotStarted(str(error)) from error
        except CallbackError as error:  # the check's own function failed: not the student's fault
            raise error.cause from error
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise StudentError(explain(error)) from error
        finally:
            self.printed = output.getvalue()
        self._watch.complain()
        if not unchanged():
            raise StudentError("your function changes an argument that it was given: work on a copy of it")
        return self._brought_back(result)

    def _handed_over(self, args: tuple, kwargs: dict[str, Any]) -> tuple[list, dict, Callable[[], bool]]:
        """The arguments as the student's code gets them, and whether they are later still what they were."""
        sent = [plain(arg, self._callback) for arg in args]
        named = {key: plain(arg, self._callback) for key, arg in kwargs.items()}
        before = plain([sent, named], lambda function: function)
        return sent, named, lambda: same([sent, named], before)

    def _brought_back(self, result: Any) -> Any:
        """The result as plain data; whatever goes wrong on the way is the result's fault, not the check's."""
        try:
            return plain(result, self._another)
        except Exception as error:
            raise StudentError(f"what it returns cannot be read ({type(error).__name__}: {error})") from error

    def _another(self, value: Any) -> "LocalAnswer":
        """What stands for an object that stays here."""
        return LocalAnswer(value)

    def value(self) -> Any:
        """The answer itself, for an exercise whose answer is plain data."""
        return self._brought_back(self._target)

    def __repr__(self) -> str:
        return f"<answer {getattr(self._target, '__name__', type(self._target).__name__)}>"

    def _callback(self, function: Any) -> Any:
        """Wrap a function that a check passes in: the answer may call it, with plain data both ways."""
        if isinstance(function, LocalAnswer):
            return function._target
        if not callable(function):
            raise TypeError(f"a check passed {function!r}, which is neither plain data nor a function")
        signature = inspect.signature(function)

        def called_back(*args: Any, **kwargs: Any) -> Any:
            with self._watch.off():
                arguments = read_arguments([args, kwargs])
                signature.bind(*arguments[0], **arguments[1])  # a call of the wrong form is the caller's mistake
                try:
                    return plain(function(*arguments[0], **arguments[1]))
                except Exception as error:
                    raise CallbackError(error) from error

        return called_back


def read_arguments(arguments: list) -> Any:
    """What the answer gave to a function passed in, as plain data; TypeError if it is none, whatever the reason."""
    try:
        return plain(arguments)
    except Exception as error:
        raise TypeError(f"it calls a function passed in with what cannot be read ({error})") from error


class CallbackError(BaseException):
    """Carries a check's own failure through the student's code, past any `except Exception`."""

    def __init__(self, cause: Exception):
        super().__init__(str(cause))
        self.cause = cause


class _Watch:
    """Notices calls into finished implementations while the student's code runs."""

    def __init__(self, forbidden: tuple[Callable, ...]):
        self._code = {f.__code__ for f in forbidden if hasattr(f, "__code__")}
        self._code |= {f.__init__.__code__ for f in forbidden if hasattr(getattr(f, "__init__", None), "__code__")}
        self._builtins = [f for f in forbidden if not hasattr(f, "__code__")]
        self._seen: str | None = None
        self._look = self._watcher()

    @contextlib.contextmanager
    def on(self) -> Iterator[None]:
        self._seen, before = None, sys.getprofile()
        sys.setprofile(self._look)
        try:
            yield
        finally:
            sys.setprofile(before)

    @contextlib.contextmanager
    def off(self) -> Iterator[None]:
        sys.setprofile(None)
        try:
            yield
        finally:
            sys.setprofile(self._look)

    def complain(self) -> None:
        if self._seen:
            raise ShortCut(f"the answer calls {self._seen}, the finished implementation: write it yourself")

    def _watcher(self) -> Callable[[FrameType, str, Any], None]:
        """What Python calls at every call and return, and so does next to nothing at most of them."""
        lessons, written, builtins = _lesson_files(), self._code, self._builtins

        def look(frame: FrameType, event: str, arg: Any) -> None:
            if event == "call":
                code = frame.f_code  # asked for in this order, since a code object's hash is slow to compute
                if code.co_filename in lessons and code.co_name != "<module>" or written and code in written:
                    self._seen = self._seen or _name_of(code)
            elif builtins and event == "c_call" and any(arg is f for f in builtins):
                self._seen = self._seen or getattr(arg, "__name__", repr(arg))

        return look


def _module_name(path: Path) -> str:
    return path.parent.name if path.stem == "__init__" else path.stem


def _name_of(code: CodeType) -> str:
    """What a student may know it by: whoever asks for a derivative has called something above torch's own function."""
    path = Path(code.co_filename)
    name = f"{_module_name(path)}.{code.co_qualname}"
    return f"autograd (in the end {name})" if {"autograd", "_functorch"} & set(path.parts) else name


_lessons: frozenset[str] = frozenset()


def _lesson_files() -> frozenset[str]:
    """The course's lesson modules: those in the package that have a file of checks with the same name."""
    global _lessons
    if not _lessons:
        names = {path.name for path in (PACKAGE / "checks").glob("[a-z]*.py")}
        _lessons = frozenset(str(PACKAGE / name) for name in names)
    return _lessons


def explain(error: BaseException) -> str:
    """One line about an exception: type, message and the last line of the student's code it passed."""
    message = f"{type(error).__name__}: {error}".rstrip(": ")
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if _is_student_file(frame.filename):
            source = (frame.line or linecache.getline(frame.filename, frame.lineno or 0)).strip()
            shown = f": {source}" if any(map(str.isalnum, source)) else ""  # the last line of a long call is a bracket
            return f"{message} (in {frame.name}, line {frame.lineno}{shown})"
    return message


def _is_student_file(name: str) -> bool:
    return not (name.startswith((str(PACKAGE), sys.prefix, sys.base_prefix)) or name.startswith("<frozen"))
