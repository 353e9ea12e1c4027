"""From a unit's MyST Markdown source to the instructor's notebook, byte for byte the same each time.

jupytext gives every cell a new random id at each conversion. Ids here are made from what stays: a cell with a
grade id is called after it, any other cell after the last grade id before it and its distance from there. So an
edit changes the ids of its own section and no others, and the committed notebooks have short, honest diffs.

What the source says by its tags is told to nbgrader in `declared`; a mistake is told with its line in the source.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from autograder.course import Assignment, Mistakes, Trouble
from autograder.releasing.declared import Fault, Told, expand
from autograder.words import first_line, word_of

TAGS_OF_NO_LIST = re.compile(rb"^:?tags: *[^\s\[].*$", re.MULTILINE)
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


@dataclass(frozen=True)
class Source:
    """A unit's source, read: its notebook, the cells that nbgrader must know, and what is wrong with them."""

    path: Path
    text: str
    notebook: Any
    told: list[Told]
    faults: list[Fault]

    def place(self, index: int) -> str:
        """Where a cell stands: `solutions/04_tagging.md:123`."""
        return f"{self.path.parent.name}/{self.path.name}:{self.line(index)}"

    def line(self, index: int) -> int:
        lines = cell_lines(self.text)
        made = len(self.notebook.cells) - len(lines)  # jupytext makes a cell of what it does not know in the header
        return lines[index - made] if index >= made else 1

    def refuse(self, faults: Iterable[Fault]) -> None:
        """Raises Trouble that tells all of these faults, in the source's order, one a line."""
        told = []
        for fault in sorted(faults, key=lambda fault: fault.index):
            other = "" if fault.other is None else f"; the other is in line {self.line(fault.other)}"
            told.append(f"{self.place(fault.index)}: {fault.says}{other}")
        if told:
            raise Mistakes(told)


def read_source(assignment: Assignment):
    """The unit's source as a notebook (nbformat 4.5) with stable cell ids and no outputs."""
    source = open_source(assignment)
    source.refuse(source.faults)
    return _settled(source.notebook)


def open_source(assignment: Assignment) -> Source:
    """The unit's source with whatever is wrong with it. Raises Trouble if it is no notebook at all."""
    path = assignment.source
    if not path.is_file():
        raise Trouble(f"{assignment.name} has no source: {path} does not exist.")
    return parsed(path, path.read_bytes())


def parsed(path: Path, content: bytes) -> Source:
    """The source that a file of this path and content is."""
    import jupytext

    try:
        text = content.decode("utf-8")
        notebook = jupytext.reads(text, fmt="md:myst")
    except Exception as error:  # jupytext and PyYAML raise many kinds; the author needs the place, not the kind
        if slip := TAGS_OF_NO_LIST.search(content):  # the likeliest mistake, of which nbformat says no place
            line = content.count(b"\n", 0, slip.start()) + 1
            raise Trouble(f"{path.parent.name}/{path.name}:{line}: tags are a list, as in tags: [check]") from error
        raise Trouble(f"{path.name} is not a MyST Markdown notebook: {first_line(error)}") from error
    return Source(path, text, notebook, *expand(notebook.cells, word_of(path.stem)))


@cache
def cell_lines(text: str) -> list[int]:
    """The line, from 1, where each cell of a MyST notebook begins: its fence, its `+++ {…}` or its first words."""
    from jupytext.myst import myst_to_notebook

    notebook, lines = myst_to_notebook(text, add_source_map=True), text.splitlines()
    found = []
    for cell, behind in zip(notebook.cells, notebook.metadata["source_map"], strict=True):  # lines up to the content
        if cell.cell_type == "markdown" and not (behind and lines[behind - 1].startswith("+++ {")):
            behind += next(skipped for skipped, line in enumerate(lines[behind:], start=1) if line.strip())
        found.append(behind)
    return found


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
