"""Checks: what an exercise must satisfy, and how it is told.

A check is a function that states one property of an answer. In a notebook `check(answer, points=2)` runs every
check of the exercise and shows a table; `python -m unrolled.checking NOTEBOOK` shows the same tables in a terminal.

Read on in this order: `compare` (what equal means), `plain` (what may pass between a check and an answer), `answer`
(how student code is called), `finished` (what it may not call), `registry` (how a check is declared), `running` (from
checks to a report), `used` and `elsewhere` (a fault that lies in another exercise), `borrowed` (what grading will not
have), `shares` (what each property is worth), `table` (from a report to a page), `naming` (which exercise a cell is
about), `notebook` (the call that students make).
"""

from .answer import Answer, LocalAnswer
from .compare import Mismatch, close, holds
from .notebook import check, ready
from .registry import forbid, seeded
from .running import Report, Result, run

__all__ = [
    "Answer",
    "LocalAnswer",
    "Mismatch",
    "Report",
    "Result",
    "check",
    "close",
    "forbid",
    "holds",
    "ready",
    "run",
    "seeded",
]
