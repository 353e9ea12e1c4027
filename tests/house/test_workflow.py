"""The workflow for whoever hosts the repository: it parses, all that it names is there, and its command runs here."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8"))
JOBS = WORKFLOW["jobs"]
STEPS = [step for job in JOBS.values() for step in job["steps"]]
COMMANDS = sorted({step["run"] for step in STEPS if "run" in step})
SMOKE = next(command for command in COMMANDS if "nbconvert" in command)


def systems(job: dict) -> list[str]:
    return job["strategy"]["matrix"]["os"] if "strategy" in job else [job["runs-on"]]


def test_each_job_runs_on_the_systems_it_is_for():
    assert {name: [system.partition("-")[0] for system in systems(job)] for name, job in JOBS.items()} == {
        "linux": ["ubuntu"],
        "student": ["macos", "windows"],
        "conda": ["ubuntu", "macos", "windows"],
    }
    assert WORKFLOW["env"] == {"UNROLLED_SCALE": "smoke"}


def test_linux_runs_everything_and_the_others_what_a_student_has():
    runs = {name: [step["run"] for step in job["steps"] if "run" in step] for name, job in JOBS.items()}
    assert runs == {"linux": ["make test"], "student": ["python -m pip install ./course", SMOKE], "conda": [SMOKE]}


@pytest.mark.parametrize("command", COMMANDS)
def test_what_a_command_names_is_there(command):
    program, *words = shlex.split(command)
    assert program in ("make", "python")
    if program == "make":
        assert all(re.search(rf"^{word}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE) for word in words)
        return
    assert words[0] == "-m" and shutil.which(words[1], path=Path(sys.executable).parent)
    made = words.index("--output-dir") + 1 if "--output-dir" in words else None
    paths = [word for place, word in enumerate(words) if "/" in word and place != made]
    assert paths and [path for path in paths if not (ROOT / path).exists()] == []


def test_each_action_has_its_version_and_each_file_is_there():
    actions = [step for step in STEPS if "uses" in step]
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step["uses"]) for step in actions)
    settings = [step["with"] for step in actions if "environment-file" in step.get("with", {})]
    assert settings
    for setting in settings:
        environment = yaml.safe_load((ROOT / setting["environment-file"]).read_text(encoding="utf-8"))
        assert environment["name"] == setting["activate-environment"]


def test_python_is_tried_at_both_ends_of_what_the_course_asks_for():
    asked = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "Python {} to {}".format(*JOBS["student"]["strategy"]["matrix"]["python"]) in asked


@pytest.mark.slow
def test_the_unfinished_notebook_runs_whole(tmp_path):
    """The workflow's own command, on a copy of the course's folder."""
    skip = shutil.ignore_patterns("*.egg-info", "__pycache__", ".ipynb_checkpoints", "build")
    copy = shutil.copytree(ROOT / "course", tmp_path / "course", ignore=skip)
    environment = os.environ | WORKFLOW["env"] | {"PYTHONPATH": str(copy)}
    command = [sys.executable, *shlex.split(SMOKE)[1:]]
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    done = nbformat.read(tmp_path / "_build" / "smoke" / "ngrams.ipynb", as_version=4)
    assert all(cell.execution_count for cell in done.cells if cell.cell_type == "code" and cell.source)
