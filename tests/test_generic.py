"""Wrong answers that are made: each mistake is the one it says it is, and is made where it makes sense."""

import copy
import math

import pytest
import torch
import unrolled.lstm  # noqa: F401  (whose classes would otherwise be made, and noticed, during a call)
from unrolled.checking import LocalAnswer, check, close, registry

from autograder import fingerprint
from autograder.generic import generic
from autograder.references import Reference
from autograder.seen import Look, flows, kind, noting
from autograder.trial import Job, run_all

MIX = Reference("mix", "def mix(old, new, params):\n    return torch.tanh(old @ params['U']) + 2 * new", "import torch")
GIVEN = torch.ones(1, 2), torch.zeros(1, 2), {"U": torch.eye(2), "b": torch.ones(2)}


def space_of(source: str) -> dict:
    space = {"__name__": "__main__"}
    exec(MIX.prelude, space)
    exec(source, space)
    return space


def made_of(reference: Reference, *calls, module=None) -> dict:
    """The generic wrong answers by name, as functions, made after the reference was called with each of `calls`."""
    seen = []
    watched = noting(space_of(reference.source)[reference.exercise], seen)
    for given in calls:
        watched(*given)
    return {one.name: space_of(one.source)[reference.exercise] for one in generic(reference, seen, module)}


@pytest.fixture(scope="module")
def mixed():
    return lambda: made_of(MIX, GIVEN, module=fingerprint.path_of("unrolled.lstm"))


def right(old, new, params):
    return space_of(MIX.source)["mix"](old, new, params)


def test_what_makes_sense_is_made(mixed):
    assert set(mixed()) == {
        *("returns a constant", "calls the finished model", "remembers by size"),
        *("ignores old", "ignores new", "keeps the first params", "exchanges old and new"),
        *("changes old", "changes new", "changes params", "changes what params holds"),
        *("computes in float32", "computes in float32 and returns it", "detaches the result"),
    }


def test_the_first_call_is_right_and_the_second_is_not(mixed):
    made = mixed()
    other = torch.full((1, 2), 0.3), torch.full((1, 2), 5.0), {"U": 3 * torch.eye(2), "b": torch.zeros(2)}
    expected = {
        "returns a constant": right(*GIVEN),
        "remembers by size": right(*GIVEN),
        "ignores old": right(GIVEN[0], *other[1:]),
        "ignores new": right(other[0], GIVEN[1], other[2]),
        "keeps the first params": right(*other[:2], GIVEN[2]),
    }
    for name, wanted in expected.items():
        assert torch.equal(made[name](*GIVEN), right(*GIVEN)), name
        assert torch.equal(made[name](*other), wanted), name
        assert not torch.equal(wanted, right(*other)), name


def test_two_arguments_change_places(mixed):
    assert torch.equal(mixed()["exchanges old and new"](*GIVEN), right(GIVEN[1], GIVEN[0], GIVEN[2]))


@pytest.mark.parametrize("name", ["changes old", "changes new", "changes params", "changes what params holds"])
def test_a_changed_argument_is_noticed_although_the_result_is_right(mixed, name):
    function = mixed()[name]
    assert torch.equal(function(*copy.deepcopy(GIVEN)), right(*GIVEN))
    with pytest.raises(Exception, match="changes an argument"):
        LocalAnswer(mixed()[name])(*GIVEN)


def test_a_call_of_the_finished_model_is_noticed(mixed):
    with pytest.raises(Exception, match="calls lstm.LSTMCell.__init__, the finished implementation"):
        LocalAnswer(mixed()["calls the finished model"])(*GIVEN)


def test_precision_is_lost_on_the_way_or_in_the_end(mixed):
    wide = [GIVEN[0].double() / 3, GIVEN[1].double(), {name: value.double() for name, value in GIVEN[2].items()}]
    back, left = (mixed()[name](*wide) for name in ("computes in float32", "computes in float32 and returns it"))
    assert (back.dtype, left.dtype) == (torch.float64, torch.float32)
    assert 1e-9 < (back - right(*wide)).abs().max() < 1e-6
    assert mixed()["computes in float32"](*GIVEN).dtype == torch.float32


def test_gradients_are_cut_one_by_one_where_a_check_asks_for_them():
    leaves = [value.clone().requires_grad_() for value in GIVEN[:2]] + [GIVEN[2]]
    made = made_of(MIX, GIVEN, leaves)
    names = {name for name in made if name.startswith("detaches")}
    assert names == {"detaches old", "detaches new", "detaches params[U]"}  # b is not read: nothing flows to it
    answer = LocalAnswer(made["detaches params[U]"]).gradients(*GIVEN)["arguments"]
    assert answer[2] == {"U": None, "b": None} and answer[0] is not None
    assert LocalAnswer(made["detaches old"]).gradients(*GIVEN)["arguments"][0] is None


