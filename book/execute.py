"""Run a unit's notebook with its solutions, and keep the run.

The same source and the same course package give the same pages, so a run is stored under a hash of both
and taken from there next time. Hidden checks are cut out before running: what never ran cannot be printed.

Left out on purpose: several notebooks at a time. A unit takes all the cores it finds.
"""

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from autograder.course import Assignment, Trouble
from autograder.releasing.source import read_source
from book.shown import without_hidden_tests

SCALES = ("smoke", "cpu", "gpu")
SECONDS_A_CELL = 900
READ_BY_A_RUN = (".py", ".js", ".css", ".toml", ".json", ".csv", ".pt", ".safetensors")
KERNEL_ENVIRONMENT = {"PYTHONHASHSEED": "0", "MPLBACKEND": "module://matplotlib_inline.backend_inline"}

Progress = Callable[[int, int], None]
"""Called before each cell with its number from 1, and the number of cells."""


def scale_from_environment() -> str:
    """UNROLLED_SCALE, or ``cpu``: a book built on any machine shows what a laptop shows."""
    scale = os.environ.get("UNROLLED_SCALE", "cpu")
    if scale not in SCALES:
        raise Trouble(f"UNROLLED_SCALE is {scale!r}: set it to one of {', '.join(SCALES)}, or unset it")
    return scale


def fingerprint(assignment: Assignment, scale: str) -> str:
    """A hash of all a run depends on: source, course package, assets, scale and Python version."""
    digest = hashlib.sha256(f"{scale} {sys.version_info[:2]}".encode())
    students = assignment.course.root / "course"
    folders = (students / "unrolled", students / "assets")
    files = (path for folder in folders for path in folder.rglob("*") if path.suffix in READ_BY_A_RUN)
    for path in [assignment.source, *sorted(files)]:
        digest.update(f"\0{path.name}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def executed(assignment: Assignment, store: Path, scale: str, progress: Progress) -> NotebookNode:
    """The unit's notebook with outputs and widget state, run now or taken from `store`.

    Raises Trouble, naming the cell, if one fails; a failed run is not stored.
    """
    unit = assignment.name
    stored = store / f"{unit}.{scale}.{fingerprint(assignment, scale)}.ipynb"
    if stored.exists():
        return nbformat.read(stored, as_version=4)
    notebook = without_hidden_tests(read_source(assignment), assignment)
    run(notebook, assignment.source, scale, working_folder(assignment), progress)
    store.mkdir(parents=True, exist_ok=True)
    for outdated in store.glob(f"{unit}.{scale}.*.ipynb"):
        outdated.unlink()
    unfinished = stored.with_suffix(".part")
    nbformat.write(notebook, unfinished)
    unfinished.rename(stored)  # an interrupted write leaves no half of a run behind
    return notebook


def working_folder(assignment: Assignment) -> Path:
    """Where a student's copy of the notebook would run; the folder above it until the unit is released."""
    students_folder = assignment.released.parent
    return students_folder if students_folder.is_dir() else students_folder.parent


def run(notebook: NotebookNode, source: Path, scale: str, folder: Path, progress: Progress) -> None:
    """Execute every cell in place, in a fresh kernel. Widget state ends in the notebook's metadata."""
    reached = 0

    def note_start(cell: NotebookNode, cell_index: int) -> None:
        nonlocal reached
        reached = cell_index
        progress(cell_index + 1, len(notebook.cells))

    client = NotebookClient(
        notebook,
        timeout=SECONDS_A_CELL,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        on_cell_start=note_start,
        extra_arguments=["--IPKernelApp.log_level=ERROR"],  # no warning about its own sockets on the terminal
    )
    try:
        client.execute(env={**os.environ, **KERNEL_ENVIRONMENT, "UNROLLED_SCALE": scale})
    except CellExecutionError as error:
        problem = f"raised {error.ename}: {' '.join(error.evalue.split())}"
        raise Trouble(f"{source.name}, {describe(notebook, reached)} {problem}") from error
    except CellTimeoutError as error:
        problem = f"ran longer than {SECONDS_A_CELL} s"
        raise Trouble(f"{source.name}, {describe(notebook, reached)} {problem}") from error
    except DeadKernelError as error:
        problem = "ended its Python process (out of memory?)"
        raise Trouble(f"{source.name}, {describe(notebook, reached)} {problem}") from error


def describe(notebook: NotebookNode, index: int) -> str:
    """A cell's number, its grade id if it has one, and how it begins: enough to find it in the source."""
    cell = notebook.cells[index]
    grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
    first_line = next((line for line in cell.source.splitlines() if line.strip()), "")
    named = f" {grade_id!r}" if grade_id else ""
    return f"cell {index + 1}{named} (`{first_line.strip()}`)"
