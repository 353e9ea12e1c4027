"""Judging: one submission after another, each in a fork of a warm worker, scored on this side of the boundary.

Read on in this order: `zygote` (the warm worker), `keeper` (watches one fork), `worker` (this side's end of both),
`unit` (what is asked for, by the release), `examination` (one submission, with second chances), `judge` (the engine).
"""

from .judge import Engine, Judgement
from .unit import Exercise, Unit

__all__ = ["Engine", "Exercise", "Judgement", "Unit"]
