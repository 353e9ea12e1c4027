"""What `autograder new` makes keeps every rule of the repository: two units, made in a copy of it."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from little_course import ROOT
from test_scaffold import MADE_BY_RUNNING, PAGE, files

from autograder.releasing.new_unit import LONGEST

PARTS = ("assets", "autograder", "benchmarks", "book", "course", "docs", "hub", "solutions", "tests")
PARTS += ("assistants.md", "nbgrader_config.py", "pyproject.toml")
LONG = "x" * LONGEST
TAKEN = {path.name[:2] for path in (ROOT / "solutions").glob("[0-9][0-9]_*.md")}
FREE = next(number for number in map("{:02}".format, range(1, 99)) if number not in TAKEN)
UNITS = {  # two exercises, and a row that is there as long as one has no unit; one exercise, and the longest names
    f"{FREE}_some_unit": ["--exercise", "one_example:2", "--exercise", "another_example:3", "--ladder"],
    f"{max(9, int(FREE) + 1):02}_{LONG}": ["--exercise", f"{'y' * LONGEST}:0.5"],
}


class Copy:
    """The repository elsewhere, in which commands run with its own code."""

    def __init__(self, root: Path):
        self.root = root
        skipped = shutil.ignore_patterns(*MADE_BY_RUNNING, "*.egg-info")
        for part in PARTS:
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, root / part, **({"ignore": skipped} if copy is shutil.copytree else {}))

    def run(self, *command: str) -> subprocess.CompletedProcess:
        path = os.pathsep.join([str(self.root), str(self.root / "course")])
        settings = {"PYTHONPATH": path, "UNROLLED_SCALE": "smoke", "COLUMNS": "300"}
        whole = [sys.executable, *command]
        return subprocess.run(whole, cwd=self.root, env=os.environ | settings, capture_output=True, text=True)

    def autograder(self, *arguments: str) -> subprocess.CompletedProcess:
        return self.run("-m", "autograder.cli", *arguments)


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Copy:
    """With both units made; what each command said, and the files before it and after it."""
    copy = Copy(tmp_path_factory.mktemp("repository"))
    copy.said, copy.before, copy.after = {}, {}, {}
    for name, arguments in UNITS.items():
        copy.before[name] = files(copy.root)
        copy.said[name] = copy.autograder("new", name, *arguments)
        copy.after[name] = files(copy.root)
    return copy


each_unit = pytest.mark.parametrize("name", UNITS)
slow = pytest.mark.slow


@slow
@each_unit
def test_it_tells_what_it_made_and_what_comes_next(copy, name):
    said, word = copy.said[name], name[3:]
    assert (said.returncode, said.stderr) == (0, "")
    made = set(re.findall(r"^  (\S+) made\.$", said.stdout, re.MULTILINE))
    assert made == set(copy.after[name]) - set(copy.before[name])
    assert f"solutions/{name}.md" in made and f"course/{name}/{word}.ipynb" in made
    assert (f"benchmarks/rungs/{word}.py" in made) == ("--ladder" in UNITS[name])
    assert said.stdout.split("\n")[-4:-1] == [
        f"  autograder release {word}",
        f"  autograder verify {word}",
        f"  make test UNIT={word}",
    ]


@slow
@each_unit
def test_of_what_was_there_the_start_page_alone_changes_and_by_one_row(copy, name):
    before, after = copy.before[name], copy.after[name]
    assert [path for path in before if after.get(path) != before[path]] == [PAGE]
    old, new = before[PAGE].decode().splitlines(), after[PAGE].decode().splitlines()
    (row,) = [line for line in new if line not in old]
    assert f"| [{int(name[:2])} · " in row and f"]({name}/{name[3:]}.ipynb) |" in row


@slow
def test_their_checks_are_sound_and_their_notebooks_are_their_sources(copy):
    verified = copy.autograder("verify", *UNITS, "--json")
    assert verified.returncode == 0, verified.stdout + verified.stderr
    assert len(json.loads(verified.stdout)) == 3
    first = next(iter(UNITS))
    assert f"as `autograder new` wrote it, in square brackets: solutions/{first}.md, line 14 and " in verified.stderr
    checked = copy.autograder("release", "--check", *UNITS)
    assert checked.returncode == 0, checked.stdout


@slow
def test_all_tests_of_such_units_pass(copy):
    """The rules of units, their own tests, the notebooks run whole, and the pages and rooms that they join."""
    words = [name[3:] for name in UNITS] + ["one_example", "another_example", "y" * LONGEST]
    chosen = " or ".join([*words, "start_page", "rooms"])
    left_out = "scaffold or committed or whatever_the_seed"  # this file, and what others here look at
    places = ["units", "verifying", "releasing", "house/test_rooms.py", "house/test_course_rooms.py"]
    command = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", f"({chosen}) and not ({left_out})"]
    tested = copy.run(*command, *(f"tests/{place}" for place in places))
    assert tested.returncode == 0, tested.stdout
    assert int(re.search(r"(\d+) passed", tested.stdout)[1]) > 60 and "skipped" not in tested.stdout


@slow
def test_they_are_in_the_courses_style(copy):
    for command in (["check"], ["format", "--check"]):
        assert copy.run("-m", "ruff", *command, "--no-cache", ".").returncode == 0


@slow
def test_the_ladder_accepts_the_rung(copy):
    code = """
import json, sys, types
sys.path.insert(0, "benchmarks")
import ladder
texts = {"names": "\\n".join(["ann", "bo", "cy", "dee", "ed", "flo", "gil", "hal", "ida", "jo"] * 3)}
texts["tiny_shakespeare"] = "the clock strikes nine, and the cat sleeps. " * 40
ladder.data.load = texts.__getitem__
ladder.data.source = lambda name: types.SimpleNamespace(title=name, is_stand_in=True)
print(json.dumps(ladder.run("some_unit")["rungs"]))
"""
    climbed = copy.run("-c", code)
    assert climbed.returncode == 0, climbed.stderr
    rungs = json.loads(climbed.stdout)
    assert {rung["text"] for rung in rungs} == {"shakespeare", "names", "distinct names"}
    assert all(loss > 0 for rung in rungs for loss in rung["nats"].values())
