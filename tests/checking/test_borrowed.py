"""What an answer takes from experiment cells is named, since grading will not have it."""

import json
import subprocess
import sys

import pytest
from unrolled.checking import borrowed, table
from unrolled.checking.running import Report, Result

from autograder.course import Course
from autograder.releasing.source import read_source


def notebook(*cells):
    """A file with code cells, each (source, tags …)."""
    made = [{"cell_type": "code", "metadata": {"tags": tags}, "source": [source]} for source, *tags in cells]
    return {"cells": [{"cell_type": "markdown", "metadata": {}, "source": ["D = 1"]}, *made]}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A unit's notebook in the working folder, with a cell of each kind."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    cells = [
        ("import torch\nV = 3", "setup"),
        ("%matplotlib inline\nimport math as m\nD, (E, V) = 4, (5, 6)\ndef helper(x):\n    local = 1", "experiment"),
        ("for n in range(3):\n    pass", "experiment"),
        ("E = 7",),
        ("this is no Python", "experiment"),
    ]
    (tmp_path / "nets.ipynb").write_text(json.dumps(notebook(*cells)), encoding="utf-8")
    return tmp_path


def test_what_experiments_alone_define_is_named(here):
    asked = {"D", "E", "V", "m", "n", "helper", "local", "torch", "x", "other"}
    assert borrowed.borrowed(asked, "nets") == ["D", "helper", "m", "n"]


def test_what_was_run_in_another_cell_is_the_students_own(here, monkeypatch):
    experiment = json.loads((here / "nets.ipynb").read_text())["cells"][2]["source"][0]
    monkeypatch.setattr(borrowed, "_run_here", lambda: ["", experiment + "\n", "D = 9"])
    assert borrowed.borrowed({"D", "m"}, "nets") == ["m"]


@pytest.mark.parametrize("content", [None, b"", b"[]", b'{"cells": 3}', b'{"cells": [{"cell_type": "code"}]}', b"\xff"])
def test_without_a_notebook_nothing_is_said(here, content):
    (here / "nets.ipynb").unlink()
    if content is not None:
        (here / "nets.ipynb").write_bytes(content)
    assert borrowed.borrowed({"D"}, "nets") == []


def test_the_server_knows_the_file_better(here, monkeypatch):
    other = here / "copy of mine.ipynb"
    other.write_text(json.dumps(notebook(("W = 1", "experiment"))))
    monkeypatch.setenv("JPY_SESSION_NAME", str(other))
    assert borrowed.borrowed({"D", "W"}, "nets") == ["W"]


def test_both_tables_say_it():
    held = [Result("a", "A.", "held", 1.0, False)]
    for names, said in (
        (["F"], "F is from an experiment cell, which grading does not run: define it in your own cell, too."),
        (
            ["D", "F", "x"],
            "D, F and x are from an experiment cell, which grading does not run: define them in your own",
        ),
    ):
        data = Report("mle", 1, held, borrowed=names).to_dict()
        assert said in table.text(data) and said in table.to_html(data)
    assert "experiment" not in table.text(Report("mle", 1, held).to_dict())


RUN = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
for source in json.loads(sys.argv[1]):
    shell.run_cell(source, store_history=True)
"""
CELLS = {
    "setup": "from unrolled.checking import check",
    "experiment": "import math\nhalf = 0.5",
    "answer": "def total(counts):\n    return math.fsum(counts) + 0 * half\n\ndef mle(counts, context):\n"
    "    here = counts.get(context, {})\n    return {w: n / total(here.values()) for w, n in here.items()}",
    "check": "check(mle, points=2)",
}


@pytest.mark.parametrize("own", ["", "half = 0.5"], ids=["borrowed", "defined again"])
def test_a_check_in_a_notebook_says_it_also_of_a_helper(tmp_path, own):
    source = read_source(Course.find().assignment("01_ngrams"))
    assert any("mle" in cell.source for cell in source.cells)
    tagged = [(text, *([name] if name in ("setup", "experiment") else [])) for name, text in CELLS.items()]
    (tmp_path / "ngrams.ipynb").write_text(json.dumps(notebook(*tagged)), encoding="utf-8")
    cells = [CELLS["setup"], CELLS["experiment"], own, CELLS["answer"], CELLS["check"]]
    command = [sys.executable, "-c", RUN, json.dumps(cells)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    named = "half and math are from an experiment cell" if not own else "math is from an experiment cell"
    assert named in done.stdout and "mle: " in done.stdout
