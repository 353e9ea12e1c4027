"""Modules of the package that code leads to: named in whichever form, and by way of others."""

import ast
import subprocess
import sys

import pytest

from autograder.course import Course
from autograder.releasing import assets, imported
from autograder.releasing.source import read_source

HERE = Course.find()


@pytest.mark.parametrize(
    ("code", "inside", "found"),
    [
        ("import unrolled.data.places as p", "", {"unrolled", "unrolled.data", "unrolled.data.places"}),
        ("from unrolled import data", "", {"unrolled", "unrolled.data"}),
        ("from . import finding", "unrolled.data", {"unrolled", "unrolled.data", "unrolled.data.finding"}),
        (
            "from ..errors import OneLineError",
            "unrolled.data",
            {"unrolled", "unrolled.errors", "unrolled.errors.OneLineError"},
        ),
        ("def f():\n    from unrolled import figures", "", {"unrolled", "unrolled.figures"}),
        ("import torch, unrolledish", "", set()),
    ],
    ids=["import", "from", "relative", "relative, above", "in a function", "others"],
)
def test_what_an_import_names(code, inside, found):
    assert set(imported.imported(ast.parse(code), inside)) == found


@pytest.mark.parametrize("unit", [unit.name for unit in HERE.assignments()])
def test_what_python_imports_is_found_by_reading(unit):
    """All that is there once a notebook's imports have run was found, but for checks, whose names are computed."""
    cells = [cell.source for cell in read_source(HERE.assignment(unit)).cells if cell.cell_type == "code"]
    trees = [ast.parse(source) for source in cells if not source.startswith(("%", "!"))]
    lines = {ast.unparse(node) for tree in trees for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)}
    told = "import sys; print(*(name for name in sys.modules if name.split('.')[0] == 'unrolled'))"
    done = subprocess.run([sys.executable, "-c", "\n".join([*sorted(lines), told])], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    there = {name for name in done.stdout.split() if not name.startswith("unrolled.check")}
    of_checks = ast.parse(f"import unrolled.checks.{unit[3:]}")
    assert len(there) > 3 and there <= imported.modules_of([*trees, of_checks])


def test_an_asset_that_a_module_reads_goes_with_the_notebook():
    for unit in ("04_tagging", "06_attention"):
        assert "tagging/vectors.npz" in assets.read_by(HERE.assignment(unit))
    assert "tagging/vectors.npz" not in assets.read_by(HERE.assignment("03_lstm"))
