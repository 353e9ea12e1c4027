"""Reads the Python of a source's exercise and check cells: what an answer defines, what a check asks for.

A check cell says `check(viterbi, points=3)` or, for a plain value, which has no name of its own,
`check(best, points=1, exercise="best")`. The grader asks the student's process for the exercise by its name, so the
call must hand over that name and nothing else.
"""

import ast
from dataclasses import dataclass
from typing import Any

from autograder.releasing.slips import Slip


@dataclass(frozen=True)
class Call:
    """What a call of `check` says: the exercise, whether as `exercise="…"`, and the points as they stand there."""

    said: str
    exercise: str
    by_keyword: bool
    points: Any  # None: it says none


def only_call(source: str) -> Call:
    """The one call of a check cell. Raises Slip if there is none, or one that says too little or too much."""
    parsed(source, "the check cell")
    if not calls(source):
        raise Slip("the cell tagged check holds no call like check(NAME, points=2)")
    return read(calls(source)[0])


def calls(source: str) -> list[ast.Call]:
    """The calls of `check` that are statements of their own; none in what is not plain Python."""
    try:
        found = [node.value for node in ast.parse(source).body if isinstance(node, ast.Expr)]
    except SyntaxError:
        return []
    return [call for call in found if isinstance(call, ast.Call) and ast.unparse(call.func) == "check"]


def call_by_name(source: str) -> Call | None:
    """The call in a check cell with metadata of its own, if it hands over a name: what else is called `check` there
    is the teacher's. Raises Slip as `read` does."""
    named = [call for call in calls(source) if call.args and isinstance(call.args[0], ast.Name)]
    return read(named[0]) if named else None


def read(call: ast.Call) -> Call:
    """A call's exercise and points. Raises Slip for one that does not name its exercise."""
    said, given = ast.unparse(call), {keyword.arg: keyword.value for keyword in call.keywords}
    if len(call.args) != 1 or not given.keys() <= {"points", "exercise"}:
        raise Slip(f"{said} may hold the answer, its points and exercise=… only")
    answer = call.args[0].id if isinstance(call.args[0], ast.Name) else None
    exercise = getattr(given["exercise"], "value", None) if "exercise" in given else answer
    if answer is None or exercise != answer:
        raise Slip(f"{said} must hand over the answer by its exercise's name, which is what the grader asks for")
    points = getattr(given["points"], "value", given["points"]) if "points" in given else None
    return Call(said, answer, "exercise" in given, points)


def refuse_points(what: str, points: Any) -> None:
    """Raises Slip unless `points` is a positive number."""
    if isinstance(points, bool) or not isinstance(points, int | float) or not 0 < points < float("inf"):
        raise Slip(f"{what} needs points, a positive number")


def refuse_step(step: Any, points: Any) -> None:
    """Raises Slip unless the points of a question can be given in steps of `step`; None leaves that to the grader."""
    whole = isinstance(step, int | float) and not isinstance(step, bool) and 0 < step <= points
    if step is not None and not (whole and float(points / step).is_integer()):
        raise Slip(f"the question's step is {step!r}: say a part of its {points:g} points, as in step: 0.5")


def parsed(source: str, what: str) -> ast.Module:
    """The cell's syntax tree. Raises Slip, with the line in the cell, for what is no Python."""
    try:
        return ast.parse(source)
    except SyntaxError as error:
        raise Slip(f"{what} is no Python: {error.msg} (its line {error.lineno})") from error


def bound(tree: ast.Module) -> tuple[set[str], set[str]]:
    """The names that a cell binds at its top level, and those of them that it only assigns."""
    made = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
    assigned = [node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign)]
    targets = [target for node in assigned for target in getattr(node, "targets", [getattr(node, "target", None)])]
    stored = {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}
    return made | stored, stored - made
