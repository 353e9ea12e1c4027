"""The GRU cell against arithmetic on paper and torch.nn.GRU, in values and gradients."""

import math

import pytest
import torch
from torch import nn
from unrolled.gru import GRUCell, run_gru


def twin(cell):
    """torch.nn.GRU with the cell's parameters: rows in the order r, z, n; of its second biases only d_n is not zero."""
    gru = nn.GRU(cell.W_r.shape[1], len(cell.d_n), batch_first=True).double()
    stacks = [torch.cat([cell.get_parameter(f"{kind}_{gate}") for gate in "rzn"]) for kind in "WUb"]
    stacks.append(torch.cat([torch.zeros_like(cell.b_r), torch.zeros_like(cell.b_z), cell.d_n]))
    with torch.no_grad():
        for theirs, ours in zip(gru.parameters(), stacks, strict=True):
            theirs.copy_(ours)
    return gru


@pytest.mark.parametrize("T", [1, 9])
def test_equals_torch_in_outputs_and_gradients(T):
    cell = GRUCell(6, 5).double()
    gru, x, h = twin(cell), torch.randn(4, T, 6).double(), torch.randn(4, 5).double()
    weights = torch.randn(4, T, 5).double()

    def outcome(read, x, h, parameters):
        x, h = x.clone().requires_grad_(), h.clone().requires_grad_()
        states, last = read(x, h)
        loss = (states * weights).sum() + (last**3).sum()
        return states, last, torch.autograd.grad(loss, [x, h, *parameters])

    def theirs(x, h):
        states, last = gru(x, h[None])
        return states, last[0]

    named = dict(cell.named_parameters())
    *got, (x_got, h_got, *ours) = outcome(lambda x, h: run_gru(cell, x, h), x, h, named.values())
    *wanted, (x_wanted, h_wanted, *packed) = outcome(theirs, x, h, gru.parameters())
    torch.testing.assert_close([*got, x_got, h_got], [*wanted, x_wanted, h_wanted])
    gradients = dict(zip(named, ours, strict=True))
    for kind, stack in zip("WUb", packed, strict=False):
        torch.testing.assert_close(torch.cat([gradients[f"{kind}_{gate}"] for gate in "rzn"]), stack)
    torch.testing.assert_close(gradients["d_n"], packed[3][10:])


def test_a_step_by_hand():
    """All parameters zero but U_n = 2, W_n = 1, d_n = 1: r = z = 1/2, n = tanh(x + (2h + 1)/2), h' = (n + h)/2."""
    cell = GRUCell(1, 1)
    for name, parameter in cell.named_parameters():
        parameter.data.fill_({"U_n": 2.0, "W_n": 1.0, "d_n": 1.0}.get(name, 0.0))
    h = cell(torch.tensor([[0.25]]), torch.tensor([[0.5]]))
    assert h.item() == pytest.approx((math.tanh(0.25 + 1.0) + 0.5) / 2)


@pytest.mark.parametrize("bias, keeps", [(100.0, True), (-800.0, False)])
def test_a_saturated_update_gate_keeps_or_replaces_the_state_exactly(bias, keeps):
    cell, x, h = GRUCell(3, 4), torch.randn(2, 3), torch.randn(2, 4)
    cell.b_z.data.fill_(bias)
    other = torch.randn(2, 4)
    assert torch.equal(cell(x, h), h) == keeps
    if not keeps:
        cell.U_n.data.zero_()
        cell.d_n.data.zero_()
        assert torch.equal(cell(x, h), cell(x, other))  # nothing of the old state is left


def test_nothing_read_changes_nothing():
    cell, h = GRUCell(3, 4), torch.randn(2, 4)
    states, last = run_gru(cell, torch.zeros(2, 0, 3), h)
    assert states.shape == (2, 0, 4)
    assert last is h


def test_it_has_three_quarters_of_an_lstms_rows_and_one_bias_more():
    count = sum(p.numel() for p in GRUCell(3, 5).parameters())
    assert count == 3 * (5 * 3 + 5 * 5 + 5) + 5


@pytest.mark.parametrize("width, hidden", [(0, 4), (3, 0)])
def test_no_size_is_refused(width, hidden):
    with pytest.raises(ValueError, match=f"width is {width} and hidden is {hidden}"):
        GRUCell(width, hidden)
