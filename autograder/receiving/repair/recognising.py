"""Which submitted cell is which released one.

Tried in this order, each way only for what the ones before left open:

1. the grade id in the cell's metadata;
2. the cell id, which the release sets and most editors keep;
3. the text, if it is the released one, apart from white space;
4. for an answer: it defines the exercise's function, class or value; for a check: it calls `check(EXERCISE`;
5. likeness: at least half of the lines are the released cell's;
6. for an answer, also a written one: it stands where the release has it, between its recognised neighbours.

Several cells may claim one place; `choosing` decides between them.
"""

import re
from collections import Counter
from collections.abc import Iterable

from .python import defines
from .shape import Piece
from .slots import Slot

ALIKE = 0.5
MOST_COMPARISONS = 200_000


class Recognition:
    """`claims` gives each slot the pieces that claim it, in the notebook's order; `slot_of` is the way back.

    `without_id` are the graded slots whose cell was found although its grade id was gone.
    """

    def __init__(self, pieces: list[Piece], slots: list[Slot]):
        self.pieces, self.slots = pieces, slots
        self.claims: dict[Slot, list[Piece]] = {slot: [] for slot in slots}
        self.slot_of: dict[Piece, Slot] = {}
        self.without_id: list[Slot] = []
        self._by_grade_id()
        self._by_cell_id()
        self._by_text()
        self._by_definition()
        self._by_check_call()
        self._by_likeness()
        self._by_position()

    def claim(self, slot: Slot, piece: Piece) -> None:
        if slot.name and piece.grade_id != slot.name and slot not in self.without_id:
            self.without_id.append(slot)
        self.claims[slot].append(piece)
        self.slot_of[piece] = slot

    def release(self, piece: Piece) -> None:
        """Makes it a cell of the student's own."""
        slot = self.slot_of.pop(piece, None)
        if slot:
            self.claims[slot].remove(piece)

    def free(self) -> list[Piece]:
        return [piece for piece in self.pieces if piece not in self.slot_of]

    def open(self) -> list[Slot]:
        return [slot for slot in self.slots if not self.claims[slot]]

    def unanswered(self) -> list[Slot]:
        """The code answers that nobody claims, or only with the released text."""
        answers = (slot for slot in self.slots if slot.is_code_answer)
        return [slot for slot in answers if all(map(slot.is_untouched, self.claims[slot]))]

    # --- the six ways ------------------------------------------------------------------------------------------------

    def _by_grade_id(self) -> None:
        known = {slot.name: slot for slot in self.slots if slot.name}
        for piece in self.pieces:
            if piece.grade_id in known:
                self.claim(known[piece.grade_id], piece)

    def _by_cell_id(self) -> None:
        known = {slot.cell_id: slot for slot in self.open() if slot.cell_id}
        times = Counter(piece.cell_id for piece in self.pieces)
        for piece in self.free():
            if piece.cell_id in known and times[piece.cell_id] == 1:
                self.claim(known[piece.cell_id], piece)

    def _by_text(self) -> None:
        waiting: dict[str, list[Slot]] = {}
        for slot in self.open():
            waiting.setdefault(slot.bare, []).append(slot)
        for piece in self.free() if waiting else ():
            if same := waiting.get(piece.bare):
                self.claim(same.pop(0) if len(same) > 1 else same[0], piece)

    def _by_definition(self) -> None:
        for slot in self.unanswered():
            for piece in self.free():
                if not slot.may_be_answered_by(piece.source):
                    continue
                if piece.kind in ("code", None) or defines(piece.source, slot.name):
                    self.claim(slot, piece)

    def _by_check_call(self) -> None:
        for slot in self.open():
            if slot.exercise is None:
                continue
            call = re.compile(rf"\s*check\(\s*{re.escape(slot.exercise)}\b[^\n]*\s*")
            for piece in self.free():
                if call.fullmatch(piece.source):
                    self.claim(slot, piece)

    def _by_likeness(self) -> None:
        wanted = [slot for slot in self.open() if slot.kind == "code"]
        free = [piece for piece in self.free() if piece.kind in ("code", None)]
        if not wanted or len(wanted) * len(free) > MOST_COMPARISONS:
            return
        lines = {piece: _lines(piece.source) for piece in free}
        for slot in wanted:
            released = _lines(slot.source)
            likeness = {piece: _likeness(released, lines[piece]) for piece in free if piece not in self.slot_of}
            best = max(likeness, key=likeness.get, default=None)
            if best is not None and likeness[best] >= ALIKE:
                self.claim(slot, best)

    def _by_position(self) -> None:
        for slot in self.open():
            if not slot.is_answer or slot.index == 0 or not self.claims[self.slots[slot.index - 1]]:
                continue
            before = self.pieces.index(self.claims[self.slots[slot.index - 1]][-1])
            found = [piece for piece in self._gap_after(before) if piece.kind in (slot.kind, None) and piece.bare]
            if found:
                self.claim(slot, found[-1])

    def _gap_after(self, index: int) -> Iterable[Piece]:
        """The pieces up to the next one that is recognised."""
        for piece in self.pieces[index + 1 :]:
            if piece in self.slot_of:
                return
            yield piece


def _lines(source: str) -> set[str]:
    return {line.strip() for line in source.splitlines()} - {""}


def _likeness(first: set[str], second: set[str]) -> float:
    return len(first & second) / max(len(first), len(second), 1)
