"""`autograder new`: a unit of examples that keeps every rule, or one line and nothing written."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import little_course
import pytest
from little_course import ROOT

from autograder import specimens
from autograder.course import Assignment, Course, Trouble
from autograder.releasing import scaffold, start_page
from autograder.releasing.new_unit import LONGEST, OF_THE_EXAMPLE, NewExercise, NewUnit
from autograder.releasing.source import parsed

PARTS = ("assets", "autograder", "benchmarks", "book", "course", "solutions", "tests")
PARTS += ("nbgrader_config.py", "pyproject.toml")
MADE_BY_RUNNING = {"_build", "__pycache__", ".pytest_cache", ".ruff_cache", ".jupyter_cache", "gradebook.db"}
PAGE = "course/start.ipynb"
LONG = "x" * LONGEST
UNITS = {  # two exercises and a row that is there; one exercise, the longest names and a row that is not
    "04_tagging": ["--exercise", "pad_batch:2", "--exercise", "viterbi:3", "--ladder"],
    f"09_{LONG}": ["--exercise", f"{'y' * LONGEST}:0.5"],
}
ROWS = ["| [1 · n-grams](01_ngrams/ngrams.ipynb) | counting | How far? |", "| 4 · tagging, too | a label | Why? |"]


def files(root: Path) -> dict[str, bytes]:
    """What git would see: every file but those that running something leaves."""
    paths = [path for path in root.rglob("*") if path.is_file() and not MADE_BY_RUNNING & set(path.parts)]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths if path.name != ".nbgrader.log"}


# --- in a copy of the repository: all rules hold at once


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
    checked = copy.autograder("release", "--check", *UNITS)
    assert checked.returncode == 0, checked.stdout


@slow
def test_all_tests_of_such_units_pass(copy):
    """The rules of units, their own tests, the notebooks run whole, and the pages and rooms that they join."""
    words = [name[3:] for name in UNITS] + ["pad_batch", "viterbi", "y" * LONGEST]
    chosen = " or ".join([*words, "start_page", "rooms"])
    left_out = "scaffold or committed or whatever_the_seed"  # this file, and what others here look at
    places = ["units", "verifying", "releasing", "house/test_rooms.py", "house/test_course_rooms.py"]
    command = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", f"({chosen}) and not ({left_out})"]
    tested = copy.run(*command, *(f"tests/{place}" for place in places))
    assert tested.returncode == 0, tested.stdout
    assert int(re.search(r"(\d+) passed", tested.stdout)[1]) > 250 and "skipped" not in tested.stdout


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
print(json.dumps(ladder.run("tagging")["rungs"]))
"""
    climbed = copy.run("-c", code)
    assert climbed.returncode == 0, climbed.stderr
    rungs = json.loads(climbed.stdout)
    assert {rung["text"] for rung in rungs} == {"shakespeare", "names", "distinct names"}
    assert all(loss > 0 for rung in rungs for loss in rung["nats"].values())


# --- in a little course, which stands for the repository


