"""How a check calls an answer.

`LocalAnswer` wraps the student's function, class or value in this process. Arguments go in as copies, results come
out as plain data, what the code prints is kept, what it raises becomes a `StudentError`, and a call into a finished
implementation is noticed (see `finished`). A stand-in for an answer in another process offers the same calls, so one
check serves both.
"""

import contextlib
import functools
import inspect
import io
import linecache
import sys
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from .finished import Seal, ShortCut, seal
from .gradients import gradients
from .loan import Changed, Spoilt, complaint, first_changed
from .plain import StandIn, cut, plain
from .used import functions_used, globals_used

PACKAGE = Path(__file__).resolve().parent.parent
MOST_SAID = 1_000  # characters of what an exception says: it may hold a whole argument


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
    """Code of the student's raises NotImplementedError: `line` says where, `names` in which functions, innermost first.

    `str()` has both, and `NotStarted.read` reads them again.
    """

    def __init__(self, line: str = "", names: Iterable[str] = ()):
        self.line, self.names = line, tuple(names)
        super().__init__(f"{' '.join(self.names)}\n{line}")

    @classmethod
    def read(cls, text: str) -> "NotStarted":
        names, _, line = text.partition("\n")
        return cls(line, names.split())


class StudentError(Exception):
    """The student's code raised something; `str()` gives type, message and line. `cause` is as in `Result`."""

    def __init__(self, text: str = "", cause: str = "run"):
        super().__init__(text)
        self.cause = cause


class LocalAnswer(StandIn):
    """The student's object, called in this process.

    `forbidden` holds what it may not call, see `registry.forbidden`, or is the seal of another answer whose object
    this is. After a call, `printed` holds what it wrote to stdout and stderr.
    """

    def __init__(self, target: Any, forbidden: tuple[Callable | ModuleType, ...] | Seal = ()):
        self._target, self.printed, self.class_name = target, "", type(target).__name__
        self._seal = forbidden if isinstance(forbidden, Seal) else seal(forbidden)

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
        work = functools.partial(gradients, self._target, upstream=upstream, unwatched=self._seal.off)
        called = functools.wraps(self._target)(lambda *sent, **named: work(sent, named))  # for the arguments' names
        return self._run(called, args, kwargs)

    def _run(self, target: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
        """Call `target`, the student's code, with copies of plain data; bring its result back as plain data."""
        sent, named, changed = self._handed_over(args, kwargs)
        output, watch = io.StringIO(), self._seal.on()
        try:
            with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output), watch:
                # read here, not later: a dictionary of one's own may do its work only when it is asked for its items
                result = self._brought_back(target(*sent, **named))
        except CallbackError as error:  # the check's own function failed: not the student's fault
            raise error.cause from error
        except KeyboardInterrupt:
            raise
        except StudentError as error:  # its result cannot be read
            raise (ShortCut.to(watch.called[0]) if watch.called else error) from error.__cause__
        except BaseException as error:
            raise _told(error, watch.called) from error
        finally:
            self.printed = output.getvalue()
        if watch.called:
            raise ShortCut.to(watch.called[0])
        if spoilt := changed():
            raise StudentError(complaint(target, spoilt, len(sent), list(named)))
        return result

    def _handed_over(self, args: tuple, kwargs: dict[str, Any]) -> tuple[list, dict, Callable[[], Spoilt]]:
        """The arguments as the student's code gets them, and what finds the first that is later not what it was."""
        sent = [plain(arg, self._callback) for arg in args]
        named = {key: plain(arg, self._callback) for key, arg in kwargs.items()}
        values = [*sent, *named.values()]
        before = [plain(value, lambda function: function) for value in values]
        return sent, named, lambda: first_changed(values, before)

    def _brought_back(self, result: Any) -> Any:
        """The result as plain data; whatever goes wrong on the way is the result's fault, not the check's."""
        try:
            return plain(result, self._another)
        except Exception as error:
            raise StudentError(f"what it returns cannot be read ({type(error).__name__}: {error})") from error

    def _another(self, value: Any) -> "LocalAnswer":
        """What stands for an object that stays here."""
        return LocalAnswer(value, self._seal)

    def value(self) -> Any:
        """The answer itself, for an exercise whose answer is plain data."""
        return self._run(lambda: self._target, (), {})

    def uses(self) -> list[str]:
        """The names of the student's functions that the answer leads to; see `used`."""
        return self._run(lambda: functions_used(self._target, _is_student_file), (), {})

    def reads(self) -> set[str]:
        """The names of the notebook that the answer, and what it leads to, read."""
        return self._run(lambda: globals_used(self._target, _is_student_file), (), {})

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
            with self._seal.off():
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


def _told(error: BaseException, called: list[str]) -> Exception:
    """What a check hears of an answer that raised `error` and had `called` what it may not call."""
    if called:
        return ShortCut.to(called[0])
    if isinstance(error, Changed):
        return StudentError(str(error))
    frames = traceback.extract_tb(error.__traceback__)
    if isinstance(error, NotImplementedError) and _is_student_file(frames[-1].filename):
        names = [frame.name for frame in reversed(frames) if _is_student_file(frame.filename)]
        return NotStarted(explain(error), dict.fromkeys(names))
    return StudentError(explain(error))


def explain(error: BaseException) -> str:
    """One line about an exception: type, message and the last line of the student's code it passed."""
    message = f"{type(error).__name__}: {cut(str(error), MOST_SAID)}".rstrip(": ")
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if _is_student_file(frame.filename):
            source = (frame.line or linecache.getline(frame.filename, frame.lineno or 0)).strip()
            shown = f": {source}" if any(map(str.isalnum, source)) else ""  # the last line of a long call is a bracket
            return f"{message} (in {frame.name}, line {frame.lineno}{shown})"
    return message


def _is_student_file(name: str) -> bool:
    return not (name.startswith((str(PACKAGE), sys.prefix, sys.base_prefix)) or name.startswith("<frozen"))
