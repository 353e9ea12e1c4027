"""Batches of unequal length, and the library's nets that read them, for the checks of unit 4.

A mask is torch.bool, (B, T), True where a step is real; pads stand at the end of a row. An Elman layer in both
directions is {"forward": {"U": (H, H), "W": (H, D), "b": (H,)}, "backward": the same}. `LibraryBothWays` copies layers
into torch.nn.RNN and reads packed batches with it. Paths of tags are in `paths`, losses and pooled states in `pooled`,
the parts of a classifier that 4.10 asks about in `parts`. Left out on purpose: what an exercise asks to be written.

Shapes: B sequences, T steps, D numbers in an input, H in a state, L layers.
"""

import itertools
import math
import random
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from unrolled.checking.compare import Mismatch, close, holds
from unrolled.checking.kinds import floats, integers, pair, readable, refuse

from . import told
from .recurrent import exact, numbers

Layers = list[dict[str, dict[str, Tensor]]]
DIRECTIONS = {"forward": "", "backward": "_reverse"}  # ours, and the end of torch's names
PLACES = {"U": "weight_hh", "W": "weight_ih", "b": "bias_ih"}
RNN_OF_THE_LIBRARY = (
    *(torch.nn.RNN, torch.nn.RNN.forward, torch.rnn_tanh),
    *(torch.nn.RNNCell, torch.nn.RNNCell.forward, torch.rnn_tanh_cell),
)
SOFT = 1e-4, 1e-5  # rtol and atol for sums that float32 may take in any order
EXACT = 1e-9, 1e-12  # for sums in float64
LN2, LN3 = math.log(2), math.log(3)
LONGEST = "T is the length of the longest sequence, and 0 where all are empty."


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
    wanted = f"a tensor of bools of shape {(batch, steps)}"
    if not (readable(mask) and mask.dtype == torch.bool):
        refuse("the mask", wanted, mask, "of the wrong dtype" if readable(mask) else "of the wrong kind")
    for part, what in ((ids, "the ids"), (mask, "the mask")):
        if readable(part) and tuple(part.shape) != (batch, steps):
            said = str(tuple(part.shape))
            raise Mismatch(f"{what}: of the wrong shape", what, "", str((batch, steps)), said, form=True, hint=LONGEST)
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


AT_PADS = "Are the outputs at the pads zeros?"
BY_ROWS = "U h is h @ U.T where h has a row for each sentence: h @ U is Uᵀ h."
EXCHANGED = "Both halves are right, each in the other's place: the forward one comes first."


def same_outputs(
    got: Any, x: Tensor, mask: Tensor, layers: Layers, what: str, precision: tuple = SOFT, hint: str = ""
) -> None:
    """Hold outputs to those of torch's net, type and all, and say so where they are those of a known mistake."""
    expected = LibraryBothWays(layers)(x, mask).detach()
    if readable(got) and got.shape == expected.shape and got.is_floating_point():
        if bool((got[~mask] != 0).any()):
            hint = AT_PADS
        elif _near(got, LibraryBothWays(_with_u_turned(layers))(x, mask).detach()):
            hint = BY_ROWS
        else:
            hint = _which_half(got, expected) or hint
        hint = told.of_type(got, expected, precision) or hint
    close(got, expected, what, *precision, same_dtype=True, hint=hint)


def like_the_library(answer: Any, rng: random.Random, lengths: Sequence[int], steps: int, width: int) -> None:
    """Hold the outputs of one layer and of two, for rows of these lengths, to those of torch's net."""
    for depth in (1, 2):
        x, layers = numbers(rng, len(lengths), steps, width), both_ways(rng, width, 3, depth)
        got = answer(x, mask_of(lengths, steps), layers)
        what = f"the outputs of {depth} layer{'s' * (depth > 1)}"
        same_outputs(got, x, mask_of(lengths, steps), layers, what)


def _near(got: Tensor, expected: Tensor) -> bool:
    return torch.allclose(got.double(), expected.double(), 1e-3, 1e-4)


def _with_u_turned(layers: Layers) -> Layers:
    """The same layers with Uᵀ for each U."""
    return [{way: p | {"U": p["U"].T} for way, p in layer.items()} for layer in layers]


