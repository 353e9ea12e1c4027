"""Traces in a submission's own text of code that reaches into the grader's side of its process.

What runs in a student's process can be changed there: what looks for builtins that an exercise forbids, and what looks
whether an argument was changed. No mark that depends on these two is safe from code that knows them. Such code is
seldom written by chance, so a person is told to look at it; no mark changes. Names that are put together at run time
are not found.
"""

import re
from collections.abc import Iterable
from typing import Any

from .rubric import code_cells, source_of

TRACES = {
    "switches off profiling": r"\bsetprofile|PyEval_SetProfile|\b_thread\b|sys\.monitoring",
    "uses the checks' own code": r"\bunrolled\.checking\.|\bautograder\b|\baddaudithook",
    "looks through the process's memory": r"\bgc\s*\.\s*get_|\bctypes\b|\b_getframe\b",
    "exchanges the code of functions": r"\.__code__\b",
}


def traces(notebook: dict[str, Any], released: Iterable[str] = ()) -> list[str]:
    """What the code of a notebook does that somebody should look at; `released` are texts that are not its own."""
    given = set(released)
    own = [text for text in map(source_of, code_cells(notebook)) if text not in given]
    return [told for told, pattern in TRACES.items() if any(re.search(pattern, text) for text in own)]


def told(found: list[str]) -> list[str]:
    """The line for the teacher, if there is anything."""
    return [f"look at its code: it {' and '.join(found)}"] if found else []
