"""Gradients by whatever stands in nested dictionaries of parameters, held to those of the library's twin.

    taught(answer, {"x": x, "params": params, "heads": 2}, twin, upstream)

The twin is called with the same arguments, in their order. Left out on purpose: lists among the parameters.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from unrolled.checking.compare import close

from . import told
from .translators import SOFT


def leaves_of(given: Any, name: str = "") -> dict[str, Any]:
    """{"params norm1 gamma": …}: all that stands in a nest of dictionaries, by the way to it."""
    if not isinstance(given, dict):
        return {name.strip(): given}
    return {at: one for key, part in given.items() for at, one in leaves_of(part, f"{name} {key}").items()}


def nested(leaves: dict[str, Any]) -> dict[str, Any]:
    """The way back."""
    given: dict[str, Any] = {}
    for name, one in leaves.items():
        *outer, last = name.split(" ")
        inside = given
        for key in outer:
            inside = inside.setdefault(key, {})
        inside[last] = one
    return given


def taught(answer: Any, given: dict[str, Any], library: Callable[..., Tensor], upstream: Tensor) -> None:
    """Hold the gradients of Σ result · upstream by all tensors of floats among the arguments to the library's."""
    all_of = leaves_of(given)
    floats = {name: one for name, one in all_of.items() if isinstance(one, Tensor) and one.is_floating_point()}
    fresh = {name: one.clone().requires_grad_() for name, one in floats.items()}
    total = (library(*nested(all_of | fresh).values()) * upstream).sum()
    expected = dict(zip(fresh, torch.autograd.grad(total, list(fresh.values()), allow_unused=True), strict=True))
    got = answer.gradients(*given.values(), upstream=upstream)["arguments"]
    mine = leaves_of(dict(zip(given, got, strict=True)))
    for name, theirs in expected.items():
        _same(mine.get(name), theirs, name.removeprefix("params "))


def _same(mine: Any, theirs: Tensor | None, name: str) -> None:
    """What the library takes no notice of (b^K, where all keys move alike) may have none, or zeros."""
    hint = told.of_a_cut(name) if mine is None else told.of_gradient(mine, theirs)
    close(mine, theirs, f"the gradient by {name}", *SOFT, hint=hint)
