"""A graded cell of nbgrader's own kind: assertions, all of whose points are earned or none.

It needs no Python package, only a cell. It runs where student code runs, in the jail, so what it hides an answer can
read, and an answer may make it hold; declared checks stay outside. Its text is the source's, whatever was handed in.
A cell that ends in a number gives that many of its points, as in nbgrader. Otherwise than there a warning costs
nothing, the number is the last one shown, and it lies between none and all.
"""

import math
import re
from dataclasses import dataclass
from typing import Any

CALL = re.compile(r"^check\(", re.MULTILINE)  # of a cell that asks for declared checks
HIDDEN = "BEGIN HIDDEN TESTS"


@dataclass(frozen=True)
class Asserts:
    """One such cell: its grade id, its points, and its text in the source."""

    name: str
    points: float
    source: str


def is_plain(source: str) -> bool:
    """Whether a graded code cell asks for no declared checks."""
    return not CALL.search(source)


def scored(outputs: list[dict[str, Any]] | None, points: float) -> list[dict[str, Any]]:
    """A cell's outputs as nbgrader reads its points from them; None stands for a cell that was not run."""
    if outputs is None:
        return [error("NotRun", "it was not run")]
    if failed := [error(each["ename"], each["evalue"]) for each in outputs if each["output_type"] == "error"]:
        return [*(each for each in outputs if each["output_type"] == "stream" and each["name"] == "stdout"), failed[0]]
    results = [each for each in outputs if each["output_type"] == "execute_result"]
    shown = [each | ({"name": "stdout"} if "name" in each else {}) for each in outputs if each not in results]
    earned = _number(results[-1], points) if results else points
    data = {"text/plain": repr(earned)}
    return [*shown, {"output_type": "execute_result", "data": data, "metadata": {}, "execution_count": None}]


def failure(outputs: list[dict[str, Any]], points: float) -> str:
    """Why a scored cell did not earn all, or nothing."""
    last = outputs[-1]
    if last["output_type"] == "error":
        return f"{last['ename']}: {last['evalue']}".rstrip(": ")
    earned = float(last["data"]["text/plain"])
    return "" if earned == points else f"it gives {earned:g} of {points:g} points"


def error(name: str, text: str) -> dict[str, Any]:
    """Without a traceback, which would show the code of hidden tests."""
    return {"output_type": "error", "ename": name, "evalue": text, "traceback": [f"{name}: {text}".rstrip(": ")]}


def _number(result: dict[str, Any], points: float) -> float:
    """The points that a result says; all of them where it is no number."""
    try:
        said = float(result["data"].get("text/plain", ""))
    except (TypeError, ValueError):
        return points
    return 0.0 if math.isnan(said) else min(max(said, 0.0), points)
