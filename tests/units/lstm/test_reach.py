"""The reach of a gradient is what autograd finds over all steps at once."""

import pytest
import torch
from unrolled.elman_rnn import ElmanCell
from unrolled.experiments.lstm.reach import elman_reach, lstm_reach
from unrolled.lstm import LSTMCell

D, H, T = 3, 4, 7


@pytest.fixture
def x():
    torch.manual_seed(3)
    return torch.randn(T, D, dtype=torch.float64)


def norm(function, at):
    return torch.linalg.matrix_norm(torch.autograd.functional.jacobian(function, at), 2).item()


def test_an_elman_nets_is_the_derivative_over_all_steps(x):
    cell, states = ElmanCell(D, H).double(), [torch.zeros(H, dtype=torch.float64)]

    def last(h, start):
        for row in x[start:]:
            h = cell(row[None], h[None])[0]
        return h

    for row in x:
        states.append(cell(row[None], states[-1][None])[0].detach())
    expected = [norm(lambda h, k=k: last(h, k), states[k]) for k in range(T, -1, -1)]
    assert elman_reach(cell, x) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("bias", [0.0, 1.0, 3.0])
def test_an_lstms_is_the_derivative_over_all_steps_by_all_ways(x, bias):
    cell = LSTMCell(D, H, forget_bias=bias).double()
    h = c = torch.zeros(1, H, dtype=torch.float64)
    befores, forgets = [(torch.full_like(c, 0.5), c)], []
    with torch.no_grad():
        for row in x[:, None]:
            gates = cell.gates(row, h)
            h, c = cell(row, h, c)
            befores.append((gates.o, c))
            forgets.append(gates.f[0])

    def last(c, o, start):
        h, c = o * c.tanh(), c[None]
        for row in x[start:, None]:
            h, c = cell(row, h, c)
        return c[0]

    norms, largest = lstm_reach(cell, x)
    expected = [norm(lambda c, o=o, k=k: last(c, o, k), c[0]) for k, (o, c) in reversed(list(enumerate(befores)))]
    assert norms == pytest.approx(expected, rel=1e-9)
    ways = [torch.stack(forgets[k:]).prod(0).max().item() for k in range(T - 1, -1, -1)]
    assert largest == pytest.approx([1.0, *ways], rel=1e-12)


def test_where_the_state_is_not_read_the_direct_way_is_all(x):
    cell = LSTMCell(D, H).double()
    cell.U.data.zero_()
    norms, largest = lstm_reach(cell, x)
    assert norms == pytest.approx(largest, rel=1e-9)
