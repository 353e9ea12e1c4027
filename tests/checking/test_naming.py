"""Which exercise a check cell is about: the one that it names, whatever object the student put there."""

import json
import subprocess
import sys

import pytest
from book_built import ROOT
from graded_units import filled, grade, lost
from odd_forms import FORMS
from unrolled.checking import naming, notebook
from unrolled.checking.naming import exercise_of
from unrolled.checking.registry import checks_of

UNITS = sorted((ROOT / "course" / "unrolled" / "checks").glob("[a-z]*.py"))
checks_of("backoff"), checks_of("repack"), checks_of("generate")  # all units' checks, in this process once


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What the notebook says of each odd form: the exercises it checked, and whether `ready` holds afterwards."""
    cells = ["import torch\nfrom unrolled.checking import check, ready, notebook"]
    for _, exercise, source in FORMS.values():
        cells += [source, f"check({exercise}, points=1)"]
        cells += [f"print('TOLD', notebook.reports[-1].exercise, ready({exercise!r}))", "notebook.reports.clear()"]
    path = tmp_path_factory.mktemp("odd") / "cells.json"
    path.write_text(json.dumps(cells), encoding="utf-8")
    program = (
        "import json, sys\nfrom IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance()\n"
        "for cell in json.load(open(sys.argv[1])): shell.run_cell(cell).raise_error()"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)
    lines = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("TOLD")]
    return dict(zip(FORMS, lines, strict=True))


@pytest.mark.parametrize("form", FORMS)
def test_a_right_answer_of_an_odd_form_is_checked_and_makes_ready(form, told):
    assert told[form] == [FORMS[form][1], "True"]


@pytest.mark.parametrize("form", FORMS)
def test_it_gets_as_much_from_the_grader(form):
    unit, exercise, source = FORMS[form]
    assert lost(grade(unit, filled(unit, **{exercise: source}))) == {}


def asked(source, **names):
    """What `exercise_of` says to a call in a cell."""
    import linecache

    space = {"check": lambda subject, **_: exercise_of(subject, sys._getframe(1)), **names}
    linecache.cache["<a cell>"] = (len(source), None, source.splitlines(True), "<a cell>")
    exec(compile(source, "<a cell>", "exec"), space)
    return space["found"]


def test_the_name_that_is_written_counts():
    def perplexity():
        """An exercise's name, too."""

    assert asked("found = check(mle, points=1)", mle=perplexity) == "mle"
    assert asked("é = 1; found = check(\n    mle,\n    points=1,\n)", mle=3) == "mle"
    assert asked("found = [check(one) for one in [mle]][0]", mle=perplexity) == "perplexity"
    assert asked("found = check((mle, 1)[0])", mle=perplexity) == "perplexity"


def test_without_a_written_name_the_objects_own_counts_and_then_the_notebooks():
    thing = object()
    assert asked("for one in [mle]: found = check(one)", mle=thing) == "mle"
    assert asked("for one in [thing]: found = check(one)", thing=thing) is None
    assert asked("found = check(lambda x: x)") is None
    assert asked("found = check(3)") is None


def test_without_a_source_the_other_ways_are_left():
    space = {"check": lambda subject, **_: exercise_of(subject, sys._getframe(1)), "mle": object()}
    exec("found = check(mle)", space)
    assert space["found"] == "mle"
    assert naming._place(compile("1", "x", "exec"), 10**6) is None


def test_what_belongs_to_no_exercise_is_told_so(capsys):
    assert notebook.check(lambda x: x, points=2) == 0.0
    assert "there is no exercise '<lambda>'" in capsys.readouterr().out


def test_an_exercise_needs_the_checks_of_its_own_unit_alone():
    program = (
        "import sys\nfrom unrolled.checking.registry import is_exercise\n"
        "loaded = lambda: sorted(name for name in sys.modules if name.startswith('unrolled.checks.') and\n"
        "                        'helpers' not in name)\n"
        "print(is_exercise('perplexity'), *loaded())\nprint(is_exercise('nobody'), len(loaded()))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == f"True unrolled.checks.ngrams\nFalse {len(UNITS)}\n"
