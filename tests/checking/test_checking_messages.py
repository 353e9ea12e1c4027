"""What a table says of an answer that is wrong: messages, hints and weights that lead where the mistake is."""

import ast
import math
import re
from pathlib import Path

import pytest
import torch
import unrolled
from unrolled.checking import LocalAnswer, check, close, forbid, holds, registry, run, table
from unrolled.checking.kinds import floats

COURSE = Path(unrolled.__file__).parent
HIDDEN = Path(__file__).parents[2] / "autograder" / "hidden"
TOLD = [*(COURSE / "checks").rglob("*.py"), *(COURSE / "checking").glob("*.py"), *HIDDEN.glob("*.py")]
ASKS = "does every path of the function return?"


def declare(exercise):
    @check(exercise, weight=2, hint="Add it to itself.")
    def doubles_three(answer):
        """Three becomes six."""
        close(answer(torch.tensor([3.0])), torch.tensor([6.0]), "double of 3")

    @check(exercise, hint="How many numbers are twice none?")
    def doubles_nothing(answer):
        """Of no numbers there are none."""
        close(answer(torch.zeros(0)), torch.zeros(0), "double of nothing")


def shown(exercise, answer):
    return [table.details(one) for one in run(exercise, LocalAnswer(answer)).to_dict()["checks"]]


# --- None ------------------------------------------------------------------------------------------------------------


def test_a_function_that_returns_none_is_asked_whether_it_returns(exercise):
    declare(exercise)
    assert ASKS in shown(exercise, lambda x: None)[0][1]


@pytest.mark.parametrize("answer", [lambda x: x.detach(), lambda x: x.tolist(), lambda x: 2.0])
def test_a_missing_gradient_is_no_missing_return(exercise, answer):
    @check(exercise, hint="Does .detach() cut the way back?")
    def has_a_gradient(answer):
        """The gradient of twice a number is two."""
        found = answer.gradients(torch.ones(1))["arguments"][0]
        close(found, torch.full((1,), 2.0), "the gradient by x")

    message, values, hint = shown(exercise, answer)[0]
    assert message == "the gradient by x: missing" and values.endswith("got None")
    assert hint == "Hint: Does .detach() cut the way back?"


def test_a_check_may_hand_the_answer_to_itself(exercise):
    @check(exercise)
    def takes_itself(answer):
        """Twice twice one is four."""
        close(answer(1, answer), 4, "twice twice one")

    def twice(x, again=None):
        return again(twice(x)) if again else 2 * x

    assert run(exercise, LocalAnswer(twice)).all_held


def test_a_part_that_is_none_is_no_missing_return(exercise):
    @check(exercise, hint="Two parts.")
    def has_two_parts(answer):
        """Both parts are tensors."""
        close(answer(1), (torch.ones(1), torch.ones(1)), "the pair")

    lines = shown(exercise, lambda x: (torch.ones(1), None))[0]
    assert "got None" in lines[1] and ASKS not in " ".join(lines)


# --- hints -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [None, (torch.ones(1), torch.ones(1)), [6.0], torch.ones(2, 2), torch.tensor([6])],
    ids=["none", "pair", "list", "shape", "dtype"],
)
def test_an_answer_of_another_form_gets_no_hint_about_its_content(exercise, value):
    declare(exercise)
    first, second = shown(exercise, lambda x: value)
    assert len(first) == 2 and not any(line.startswith("Hint") for line in first + second)


def test_an_answer_of_the_right_form_gets_its_hint(exercise):
    declare(exercise)
    assert shown(exercise, lambda x: x + 1)[0][-1] == "Hint: Add it to itself."


@pytest.mark.parametrize("nothing", [None, torch.zeros(1)], ids=["none", "shape"])
def test_a_form_that_is_wrong_in_a_special_case_alone_is_what_its_check_is_about(exercise, nothing):
    declare(exercise)
    assert shown(exercise, lambda x: 2 * x if len(x) else nothing)[1][-1] == "Hint: How many numbers are twice none?"
    assert len(shown(exercise, lambda x: x if len(x) else nothing)[1]) == 2  # nothing holds yet: what differs will do


def test_of_a_hidden_check_the_hint_stays(exercise):
    def secret(answer):
        """A hidden property."""
        floats(answer(7), (2,), "the result")

    secret.__module__ = "autograder.hidden.example"
    check(exercise, hint="Try other sizes.")(secret)
    assert shown(exercise, lambda x: torch.ones(3))[0] == ["the result: of the wrong shape", "Hint: Try other sizes."]


def test_a_matrix_times_rows_is_told_how_rows_are_multiplied(exercise):
    @check(exercise, hint="A hint about something else.")
    def multiplies(answer):
        """A batch of rows is multiplied."""
        close(answer(torch.ones(3, 2), torch.eye(2)), torch.ones(3, 2), "the product")

    message, hint = shown(exercise, lambda h, U: U @ h)[0]
    assert "mat1 and mat2 shapes cannot be multiplied" in message
    assert "x @ M.T" in hint and len(hint) <= 6 + 90
    assert "U" not in hint, "the exercise may have no U"
    assert shown(exercise, lambda h, U: h @ U.T)[0] == []
    assert len(shown(exercise, lambda h, U: U[5])[0]) == 1  # another error has no hint


