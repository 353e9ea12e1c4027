"""A fault that lies in another exercise is said to lie there: in the notebook's table, and by the grader."""

import functools
import json
import subprocess
import sys

import pytest
from graded_units import answers, filled, grade, lost, rubric, scratch
from unrolled.checking import LocalAnswer, table
from unrolled.checking.elsewhere import look_elsewhere
from unrolled.checking.running import Report, Result

from autograder.judging.cells import REPORT, exercise
from autograder.judging.sitting import Sitting

EXCHANGED = answers("lstm")["lstm_gates"].replace("return gates", "return gates | dict(f=gates['i'], i=gates['f'])")
LINE = "lstm_gates, which it calls, does not hold yet: mend that first."


def by_exercise(judgement):
    return {report.exercise: report for report in judgement.reports}


@pytest.fixture(scope="module")
def exchanged():
    """Unit 3, graded, with f and i exchanged in `lstm_gates` alone."""
    return grade("lstm", filled("lstm", lstm_gates=EXCHANGED))


def test_the_grader_names_the_exercise_that_is_called(exchanged):
    reports = by_exercise(exchanged)
    assert "lstm_step" in lost(exchanged) and "lstm_forward" in lost(exchanged)
    named = {name: report.mend_first for name, report in reports.items() if report.mend_first}
    assert set(named.values()) == {"lstm_gates"} and {"lstm_step", "lstm_forward"} <= set(named) <= set(lost(exchanged))
    assert reports["lstm_gates"].mend_first == "" and any(one.hint for one in reports["lstm_gates"].checks)


def test_both_tables_say_it_and_give_no_hint(exchanged):
    data = by_exercise(exchanged)["lstm_step"].to_dict()
    for shown in (table.text(data), table.to_html(data)):
        assert LINE in shown and "Hint" not in shown
    assert LINE not in table.text(by_exercise(exchanged)["lstm_gates"].to_dict())


def test_the_teachers_table_and_the_head_of_the_feedback_say_it(exchanged):
    import nbformat

    notebook = nbformat.from_dict(filled("lstm", lstm_gates=EXCHANGED) | {"nbformat": 4, "nbformat_minor": 5})
    for index, outputs in exchanged.outputs.items():
        notebook.cells[index].outputs = [nbformat.from_dict(one) for one in outputs]
    checks = [cell for cell in notebook.cells if any(REPORT in one.get("data", {}) for one in cell.get("outputs", ()))]
    why = {one.name: one.why for one in map(exercise, checks)}
    assert why["lstm_step"] == why["lstm_forward"] == LINE[:-1] and "lstm_gates" not in why["lstm_gates"]


def test_the_notebook_says_what_the_grader_says(exchanged, tmp_path):
    path = tmp_path / "work.ipynb"
    path.write_text(json.dumps(filled("lstm", lstm_gates=EXCHANGED)), encoding="utf-8")
    command = [sys.executable, "-m", "unrolled.checking", str(path), "--json"]
    reports = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    said = {report["exercise"]: report["mend_first"] for report in reports}
    ours = {name: report.mend_first for name, report in by_exercise(exchanged).items()}
    public = {report["exercise"] for report in reports if any(one["outcome"] == "failed" for one in report["checks"])}
    assert {name for name, first in said.items() if first} == {name for name in public if ours[name]}
    assert said["lstm_step"] == "lstm_gates"


def test_points_are_what_they_were(exchanged, monkeypatch):
    monkeypatch.setattr(Sitting, "_used_by", lambda self, answer: [])
    before = grade("lstm", filled("lstm", lstm_gates=EXCHANGED))
    assert not any(report.mend_first for report in before.reports)
    assert [report.earned for report in before.reports] == [report.earned for report in exchanged.reports]


