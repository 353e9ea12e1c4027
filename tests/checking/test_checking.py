"""What a check is: comparison, calls, outcomes, tables, the command."""

import json
import math
import subprocess
import sys
from collections import Counter, namedtuple
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from unrolled import checking
from unrolled.checking import LocalAnswer, Mismatch, check, close, forbid, holds, ready, registry, run, seeded, table
from unrolled.checking.plain import NotPlain, plain


def outcomes(report):
    return [result.outcome for result in report.checks]


def declare_double(exercise):
    @check(exercise, hint="Try 3 by hand.")
    def doubles_numbers(answer):
        """Twice a number comes back."""
        close(answer(3), 6, "double of 3")

    @check(exercise, weight=3, needs="doubles_numbers")
    def doubles_tensors(answer):
        """A tensor is doubled in every place."""
        close(answer(torch.ones(2, 2)), 2 * torch.ones(2, 2), "double of ones")


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (1.0, 1),
        (2, 2.0 + 1e-9),
        (torch.tensor(3.0), 3.0),
        (math.nan, math.nan),
        (-math.inf, -math.inf),
        ({"a": [1, 2.0]}, {"a": [1, 2]}),
        ((1, "x", None), (1, "x", None)),
        ({1, 2}, {2, 1}),
        (torch.ones(2, dtype=torch.float64), torch.ones(2)),
        (torch.tensor([math.inf, 1.0]), torch.tensor([math.inf, 1.0])),
    ],
)
def test_close_accepts(got, expected):
    close(got, expected, "it")


@pytest.mark.parametrize(
    ("got", "expected", "says", "where"),
    [
        (1.1, 1.0, "different", ""),
        (True, 1.0, "not a number", ""),
        (None, 1.0, "not a number", ""),
        ("1", 1.0, "not a number", ""),
        (math.nan, 1.0, "not a finite number", ""),
        (math.inf, -math.inf, "different", ""),
        (1, True, "wrong kind", ""),
        ([1, 2, 4], [1, 2, 3], "different", "[2]"),
        ([1, 2], [1, 2, 3], "wrong length", ""),
        ((1, 2), [1, 2], "wrong kind", ""),
        ({}, {"a": 1}, "missing", "['a']"),
        ({"a": 1, "b": 2}, {"a": 1}, "should not be", "['b']"),
        ({("a",): {"b": 2}}, {("a",): {"b": 1}}, "different", "[('a',)]['b']"),
        ({1, 3}, {1, 2}, "different", ""),
        ([1.0, 2.0], torch.ones(2), "not a tensor", ""),
        (torch.ones(3), torch.ones(2), "wrong shape", ""),
        (torch.ones(2, dtype=torch.int64), torch.ones(2), "wrong dtype", ""),
        (torch.tensor([1.0, math.nan]), torch.ones(2), "not a finite number", "[1]"),
        (
            torch.eye(2),
            torch.tensor([[1.0, 0.0], [5.0, 1.0]]),
            r"it: 1 of 4 numbers differ, the first at \[1, ",
            "[1, 0]",
        ),
        (torch.ones(1), 1.0, "it: of the wrong shape", ""),
    ],
)
def test_close_says_what_differs_and_where(got, expected, says, where):
    with pytest.raises(Mismatch, match=says) as caught:
        close(got, expected, "it")
    assert caught.value.where == where
    assert caught.value.expected and caught.value.got


def test_close_can_ask_for_the_very_same_dtype():
    with pytest.raises(Mismatch, match="wrong dtype"):
        close(torch.ones(2, dtype=torch.float64), torch.ones(2), "it", same_dtype=True)


def test_plain_turns_relatives_into_plain_data():
    Pair = namedtuple("Pair", "a b")
    assert type(plain(Counter("aab"))) is dict
    assert type(plain(Pair(1, 2))) is tuple
    assert plain(np.float32(0.5)) == 0.5 and type(plain(np.float32(0.5))) is float
    assert type(plain(torch.nn.Parameter(torch.ones(1)))) is torch.Tensor
    assert not plain(torch.ones(1, requires_grad=True)).requires_grad
    with pytest.raises(NotPlain):
        plain(object())


def test_plain_copies():
    row, tensor = [1, [2]], torch.zeros(2)
    copied, other = plain(row), plain(tensor)
    copied[1].append(3)
    other += 1
    assert row == [1, [2]] and tensor.tolist() == [0, 0]


def test_a_right_answer_earns_all_points(exercise):
    declare_double(exercise)
    report = run(exercise, LocalAnswer(lambda x: 2 * x), points=4)
    assert outcomes(report) == ["held", "held"] and report.earned == 4


