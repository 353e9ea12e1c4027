"""The library's gated nets, for checks to compare answers with, and small gated nets for both.

The parameters of an LSTM are a dictionary here as in the exercises: "U_f" (H, H), "W_f" (H, D), "b_f" (H,), and the
same for i, g and o; those of a GRU have the letters r, z and n, and "d_n" (H,). `LibraryLSTM` and `library_gru`
copy them into torch's own nets. How answers are held to them is in `gated_answers`. The checks of unit 3 alone use
these three modules. Left out on purpose: whatever an exercise asks to be written.

Shapes: B sequences, T steps, D numbers in an input, H in a state.
"""

import math
import random
from collections.abc import Iterator

import torch
from torch import Tensor

from .recurrent import exact, numbers

Params = dict[str, Tensor]
States = list[tuple[Tensor, Tensor]]
GATES = "figo"  # the order of the text
TORCH = "ifgo"  # the order of the blocks of rows in torch's packed weights
PLACES = {"W": "weight_ih", "U": "weight_hh", "b": "bias_ih"}  # where torch keeps each kind
PAIRS = ("fi", "fg", "fo", "ig", "io", "go")
LSTM_OF_THE_LIBRARY = (
    *(torch.nn.LSTM, torch.nn.LSTM.forward, torch.lstm),
    *(torch.nn.LSTMCell, torch.nn.LSTMCell.forward, torch.lstm_cell),
)
GRU_OF_THE_LIBRARY = (
    *(torch.nn.GRU, torch.nn.GRU.forward, torch.gru),
    *(torch.nn.GRUCell, torch.nn.GRUCell.forward, torch.gru_cell),
)
AUTOGRAD = (
    *(torch.autograd.grad, torch.autograd.backward),
    *(torch.func.jvp, torch.func.jacfwd, torch.autograd.forward_ad.make_dual),
)
SHUT, OPEN = -200.0, 200.0  # in float32 σ(±200) is 0 and 1, and tanh(±200) is −1 and 1, to the last bit


# --- parameters ------------------------------------------------------------------------------------------------------


def gated_parameters(
    rng: random.Random, width: int, hidden: int, gates: str = GATES, dtype: torch.dtype = torch.float32
) -> Params:
    """Parameters of every gate, drawn uniformly from ±0.8: wide enough that gates move and none is stuck."""
    shapes = {"U": (hidden, hidden), "W": (hidden, width), "b": (hidden,)}
    return {
        f"{kind}_{gate}": numbers(rng, *shape, spread=0.8, dtype=dtype)
        for gate in gates
        for kind, shape in shapes.items()
    }


def biases_alone(width: int, dtype: torch.dtype = torch.float32, **biases: list[float]) -> Params:
    """Parameters whose matrices are zero, so that each gate is its bias squashed; biases_alone(3, f=[0, 1], …)."""
    params = {}
    for gate, bias in biases.items():
        params[f"U_{gate}"] = torch.zeros(len(bias), len(bias), dtype=dtype)
        params[f"W_{gate}"] = torch.zeros(len(bias), width, dtype=dtype)
        params[f"b_{gate}"] = torch.tensor(bias, dtype=dtype)
    return params


def one_voice() -> Iterator[tuple[str, Tensor, Tensor, Params]]:
    """Nets of two units and D = 2 where one voice alone speaks, h, x or b: it brings (ln 3, 0) to U h + W x + b.

    Yields the voice's name, x, h and {"U", "W", "b"}. The other matrix would be loud, if it were read.
    """
    nothing, second, silence = exact([0, 0]), exact([0, 1]), exact(0, 0)
    turned, noise = exact([0, math.log(3)], [0, 0]), exact([0, 0], [7, 7])  # turned (0, 1) = (ln 3, 0)
    yield "h", nothing, second, {"U": turned, "W": noise, "b": silence}
    yield "x", second, nothing, {"U": noise, "W": turned, "b": silence}
    yield "b", nothing, nothing, {"U": noise, "W": noise, "b": exact(math.log(3), 0)}


def gru_parameters(rng: random.Random, width: int, hidden: int, dtype: torch.dtype = torch.float32) -> Params:
    """Parameters of a GRU, drawn as those of an LSTM are."""
    return gated_parameters(rng, width, hidden, "rzn", dtype) | {"d_n": numbers(rng, hidden, spread=0.8, dtype=dtype)}


