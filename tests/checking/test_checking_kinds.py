"""Odd values that answers return, calls of the wrong form, and how far chance may carry a share."""

import math

import pytest
import torch
from unrolled.checking import LocalAnswer, Mismatch, check, close, registry, run
from unrolled.checking.chance import margin
from unrolled.checking.kinds import mapping, number, symbols

HUGE = 10**5000  # too large for a float, and for Python to print


def kind(value):
    """A test's id: pytest cannot print the huge ones."""
    return type(value).__name__


@pytest.fixture
def exercise(monkeypatch):
    monkeypatch.setattr(registry, "_checks", {"unused": {}})
    monkeypatch.setattr("unrolled.checking.running.checks_of", lambda name: list(registry._checks[name].values()))
    return "odd"


def only_result(exercise, answer):
    (result,) = run(exercise, LocalAnswer(answer)).checks
    return result


@pytest.mark.parametrize(
    "got", [HUGE, -HUGE, [HUGE], {HUGE: 1}, torch.eye(2).to_sparse(), torch.ones(2, 2) * 1j], ids=kind
)
@pytest.mark.parametrize("expected", [1.5, 2, math.inf, math.nan, "a", [1.0], {"a": 1}, torch.eye(2)], ids=kind)
def test_close_refuses_odd_values_without_tripping(got, expected):
    with pytest.raises(Mismatch) as caught:
        close(got, expected, "it")
    assert len(caught.value.got) < 120


def test_close_compares_whole_numbers_beyond_every_float():
    close(HUGE, HUGE, "it")
    with pytest.raises(Mismatch, match="different"):
        close(HUGE + 1, 3, "it")


@pytest.mark.parametrize(
    ("got", "value"),
    [(2, 2.0), (0.5, 0.5), (torch.tensor(3), 3.0), (HUGE, math.inf), (-HUGE, -math.inf)],
    ids=kind,
)
def test_number_takes_one_number(got, value):
    assert number(got, "it") == value and type(number(got, "it")) is float


@pytest.mark.parametrize("got", [None, True, "1", [1], torch.ones(1), torch.tensor(True), torch.tensor(1j), {}, 1j])
def test_number_refuses_the_rest(got):
    how = "shape" if isinstance(got, torch.Tensor) and got.dim() else "kind"
    with pytest.raises(Mismatch, match=f"it: of the wrong {how}") as caught:
        number(got, "it")
    assert caught.value.expected == "one number" and caught.value.got


def test_mapping_takes_a_dict_alone():
    assert mapping({1: 2}, "it") == {1: 2}
    with pytest.raises(Mismatch, match="wrong kind"):
        mapping([(1, 2)], "it")


def test_symbols_takes_a_list_of_ids_in_range():
    assert symbols([0, 2, 1], 3, 3, "ids") == [0, 2, 1]


@pytest.mark.parametrize(
    ("got", "says"),
    [
        ([0, 1], "wrong length"),
        ((0, 1, 2), "wrong kind"),
        (torch.tensor([0, 1, 2]), "wrong kind"),
        ([0, 1, 3], r"ids\[2\]: not a symbol"),
        ([-1, 1, 2], r"ids\[0\]: not a symbol"),
        ([0, True, 2], r"ids\[1\]: not a symbol"),
        ([0, 1.0, 2], r"ids\[1\]: not a symbol"),
        ([0, torch.tensor(1), 2], r"ids\[1\]: not a symbol"),
    ],
)
def test_symbols_says_what_is_no_symbol(got, says):
    with pytest.raises(Mismatch, match=says):
        symbols(got, 3, 3, "ids")


def test_margin_solves_hoeffdings_bound():
    for draws, risk in ((10, 0.1), (1000, 1e-8)):
        assert 2 * math.exp(-2 * draws * margin(draws, risk) ** 2) == pytest.approx(risk)


def test_margin_holds_in_experiment():
    shares = torch.rand(20_000, 50).lt(0.3).double().mean(1)
    outside = (shares - 0.3).abs().gt(margin(50, risk=0.05)).double().mean().item()
    assert 0 < outside < 0.05


@pytest.mark.parametrize("call", [lambda f: f(), lambda f: f(1, 2), lambda f: f(y=1)])
def test_calling_a_function_of_the_check_in_a_wrong_way_is_the_answers_mistake(exercise, call):
    @check(exercise)
    def calls_back(answer):
        """The function passed in takes one number."""
        close(answer(lambda x: 2 * x), 2, "result")

    result = only_result(exercise, call)
    assert result.outcome == "failed" and "TypeError" in result.message
    assert only_result(exercise, lambda f: f(x=1)).outcome == "held"


def test_two_files_cannot_give_one_exercise_two_checks_of_one_name(exercise):
    def twice(answer):
        """Something."""

    check(exercise)(twice)
    check(exercise)(twice)  # the same module, loaded anew
    twice.__module__ = "autograder.hidden.example"
    again = type(twice)(twice.__code__, globals(), "twice")
    again.__doc__, again.__module__ = "Something else.", "unrolled.checks.example"
    with pytest.raises(ValueError, match="another name"):
        check(exercise)(again)
