"""One step of an LSTM cell as a diagram that lights up, part by part, with its numbers.

    LSTMCellDiagram(params, x, h, c)

The cell is that of Hochreiter and Schmidhuber (1997) with the forget gate of Gers, Schmidhuber and Cummins (2000):

    f = σ(U_f h_{t−1} + W_f x_t + b_f)      k = f ⊙ c_{t−1}     what is kept
    i = σ(U_i h_{t−1} + W_i x_t + b_i)      j = i ⊙ g           what is written
    g = tanh(U_g h_{t−1} + W_g x_t + b_g)   c = k + j
    o = σ(U_o h_{t−1} + W_o x_t + b_o)      h = o ⊙ tanh(c)

The browser gets the weights and computes the step itself, so the diagram also answers on a page without a kernel;
`step` computes the same here. Left out on purpose: more than 4 units or 4 inputs (nobody reads them), several steps.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from traitlets import Bytes, Dict, Float, Int, List, Unicode

from ..arrays import numeric
from ..modules import join_module
from ..tables import TabledWidget, html_table
from ..traits import ruled, set_traits

_HERE = Path(__file__).parent
_MOST = 4  # units, and numbers in an input
_LARGEST = 5  # where the sliders end
_GATES = "figo"
PARTS = ("gates", "k", "j", "c", "tanh", "h")  # the order of computation

# What is added to the biases. With 10, a gate is open (or closed) to within a few thousandths of a per cent.
PRESETS = {
    "as computed": {},
    "keep: forget gate open, input gate closed": {"f": 10.0, "i": -10.0},
    "replace: forget gate closed, input gate open": {"f": -10.0, "i": 10.0},
    "erase: forget gate closed, input gate closed": {"f": -10.0, "i": -10.0},
    "add: forget gate open, input gate open": {"f": 10.0, "i": 10.0},
    "hide: output gate closed": {"o": -10.0},
}

_EQUATIONS = {
    "f": "forget gate f = σ(U_f h + W_f x + b_f)",
    "i": "input gate i = σ(U_i h + W_i x + b_i)",
    "g": "proposal g = tanh(U_g h + W_g x + b_g)",
    "o": "output gate o = σ(U_o h + W_o x + b_o)",
    "k": "kept k = f ⊙ c before",
    "j": "written j = i ⊙ g",
    "c": "cell c = k + j",
    "tanh": "tanh(c)",
    "h": "state h = o ⊙ tanh(c)",
}


def _fits(size: str, limit: float):
    """A rule for a list of as many numbers as the trait named `size` says, none beyond the limit."""
    return lambda widget, values: len(values) == getattr(widget, size) and all(abs(v) <= limit for v in values)


_RULES = {
    "x": (_fits("width", _LARGEST), f"as many numbers from −{_LARGEST} to {_LARGEST} as W has columns"),
    "h": (_fits("hidden", 1), "a number from −1 to 1 for each unit"),
    "c": (_fits("hidden", _LARGEST), f"a number from −{_LARGEST} to {_LARGEST} for each unit"),
    "part": (lambda _, part: part in PARTS, f"one of {', '.join(PARTS)}"),
    "preset": (lambda _, name: name in PRESETS, f"one of {', '.join(map(repr, PRESETS))}"),
    "unit": (lambda widget, unit: 0 <= unit < widget.hidden, "the number of a unit, from 0"),
    "entry": (lambda widget, entry: 0 <= entry < widget.width, "the place of a number in x, from 0"),
}


class LSTMCellDiagram(TabledWidget):
    """A diagram of one step: the cell along the top, below it the gates; sliders for what goes in.

    params: {"U_f": (H, H), "W_f": (H, D), "b_f": (H,), …} for f, i, g and o; H and D at most 4.
    x: the input (D,), numbers from −5 to 5. h: the state before, (H,), −1 to 1. c: the cell before, (H,), −5 to 5.
        Numpy arrays, tensors or lists.

    Traits that may be read and set at any time: x, h, c, part (what has been computed so far: "gates", "k", "j", "c",
    "tanh" or "h"), preset (a name in PRESETS), unit and entry (what the sliders move). ValueError, in one line, for
    what cannot be shown.
    """

    _esm = join_module(_HERE / "view.js")
    _css = join_module(_HERE / "style.css")

    hidden = Int().tag(sync=True)  # H
    width = Int().tag(sync=True)  # D
    weights = Bytes().tag(sync=True)  # float64: U (H, H), W (H, D) and b (H,) of f, then of i, g and o
    given = Dict().tag(sync=True)  # x, h and c as they were given
    presets = Dict(PRESETS).tag(sync=True)

    x = List(Float()).tag(sync=True)
    h = List(Float()).tag(sync=True)
    c = List(Float()).tag(sync=True)
    part = Unicode("gates").tag(sync=True)
    preset = Unicode("as computed").tag(sync=True)
    unit = Int(0).tag(sync=True)
    entry = Int(0).tag(sync=True)
    _hold_to_rules = ruled(_RULES)

    def __init__(self, params, x, h, c, **state):
        self._params = _read_params(params)
        hidden, width = self._params["W_f"].shape
        given = {name: _read_vector(name, values) for name, values in (("x", x), ("h", h), ("c", c))}
        weights = [self._params[f"{kind}_{gate}"].ravel() for gate in _GATES for kind in "UWb"]
        super().__init__(
            hidden=hidden, width=width, weights=np.concatenate(weights).astype("<f8").tobytes(), given=given
        )
        set_traits(self, tuple(_RULES), {**given, **state})

    def step(self) -> dict[str, np.ndarray]:
        """f, i, g, o, k, j, c, tanh (of c) and h, each (H,), as the sliders and the preset stand."""
        added = PRESETS[self.preset]
        params = dict(self._params)
        for gate in added:
            params[f"b_{gate}"] = params[f"b_{gate}"] + added[gate]
        return lstm_step(params, *(np.array(values) for values in (self.x, self.h, self.c)))

    def _beside(self) -> tuple[str, str]:
        return f"LSTM cell: {_sentence(self)}", _table(self)


def lstm_step(params: Mapping, x: np.ndarray, h: np.ndarray, c: np.ndarray) -> dict[str, np.ndarray]:
    """All that one step computes, for one input x (D,), state h (H,) and cell c (H,)."""
    sums = {gate: params[f"U_{gate}"] @ h + params[f"W_{gate}"] @ x + params[f"b_{gate}"] for gate in _GATES}
    f, i, o = (1 / (1 + np.exp(-sums[gate])) for gate in "fio")
    g = np.tanh(sums["g"])
    k, j = f * c, i * g
    squashed = np.tanh(k + j)
    return {"f": f, "i": i, "g": g, "o": o, "k": k, "j": j, "c": k + j, "tanh": squashed, "h": o * squashed}


# --- reading what was given


def _finite(values, name: str) -> np.ndarray:
    values = numeric(values, name)
    if not np.isfinite(values).all():
        raise ValueError(f"{name} has a number that is not finite")
    return values


def _read_vector(name: str, values) -> list[float]:
    values = _finite(values, name)
    if values.ndim != 1:
        raise ValueError(f"{name} has shape {values.shape}: expected one row of numbers, without a batch axis")
    return values.tolist()


def _read_params(params) -> dict[str, np.ndarray]:
    names = [f"{kind}_{gate}" for gate in _GATES for kind in "UWb"]
    if not isinstance(params, Mapping) or (missing := [name for name in names if name not in params]):
        lacks = f" and lacks {missing[0]}" if isinstance(params, Mapping) else ""
        raise ValueError(f"params must be a dictionary with U_f, W_f, b_f and so on for f, i, g and o{lacks}")
    read = {name: _finite(params[name], name) for name in names}
    if read["W_f"].ndim != 2 or not all(1 <= size <= _MOST for size in read["W_f"].shape):
        raise ValueError(f"W_f has shape {read['W_f'].shape}: expected (H, D), H units and D inputs, each 1 to {_MOST}")
    H, D = read["W_f"].shape
    for name, values in read.items():
        wanted = {"U": (H, H), "W": (H, D), "b": (H,)}[name[0]]
        if values.shape != wanted:
            raise ValueError(f"{name} has shape {values.shape}: expected {wanted}, as W_f is ({H}, {D})")
    return read


# --- the table beside the view


def _numbers(values) -> str:
    return ", ".join(f"{value:.2f}" for value in values)


def _sentence(widget: LSTMCellDiagram) -> str:
    found = widget.step()
    before = f"x ({_numbers(widget.x)}), state before ({_numbers(widget.h)}), cell before ({_numbers(widget.c)})"
    return f"{before} give cell ({_numbers(found['c'])}) and state ({_numbers(found['h'])}); gates {widget.preset}"


def _table(widget: LSTMCellDiagram) -> str:
    """The step in the order of computation, a row a quantity and a column a unit."""
    head = ["", *(f"unit {unit}" for unit in range(widget.hidden))]
    rows = [[_EQUATIONS[name], *(f"{value:.2f}" for value in values)] for name, values in widget.step().items()]
    return html_table(f"One step of an LSTM cell: {_sentence(widget)}", head, rows)
