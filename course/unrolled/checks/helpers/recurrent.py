"""The library's recurrent net, for checks to compare answers with, and small nets and texts for both.

The parameters of an Elman net are a dictionary here as in the exercises: U (H, H), W (H, V), b (H,), V (V, H), c (V,).
`LibraryNet` copies them into torch.nn.RNN and torch.nn.Linear. Those read vectors, so a symbol goes in as a one-hot
vector. The checks of unit 2 use all of it, those of unit 3 `numbers` and `exact`. `close_in_type` holds numbers to
their type, `gradients_are` gradients to the library's. Left out on purpose: whatever an exercise asks to be written.

Shapes: B sequences, T steps, V vocabulary, H hidden state.
"""

import random
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from unrolled.checking.answer import Answer
from unrolled.checking.compare import close, holds
from unrolled.checking.kinds import floats, mapping, pair
from unrolled.checks.helpers import told

NAMES = ("U", "W", "b", "V", "c")
PRECISION = {torch.float32: (1e-4, 1e-5), torch.float64: (1e-7, 1e-9)}  # rtol and atol that a right answer keeps
FLOAT32 = PRECISION[torch.float32]


def numbers(rng: random.Random, *shape: int, spread: float = 1.0, dtype: torch.dtype = torch.float32) -> Tensor:
    """Numbers drawn uniformly from ±spread."""
    from_seed = torch.Generator().manual_seed(rng.randrange(2**31))
    return torch.empty(shape, dtype=dtype).uniform_(-spread, spread, generator=from_seed)


def exact(*rows: object) -> Tensor:
    """The numbers of a hand-worked case, in float64: as precise as the logarithms in them."""
    return torch.tensor(rows, dtype=torch.float64)


def symbol_ids(rng: random.Random, vocab_size: int, *shape: int) -> Tensor:
    """Ids drawn uniformly from a vocabulary, int64."""
    from_seed = torch.Generator().manual_seed(rng.randrange(2**31))
    return torch.randint(vocab_size, shape, generator=from_seed)


def elman_parameters(
    rng: random.Random, hidden: int, vocab_size: int, dtype: torch.dtype = torch.float32
) -> dict[str, Tensor]:
    """Parameters of an Elman net, drawn uniformly from ±0.8: wide enough that tanh bends and no state is stuck."""
    shapes = ((hidden, hidden), (hidden, vocab_size), (hidden,), (vocab_size, hidden), (vocab_size,))
    return {name: numbers(rng, *shape, spread=0.8, dtype=dtype) for name, shape in zip(NAMES, shapes, strict=True)}


def the_other_way_round(params: dict[str, Tensor]) -> dict[str, Tensor]:
    """The same parameters in a dictionary of the reverse order: an answer must go by their names."""
    return dict(reversed(params.items()))


def example(rng: random.Random, steps: int) -> tuple[Tensor, Tensor, Tensor, dict[str, Tensor]]:
    """A text of 4 symbols, targets (both of shape (steps,)), a first state and a net, all in float64; H is 3."""
    params = elman_parameters(rng, 3, 4, torch.float64)
    return symbol_ids(rng, 4, steps), symbol_ids(rng, 4, steps), numbers(rng, 3, dtype=torch.float64), params


def batch_of(
    rng: random.Random, batch: int, steps: int, dtype: torch.dtype = torch.float32
) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
    """Texts (batch, steps) of 5 symbols, first states (batch, 4) and a net."""
    ids, h0 = symbol_ids(rng, 5, batch, steps), numbers(rng, batch, 4, dtype=dtype)
    return ids, h0, elman_parameters(rng, 4, 5, dtype)


