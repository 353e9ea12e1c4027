"""The generic mistakes: each function here takes a right answer and returns one that makes a mistake.

They are mistakes that any answer to any exercise can make, so nobody need write them down for each. Which of them
make sense for an answer is decided in `generic`, which writes the functions that it needs from here below
the answer: what is tried is a text like every other answer, and could stand in a notebook.
"""

import contextlib
import functools
import importlib
import inspect
from collections.abc import Callable
from typing import Any

import torch


def bound(right: Callable, given: tuple, named: dict) -> dict[str, Any]:
    """The arguments of a call by their names."""
    call = inspect.signature(right).bind(*given, **named)
    call.apply_defaults()
    return call.arguments


def each(value: Any, change: Callable[[Any], Any]) -> Any:
    """The same lists, tuples and dictionaries, with something else in the place of each value in them."""
    if isinstance(value, dict):
        return {name: each(item, change) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(each(item, change) for item in value)
    return change(value)


def returns_a_constant(right: Callable) -> Callable:
    """Returns for ever what the first call returned."""
    first = []

    @functools.wraps(right)
    def wrong(*given, **named):
        if not first:
            first.append(right(*given, **named))
        return first[0]

    return wrong


def calls_the_finished_model(right: Callable, module: str, name: str, arguments: int) -> Callable:
    """Calls something of the finished module, and then gives the right result all the same.

    Under a decorator that refuses such arguments lies the function that is meant.
    """

    @functools.wraps(right)
    def wrong(*given, **named):
        called = getattr(importlib.import_module(module), name)
        with contextlib.suppress(Exception):
            if isinstance(called, type):
                inspect.unwrap(called.__init__)(called.__new__(called), *[2] * arguments)
            else:
                inspect.unwrap(called)(*[2] * arguments)
        return right(*given, **named)

    return wrong


def with_arguments(right: Callable, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable:
    """Gets other arguments than it was given."""

    @functools.wraps(right)
    def wrong(*given, **named):
        return right(**change(bound(right, given, named)))

    return wrong


def ignores(right: Callable, name: str) -> Callable:
    """Takes the argument of the first call for that of every call."""
    first = {}
    return with_arguments(right, lambda given: given | {name: first.setdefault(name, given[name])})


def exchanges(right: Callable, one: str, other: str) -> Callable:
    """Takes one argument for another and the other for the one."""
    return with_arguments(right, lambda given: given | {one: given[other], other: given[one]})


def changes(right: Callable, name: str, inside: bool = False) -> Callable:
    """Leaves an argument other than it was, or something that it holds."""

    @functools.wraps(right)
    def wrong(*given, **named):
        arguments = bound(right, given, named)
        result, held = right(**arguments), innermost(arguments[name])
        if not inside or held is not arguments[name]:
            spoil(held if inside else arguments[name])
        return result

    return wrong


def spoil(value: Any) -> None:
    """Change a tensor, a list, a dictionary or a set in place."""
    with torch.no_grad():
        if isinstance(value, torch.Tensor):
            value.logical_not_() if value.dtype == torch.bool else value.add_(1)
        elif isinstance(value, list):
            value.append(value[-1] if value else None)
        elif isinstance(value, dict):
            value["spoilt"] = 0
        elif isinstance(value, set):
            value.add("spoilt")


def innermost(value: Any) -> Any:
    """Going down from value to first value as far as there is one that can be changed in place: the last of them."""
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    for item in items:
        found = innermost(item)
        if isinstance(found, torch.Tensor | list | dict | set):
            return found
    return value


def detaches(right: Callable, name: str, path: tuple[str, ...]) -> Callable:
    """Cuts the way of gradients to an argument, or to what lies in it at `path` ("*" is every place of a list)."""
    return with_arguments(right, lambda given: given | {name: cut(given[name], path)})


def cut(value: Any, path: tuple[str, ...]) -> Any:
    """The same value with what lies at `path` detached."""
    if not path:
        return value.detach()
    if isinstance(value, dict):
        return {key: cut(item, path[1:]) if key == path[0] else item for key, item in value.items()}
    places = enumerate(value)
    return type(value)(cut(item, path[1:]) if path[0] in ("*", str(place)) else item for place, item in places)


def detaches_the_result(right: Callable) -> Callable:
    """Cuts the way of all gradients."""

    @functools.wraps(right)
    def wrong(*given, **named):
        return each(right(*given, **named), lambda value: value.detach() if isinstance(value, torch.Tensor) else value)

    return wrong


def remembers_by_size(right: Callable) -> Callable:
    """Looks up what it returned before for arguments of the same sizes."""
    memory = {}

    @functools.wraps(right)
    def wrong(*given, **named):
        sizes = tuple(size(value) for value in bound(right, given, named).values())
        if sizes not in memory:
            memory[sizes] = right(*given, **named)
        return memory[sizes]

    return wrong


def size(value: Any) -> Any:
    """The shape of a tensor, the length of a collection, a number or a text itself."""
    if isinstance(value, torch.Tensor):
        return tuple(value.shape)
    if isinstance(value, dict | list | tuple | set):
        return len(value)
    return value if value is None or isinstance(value, int | float | str) else type(value).__name__


def adds_to_the_last_result(right: Callable) -> Callable:
    """Puts what it finds into the list or dictionary that it returned last."""
    last = []

    @functools.wraps(right)
    def wrong(*given, **named):
        result = right(*given, **named)
        if last:
            result = last.pop() | result if isinstance(result, dict) else last.pop() + result
        last.append(result)
        return result

    return wrong


def computes_in_float32(right: Callable, and_returns_it: bool) -> Callable:
    """Computes in single precision what came in double, and returns it so or as double."""

    @functools.wraps(right)
    def wrong(*given, **named):
        arguments, wide = bound(right, given, named), []

        def narrow(value):
            wide.append(isinstance(value, torch.Tensor) and value.dtype == torch.float64)
            return value.float() if wide[-1] else value

        result = right(**{name: each(value, narrow) for name, value in arguments.items()})
        return each(result, widened) if any(wide) and not and_returns_it else result

    return wrong


def widened(value: Any) -> Any:
    """A floating tensor in double precision; any other value as it is."""
    return value.double() if isinstance(value, torch.Tensor) and value.is_floating_point() else value
