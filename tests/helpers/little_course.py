"""A course of one little unit, 00_dice, in a temporary folder, and submissions to it. No torch, so it is quick."""

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path

import pytest

from autograder.course import Assignment, Course

ROOT = Path(__file__).parents[2]
UNIT, NOTEBOOK = "00_dice", "dice.ipynb"

CONFIG = """
from pathlib import Path

load_subconfig("nbgrader_config.py", path={home!r})
c = get_config()
c.CourseDirectory.root = str(Path(__file__).resolve().parent)
c.CourseDirectory.db_url = f"sqlite:///{{c.CourseDirectory.root}}/gradebook.db"
c.CourseDirectory.source_directory = "source"
c.CourseDirectory.release_directory = "release"
c.Execute.timeout = 4
c.ExecuteForMarks.budget = 60
"""

SUM = "def throw_sum(first, second):\n    return first + second"
SURPRISE = "def surprise(sides):\n    return math.log(sides)"
RIGHT = {"throw_sum": SUM, "surprise": SURPRISE, "written-question": "Throws do not know each other."}


def make(folder: Path) -> Assignment:
    """An unreleased course in `folder`, with the repository's own settings."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "nbgrader_config.py").write_text(CONFIG.format(home=str(ROOT)), encoding="utf-8")
    (folder / "solutions").mkdir()
    source = ROOT / "tests" / "fixtures" / "solutions" / f"{UNIT}.md"
    (folder / "solutions" / source.name).write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    return Assignment(Course.find(folder), UNIT)


@cache
def _released_once() -> Path:
    """One released course a process; releasing takes nbgrader seconds, copying takes none."""
    from autograder.releasing.release import release

    folder = Path(tempfile.mkdtemp(prefix="little-course-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    release(make(folder))
    return folder


def make_released(folder: Path) -> Assignment:
    """The same course, released."""
    shutil.copytree(_released_once(), folder, symlinks=True, dirs_exist_ok=True)
    return Assignment(Course.find(folder), UNIT)


def released(assignment: Assignment) -> dict:
    return json.loads(assignment.released.read_text(encoding="utf-8"))


def hand_in(
    assignment: Assignment, student: str, answers: dict[str, str], change: Callable = lambda notebook: None
) -> Path:
    """Submits the released notebook with `answers` in its cells, then changed by `change`."""
    notebook = released(assignment)
    for name, source in answers.items():
        cell_called(notebook, name)["source"] = source
    change(notebook)
    return hand_in_bytes(assignment, student, json.dumps(notebook).encode())


def hand_in_bytes(assignment: Assignment, student: str, content: bytes) -> Path:
    return hand_in_content(assignment.submitted(student) / NOTEBOOK, content)


def hand_in_content(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def cell_called(notebook: dict, name: str) -> dict:
    return next(cell for cell in notebook["cells"] if grade_id(cell) == name)


def grade_id(cell: dict) -> str | None:
    return cell["metadata"].get("nbgrader", {}).get("grade_id")


def without(name: str) -> Callable:
    """A change that deletes a cell."""

    def change(notebook):
        notebook["cells"].remove(cell_called(notebook, name))

    return change


def copied(name: str, source: str, place: int | None = None) -> Callable:
    """A change that adds a copy of a cell with another source: at the end, or at `place` after the original."""

    def change(notebook):
        original = cell_called(notebook, name)
        copy = deepcopy(original) | {"source": source}
        index = len(notebook["cells"]) if place is None else notebook["cells"].index(original) + place
        notebook["cells"].insert(index, copy)

    return change


def autograder(assignment: Assignment | Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess:
    """Runs the command line as a user does, in the course's folder; `variables` are added to the environment."""
    folder = assignment.course.root if isinstance(assignment, Assignment) else assignment
    command = [sys.executable, "-m", "autograder.cli", *arguments]
    environment = os.environ | {"COLUMNS": "200", "NO_COLOR": "1"} | variables
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


def nbgrader(assignment: Assignment, *arguments: str) -> subprocess.CompletedProcess:
    """Runs nbgrader's own command line in the course's folder."""
    command = [sys.executable, "-m", "nbgrader", *arguments]
    return subprocess.run(command, cwd=assignment.course.root, capture_output=True, text=True, timeout=200)


def in_process(monkeypatch, capsys, assignment: Assignment, *arguments: str) -> tuple[int, str, str]:
    """The same, quicker: in this process, without a new interpreter's imports."""
    from autograder.cli import main

    monkeypatch.chdir(assignment.course.root)
    monkeypatch.setattr(sys, "argv", ["autograder", *arguments])
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit) as end:
        main()
    out, err = capsys.readouterr()
    return end.value.code or 0, out, err
