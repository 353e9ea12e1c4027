"""Sentences about what was mended without moving a cell: ids, settings, kernel, widgets."""

from typing import Any

from autograder.words import one_line

from .recognising import Recognition
from .shape import Piece
from .slots import SETTINGS, Slot, names


def about_recognition(found: Recognition, losers: set[Piece]) -> list[str]:
    """Graded cells without their grade id, and others that claim to be graded."""
    lost = [slot for slot in found.without_id if found.claims[slot]]
    strange = [piece for piece in found.free() if piece not in losers and _claims_marks(piece)]
    notes = []
    if lost:
        verb = "was" if len(lost) == 1 else "were"
        notes.append(f"{names(lost)} {verb} recognised without a grade id")
    if strange:
        notes.append(f"{_cells(strange)} that the release does not know claimed to be graded")
    return notes


def about_settings(found: Recognition) -> list[str]:
    """What nbgrader's metadata and the kinds of recognised cells were before they were put right.

    Of tags nothing is told: Colab drops them all, and no mark ever hung on them.
    """
    pairs = [(slot, claims[0]) for slot, claims in found.claims.items() if claims]
    wrong = {slot: _wrong(slot, piece) for slot, piece in pairs if piece.grade_id and piece.grade_id == slot.name}
    changed, which = [slot for slot in wrong if wrong[slot]], sorted(set().union(*wrong.values()))
    kinds = [slot for slot, piece in pairs if slot.name and piece.kind not in (slot.kind, None)]
    notes = [f"nbgrader's settings of {names(changed)} had been changed ({', '.join(which)})"] if changed else []
    return notes + ([f"{names(kinds)} had been turned into another kind of cell"] if kinds else [])


def about_missing(missing: list[Slot]) -> list[str]:
    told = [slot for slot in missing if slot.name]
    verb = "was missing and was" if len(told) == 1 else "were missing and were"
    return [f"{names(told)} {verb} put back as released"] if told else []


def about_metadata(notebook: dict[str, Any], release: dict[str, Any], torn: bool) -> list[str]:
    """What a grader would have stumbled over. A torn file has no metadata to speak of."""
    metadata = notebook.get("metadata") if isinstance(notebook.get("metadata"), dict) else {}
    wanted = release.get("metadata", {}).get("kernelspec", {}).get("name")
    kernel = metadata.get("kernelspec")
    name = kernel.get("name") if isinstance(kernel, dict) else None
    notes = []
    if wanted and name != wanted and not torn:
        told = (
            f"the kernel was “{one_line(name, 40)}”"
            if isinstance(name, str) and name
            else "the notebook named no kernel"
        )
        notes.append(f"{told}; it is {wanted} again")
    if _half_saved(metadata.get("widgets")):
        notes.append("half of the saved widgets was missing; they were dropped")
    return notes


def _half_saved(widgets: Any) -> bool:
    if not isinstance(widgets, dict):
        return widgets is not None
    return not all(isinstance(kind, dict) and "state" in kind for kind in widgets.values())


def _wrong(slot: Slot, piece: Piece) -> set[str]:
    return {key for key in SETTINGS if key in slot.about and piece.about.get(key) != slot.about[key]}


def _claims_marks(piece: Piece) -> bool:
    return any(piece.about.get(flag) for flag in ("grade", "solution", "task"))


def _cells(those: list) -> str:
    return f"{len(those)} cell{'s' * (len(those) != 1)}"