def test_a_wrong_answer_names_property_value_and_hint(exercise):
    declare_double(exercise)
    report = run(exercise, LocalAnswer(lambda x: x + 2), points=4)
    first, second = report.checks
    assert (first.outcome, first.expected, first.got) == ("failed", "6", "5")
    assert second.outcome == "skipped" and "above" in second.message
    shown = table.text(report.to_dict())
    assert "Twice a number comes back." in shown and "expected 6, got 5" in shown and "Try 3 by hand." in shown
    assert report.earned == 0


def test_partial_credit_follows_the_weights(exercise):
    @check(exercise, weight=1)
    def one(answer):
        """One."""
        close(answer(1), 2, "double of 1")

    @check(exercise, weight=3)
    def two(answer):
        """Two."""
        close(answer(2), 4, "double of 2")

    assert run(exercise, LocalAnswer(lambda x: 2), points=4).earned == 1
    assert run(exercise, LocalAnswer(lambda x: 4), points=4).earned == 3


def stub(x):
    raise NotImplementedError("write it")


def test_a_stub_is_not_started_and_earns_nothing(exercise):
    declare_double(exercise)
    report = run(exercise, LocalAnswer(stub), points=4)
    assert outcomes(report) == ["not started", "skipped"] and report.earned == 0
    assert "not written yet" in table.text(report.to_dict())


def crashes(x):
    return [][x]


@pytest.mark.parametrize("answer", [crashes, lambda: 1, 5, lambda x: exit(), lambda x: (_ for _ in [x])])
def test_a_crash_is_the_students_and_never_a_fault(exercise, answer):
    declare_double(exercise)
    report = run(exercise, LocalAnswer(answer), points=4)
    assert report.checks[0].outcome == "failed" and report.earned == 0


def test_a_crash_names_type_and_line(exercise):
    declare_double(exercise)
    message = run(exercise, LocalAnswer(crashes)).checks[0].message
    assert "IndexError" in message and "return [][x]" in message


class Hostile(dict):
    def items(self):
        raise RuntimeError("no")


@pytest.mark.parametrize("value", [Hostile(), torch.empty(2, device="meta"), object()])
def test_an_unreadable_result_fails_and_is_no_fault(exercise, value):
    declare_double(exercise)
    assert run(exercise, LocalAnswer(lambda x: value)).checks[0].outcome == "failed"


def test_a_fault_of_the_check_neither_costs_nor_earns(exercise):
    @check(exercise)
    def broken(answer):
        """A check with a mistake of its own."""
        raise KeyError("grader")

    @check(exercise)
    def fine(answer):
        """A good check."""
        close(answer(1), 2, "double of 1")

    right = run(exercise, LocalAnswer(lambda x: 2 * x), points=2)
    wrong = run(exercise, LocalAnswer(lambda x: x), points=2)
    assert outcomes(right) == ["fault", "held"] and right.earned == 2
    assert wrong.earned == 0


@pytest.mark.parametrize("data", [[1, 2], {"a": {"b": 1}}, torch.zeros(2), [math.nan, "x", None, {1}, b"y"]])
def test_an_answer_that_changes_its_argument_is_told_so(exercise, data):
    @check(exercise, hint="A hint on something else.")
    def leaves_its_input_alone(answer):
        """The input stays as it was."""
        answer(data, lambda: 0)

    def spoils(value, function):
        value.clear() if hasattr(value, "clear") else value.add_(1)

    fine = run(exercise, LocalAnswer(lambda value, function: function()))
    spoilt = run(exercise, LocalAnswer(spoils)).checks[0]
    assert outcomes(fine) == ["held"]
    assert spoilt.outcome == "failed" and "changes an argument" in spoilt.message and not spoilt.hint


def test_arguments_are_copies_and_functions_are_called_back(exercise):
    @check(exercise)
    def leaves_its_input_alone(answer):
        """Functions may be passed in; what the answer does to its input stays there."""
        data, seen = [1, 2], []
        close(answer(data, lambda item: seen.append(item) or item * 10), [10, 20], "mapped")
        holds(data == [1, 2] and seen == [1, 2], "the input was changed")

    def answer(data, function):
        return [function(item) for item in data]

    assert outcomes(run(exercise, LocalAnswer(answer))) == ["held"]


