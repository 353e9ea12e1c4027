"""Batches of unequal length, and the library's nets that read them, for the checks of unit 4.

A mask is torch.bool, (B, T), True where a step is real; pads stand at the end of a row. An Elman layer in both
directions is {"forward": {"U": (H, H), "W": (H, D), "b": (H,)}, "backward": the same}. `LibraryBothWays` copies layers
into torch.nn.RNN and reads packed batches with it; `library_attention` is torch's own attention with one question.
The parts of a classifier that 4.10 asks about are in `parts`. Left out on purpose: what an exercise asks to be written.

Shapes: B sequences, T steps, D numbers in an input, H in a state, L layers, K tags.
"""

import itertools
import random
from collections.abc import Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from unrolled.checking.compare import Mismatch, close, holds
from unrolled.checking.kinds import floats, integers, pair, readable, refuse, symbols

from . import told
from .recurrent import numbers

Layers = list[dict[str, dict[str, Tensor]]]
DIRECTIONS = {"forward": "", "backward": "_reverse"}  # ours, and the end of torch's names
PLACES = {"U": "weight_hh", "W": "weight_ih", "b": "bias_ih"}


# --- batches ---------------------------------------------------------------------------------------------------------


def mask_of(lengths: Sequence[int], steps: int) -> Tensor:
    """The mask (B, T) of rows that have so many real steps."""
    return torch.tensor([[t < length for t in range(steps)] for length in lengths], dtype=torch.bool)


def lengths_of(rng: random.Random, batch: int, steps: int) -> list[int]:
    """So many lengths from 1 to `steps`, of which one is `steps` and one is shorter, where that can be."""
    lengths = [rng.randint(1, steps) for _ in range(batch)]
    lengths[rng.randrange(batch)] = steps
    if batch > 1 and min(lengths) == steps > 1:
        lengths[0] = steps - 1
    return lengths


def disturbed(x: Tensor, mask: Tensor, rng: random.Random) -> Tensor:
    """x (B, T, …) with other numbers at the pads, large ones of both signs."""
    noise = numbers(rng, *x.shape, spread=50.0, dtype=x.dtype)
    return torch.where(mask.reshape(*mask.shape, *[1] * (x.dim() - 2)), x, noise)


def longer(x: Tensor, more: int, value: float) -> Tensor:
    """x (B, T, …) with `more` steps behind the last one, all holding `value`."""
    return torch.cat([x, torch.full((len(x), more, *x.shape[2:]), value, dtype=x.dtype)], dim=1)


def sequences_of(rng: random.Random, lengths: Sequence[int], low: int = 0, high: int = 9) -> list[list[int]]:
    """Lists of ids of these lengths, each from `low` to `high`."""
    return [[rng.randint(low, high) for _ in range(length)] for length in lengths]


def read_batch(got: Any, batch: int, steps: int) -> tuple[Tensor, Tensor]:
    """The ids and the mask of an answer to 4.3, each held to its kind and to the shape (batch, steps)."""
    ids, mask = pair(got, "the result")
    if not (readable(mask) and mask.dtype == torch.bool):
        refuse(
            "the mask",
            f"a tensor of bools of shape {(batch, steps)}",
            mask,
            "of the wrong dtype" if readable(mask) else "of the wrong kind",
        )
    if tuple(mask.shape) != (batch, steps):
        refuse("the mask", f"a tensor of bools of shape {(batch, steps)}", mask, "of the wrong shape")
    return integers(ids, (batch, steps), "the ids"), mask


# --- a net that reads both ways --------------------------------------------------------------------------------------


def both_ways(rng: random.Random, width: int, hidden: int, depth: int, dtype: torch.dtype = torch.float32) -> Layers:
    """Layers drawn from ±0.8; the first reads `width` numbers, each further one the two directions of the one below."""
    layers: Layers = []
    for layer in range(depth):
        shapes = {"U": (hidden, hidden), "W": (hidden, 2 * hidden if layer else width), "b": (hidden,)}
        layers.append(
            {
                way: {name: numbers(rng, *shape, spread=0.8, dtype=dtype) for name, shape in shapes.items()}
                for way in DIRECTIONS
            }
        )
    return layers


