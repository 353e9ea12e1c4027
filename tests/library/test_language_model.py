"""What every language model of the course promises, whatever stands inside. A new model joins with one entry."""

import math

import pytest
import torch
from unrolled.elman_rnn import ElmanRNN, WindowModel
from unrolled.language_model import IGNORED
from unrolled.lstm import LSTM

V = 7
MODELS = {
    "window of 1": lambda: WindowModel(V, window=1, width=3, hidden=5),
    "window of 4": lambda: WindowModel(V, window=4, width=3, hidden=5),
    "Elman": lambda: ElmanRNN(V, hidden=5),
    "Elman, default start": lambda: ElmanRNN(V, hidden=5, start="default"),
    "Elman, narrow": lambda: ElmanRNN(V, hidden=5, width=3),
    "Elman, tied": lambda: ElmanRNN(V, hidden=5, tied=True),
    "Elman, tied and projected": lambda: ElmanRNN(V, hidden=5, width=3, tied=True),
    "LSTM, one layer": lambda: LSTM(V, hidden=5),
    "LSTM, narrow": lambda: LSTM(V, hidden=5, width=3),
    "LSTM, two layers": lambda: LSTM(V, hidden=5, width=4, layers=2),
    "LSTM, tied": lambda: LSTM(V, hidden=5, tied=True),
    "LSTM, tied and projected": lambda: LSTM(V, hidden=5, width=3, layers=2, tied=True),
    "LSTM, no forget bias": lambda: LSTM(V, hidden=5, forget_bias=None),
    "LSTM, dropout, not training": lambda: LSTM(V, hidden=5, layers=2, dropout=0.5).eval(),
}
every_model = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)


def ids(*shape):
    return torch.randint(V, shape)


def parts(state):
    """The tensors of a state, be it one or several."""
    return state if isinstance(state, tuple) else (state,)


@every_model
def test_causal(make):
    """Another symbol at t changes no logits before t, and does change those at t."""
    model, tokens = make(), ids(2, 9)
    changed = tokens.clone()
    changed[:, 5] = (tokens[:, 5] + 1) % V
    before, after = model(tokens).logits, model(changed).logits
    assert torch.equal(before[:, :5], after[:, :5])
    assert (before[:, 5] != after[:, 5]).any(-1).all()


@every_model
def test_a_sequence_does_not_see_the_others_of_its_batch(make):
    model, tokens = make(), ids(3, 8)
    together, apart = model(tokens), [model(row[None]) for row in tokens]
    torch.testing.assert_close(together.logits, torch.cat([one.logits for one in apart]))
    for whole, *rows in zip(parts(together.state), *(parts(one.state) for one in apart), strict=True):
        torch.testing.assert_close(whole, torch.cat(rows))


@every_model
def test_padding_changes_neither_logits_nor_loss(make):
    model, tokens, targets = make(), ids(2, 6), ids(2, 6)
    plain = model(tokens, targets)
    longer = torch.cat([tokens, ids(2, 3)], 1), torch.cat([targets, torch.full((2, 3), IGNORED)], 1)
    padded = model(*longer)
    torch.testing.assert_close(padded.logits[:, :6], plain.logits)
    torch.testing.assert_close(padded.loss, plain.loss)


@every_model
@pytest.mark.parametrize("cut", [0, 1, 2, 6, 7])
def test_a_carried_state_equals_one_long_run(make, cut):
    model, tokens = make(), ids(3, 7)
    whole, first = model(tokens), model(tokens[:, :cut])
    second = model(tokens[:, cut:], state=first.state)
    torch.testing.assert_close(torch.cat([first.logits, second.logits], 1), whole.logits)
    torch.testing.assert_close(second.state, whole.state)


@every_model
def test_symbol_by_symbol_equals_the_whole_text(make):
    model, tokens = make(), ids(1, 6)
    state, logits = model.start(), []
    for symbol in tokens[0].tolist():
        scores, state = model.step(symbol, state)
        assert not scores.requires_grad
        logits.append(scores)
    torch.testing.assert_close(torch.stack(logits), model(tokens).logits[0].detach())


@every_model
def test_the_loss_is_the_mean_surprise_and_the_logits_do_not_depend_on_it(make):
    model, tokens, targets = make(), ids(2, 5), ids(2, 5)
    targets[0, 3] = IGNORED
    output = model(tokens, targets)
    probs = output.logits.detach().double().softmax(-1)
    surprise = [-math.log(probs[b, t, w]) for b in range(2) for t in range(5) if (w := targets[b, t]) != IGNORED]
    assert output.loss.item() == pytest.approx(sum(surprise) / 9)
    assert torch.equal(output.logits, model(tokens).logits)
    assert model(tokens).loss is None


@every_model
def test_the_whole_models_gradients_equal_finite_differences(make):
    model, tokens, targets = make().double(), ids(2, 5), ids(2, 5)
    parameters = {name: p.detach() for name, p in model.named_parameters()}

    def loss(*values):
        named = dict(zip(parameters, values, strict=True))
        return torch.func.functional_call(model, named, (tokens, targets)).loss

    assert torch.autograd.gradcheck(loss, [p.requires_grad_() for p in parameters.values()])


@every_model
def test_no_symbols_give_no_logits_and_leave_the_state(make):
    model = make()
    state = tuple(torch.randn_like(part) for part in parts(model.start(2)))
    output = model(ids(2, 0), state=state if isinstance(model.start(), tuple) else state[0])
    assert output.logits.shape == (2, 0, V)
    assert all(torch.equal(after, before) for after, before in zip(parts(output.state), state, strict=True))


@every_model
def test_every_parameter_learns(make):
    model = make()
    model(ids(4, 12), ids(4, 12)).loss.backward()
    assert all(p.grad is not None and p.grad.abs().max() > 0 for p in model.parameters())
