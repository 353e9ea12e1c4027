"""The checks of unit 2: chance, the nets and toys they use, and the kinds of values they ask for.

What all units share is in `test_verify_units.py`.
"""

import math
import random

import pytest
import torch
from unrolled import elman_rnn
from unrolled.checking import LocalAnswer, Mismatch, registry, run
from unrolled.checking.kinds import floats, integers, pair
from unrolled.checking.registry import forbidden
from unrolled.checks.helpers.recurrent import NAMES, LibraryNet, elman_parameters, exact, example
from unrolled.checks.helpers.toys import adding_step, constant_step, recording_step

import autograder.hidden.elman_rnn  # noqa: F401  (registers the hidden checks)


def fair(step, h0, start, length, temperature, seed):
    """A right answer to 2.8 in plain Python, quick enough for many seeds."""
    draw, h, waiting, new = random.Random(seed), h0, list(start), []
    for _ in range(length):
        for symbol in waiting:
            logits, h = step(symbol, h)
        scores = logits.tolist()
        best = max(scores)
        weights = [math.exp((x - best) / temperature) if temperature else float(x == best) for x in scores]
        waiting = draw.choices(range(len(scores)), weights)
        new += waiting
    return new


def test_chance_refuses_no_right_answer(monkeypatch):
    for seed in range(10):
        monkeypatch.setenv(registry.SEED_VARIABLE, str(seed))
        assert run("generate", LocalAnswer(fair)).all_held, seed


def test_cross_entropy_is_no_short_cut():
    """2.4 asks which call is right, not for a softmax of one's own."""
    assert forbidden("sequence_loss") == (elman_rnn,)


# --- toys ------------------------------------------------------------------------------------------------------------


def test_the_librarys_net_computes_the_formula():
    """h_1 = tanh(U h_0 + W x_1 + b) = tanh(ln 2) = 0.6, and o_1 = V h_1 + c = (1.2, 1)."""
    params = {"U": exact([math.log(2)]), "W": exact([0, 5]), "b": exact(0), "V": exact([2], [0]), "c": exact(0, 1)}
    logits, last = LibraryNet(params)(torch.tensor([[0]]), exact([1]))
    assert torch.allclose(logits, exact([[1.2, 1.0]])) and torch.allclose(last, exact([0.6]))


def test_the_bias_of_the_librarys_net_counts_once():
    params = {"U": exact([0]), "W": exact([0, 0]), "b": exact(math.log(2)), "V": exact([1], [1]), "c": exact(0, 0)}
    _, last = LibraryNet(params)(torch.tensor([[0]]), exact([0]))
    assert torch.allclose(last, exact([0.6]))


@pytest.mark.parametrize("name", NAMES)
def test_autograd_and_finite_differences_agree(name):
    ids, targets, h0, params = example(random.Random(0), 5)
    net = LibraryNet(params)
    slopes = net.slopes(name, ids, targets, h0)
    assert torch.allclose(slopes, net.gradients(ids, targets, h0)[name], rtol=1e-6, atol=1e-9)
    assert slopes.abs().max() > 1e-3
    assert torch.equal(net.named()[name], params[name])  # each number was put back


def test_parameters_depend_on_the_generator_alone():
    first, again, other = (elman_parameters(random.Random(seed), 3, 4)["U"] for seed in (1, 1, 2))
    assert torch.equal(first, again) and not torch.equal(first, other)


def test_a_recording_step_refuses_a_state_that_is_not_the_last_one():
    step, seen = recording_step(5)
    _, h = step(3, torch.zeros(1))
    with pytest.raises(Mismatch, match="the state that the step before it returned"):
        step(1, torch.zeros(1))
    logits, _ = step(1, h)
    assert seen == [3, 1] and logits.argmax() == 4


@pytest.mark.parametrize(
    ("symbol", "h", "says"),
    [
        ("a", torch.zeros(1), "it takes one id, an int"),
        (True, torch.zeros(1), "it takes one id, an int"),
        (torch.tensor([1]), torch.zeros(1), "it takes one id, an int"),
        (5, torch.zeros(1), "the ids end at 4"),
        (-1, torch.zeros(1), "the ids end at 4"),
        (0, None, "it takes h0, or what it returned"),
        (0, torch.zeros(2), "it takes h0, or what it returned"),
        (0, torch.tensor([math.nan]), "it takes h0, or what it returned"),
    ],
)
def test_a_step_that_is_called_badly_says_so(symbol, h, says):
    for step in (recording_step(5)[0], adding_step(5), constant_step(torch.zeros(5))):
        with pytest.raises(Mismatch, match=says):
            step(symbol, h)


def test_a_step_takes_the_id_in_a_tensor_too():
    logits, h = adding_step(5)(torch.tensor(3), torch.tensor([1.0]))
    assert logits.argmax() == 4 and h.item() == 4


# --- kinds -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (floats, torch.ones(2, 3), torch.ones(2, 3, dtype=torch.int64)),
        (floats, torch.full((2, 3), math.nan), torch.ones(3, 2)),
        (floats, torch.ones(2, 3, dtype=torch.float64), torch.empty(2, 3, device="meta")),
        (floats, torch.ones(3, 2).T, torch.ones(2, 3).to_sparse()),
        (integers, torch.ones(2, 3, dtype=torch.int32), torch.ones(2, 3)),
        (integers, torch.ones(2, 3, dtype=torch.int64), torch.ones(2, 3, dtype=torch.bool)),
        (integers, torch.zeros(2, 3, dtype=torch.uint8), [[0, 0, 0], [0, 0, 0]]),
    ],
)
def test_tensors_are_held_to_kind_and_shape(kind, good, bad):
    assert kind(good, (2, 3), "it") is good
    with pytest.raises(Mismatch, match="it: of the wrong (kind|shape|dtype)$"):
        kind(bad, (2, 3), "it")


def test_a_pair_is_two_things_in_a_tuple_or_a_list():
    assert pair((1, 2), "it") == pair([1, 2], "it") == (1, 2)
    for bad in (None, (1,), [1, 2, 3], {1: 2, 3: 4}, torch.ones(2)):
        how = "length" if isinstance(bad, tuple | list) else "kind"
        with pytest.raises(Mismatch, match=f"it: of the wrong {how}"):
            pair(bad, "it")
