"""A submission of unit 1, the release with the reference's answers in it, and ways to look at what it became."""

import functools
import itertools
import json
from collections.abc import Iterable
from copy import deepcopy
from pathlib import Path
from typing import Any

from autograder.course import Assignment, Course
from autograder.receiving.repair import Mended, mend
from autograder.releasing.source import read_source

ROOT = Path(__file__).parents[2]
UNIT = "01_ngrams"
WRITTEN = "Naïve counts see nothing twice: a façade.\nThe held-out text shows it."

STUB = '# Your code here.\nraise NotImplementedError("not started yet")'
Notebook = dict[str, Any]
_numbers = itertools.count()


@functools.cache
def _release() -> str:
    return (ROOT / "course" / UNIT / "ngrams.ipynb").read_text(encoding="utf-8")


@functools.cache
def source() -> Notebook:
    return json.loads(json.dumps(read_source(Assignment(Course(ROOT, ROOT / "solutions"), UNIT))))


def release() -> Notebook:
    """A fresh copy of the released notebook."""
    return json.loads(_release())


def about(cell: Notebook) -> dict[str, Any]:
    return cell.get("metadata", {}).get("nbgrader", {})


def name(cell: Notebook) -> str | None:
    return about(cell).get("grade_id")


def text(cell: Notebook) -> str:
    return "".join(cell["source"])


@functools.cache
def answers() -> dict[str, str]:
    """The reference's answers by grade id; the written one has letters beyond ASCII."""
    solved = [cell for cell in source()["cells"] if about(cell).get("solution") and cell["cell_type"] == "code"]
    found = {name(cell): "\n".join(x for x in text(cell).splitlines() if " SOLUTION" not in x) for cell in solved}
    return found | {"written-question": WRITTEN}


def filled(changed: dict[str, str] | None = None) -> Notebook:
    """The release with the reference's answers, or with others where `changed` has them."""
    notebook = release()
    for cell in notebook["cells"]:
        if name(cell) in answers():
            cell["source"] = (answers() | (changed or {}))[name(cell)].splitlines(keepends=True)
    return notebook


def raw(notebook: Any, **how: Any) -> bytes:
    """As Jupyter writes it."""
    return json.dumps(notebook, **{"indent": 1, "ensure_ascii": False} | how).encode("utf-8")


def mended(content: bytes | Notebook) -> Mended:
    return mend(content if isinstance(content, bytes) else raw(content), release(), source())


@functools.cache
def whole() -> Mended:
    """What becomes of an undamaged submission."""
    return mended(filled())


def index(notebook: Notebook, wanted: str) -> int:
    return next(number for number, cell in enumerate(notebook["cells"]) if name(cell) == wanted)


def cell(notebook: Notebook, wanted: str) -> Notebook:
    return notebook["cells"][index(notebook, wanted)]


def own(content: str, kind: str = "code", **more: Any) -> Notebook:
    """A cell of the student's own."""
    extra = {"outputs": [], "execution_count": None} if kind == "code" else {}
    return {"cell_type": kind, "id": f"mine-{next(_numbers)}", "metadata": {}, "source": content} | extra | more


def graded(notebook: Notebook) -> list[Notebook]:
    return [each for each in notebook["cells"] if name(each)]


def given(notebook: Notebook) -> dict[str, str]:
    """The answers that a mended notebook counts."""
    return {name(each): text(each) for each in graded(notebook) if about(each).get("solution")}


def texts(cells: Iterable[Notebook]) -> list[str]:
    return [text(each) for each in cells]


def copy(notebook: Notebook) -> Notebook:
    return deepcopy(notebook)


CHECKS = [f"{name}-check" for name in answers() if name != "written-question"]


def same(result: Mended) -> bool:
    """Whether nothing is left of the damage: not in a cell, its metadata, its id or its place."""
    return result.notebook == whole().notebook


def sound(result: Mended) -> bool:
    """Whether the graded cells stand in the release's order, with the release's text or the reference's answer."""
    return graded(result.notebook) == graded(whole().notebook)


def every(key, value=None):
    """A change of each cell: `key` set to `value`, or taken away."""

    def change(notebook):
        for each in notebook["cells"]:
            each.pop(key, None)
            if value is not None:
                each[key] = value

    return change
