"""Gradients on request, and the other ways in which a check may use an answer."""

import re

import pytest
import torch
from unrolled.checking import LocalAnswer, close
from unrolled.checking.answer import NotStarted, StudentError
from unrolled.checking.gradients import gradients


def test_gradients_of_a_product_by_hand():
    """With y = a·b and upstream g, dy/da = g·b and dy/db = g·a."""
    a, b, g = torch.tensor([2.0, 3.0]), torch.tensor([5.0, 7.0]), torch.tensor([1.0, 10.0])
    found = gradients(lambda x, y: x * y, (a, b), {}, g)
    close(found, {"output": a * b, "arguments": [g * b, g * a], "named": {}, "parameters": {}}, "gradients")


@pytest.mark.parametrize(
    ("spoil", "which"),
    [
        ("p.pop('b')", "p['b']"),
        ("p.update(a=2 * p['a'])", "p['a']"),
        ("p.update(c=1)", "p"),
        ("p['more'].append(1)", "p"),
    ],
)
def test_a_dictionary_that_is_changed_on_the_way_is_told_by_its_name(spoil, which):
    given = {"a": torch.tensor(2.0), "b": torch.tensor(3.0), "more": [torch.tensor(4.0)]}
    answer = LocalAnswer(eval(f"lambda x, p: (x * p['a'] * p['b'], {spoil})[0]"))
    for handed in (((torch.tensor(1.0), given), {}), ((torch.tensor(1.0),), {"p": given})):
        with pytest.raises(StudentError, match=rf"changes an argument that it was given, {re.escape(which)}: "):
            answer.gradients(*handed[0], **handed[1])


def test_gradients_of_a_dictionary_of_results_are_added_up():
    found = gradients(lambda x: {"double": 2 * x, "square": x * x}, (torch.tensor(3.0),), {})
    close(found["arguments"], [torch.tensor(8.0)], "2 + 2 · 3")


def test_gradients_are_there_where_a_cell_has_switched_them_off():
    torch.set_grad_enabled(False)
    try:
        found = gradients(lambda x: x * x, (torch.tensor(3.0),), {})
    finally:
        torch.set_grad_enabled(True)
    close(found["arguments"], [torch.tensor(6.0)], "2 · 3")


def test_what_is_no_floating_tensor_has_no_gradient():
    found = gradients(lambda x, n, scale: x[n] * scale, (torch.ones(3), 1), {"scale": torch.tensor(4.0)})
    close(found["arguments"], [torch.tensor([0.0, 4.0, 0.0]), None], "arguments")
    close(found["named"], {"scale": torch.tensor(1.0)}, "named")


def test_tensors_in_dictionaries_and_lists_have_gradients_in_their_places():
    """With y = (a b + c) d: dy/da = b d, dy/db = a d, dy/dc = d, dy/dd = a b + c; what is not read has none."""
    a, b, c, d = (torch.tensor(float(n)) for n in (2, 3, 5, 7))
    given = {"a": a, "unread": d, "n": 3}, [(b, c)]
    found = gradients(lambda p, q, d: (p["a"] * q[0][0] + q[0][1]) * d, given, {"d": d})
    expected = [{"a": torch.tensor(21.0), "unread": None, "n": None}, [(torch.tensor(14.0), torch.tensor(7.0))]]
    close(found["arguments"], expected, "arguments")
    close(found["named"], {"d": torch.tensor(11.0)}, "named")
    assert not a.requires_grad and a.grad is None


