"""The page that JupyterLab opens on: its links lead somewhere, its cell runs, and nobody's output is committed."""

import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

COURSE = Path(__file__).parents[2] / "course"
UNITS = ["n-grams", "Elman", "LSTM", "tagging", "sequence to sequence", "attention", "transformer", "BERT"]


@pytest.fixture(scope="module")
def page():
    page = nbformat.read(COURSE / "start.ipynb", as_version=4)
    nbformat.validate(page)
    return page


def prose(page) -> str:
    return "\n".join(cell.source for cell in page.cells if cell.cell_type == "markdown")


def rows(page) -> list[str]:
    return re.findall(r"^\| (.*\d · .*) \|$", prose(page), re.MULTILINE)


def test_each_unit_has_its_row(page):
    """Those that are planned are the first; what more there is has a notebook."""
    assert len(rows(page)) >= len(UNITS)
    for number, (row, unit) in enumerate(zip(rows(page), UNITS, strict=False), start=1):
        assert f"{number} · {unit}" in row
    for number, row in enumerate(rows(page)[len(UNITS) :], start=len(UNITS) + 1):
        assert f"[{number} · " in row


def test_a_unit_is_linked_exactly_when_its_notebook_is_there(page):
    linked = set(re.findall(r"\]\((.*?\.ipynb)\)", prose(page)))
    assert linked == {path.relative_to(COURSE).as_posix() for path in COURSE.glob("[0-9][0-9]_*/*.ipynb")}


def test_the_commands_it_names_exist(page):
    for module in set(re.findall(r"python -m (unrolled\.\w+)", prose(page))):
        helped = subprocess.run([sys.executable, "-m", module, "--help"], capture_output=True, text=True, cwd=COURSE)
        assert helped.returncode == 0, helped.stderr
        assert "usage:" in helped.stdout


def test_the_finished_models_it_names_are_those_of_units(page):
    units = {path.stem for path in COURSE.glob("[0-9][0-9]_*/*.ipynb")}
    named = set(re.findall(r"`unrolled\.(\w+)`", prose(page)))
    assert named and named <= units
    assert all((COURSE / "unrolled" / f"{model}.py").is_file() for model in named)


def test_its_cell_names_the_versions(page):
    (cell,) = [cell for cell in page.cells if cell.cell_type == "code"]
    said = subprocess.run([sys.executable, "-c", cell.source], capture_output=True, text=True, cwd=COURSE, check=True)
    assert re.fullmatch(r"unrolled \S+, torch \S+, Python \S+\nThe models run on: \S+, at \S+ scale\n", said.stdout)


def test_no_output_and_no_trace_of_a_run_is_committed(page):
    code = [cell for cell in page.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
