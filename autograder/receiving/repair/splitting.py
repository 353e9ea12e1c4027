"""Cells that an editor split or merged, put together and taken apart again.

An answer that is no Python by itself but is with the student's own cells right below was split: they are joined. A
cell in which stands, besides its own, an answer that has no cell, was merged: it is cut where that answer begins.
"""

from itertools import pairwise

from .python import defines, parses
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
    homeless, cut = found.unanswered(), []
    for piece, owner in list(found.slot_of.items()) if homeless else ():
        if not owner.is_untouched(piece):
            cut += _cut(found, piece, owner, [slot for slot in homeless if slot not in cut])
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


def _cut(found: Recognition, piece: Piece, owner: Slot, homeless: list[Slot]) -> list[Slot]:
    """Cuts a cell that holds homeless answers into one cell for each; returns those that got one."""
    wanted = [*homeless, owner] if owner.is_code_answer else homeless
    parts = _divided(piece.source, [slot for slot in wanted if slot.may_be_answered_by(piece.source)])
    moved = [slot for slot in parts if slot is not owner]
    python = parses(piece.source)
    if not moved or not all(defines(parts[slot], slot.name) for slot in (parts if python else moved)):
        return []
    cells = {slot: Piece(parts[slot], "code", slot.cell_id, slot.about, list(slot.tags)) for slot in moved}
    place = found.pieces.index(piece)
    found.pieces[place : place + 1] = [cells.get(slot, piece) for slot in parts] + _left(found, piece, owner, parts)
    for slot, cell in cells.items():
        found.claim(slot, cell)
    return moved


def _left(found: Recognition, piece: Piece, owner: Slot, parts: dict[Slot, str]) -> list[Piece]:
    """What is left of the cut cell, if none of the parts is its own."""
    piece.source = parts.get(owner, owner.source)
    if owner in parts:
        return []
    if owner.is_answer:  # nothing in it answers the exercise, so that comes back as released
        found.release(piece)
        return []
    return [piece]


def _divided(source: str, slots: list[Slot]) -> dict[Slot, str]:
    """The text cut where each answer begins; what stands above the first goes with it."""
    lines = source.splitlines(keepends=True)
    begins = {_beginning(lines, slot): slot for slot in slots}
    places = sorted(begins)
    borders = [0, *places[1:], len(lines)]
    parts = zip(places, pairwise(borders), strict=False)
    return {begins[place]: "".join(lines[a:b]).strip("\r\n") for place, (a, b) in parts}


def _beginning(lines: list[str], slot: Slot) -> int:
    """The line with which the last definition begins, decorators and comments above it included."""
    begins = max(number for number, line in enumerate(lines) if slot.may_be_answered_by(line))
    while begins and lines[begins - 1][:1] in "@#":
        begins -= 1
    return begins
