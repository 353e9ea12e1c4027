"""Looking into an LSTM, and reaching into it: what every gate and cell held on a text, and what changes without one.

    trace(model, tokens).c[0, :, 7]                       # cell 7 of the lowest layer, symbol by symbol
    with ablated(model, Ablation("f", [7], 0.0)):         # its forget gate is held shut …
        surprises(model, tokens)                          # … in everything that the model does in here

Both take the cell step by step with its formula written out, which the fast ways of `lstm` cannot offer; so it costs
nothing when nobody asks. Left out on purpose: interventions at single places of a text. For those, read up to the
place, change the state that the model returns, and read on.

Shapes: T symbols of one text, L layers, H numbers in a state.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from unrolled.lstm import LSTM, LSTMCell, Run, State, stacked

NAMES = "figoch"  # of what can be looked at; all but h can be set


@dataclass(frozen=True)
class Ablation:
    """Numbers that are held at a value at every step, whatever the net computes."""

    gate: str  # "f", "i", "g", "o", or "c": the new cell, before it is read and handed on
    units: Sequence[int]  # which of the H
    value: float
    layer: int = 0


@dataclass
class Trace:
    """What an LSTM held while it read one text: numpy arrays (L, T, H), named as in `lstm`."""

    f: np.ndarray
    i: np.ndarray
    g: np.ndarray
    o: np.ndarray
    c: np.ndarray
    h: np.ndarray


@torch.no_grad()
def trace(model: LSTM, tokens: Tensor) -> Trace:
    """Read one text, tokens (T,) int64, from an empty state, without dropout, and keep everything."""
    _check_length(tokens, least=1)
    with _watched(model) as kept, _evaluating(model):
        model(tokens[None].to(model.device))
    layers = {name: [torch.stack(steps[name]) for steps in kept] for name in NAMES}  # L of (T, H) each
    return Trace(**{name: torch.stack(parts).cpu().numpy() for name, parts in layers.items()})


@torch.no_grad()
def surprises(model: LSTM, tokens: Tensor) -> np.ndarray:
    """−ln P of each symbol of one text (T,) but the first, shape (T − 1,): entry t is that of symbol t + 1."""
    _check_length(tokens, least=2)
    with _evaluating(model):
        log_probs = model(tokens[None, :-1].to(model.device)).logits[0].log_softmax(-1)  # (T−1, V)
    return -log_probs.gather(1, tokens[1:, None].to(model.device))[:, 0].cpu().numpy()


@contextmanager
def ablated(model: LSTM, *ablations: Ablation) -> Iterator[LSTM]:
    """Within this block the model works with these ablations, and those of a block around it; then as before."""
    for ablation in ablations:
        _check(ablation, model)
    before = model.way
    outer = before.ablations if isinstance(before, _SlowWay) else ()
    model.way = _SlowWay(model, (*outer, *ablations))
    try:
        yield model
    finally:
        model.way = before


@contextmanager
def _watched(model: LSTM) -> Iterator[list[dict[str, list[Tensor]]]]:
    """The lists, one a layer, that fill up with what the model holds while it reads."""
    with ablated(model):
        model.way.kept = [{name: [] for name in NAMES} for _ in model.cells]
        yield model.way.kept


@contextmanager
def _evaluating(model: LSTM) -> Iterator[None]:
    was_training = model.training
    model.eval()
    try:
        yield
    finally:
        model.train(was_training)


class _SlowWay:
    """A way to take a cell along a text, as `lstm.run_steps` is, that holds ablated numbers and keeps what it saw."""

    def __init__(self, model: LSTM, ablations: tuple[Ablation, ...]):
        self.layer_of = {cell: layer for layer, cell in enumerate(model.cells)}
        self.ablations = ablations
        self.kept: list[dict[str, list[Tensor]]] | None = None

    def __call__(self, cell: LSTMCell, x: Tensor, state: State) -> Run:
        layer, outputs = self.layer_of[cell], []
        held = [ablation for ablation in self.ablations if ablation.layer == layer]
        h, c = state
        for t in range(x.shape[1]):
            f, i, g, o = (_hold(gate, name, held) for gate, name in zip(cell.gates(x[:, t], h), "figo", strict=True))
            c = _hold(f * c + i * g, "c", held)
            h = o * c.tanh()
            outputs.append(h)
            if self.kept is not None:
                for name, value in zip(NAMES, (f, i, g, o, c, h), strict=True):
                    self.kept[layer][name].append(value[0])  # the one text: (1, H) -> (H,)
        return stacked(outputs, like=h), (h, c)


def _hold(values: Tensor, name: str, ablations: list[Ablation]) -> Tensor:
    """A copy of the values (B, H) with those numbers held that an ablation of this name asks for."""
    for ablation in ablations:
        if ablation.gate == name:
            values = values.clone()
            values[:, list(ablation.units)] = ablation.value
    return values


def _check_length(tokens: Tensor, least: int) -> None:
    if tokens.ndim != 1 or len(tokens) < least:
        raise ValueError(f"expected one text of {least} symbols or more, shape (T,); got shape {tuple(tokens.shape)}")


def _check(ablation: Ablation, model: LSTM) -> None:
    if ablation.gate not in tuple("figoc"):
        raise ValueError(f"there is no gate {ablation.gate!r}: choose 'f', 'i', 'g', 'o', or 'c' for the cell")
    if not 0 <= ablation.layer < len(model.cells):
        raise ValueError(f"there is no layer {ablation.layer}: this model has 0 to {len(model.cells) - 1}")
    for unit in ablation.units:
        if not 0 <= unit < model.hidden:
            raise ValueError(f"there is no unit {unit}: this model has 0 to {model.hidden - 1}")
