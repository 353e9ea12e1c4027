"""The LSTM: a state that is written, kept and read selectively, and a language model of symbols on top of it.

Hochreiter and Schmidhuber, "Long short-term memory" (1997), with the forget gate of Gers, Schmidhuber and Cummins,
"Learning to forget" (2000). `LSTMCell` is one step with its gates by name; three functions apply it to a whole text:
step by step, with the input's share moved out of the loop, and through torch's own routine. They give the same
numbers and the same gradients, and so does torch.nn.LSTM. What the gates did on a text: see
`unrolled.experiments.lstm.trace`.

Left out on purpose: peepholes, projections of the output (LSTMP), both directions.
Cost: 1,000 training steps of an LSTM with hidden 128 on 32 × 64 symbols take about 28 seconds on one core.

Shapes: B sequences, T steps, V vocabulary, D numbers in an input, H in a state, L layers.
"""

import math
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int64
from torch import Tensor, nn

from unrolled.language_model import LanguageModel

# ruff: noqa: F722 (jaxtyping writes shapes as strings)

ORDER = "ifgo"  # in which torch.nn.LSTM, and so this module, stacks the four blocks of H rows
State = tuple[Float[Tensor, "B H"], Float[Tensor, "B H"]]  # the output h and the cell c


# --- one step --------------------------------------------------------------------------------------------------------


class Gates(NamedTuple):
    """What decides on one step, each (B, H): f, i and o from 0 (shut) to 1 (open), g from −1 to 1."""

    f: Tensor  # how much of the old cell is kept
    i: Tensor  # how much of the proposal is written
    g: Tensor  # the proposal
    o: Tensor  # how much of the new cell is read


class LSTMCell(nn.Module):
    """One step: c_t = f_t ⊙ c_{t−1} + i_t ⊙ g_t,  h_t = o_t ⊙ tanh(c_t); for the gates see `gates`.

    U, W and b hold four blocks of H rows in the order i, f, g, o. They are drawn as torch.nn.LSTM draws its own, which
    has two biases that only ever act as a sum: b is that sum. Then all of b_f is set to `forget_bias`, so that a gate
    starts open, at σ(1) = 0.73 for 1 (Gers et al. 2000; Jozefowicz et al., "An empirical exploration of recurrent
    network architectures", 2015). None leaves b_f as drawn, around 0, and the gate half open.
    """

    def __init__(self, width: int, hidden: int, forget_bias: float | None = 1.0):
        """width: D, of the input; hidden: H."""
        super().__init__()
        _check_sizes(width=width, hidden=hidden)
        self.hidden = hidden
        self.U = _uniform(4 * hidden, hidden, bound=1 / math.sqrt(hidden))  # (4H, H) state to gates
        self.W = _uniform(4 * hidden, width, bound=1 / math.sqrt(hidden))  # (4H, D) input to gates
        self.b = nn.Parameter(_uniform(2, 4 * hidden, bound=1 / math.sqrt(hidden)).detach().sum(0))  # (4H,)
        if forget_bias is not None:
            self.named()["b_f"].data.fill_(forget_bias)

    def gates(self, x: Float[Tensor, "B D"], h: Float[Tensor, "B H"]) -> Gates:
        """f, i and o are σ(U h_{t−1} + W x_t + b), each with a U, W and b of its own; g is the tanh of the same."""
        p = self.named()
        f = torch.sigmoid(h @ p["U_f"].T + x @ p["W_f"].T + p["b_f"])  # (B, H) @ (H, H), (B, D) @ (D, H) -> (B, H)
        i = torch.sigmoid(h @ p["U_i"].T + x @ p["W_i"].T + p["b_i"])
        g = torch.tanh(h @ p["U_g"].T + x @ p["W_g"].T + p["b_g"])
        o = torch.sigmoid(h @ p["U_o"].T + x @ p["W_o"].T + p["b_o"])
        return Gates(f, i, g, o)

    def forward(self, x: Float[Tensor, "B D"], h: Float[Tensor, "B H"], c: Float[Tensor, "B H"]) -> State:
        f, i, g, o = self.gates(x, h)
        kept, written = f * c, i * g  # k_t, j_t
        new = kept + written  # c_t
        return o * torch.tanh(new), new  # h_t, c_t

    def named(self) -> dict[str, Tensor]:
        """The twelve parameters by name: U_f (H, H), W_f (H, D), b_f (H,), …; views, so gradients flow through."""
        packed = {"U": self.U, "W": self.W, "b": self.b}
        blocks = {kind: zip(ORDER, rows.chunk(4), strict=True) for kind, rows in packed.items()}
        return {f"{kind}_{gate}": block for kind, pairs in blocks.items() for gate, block in pairs}

    @torch.no_grad()
    def load(self, params: dict[str, Tensor]) -> "LSTMCell":
        """Take the numbers of `params`, named as in `named`; ValueError if one is missing or has another shape."""
        for name, block in self.named().items():
            if name not in params or params[name].shape != block.shape:
                found = f"shape {tuple(params[name].shape)}" if name in params else "nothing"
                raise ValueError(f"{name} must have shape {tuple(block.shape)}; found {found}")
        for name, block in self.named().items():
            block.copy_(params[name])
        return self


