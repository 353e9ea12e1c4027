"""From a unit's MyST Markdown source to the instructor's notebook, byte for byte the same each time.

jupytext gives every cell a new random id at each conversion. Ids here are made from what stays: a cell with a
grade id is called after it, any other cell after the last grade id before it and its distance from there. So an
edit changes the ids of its own section and no others, and the committed notebooks have short, honest diffs.
"""

import re
from pathlib import Path

from autograder.course import Assignment, Trouble
from autograder.words import first_line

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def read_source(assignment: Assignment):
    """The unit's source as a notebook (nbformat 4.5) with stable cell ids and no outputs."""
    import jupytext

    path = assignment.source
    if not path.is_file():
        raise Trouble(f"{assignment.name} has no source: {path} does not exist.")
    try:
        notebook = jupytext.read(path, fmt="md:myst")
    except Exception as error:  # jupytext and PyYAML raise many kinds; the author needs the place, not the kind
        raise Trouble(f"{path.name} is not a MyST Markdown notebook: {first_line(error)}") from error
    return _settled(notebook)


def write_source(assignment: Assignment, folder: Path | None = None) -> Path:
    """Writes the instructor's notebook into `folder` (default: nbgrader's source folder); returns its path."""
    path = folder / assignment.solved.name if folder else assignment.solved
    write_if_changed(path, to_bytes(read_source(assignment)))
    return path


def to_bytes(notebook) -> bytes:
    """A notebook as it is committed: sorted keys, one space, UTF-8, a newline at the end."""
    import nbformat

    return (nbformat.writes(notebook, version=4).rstrip("\n") + "\n").encode("utf-8")


def write_if_changed(path: Path, content: bytes) -> bool:
    """Writes only what differs, so that an unchanged file keeps its time; says whether it wrote."""
    if path.is_file() and path.read_bytes() == content:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return True


def grade_id(cell) -> str | None:
    """The cell's nbgrader id, or None."""
    return (cell.metadata.get("nbgrader") or {}).get("grade_id") or None


def _settled(notebook):
    """Gives the notebook our kernel, stable ids and nothing that depends on the machine."""
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.metadata = {"kernelspec": dict(KERNEL), "language_info": {"name": "python"}}
    section, distance = "start", 0
    for cell in notebook.cells:
        own = grade_id(cell)
        section, distance = (own, 0) if own else (section, distance + 1)
        cell.id = _id(own or f"{section}-{distance:02d}")
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    _refuse_equal_ids(notebook)
    return notebook


def _id(name: str) -> str:
    """A valid cell id: letters, digits, - and _, at most 64."""
    return re.sub(r"[^A-Za-z0-9_-]", "-", name)[-64:]


def _refuse_equal_ids(notebook) -> None:
    seen = set()
    for cell in notebook.cells:
        if cell.id in seen:
            raise Trouble(f"The source has two cells with the id {cell.id!r}; grade ids must differ.")
        seen.add(cell.id)
