"""The release as the measure: the places that a submission's cells are held against."""

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from autograder.words import CHECK

from .python import mentions
from .shape import Piece, text

SETTINGS = ("points", "grade", "solution", "locked", "task", "schema_version")


@dataclass(eq=False)
class Slot:
    """A released cell. `name` is its grade id, None for text and demonstrations; `about` its nbgrader metadata."""

    index: int
    cell: dict[str, Any]
    source: str
    about: dict[str, Any]

    @property
    def name(self) -> str | None:
        return self.about.get("grade_id")

    @property
    def kind(self) -> str:
        return self.cell["cell_type"]

    @property
    def cell_id(self) -> str | None:
        return self.cell.get("id")

    @property
    def tags(self) -> list[str]:
        return self.cell["metadata"].get("tags", [])

    @property
    def is_answer(self) -> bool:
        """Whether the student writes here; the text of any other graded cell is the release's."""
        return bool(self.name) and (bool(self.about.get("solution")) or not self._is_fixed)

    @property
    def is_code_answer(self) -> bool:
        return self.is_answer and self.kind == "code"

    @property
    def is_marked_by_hand(self) -> bool:
        return bool(self.about.get("grade")) and bool(self.about.get("solution"))

    @property
    def _is_fixed(self) -> bool:
        return any(self.about.get(flag) for flag in ("grade", "locked", "task")) or self.name.endswith(CHECK)

    @property
    def exercise(self) -> str | None:
        """The exercise that this cell checks, if it is a check."""
        return self.name.removesuffix(CHECK) if self.name and self.name.endswith(CHECK) else None

    @cached_property
    def bare(self) -> str:
        """The released text without white space."""
        return "".join(self.source.split())

    def is_untouched(self, piece: Piece) -> bool:
        """Whether the piece says no more than was released here."""
        return piece.bare in ("", self.bare)

    @cached_property
    def _is_value(self) -> bool:
        """Whether the exercise asks for a plain value: its released cell defines no function and no class."""
        return not mentions(self.source, self.name, as_value=False)

    def may_be_answered_by(self, source: str) -> bool:
        """Whether some line of `source` looks like the definition that is asked for."""
        return mentions(source, self.name, as_value=self._is_value)

    def as_piece(self) -> Piece:
        """The released cell as if somebody had handed it in."""
        attachments = self.cell.get("attachments", {})
        return Piece(self.source, self.kind, self.cell_id, self.about, list(self.tags), deepcopy(attachments))


def slots(release: dict[str, Any], source: dict[str, Any]) -> list[Slot]:
    """The released cells in order, with the settings (points, flags) that the source gives them."""
    wanted = {about["grade_id"]: about for about in map(_about, source["cells"]) if about.get("grade_id")}
    found = []
    for index, cell in enumerate(release["cells"]):
        about = dict(_about(cell))
        about |= wanted.get(about.get("grade_id"), {})
        metadata = dict(cell.get("metadata", {})) | ({"nbgrader": about} if about else {})
        found.append(Slot(index, dict(cell) | {"metadata": metadata}, text(cell.get("source")), about))
    return found


def names(those: Iterable[Slot], most: int = 6) -> str:
    """`a, b and c`, or `a, b, … and 7 more`."""
    known = [slot.name or slot.cell_id or f"cell {slot.index + 1}" for slot in those]
    if len(known) > most:
        known = [*known[: most - 1], f"{len(known) - most + 1} more"]
    return " and ".join(part for part in (", ".join(known[:-1]), known[-1]) if part)


def _about(cell: dict[str, Any]) -> dict[str, Any]:
    return cell.get("metadata", {}).get("nbgrader") or {}
