"""What a table says of code that raises NotImplementedError: blank, a case missing, or another exercise missing."""

import pytest
from graded_units import answers, filled, grade, lost
from unrolled.checking import LocalAnswer, check, close, registry, run, table
from unrolled.checking.answer import NotStarted

RAISES = "    raise NotImplementedError('not started yet')"


@pytest.fixture
def exercise(monkeypatch):
    """An exercise with a check of numbers and one of lists, beside another exercise."""
    monkeypatch.setattr(registry, "_checks", {})
    monkeypatch.setattr("unrolled.checking.running.checks_of", lambda name: list(registry._checks[name].values()))

    @check("helper")
    def is_one(answer):
        """One."""
        close(answer(0), 1, "one")

    @check("double", hint="Think of 3.")
    def doubles_numbers(answer):
        """Twice a number comes back."""
        close(answer(3), 6, "double of 3")

    @check("double", weight=3)
    def doubles_lists(answer):
        """A list is doubled in every place."""
        close(answer([1]), [2], "double of [1]")

    @check("double", needs="doubles_lists")
    def doubles_long_lists(answer):
        """So is a long one."""
        close(answer([1, 2]), [2, 4], "double of [1, 2]")

    return "double"


def defined(source, name="double"):
    space = {}
    exec(source, space)
    return space[name]


def told(source):
    report = run("double", LocalAnswer(defined(source)), points=5).to_dict()
    return [(one["outcome"], one["message"]) for one in report["checks"]], report["earned"], table.headline(report)


@pytest.mark.parametrize(
    "source",
    [
        f"def double(x):\n{RAISES}",
        f"def own(x):\n{RAISES}\ndef double(x):\n    return own(x)",
        f"class double:\n    def __init__(self, x):\n    {RAISES}",
    ],
    ids=["stub", "helper", "class"],
)
def test_what_is_blank_is_not_written(exercise, source):
    blank = "The exercise is not written yet."
    assert told(source) == (
        [("not started", blank), ("skipped", blank), ("skipped", blank)],
        0,
        "double: not written yet (0 of 5 points)",
    )


def test_a_case_that_is_missing_costs_what_meets_it(exercise):
    numbers = f"def double(x):\n    if isinstance(x, int): return 2 * x\n{RAISES}"
    (first, second, third), earned, headline = told(numbers)
    assert first == ("held", "") and earned == 1 and headline == "double: 1 of 3 properties hold (1 of 5 points)"
    assert second[0] == "failed" and second[1].startswith("This case is not written yet: NotImplementedError: not ")
    assert "in double, line 3" in second[1] and third == (
        "skipped",
        "It builds on a property above that does not hold yet.",
    )
    lists = f"def double(x):\n    if isinstance(x, list): return [2 * one for one in x]\n{RAISES}"
    (first, second, third), earned, headline = told(lists)
    assert (first[0], second, third, earned) == ("failed", ("held", ""), ("held", ""), 4)
    assert "not written yet (0 of" not in headline


def test_a_wrong_case_beside_a_missing_one_is_no_blank(exercise):
    outcomes, _, _ = told(f"def double(x):\n    if isinstance(x, int): return x\n{RAISES}")
    assert [one for one, _ in outcomes] == ["failed", "failed", "skipped"]


def test_another_exercise_that_is_missing_is_named(exercise):
    source = f"def inner():\n{RAISES}\ndef helper(x):\n    return inner()\ndef double(x):\n    return helper(x)"
    outcomes, earned, headline = told(source)
    missing = "The answer calls helper, which is not written yet: write that exercise first."
    assert outcomes[:2] == [("failed", missing)] * 2 and earned == 0
    assert headline == "double: 0 of 3 properties hold (0 of 5 points)"
    report = run("double", LocalAnswer(defined(source))).to_dict()
    assert table.details(report["checks"][0]) == [missing]  # no hint about something else


def test_what_a_library_has_not_implemented_is_an_error_like_others(exercise):
    (first, *_), _, _ = told("import torch\ndef double(x):\n    return torch.nn.Module()(x)")
    assert first[0] == "failed" and "missing the required" in first[1] and "not written" not in first[1]


def test_what_is_told_comes_across_a_boundary_whole():
    for told in NotStarted(), NotStarted("line (in f)\nand more", ["f", "<lambda>"]):
        again = NotStarted.read(str(told))
        assert (again.line, again.names) == (told.line, told.names)


def test_the_grader_says_the_same():
    add_k = "def add_k(counts, context, word, k, vocab_size):\n    mle(counts, context)\n    return 0.5"
    stub = f"def mle(counts, context):\n{RAISES}"
    half = answers("ngrams")["perplexity"].replace(
        "(log_probs):\n", "(log_probs):\n    if len(log_probs) == 1: raise NotImplementedError\n"
    )
    judgement = grade("ngrams", filled("ngrams", mle=stub, add_k=add_k, perplexity=half))
    messages = lost(judgement)
    assert set(messages["mle"]) == {"The exercise is not written yet."}
    assert messages["add_k"][0] == "The answer calls mle, which is not written yet: write that exercise first."
    reports = {report.exercise: report for report in judgement.reports}
    assert 0 < reports["perplexity"].earned < 2
    assert all(line.startswith("This case is not written yet: NotImpl") for line in messages["perplexity"])
    space = {}
    exec(f"{stub}\n{add_k}", space)
    ours = run("add_k", LocalAnswer(space["add_k"]), 2)
    assert [one.outcome for one in ours.checks] == [one.outcome for one in reports["add_k"].checks]
