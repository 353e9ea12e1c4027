"""Gradients on request: what a check may ask of an answer without holding a graph of its own.

The answer runs where it lives; its output is multiplied by a given upstream gradient, summed and differentiated, and
the gradients come back as plain tensors. Higher derivatives are left out on purpose: no exercise needs them.
"""

from collections.abc import Callable
from typing import Any

import torch


def gradients(function: Callable, args: tuple, kwargs: dict[str, Any], upstream: Any = None) -> dict[str, Any]:
    """Call `function` and differentiate Σ output · upstream, with respect to floating tensors among the arguments.

    The output is a tensor or a list or tuple that holds some; `upstream` has one tensor for each of those (a single
    one may stand alone; None means ones). If `function` is a module, its parameters are differentiated, too.

    Returns {"output": …, "arguments": [gradient or None, …], "named": {name: …}, "parameters": {name: …}}.
    Without a way back from the output to any of these there are no gradients: each is None.
    """
    args = tuple(map(_leaf, args))
    kwargs = {name: _leaf(value) for name, value in kwargs.items()}
    parameters = dict(function.named_parameters()) if isinstance(function, torch.nn.Module) else {}
    leaves = [*args, *kwargs.values(), *parameters.values()]
    wanted = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor) and leaf.requires_grad]
    output = function(*args, **kwargs)
    total = _total(output, upstream)
    found = iter([None] * len(wanted) if total is None else torch.autograd.grad(total, wanted, allow_unused=True))
    of = [next(found) if any(leaf is one for one in wanted) else None for leaf in leaves]
    named, rest = dict(zip(kwargs, of[len(args) :], strict=False)), of[len(args) + len(kwargs) :]
    return {
        "output": output,
        "arguments": of[: len(args)],
        "named": named,
        "parameters": dict(zip(parameters, rest, strict=True)),
    }


def _leaf(value: Any) -> Any:
    floating = isinstance(value, torch.Tensor) and value.is_floating_point()
    return value.detach().clone().requires_grad_() if floating else value


def _total(output: Any, upstream: Any) -> torch.Tensor | None:
    """Σ output · upstream over all tensors of the output that have a way back; None if none has."""
    parts = [output] if isinstance(output, torch.Tensor) else list(output if isinstance(output, list | tuple) else ())
    parts = [part for part in parts if isinstance(part, torch.Tensor) and part.is_floating_point()]
    weights = [None] * len(parts) if upstream is None else upstream
    weights = [weights] if isinstance(weights, torch.Tensor) else weights
    if len(weights) != len(parts):
        raise ValueError(f"it returns {len(parts)} tensors of numbers, and {len(weights)} are wanted")
    pairs = [(part, weight) for part, weight in zip(parts, weights, strict=True) if part.requires_grad]
    if not pairs:
        return None
    return sum((part if weight is None else part * weight).sum() for part, weight in pairs)