# --- three ways to take many steps -----------------------------------------------------------------------------------

Run = tuple[Float[Tensor, "B T H"], State]  # h_1 … h_T, and the last state (the first one if T is 0)


def run_steps(cell: LSTMCell, x: Float[Tensor, "B T D"], state: State) -> Run:
    """As it is written: one call of the cell a step."""
    h, c = state
    outputs = []
    for t in range(x.shape[1]):
        h, c = cell(x[:, t], h, c)  # (B, D), (B, H), (B, H) -> (B, H), (B, H)
        outputs.append(h)
    return stacked(outputs, like=h), (h, c)


def run_hoisted(cell: LSTMCell, x: Float[Tensor, "B T D"], state: State) -> Run:
    """The same with W x_t + b for all t and all gates in one product before the loop, and U h of all gates in one."""
    h, c = state
    from_input = (x @ cell.W.T + cell.b).unbind(1)  # (B, T, D) @ (D, 4H) -> (B, T, 4H) -> T of (B, 4H)
    U_transposed, outputs = cell.U.T, []
    for a in from_input:
        a_i, a_f, a_g, a_o = torch.addmm(a, h, U_transposed).chunk(4, dim=1)  # (B, 4H) -> four of (B, H)
        c = a_f.sigmoid() * c + a_i.sigmoid() * a_g.tanh()
        h = a_o.sigmoid() * c.tanh()
        outputs.append(h)
    return stacked(outputs, like=h), (h, c)


def run_fused(cell: LSTMCell, x: Float[Tensor, "B T D"], state: State) -> Run:
    """The same by the routine under torch.nn.LSTM, one call for the whole text: cuDNN on a GPU, oneDNN on a CPU."""
    if x.shape[1] == 0:  # which cuDNN refuses
        return stacked([], like=state[0]), state
    parts = [cell.W, cell.U, cell.b, torch.zeros_like(cell.b)]  # torch.nn.LSTM adds a second bias
    in_one_piece = torch.cat([part.flatten() for part in parts])  # or cuDNN complains, and copies them itself
    pieces = in_one_piece.split([part.numel() for part in parts])
    packed = [piece.view_as(part) for piece, part in zip(pieces, parts, strict=True)]
    first = [part[None].contiguous() for part in state]  # (B, H) -> (1, B, H): one layer
    differentiable = torch.is_grad_enabled()
    outputs, h, c = torch._VF.lstm(x, first, packed, True, 1, 0.0, differentiable, False, True)
    return outputs, (h[0], c[0])


def run(cell: LSTMCell, x: Float[Tensor, "B T D"], state: State) -> Run:
    """The fastest of the three, on either device; for a single step packing costs more than it saves."""
    return run_hoisted(cell, x, state) if x.shape[1] == 1 else run_fused(cell, x, state)


def stacked(outputs: list[Tensor], like: Tensor) -> Tensor:
    """(B, T, H) from T outputs (B, H); like: any of them, for the shape when T is 0."""
    return torch.stack(outputs, dim=1) if outputs else like[:, None][:, :0]


