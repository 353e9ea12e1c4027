"""How every model of the course is trained: batches, loss, gradient, one step downhill, and again.

    history = train(model, ids, heldout_ids, steps=1000)

`train` cuts a text into batches; `fit` takes batches from anywhere; `evaluate` gives the loss on a text that was not
trained on. The optimiser is AdamW (Loshchilov and Hutter 2019) or plain gradient descent; its rate falls along half a
cosine, and gradients are clipped by their global norm (Pascanu et al. 2013). Everything runs on `device.device()`.
Left out on purpose: checkpoints, several devices, mixed precision, early stopping.

Shapes: N symbols of a text, B sequences in a batch, T symbols of each.
"""

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import islice

import torch
from torch import Tensor

from unrolled.device import device, one_thread
from unrolled.language_model import IGNORED, LanguageModel, State, cross_entropy, detached
from unrolled.progress import progress

SMALL = 200_000  # parameters of a net that is trained on one thread
OPTIMIZERS = {"adamw": torch.optim.AdamW, "sgd": torch.optim.SGD}
Text = Tensor | Sequence[Tensor]  # one stream of ids (N,), or many sequences, each read from its own beginning


@dataclass
class History:
    """What a training went through. Losses in nats a symbol."""

    steps: list[int] = field(default_factory=list)  # 1, 2, …
    losses: list[float] = field(default_factory=list)  # of the batch of each step, before the step
    heldout_steps: list[int] = field(default_factory=list)
    heldout: list[float] = field(default_factory=list)  # on the held-out text, after each of heldout_steps
    seconds: float = 0.0


@dataclass
class Batch:
    """inputs and targets, both (B, T); target t is the symbol after input t."""

    inputs: Tensor
    targets: Tensor
    goes_on: bool = False  # whether each row continues the same row of the batch before


# --- batches ---------------------------------------------------------------------------------------------------------


