"""Judging: one submission after another, each in a fork of a warm worker, scored on this side of the boundary.

Read on in this order: `zygote` (the warm worker), `keeper` (watches one fork), `worker` (this side's end of both),
`unit` (what is asked for, by the release), `examination` (one submission, with second chances), `judge` (the engine).

Names are imported when they are asked for: the warm worker lies in this package, too, and must neither see nor need
what only judges need.
"""

import importlib

_PLACES = {"Engine": "judge", "Judgement": "judge", "Exercise": "unit", "Unit": "unit"}

__all__ = ["Engine", "Exercise", "Judgement", "Unit"]


def __getattr__(name: str):
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_PLACES[name]}", __name__), name)