class LibraryNet(torch.nn.Module):
    """torch.nn.RNN with a torch.nn.Linear on its states, both with copied weights."""

    def __init__(self, params: dict[str, Tensor]):
        super().__init__()
        (self.vocab_size, hidden), self.dtype = params["V"].shape, params["V"].dtype
        self.recurrence = torch.nn.RNN(self.vocab_size, hidden, batch_first=True, dtype=self.dtype)
        self.output = torch.nn.Linear(hidden, self.vocab_size, dtype=self.dtype)
        with torch.no_grad():
            for name, own in self.named().items():
                own.copy_(params[name])
            self.recurrence.bias_hh_l0.zero_()  # the library adds two biases: the other one is b

    def named(self) -> dict[str, torch.nn.Parameter]:
        """The parameters under the exercises' names."""
        inner, outer = self.recurrence, self.output
        own = (inner.weight_hh_l0, inner.weight_ih_l0, inner.bias_ih_l0, outer.weight, outer.bias)
        return dict(zip(NAMES, own, strict=True))

    def forward(self, ids: Tensor, h0: Tensor) -> tuple[Tensor, Tensor]:
        """Logits (B, T, V) and the last state (B, H) of ids (B, T), read from the state h0 (B, H); T at least 1."""
        one_hot = F.one_hot(ids, self.vocab_size).to(self.dtype)  # (B, T, V)
        states, last = self.recurrence(one_hot, h0[None])
        return self.output(states), last[0]

    def loss(self, ids: Tensor, targets: Tensor, h0: Tensor) -> Tensor:
        """Mean cross-entropy of one sequence, nats, shape (); ids and targets (T,), h0 (H,)."""
        return F.cross_entropy(self(ids[None], h0[None])[0][0], targets)

    def gradients(self, ids: Tensor, targets: Tensor, h0: Tensor) -> dict[str, Tensor]:
        """The gradients of `loss` under the exercises' names, by autograd."""
        named = self.named()
        found = torch.autograd.grad(self.loss(ids, targets, h0), list(named.values()))
        return dict(zip(named, found, strict=True))

    def gradients_of(self, ids: Tensor, h0: Tensor, upstream: list[Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
        """The gradients of Σ logits · upstream[0] + Σ last states · upstream[1] by h0, and by name, by autograd."""
        h0, named = h0.clone().requires_grad_(), self.named()
        total = sum((part * weights).sum() for part, weights in zip(self(ids, h0), upstream, strict=True))
        by_h0, *found = torch.autograd.grad(total, [h0, *named.values()])
        return by_h0, dict(zip(named, found, strict=True))

    @torch.no_grad()
    def slopes(self, name: str, ids: Tensor, targets: Tensor, h0: Tensor, epsilon: float = 1e-5) -> Tensor:
        """(L(θ + ε) − L(θ − ε))/2ε for each number θ of a parameter, all others kept; of the parameter's shape."""
        parameter = self.named()[name]
        numbers, slopes = parameter.view(-1), []
        for place, number in enumerate(numbers.tolist()):
            losses = []
            for moved in (number + epsilon, number - epsilon, number):  # the last one puts it back
                numbers[place] = moved
                losses.append(self.loss(ids, targets, h0))
            slopes.append((losses[0] - losses[1]) / (2 * epsilon))
        return torch.stack(slopes).view_as(parameter)


def read(answer: Answer, ids: Tensor, h0: Tensor, params: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
    """The logits (B, T, V) and the last state (B, H) that a forward pass returns, held to their kinds and shapes."""
    (batch, steps), (vocab_size, hidden) = ids.shape, params["V"].shape
    logits, last = pair(answer(ids, h0, params), "the result")
    return floats(logits, (batch, steps, vocab_size), "the logits"), floats(last, (batch, hidden), "the last state")


def close_in_type(got: Any, expected: Any, what: str, precision: dict[torch.dtype, tuple] = PRECISION) -> None:
    """`close` to numbers of one type, of the very same, as exactly as it allows; if only the type is off, say so."""
    first = expected
    while not isinstance(first, Tensor):
        first = next(iter(first.values() if isinstance(first, dict) else first))
    hint = told.of_type(got, expected, PRECISION[first.dtype])
    close(got, expected, what, *precision[first.dtype], same_dtype=True, hint=hint)


def gradients_are(got: list, expected: tuple[Tensor, dict[str, Tensor]], names: str, state: str = "h0") -> None:
    """Hold the gradients by the arguments (ids, a state, parameters) to those by the state and by these names."""
    by_state, by_name = got[1], got[2]
    what = f"the gradient by {state}"
    close(by_state, expected[0], what, *FLOAT32, hint=told.of_gradient(by_state, expected[0]))
    for name in names:
        mine, theirs = by_name.get(name), expected[1][name]
        hint = told.of_a_cut(name) if mine is None else told.of_gradient(mine, theirs)
        close(mine, theirs, f"the gradient by {name}", *FLOAT32, hint=hint)


def steps_teach(answer: Answer, given: tuple, upstream: list[Tensor]) -> None:
    """Hold the gradients of a forward pass to the library's; `upstream` is that of the logits and the last state."""
    ids, h0, params = given
    got = answer.gradients(*given, upstream=upstream)["arguments"]
    gradients_are(got, LibraryNet(params).gradients_of(ids, h0, upstream), "UWbVc")


def equal_autograd(answer: Answer, rng: random.Random, names: str) -> None:
    """Hold hand-made gradients by these parameters to those of autograd, for texts of 1 to 6 symbols."""
    ids, targets, h0, params = example(rng, 6)
    for steps in range(1, 7):
        got = mapping(answer(ids[:steps], targets[:steps], h0, params), "the result")
        expected = LibraryNet(params).gradients(ids[:steps], targets[:steps], h0)
        text = f"a text of {steps} symbol{'s' * (steps > 1)}"
        for name in names:
            hint = told.of_errors(name, got, expected)
            close(got.get(name), expected[name], f"the gradient by {name} for {text}", hint=hint)


def equal_slopes(answer: Answer, rng: random.Random) -> None:
    """Hold hand-made gradients to differences of the loss, number by number, for texts of 1 to 4 symbols."""
    ids, targets, h0, params = example(rng, 4)
    net = LibraryNet(params)
    for steps in range(1, 5):
        text = ids[:steps], targets[:steps], h0
        got = mapping(answer(*text, params), "the result")
        for name in NAMES:
            what = f"the gradient by {name} (beside differences of the loss, {steps} symbol{'s' * (steps > 1)})"
            close(got.get(name), net.slopes(name, *text), what, 1e-6, 1e-8)


def no_differences(answer: Answer, rng: random.Random) -> None:
    """Hold hand-made gradients to what the loop gives in float64, and say so where they are only near it."""
    ids, targets, h0, params = example(rng, 5)
    by_hand = answer(ids, targets, h0, params)
    got, gaps = mapping(by_hand, "the result"), []
    for name, expected in LibraryNet(params).gradients(ids, targets, h0).items():
        close(got.get(name), expected, f"the gradient by {name}", 1e-4, 1e-6)
        gaps.append((floats(got[name], tuple(expected.shape), f"the gradient by {name}") - expected).abs().max().item())
    holds(
        max(gaps) < 2e-14, f"the gradients are off by {max(gaps):.0e}, as by differences or in float32; the loop is not"
    )
