"""Cells that an editor split or merged, put together and taken apart again.

An answer that is no Python by itself but is with the student's own cells right below was split: they are joined. A
cell in which stands, besides its own, an answer that has no cell, was merged: it is cut where that answer begins.
"""

import re

from .python import defines, mentions, parses
from .recognising import Recognition
from .shape import Piece
from .slots import Slot, names

MAX_PARTS = 8


def join_split(found: Recognition) -> list[str]:
    """Joins the parts of split answers; one sentence about them."""
    joined = [slot for slot in found.slots if slot.is_code_answer and _join(found, slot)]
    return [f"{names(joined)} had been split into several cells, which were joined"] if joined else []


def cut_merged(found: Recognition) -> list[str]:
    """Gives answers that stand in another exercise's cell a cell of their own; one sentence about them."""
    cut = [slot for slot in found.unanswered() if _cut(found, slot)]
    return [f"{names(cut)} stood in a cell with something else and was cut out of it"] if cut else []


def _join(found: Recognition, slot: Slot) -> bool:
    for piece in found.claims[slot]:
        parts = _parts(found, slot, piece)
        if len(parts) < 2:
            continue
        piece.source = "\n".join(part.source.rstrip("\n") for part in parts)
        for part in parts[1:]:
            found.release(part)
            found.pieces.remove(part)
        return True
    return False


def _parts(found: Recognition, slot: Slot, piece: Piece) -> list[Piece]:
    """The piece and those below that make one answer with it, as few as will do."""
    index = found.pieces.index(piece)
    below = found.pieces[index + 1 : index + MAX_PARTS]
    if not below or not _may_be_part(found, slot, below[0]) or not slot.may_be_answered_by(piece.source):
        return [piece]
    whole, parts, best = parses(piece.source), [piece], [piece]
    for other in below:
        if not _may_be_part(found, slot, other) or (whole and parses(other.source)):
            break
        parts = [*parts, other]
        whole = defines("\n".join(part.source.rstrip("\n") for part in parts), slot.name)
        best = parts if whole else best
    return best


def _may_be_part(found: Recognition, slot: Slot, piece: Piece) -> bool:
    return piece.kind in ("code", None) and found.slot_of.get(piece, slot) is slot and piece.bare != slot.bare


def _cut(found: Recognition, slot: Slot) -> bool:
    for piece in [piece for piece, other in found.slot_of.items() if other is not slot]:
        if found.slot_of[piece].is_untouched(piece) or not slot.may_be_answered_by(piece.source):
            continue
        line = _beginning(piece.source.splitlines(), slot.name)
        upper, lower = _divided(piece.source, line)
        if not defines(lower, slot.name) or (parses(piece.source) and not parses(upper)):
            continue
        rest = Piece(lower, "code", slot.cell_id, slot.about, list(slot.tags))
        piece.source = upper
        found.pieces.insert(found.pieces.index(piece) + 1, rest)
        found.claim(slot, rest)
        return True
    return False


def _beginning(lines: list[str], name: str) -> int:
    """The line with which the last definition of `name` begins, decorators and comments above it included."""
    begins = max(number for number, line in enumerate(lines) if mentions(line, name))
    while begins and re.match(r"[@#]", lines[begins - 1]):
        begins -= 1
    return begins


def _divided(source: str, line: int) -> tuple[str, str]:
    lines = source.splitlines(keepends=True)
    return "".join(lines[:line]).rstrip("\n"), "".join(lines[line:])
