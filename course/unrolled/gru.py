"""The GRU: two gates instead of three, and no cell beside the state.

Cho et al., "Learning phrase representations using RNN encoder–decoder for statistical machine translation" (2014), in
the form of torch.nn.GRU: the reset gate acts on U_n h_{t−1} + d_n, after the product, which is what cuDNN computes;
the paper's acts on h_{t−1}, before it. Left out on purpose: a fast way, and a language model; torch.nn.GRU is both.

Shapes: B sequences, T steps, D numbers in an input, H in a state.
"""

import math

import torch
from torch import Tensor, nn

NAMES = "rzn"  # in torch's order


class GRUCell(nn.Module):
    """One step: h_t = (1 − z_t) ⊙ n_t + z_t ⊙ h_{t−1}. One gate, z, both keeps and writes: what it keeps of the old
    is what it does not take of the new. All parameters are drawn uniformly from ±1/√H, as torch.nn.GRU does.
    """

    def __init__(self, width: int, hidden: int):
        """width: D, of the input; hidden: H."""
        super().__init__()
        if width < 1 or hidden < 1:
            raise ValueError(f"width is {width} and hidden is {hidden}: both must be at least 1")
        bound = 1 / math.sqrt(hidden)
        shapes = {"U": (hidden, hidden), "W": (hidden, width), "b": (hidden,)}
        for name in [f"{kind}_{gate}" for gate in NAMES for kind in "UWb"] + ["d_n"]:
            self.register_parameter(name, nn.Parameter(torch.empty(shapes.get(name[0], (hidden,)))))
            nn.init.uniform_(self.get_parameter(name), -bound, bound)

    def forward(self, x: Tensor, h: Tensor) -> Tensor:
        """x (B, D), h (B, H) -> the new h (B, H)."""
        r = torch.sigmoid(h @ self.U_r.T + x @ self.W_r.T + self.b_r)  # reset: how much the proposal hears of h
        z = torch.sigmoid(h @ self.U_z.T + x @ self.W_z.T + self.b_z)  # update: how much of h stays
        n = torch.tanh(x @ self.W_n.T + self.b_n + r * (h @ self.U_n.T + self.d_n))  # the proposal
        return z * h + (1 - z) * n


def run_gru(cell: GRUCell, x: Tensor, h: Tensor) -> tuple[Tensor, Tensor]:
    """x (B, T, D), h (B, H) -> all states (B, T, H) and the last one (h itself if T is 0)."""
    states = [h[:, None][:, :0]]  # (B, 0, H), for T = 0
    for t in range(x.shape[1]):
        h = cell(x[:, t], h)
        states.append(h[:, None])
    return torch.cat(states, dim=1), h