def turned_round(layers: Layers) -> Layers:
    """The same layers in dictionaries of the reverse order: an answer must go by the names."""
    return [{way: dict(reversed(layer[way].items())) for way in reversed(layer)} for layer in layers]


class LibraryBothWays(torch.nn.Module):
    """torch.nn.RNN in both directions with copied weights, over packed batches; its second biases are zero."""

    def __init__(self, layers: Layers):
        super().__init__()
        hidden, width = layers[0]["forward"]["W"].shape
        kind = layers[0]["forward"]["W"].dtype
        self.net = torch.nn.RNN(width, hidden, len(layers), batch_first=True, bidirectional=True, dtype=kind)
        with torch.no_grad():
            for number, layer in enumerate(layers):
                for way, end in DIRECTIONS.items():
                    for name, place in PLACES.items():
                        getattr(self.net, f"{place}_l{number}{end}").copy_(layer[way][name])
                    getattr(self.net, f"bias_hh_l{number}{end}").zero_()

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Outputs (B, T, 2H), zeros at the pads, for x (B, T, D); each row has a real step."""
        packed = pack_padded_sequence(x, mask.sum(1), batch_first=True, enforce_sorted=False)
        return pad_packed_sequence(self.net(packed)[0], batch_first=True, total_length=x.shape[1])[0]

    def gradients(self, x: Tensor, mask: Tensor, upstream: Tensor) -> tuple[Tensor, Layers]:
        """The gradients of Σ outputs · upstream by x and by all parameters, these as layers."""
        x = x.clone().requires_grad_()
        names = [name for name, _ in self.net.named_parameters()]
        found = torch.autograd.grad((self(x, mask) * upstream).sum(), [x, *self.net.parameters()])
        by_name = dict(zip(names, found[1:], strict=True))
        layers = [
            {
                way: {name: by_name[f"{place}_l{n}{end}"] for name, place in PLACES.items()}
                for way, end in DIRECTIONS.items()
            }
            for n in range(self.net.num_layers)
        ]
        return found[0], layers


def same_outputs(got: Any, x: Tensor, mask: Tensor, layers: Layers, what: str, rtol: float, atol: float) -> None:
    """Hold outputs to those of torch's net, and say so where they are those of a known mistake."""
    expected = LibraryBothWays(layers)(x, mask).detach()
    hint = ""
    if isinstance(got, Tensor) and got.shape == expected.shape and got.is_floating_point():
        at_pads = bool((got[~mask] != 0).any())
        hint = "Are the outputs at the pads zeros?" if at_pads else _which_half(got, expected)
    close(got, expected, what, rtol, atol, hint=hint)


def _which_half(got: Tensor, expected: Tensor) -> str:
    """A hint for outputs of which one half is right."""
    hidden = got.shape[-1] // 2
    right = [
        torch.allclose(got[..., part].double(), expected[..., part].double(), 1e-3, 1e-4)
        for part in (slice(0, hidden), slice(hidden, None))
    ]
    if right == [True, False]:
        return "The forward half is right. Where does the backward one begin, and is step t's state at t?"
    return (
        "The backward half is right. Does the forward one read from the first step on?"
        if right == [False, True]
        else ""
    )


def same_gradients(
    answer: Any, x: Tensor, mask: Tensor, layers: Layers, upstream: Tensor, rtol: float = 1e-4, atol: float = 1e-5
) -> None:
    """Hold the gradients by x and by all parameters to those of torch's net."""
    got = answer.gradients(x, mask, layers, upstream=upstream)["arguments"]
    by_x, by_layers = LibraryBothWays(layers).gradients(x, mask, upstream)
    close(got[0], by_x, "the gradient by x", rtol, atol, hint=told.of_gradient(got[0], by_x))
    for number, layer in enumerate(by_layers):
        for way, name in itertools.product(DIRECTIONS, PLACES):
            mine, theirs = got[2][number][way][name], layer[way][name]
            what = f"the gradient by {name} of layer {number}, {way}"
            close(mine, theirs, what, rtol, atol, hint=told.of_gradient(mine, theirs))


