"""From a fixed window to a recurrent net: two language models of symbols.

`WindowModel` sees the last k symbols (Bengio et al., "A neural probabilistic language model", 2003). `ElmanRNN` has
a state instead, which it rewrites at every symbol (Elman, "Finding structure in time", 1990). Its cell is one step,
written as the formula; three functions apply it to a whole text: step by step, with the input's share moved out of
the loop, and through cuDNN on a GPU. They give the same numbers and the same gradients.

Left out on purpose: several layers, dropout, the direct connections from input to output of the 2003 model.
Cost: 1,000 training steps of an ElmanRNN with hidden 128 on 32 × 64 symbols take about 14 seconds on one core.

Shapes: B sequences, T steps, V vocabulary, D embedding, H hidden state, k window.
"""

import math

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int64
from torch import Tensor, nn

from unrolled.language_model import LanguageModel

# ruff: noqa: F722 (jaxtyping writes shapes as strings)


# --- a fixed window --------------------------------------------------------------------------------------------------


class WindowModel(LanguageModel):
    """e = [x_1; …; x_k],  h = tanh(W e + b),  ŷ = softmax(U h + c); x_k is the symbol just read.

    Before the beginning of a text stand zero vectors. The state is the embeddings of the last k−1 symbols.
    """

    def __init__(self, vocab_size: int, window: int, width: int, hidden: int):
        """window: k; width: D; hidden: H, all at least 1."""
        super().__init__(vocab_size)
        _check_sizes(window=window, width=width, hidden=hidden)
        self.window, self.width = window, width
        self.E = nn.Embedding(vocab_size, width)  # weight (V, D)
        self.W = nn.Linear(window * width, hidden)  # weight (H, k·D), bias b (H,)
        self.U = nn.Linear(hidden, vocab_size)  # weight (V, H), bias c (V,)

    def start(self, batch: int = 1) -> Float[Tensor, "B k_1 D"]:
        """k−1 zero vectors for each sequence."""
        return torch.zeros(batch, self.window - 1, self.width, device=self.device, dtype=self.E.weight.dtype)

    def read(
        self, tokens: Int64[Tensor, "B T"], state: Float[Tensor, "B k_1 D"]
    ) -> tuple[Float[Tensor, "B T V"], Float[Tensor, "B k_1 D"]]:
        steps = tokens.shape[1]
        x = torch.cat([state, self.E(tokens)], dim=1)  # (B, k−1+T, D)
        e = torch.cat([x[:, place : place + steps] for place in range(self.window)], dim=2)  # (B, T, k·D) oldest first
        h = torch.tanh(self.W(e))  # (B, T, k·D) @ (k·D, H) -> (B, T, H)
        return self.U(h), x[:, steps:]  # (B, T, H) @ (H, V) -> (B, T, V)


# --- one step, and three ways to take many ---------------------------------------------------------------------------


class ElmanCell(nn.Module):
    """One step of the recurrence: h_t = tanh(U h_{t−1} + W x_t + b).

    start="default" draws all of it uniformly from ±1/√H, as torch.nn.RNN does; the spectral radius of U is then
    about 1/√3, so its gradient vanishes. start="orthogonal" gives U a random rotation, which keeps lengths
    (Saxe et al., "Exact solutions to the nonlinear dynamics of learning in deep linear neural networks", 2014).
    """

    def __init__(self, width: int, hidden: int, start: str = "default"):
        """width: D, of the input; hidden: H."""
        super().__init__()
        _check_sizes(width=width, hidden=hidden)
        if start not in ("default", "orthogonal"):
            raise ValueError(f"the start is {start!r}: choose 'default' or 'orthogonal'")
        bound = 1 / math.sqrt(hidden)
        self.U = nn.Parameter(torch.empty(hidden, hidden).uniform_(-bound, bound))  # (H, H) state to state
        self.W = nn.Parameter(torch.empty(hidden, width).uniform_(-bound, bound))  # (H, D) input to state
        self.b = nn.Parameter(torch.empty(hidden).uniform_(-bound, bound))  # (H,)
        if start == "orthogonal":
            nn.init.orthogonal_(self.U)

    def forward(self, x: Float[Tensor, "B D"], h_prev: Float[Tensor, "B H"]) -> Float[Tensor, "B H"]:
        from_state = h_prev @ self.U.T  # U h_{t−1}: (B, H) @ (H, H) -> (B, H)
        from_input = x @ self.W.T  # W x_t: (B, D) @ (D, H) -> (B, H)
        return torch.tanh(from_state + from_input + self.b)  # h_t: (B, H)


States = tuple[Float[Tensor, "B T H"], Float[Tensor, "B H"]]  # h_1 … h_T, and h_T once more (h_0 if T is 0)


def run_steps(cell: ElmanCell, x: Float[Tensor, "B T D"], h: Float[Tensor, "B H"]) -> States:
    """ForwardRNN as it is written: one call of the cell a step."""
    states = []
    for t in range(x.shape[1]):
        h = cell(x[:, t], h)  # (B, D), (B, H) -> (B, H)
        states.append(h)
    return _stacked(states, h), h


