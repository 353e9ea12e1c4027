"""Arguments are on loan: which one did a function change, and what does its author call it?

Only what was handed over is looked at, plain data on both sides; a function's own objects never are.
"""

import inspect
from collections.abc import Callable
from typing import Any

import torch

from .plain import same, short

Spoilt = tuple[int, str] | None


class Changed(Exception):
    """A function changed an argument; `str()` tells its author."""


def first_changed(values: list, before: list, alike: Callable[[Any, Any], bool] = same) -> Spoilt:
    """The place of the first value that is not what it was before, and of a dict of tensors "['U']", the key of one."""
    for place, (value, old) in enumerate(zip(values, before, strict=True)):
        if not alike(value, old):
            return place, _changed_key(value, old) if isinstance(value, dict) and isinstance(old, dict) else ""
    return None


def _changed_key(value: dict, old: dict) -> str:
    tensors = [key for key, item in old.items() if isinstance(item, torch.Tensor)]
    return next((f"[{short(key)}]" for key in tensors if key not in value or not same(value[key], old[key])), "")


def complaint(function: Callable, spoilt: tuple[int, str], unnamed: int, named: list[str]) -> str:
    """What its author is told: which argument it is, of so many that came unnamed and of those that came by name."""
    which = argument_of(function, spoilt[0], unnamed, named) + spoilt[1]
    return f"your function changes an argument that it was given, {which}: work on a copy of it"


def argument_of(function: Callable, place: int, unnamed: int, named: list[str]) -> str:
    """What the student calls the argument at this place, else its number; those handed over by name come last."""
    if place >= unnamed:
        return named[place - unnamed]
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # a builtin
        parameters = []
    own = [one.name for one in parameters if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    return own[place] if place < len(own) else f"number {place + 1}"
