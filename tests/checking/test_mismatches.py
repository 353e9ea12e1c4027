"""What a message says of an answer's form, of the argument that it spoils, and of the mistake that a hint speaks of."""

from collections import UserDict
from decimal import Decimal
from fractions import Fraction

import pytest
import torch
from unrolled.checking import LocalAnswer, Mismatch, check, close, holds, run, table
from unrolled.checking.answer import StudentError
from unrolled.checking.kinds import floats, integers, number, symbols
from unrolled.checking.plain import short
from unrolled.checks.helpers.toys import ids_are_well


def shown(exercise, answer):
    return [table.details(one) for one in run(exercise, LocalAnswer(answer)).to_dict()["checks"]]


def mismatch(work):
    with pytest.raises(Mismatch) as caught:
        work()
    return caught.value


# --- how many numbers differ -----------------------------------------------------------------------------------------


def test_a_hidden_check_says_in_a_whole_sentence_how_many_numbers_differ(exercise):
    def secret(answer):
        """A hidden property."""
        close(answer(1), {"U": torch.zeros(2, 2)}, "the gradients")

    secret.__module__ = "autograder.hidden.example"
    check(exercise, hint="Try other sizes.")(secret)
    first, hint = shown(exercise, lambda x: {"U": torch.tensor([[0.0, 1.0], [2.0, 3.0]])})[0]
    assert first == "the gradients at ['U']: 3 of 4 numbers differ, the first at [0, 1]" and hint.startswith("Hint")


def test_one_number_alone_is_different():
    for got, expected in ((torch.tensor(1.0), torch.tensor(2.0)), (torch.ones(1), torch.zeros(1))):
        assert mismatch(lambda got=got, expected=expected: close(got, expected, "it")).message.endswith(": different")


# --- classes and kinds -----------------------------------------------------------------------------------------------


async def later(x):
    return x


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (UserDict, "an object of class UserDict"),
        (later, "an object of class coroutine (leave out the word async)"),
        (lambda x: (n for n in x), "an object of class generator (turn it into a list before you return it)"),
        (lambda x: lambda: x, "an object of class function (is a call of it missing?)"),
    ],
    ids=["UserDict", "coroutine", "generator", "function"],
)
@pytest.mark.filterwarnings("ignore:coroutine")
def test_an_object_is_called_by_the_students_own_class(exercise, answer, says):
    @check(exercise)
    def is_a_table(answer):
        """A table comes back."""
        close(answer({}), {}, "the table")

    message, values = shown(exercise, answer)[0]
    assert values.endswith(f"got {says}") and "LocalAnswer" not in message + values


@pytest.mark.parametrize("half", [Fraction(1, 2), Decimal("0.5")], ids=["Fraction", "Decimal"])
def test_fractions_and_decimals_are_numbers(exercise, half):
    @check(exercise)
    def is_a_half(answer):
        """Half comes back, alone and in a table."""
        for got in answer(1).values():
            close(got, 0.5, "half")
            close(number(got, "half"), 0.5, "half")

    assert run(exercise, LocalAnswer(lambda x: {"a": half})).all_held
    assert shown(exercise, lambda x: {"a": half / 2})[0] == ["half: different", "expected 0.5, got 0.25"]


@pytest.mark.parametrize(
    ("read", "got", "how"),
    [
        (floats, torch.ones(3), "of the wrong shape"),
        (floats, torch.ones(2, dtype=torch.int64), "of the wrong dtype"),
        (floats, [1.0, 2.0], "of the wrong kind"),
        (integers, torch.ones(3, dtype=torch.int64), "of the wrong shape"),
        (integers, torch.ones(2), "of the wrong dtype"),
        (integers, None, "of the wrong kind"),
    ],
)
def test_a_wrong_shape_or_dtype_is_called_so(read, got, how):
    wrong = mismatch(lambda: read(got, (2,), "it"))
    assert wrong.message == f"it: {how}" and wrong.form and "shape (2,)" in wrong.expected


def test_a_list_that_is_too_long_has_the_wrong_length():
    assert mismatch(lambda: symbols([0, 1], 1, 2, "the text")).message == "the text: of the wrong length"


def test_a_tensor_is_not_shown_as_a_list():
    assert short(torch.tensor([1, 2])) == "tensor([1, 2])" and short([1, 2]) == "[1, 2]"
    said = mismatch(lambda: ids_are_well(torch.tensor([1, 2]))).message
    assert "was given a tensor of shape (2,)" in said and "[1, 2]" not in said
    assert "was given [1, 2.5]" in mismatch(lambda: ids_are_well([1, 2.5])).message


# --- arguments on loan -----------------------------------------------------------------------------------------------


def spoils_second(h, params):
    params["W"] += 1
    return h


def told(work, *args, **named):
    with pytest.raises(StudentError, match="changes an argument") as caught:
        work(*args, **named)
    return str(caught.value)


def test_the_argument_that_is_changed_is_named():
    params = {"U": torch.ones(1), "W": torch.ones(1)}
    answer = LocalAnswer(spoils_second)
    assert "given, params['W']: work on a copy" in told(answer, torch.ones(1), params)
    assert "given, words: work on a copy" in told(LocalAnswer(lambda n, words: words.sort()), 1, ["b", "a"])
    assert "given, number 2: work on a copy" in told(LocalAnswer(lambda *all: all[1].clear()), 1, ["b", "a"])
    assert "given, h: work on a copy" in told(LocalAnswer(lambda x, h: h.clear()), 1, h=[2])


@pytest.mark.parametrize(
    "overwrite",
    [lambda h: h.data.zero_(), lambda h: h.detach().mul_(2), lambda h: h.detach().numpy().fill(3)],
    ids=["data", "detach", "numpy"],
)
def test_an_answer_that_overwrites_what_it_is_differentiated_by_is_noticed(overwrite):
    def answer(h):
        doubled = 2 * h
        overwrite(h)
        return doubled

    given = torch.ones(2)
    assert "given, h:" in told(LocalAnswer(answer).gradients, given)
    assert given.tolist() == [1, 1]


# --- hints -----------------------------------------------------------------------------------------------------------


def test_the_hint_of_a_mistake_comes_before_that_of_its_check(exercise):
    @check(exercise, hint="Of all.")
    def is_one_and_two(answer):
        """One, then two."""
        close(answer(1), 1, "the first")
        close(answer(2), 2, "the second", hint="Of the second.")
        holds(answer(3) == 3, "the third is not three", hint="Of the third.")

    hints = [shown(exercise, lambda n, wrong=wrong: 0 if n == wrong else n)[0][-1] for wrong in (1, 2, 3)]
    assert hints == ["Hint: Of all.", "Hint: Of the second.", "Hint: Of the third."]
    assert len(shown(exercise, lambda n: n if n == 1 else "two")[0]) == 2  # another form has none
