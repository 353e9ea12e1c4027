"""Every version of a unit's notebook that was released from this folder: autograded/01_ngrams.releases.jsonl.

A submission is held against the release that its student got. What the teacher changed since is no repair of the
student's file; without these versions it would look like one. One line a version, the newest last.
"""

import json
import os
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from autograder.course import Assignment

Notebook = dict[str, Any]
SETTINGS = ("points", "grade", "solution", "locked", "task")
MOST = 20  # versions, the newest ones; those that differ in their text alone are one


def note(assignment: Assignment) -> None:
    """Writes down what is released now, unless it is the last version that stands there."""
    if not assignment.released.is_file():
        return
    now, path = json.loads(assignment.released.read_bytes()), _path(assignment)
    line, lines = json.dumps(now, sort_keys=True), _lines(path)
    if lines[-1:] == [line]:
        return
    if lines and _measured(json.loads(lines[-1])) == _measured(now):
        lines.pop()
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".jsonl.new")
    new.write_text("\n".join([*(other for other in lines if other != line), line][-MOST:]) + "\n", encoding="utf-8")
    os.replace(new, path)


def earlier(assignment: Assignment) -> list[Notebook]:
    """The versions before the one that is released now, the newest first; to be read only."""
    path = _path(assignment)
    return _earlier(path, assignment.released, *map(_stamp, (path, assignment.released))) if path.is_file() else []


@lru_cache(maxsize=8)  # asked for each submission
def _earlier(path: Path, released: Path, *_stamps: tuple) -> list[Notebook]:
    now = json.dumps(json.loads(released.read_bytes()), sort_keys=True)
    return [json.loads(line) for line in reversed(_lines(path)) if line != now]


def _stamp(path: Path) -> tuple[int, int]:
    return path.stat().st_mtime_ns, path.stat().st_size


def graded(notebook: Notebook) -> dict[str, dict]:
    """The cells with a grade id, by it."""
    about = ((cell, cell["metadata"].get("nbgrader") or {}) for cell in notebook["cells"])
    return {settings["grade_id"]: cell for cell, settings in about if settings.get("grade_id")}


def differences(older: Notebook, newer: Notebook) -> str:
    """`mle-check (points), kneser_ney and kneser_ney-check (new)`: what became of the graded cells and the locked."""
    before, after = graded(older), graded(newer)
    kinds = [(name, _kind(before.get(name), after.get(name))) for name in [*after, *(before.keys() - after.keys())]]
    kinds = sorted(((name, kind) for name, kind in kinds if kind), key=lambda pair: pair[1] == "gone")
    told, names = [], []
    for (name, kind), (_, following) in pairwise([*kinds, ("", "")]):
        names.append(name)
        if kind != following:
            together = kind in ("new", "gone")
            told += [f"{' and '.join(sorted(names))} ({kind})"] if together else [f"{name} ({kind})" for name in names]
            names = []
    return ", ".join(told)


def _kind(before: dict | None, after: dict | None) -> str:
    if before is None or after is None:
        return "new" if before is None else "gone"
    about = [cell["metadata"]["nbgrader"] for cell in (before, after)]
    settings = [key for key in SETTINGS if about[0].get(key) != about[1].get(key)]
    text = "".join(before["source"]).split() != "".join(after["source"]).split()
    return " and ".join(settings + ["text"] * text)


def _measured(notebook: Notebook) -> list[tuple]:
    """What a submission is held against: graded cells, and all cells' tags."""
    cells = [(cell, cell["metadata"].get("nbgrader") or {}) for cell in notebook["cells"]]
    return [(about, cell["metadata"].get("tags"), cell["source"] if about else "") for cell, about in cells]


def _path(assignment: Assignment) -> Path:
    return assignment.record.with_name(f"{assignment.name}.releases.jsonl")


def _lines(path: Path) -> list[str]:
    """What can be read of it; a torn line costs nothing but a less exact word to the teacher."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    return [line for line in lines if _is_notebook(line)]


def _is_notebook(line: str) -> bool:
    try:
        return isinstance(json.loads(line)["cells"], list)
    except (ValueError, KeyError, TypeError):
        return False
