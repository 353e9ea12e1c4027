"""Jordan's net and the window with a sigmoid, against their formulas and what follows from them."""

import pytest
import torch
from unrolled.elman_rnn import WindowModel
from unrolled.experiments.elman_rnn.relatives import JordanRNN, SigmoidWindow

V = 5


@pytest.fixture
def tokens():
    torch.manual_seed(0)
    return torch.randint(V, (3, 6))


def test_jordans_second_step_by_its_formula(tokens):
    net = JordanRNN(V, hidden=4)
    logits = net(tokens).logits
    said = logits[:, 0].softmax(-1)
    h = torch.tanh(said @ net.U.weight.T + net.U.bias + net.W.weight[tokens[:, 1]])
    torch.testing.assert_close(logits[:, 1], h @ net.V.weight.T + net.V.bias)


def test_jordans_state_is_what_it_said_last_and_is_enough_to_go_on(tokens):
    net = JordanRNN(V, hidden=4)
    whole, first = net(tokens), net(tokens[:, :2])
    torch.testing.assert_close(whole.state, whole.logits[:, -1].softmax(-1))
    torch.testing.assert_close(net(tokens[:, 2:], state=first.state).logits, whole.logits[:, 2:])
    assert net(tokens[:, :0]).logits.shape == (3, 0, V)


def test_a_sigmoid_is_a_tanh_of_half_the_sum_moved_and_halved(tokens):
    """σ(a) = (1 + tanh(a/2))/2, so the tanh window with weights changed so gives the same logits."""
    sigmoid, tanh = SigmoidWindow(V, window=3, width=2, hidden=4), WindowModel(V, window=3, width=2, hidden=4)
    tanh.load_state_dict(sigmoid.state_dict())
    with torch.no_grad():
        tanh.W.weight /= 2
        tanh.W.bias /= 2
        tanh.U.bias += tanh.U.weight.sum(1) / 2
        tanh.U.weight /= 2
    torch.testing.assert_close(tanh(tokens).logits, sigmoid(tokens).logits)
