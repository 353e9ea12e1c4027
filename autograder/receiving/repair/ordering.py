"""Puts graded cells into the release's order and brings missing ones back; everything else stays where it is.

As few cells as possible move: those that stand in order among themselves stay, and the others go to where the release
has them. With an answer go the student's own code cells right above it, which may define what it needs.
"""

from .shape import Piece
from .slots import Slot, names

STAY = {True: 1000, False: 1001}  # an answer, anything else: of two ways to move as few, the answers move


class Arrangement:
    """The cells in their order; `slot_of` knows the recognised ones, one piece a slot."""

    def __init__(self, cells: list[Piece], slot_of: dict[Piece, Slot], companions: set[Piece]):
        self.cells, self.slot_of, self._companions = cells, slot_of, companions

    def put_in_order(self) -> list[str]:
        """Moves what stands out of order; one sentence about it."""
        graded = [piece for piece in self.cells if piece in self.slot_of and self.slot_of[piece].name]
        stays = set(_heaviest_rising([self.slot_of[piece] for piece in graded]))
        out = sorted((piece for piece in graded if self.slot_of[piece] not in stays), key=self._rank)
        blocks = [(piece, self._lift(piece)) for piece in out]
        for piece, block in blocks:
            place = self._place(self.slot_of[piece])
            self.cells[place:place] = block
        moved = [self.slot_of[piece] for piece in out]
        verb = "was" if len(moved) == 1 else "were"
        return [f"{names(moved)} stood out of the release's order and {verb} moved back"] if moved else []

    def bring_back(self, slots: list[Slot]) -> None:
        """Puts released cells where they belong, as they were released."""
        for slot in slots:
            piece = slot.as_piece()
            self.cells.insert(self._place(slot), piece)
            self.slot_of[piece] = slot

    def _rank(self, piece: Piece) -> int:
        return self.slot_of[piece].index

    def _lift(self, piece: Piece) -> list[Piece]:
        """Takes a cell out, together with its companions right above."""
        end = self.cells.index(piece) + 1
        begin = end - 1
        while self.slot_of[piece].is_answer and begin and self.cells[begin - 1] in self._companions:
            begin -= 1
        block = self.cells[begin:end]
        del self.cells[begin:end]
        return block

    def _place(self, slot: Slot) -> int:
        """Before its own check; else behind the released cell that precedes it; else before the next graded one."""
        where = {self.slot_of[piece].index: i for i, piece in enumerate(self.cells) if piece in self.slot_of}
        graded = {
            self.slot_of[p].index: i for i, p in enumerate(self.cells) if p in self.slot_of and self.slot_of[p].name
        }
        first = max((i + 1 for index, i in graded.items() if index < slot.index), default=0)
        last = min((i for index, i in graded.items() if index > slot.index), default=len(self.cells))
        if slot.is_answer and slot.index + 1 in graded:
            return last
        before = [index for index, i in where.items() if index < slot.index and first - 1 <= i < last]
        return where[max(before)] + 1 if before else last


def _heaviest_rising(slots: list[Slot]) -> list[Slot]:
    """Of the rising subsequences the one that keeps most in place."""
    best: list[tuple[int, list[Slot]]] = []
    for slot in slots:
        weight, chain = max(
            ((weight, chain) for weight, chain in best if chain[-1].index < slot.index),
            key=lambda entry: entry[0],
            default=(0, []),
        )
        best.append((weight + STAY[slot.is_answer], [*chain, slot]))
    return max(best, key=lambda entry: entry[0], default=(0, []))[1]
