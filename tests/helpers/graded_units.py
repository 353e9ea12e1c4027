"""Submissions of every unit, filled in from its source, and one warm worker a unit that judges them."""

import ast
import atexit
import functools
import json
from pathlib import Path
from typing import Any

from autograder.course import Assignment, Course
from autograder.judging.judge import Judge, Judgement
from autograder.judging.rubric import Rubric
from autograder.releasing.source import read_source

ROOT = Path(__file__).parents[2]
Notebook = dict[str, Any]


@functools.cache
def assignment(unit: str) -> Assignment:
    return Course(ROOT, ROOT / "solutions").assignment(unit)


@functools.cache
def _release(unit: str) -> str:
    return assignment(unit).released.read_text(encoding="utf-8")


@functools.cache
def _source(unit: str) -> Notebook:
    return json.loads(json.dumps(read_source(assignment(unit))))


@functools.cache
def rubric(unit: str) -> Rubric:
    return Rubric.of(_source(unit), unit)


def exercises(unit: str) -> list[str]:
    return [exercise.name for exercise in rubric(unit).exercises]


def grade_id(cell: Notebook) -> str | None:
    return cell["metadata"].get("nbgrader", {}).get("grade_id")


def text(cell: Notebook) -> str:
    return "".join(cell["source"])


@functools.cache
def answers(unit: str) -> dict[str, str]:
    """The source's own answer to each exercise."""
    return {grade_id(cell): text(cell) for cell in _source(unit)["cells"] if grade_id(cell) in exercises(unit)}


def filled(unit: str, **changed: str) -> Notebook:
    """The released notebook with the source's answers, or with others where `changed` has them."""
    notebook = json.loads(_release(unit))
    for cell in notebook["cells"]:
        if grade_id(cell) in answers(unit):
            cell["source"] = (answers(unit) | changed)[grade_id(cell)]
    return notebook


def scratch(notebook: Notebook, source: str, place: int | None = None) -> Notebook:
    """The notebook with a cell of the student's own, at its end or before the cell of index `place`."""
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": source}
    notebook["cells"].insert(len(notebook["cells"]) if place is None else place, cell)
    return notebook


def place(notebook: Notebook, name: str) -> int:
    return next(index for index, cell in enumerate(notebook["cells"]) if grade_id(cell) == name)


@functools.cache
def engine(unit: str, bubblewrapped: bool | None = None) -> Judge:
    warm = Judge(preload=rubric(unit).preload, bubblewrapped=bubblewrapped)
    atexit.register(warm.__exit__)
    return warm


def grade(unit: str, notebook: Notebook, bubblewrapped: bool | None = None) -> Judgement:
    return engine(unit, bubblewrapped).grade(notebook, rubric(unit))


def lost(judgement: Judgement) -> dict[str, list[str]]:
    """Of each exercise that lost points: the messages."""
    return {
        report.exercise: [check.message for check in report.checks if check.outcome != "held"]
        for report in judgement.reports
        if report.earned < report.points
    }


@functools.cache
def global_names(unit: str) -> frozenset[str]:
    """Every name that a cell of the solved notebook binds at its top, experiments included."""
    found: set[str] = set()
    for cell in _source(unit)["cells"] + json.loads(_release(unit))["cells"]:
        lines = text(cell).split("\n") if cell["cell_type"] == "code" else []
        for node in ast.walk(ast.parse("\n".join(line for line in lines if not line.lstrip().startswith(("%", "!"))))):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
            elif isinstance(node, ast.FunctionDef | ast.ClassDef):
                found.add(node.name)
            elif isinstance(node, ast.alias):
                found.add((node.asname or node.name).split(".")[0])
    return frozenset(found)


def burdened(source: str, names: frozenset[str], odd: bool) -> str:
    """An answer each of whose functions has these names, as far as it does not use them: half as locals, half as
    parameters."""
    tree = ast.parse(source)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    used |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    free = sorted(names - used)
    for function in tree.body:
        if isinstance(function, ast.FunctionDef):
            for number, name in enumerate(free):
                if number % 2 == odd:
                    function.body.insert(0, ast.parse(f"{name} = None").body[0])
                else:
                    function.args.kwonlyargs.append(ast.arg(name))
                    function.args.kw_defaults.append(ast.Constant(None))
    return ast.unparse(ast.fix_missing_locations(tree))
