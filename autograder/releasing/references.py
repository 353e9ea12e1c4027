"""The reference answers: what the source of a unit says about each exercise, as text, and run once as functions."""

import ast
import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.course import Assignment, Course
from autograder.releasing.source import grade_id, read_source
from autograder.words import word_of


@dataclass(frozen=True)
class Reference:
    """The reference answer of an exercise, and what the notebook runs before it (imports, earlier answers)."""

    exercise: str
    source: str
    prelude: str = ""


def references(assignment: Assignment) -> list[Reference]:
    """The reference answers of a unit's source, in its order, each with the imports and earlier answers it uses."""
    found, before = [], {}
    for cell in read_source(assignment).cells:
        settings = cell.metadata.get("nbgrader") or {}
        if cell.cell_type != "code" or "experiment" in cell.metadata.get("tags", []):
            continue
        if settings.get("solution") and not settings.get("grade"):
            found.append(Reference(grade_id(cell), cell.source, used(cell.source, before)))
            before[grade_id(cell)] = cell.source
        else:
            before |= _imports(cell.source)
    return found


@functools.cache
def solution(unit: str, exercise: str) -> Callable[..., Any]:
    """The reference answer of an exercise as a function, made once in this process.

    Raises LookupError if the unit's source has no such exercise, and whatever its cell raises.
    """
    for reference in of_unit(unit):
        if reference.exercise == exercise:
            space: dict[str, Any] = {"__name__": "__main__"}
            exec(reference.prelude, space)
            exec(compile(reference.source, f"<the solution of {exercise}>", "exec"), space)
            return space[exercise]
    raise LookupError(f"the source of {unit} has no exercise {exercise!r}")


def of_unit(unit: str) -> list[Reference]:
    """The reference answers of a unit of this repository, read once in this process, be it `01_ngrams` or `ngrams`."""
    return _of_word(word_of(unit))


@functools.cache
def _of_word(word: str) -> list[Reference]:
    return references(Course.find(Path(__file__).parent).assignment(word))


def _imports(source: str) -> dict[str, str]:
    """What the import statements of a notebook's cell bind: {name: statement}."""
    try:
        body = ast.parse(source).body
    except SyntaxError:  # a cell with a line magic: it holds no imports that an answer could need
        return {}
    statements = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
    return {
        (alias.asname or alias.name).split(".")[0]: ast.unparse(statement)
        for statement in statements
        for alias in statement.names
    }


def used(source: str, before: dict[str, str]) -> str:
    """Those of the statements `before` whose names occur in a source, or in another that occurs in it."""
    names = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    needed = {name: statement for name, statement in before.items() if name in names}
    earlier = [used(text, {n: t for n, t in before.items() if n != name}) for name, text in needed.items()]
    return "\n".join(dict.fromkeys(filter(None, [*earlier, *needed.values()])))
