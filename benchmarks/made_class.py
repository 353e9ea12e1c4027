"""A class of any size for the grading benchmarks, made from the specimens that test the checks.

Every submission is the release with an answer in each exercise: the reference's, a right one that is written
differently, a classic mistake, or none. What no peer could grade (a torn file, an endless loop) is left out on
purpose: the attacks have it.
"""

import json
import random
import shutil
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from autograder.course import Assignment
from autograder.judging.rubric import grade_id_of, source_of
from autograder.specimens import load
from autograder.verifying import demo_class

Notebook = dict[str, Any]
SHARES = {"reference": 0.5, "right": 0.2, "wrong": 0.25, "blank": 0.05}  # of the answers to an exercise


def make(model: Assignment, root: Path, size: int) -> Assignment:
    """The unit `model` in a course at `root`, with `size` submissions, s0001 and so on; the same class each time."""
    assignment, _ = demo_class.make(model, root)
    shutil.rmtree(assignment.submitted("x").parents[1])
    for student, notebook in submissions(assignment, size):
        path = assignment.submitted(student) / f"{assignment.notebook}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(notebook), encoding="utf-8")
    return assignment


def submissions(assignment: Assignment, size: int) -> Iterator[tuple[str, Notebook]]:
    """Student by student; the first hands in the reference."""
    release, solved = read(assignment.released), read(assignment.solved)
    choices = answers_of(solved, release, assignment.name)
    for number in range(1, size + 1):
        rng = random.Random(number)
        kinds = dict.fromkeys(choices, "reference") if number == 1 else {name: _kind(rng) for name in choices}
        yield f"s{number:04}", filled(release, {name: rng.choice(choices[name][kind]) for name, kind in kinds.items()})


def read(path: Path) -> Notebook:
    """A notebook from its file."""
    return json.loads(path.read_text(encoding="utf-8"))


def answers_of(source: Notebook, release: Notebook, unit: str) -> dict[str, dict[str, list[str]]]:
    """By exercise and kind (a key of SHARES), the answers that there are."""
    blank = {name: source_of(cell) for name, cell in _exercises(release)}
    found = {
        name: {"reference": [source_of(cell)], "blank": [blank[name]], "right": [], "wrong": []}
        for name, cell in _exercises(source)
    }
    for specimen in load(unit):
        if specimen.exercise in found:
            found[specimen.exercise][specimen.kind].append(specimen.source)
    return {name: {kind: texts or kinds["reference"] for kind, texts in kinds.items()} for name, kinds in found.items()}


def filled(release: Notebook, answers: dict[str, str]) -> Notebook:
    """The release with these answers."""
    notebook = deepcopy(release)
    for name, cell in _exercises(notebook):
        cell["source"] = answers[name]
    return notebook


def _kind(rng: random.Random) -> str:
    return rng.choices(list(SHARES), weights=list(SHARES.values()))[0]


def _exercises(notebook: Notebook) -> Iterator[tuple[str, dict]]:
    for cell in notebook["cells"]:
        about = cell["metadata"].get("nbgrader", {})
        if cell["cell_type"] == "code" and about.get("solution") and not about.get("grade"):
            yield grade_id_of(cell), cell