def test_sizes_that_fit_above_do_not_fit_because_of_what_is_new(exercise):
    declare(exercise)

    def special(x):
        return 2 * x if len(x) else torch.ones(2, 3) @ torch.ones(2, 3)

    message, hint = shown(exercise, special)[1]
    assert "cannot be multiplied" in message and hint == "Hint: How many numbers are twice none?"
    assert len(shown(exercise, lambda x: 2 * x if len(x) else [][1])[1]) == 1  # an error of another kind
    wrong = lambda x: x if len(x) else torch.ones(2) + torch.ones(3)  # noqa: E731
    assert shown(exercise, wrong)[1][1] == "Hint: How many numbers are twice none?"


# --- nan and autograd ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [(math.nan, 1.0), (torch.tensor([2.0, math.nan, math.inf]), torch.full((3,), 2.0))],
    ids=["number", "tensor"],
)
def test_nan_is_told_where_it_comes_from(value, expected):
    with pytest.raises(AssertionError, match=re.escape("inf/inf, inf − inf, 0/0 or the log of a negative")):
        close(value, expected, "it")
    with pytest.raises(AssertionError) as caught:
        close(math.inf, 1.0, "it")
    assert str(caught.value) == "it: not a finite number"


@pytest.mark.parametrize(
    "way",
    [
        lambda x: torch.autograd.functional.jacobian(torch.tanh, x),
        lambda x: torch.autograd.grad(x.requires_grad_().tanh().sum(), x)[0],
        lambda x: x.requires_grad_().tanh().sum().backward() or x.grad,
        lambda x: torch.func.jacrev(torch.tanh)(x),
    ],
    ids=["jacobian", "grad", "backward", "jacrev"],
)
def test_a_derivative_that_torch_makes_is_called_autograd_by_whatever_name(exercise, way):
    declare(exercise)
    forbid(exercise, torch.autograd.grad, torch.autograd.backward)
    (result, _) = run(exercise, LocalAnswer(way, registry.forbidden(exercise))).checks
    assert result.message.startswith("the answer calls autograd (in the end autograd.")


# --- weights ---------------------------------------------------------------------------------------------------------


def weighing(exercise, *weights):
    for number, weight in enumerate(weights):

        def property_(answer):
            """A property & more."""

        property_.__name__ = f"number_{number}"
        check(exercise, weight=weight)(property_)
    return run(exercise, LocalAnswer(abs)).to_dict()


def test_a_table_says_what_a_row_weighs_where_they_differ(exercise):
    report = weighing(exercise, 1, 2, 3, 1.5)
    said = [line.split("more.")[1].strip() for line in table.text(report).splitlines()[1:]]
    assert said == [
        "(0.13 points)",
        "(0.27 points, counts double)",
        "(0.4 points, counts triple)",
        "(0.2 points, counts 1.5 times)",
    ]
    page = table.to_html(report)
    rows = page.split("<tr>")[2:]
    assert [("(counts " in row) for row in rows] == [False, True, True, True]
    assert all("A property &amp; more." in row for row in rows) and "aria-hidden" not in page


@pytest.mark.parametrize("weight", [1, 2])
def test_rows_that_weigh_the_same_say_nothing_of_it(exercise, weight):
    report = weighing(exercise, weight, weight)
    assert "counts" not in table.text(report) and "counts" not in table.to_html(report)


# --- sentences -------------------------------------------------------------------------------------------------------


def strings(tree):
    """The ends of all strings of a module: whole ones, and what a formatted one ends with."""
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values[:-1]}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield node.value


@pytest.mark.parametrize("path", TOLD, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_text_ends_in_a_comma_that_a_colon_would_follow(path):
    """What is looked at stands before a colon: “the state, seen alone,: different” reads badly."""
    assert [text for text in strings(ast.parse(path.read_text("utf-8"))) if re.search(r"\w.*,$", text)] == []


# --- length ----------------------------------------------------------------------------------------------------------


def quotes(exercise):
    @check(exercise)
    def quotes_what_it_gets(answer):
        """It is called with a word."""
        answer(lambda word: holds(word == "word", f"it was called with {word}"))

    @check(exercise)
    def quotes_a_place(answer):
        """A table of one word."""
        close(answer(None), {}, "the table")


@pytest.mark.parametrize(
    "answer",
    [
        lambda ask: ask("y" * 3_000_000) if ask else {"y" * 3_000_000: 1},
        lambda ask: {}["y" * 3_000_000],
        lambda ask: ask("y " * 1_000_000) if ask else {"\n" * 3_000_000: 1},
    ],
    ids=["word", "error", "words"],
)
def test_a_message_has_a_length_that_can_be_read_whatever_it_quotes(exercise, answer):
    quotes(exercise)
    report = run(exercise, LocalAnswer(answer)).to_dict()
    assert {one["outcome"] for one in report["checks"]} == {"failed"}
    assert max(len(line) for one in report["checks"] for line in map(str, one.values())) <= 1_500
    assert len(table.text(report)) < 10_000


def test_of_a_long_error_the_place_is_still_told(exercise):
    quotes(exercise)
    assert re.search(r"KeyError: 'yyy.* \(in .*, line \d+", shown(exercise, lambda ask: {}["y" * 3_000_000])[0][0])
