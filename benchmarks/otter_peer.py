"""otter-grader as a peer: its tests made from this course's own checks, its command called as its users call it.

otter-grader lives in an environment of its own (`tools/bench_packages.sh otter`), from where it sees torch, the course
and the checks. Each check is one of its test cases, so a half-right answer gets the same part of the points.
"""

import json
import subprocess
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from unrolled.checking.registry import checks_of

from autograder.judging.rubric import Rubric, grade_id_of, is_experiment

ENVIRONMENT = Path(__file__).parent.parent / "_build" / "otter"

TEST_FILE = """
from otter.test_files import test_case

OK_FORMAT = False
name = {exercise!r}
outcomes = {{}}


def held(env, check):
    if not outcomes:
        import autograder.hidden.{unit}
        from unrolled.checking import LocalAnswer, registry, run

        answer = LocalAnswer(env[name], registry.forbidden(name))
        outcomes.update((result.name, result.outcome) for result in run(name, answer).checks)
    assert outcomes[check] == "held"
"""
TEST_CASE = """

@test_case(points={points!r}, hidden=True)
def case_{number}(env):
    held(env, {check!r})
"""


def installed() -> bool:
    return (ENVIRONMENT / "bin" / "otter").exists()


def write_tests(folder: Path, unit: Rubric) -> None:
    """A test file for each exercise, a case for each of its checks, with its share of the points."""
    folder.mkdir(parents=True)
    unit.import_hidden_checks()
    for exercise in unit.exercises:
        checks = checks_of(exercise.name)
        total = sum(check.weight for check in checks)
        text = TEST_FILE.format(exercise=exercise.name, unit=unit.name)
        for number, check in enumerate(checks):
            text += TEST_CASE.format(points=exercise.points * check.weight / total, number=number, check=check.name)
        (folder / f"{exercise.name}.py").write_text(text, encoding="utf-8")


def generate(tests: Path, archive: Path) -> None:
    """`otter generate`: the archive that its runs need. Raises RuntimeError."""
    words = [ENVIRONMENT / "bin" / "otter", "generate", "-t", tests, "-o", archive]
    done = subprocess.run([*words, "--no-environment", "--no-requirements"], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"otter generate failed: {done.stderr.strip().splitlines()[-1]}")


def prepared(notebook: dict[str, Any], unit: Rubric) -> dict[str, Any]:
    """A submission as its students have it: no check cells, and what is not to be run left out by its tag."""
    notebook, checks = deepcopy(notebook), {exercise.check for exercise in unit.exercises}
    notebook["cells"] = [cell for cell in notebook["cells"] if grade_id_of(cell) not in checks]
    for cell in notebook["cells"]:
        if is_experiment(cell):
            cell["metadata"]["tags"].append("otter_ignore")
    return notebook


def command(notebook: Path, archive: Path, output: Path) -> list[str | Path]:
    return [ENVIRONMENT / "bin" / "otter", "run", "--no-logo", "-a", archive, "-o", output, notebook]


def marks(output: Path, unit: Rubric) -> Mapping[str, float]:
    """Points by exercise from the results that a run left in `output`; empty if it left none."""
    path = output / "results.json"
    if not path.is_file():
        return {}
    results = json.loads(path.read_text(encoding="utf-8"))["tests"]
    names = [exercise.name for exercise in unit.exercises]
    return {
        name: round(sum(test.get("score", 0) for test in results if test["name"].split(" - ")[0] == name), 2)
        for name in names
    }
