"""What students' notebooks read besides data sets, copied into their folder when a unit is released.

The files stand in `assets/`, beside the units' sources. A unit's code names those that it reads in calls of
`unrolled.data.asset`, and so do the modules of `unrolled` that it imports, by way of others, too; they, and no others,
are copied beside the students' notebooks, so that their folder works alone. A copy is committed as the notebook is; git
keeps one blob for both. Left out on purpose: `asset` under another name, and taking away copies that nobody reads any
more, which a test of the repository names.
"""

import ast
from pathlib import Path

from unrolled.checking.borrowed import tree

from autograder.course import Assignment, Trouble
from autograder.releasing import imported
from autograder.releasing.source import read_source, write_if_changed


def read_by(assignment: Assignment) -> list[str]:
    """The names that a unit's code and what it imports ask `asset` for, sorted. Trouble if a cell's is no literal."""
    cells = [cell for cell in read_source(assignment).cells if cell.cell_type == "code"]
    trees = {cell.id: tree(cell.source) or ast.Module([], []) for cell in cells}  # what is no Python reads nothing
    names = {_literal(call, assignment.name, cell) for cell, code in trees.items() for call in _calls(code)}
    modules = filter(None, map(imported.parsed, imported.modules_of(list(trees.values()))))
    return sorted(names.union(*(map(_name, _calls(module)) for module in modules)) - {None})


def copy(assignment: Assignment) -> list[Path]:
    """Copies what a unit reads into the students' folder; returns the copies that changed."""
    pairs = [(_original(assignment, name), copy_of(assignment, name)) for name in read_by(assignment)]
    return [target for original, target in pairs if write_if_changed(target, original.read_bytes())]


def first_stale(assignment: Assignment) -> str | None:
    """The first copy that is missing or differs from its original, in one line; None if there is none."""
    for name in read_by(assignment):
        original, target = _original(assignment, name), copy_of(assignment, name)
        fault = None if target.is_file() else "is missing"
        if not fault and target.read_bytes() != original.read_bytes():
            fault = f"differs from {original}"
        if fault:
            return f"{assignment.name}: {target} {fault}; run `autograder release {assignment.name}`."
    return None


def _original(assignment: Assignment, name: str) -> Path:
    home = assignment.source.parents[1] / "assets"
    path = home / name
    if not path.is_file() or not path.resolve().is_relative_to(home.resolve()):
        raise Trouble(f"{assignment.name} reads {name!r}, but there is no such file in {home}.")
    return path


def copy_of(assignment: Assignment, name: str) -> Path:
    return assignment.folder("release").parent / "assets" / name


def _calls(code: ast.AST) -> list[ast.Call]:
    """The calls of `asset`, or of something's `asset`."""
    calls = [node for node in ast.walk(code) if isinstance(node, ast.Call)]
    return [call for call in calls if getattr(call.func, "id", getattr(call.func, "attr", "")) == "asset"]


def _name(call: ast.Call) -> str | None:
    """What a call asks for, if it says so."""
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    if len(arguments) == 1 and isinstance(arguments[0], ast.Constant) and isinstance(arguments[0].value, str):
        return arguments[0].value
    return None


def _literal(call: ast.Call, unit: str, cell: str) -> str:
    if name := _name(call):
        return name
    raise Trouble(
        f"{unit}: the cell {cell!r} says `{ast.unparse(call)}`: write the file's name out, as in "
        '`asset("ladder/lstm.json")`, so that `autograder release` can copy it.'
    )
