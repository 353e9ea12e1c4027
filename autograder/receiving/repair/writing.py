"""The mended notebook as nbformat 4.5: the release's metadata, one valid id a cell, no outputs."""

from copy import deepcopy
from typing import Any

from .ordering import Arrangement
from .python import parses
from .shape import Piece, is_cell_id
from .slots import Slot

EXPERIMENT = "experiment"  # what is not run; which cells of the release are such is not the student's to say


def notebook(arrangement: Arrangement, release: dict[str, Any]) -> dict[str, Any]:
    """All cells in their order. Metadata of the notebook is the release's: kernel, language and nothing else."""
    cells = [_cell(piece, arrangement.slot_of.get(piece)) for piece in arrangement.cells]
    _give_ids(cells, arrangement)
    return {"cells": cells, "metadata": deepcopy(release.get("metadata", {})), "nbformat": 4, "nbformat_minor": 5}


def _cell(piece: Piece, slot: Slot | None) -> dict[str, Any]:
    """A graded cell has the released kind and metadata, and the released text unless it is an answer.

    A written answer that says nothing is put back too, so that it gets its zero and nobody has to look at it. A cell
    of the student's own is run, whatever its tags say.
    """
    if slot is None:
        kind = piece.kind or ("code" if parses(piece.source) else "markdown")
        tags = piece.tags if piece.is_copy else [tag for tag in piece.tags if tag != EXPERIMENT]
        return _built(kind, piece.source, {"tags": list(tags)} if tags else {}, piece.attachments)
    metadata = deepcopy(slot.cell["metadata"])
    if slot.name is None:
        return _built(piece.kind or slot.kind, piece.source, metadata, piece.attachments)
    emptied = slot.is_marked_by_hand and slot.is_untouched(piece) and not piece.attachments
    fixed = piece if slot.is_answer and not emptied else slot.as_piece()
    return _built(slot.kind, fixed.source, metadata, fixed.attachments)


def _built(kind: str, source: str, metadata: dict[str, Any], attachments: dict[str, Any]) -> dict[str, Any]:
    cell = {"cell_type": kind, "metadata": metadata, "source": source}
    if kind == "code":
        return cell | {"execution_count": None, "outputs": []}
    return cell | ({"attachments": attachments} if attachments else {})


def _give_ids(cells: list[dict[str, Any]], arrangement: Arrangement) -> None:
    """A released cell has its released id, another its own if that is valid and free, or `own-001` and so on."""
    taken = {slot.cell_id for slot in arrangement.slot_of.values()}
    number = 0
    for cell, piece in zip(cells, arrangement.cells, strict=True):
        slot = arrangement.slot_of.get(piece)
        wanted = slot.cell_id if slot else piece.cell_id
        if not (slot and wanted) and (not is_cell_id(wanted) or wanted in taken):
            while (wanted := f"own-{number + 1:03d}") in taken:
                number += 1
        taken.add(wanted)
        cell["id"] = wanted