def test_gradients_are_cut_in_every_layer_and_in_one_place_of_a_pair():
    source = "def deep(layers, states):\n    return sum(l['W'].sum() for l in layers) + sum(h * c for h, c in states)"
    given = [{"W": torch.ones(2)}, {"W": torch.ones(3)}], [(torch.ones(()), torch.ones(()))] * 2
    asked = [{"W": torch.ones(2, requires_grad=True)}], [(torch.ones(()), torch.ones(()))]
    made = made_of(Reference("deep", source), given, asked)
    assert {"detaches layers[*][W]", "detaches states[*][0]", "detaches states[*][1]"} <= set(made)
    layers, states = LocalAnswer(made["detaches states[*][0]"]).gradients(*given)["arguments"]
    assert [pair[0] for pair in states] == [None, None] and all(pair[1] is not None for pair in states)
    assert all(layer["W"] is not None for layer in layers)


def test_results_grow_where_they_can():
    lists = made_of(Reference("f", "def f(x):\n    return [x]"), (1,))
    assert [lists["adds to the last result"](x) for x in (1, 2, 3)] == [[1], [1, 2], [1, 2, 3]]
    words = made_of(Reference("f", "def f(x):\n    return {(x,): 1}"), ("a",))
    function = words["adds to the last result"]
    assert [function("a"), function("b")] == [{("a",): 1}, {("a",): 1, ("b",): 1}]
    assert "adds to the last result" not in made_of(Reference("f", "def f(x):\n    return {'a': x}"), (1,), (2,))


def test_what_changes_nothing_by_its_kind_is_left_out():
    """Of numbers alone none is like another by its size, none can be changed, and no gradient flows."""
    made = made_of(Reference("f", "def f(x, word):\n    return x * 2"), (1, "a"))
    assert set(made) == {"returns a constant", "ignores x", "ignores word"}


def test_a_value_that_never_varies_is_no_reason_to_leave_a_mistake_out():
    """Else a seed that the checks never change would make the mistake of ignoring it look senseless."""
    made = made_of(Reference("f", "def f(x, seed):\n    return x * seed"), (1, 0), (2, 0), (3, 0))
    assert "ignores seed" in made and "exchanges x and seed" in made


def test_nothing_is_made_of_an_answer_that_was_never_called():
    assert generic(MIX, [], None) == []


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (torch.ones(2, 3), "floating tensor of 2 axes"),
        (torch.ones(2).bool(), "bool tensor of 1 axes"),
        (torch.ones(()).int(), "integer tensor of 0 axes"),
        (1, "number"),
        (0.5, "number"),
        (True, "bool"),
        (None, "NoneType"),
        (len, "function"),
        ("a", "str"),
        ({"U": 1.0}, ["dict", {"U": "number"}]),
        ({("a",): {"b": 1}}, ["dict", {"*": ["dict", {"b": "number"}]}]),
        ([(1, "a")], ["list", {"*": ["tuple", {"0": "number", "1": "str"}]}]),
        ([], ["list", {}]),
    ],
)
def test_kinds(value, expected):
    assert kind(value) == expected


def test_gradients_flow_to_what_the_result_depends_on():
    assert flows(right, dict(zip(("old", "new", "params"), GIVEN, strict=True))) == [["old"], ["new"], ["params", "U"]]
    assert flows(lambda x: x.detach(), {"x": torch.ones(2)}) == []
    assert flows(lambda x: math.prod(x.tolist()), {"x": torch.ones(2)}) == []
    assert flows(lambda f: f(torch.ones(1)), {"f": lambda x: x}) == []


def test_a_look_reports_what_the_checks_asked(monkeypatch):
    monkeypatch.setattr(registry, "_checks", {})
    monkeypatch.setattr("unrolled.checking.running.checks_of", lambda name: list(registry._checks[name].values()))

    @check("double")
    def two_is_four(answer):
        """Twice two is four, and so are tensors."""
        close(answer(2), 4, "double of 2")
        close(answer(3), 6, "double of 3")
        answer.gradients(torch.ones(2))

    source = "def double(x):\n    return 2 * x"
    look, job = run_all([Look("double", source), Job("double", source)])
    reports = {type(one.job): one.report for one in (look, job)}
    assert "seen" not in reports[Job] and reports[Look]["earned"] == 1
    assert reports[Look]["seen"] == [
        {"arguments": {"x": "number"}, "result": "number", "differentiated": False, "flows": []},
        {
            "arguments": {"x": "floating tensor of 1 axes"},
            "result": "floating tensor of 1 axes",
            "differentiated": True,
            "flows": [["x"]],
        },
    ]