def test_a_fault_of_ones_own_keeps_its_hints():
    step = answers("lstm")["lstm_step"].replace("return gates", "return -gates")
    report = by_exercise(grade("lstm", filled("lstm", lstm_step=step)))["lstm_step"]
    assert report.mend_first == "" and any(one.hint for one in report.checks)


def test_a_process_that_lies_gains_no_point_and_names_nobody():
    lie = "import unrolled.checking.answer as a\na.functions_used = lambda *_: ['mle', '<b>', 'x' * 10, 3]"
    wrong = "def perplexity(counts, text, order): return 0.0"
    judgement = grade("ngrams", scratch(filled("ngrams", perplexity=wrong), lie, 0))
    assert by_exercise(judgement)["perplexity"].mend_first == ""
    assert sum(report.points for report in judgement.reports) == sum(one.points for one in rubric("ngrams").exercises)


# --- which functions an answer leads to ----------------------------------------------------------------------------

HELPERS = "import functools\ndef gates(x): return x\ndef other(x): return x\n"
LEADS = {
    "call": ("def f(x): return gates(x)", {"gates"}),
    "inner function": ("def f(x):\n    def g(): return gates(x)\n    return g()", {"gates"}),
    "comprehension": ("def f(x): return [gates(y) for y in x]", {"gates"}),
    "helper": ("def by(x): return gates(x)\ndef f(x): return by(x)", {"by", "gates"}),
    "alias": ("mine = gates\ndef f(x): return mine(x)", {"mine", "gates"}),
    "partial": ("f = functools.partial(lambda g, x: gates(x), 1)", {"gates"}),
    "class": ("class f:\n    def __init__(self, x): self.x = gates(x)", {"gates"}),
    "object": ("class A:\n    def __call__(self, x): return gates(x)\nf = A()", {"gates"}),
    "closure": ("def made(g):\n    def f(x): return g(x)\n    return f\nf = made(gates)", {"g", "gates"}),
    "recursion": ("def f(x): return f(x)", {"f"}),
    "local": ("def f(x):\n    gates = other\n    return gates(x)", {"other"}),
    "parameter": ("def f(gates): return gates", set()),
    "attribute": ("def f(x): return x.gates(x)", set()),
    "unknown": ("def f(x): return nowhere(x)", set()),
    "builtin": ("def f(x): return len(x)", set()),
    "library": ("import json\nfrom json import dumps as gates\ndef f(x): return gates(json.loads(x))", set()),
    "no function": ("f = 3", set()),
}


@pytest.mark.parametrize("name", LEADS)
def test_code_says_to_which_functions_an_answer_leads(name):
    source, wanted = LEADS[name]
    space = {}
    exec(compile(HELPERS + source, "<cell>", "exec"), space)
    assert set(LocalAnswer(space["f"]).uses()) - {"<lambda>"} == wanted


# --- which of them is named ------------------------------------------------------------------------------------------


def report(name, outcome="failed", first=""):
    return Report(name, 1, [Result("c", "S.", outcome, hint="H")], first)


def test_the_first_that_does_not_hold_by_its_own_fault_is_named():
    asked = functools.partial(look_elsewhere, used=["a", "b", "c", "d"])
    others = [report("a", "held"), report("b", first="c"), report("c"), report("d")]
    asked(mine := report("d"), others=others)
    assert (mine.mend_first, mine.checks[0].hint) == ("c", "")


@pytest.mark.parametrize("mine", [report("m", "held"), report("m", "not started")], ids=["held", "blank"])
def test_what_holds_or_is_blank_blames_nobody(mine):
    look_elsewhere(mine, ["a"], [report("a")])
    assert mine.mend_first == "" and mine.checks[0].hint == "H"


@pytest.mark.parametrize("others", [[report("m")], [report("a", "not started")], [report("b")], []])
def test_only_another_that_is_used_and_written_is_named(others):
    mine = report("m")
    look_elsewhere(mine, ["a", "m"], others)
    assert mine.mend_first == "" and mine.checks[0].hint == "H"
