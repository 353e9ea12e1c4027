"""Plain data: the only thing that passes between a check and an answer.

A check may hold the student's function itself or a stand-in for a function in another process. It cannot tell,
because both hand over copies of plain data: None, bool, int, float, str, bytes, list, tuple, dict, set and
`torch.Tensor`. Everything close to these (numpy arrays, `Counter`, named tuples, fractions) is turned into them.
What is left out on purpose: objects of other classes. They stay where they were made.
"""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import torch

SCALARS = (type(None), bool, int, float, str, bytes)
ITERATORS = ["generator", "map", "filter", "zip", "enumerate", "reversed", "range"]
ITERATORS += ["dict_keys", "dict_values", "dict_items"]
REMARKS = dict.fromkeys(ITERATORS, " (turn it into a list before you return it)")
REMARKS |= {"coroutine": " (leave out the word async)", "function": " (is a call of it missing?)"}


class StandIn:
    """What stands in for an object of another class that stays where it was made; `class_name` is for messages."""

    class_name = "object"


class NotPlain(TypeError):
    """A value that is neither plain data nor easily made so."""


def plain(value: Any, other: Callable[[Any], Any] | None = None) -> Any:
    """Return a copy of `value` made of plain data only.

    `other` decides what becomes of anything else: it gets the value and returns what shall stand for it.
    Without it, such a value raises `NotPlain`. Tensors come back detached, on the CPU and in memory of their own.
    """
    if type(value) in SCALARS:
        return value
    if isinstance(value, torch.Tensor):
        return _tensor(value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        return torch.from_numpy(np.array(value))
    if isinstance(value, np.generic):
        return value.item()
    for kind in (dict, list, tuple, set, frozenset):
        if isinstance(value, kind):
            return _container(value, kind, other)
    for kind in (int, float, str, bytes):  # subclasses: an enum member, a string with extra methods
        if isinstance(value, kind):
            return kind(value)
    if isinstance(value, Fraction | Decimal):
        return float(value)
    if other is not None:
        return other(value)
    raise NotPlain(f"{describe(value)} is no plain data")


def _tensor(value: torch.Tensor) -> torch.Tensor:
    copy = value.detach().to("cpu", copy=True)
    return copy.as_subclass(torch.Tensor)


def _container(value: Any, kind: type, other: Callable[[Any], Any] | None) -> Any:
    if kind is dict:
        return {plain(key, other): plain(item, other) for key, item in value.items()}
    if kind in (set, frozenset):
        return {plain(item, other) for item in value}
    return kind(plain(item, other) for item in value)


def same(one: Any, other: Any) -> bool:
    """Whether two plain values are equal to the last bit, NaN being equal to NaN; functions, if they are one object."""
    if type(one) is not type(other):
        return False
    if isinstance(one, torch.Tensor):
        alike = one.shape == other.shape and one.dtype == other.dtype
        return alike and bool(((one == other) | ((one != one) & (other != other))).all())
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(item, other[key]) for key, item in one.items())
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one is other or one == other or (one != one and other != other)


def describe(value: Any) -> str:
    """Say in a few words what a value is: "a tensor of shape (2, 3) and dtype float32", "the int 4"."""
    if isinstance(value, torch.Tensor):
        return f"a tensor of shape {tuple(value.shape)} and dtype {str(value.dtype).removeprefix('torch.')}"
    if value is None:
        return "None"
    if isinstance(value, bool | int | float | str | bytes):
        return f"the {type(value).__name__} {short(value)}"
    if isinstance(value, dict | list | tuple | set):
        return f"a {type(value).__name__} of {len(value)} item{'s' * (len(value) != 1)}"
    name = value.class_name if issubclass(type(value), StandIn) else type(value).__name__
    return f"an object of class {name}{REMARKS.get(name, '')}"


def short(value: Any, limit: int = 80) -> str:
    """`repr` of a value, floats to 6 significant digits, cut to `limit` characters."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, torch.Tensor):  # not to be taken for the list of its numbers
        return f"tensor({short(value.tolist(), limit)})" if value.numel() <= 12 else describe(value)
    if isinstance(value, list | tuple) and all(isinstance(item, float) for item in value) and value:
        inside = ", ".join(f"{item:.6g}" for item in value)
        text = f"[{inside}]" if isinstance(value, list) else f"({inside})"
    else:
        try:
            text = repr(value)
        except ValueError:  # Python prints no int of more than 4,300 digits
            text = f"a {type(value).__name__} with an enormous number"
    return text if len(text) <= limit else text[: limit - 1] + "…"


def cut(text: str, most: int) -> str:
    """`text`, or where it has more than `most` characters its beginning and its end, which says where it came from."""
    if len(text) <= most:
        return text
    end = most // 4
    return f"{text[: most - end - 3]} … {text[len(text) - end :]}"
