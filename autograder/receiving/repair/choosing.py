"""Which of several cells counts, and what becomes of the others.

Of several answers the last in order counts that is Python and defines the exercise; if none does, the last that says
more than the release; else the last. The others stay as plain cells, since they may define what the answer needs,
unless they hold nothing but the released text, which would undo the answer when it runs.
"""

from .python import adds_definitions, defines
from .recognising import Recognition
from .shape import Piece
from .slots import Slot, names


def keep_last_copies(found: Recognition) -> tuple[list[str], set[Piece]]:
    """Leaves each slot one claim. Returns sentences, and the cells that lost theirs."""
    notes, losers = [], set()
    for slot, claims in found.claims.items():
        if len(claims) < 2:
            continue
        counts = _the_one_that_counts(slot, claims)
        if slot.name:
            which = "the last one counts" if counts is claims[-1] else "the last that answers it counts"
            notes.append(f"{len(claims)} cells were called {slot.name}; {which}")
        for piece in [piece for piece in claims if piece is not counts]:
            found.release(piece)
            losers.add(piece)
            if not slot.name:
                piece.tags, piece.is_copy = list(slot.tags), True  # a copied experiment is one, too
            if slot.name and slot.is_untouched(piece):
                found.pieces.remove(piece)
    return notes, losers


def answers(slot: Slot, piece: Piece) -> bool:
    """Whether the piece answers the exercise: more than the release, and for code a definition that parses."""
    return not slot.is_untouched(piece) and (slot.kind != "code" or defines(piece.source, slot.name))


def free_changed_texts(found: Recognition) -> list[str]:
    """A cell that is not the student's to write gets its text back; definitions written there get their own cell."""
    changed, kept = [], []
    for slot in found.slots:
        for piece in found.claims[slot] if slot.name and not slot.is_answer else ():
            if piece.bare == slot.bare:
                continue
            changed.append(slot)
            if slot.kind == "code" and adds_definitions(piece.source, slot.source):
                kept.append(slot)
                found.pieces.insert(found.pieces.index(piece), Piece(piece.source, "code", tags=list(piece.tags)))
    notes = [f"the text of {names(changed)} had been changed; the released one came back"] if changed else []
    return notes + ([f"what {names(kept)} defined besides is kept in a cell above"] if kept else [])


def _the_one_that_counts(slot: Slot, claims: list[Piece]) -> Piece:
    if not slot.is_answer:
        return next((piece for piece in reversed(claims) if piece.bare == slot.bare), claims[-1])
    said = [piece for piece in reversed(claims) if not slot.is_untouched(piece)]
    return next((piece for piece in said if answers(slot, piece)), said[0] if said else claims[-1])
