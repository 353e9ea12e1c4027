"""`autograder new`: all files of a unit, or one line and nothing written. See also test_scaffold_whole."""

import ast
import json
from pathlib import Path

import little_course
import pytest
from little_course import ROOT

from autograder import specimens
from autograder.course import Assignment, Course, Trouble
from autograder.releasing import scaffold, start_page
from autograder.releasing.new_unit import LONGEST, OF_THE_EXAMPLE, NewExercise, NewUnit
from autograder.releasing.source import parsed

MADE_BY_RUNNING = {"_build", "__pycache__", ".pytest_cache", ".ruff_cache", ".jupyter_cache", "gradebook.db"}
PAGE = "course/start.ipynb"
LONG = "x" * LONGEST
ROWS = ["| [1 · n-grams](01_ngrams/ngrams.ipynb) | counting | How far? |", "| 4 · tagging, too | a label | Why? |"]


def files(root: Path) -> dict[str, bytes]:
    """What git would see: every file but those that running something leaves."""
    paths = [path for path in root.rglob("*") if path.is_file() and not MADE_BY_RUNNING & set(path.parts)]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths if path.name != ".nbgrader.log"}


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
    assert code == 2 and says in complaint and len(complaint.splitlines()) == 1, complaint
    assert files(tmp_path) == before


@pytest.mark.parametrize(
    "place",
    [
        "course/unrolled/tagging.py",
        "course/unrolled/tagging/__init__.py",  # a folder imports as a module does
        "course/unrolled/checks/tagging.py",
        "autograder/hidden/tagging.py",
        "autograder/specimens/tagging/decode.py",
        "tests/units/tagging/test_tagging.py",
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
    assert code == 2 and "tagging" in complaint and "is in the way" in complaint and complaint.count("\n") == 1
    assert files(tmp_path) == before


def test_where_no_unit_can_be_made_one_line_says_where(little, tmp_path, monkeypatch):
    monkeypatch.setattr(scaffold, "HOME", tmp_path / "repository")
    code, _, complaint = little("04_tagging", "--exercise", "viterbi:3")
    assert code == 2 and f"units are made in {tmp_path}/repository" in complaint and complaint.count("\n") == 1


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
    assert code == 2 and "start.ipynb" in complaint and complaint.count("\n") == 1
    assert files(tmp_path) == before


@pytest.mark.parametrize("raised", [Trouble("no chalk"), KeyboardInterrupt(), OSError(28, "No space left")])
def test_what_fails_half_way_leaves_nothing(little, tmp_path, monkeypatch, raised):
    real, before = scaffold.release, files(tmp_path)
    folders = {path for path in tmp_path.rglob("*") if path.is_dir()}

    def fails_at_last(assignment, **how):
        assert (tmp_path / "autograder/specimens/tagging/viterbi.py").is_file()
        if isinstance(raised, Trouble):  # once is enough: it takes seconds
            real(assignment, **how)
        raise raised

    monkeypatch.setattr(scaffold, "release", fails_at_last)
    code, _, complaint = little("04_tagging", "--exercise", "viterbi:3", "--ladder")
    assert code == (130 if isinstance(raised, KeyboardInterrupt) else 2) and complaint.count("\n") <= 1
    assert files(tmp_path) == before
    assert {path for path in tmp_path.rglob("*") if path.is_dir()} == folders


def test_a_file_that_cannot_be_written_leaves_nothing(little, tmp_path):
    (tmp_path / "benchmarks").write_text("a file where a folder is wanted")
    before = files(tmp_path)
    code, _, complaint = little("04_tagging", "--exercise", "viterbi:3", "--ladder")
    assert code == 2 and "nothing was made" in complaint and complaint.count("\n") == 1
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
    texts = dict(scaffold._texts(NewUnit("04_labelling", (NewExercise("relabel", 3),)), ladder=False))
    path = tmp_path / "relabel.py"
    path.write_text(texts["autograder/specimens/labelling/relabel.py"], encoding="utf-8")
    notebook = parsed(Path("04_labelling.md"), texts["solutions/04_labelling.md"].encode()).notebook
    sources = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    bound = set().union(*map(top_names, sources + [specimen.source for specimen in specimens.read(path)]))
    assert set(filter(str.islower, bound)) - {"relabel", "labelling"} == OF_THE_EXAMPLE - {"setup"}


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