# --- the language model ----------------------------------------------------------------------------------------------


class LSTM(LanguageModel):
    """Layers of LSTM cells between an embedding and a softmax: ŷ_t = softmax(V h_t + c), h_t of the top layer.

    Each layer reads the outputs of the one below it; the lowest reads the embedding of a symbol. tied: the embeddings
    serve as output matrix too, as in `ElmanRNN`. dropout: the share of numbers set to zero, in training only, in what
    each layer reads and in what the output reads, never from one step to the next (Zaremba, Sutskever and Vinyals,
    "Recurrent neural network regularization", 2014).
    The state is (h, c), each (B, L, H).
    """

    def __init__(
        self,
        vocab_size: int,
        hidden: int,
        width: int | None = None,
        layers: int = 1,
        tied: bool = False,
        dropout: float = 0.0,
        forget_bias: float | None = 1.0,
    ):
        """hidden: H; width: D, by default H; layers: L; forget_bias: see LSTMCell."""
        super().__init__(vocab_size)
        width = hidden if width is None else width
        _check_sizes(hidden=hidden, width=width, layers=layers)
        if not 0 <= dropout < 1:
            raise ValueError(f"dropout is {dropout}: it is a share, at least 0 and below 1")
        inputs = [width] + [hidden] * (layers - 1)
        self.cells = nn.ModuleList(LSTMCell(size, hidden, forget_bias) for size in inputs)
        self.hidden, self.dropout = hidden, dropout
        self.scale = math.sqrt(width) if tied else 1.0
        self.E = nn.Parameter(torch.randn(vocab_size, width) / self.scale)  # (V, D)
        self.c = nn.Parameter(torch.zeros(vocab_size))  # (V,)
        self.V = None if tied else _uniform(vocab_size, hidden, 1 / math.sqrt(hidden))  # (V, H)
        self.P = _uniform(width, hidden, 1 / math.sqrt(hidden)) if tied and width != hidden else None  # (D, H)
        self.way = run  # how a layer reads; `trace` puts its own in here for a while

    def start(self, batch: int = 1) -> tuple[Float[Tensor, "B L H"], Float[Tensor, "B L H"]]:
        """h_0 and c_0: zeros."""
        zeros = self.c.new_zeros(batch, len(self.cells), self.hidden)
        return zeros, zeros

    def read(
        self, tokens: Int64[Tensor, "B T"], state: tuple[Float[Tensor, "B L H"], Float[Tensor, "B L H"]]
    ) -> tuple[Float[Tensor, "B T V"], tuple[Float[Tensor, "B L H"], Float[Tensor, "B L H"]]]:
        x, last = F.embedding(tokens, self.E) * self.scale, []  # (B, T) -> (B, T, D)
        for cell, h, c in zip(self.cells, *(part.unbind(1) for part in state), strict=True):
            x, after = self.way(cell, self._dropped(x), (h, c))  # (B, T, D), (B, H) twice -> (B, T, H), (B, H) twice
            last.append(after)
        h, c = (torch.stack(part, dim=1) for part in zip(*last, strict=True))  # L of (B, H) -> (B, L, H)
        return self._logits(self._dropped(x)), (h, c)

    def _dropped(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.dropout, self.training)

    def _logits(self, h: Float[Tensor, "B T H"]) -> Float[Tensor, "B T V"]:
        if self.V is not None:
            return F.linear(h, self.V, self.c)  # V h_t + c: (B, T, H) @ (H, V) -> (B, T, V)
        h = h if self.P is None else F.linear(h, self.P)  # P h_t: (B, T, H) @ (H, D) -> (B, T, D)
        return F.linear(h, self.E, self.c)  # E (P h_t) + c: (B, T, D) @ (D, V) -> (B, T, V)


def _uniform(rows: int, columns: int, bound: float) -> nn.Parameter:
    return nn.Parameter(torch.empty(rows, columns).uniform_(-bound, bound))


def _check_sizes(**sizes: int) -> None:
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} is {size}: it must be at least 1")