def test_what_a_function_handed_over_returned_has_gradients_call_by_call():
    """With y = Σ_n a_n x + n and the state passed on untouched: dy/da_n = x; ids and what nobody reads have none."""

    def step(state, word):
        return torch.tensor([float(word), 7.0]), {"s": state, "n": word}

    def total(step, x):
        state, summed = torch.tensor(0.5), 0
        for word in (2, 3):
            numbers, said = step(state, word)
            numbers[1] = 0.0  # as one may write to the result of a real step
            state, summed = said["s"], summed + numbers[0] * x
        return summed

    found = gradients(total, (step, torch.tensor(4.0)), {})
    by_step, by_x = found["arguments"]
    close(by_x, torch.tensor(5.0), "2 + 3")
    close(by_step, [torch.tensor([4.0, 0.0]), None] * 2, "by what step returned: numbers and a state, twice")
    by_step, _ = LocalAnswer(total).gradients(step, torch.tensor(4.0))["arguments"]
    close(by_step, [torch.tensor([4.0, 0.0]), None] * 2, "the same through an answer")


def test_several_outputs_are_weighted_each_by_its_own():
    found = gradients(
        lambda x: (2 * x, "text", 3 * x), (torch.tensor(1.0),), {}, [torch.tensor(1.0), torch.tensor(10.0)]
    )
    close(found["arguments"], [torch.tensor(32.0)], "2 · 1 + 3 · 10")


def test_a_modules_parameters_are_differentiated_and_stay_unchanged():
    layer = torch.nn.Linear(2, 1, bias=False)
    found = gradients(layer, (torch.tensor([[1.0, 2.0]]),), {})
    close(found["parameters"], {"weight": torch.tensor([[1.0, 2.0]])}, "dW")
    assert layer.weight.grad is None


@pytest.mark.parametrize("function", [lambda x: 1.0, lambda x: x.detach(), lambda x: [x.long()]])
def test_an_output_without_a_way_back_has_no_gradients(function):
    assert gradients(function, (torch.ones(2),), {})["arguments"] == [None]


def test_one_of_two_outputs_may_be_cut_off():
    ones = [torch.ones(()), torch.ones(())]
    found = gradients(lambda x: (x.detach() * 2, x * 3), (torch.tensor(1.0),), {}, ones)
    close(found["arguments"], [torch.tensor(3.0)], "3, by the second output alone")


def test_another_number_of_outputs_than_wanted_is_said():
    with pytest.raises(ValueError, match="it returns 1 tensors of numbers, and 2 are wanted"):
        gradients(lambda x: x, (torch.tensor(1.0),), {}, [torch.ones(()), torch.ones(())])


class Counter:
    """A class as students write them."""

    step = 2

    def __init__(self, start):
        self.total = start

    def add(self, function, x=1):
        print("adding")
        self.total += function(x) * self.step
        return self.total

    def later(self):
        raise NotImplementedError


def test_a_class_is_constructed_and_its_object_used():
    counter = LocalAnswer(Counter)(10)
    assert counter.attribute("total") == 10
    assert counter.method("add", lambda x: x + 1, x=4) == 20
    assert counter.printed == "adding\n"
    assert counter.attribute("total") == 20


def test_methods_fail_as_calls_do():
    counter = LocalAnswer(Counter)(10)
    with pytest.raises(NotStarted):
        counter.method("later")
    with pytest.raises(StudentError, match="AttributeError.*nothing"):
        counter.attribute("nothing")


def test_a_models_state_goes_out_and_in():
    make = LocalAnswer(lambda: torch.nn.Linear(2, 1))
    one, two = make(), make()
    two.method("load_state_dict", one.method("state_dict"))
    x = torch.tensor([[3.0, 4.0]])
    close(two(x), one(x), "the copy's output")
    close(two.gradients(x)["parameters"]["bias"], torch.ones(1), "db")


def test_a_result_of_another_shape_is_told_as_such():
    with pytest.raises(StudentError, match=r"it returns numbers of shape \(2,\), and \(3,\) is wanted$"):
        LocalAnswer(lambda x: x[:2]).gradients(torch.ones(3), upstream=torch.ones(3))
    close(
        gradients(lambda x: x.sum(0, keepdim=True), (torch.ones(3),), {}, torch.tensor(2.0))["arguments"][0],
        torch.full((3,), 2.0),
        "a sum that kept its axis",
    )