def _which_half(got: Tensor, expected: Tensor) -> str:
    """A hint for outputs of which one half is right, or both, each in the other's place."""
    hidden = got.shape[-1] // 2
    right = [_near(got[..., part], expected[..., part]) for part in (slice(0, hidden), slice(hidden, None))]
    if right == [False, False] and _near(got.roll(hidden, -1), expected):
        return EXCHANGED
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


# --- what outputs must be --------------------------------------------------------------------------------------------

OWN_LENGTH = "The row beside it has words: does its backward half begin at its own last one?"


def two_steps_and_one(answer: Any) -> None:
    """Hold the outputs to the text's example, one unit each way, and say so where a known mistake shows in them."""
    forward = {"U": exact([0.0]), "W": exact([1.0]), "b": exact(0.0)}
    layer = {"forward": forward, "backward": forward | {"U": exact([(LN3 - LN2) / 0.8])}}
    expected = exact([[0.6, 0.8], [0.8, 0.8]], [[0.6, 0.6], [0.0, 0.0]])
    got, hint = answer(exact([[LN2], [LN3]], [[LN2], [5.0]]), mask_of((2, 1), 2), [layer]), ""
    if readable(got) and got.shape == expected.shape and got.is_floating_point():
        if bool((got[1, 1] != 0).any()):
            hint = AT_PADS
        elif _near(got.roll(1, -1), expected):
            hint = EXCHANGED
        elif _near(got[0], expected[0]):
            hint = "Where does the backward direction begin in a row of one step?"
        hint = told.of_type(got, expected, EXACT) or hint
    close(got, expected, "the outputs", *EXACT, same_dtype=True, hint=hint)


def outputs_leave_pads_out(answer: Any, rng: random.Random) -> None:
    """Hold outputs to be the same with other pads, with more of them, and for a row alone."""
    x, layers, mask = numbers(rng, 3, 5, 3), both_ways(rng, 3, 2, 2), mask_of((5, 2, 3), 5)
    got = floats(answer(x, mask, layers), (3, 5, 4), "the outputs")
    close(answer(disturbed(x, mask, rng), mask, layers), got, "the outputs with other numbers at the pads", *SOFT)
    more = floats(answer(longer(x, 3, 9.0), longer(mask, 3, False), layers), (3, 8, 4), "the outputs")
    close(more[:, :5], got, "the outputs with three more pads", *SOFT)
    alone = answer(x[1:2, :2], mask[1:2, :2], layers)
    close(alone, got[1:2, :2], "the outputs of the second row alone", *SOFT)


def turned_round_and_exchanged(answer: Any, rng: random.Random) -> None:
    """Hold the outputs of a sentence turned round to the outputs turned round, if its directions are exchanged."""
    x, (layer,), mask = numbers(rng, 2, 4, 3), both_ways(rng, 3, 2, 1), mask_of((4, 4), 4)
    exchanged = {"forward": layer["backward"], "backward": layer["forward"]}
    got = floats(answer(x, mask, [layer]), (2, 4, 4), "the outputs")
    other = floats(answer(x.flip(1), mask, [exchanged]), (2, 4, 4), "the outputs")
    close(other.flip(1).roll(2, dims=-1), got, "the outputs of both, one turned round", *SOFT)
    holds(bool((got[..., :2] - got[..., 2:]).abs().max() > 1e-3), "both halves of the outputs are the same")


def rows_without_a_step(answer: Any, rng: random.Random) -> None:
    """Hold outputs for T = 0, those of a row of pads, and those of the row beside it."""
    x, layers = numbers(rng, 2, 3, 3), both_ways(rng, 3, 2, 2)
    close(answer(x[:, :0], mask_of((0, 0), 0), layers), x.new_zeros(2, 0, 4), "the outputs for T = 0")
    got = floats(answer(x, mask_of((0, 3), 3), layers), (2, 3, 4), "the outputs")
    close(got[0], torch.zeros(3, 4), "the outputs of a row of pads alone")
    same_outputs(got[1:], x[1:], mask_of((3,), 3), layers, "the outputs of the row beside it", hint=OWN_LENGTH)
