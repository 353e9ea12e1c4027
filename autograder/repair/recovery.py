"""The whole cells of a file that is no JSON any more: torn off, or damaged somewhere in the middle.

The text is cut where cells begin, and each part is read for itself, so the work grows with the file's length and no
faster. Of a cell that is damaged outside its text, text, kind and grade id are still found. A text that is itself
torn is not used: half an answer is not an answer.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any

BEGINS = re.compile(r'\{\s*"(?:attachments|cell_type)"\s*:')
SOURCE = re.compile(r'"(?:source|input)"\s*:\s*')
DETAILS = {
    "cell_type": re.compile(r'"cell_type"\s*:\s*"(\w+)"'),
    "id": re.compile(r'"id"\s*:\s*"([\w-]+)"'),
    "grade_id": re.compile(r'"grade_id"\s*:\s*"([^"\\]+)"'),
}
MAX_TEXTS = 50  # looked at in one damaged part
DECODER = json.JSONDecoder(strict=False)


@dataclass
class Recovered:
    """`damaged` counts the parts of the file in which something was lost or had to be pieced together."""

    cells: list[dict[str, Any]] = field(default_factory=list)
    damaged: int = 0


def recover(text: str, most: int) -> Recovered:
    """At most `most` cells, in the file's order."""
    found = Recovered()
    starts = [match.start() for match, _ in zip(BEGINS.finditer(text), range(most), strict=False)]
    _read(text[: starts[0]] if starts else text, found)
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        _read(text[start:end], found)
    return found


def _read(part: str, found: Recovered) -> None:
    """Adds the cell that a part begins with, and whatever cells come behind it whose beginning is damaged."""
    cell, end = _decode(part, 0)
    whole = isinstance(cell, dict) and ("source" in cell or "input" in cell)
    if whole:
        found.cells.append(cell)
    pieces = _salvage(part[end if whole else 0 :])
    found.cells += pieces
    found.damaged += bool(pieces) or (not whole and BEGINS.match(part) is not None)


def _salvage(part: str) -> list[dict[str, Any]]:
    """Cells made from the texts in a damaged part, each with what stands around it."""
    texts = []
    for match, _ in zip(SOURCE.finditer(part), range(MAX_TEXTS), strict=False):
        value, end = _decode(part, match.end())
        if isinstance(value, str) or (isinstance(value, list) and all(isinstance(line, str) for line in value)):
            texts.append((match.start(), end, value))
    borders = [0, *(end for _, end, _ in texts[:-1])]
    ends = [start for start, _, _ in texts] if len(texts) > 1 else [len(part)]
    return [_cell(part[a:b], text) for a, b, (_, _, text) in zip(borders, ends, texts, strict=False)]


def _cell(around: str, text: Any) -> dict[str, Any]:
    details = {name: match.group(1) for name, pattern in DETAILS.items() if (match := pattern.search(around))}
    grade_id = details.pop("grade_id", None)
    return details | {"source": text, "metadata": {"nbgrader": {"grade_id": grade_id}} if grade_id else {}}


def _decode(text: str, start: int) -> tuple[Any, int]:
    try:
        return DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, start
