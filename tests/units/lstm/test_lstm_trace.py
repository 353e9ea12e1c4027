"""Traces show what the plain run computes, and ablations do what they say, and leave nothing behind."""

import numpy as np
import pytest
import torch
from unrolled.experiments.lstm.trace import Ablation, ablated, surprises, trace
from unrolled.lstm import LSTM, run
from unrolled.widgets.gate_microscope import correlations

V, T, L, H = 7, 12, 2, 5


@pytest.fixture
def model():
    return LSTM(V, hidden=H, width=4, layers=L)


@pytest.fixture
def text():
    return torch.randint(V, (T,))


def plain(model, text):
    """h and c (L, T, H) by reading ever longer beginnings of the text with the fast way."""
    states = [model(text[None, : t + 1]).state for t in range(len(text))]
    return [torch.stack([state[part][0] for state in states], 1).detach().numpy() for part in (0, 1)]


def test_the_traced_h_and_c_are_those_of_the_plain_run(model, text):
    seen, (h, c) = trace(model, text), plain(model, text)
    np.testing.assert_allclose(seen.h, h, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(seen.c, c, rtol=1e-5, atol=1e-6)


def test_the_traced_gates_explain_the_traced_states(model, text):
    """c_t = f_t c_{t−1} + i_t g_t and h_t = o_t tanh(c_t), at every step of every layer."""
    seen = trace(model, text)
    assert seen.f.shape == (L, T, H) and seen.f.dtype == np.float32
    before = np.concatenate([np.zeros((L, 1, H), np.float32), seen.c[:, :-1]], axis=1)
    np.testing.assert_allclose(seen.c, seen.f * before + seen.i * seen.g, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(seen.h, seen.o * np.tanh(seen.c), rtol=1e-5, atol=1e-6)


def test_each_name_shows_its_own_gate(model, text):
    """Biases far apart: f is nearly open, i nearly shut, o half open, g nearly −1."""
    for cell in model.cells:
        for gate, bias in {"f": 9.0, "i": -9.0, "o": 0.0, "g": -9.0}.items():
            cell.named()[f"b_{gate}"].data.fill_(bias)
    seen = trace(model, text)
    assert seen.f.min() > 0.99 and seen.i.max() < 0.01 and seen.g.max() < -0.99
    assert 0.1 < seen.o.mean() < 0.9


def test_an_open_forget_and_a_shut_input_gate_keep_the_cell_exactly(model, text):
    state = tuple(torch.randn(1, L, H) for _ in "hc")
    everything = range(H)
    with ablated(model, Ablation("f", everything, 1.0), Ablation("i", everything, 0.0)):
        _, c = model(text[None], state=state).state
    assert torch.equal(c[:, 0], state[1][:, 0])
    assert not torch.equal(c[:, 1], state[1][:, 1])  # the other layer works as ever


@pytest.mark.parametrize("gate", "figoc")
def test_an_ablation_holds_its_units_and_no_other_at_its_step(model, text, gate):
    free = trace(model, text)
    with ablated(model, Ablation(gate, [1, 3], 0.25, layer=1)):
        held = trace(model, text)
    assert (getattr(held, gate)[1][:, [1, 3]] == 0.25).all()
    np.testing.assert_array_equal(held.h[0], free.h[0])  # nothing flows down
    rest = [0, 2, 4]  # at the first step nothing else of the layer can have noticed
    np.testing.assert_array_equal(getattr(held, gate)[1][0, rest], getattr(free, gate)[1][0, rest])
    assert not np.array_equal(held.h[1], free.h[1])


def test_an_ablated_cell_is_what_h_reads(model, text):
    with ablated(model, Ablation("c", [2], 0.0)):
        seen = trace(model, text)
    assert (seen.h[0][:, 2] == 0).all()


def test_afterwards_the_model_is_as_it_was(model, text):
    before = model(text[None]).logits
    with pytest.raises(RuntimeError), ablated(model, Ablation("o", [0], 0.0)) as inside:
        assert inside is model
        assert not torch.equal(model(text[None]).logits, before)
        raise RuntimeError
    assert torch.equal(model(text[None]).logits, before)
    trace(model, text)
    assert torch.equal(model(text[None]).logits, before)
    assert model.way is run


def test_blocks_inside_each_other_add_up(model, text):
    one, two = Ablation("f", [0], 0.0), Ablation("c", [4], 1.0, layer=1)
    with ablated(model, one), ablated(model, two):
        nested = trace(model, text)
    with ablated(model, one, two):
        together = trace(model, text)
    np.testing.assert_array_equal(nested.h, together.h)


def test_gradients_pass_an_ablated_model(model, text):
    with ablated(model, Ablation("f", [0], 0.5)):
        model(text[None, :-1], text[None, 1:]).loss.backward()
    rows = model.cells[0].named()["U_f"].shape[0]
    gradient = model.cells[0].U.grad[rows : 2 * rows]
    assert (gradient[0] == 0).all() and gradient[1:].abs().max() > 0


def test_surprises_add_up_to_the_loss(model, text):
    loss = model(text[None, :-1], text[None, 1:]).loss.item()
    assert surprises(model, text).shape == (T - 1,)
    assert surprises(model, text).mean() == pytest.approx(loss, rel=1e-5)
    with ablated(model, Ablation("o", range(H), 0.0, layer=1)):  # so the logits are the bias, zeros
        np.testing.assert_allclose(surprises(model, text), np.log(V), rtol=1e-5)


def test_correlations_are_those_of_numpy_and_zero_for_what_never_changes():
    values, label = np.random.randn(50, 4), np.random.randint(3, size=50)
    values[:, 1] = -2 * label + 5
    values[:, 3] = 0.1
    found = correlations(values, label)
    wanted = [np.corrcoef(values[:, unit], label)[0, 1] for unit in (0, 2)]
    np.testing.assert_allclose(found, [wanted[0], -1, wanted[1], 0], atol=1e-12)
    assert (correlations(values, np.ones(50)) == 0).all()


def test_dropout_is_off_while_one_looks_and_on_again_after(text):
    model = LSTM(V, hidden=H, dropout=0.5)
    np.testing.assert_array_equal(trace(model, text).h, trace(model, text).h)
    np.testing.assert_array_equal(surprises(model, text), surprises(model, text))
    assert model.training


@pytest.mark.parametrize(
    "ablation, message",
    [
        (Ablation("h", [0], 0.0), "there is no gate 'h': choose"),
        (Ablation("fi", [0], 0.0), "there is no gate 'fi'"),
        (Ablation("f", [0], 0.0, layer=2), "there is no layer 2: this model has 0 to 1"),
        (Ablation("f", [0, 5], 0.0), "there is no unit 5: this model has 0 to 4"),
        (Ablation("f", [-1], 0.0), "there is no unit -1"),
    ],
)
def test_bad_ablations_get_one_clear_line(model, ablation, message):
    with pytest.raises(ValueError, match=message), ablated(model, ablation):
        pytest.fail("the block was entered")
    assert model.way is run


@pytest.mark.parametrize("look, least", [(trace, 1), (surprises, 2)])
def test_a_text_that_is_too_short_gets_one_clear_line(model, look, least):
    for tokens in torch.zeros(least - 1).long(), torch.zeros(1, 9).long():
        with pytest.raises(ValueError, match=rf"one text of {least} symbols or more, shape \(T,\); got shape"):
            look(model, tokens)
