"""The stand-in: a check's `answer` whose code runs in a student's process.

It offers what `unrolled.checking.LocalAnswer` offers and raises the same exceptions, so a check cannot tell which it
holds. No operator of a student's object is ever run here: what comes back is plain data of exact types, made by
`decoding` from bytes, or another stand-in.
"""

import inspect
from collections.abc import Callable
from typing import Any

import torch
from unrolled.checking.answer import StudentError
from unrolled.checking.plain import StandIn

from .channel import Kind
from .session import Ended, Session, TookTooLong
from .wire import Handle, Unsendable

LONGEST_NAME = 40  # characters of a class's name that a message shows


class RemoteAnswer(StandIn):
    """An object in a student's process.

    `find` gives the session and the object's number there, and may bring the process back first; `seconds` gives the
    time that a call may take. Both may raise what checks know. `name` is its class as that process spells it: a word
    for messages, taken only if it is one.
    """

    def __init__(self, find: Callable[[], tuple[Session, Handle]], seconds: Callable[[], float], name: str = ""):
        self._find, self._seconds, self.printed = find, seconds, ""
        self.class_name = name if name.isidentifier() and len(name) <= LONGEST_NAME else StandIn.class_name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask(Kind.CALL, args=args, kwargs=kwargs)

    def method(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Call a method of the answer."""
        return self._ask(Kind.METHOD, name, args=args, kwargs=kwargs)

    def attribute(self, name: str) -> Any:
        """Read an attribute of the answer."""
        return self._ask(Kind.ATTRIBUTE, name)

    def gradients(self, *args: Any, upstream: Any = None, **kwargs: Any) -> dict[str, Any]:
        """Call the answer and differentiate; see `unrolled.checking.gradients`."""
        said = self._ask(Kind.GRADIENTS, upstream, args=args, kwargs=kwargs)
        if not _are_gradients(said, args, kwargs):
            raise StudentError("its gradients cannot be read")
        return said

    def value(self) -> Any:
        """The answer itself, for an exercise whose answer is plain data."""
        return self._ask(Kind.VALUE)

    def uses(self) -> list[str]:
        """What the process says, which is good for a hint and no more."""
        said = self._ask(Kind.USES)
        return [name for name in said if type(name) is str] if type(said) is list else []

    def handle_in(self, session: Session) -> Handle:
        """The name by which the answer's own process knows it. Raises StudentError in any other."""
        here, handle = self._find()
        if here is not session:
            raise StudentError("the process that held this object has ended")
        return handle

    def __repr__(self) -> str:
        return "<answer in a process of its own>"

    def _ask(self, kind: Kind, *subject: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        seconds = self._seconds()
        session, handle = self._find()
        try:
            return session.ask(kind, handle, *subject, args=args, kwargs=kwargs, seconds=seconds)
        except TookTooLong as error:
            raise StudentError(f"the call was interrupted: {error}") from error
        except Ended as error:
            raise StudentError(f"the call ended the process: {error}") from error
        except Unsendable as error:  # a check's own argument: its fault
            raise ValueError(f"a check passed something that cannot cross: {error}") from error
        finally:
            self.printed = session.printed


def _are_gradients(said: Any, args: tuple, kwargs: dict) -> bool:
    """Whether a process says what `unrolled.checking.gradients` would: each in the place of what it belongs to."""
    if type(said) is not dict or set(said) != {"output", "arguments", "named", "parameters"}:
        return False
    parameters = said["parameters"]
    named = type(parameters) is dict and all(map(_is_gradient, parameters.values()))
    return named and _alike(said["arguments"], list(args)) and _alike(said["named"], kwargs)


def _alike(gradient: Any, value: Any) -> bool:
    if inspect.isfunction(value):  # of all that it returned
        return type(gradient) is list and all(map(_is_gradient, gradient))
    if isinstance(value, dict):
        same = type(gradient) is dict and gradient.keys() == value.keys()
        return same and all(_alike(gradient[key], item) for key, item in value.items())
    if isinstance(value, list | tuple):
        same = isinstance(gradient, list | tuple) and len(gradient) == len(value)
        return same and all(map(_alike, gradient, value))
    return _is_gradient(gradient)


def _is_gradient(value: Any) -> bool:
    return value is None or type(value) is torch.Tensor