def contiguous_batches(ids: Tensor, batch: int, length: int, generator: torch.Generator) -> Iterator[Batch]:
    """Without end: the text in `batch` long rows, read side by side, `length` symbols at a time, ever again.

    A batch goes on where the last one stopped, so that a state can be carried. Each pass begins at another symbol.
    A text that is too short for so many rows, or for such long pieces, gives fewer, or shorter ones.
    """
    pairs = len(ids) - 1  # of a symbol and the next
    batch = min(batch, pairs)
    length = min(length, pairs // batch)
    while True:
        begin = int(torch.randint(min(length, pairs - batch * length + 1), (), generator=generator))
        row = (pairs - begin) // batch
        starts = begin + row * torch.arange(batch)  # (B,)
        for at in range(0, row - length + 1, length):
            yield _cut(ids, starts + at, length, goes_on=at > 0)


def random_batches(ids: Tensor, batch: int, length: int, generator: torch.Generator) -> Iterator[Batch]:
    """Without end: pieces of `length` symbols from anywhere in the text; shorter ones if the text is shorter."""
    length = min(length, len(ids) - 1)
    while True:
        yield _cut(ids, torch.randint(len(ids) - length, (batch,), generator=generator), length)


def sequence_batches(sequences: Sequence[Tensor], batch: int, generator: torch.Generator) -> Iterator[Batch]:
    """Without end: `batch` whole sequences, drawn from all and padded to the longest of them."""
    while True:
        drawn = torch.randint(len(sequences), (batch,), generator=generator).tolist()
        yield padded([sequences[i] for i in drawn])


def padded(sequences: Sequence[Tensor]) -> Batch:
    """Sequences of different length as one batch; where a sequence has ended its targets are IGNORED."""
    rows = torch.nn.utils.rnn.pad_sequence(list(sequences), batch_first=True, padding_value=IGNORED)  # (B, T+1)
    return Batch(rows[:, :-1].clamp(min=0), rows[:, 1:])


def _cut(ids: Tensor, starts: Tensor, length: int, goes_on: bool = False) -> Batch:
    places = starts[:, None] + torch.arange(length + 1)  # (B, 1) + (T+1,) -> (B, T+1)
    rows = ids[places.to(ids.device)]
    return Batch(rows[:, :-1], rows[:, 1:], goes_on)


# --- training --------------------------------------------------------------------------------------------------------


def train(
    model: LanguageModel,
    ids: Text,
    heldout: Text | None = None,
    *,
    steps: int,
    batch: int = 32,
    length: int = 64,
    rate: float = 8e-3,
    clip: float | None = 1.0,
    seed: int = 0,
    carry_state: bool = True,
    decay: bool = True,
    optimizer: str = "adamw",
    evaluate_every: int | None = None,
) -> History:
    """Train on a text; `seed` decides on the batches (the model's first parameters are drawn before, by its maker).

    ids: a stream (N,), cut into pieces of `length`; or sequences, taken whole. carry_state: the pieces of a stream
    go on from one batch to the next and so does the state, but no gradient goes back through it (truncated BPTT);
    False: pieces from anywhere, each read from an empty state. The rest: see `fit`.
    """
    _check(ids, batch, length)
    chance = torch.Generator().manual_seed(seed)
    if isinstance(ids, Tensor):
        cut = contiguous_batches if carry_state else random_batches
        batches = cut(ids.to(device()), batch, length, chance)
    else:
        batches = sequence_batches(ids, batch, chance)
    how = {"rate": rate, "clip": clip, "decay": decay, "optimizer": optimizer}
    return fit(model, batches, heldout, steps=steps, evaluate_every=evaluate_every, **how)


def fit(
    model: LanguageModel,
    batches: Iterable[Batch],
    heldout: Text | None = None,
    *,
    steps: int,
    rate: float = 8e-3,
    clip: float | None = 1.0,
    decay: bool = True,
    optimizer: str = "adamw",
    evaluate_every: int | None = None,
) -> History:
    """Take `steps` steps, one a batch (fewer if the batches end), in place, on `device()`.

    optimizer: "adamw", or "sgd", which is θ ← θ − rate · gradient. decay: let the rate fall to zero along half a
    cosine. clip: the largest global norm of a gradient; None for no limit. The held-out loss is measured at the end,
    and after every `evaluate_every` steps. The model is left ready for use: no dropout any more.
    """
    if steps < 1:
        raise ValueError(f"steps is {steps}: it must be at least 1")
    if optimizer not in OPTIMIZERS:
        raise ValueError(f"there is no optimizer {optimizer!r} here: choose 'adamw' or 'sgd'")
    model.to(device()).train()
    descent = OPTIMIZERS[optimizer](model.parameters(), lr=rate, fused=True)
    history, losses, state, began = History(), [], None, time.perf_counter()
    counted = progress(islice(batches, steps), steps, note=lambda: f"loss {losses[-1].item():.3f}")
    with one_thread() if _is_small(model) else nullcontext():
        for step, piece in enumerate(counted, start=1):
            if decay:
                descent.param_groups[0]["lr"] = rate * (1 + math.cos(math.pi * (step - 1) / steps)) / 2
            loss, state = _downhill(model, descent, piece, detached(state) if piece.goes_on else None, clip)
            losses.append(loss)
            if heldout is not None and (step == steps or (evaluate_every and step % evaluate_every == 0)):
                history.heldout_steps.append(step)
                history.heldout.append(evaluate(model, heldout))
    model.eval()
    history.steps = list(range(1, len(losses) + 1))
    history.losses = torch.stack(losses).tolist() if losses else []
    history.seconds = time.perf_counter() - began
    return history


def _is_small(model: LanguageModel) -> bool:
    """So small that threads wait for each other longer than they save: see `one_thread`.

    100 steps of an Elman net with hidden 192 took 3.0 s on one thread and 10.9 s on two, of an LSTM with hidden 121
    2.3 s and 14.7 s, on two cores of which another program used about one.
    """
    return sum(parameter.numel() for parameter in model.parameters()) < SMALL


def _downhill(
    model: LanguageModel, descent: torch.optim.Optimizer, piece: Batch, state: State | None, clip: float | None
) -> tuple[Tensor, State]:
    """One step of training: the loss before it, shape (), and the state after the piece."""
    output = model(piece.inputs.to(model.device), piece.targets.to(model.device), state)
    descent.zero_grad()
    output.loss.backward()
    if clip is not None:
        torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
    descent.step()
    return output.loss.detach(), output.state  # the loss stays a tensor: a number would have to wait for the device


@torch.no_grad()
def evaluate(model: LanguageModel, text: Text, rows: int = 64, length: int = 256) -> float:
    """Cross-entropy, nats a symbol, over all symbols of a text but the first of each sequence.

    A stream is cut into at most `rows` rows of at least `length` symbols, read side by side, each from an empty state.
    That costs a model little: an Elman net on tiny Shakespeare's held-out part gets 1.8220 nats so, 1.8205 in one row.
    `length` symbols are looked at together.
    """
    _check(text, batch=rows, length=length)
    sequences, total, count = _rows(text, rows, length) if isinstance(text, Tensor) else text, 0.0, 0
    was_training = model.training
    model.eval()
    for first in range(0, len(sequences), rows):
        piece, state = padded(sequences[first : first + rows]), None
        for inputs, targets in zip(piece.inputs.split(length, 1), piece.targets.split(length, 1), strict=True):
            output = model(inputs.to(model.device), state=state)
            state = output.state
            total += cross_entropy(output.logits, targets.to(model.device), reduction="sum").item()
            count += int((targets != IGNORED).sum())
    model.train(was_training)
    return total / count


def _rows(ids: Tensor, rows: int, length: int) -> list[Tensor]:
    """A stream in rows. The last symbol of one is the first of the next, so that each is a target once."""
    size = max(math.ceil((len(ids) - 1) / rows), length)
    return [ids[at : at + size + 1] for at in range(0, len(ids) - 1, size)]


def _check(text: Text, batch: int, length: int) -> None:
    if batch < 1 or length < 1:
        raise ValueError(f"batch is {batch} and length is {length}: both must be at least 1")
    if isinstance(text, Tensor):
        if text.ndim != 1:
            raise ValueError(f"expected a text of ids, shape (N,); got shape {tuple(text.shape)}")
        if len(text) < 2:
            raise ValueError("the text is too short: it takes two symbols, one to read and one to predict")
    elif not len(text) or min(map(len, text)) < 2:
        raise ValueError("a sequence is too short: each takes two symbols, one to read and one to predict")
