"""Experiment cells, which grading does not run: which they are, and what is missing since they did not run."""

import ast
import functools
import re
from typing import Any

from unrolled.checking.borrowed import bound

from autograder.receiving.repair import python

from .rubric import Rubric, bare, code_cells, grade_id_of, is_experiment, source_of

UNDEFINED = re.compile(r"name '(\w+)' is not defined")
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
TOLD = "is defined in an experiment cell, which grading does not run"


def is_skipped(cell: dict[str, Any], rubric: Rubric) -> bool:
    """Whether grading passes over a cell; the release knows better than the submission which cells are experiments."""
    name = grade_id_of(cell)
    return name in rubric.experiments if name else is_experiment(cell)


def definitions(cell: dict[str, Any], rubric: Rubric) -> str:
    """What is run of an experiment cell all the same: the definitions of one that is no longer as it was released.

    A student may have written a helper there. The experiment itself is not run, changed or not.
    """
    tree = python.tree(source_of(cell)) if bare(cell) not in rubric.demonstrated else None
    return "\n\n".join(ast.unparse(node) for node in (tree.body if tree else ()) if isinstance(node, DEFINITIONS))


class Experiments:
    """What a submission's experiment cells would define."""

    def __init__(self, cells: list[dict[str, Any]], rubric: Rubric):
        self._cells = [cell for cell in code_cells({"cells": cells}) if is_skipped(cell, rubric)]

    @functools.cached_property
    def _names(self) -> set[str]:
        return {name for cell in self._cells for name in bound(python.tree(source_of(cell)))}

    def named(self, text: str) -> str:
        """An error's text; where it says that a name is not defined, and an experiment defines it, it says that."""
        return UNDEFINED.sub(lambda found: f"{found[1]} {TOLD}" if found[1] in self._names else found[0], text)

    def named_in(self, outputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The same, for the errors that a cell shows."""
        for output in outputs:
            if output["output_type"] == "error":
                output["evalue"] = self.named(output["evalue"])
                output["traceback"] = [self.named(line) for line in output["traceback"]]
        return outputs