def run_hoisted(cell: ElmanCell, x: Float[Tensor, "B T D"], h: Float[Tensor, "B H"]) -> States:
    """The same with W x_t + b, which waits for no state, computed for all t in one product before the loop.

    `unbind` matters as much: the backward pass of x[:, t] fills an array of x's size with zeros, at every step.
    """
    from_input = (x @ cell.W.T + cell.b).unbind(1)  # (B, T, D) @ (D, H) -> (B, T, H) -> T of (B, H)
    U_transposed, states = cell.U.T, []
    for a in from_input:
        h = torch.addmm(a, h, U_transposed).tanh()  # h_t = tanh(U h_{t−1} + (W x_t + b))
        states.append(h)
    return _stacked(states, h), h


def run_fused(cell: ElmanCell, x: Float[Tensor, "B T D"], h: Float[Tensor, "B H"]) -> States:
    """The same by the routine under torch.nn.RNN: cuDNN on a GPU, one call for the whole text."""
    if x.shape[1] == 0:  # which cuDNN refuses
        return _stacked([], h), h
    parts = [cell.W, cell.U, cell.b, torch.zeros_like(cell.b)]  # torch.nn.RNN adds a second bias
    in_one_piece = torch.cat([part.flatten() for part in parts])  # or cuDNN complains, and copies them itself
    pieces = in_one_piece.split([part.numel() for part in parts])
    packed = [piece.view_as(part) for piece, part in zip(pieces, parts, strict=True)]
    differentiable = torch.is_grad_enabled()
    states, last = torch._VF.rnn_tanh(x, h[None], packed, True, 1, 0.0, differentiable, False, True)
    return states, last[0]  # (B, T, H), (1, B, H) -> (B, H)


def run(cell: ElmanCell, x: Float[Tensor, "B T D"], h: Float[Tensor, "B H"]) -> States:
    """The fastest of the three on the device where x is."""
    return run_fused(cell, x, h) if x.is_cuda else run_hoisted(cell, x, h)


def _stacked(states: list[Tensor], like: Tensor) -> Tensor:
    """(B, T, H) from T states (B, H); like: any state, for the shape when T is 0."""
    return torch.stack(states, dim=1) if states else like[:, None][:, :0]


# --- the language model ----------------------------------------------------------------------------------------------


class ElmanRNN(LanguageModel):
    """h_t = tanh(U h_{t−1} + W x_t + b),  o_t = V h_t + c,  ŷ_t = softmax(o_t); x_t is the embedding of a symbol.

    tied: the embeddings serve as output matrix too, o_t = E P h_t + c (Inan et al. 2017; Press and Wolf 2017). The
    projection P (D, H) is there only where D and H differ. One matrix then has two ends to serve: on the way out its
    rows must be short, or the first loss is far above ln V; on the way in √D times as long, or the net hardly hears
    them. So x_t is √D times the row (Vaswani et al., "Attention is all you need", 2017, section 3.4).
    The state is h (B, H).
    """

    def __init__(
        self, vocab_size: int, hidden: int, width: int | None = None, tied: bool = False, start: str = "orthogonal"
    ):
        """hidden: H; width: D, by default H; start: see ElmanCell."""
        super().__init__(vocab_size)
        width = hidden if width is None else width
        _check_sizes(hidden=hidden, width=width)
        self.cell = ElmanCell(width, hidden, start)
        self.scale = math.sqrt(width) if tied else 1.0
        self.E = nn.Parameter(torch.randn(vocab_size, width) / self.scale)  # (V, D)
        self.c = nn.Parameter(torch.zeros(vocab_size))  # (V,)
        self.V = None if tied else _uniform(vocab_size, hidden)  # (V, H)
        self.P = _uniform(width, hidden) if tied and width != hidden else None  # (D, H)

    def start(self, batch: int = 1) -> Float[Tensor, "B H"]:
        """h_0: zeros."""
        return self.cell.b.new_zeros(batch, len(self.cell.b))

    def read(
        self, tokens: Int64[Tensor, "B T"], state: Float[Tensor, "B H"]
    ) -> tuple[Float[Tensor, "B T V"], Float[Tensor, "B H"]]:
        x = F.embedding(tokens, self.E) * self.scale  # (B, T) -> (B, T, D)
        h, last = run(self.cell, x, state)  # (B, T, D) -> (B, T, H), (B, H)
        return self._logits(h), last

    def _logits(self, h: Float[Tensor, "B T H"]) -> Float[Tensor, "B T V"]:
        if self.V is not None:
            return F.linear(h, self.V, self.c)  # V h_t + c: (B, T, H) @ (H, V) -> (B, T, V)
        h = h if self.P is None else F.linear(h, self.P)  # P h_t: (B, T, H) @ (H, D) -> (B, T, D)
        return F.linear(h, self.E, self.c)  # E (P h_t) + c: (B, T, D) @ (D, V) -> (B, T, V)


def _uniform(rows: int, columns: int) -> nn.Parameter:
    """Drawn from ±1/√columns, as torch.nn.Linear does."""
    bound = 1 / math.sqrt(columns)
    return nn.Parameter(torch.empty(rows, columns).uniform_(-bound, bound))


def _check_sizes(**sizes: int) -> None:
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} is {size}: it must be at least 1")