@pytest.fixture
def little(tmp_path, monkeypatch, capsys):
    """A course with the unit 00_dice (exercises throw_sum and surprise) and a start page; gives `autograder new`."""
    assignment = little_course.make(tmp_path)
    cells = [
        {"cell_type": "markdown", "source": ["| unit |\n", "|---|\n", *(f"{row}\n" for row in ROWS), "\n", "End."]}
    ]
    (tmp_path / PAGE).parent.mkdir()
    (tmp_path / PAGE).write_text(json.dumps({"cells": cells}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    monkeypatch.setattr(scaffold, "HOME", tmp_path)
    return lambda *arguments: little_course.in_process(monkeypatch, capsys, assignment, "new", *arguments)


def test_a_new_unit_is_released_too(little, tmp_path):
    code, said, complaint = little("05_tagging", "--exercise", "viterbi:2.5")
    assert (code, complaint) == (0, ""), complaint
    assert "check(viterbi, points=2.5)" in (tmp_path / "release/05_tagging/tagging.ipynb").read_text("utf-8")
    assert "one short function (2.5 points)" in (tmp_path / "solutions/05_tagging.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "exercises", "says"),
    [
        ("tagging", ["viterbi:3"], "'tagging' is no unit's name: two digits and a word in small letters"),
        ("4_tagging", ["viterbi:3"], "'4_tagging' is no unit's name"),
        ("04_Tagging", ["viterbi:3"], "is no unit's name"),
        ("04_../up", ["viterbi:3"], "is no unit's name"),
        ("00_tagging", ["viterbi:3"], "the number of 00_tagging is taken by 00_dice"),
        ("04_dice", ["viterbi:3"], "dice is the unit 00_dice already"),
        ("04_surprise", ["viterbi:3"], "surprise is an exercise of 00_dice already"),
        ("04_import", ["viterbi:3"], "import is a word of Python's own"),
        (f"04_{LONG}x", ["viterbi:3"], "is too long a name for a unit: 24 characters at most"),
        ("04_tagging", [], "04_tagging needs an exercise"),
        ("04_tagging", ["viterbi"], "'viterbi' is no exercise: say its name and its points"),
        ("04_tagging", ["viterbi:many"], "'viterbi:many' is no exercise"),
        ("04_tagging", ["viterbi:3:1"], "'viterbi:3:1' is no exercise"),
        ("04_tagging", ["viterbi:0"], "'viterbi:0' will not do: viterbi needs points, a positive number"),
        ("04_tagging", ["viterbi:-1"], "a positive number"),
        ("04_tagging", ["viterbi:nan"], "a positive number"),
        ("04_tagging", ["viterbi:inf"], "a positive number"),
        ("04_tagging", [":3"], "'' is no exercise's name"),
        ("04_tagging", ["viter-bi:3"], "'viter-bi' is no exercise's name"),
        ("04_tagging", ["viterbi:3", "../up:1"], "'../up' is no exercise's name"),
        ("04_tagging", ["__init__:3"], "is no exercise's name"),
        ("04_tagging", ["lambda:3"], "lambda is a word of Python's own"),
        ("04_tagging", [f"{LONG}x:3"], "is too long a name for an exercise"),
        ("04_tagging", ["throw_sum:3"], "throw_sum is an exercise of 00_dice already"),
        ("04_tagging", ["dice:3"], "dice is the unit 00_dice already"),
        ("04_tagging", ["tagging:3"], "tagging is the unit itself already"),
        ("04_tagging", ["print:3"], "print means something else in a notebook"),
        ("04_tagging", ["torch:3"], "torch means something else in a notebook"),
        ("04_tagging", ["viterbi:3", "viterbi:2"], "viterbi is named twice"),
    ],
)
def test_a_name_that_will_not_do_gets_one_line_and_nothing_is_written(little, tmp_path, name, exercises, says):
    before = files(tmp_path)
    code, _, complaint = little(name, *(part for exercise in exercises for part in ("--exercise", exercise)))
    assert code == 1 and says in complaint and len(complaint.splitlines()) == 1, complaint
    assert files(tmp_path) == before


@pytest.mark.parametrize(
    "place",
    [
        "course/unrolled/tagging.py",
        "course/unrolled/tagging/__init__.py",  # a folder imports as a module does
        "course/unrolled/checks/tagging.py",
        "autograder/hidden/tagging.py",
        "autograder/specimens/tagging/decode.py",
        "tests/units/test_tagging.py",
        "tests/receiving/test_tagging.py",  # pytest takes one test file of a name
        "benchmarks/rungs/tagging.py",
        "release/04_tagging/tagging.ipynb",
    ],
)
def test_what_is_in_the_way_is_named_and_kept(little, tmp_path, place):
    (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / place).write_text("somebody's work\n")
    before = files(tmp_path)
    code, _, complaint = little("04_tagging", "--exercise", "viterbi:3", "--ladder")
    assert code == 1 and "tagging" in complaint and "is in the way" in complaint and complaint.count("\n") == 1
    assert files(tmp_path) == before


def test_where_no_unit_can_be_made_one_line_says_where(little, tmp_path, monkeypatch):
    monkeypatch.setattr(scaffold, "HOME", tmp_path / "repository")
    code, _, complaint = little("04_tagging", "--exercise", "viterbi:3")
    assert code == 1 and f"units are made in {tmp_path}/repository" in complaint and complaint.count("\n") == 1


def test_a_class_has_no_units_of_its_own(tmp_path):
    (tmp_path / "nbgrader_config.py").touch()
    with pytest.raises(Trouble, match="is not the repository of this autograder"):
        scaffold.make(Course.find(tmp_path), "04_tagging", ["viterbi:3"])


@pytest.mark.parametrize("page", ["no JSON", "{}", '{"cells": [{"source": "# No table"}]}', None])
def test_a_start_page_without_a_table_is_told_before_anything_is_made(little, tmp_path, page):
    (tmp_path / PAGE).unlink()
    if page is not None:
        (tmp_path / PAGE).write_text(page)
    before = files(tmp_path)
    code, _, complaint = little("04_tagging", "--exercise", "viterbi:3")
    assert code == 1 and "start.ipynb" in complaint and complaint.count("\n") == 1
    assert files(tmp_path) == before


@pytest.mark.parametrize("raised", [Trouble("no chalk"), KeyboardInterrupt(), OSError(28, "No space left")])
def test_what_fails_half_way_leaves_nothing(little, tmp_path, monkeypatch, raised):
    real, before = scaffold.release, files(tmp_path)
    folders = {path for path in tmp_path.rglob("*") if path.is_dir()}

    def fails_at_last(assignment):
        assert (tmp_path / "autograder/specimens/tagging/viterbi.py").is_file()
        if isinstance(raised, Trouble):  # once is enough: it takes seconds
            real(assignment)
        raise raised

    monkeypatch.setattr(scaffold, "release", fails_at_last)
    code, _, complaint = little("04_tagging", "--exercise", "viterbi:3", "--ladder")
    assert code == (130 if isinstance(raised, KeyboardInterrupt) else 1) and complaint.count("\n") <= 1
    assert files(tmp_path) == before
    assert {path for path in tmp_path.rglob("*") if path.is_dir()} == folders


def test_a_file_that_cannot_be_written_leaves_nothing(little, tmp_path):
    (tmp_path / "benchmarks").write_text("a file where a folder is wanted")
    before = files(tmp_path)
    code, _, complaint = little("04_tagging", "--exercise", "viterbi:3", "--ladder")
    assert code == 1 and "nothing was made" in complaint and complaint.count("\n") == 1
    assert files(tmp_path) == before


# --- parts


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("04_crf", [ROWS[0], "| [4 · tagging, too](04_crf/crf.ipynb) | a label | Why? |"]),
        ("01_crf", ["| [1 · n-grams](01_crf/crf.ipynb) | counting | How far? |", ROWS[1]]),
        ("00_crf", ["| [0 · a title](00_crf/crf.ipynb) | […] | […] |", *ROWS]),
        ("02_crf", [ROWS[0], "| [2 · a title](02_crf/crf.ipynb) | […] | […] |", ROWS[1]]),
        ("11_crf", [*ROWS, "| [11 · a title](11_crf/crf.ipynb) | […] | […] |"]),
    ],
)
@pytest.mark.parametrize("split", [str.splitlines, lambda text, keepends: text], ids=["lines", "text"])
def test_the_row_is_linked_or_added_in_its_place(name, rows, split):
    def page(lines):
        cells = [{"source": ["import torch"]}, {"source": split("\n".join(["Units:", *lines, "", "End."]), True)}]
        return json.dumps({"cells": cells})

    found = json.loads(start_page.linked(page(ROWS), Assignment(Course.find(ROOT), name), "a title"))
    told = "".join(found["cells"][1]["source"])
    told = told.replace("[the model, in a few words]", "[…]").replace("[Its question?]", "[…]")
    assert told.splitlines() == ["Units:", *rows, "", "End."]


def test_names_that_the_example_uses_are_refused_for_exercises(tmp_path):
    """Whatever its notebook and its answers bind at their top; an exercise of that name would take it away."""
    texts = dict(scaffold._texts(NewUnit("04_tagging", (NewExercise("viterbi", 3),)), ladder=False))
    path = tmp_path / "viterbi.py"
    path.write_text(texts["autograder/specimens/tagging/viterbi.py"], encoding="utf-8")
    notebook = parsed(Path("04_tagging.md"), texts["solutions/04_tagging.md"].encode()).notebook
    sources = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    bound = set().union(*map(top_names, sources + [specimen.source for specimen in specimens.read(path)]))
    assert set(filter(str.islower, bound)) - {"viterbi", "tagging"} == OF_THE_EXAMPLE - {"setup"}


def top_names(source: str) -> set[str]:
    """What code binds outside of functions and comprehensions."""
    found: set[str] = set()
    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif not isinstance(node, ast.DictComp | ast.ListComp | ast.GeneratorExp | ast.Lambda):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
            elif isinstance(node, ast.alias):
                found.add(node.asname or node.name.split(".")[0])
            waiting += ast.iter_child_nodes(node)
    return found
