"""Run a unit's notebook with its solutions, and keep the run.

The same source and the same files read give the same pages, so a run is stored with the hashes of all of them and
taken from there next time (see `kept`). Hidden checks are cut out before running: what never ran cannot be printed.

Left out on purpose: several notebooks at a time. A unit takes all the cores it finds.
"""

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from autograder.course import Assignment, Trouble
from autograder.releasing.source import read_source
from book import kept
from book.shown import without_hidden_tests

SCALES = ("smoke", "cpu", "gpu")
SECONDS_A_CELL = 900
WATCHING = Path(__file__).with_name("watching.py")
QUIET = "--IPKernelApp.log_level=ERROR"  # no warning about its own sockets on the terminal
KERNEL_ENVIRONMENT = {"PYTHONHASHSEED": "0", "MPLBACKEND": "module://matplotlib_inline.backend_inline"}

Progress = Callable[[int, int], None]
"""Called before each cell with its number from 1, and the number of cells."""


def scale_from_environment() -> str:
    """UNROLLED_SCALE, or ``cpu``: a book built on any machine shows what a laptop shows."""
    scale = os.environ.get("UNROLLED_SCALE", "cpu")
    if scale not in SCALES:
        raise Trouble(f"UNROLLED_SCALE is {scale!r}: set it to one of {', '.join(SCALES)}, or unset it")
    return scale


def executed(assignment: Assignment, store: Path, scale: str, progress: Progress) -> NotebookNode:
    """The unit's notebook with outputs and widget state, run now or taken from `store`.

    Raises Trouble, naming the cell, if one fails; a failed run is not stored.
    """
    stored, root = kept.place_of(assignment, store, scale), assignment.course.root
    if (notebook := kept.load(stored, root)) is not None:
        return notebook
    notebook = without_hidden_tests(read_source(assignment), assignment)
    with tempfile.TemporaryDirectory(prefix="reads-") as folder:
        noted = Path(folder) / "noted"
        noted.touch()
        began = time.time()
        run(notebook, assignment.source, scale, working_folder(assignment), progress, noted)
        read = kept.what_was_read(noted, root)
    if not kept.changed_since(began, read, root):
        kept.save(notebook, stored, read)
    return notebook


def working_folder(assignment: Assignment) -> Path:
    """Where a student's copy of the notebook would run; the folder above it until the unit is released."""
    students_folder = assignment.released.parent
    return students_folder if students_folder.is_dir() else students_folder.parent


def run(notebook: NotebookNode, source: Path, scale: str, folder: Path, progress: Progress, noted: Path) -> None:
    """Execute every cell in place, in a fresh kernel. Widget state ends in the notebook's metadata, and a line for
    each file that was read in `noted`.
    """
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
        extra_arguments=[QUIET, f"--IPKernelApp.exec_files={WATCHING.resolve()}"],
    )
    settings = {**KERNEL_ENVIRONMENT, "UNROLLED_SCALE": scale, "UNROLLED_READS": str(noted)}
    try:
        client.execute(env={**os.environ, **settings})
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