def test_a_mismatch_inside_a_function_passed_in_reaches_the_report(exercise):
    @check(exercise)
    def passes_numbers(answer):
        """The function passed in gets numbers."""

        def f(x):
            close(x, 1.0, "the argument")

        answer(f)

    def swallows(f):
        try:
            f("one")
        except Exception:
            return 0

    report = run(exercise, LocalAnswer(swallows))
    assert report.checks[0].outcome == "failed" and "the argument" in report.checks[0].message


@pytest.mark.parametrize("value", [object(), torch.empty(2, device="meta")])
def test_a_function_passed_in_given_something_unreadable_is_the_answers_failure(exercise, value):
    @check(exercise)
    def passes_numbers(answer):
        """The function passed in gets numbers."""
        answer(lambda x: x)

    result = run(exercise, LocalAnswer(lambda f: f(value))).checks[0]
    assert result.outcome == "failed" and "TypeError" in result.message


@pytest.mark.parametrize("function", [math.log, torch.nn.Linear, torch.nn.functional.softmax])
def test_forbidden_library_functions_are_named(exercise, function):
    @check(exercise)
    def any_number(answer):
        """Whatever."""
        answer()

    call = {
        math.log: lambda: math.log(2.0),
        torch.nn.Linear: lambda: torch.nn.Linear(1, 1) and 1,
        torch.nn.functional.softmax: lambda: torch.nn.functional.softmax(torch.ones(2), 0),
    }[function]
    forbid(exercise, function)
    result = run(exercise, LocalAnswer(call, registry.forbidden(exercise))).checks[0]
    assert result.outcome == "failed" and "write it yourself" in result.message


def test_seeds_depend_on_check_and_environment(exercise, monkeypatch):
    drawn = []
    for name in ("first", "second"):

        def draw(answer):
            """Draw."""
            drawn.append((seeded().random(), torch.rand(1).item()))

        draw.__name__ = name
        check(exercise)(draw)
    before = torch.get_rng_state()
    run(exercise, LocalAnswer(None))
    run(exercise, LocalAnswer(None))
    monkeypatch.setenv("UNROLLED_CHECK_SEED", "1")
    run(exercise, LocalAnswer(None))
    assert drawn[:2] == drawn[2:4] and len({*drawn}) == 4
    assert torch.equal(before, torch.get_rng_state())


def test_declaring_a_check_wants_sentence_weight_and_known_need(exercise):
    def bare(answer): ...

    with pytest.raises(ValueError, match="docstring"):
        check(exercise)(bare)
    bare.__doc__ = "Something."
    with pytest.raises(ValueError, match="above 0"):
        check(exercise, weight=0)(bare)
    with pytest.raises(ValueError, match="does not have yet"):
        check(exercise, needs="nothing")(bare)


def test_hidden_checks_withhold_their_values(exercise):
    def secret(answer):
        """A hidden property."""
        close(answer(7), 14, "double of a number")

    secret.__module__ = "autograder.hidden.example"
    check(exercise, hint="Think of 7.")(secret)
    data = run(exercise, LocalAnswer(lambda x: x)).to_dict()
    for shown in (table.text(data), table.to_html(data)):
        assert "A hidden property." in shown and "14" not in shown


def test_an_unknown_exercise_gets_one_line(capsys):
    assert check(lambda x: x, points=2, exercise="no such exercise") == 0.0
    assert "there is no exercise 'no such exercise'" in capsys.readouterr().out
    assert check(3, points=2) == 0.0
    assert "needs the exercise's name" in capsys.readouterr().out


def test_points_are_a_plain_float(exercise, capsys):
    declare_double(exercise)
    earned = check(lambda x: 2 * x, points=2, exercise=exercise)
    assert type(earned) is float and earned == 2.0
    assert "2 of 2 properties hold" in capsys.readouterr().out


def test_ready_waits_until_every_property_holds(exercise, capsys, monkeypatch):
    monkeypatch.setattr("unrolled.checking.notebook.reports", [])
    declare_double(exercise)
    assert not ready(exercise)
    assert "uses your own double" in (said := capsys.readouterr().out) and "run the check below it first" in said
    check(lambda x: x, points=2, exercise=exercise)
    assert not ready(exercise)
    assert "come back when every property there holds" in capsys.readouterr().out
    check(lambda x: 2 * x, points=2, exercise=exercise)
    assert ready(exercise)


def test_html_escapes_what_students_return(exercise):
    declare_double(exercise)
    page = table.to_html(run(exercise, LocalAnswer(lambda x: "<script>")).to_dict())
    assert "<script>" not in page and "&lt;script&gt;" in page


