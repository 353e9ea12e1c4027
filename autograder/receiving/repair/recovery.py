"""The whole cells of a file that is no JSON any more: torn off, or damaged somewhere in the middle.

The text is cut where cells begin, and each part is read for itself, so the work grows with the file's length and no
faster. Of a cell that is damaged outside its text, text, kind and grade id are still found. A text that is itself
torn is not used: half an answer is not an answer.
"""

import json
import re
from itertools import pairwise
from typing import Any

BEGINS = re.compile(r'[\[,]\s*(\{)\s*"(?:attachments|cell_type)"\s*:')
SOURCE = re.compile(r'"(?:source|input)"\s*:\s*')
DETAILS = {
    "cell_type": re.compile(r'"cell_type"\s*:\s*"(\w+)"'),
    "id": re.compile(r'"id"\s*:\s*"([\w-]+)"'),
    "grade_id": re.compile(r'"grade_id"\s*:\s*"([^"\\]+)"'),
}
MAX_TEXTS = 50  # looked at in one damaged part
DECODER = json.JSONDecoder(strict=False)


def recover(text: str, most: int) -> list[dict[str, Any]]:
    """The cells in the file's order; of more than `most` beginnings the later ones are left out."""
    found: list[dict[str, Any]] = []
    starts = [match.start(1) for match, _ in zip(BEGINS.finditer(text), range(most), strict=False)]
    for start, end in pairwise([0, *starts, len(text)]):
        found += _read(text[start:end])
    return found


def _read(part: str) -> list[dict[str, Any]]:
    """The cell that a part begins with, and whatever cells come behind it whose beginning is damaged."""
    cell, end = _decode(part, 0)
    whole = isinstance(cell, dict) and ("source" in cell or "input" in cell)
    return [cell, *_salvage(part[end:])] if whole else _salvage(part)


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
