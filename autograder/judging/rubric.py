"""What a unit asks for, taken from its release or source; a submission's own metadata decides nothing."""

import ast
import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from autograder.words import CHECK

from .asserts import Asserts


@dataclass(frozen=True)
class Exercise:
    """`name` is the function, class or value that the notebook must define."""

    name: str
    points: float

    @property
    def check(self) -> str:
        """The grade id of its check cell."""
        return self.name + CHECK


@dataclass(frozen=True)
class Rubric:
    """A unit as the judge needs it.

    `asserts` are the cells of nbgrader's own kind. `experiments` are grade ids of cells that are not run,
    `demonstrated` what the released ones say. `sound` names, for each exercise, the checks that hold on the reference:
    when one of those breaks on an answer, the answer is at fault, not the check (see `Judge.learn`).
    """

    name: str
    exercises: tuple[Exercise, ...]
    experiments: frozenset[str] = frozenset()
    preload: tuple[str, ...] = ()
    demonstrated: frozenset[str] = frozenset()
    sound: Mapping[str, frozenset[str]] = field(default_factory=dict)
    asserts: tuple[Asserts, ...] = ()

    @classmethod
    def of(cls, release: dict[str, Any], name: str) -> "Rubric":
        """From a unit's release or source, a notebook as a dict. `name` is that of its modules: "ngrams"."""
        found, experiments = [], set()
        for cell in code_cells(release):
            about, grade_id = cell.get("metadata", {}).get("nbgrader", {}), grade_id_of(cell)
            if grade_id and is_experiment(cell):
                experiments.add(grade_id)
            if about.get("grade") and not about.get("solution") and grade_id and grade_id.endswith(CHECK):
                found.append(Exercise(grade_id.removesuffix(CHECK), float(about.get("points", 0))))
        said = frozenset(bare(cell) for cell in code_cells(release) if is_experiment(cell))
        return cls(name, tuple(found), frozenset(experiments), tuple(_imported(release, name)), said)

    def import_hidden_checks(self) -> None:
        """Register the unit's hidden checks in this process, if it has any."""
        module = f"autograder.hidden.{self.name}"
        try:
            importlib.import_module(module)
        except ModuleNotFoundError as error:
            if error.name != module:
                raise


def code_cells(notebook: dict[str, Any]) -> Iterable[dict[str, Any]]:
    return (cell for cell in notebook["cells"] if cell.get("cell_type") == "code")


def source_of(cell: dict[str, Any]) -> str:
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)


def bare(cell: dict[str, Any]) -> str:
    """The text of a cell without white space."""
    return "".join(source_of(cell).split())


def grade_id_of(cell: dict[str, Any]) -> str | None:
    about = cell.get("metadata", {}).get("nbgrader")
    grade_id = about.get("grade_id") if isinstance(about, dict) else None
    return grade_id if isinstance(grade_id, str) else None


def is_experiment(cell: dict[str, Any]) -> bool:
    tags = cell.get("metadata", {}).get("tags")
    return isinstance(tags, list) and "experiment" in tags


def _imported(release: dict[str, Any], name: str) -> list[str]:
    """The modules that the release imports: the worker imports them ahead, so that no submission has to."""
    modules = {f"unrolled.checks.{name}"}
    for cell in code_cells(release):
        try:
            tree = ast.parse(source_of(cell))
        except SyntaxError:  # magics
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                modules.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                modules.add(node.module)
    return sorted(module for module in modules if module.split(".")[0] != "autograder")