def test_a_report_is_json(exercise):
    declare_double(exercise)
    data = run(exercise, LocalAnswer(lambda x: x), points=4).to_dict()
    assert json.loads(json.dumps(data)) == data
    assert data["schema"] == 1 and set(data) == {
        "schema",
        "exercise",
        "points",
        "earned",
        "mend_first",
        "borrowed",
        "checks",
    }


def write_notebook(path, *sources, tags=()):
    cells = [{"cell_type": "code", "source": source, "metadata": {}} for source in sources]
    cells.append({"cell_type": "code", "source": "raise SystemError('not run')", "metadata": {"tags": ["experiment"]}})
    path.write_text(json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}))
    return path


SETUP = """
from unrolled.checking import check, close, registry
@check("terminal_example")
def doubles(answer):
    "Twice a number comes back."
    close(answer(3), 6, "double of 3")
registry.checks_of = lambda name: list(registry._checks[name].values())
import unrolled.checking.running as running
running.checks_of = registry.checks_of
"""


def terminal(path, *options):
    command = [sys.executable, "-m", "unrolled.checking", str(path), *options]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.parametrize(("body", "code", "says"), [("2 * x", 0, "2 of 2 points"), ("x", 1, "expected 6, got 3")])
def test_the_command_prints_the_tables(tmp_path, body, code, says):
    call = f"check(lambda x: {body}, points=2, exercise='terminal_example')"
    done = terminal(write_notebook(tmp_path / "a.ipynb", SETUP, call))
    assert done.returncode == code, done.stderr
    assert says in done.stdout


def test_the_command_reports_a_broken_cell_in_one_line(tmp_path):
    call = "check(lambda x: 2 * x, points=2, exercise='terminal_example')"
    done = terminal(write_notebook(tmp_path / "a.ipynb", "1 / 0", SETUP, call))
    assert done.returncode == 1
    assert "code cell 1 raised ZeroDivisionError" in done.stderr and "Traceback" not in done.stderr


def test_the_command_counts_exercises_that_could_not_be_checked(tmp_path):
    path = write_notebook(tmp_path / "a.ipynb", SETUP, "check(lambda x: 2 * x, points=2, exercise='terminal_example')")
    data = json.loads(path.read_text())
    mark = {"grade_id": "other-check", "points": 3, "grade": True}
    data["cells"].append({"cell_type": "code", "source": "check(other, points=3)", "metadata": {"nbgrader": mark}})
    path.write_text(json.dumps(data))
    done = terminal(path)
    assert done.returncode == 1
    assert "2 of 5 points in 2 exercises; could not be checked: other" in done.stdout


@pytest.mark.parametrize("content", [None, "no json", "{}", '{"cells": []}'])
def test_the_command_refuses_what_is_no_notebook(tmp_path, content):
    path = tmp_path / "a.ipynb"
    if content is not None:
        path.write_text(content)
    done = terminal(path)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1


def test_every_public_name_is_there():
    assert all(hasattr(checking, name) for name in checking.__all__)


# --- an exercise is one unit's ---------------------------------------------------------------------------------------


def declare_in(exercise, module, name="it_holds"):
    """Declares a check as a file of this module would."""

    def function(answer):
        """It holds."""

    function.__name__, function.__module__ = name, module
    return check(exercise)(function)


def test_two_units_cannot_have_an_exercise_of_one_name(exercise, monkeypatch):
    monkeypatch.setitem(sys.modules, "unrolled.checks.one", SimpleNamespace(__file__="checks/one.py"))
    declare_in(exercise, "unrolled.checks.one")
    declare_in(exercise, "autograder.hidden.one", name="it_holds_elsewhere")
    declare_in(exercise, "unrolled.checks.one.cases", name="a_case_by_hand")
    for module in ("unrolled.checks.two", "autograder.hidden.two"):
        monkeypatch.setitem(sys.modules, module, SimpleNamespace(__file__="two.py"))
        with pytest.raises(ValueError) as caught:
            declare_in(exercise, module, name="other")
        assert str(caught.value) == "double is an exercise of two units, in checks/one.py and in two.py: rename one"
    assert set(registry._checks[exercise]) == {"it_holds", "it_holds_elsewhere", "a_case_by_hand"}


@pytest.mark.parametrize("first", ["unrolled.checks.one", "__main__"])
def test_a_notebook_may_declare_checks_for_any_exercise(exercise, first):
    declare_in(exercise, first)
    declare_in(exercise, "__main__", name="mine")
    declare_in(exercise, "test_checking", name="mine_too")
    declare_in(exercise, "unrolled.checks.one", name="the_units")
    assert len(registry._checks[exercise]) == 4
