"""How far back a gradient reaches: the derivative of a net's last state by an earlier one, step by step.

    norms = elman_reach(ElmanCell(16, 64), x)             # |dh_T/dh_k| for k = T, T−1, …, 0
    norms, direct = lstm_reach(LSTMCell(16, 64), x)       # |dc_T/dc_k|, and the forget gates' part of it

The derivative over many steps is a product of the derivatives over one (Pascanu, Mikolov and Bengio, "On the
difficulty of training recurrent neural networks", 2013), which autograd finds at each. All norms are spectral: the
factor by which the worst small change grows. Left out on purpose: batches, layers, and gradients by parameters.

Shapes: one sequence x (T, D); states of H numbers. Results have T + 1 entries, the first for no distance at all: 1.
"""
# ruff: noqa: F722 (jaxtyping writes shapes as strings)

import torch
from jaxtyping import Float
from torch import Tensor

from unrolled.elman_rnn import ElmanCell
from unrolled.lstm import LSTMCell

_jacobian = torch.autograd.functional.jacobian


def elman_reach(cell: ElmanCell, x: Float[Tensor, "T D"]) -> list[float]:
    """The norm of ∂h_T/∂h_k for k = T, …, 0, where h_0 = 0 and cell(x, h) is the next h."""
    hidden = cell.U.shape[1]
    states = [x.new_zeros(1, hidden)]
    with torch.no_grad():
        for row in x:
            states.append(cell(row[None], states[-1]))
    product, norms = torch.eye(hidden, dtype=x.dtype), [1.0]
    for row, h in zip(reversed(x), reversed(states[:-1]), strict=True):
        product = product @ _jacobian(lambda h, row=row: cell(row[None], h)[0], h, vectorize=True)[:, 0]  # (H, H)
        norms.append(_spectral(product))
    return norms


def lstm_reach(cell: LSTMCell, x: Float[Tensor, "T D"]) -> tuple[list[float], list[float]]:
    """For k = T, …, 0: the norm of ∂c_T/∂c_k, and the largest entry of its direct way f_T ⊙ … ⊙ f_{k+1}.

    A change of c_k changes h_k = o_k ⊙ tanh(c_k) as well, with o_k fixed, since it was computed before; at the start,
    where no gate was, o_0 is taken as 1/2. The output gates between k and T do depend on c_k, through the states
    before them, so the pair (h, c) is followed from step to step, and not the cell alone.
    """
    steps = _read(cell, x)
    by_h, by_c = x.new_zeros(cell.hidden, cell.hidden), torch.eye(cell.hidden, dtype=x.dtype)  # ∂c_T/∂h_t, ∂c_T/∂c_t
    direct, norms, largest = x.new_ones(cell.hidden), [1.0], [1.0]
    for row, h, c, o, f in reversed(steps):
        blocks = _jacobian(lambda h, c, row=row: cell(row, h, c), (h, c), vectorize=True)
        (h_by_h, h_by_c), (c_by_h, c_by_c) = ([block[0, :, 0] for block in pair] for pair in blocks)  # (H, H) each
        by_h, by_c = by_h @ h_by_h + by_c @ c_by_h, by_h @ h_by_c + by_c @ c_by_c
        norms.append(_spectral(by_c + by_h * (o * (1 - c.tanh() ** 2))))
        direct = direct * f[0]
        largest.append(direct.max().item())
    return norms, largest


@torch.no_grad()
def _read(cell: LSTMCell, x: Tensor) -> list[tuple[Tensor, ...]]:
    """Step by step what the cell is given, x, h and c, the output gate that made h, and the forget gate."""
    h = c = x.new_zeros(1, cell.hidden)
    o, steps = x.new_full((1, cell.hidden), 0.5), []
    for row in x[:, None]:
        gates = cell.gates(row, h)
        steps.append((row, h, c, o, gates.f))
        (h, c), o = cell(row, h, c), gates.o
    return steps


def _spectral(matrix: Tensor) -> float:
    return torch.linalg.matrix_norm(matrix, 2).item()
