"""Mends a submitted notebook against the release and says what it mended."""

from dataclasses import dataclass, field
from typing import Any

from ..errors import AnotherUnit, Unrecognisable
from . import telling, writing
from .choosing import answers, free_changed_texts, keep_last_copies
from .ordering import Arrangement
from .reading import read
from .recognising import Recognition
from .shape import pieces
from .slots import Slot, slots
from .splitting import cut_merged, join_split

Notebook = dict[str, Any]


@dataclass
class Mended:
    """A notebook (nbformat 4.5, no outputs) that can be graded, and one sentence for each repair.

    `answered` counts the exercises, written ones included, in which something stands that was not released; `lost`
    names those whose answer may have stood in the part of a torn file that could not be read.
    """

    notebook: Notebook
    repairs: list[str] = field(default_factory=list)
    answered: int = 0
    lost: list[str] = field(default_factory=list)


def mend(raw: bytes, release_notebook: Notebook, source_notebook: Notebook) -> Mended:
    """The submission `raw`, mended by the rules of this package. Raises Unreadable and nothing else."""
    draft, wanted = read(raw), slots(release_notebook, source_notebook)
    understood = [_understood(notebook, wanted) for notebook in draft.notebooks]
    repairs = draft.repairs + [note for _, notes in understood for note in notes]
    found = understood[0][0]
    if len(understood) == 2:
        _fill_in(found, understood[1][0])
    return _mended(draft.notebooks[0], found, release_notebook, repairs, draft.torn)


def mend_parsed(notebook: Notebook, release_notebook: Notebook, source_notebook: Notebook) -> Mended:
    """The same for a notebook that is read already."""
    found, repairs = _understood(notebook, slots(release_notebook, source_notebook))
    return _mended(notebook, found, release_notebook, repairs, torn=False)


def _understood(notebook: Notebook, wanted: list[Slot]) -> tuple[Recognition, list[str]]:
    cells, repairs = pieces(notebook)
    found = Recognition(cells, wanted)
    return found, repairs + cut_merged(found) + join_split(found)


def _fill_in(found: Recognition, other: Recognition) -> None:
    """Takes from the other side of a conflict what answers an exercise that this side leaves open."""
    for slot in found.slots:
        here = any(answers(slot, piece) for piece in found.claims[slot])
        there = [piece for piece in other.claims[slot] if answers(slot, piece)]
        if slot.is_answer and there and not here:
            claims = found.claims[slot]
            place = found.pieces.index(claims[-1]) + 1 if claims else len(found.pieces)
            found.pieces.insert(place, there[-1])
            found.claim(slot, there[-1])


def _mended(notebook: Notebook, found: Recognition, release: Notebook, repairs: list[str], torn: bool) -> Mended:
    if not any(found.claims[slot] for slot in found.slots if slot.name):
        raise Unrecognisable("no cell carries the id of an exercise: was it made from the released notebook?")
    _refuse_another_unit(found)
    copies, losers = keep_last_copies(found)
    own = {piece for piece in found.free() if piece.kind in ("code", None)} - losers
    repairs += telling.about_recognition(found, losers) + copies + free_changed_texts(found)
    repairs += [] if torn else telling.about_settings(found)
    arrangement = Arrangement(found.pieces, found.slot_of, own)
    repairs += arrangement.put_in_order()
    missing = [slot for slot in found.open() if slot.name or torn]
    arrangement.bring_back(missing)
    repairs += telling.about_missing(missing) + telling.about_metadata(notebook, release, torn)
    answered = sum(slot.is_answer and not slot.is_untouched(piece) for piece, slot in found.slot_of.items())
    lost = [slot.name for slot in missing if torn and slot.name and slot.is_answer]
    return Mended(writing.notebook(arrangement, release), list(dict.fromkeys(repairs)), answered, lost)


def _refuse_another_unit(found: Recognition) -> None:
    """An exercise of another unit would else be taken, by where it stands, for an answer to one of this unit's."""
    wanted = [slot for slot in found.slots if slot.is_code_answer]
    theirs = {piece.grade_id for piece in found.pieces} - {None} - {slot.name for slot in found.slots}
    ours = {piece.grade_id for piece in found.pieces} & {slot.name for slot in wanted}
    if theirs and not ours and not any(slot.may_be_answered_by(p.source) for slot in wanted for p in found.pieces):
        shown = ", ".join(sorted(theirs)[:4])
        raise AnotherUnit(f"a notebook with other exercises than this unit's: {shown}", theirs)
