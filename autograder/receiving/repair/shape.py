"""Cells of any shape, brought into one: what nbformat 3, 4 and 5 and careless programs write, read with patience.

Of a student's cell its text, kind, tags, ids and attached pictures are kept; outputs are not, since grading makes them
anew, nor is any other metadata.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from autograder.words import one_line

from ..errors import Unreadable
from .conflicts import has_conflict, settle
from .reading import MAX_CELLS

KINDS = ("code", "markdown", "raw")
MAX_TAGS = 50
CELL_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(eq=False)
class Piece:
    """A submitted cell. `kind` is None where the file does not say; `about` is its nbgrader metadata."""

    source: str
    kind: str | None = None
    cell_id: str | None = None
    about: dict[str, Any] = field(default_factory=dict)
    tags: list[str] = field(default_factory=list)
    attachments: dict[str, dict[str, str]] = field(default_factory=dict)
    is_copy: bool = False  # of a cell of the release, and has its tags

    @property
    def grade_id(self) -> str | None:
        name = self.about.get("grade_id")
        return name if isinstance(name, str) else None

    @property
    def bare(self) -> str:
        """The text without any white space: what two copies of a cell have in common."""
        return "".join(self.source.split())


def pieces(notebook: dict[str, Any]) -> tuple[list[Piece], list[str]]:
    """The cells of a notebook and what had to be mended about their shape. Raises Unreadable if there are too many."""
    repairs = _version(notebook)
    cells = _cells(notebook)
    if len(cells) > MAX_CELLS:
        raise Unreadable(f"the notebook has more than {MAX_CELLS:,} cells")
    found = [_piece(cell) for cell in cells if isinstance(cell, dict)]
    if (lost := len(cells) - len(found)) > 0:
        repairs.append(f"{lost} entr{'y' if lost == 1 else 'ies'} among the cells held no cell and went")
    if notebook.get("nbformat") != 3 and (notebook.get("nbformat") != 4 or notebook.get("nbformat_minor", 5) == 5):
        repairs += _about_ids(found)
    settled = [piece for piece in found if has_conflict(piece.source)]
    for piece in settled:
        piece.source = settle(piece.source)
    if settled:
        repairs.append(f"conflict markers stood in {len(settled)} cell{'s' * (len(settled) > 1)}: the last side counts")
    return found, repairs


def text(value: Any) -> str:
    """A cell's text: a string, or a list of lines with or without their ends."""
    if isinstance(value, list):
        lines = [line for line in value if isinstance(line, str)]
        bare = len(lines) > 1 and not any(line.endswith("\n") for line in lines)
        value = ("\n" if bare else "").join(lines)
    return writable(value) if isinstance(value, str) else ""


def writable(value: str) -> str:
    """Without halves of surrogate pairs, which no file can hold."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return value


def is_cell_id(value: str | None) -> bool:
    """Whether nbformat 4.5 allows this cell id."""
    return value is not None and CELL_ID.fullmatch(value) is not None


def _version(notebook: dict[str, Any]) -> list[str]:
    major, minor = notebook.get("nbformat"), notebook.get("nbformat_minor", 0)
    if major == 4 and isinstance(minor, int) and minor <= 5:
        return []
    if major is None:
        return ["the notebook named no nbformat and was read as 4.5"]
    name = f"{major}.{minor}" if major == 4 else f"{major}"
    return [f"nbformat {one_line(name, 20)} was read as 4.5"]


def _about_ids(found: list[Piece]) -> list[str]:
    """Cells without a valid id of their own. A copied answer has its original's, which is told as a copy."""
    seen: dict[str, str | None] = {}
    wrong = 0
    for piece in found:
        copied = piece.grade_id is not None and seen.get(piece.cell_id) == piece.grade_id
        wrong += not is_cell_id(piece.cell_id) or (piece.cell_id in seen and not copied)
        seen[piece.cell_id] = piece.grade_id
    return [f"{wrong} cell{'s' * (wrong > 1)} had no cell id of {'their' if wrong > 1 else 'its'} own"] if wrong else []


def _cells(notebook: dict[str, Any]) -> list[Any]:
    if isinstance(notebook.get("cells"), list):
        return notebook["cells"]
    sheets = [sheet for sheet in notebook.get("worksheets", []) if isinstance(sheet, dict)]
    return [cell for sheet in sheets if isinstance(sheet.get("cells"), list) for cell in sheet["cells"]]


def _piece(cell: dict[str, Any]) -> Piece:
    metadata = cell.get("metadata") if isinstance(cell.get("metadata"), dict) else {}
    about, tags, kind = metadata.get("nbgrader"), metadata.get("tags"), cell.get("cell_type")
    source = text(cell.get("source", cell.get("input")))
    if kind == "heading":  # nbformat 3
        level = cell.get("level")
        source, kind = "#" * (level if level in range(1, 7) else 1) + " " + source, "markdown"
    return Piece(
        source,
        kind if kind in KINDS else None,
        cell.get("id") if isinstance(cell.get("id"), str) else None,
        about if isinstance(about, dict) else {},
        [writable(tag) for tag in tags[:MAX_TAGS] if isinstance(tag, str)] if isinstance(tags, list) else [],
        _attachments(cell.get("attachments")),
    )


def _attachments(value: Any) -> dict[str, dict[str, str]]:
    if not isinstance(value, dict):
        return {}
    bundles = {writable(name): bundle for name, bundle in value.items() if isinstance(bundle, dict)}
    return {name: {writable(mime): _joined(data) for mime, data in bundle.items()} for name, bundle in bundles.items()}


def _joined(data: Any) -> str:
    parts = data if isinstance(data, list) else [data]
    return writable("".join(part for part in parts if isinstance(part, str)))