def packed(params: Params, kind: str, order: str = TORCH) -> Tensor:
    """The blocks of one kind ("U", "W" or "b") below one another, in this order."""
    return torch.cat([params[f"{kind}_{gate}"] for gate in order])


def exchanged(params: Params, gates: str) -> Params:
    """The same parameters with all of one gate under the name of another; `gates` is such as "fo", or ""."""
    other = dict(zip(gates, reversed(gates), strict=True))
    return {name: params[f"{name[:2]}{other.get(name[2:], name[2:])}"] for name in params}


# --- the library's nets ----------------------------------------------------------------------------------------------


class LibraryLSTM(torch.nn.Module):
    """torch.nn.LSTM with copied weights; its second bias is zero, the first one is b."""

    def __init__(self, layers: list[Params]):
        super().__init__()
        hidden, width = layers[0]["W_f"].shape
        self.net = torch.nn.LSTM(width, hidden, len(layers), batch_first=True, dtype=layers[0]["W_f"].dtype)
        with torch.no_grad():
            for layer, params in enumerate(layers):
                for kind, name in PLACES.items():
                    getattr(self.net, f"{name}_l{layer}").copy_(packed(params, kind))
                getattr(self.net, f"bias_hh_l{layer}").zero_()

    def forward(self, x: Tensor, states: States) -> tuple[Tensor, States]:
        """Outputs (B, T, H) and the last (h, c) of each layer for x (B, T, D), T at least 1."""
        first = tuple(torch.stack(parts) for parts in zip(*states, strict=True))
        outputs, (h, c) = self.net(x, first)
        return outputs, list(zip(h, c, strict=True))

    def step(self, x: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        """One step of a net of one layer: the next h and c, each (B, H), for x (B, D)."""
        return self(x[:, None], [(h, c)])[1][0]

    def gradients(self, inputs: tuple[Tensor, Tensor, Tensor], upstream: Tensor) -> tuple[Tensor, ...]:
        """The gradients by x, h and c of Σ h' · upstream[0] + Σ c' · upstream[1] after one step."""
        leaves = [part.clone().requires_grad_() for part in inputs]
        return torch.autograd.grad((torch.stack(self.step(*leaves)) * upstream).sum(), leaves)

    def gradients_of_a_step(self, inputs: tuple[Tensor, Tensor, Tensor], upstream: Tensor) -> Params:
        """The gradients of the same sum by the parameters, under their names."""
        return self._by_name((torch.stack(self.step(*inputs)) * upstream).sum(), 0)

    def gradient_by_inputs(self, x: Tensor, states: States, upstream: Tensor) -> Tensor:
        """The gradient by x (B, T, D) of Σ outputs · upstream."""
        x = x.clone().requires_grad_()
        return torch.autograd.grad((self(x, states)[0] * upstream).sum(), x)[0]

    def gradient_by_states(self, x: Tensor, states: States, upstream: Tensor) -> States:
        """The gradients by the first (h, c) of each layer of the same sum."""
        leaves = [part.clone().requires_grad_() for pair in states for part in pair]
        pairs = list(zip(leaves[::2], leaves[1::2], strict=True))
        found = torch.autograd.grad((self(x, pairs)[0] * upstream).sum(), leaves)
        return list(zip(found[::2], found[1::2], strict=True))

    def gradients_by_parameters(self, x: Tensor, states: States, upstream: Tensor) -> list[Params]:
        """The gradients by the parameters of each layer, under their names, of Σ outputs · upstream."""
        total = (self(x, states)[0] * upstream).sum()
        return [self._by_name(total, layer) for layer in range(self.net.num_layers)]

    def _by_name(self, total: Tensor, layer: int) -> Params:
        own = {kind: getattr(self.net, f"{name}_l{layer}") for kind, name in PLACES.items()}
        found = zip(own, torch.autograd.grad(total, list(own.values()), retain_graph=True), strict=True)
        return {
            f"{kind}_{gate}": block for kind, rows in found for gate, block in zip(TORCH, rows.chunk(4), strict=True)
        }

    def cell_after(self, x: Tensor, c: Tensor, o: Tensor) -> Tensor:
        """c_t (H,) for x (D,), where h_{t−1} is o ⊙ tanh(c_{t−1}): what 3.4 differentiates by c."""
        return self.step(x[None], (o * torch.tanh(c))[None], c[None])[1][0]

    def jacobian(self, x: Tensor, c: Tensor, o: Tensor) -> Tensor:
        """The derivatives of `cell_after` by c, shape (H, H), a row for each number of c_t, by autograd."""
        return torch.autograd.functional.jacobian(lambda cell: self.cell_after(x, cell, o), c)

    @torch.no_grad()
    def slopes(self, x: Tensor, c: Tensor, o: Tensor, epsilon: float = 1e-5) -> Tensor:
        """The same derivatives as differences: c_t at c + ε less c_t at c − ε, over 2ε, a column for each number."""
        moves = epsilon * torch.eye(len(c), dtype=c.dtype)
        columns = [
            (self.cell_after(x, c + move, o) - self.cell_after(x, c - move, o)) / (2 * epsilon) for move in moves
        ]
        return torch.stack(columns, dim=1)


def library_gru(params: Params, x: Tensor, h: Tensor) -> Tensor:
    """One step of torch.nn.GRU with copied weights: the next state (B, H) of x (B, D) and h (B, H)."""
    hidden, width = params["W_r"].shape
    net = torch.nn.GRU(width, hidden, batch_first=True, dtype=x.dtype)
    with torch.no_grad():
        for kind, name in PLACES.items():
            getattr(net, f"{name}_l0").copy_(packed(params, kind, "rzn"))
        net.bias_hh_l0.zero_()[2 * hidden :] = params["d_n"]
    return net(x[:, None], h[None])[1][0]


@torch.no_grad()
def kept_by(bias: Tensor) -> Tensor:
    """The share (H,) of its cell that torch's LSTM keeps if the sum of its biases is `bias` (4H,) and its weights 0."""
    hidden = len(bias) // 4
    cell = torch.nn.LSTMCell(1, hidden, dtype=bias.dtype)
    for own in cell.parameters():
        own.zero_()
    cell.bias_ih.copy_(bias)
    cells = bias.new_tensor([[3.0], [2.0]]).expand(2, hidden)  # what is written is the same for both
    _, after = cell(bias.new_zeros(2, 1), (torch.zeros_like(cells), cells))
    return after[0] - after[1]


# --- texts -----------------------------------------------------------------------------------------------------------


def step_inputs(
    rng: random.Random, batch: int, width: int, hidden: int, dtype: torch.dtype = torch.float32
) -> tuple[Tensor, Tensor, Tensor]:
    """x (B, D) from ±1, h (B, H) from ±0.9, as a state may be, and c (B, H) from ±2."""
    return (
        numbers(rng, batch, width, dtype=dtype),
        numbers(rng, batch, hidden, spread=0.9, dtype=dtype),
        numbers(rng, batch, hidden, spread=2.0, dtype=dtype),
    )


def stack_of(
    rng: random.Random, depth: int, batch: int, steps: int, width: int, hidden: int, dtype: torch.dtype = torch.float32
) -> tuple[Tensor, list[Params], States]:
    """x (B, T, D), the parameters of `depth` layers and their first states."""
    layers = [gated_parameters(rng, hidden if layer else width, hidden, dtype=dtype) for layer in range(depth)]
    states = [step_inputs(rng, batch, width, hidden, dtype)[1:] for _ in layers]
    return numbers(rng, batch, steps, width, dtype=dtype), layers, states


def one_sequence(
    rng: random.Random, width: int, hidden: int, dtype: torch.dtype = torch.float64
) -> tuple[Tensor, Tensor, Tensor, Params]:
    """x (D,), c (H,), o (H,) between 0 and 1, and parameters: the arguments of 3.4."""
    x, _, c = (part[0] for part in step_inputs(rng, 1, width, hidden, dtype))
    o = torch.sigmoid(numbers(rng, hidden, spread=2.0, dtype=dtype))
    return x, c, o, gated_parameters(rng, width, hidden, dtype=dtype)


def a_hundred_steps(rng: random.Random) -> tuple[Tensor, list[Params], States, Tensor]:
    """A text of 100 steps, one layer of long memory, its first states, and what asks for the last outputs alone."""
    x, (layer,), states = stack_of(rng, 1, 2, 100, 3, 4)
    return x, [long_memory(layer)], states, torch.eye(100)[-1][:, None].expand(2, 100, 4)


def long_memory(params: Params, forget: float = 6.0) -> Params:
    """The same parameters with forget gates that stay open: σ(6) = 0.9975 is kept a step, unless h and x speak."""
    return params | {
        "U_f": params["U_f"] / 10,
        "W_f": params["W_f"] / 10,
        "b_f": torch.full_like(params["b_f"], forget),
    }
