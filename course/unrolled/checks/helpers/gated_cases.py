"""Gated nets whose numbers are worked by hand: what goes in, and what must come out.

They use that σ(ln a) = a/(1 + a), tanh(ln a) = (a² − 1)/(a² + 1), and the slopes σ' = σ(1 − σ) and tanh' = 1 − tanh²:
so σ(ln 3) = 3/4 with the slope 3/16, σ(ln 4) = 4/5, tanh(ln 2) = 3/5 and tanh(ln 3) = 4/5. All is in float64. The
checks of unit 3 use them.
"""

import math
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from .gated import GATES, OPEN, SHUT, Params, biases_alone
from .recurrent import exact

LN2, LN3, LN4 = math.log(2), math.log(3), math.log(4)


def four_and_eight() -> tuple[Tensor, Tensor, Tensor, Tensor, Params]:
    """old, new, x, h and parameters: U h = (ln 3, 0) and W x = (0, −ln 3) make the gate (3/4, 1/4), of 4 and 8 7 and 5.

    U turns (0, 1) into (ln 3, 0).
    """
    params = {"U": exact([0, LN3], [0, 0]), "W": exact([0], [-LN3 / 2]), "b": exact(0, 0)}
    return exact([4, 4]), exact([8, 8]), exact([2]), exact([0, 1]), params


def gradients_of_four_and_eight() -> dict[str, Tensor]:
    """The gradients of the sum of what comes out. That by U h + W x + b is (8 − 4) · 3/16 = 3/4 for both units."""
    return {
        "old": exact([1 / 4, 3 / 4]),  # 1 − w
        "new": exact([3 / 4, 1 / 4]),  # w
        "b": exact(3 / 4, 3 / 4),
        "U": exact([0, 3 / 4], [0, 3 / 4]),  # times h
        "W": exact([3 / 2], [3 / 2]),  # times x
        "h": exact([0, 3 / 4 * LN3]),  # times the columns of U
        "x": exact([-3 / 8 * LN3]),  # times that of W
    }


def one_gate_speaks() -> Iterator[tuple[str, tuple[Tensor, Tensor, Params], dict[str, Tensor]]]:
    """For each gate its letter; x, h and parameters that are zero but for this gate's; the four gates, one unit each.

    W x + U h + b = ln 3 − 2 + 2 · 0.5 + 1 = ln 3.
    """
    for own in GATES:
        params = biases_alone(2, torch.float64, **dict.fromkeys(GATES, [0.0]))
        params |= {f"U_{own}": exact([2]), f"W_{own}": exact([LN3, -1]), f"b_{own}": exact(1)}
        expected = {gate: exact([0.0 if gate == "g" else 0.5]) for gate in GATES}
        expected[own] = exact([0.8 if own == "g" else 0.75])
        yield own, (exact([1, 2]), exact([0.5]), params), expected


def one_step() -> tuple[tuple[Any, ...], Tensor, Tensor]:
    """x, h, c and parameters of a step where f = 1/2, i = 3/4, g = 0.8 and o = 0.8; the new h and the new c."""
    params = biases_alone(1, torch.float64, f=[0.0], i=[0.0], g=[0.0], o=[LN4])
    params |= {"W_i": exact([LN3]), "U_g": exact([2 * LN3])}
    given = exact([1]), exact([0.5]), exact([2 * LN2 - 1.2]), params
    return given, exact([0.48]), exact([LN2])  # c = (2 ln 2 − 1.2)/2 + 3/4 · 0.8 = ln 2, h = 0.8 tanh(ln 2)


def two_steps() -> tuple[tuple[Any, ...], Tensor, Tensor, Tensor]:
    """x, a layer and its first states; the outputs, the last h and the last c. The gates are f = 1/2, i = 3/4, o = 4/5.

    Step 1: g = tanh(ln 3) = 0.8, c = (2 ln 2 − 1.2)/2 + 0.6 = ln 2, h = 0.8 · 0.6 = 0.48.
    Step 2: g = tanh(ln 3/0.48 · 0.48) = 0.8, c = ln 2/2 + 0.6.
    """
    params = biases_alone(1, torch.float64, f=[0.0], i=[LN3], g=[0.0], o=[LN4])
    params |= {"W_g": exact([LN3]), "U_g": exact([LN3 / 0.48])}
    given = exact([[1], [0]]), [params], [(exact([0]), exact([2 * LN2 - 1.2]))]
    second = 0.8 * math.tanh(LN2 / 2 + 0.6)
    return given, exact([[0.48], [second]]), exact([second]), exact([LN2 / 2 + 0.6])


def one_jacobian() -> tuple[tuple[Any, ...], Tensor]:
    """x, c, o and parameters of one unit with tanh c = 0.6, f = 3/4, i = 1/2 and g = 0.6; the Jacobian.

    h = o tanh(ln 2) = 0.3 and x = 1; f(1 − f) c U_f = 3/16 ln 2; i(1 − i) g U_i = 0.3; (1 − g²) i U_g = −0.32;
    all three times o (1 − tanh² c) = 0.5 · 0.64.
    """
    params = biases_alone(1, torch.float64, f=[-0.3], i=[-0.7], g=[0.3], o=[5.0])
    params |= {"U_f": exact([1]), "U_i": exact([2]), "U_g": exact([-1]), "U_o": exact([9])}
    params |= {"W_f": exact([LN3]), "W_i": exact([0.1]), "W_g": exact([LN2]), "W_o": exact([9])}
    return (exact(1), exact(LN2), exact(0.5), params), exact([0.75 + (3 / 16 * LN2 + 0.3 - 0.32) * 0.32])


def reset_or_not() -> tuple[tuple[Any, ...], Tensor]:
    """x, h and parameters of a GRU's step with r = (1, 0) and z = (0, 0); the new state.

    Unit 0: U_n h + d_n = ln 2 · 1 + ln 3 − ln 2 = ln 3, and tanh(ln 2 + ln 3) = 35/37. Unit 1: tanh(ln 2).
    """
    params = biases_alone(1, torch.float64, r=[OPEN, SHUT], z=[SHUT] * 2, n=[LN2, LN2])
    params |= {"U_n": exact([0, LN2], [5, 5]), "d_n": exact(LN3 - LN2, 7)}
    return (exact([1]), exact([0, 1]), params), exact([35 / 37, 0.6])