# --- attention with one question -------------------------------------------------------------------------------------


def library_attention(states: Tensor, mask: Tensor, query: Tensor) -> Tensor:
    """What torch's attention makes of the real states of each row for one question, unscaled: (B, H)."""
    asked = query.expand(len(states), 1, -1)  # (H,) -> (B, 1, H)
    return F.scaled_dot_product_attention(asked, states, states, attn_mask=mask[:, None], scale=1.0)[:, 0]


def attention_gradients(states: Tensor, mask: Tensor, query: Tensor, upstream: Tensor) -> tuple[Tensor, Tensor]:
    """The gradients of Σ pooled · upstream of `library_attention` by the states and by the question."""
    states, query = states.clone().requires_grad_(), query.clone().requires_grad_()
    return torch.autograd.grad((library_attention(states, mask, query) * upstream).sum(), [states, query])


def read_pooled(got: Any, batch: int, steps: int, hidden: int) -> tuple[Tensor, Tensor]:
    """The pooled states (B, H) and the weights (B, T) of an answer to 4.9, each held to its kind and shape."""
    pooled, weights = pair(got, "the result")
    if isinstance(pooled, Tensor) and tuple(pooled.shape) == (batch, steps) != (batch, hidden):
        raise Mismatch("the pooled states and the weights are exchanged", "the result", form=True)
    return floats(pooled, (batch, hidden), "the pooled states"), floats(weights, (batch, steps), "the weights")


def weights_are_shares(weights: Tensor, mask: Tensor) -> None:
    """Hold weights (B, T) to be above 0 where a step is real, exactly 0 at pads, and to sum to one in each row."""
    holds(bool((weights[~mask] == 0).all()), "the weight of a pad is not exactly 0")
    holds(bool((weights[mask] > 0).all()), "the weight of a real step is not above 0")
    close(weights.sum(1), weights.new_ones(len(mask)), "the sums of the weights of each row", 1e-4, 1e-5)


# --- paths of tags ---------------------------------------------------------------------------------------------------


def hmm_of(rng: random.Random, steps: int, tags: int, dtype: torch.dtype = torch.float32) -> tuple[Tensor, ...]:
    """Natural logs of a start (K,), of a transition from row to column (K, K), and of an emission (T, K)."""
    start = numbers(rng, tags, spread=2.0, dtype=dtype).log_softmax(0)
    transition = numbers(rng, tags, tags, spread=2.0, dtype=dtype).log_softmax(1)
    return start, transition, numbers(rng, steps, tags, spread=2.0, dtype=dtype) - 4


def score_of(path: Sequence[int], start: Tensor, transition: Tensor, emission: Tensor) -> float:
    """The log probability of one path of tags together with the words: a sum of 2T numbers, in float64."""
    total = sum((emission[t, tag].double() for t, tag in enumerate(path)), start[path[0]].double())
    return float(total + sum(transition[one, other].double() for one, other in itertools.pairwise(path)))


def best_of_all(start: Tensor, transition: Tensor, emission: Tensor) -> float:
    """The best log probability of all K^T paths, each of them tried: for small T and K."""
    steps, tags = emission.shape
    return max(score_of(path, start, transition, emission) for path in itertools.product(range(tags), repeat=steps))


def no_better_path(answer: Any, start: Tensor, transition: Tensor, emission: Tensor, best: float) -> list[int]:
    """Hold an answer's path to the log probability `best`; any of several that are as good will do."""
    steps, tags = emission.shape
    path = symbols(answer(start, transition, emission), steps, tags, "the path")
    close(score_of(path, start, transition, emission), best, "the log probability of your path", 1e-5, 1e-4)
    return path
