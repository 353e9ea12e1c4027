"""The outputs of a cell as they may enter a notebook: checked, bounded, with nothing that passes for a mark.

What the student's process sends as outputs is any plain data. Here it becomes outputs of nbformat 4, or nothing.
"""

import math
from typing import Any

from unrolled.checking.plain import cut

from .wire import MAX_TEXT

MAX_OUTPUTS = 500
MAX_LINES = 20_000  # characters of one part of a traceback, which has several lines
MAX_CHARACTERS = 2_000_000  # of one cell; what exceeds it is left out whole
MAX_TOGETHER = 8_000_000  # of all cells of a notebook
FULL = "The output of this cell was left out: those above had used up what a notebook may show.\n"
# Left out: the tables of checks, which are the grader's to show, and widgets, whose state is not kept.
FORBIDDEN = ("application/vnd.unrolled.report+json", "application/vnd.jupyter.widget-view+json")


class Room:
    """What all outputs of a notebook may take together: its cells may be as many as it likes."""

    def __init__(self, characters: int = MAX_TOGETHER):
        self._left = characters

    def cleaned(self, raw: Any) -> list[dict[str, Any]]:
        """`cleaned`, as far as there is room; where there is none, an output says so."""
        outputs = cleaned(raw)
        size = len(repr(outputs))
        if size > self._left:
            return [{"output_type": "stream", "name": "stderr", "text": FULL}]
        self._left -= size
        return outputs


def cleaned(raw: Any) -> list[dict[str, Any]]:
    """Every well-formed output of `raw`, in order, as far as the bounds allow."""
    kept, left = [], MAX_CHARACTERS
    for output in raw[:MAX_OUTPUTS] if type(raw) is list else []:
        output = _output(output) if type(output) is dict else None
        size = len(repr(output))
        if output is not None and size <= left:
            kept.append(output)
            left -= size
    return kept


def _output(raw: dict) -> dict[str, Any] | None:
    kind = raw.get("output_type")
    if kind == "stream" and raw.get("name") in ("stdout", "stderr") and type(raw.get("text")) is str:
        return {"output_type": kind, "name": raw["name"], "text": raw["text"]}
    if kind == "error":
        return _error(raw)
    if kind in ("display_data", "execute_result") and type(raw.get("data")) is dict:
        return _display(kind, raw)
    return None


def _error(raw: dict) -> dict[str, Any] | None:
    name, value, lines = raw.get("ename"), raw.get("evalue"), raw.get("traceback")
    if type(name) is not str or type(value) is not str or type(lines) is not list:
        return None
    lines = [cut(line, MAX_LINES) for line in lines[:MAX_OUTPUTS] if type(line) is str]
    return {"output_type": "error", "ename": name[:100], "evalue": cut(value, MAX_TEXT), "traceback": lines}


def _display(kind: str, raw: dict) -> dict[str, Any]:
    data = {mime: item for mime, item in raw["data"].items() if _may_show(mime, item)}
    output = {"output_type": kind, "data": data, "metadata": {}}
    if kind == "execute_result":
        count = raw.get("execution_count")
        output["execution_count"] = count if type(count) is int and 0 <= count < 2**31 else None
    return output


def _may_show(mime: Any, item: Any) -> bool:
    if type(mime) is not str or len(mime) > 100 or mime in FORBIDDEN:
        return False
    return type(item) is str or (mime.endswith("json") and _is_json(item))


def _is_json(item: Any) -> bool:
    if type(item) is dict:
        return all(type(key) is str and _is_json(value) for key, value in item.items())
    if type(item) is list:
        return all(map(_is_json, item))
    if type(item) is float:
        return math.isfinite(item)
    return item is None or type(item) in (bool, int, str)
