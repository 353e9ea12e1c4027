"""Gradients on request: what a check may ask of an answer without holding a graph of its own.

The answer runs where it lives; its output is multiplied by a given upstream gradient, summed and differentiated, and
the gradients come back as plain tensors. Higher derivatives are left out on purpose: no exercise needs them.
"""

import contextlib
import functools
import inspect
from collections.abc import Callable
from typing import Any

import torch

from .loan import Changed, complaint, first_changed


def gradients(
    function: Callable,
    args: tuple,
    kwargs: dict[str, Any],
    upstream: Any = None,
    unwatched: Callable[[], contextlib.AbstractContextManager] = contextlib.nullcontext,
) -> dict[str, Any]:
    """Call `function` and differentiate Σ output · upstream, with respect to all floating tensors in the arguments.

    The output is a tensor or a list, tuple or dictionary that holds some; `upstream` has one tensor for each of those
    (a single one may stand alone; None means ones). If `function` is a module, its parameters are differentiated, too.

    Returns {"output": …, "arguments": [gradient or None, …], "named": {name: …}, "parameters": {name: …}}; of a list,
    tuple or dictionary of tensors there is one of their gradients. Without a way back there are none: each is None.
    In the place of an argument that is a function stands a list: the gradient by each tensor of floating numbers that
    it returned, in their order, call by call.

    `unwatched` makes a context in which this function may differentiate, where the answer may not.
    """
    leaves: list[torch.Tensor] = []
    args, kwargs = _each((args, kwargs), lambda value: _leaf(value, leaves))
    handed = _each((args, kwargs), lambda value: value)
    parameters = dict(function.named_parameters()) if isinstance(function, torch.nn.Module) else {}
    with torch.enable_grad():  # a cell may have switched gradients off for good
        output = function(*handed[0], **handed[1])
        total = _total(output, upstream)
    wanted = leaves + [parameter for parameter in parameters.values() if parameter.requires_grad]
    now, before = ([*listed, *by_name.values()] for listed, by_name in (handed, (args, kwargs)))
    if spoilt := first_changed(now, before, _each_same):
        raise Changed(complaint(function, spoilt, len(args), list(kwargs)))
    with unwatched():
        found = [None] * len(wanted) if total is None else torch.autograd.grad(total, wanted, allow_unused=True)

    def of(value: Any) -> torch.Tensor | list | None:
        if isinstance(value, _Watched):
            return [of(one) for one in value.returned]
        return next((gradient for one, gradient in zip(wanted, found, strict=True) if one is value), None)

    return {
        "output": output,
        "arguments": [_each(arg, of) for arg in args],
        "named": _each(kwargs, of),
        "parameters": _each(parameters, of),
    }


def _each(value: Any, change: Callable[[Any], Any]) -> Any:
    """The same lists, tuples and dictionaries, with something else in the place of each value in them."""
    if isinstance(value, dict):
        return {name: _each(item, change) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_each(item, change) for item in value)
    return change(value)


def _each_same(one: Any, other: Any) -> bool:
    """Whether two nests of lists, tuples and dictionaries hold the same objects in the same places."""
    if isinstance(other, dict):
        return one.keys() == other.keys() and all(_each_same(one[name], item) for name, item in other.items())
    if isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_each_same, one, other))
    return one is other


def _leaf(value: Any, leaves: list[torch.Tensor]) -> Any:
    """What to differentiate by, which joins the leaves, if it is a tensor of floating numbers; else the value.

    It shares its numbers with the value: whoever handed that over sees whether the function writes to it.
    """
    if inspect.isfunction(value):
        return _Watched(value, leaves)
    if not (isinstance(value, torch.Tensor) and value.is_floating_point()):
        return value
    leaves.append(value.detach().requires_grad_())
    return leaves[-1]


class _Watched:
    """A function that a check handed over: what it returns joins the leaves, and is differentiated by, too."""

    def __init__(self, function: Callable, leaves: list[torch.Tensor]):
        functools.update_wrapper(self, function)
        self._function, self._leaves, self.returned = function, leaves, []

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _each(self._function(*args, **kwargs), self._lent)

    def _lent(self, value: Any) -> Any:
        """A copy of the leaf, which may be written to as the result of a real step may be."""
        leaf = value if inspect.isfunction(value) else _leaf(value, self._leaves)
        if leaf is value:
            return value
        self.returned.append(leaf)
        return leaf.clone()


def _total(output: Any, upstream: Any) -> torch.Tensor | None:
    """Σ output · upstream over all tensors of the output that have a way back; None if none has."""
    output = list(output.values()) if isinstance(output, dict) else output
    parts = [output] if isinstance(output, torch.Tensor) else list(output if isinstance(output, list | tuple) else ())
    parts = [part for part in parts if isinstance(part, torch.Tensor) and part.is_floating_point()]
    weights = [None] * len(parts) if upstream is None else upstream
    weights = [weights] if isinstance(weights, torch.Tensor) else weights
    if len(weights) != len(parts):
        raise ValueError(f"it returns {len(parts)} tensors of numbers, and {len(weights)} are wanted")
    for part, weight in zip(parts, weights, strict=True):
        if weight is not None and not _meet(part, weight):
            raise ValueError(f"it returns numbers of shape {tuple(part.shape)}, and {tuple(weight.shape)} is wanted")
    pairs = [(part, weight) for part, weight in zip(parts, weights, strict=True) if part.requires_grad]
    if not pairs:
        return None
    return sum((part if weight is None else part * weight).sum() for part, weight in pairs)


def _meet(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors have shapes that can be multiplied number by number."""
    return all(m == n or 1 in (m, n) for m, n in zip(one.shape[::-1], other.shape[::-1], strict=False))
