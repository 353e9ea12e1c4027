"""What an answer gets and gives while the checks look at it: the kinds of its arguments, and where gradients flow.

The reference is tried once more, with a note taken of each call. `generic` decides by these notes which
generic mistakes make sense for the exercise. It is the kinds that are noted, never the values: that a check always
asks with one value is no reason to leave a mistake out.
"""

import contextlib
import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from unrolled.checking.finished import seal
from unrolled.checking.registry import forbidden

from autograder.verifying.mistakes import bound, each
from autograder.verifying.trial import Job

Kind = str | list  # of a leaf "floating tensor of 2 axes", of a collection ["dict", {"U": kind, …}]


@dataclass(frozen=True)
class Look(Job):
    """A trial of the reference whose report says, under "seen", how the checks called it: a list of dictionaries.

    "arguments" are kinds by name, "result" is one. "flows" lists [name, *path] of the floating tensors to which
    gradients flow back, and "differentiated" says whether the check asked for gradients.
    """

    def wrapped(self, answer: Callable, notes: dict[str, Any]) -> Callable:
        return noting(answer, notes.setdefault("seen", []), seal(forbidden(self.exercise)).off)


def noting(right: Callable, seen: list[dict], opened: Callable = contextlib.nullcontext) -> Callable:
    """The same function, which notes each kind of call once. While it looks where gradients flow, within `opened()`,
    what the exercise forbids may be called.
    """

    @functools.wraps(right)
    def watched(*given: Any, **named: Any) -> Any:
        arguments = bound(right, given, named)
        result = right(**arguments)
        asked = any(leaf.requires_grad for value in arguments.values() for _, leaf in _leaves(value))
        call = {name: kind(value) for name, value in arguments.items()}
        call = {"arguments": call, "result": kind(result), "differentiated": asked}
        if not any(call.items() <= other.items() for other in seen):
            with opened():
                seen.append(call | {"flows": flows(right, arguments)})
        return result

    return watched


def kind(value: Any) -> Kind:
    """What kind of value it is; of lists the kind of the first item stands for all."""
    if isinstance(value, torch.Tensor):
        form = "floating" if value.is_floating_point() else "bool" if value.dtype == torch.bool else "integer"
        return f"{form} tensor of {value.dim()} axes"
    if isinstance(value, dict):
        named = all(isinstance(key, str) for key in value)
        return ["dict", {key: kind(item) for key, item in value.items()} if named else _first(value.values())]
    if isinstance(value, list):
        return ["list", _first(value)]
    if isinstance(value, tuple):
        return ["tuple", {str(place): kind(item) for place, item in enumerate(value)}]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "number"
    return "function" if callable(value) else type(value).__name__


def _first(items: Any) -> dict[str, Kind]:
    first = list(items)[:1]
    return {"*": kind(first[0])} if first else {}


def flows(right: Callable, arguments: dict[str, Any]) -> list[list[str]]:
    """Where in the arguments the floating tensors lie to which a gradient comes back from the result, once each."""
    if any(callable(value) for value in arguments.values()):  # what it calls may remember the call
        return []
    leaves = {name: each(value, _leaf) for name, value in arguments.items()}
    ways = [([name, *path], leaf) for name, value in leaves.items() for path, leaf in _leaves(value)]
    try:
        out = [tensor.sum() for _, tensor in _leaves(right(**leaves)) if tensor.requires_grad]
        found = torch.autograd.grad(sum(out), [leaf for _, leaf in ways], allow_unused=True)
    except (RuntimeError, TypeError):  # nothing to differentiate, or nothing to differentiate by
        return []
    known = {tuple(way): way for (way, _), gradient in zip(ways, found, strict=True) if gradient is not None}
    return list(known.values())


def _leaf(value: Any) -> Any:
    floating = isinstance(value, torch.Tensor) and value.is_floating_point()
    return value.detach().clone().requires_grad_() if floating else value


def _leaves(value: Any) -> list[tuple[list[str], torch.Tensor]]:
    """The floating tensors in a value with their paths, every place of a list being "*"."""
    if isinstance(value, dict | list | tuple):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        step = (lambda place: "*") if isinstance(value, list) else str
        return [([step(place), *path], leaf) for place, item in items for path, leaf in _leaves(item)]
    return [([], value)] if isinstance(value, torch.Tensor) and value.is_floating_point() else []
