"""The gate microscope: what each unit of an LSTM does at every character of a text, and what it is good for.

    GateMicroscope(text, {"f": f, "c": c}, losses, labels={"in quotes": quoted}, variants=variants)

Units that follow something a person can name (quotes, line lengths, brackets) were found in this way by Karpathy,
Johnson and Fei-Fei (2015). Which unit follows which label is found here by correlation. What the net does with a gate
switched off is computed beforehand, as variants, so that the microscope also works on a page without a kernel.

Numbers travel as one byte each: rounded to 255 steps between the least and the largest of their row. Correlations are
computed before that. Left out on purpose: several layers at once (give one of them), and running the net.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from traitlets import Bytes, Int, List, Unicode

from ..arrays import numeric
from ..modules import join_module
from ..tables import TabledWidget, html_table
from ..traits import ruled, set_traits
from .reading import (
    AS_TRAINED,
    NAMES,
    check_size,
    check_text,
    read_arrays,
    read_labels,
    read_units,
    read_variants,
)

_HERE = Path(__file__).parent
_ROWS = 12  # units shown at once

_RULES = {
    "array": (lambda widget, letter: letter in widget.arrays, "the letter of an array that was given"),
    "order": (lambda widget, name: name in ("", *widget.labels), "the name of a label, or '' for the units' numbers"),
    "page": (lambda widget, page: 0 <= page * _ROWS < len(widget.units), f"a page of {_ROWS} units, from 0"),
    "variant": (lambda widget, name: name in widget.variants, "the name of a variant that was given"),
    "character": (lambda widget, t: 0 <= t < len(widget.text), "from 0 to the last character of the text"),
    "unit": (lambda widget, unit: unit in widget.units, "the number of a unit that is shown"),
}


class GateMicroscope(TabledWidget):
    """A text along the top, below it a row for each unit, coloured by a gate, the cell or the state at each character.

    text: a string of T characters, at most 500.
    arrays: {"f": (T, H), …}, letters among f, i, g, o (gates and proposal), c (cell) and h (state), as they are after
        the character was read; numpy arrays or tensors.
    losses: (T,), in nats: how surprising each character was after those before it; NaN where it was not predicted.
        T − 1 numbers are taken as those of all characters but the first. None: no losses are shown.
    labels: {"in quotes": (T,), …}, what is true at each character, as numbers.
    variants: {"forget gate of unit 17 closed": {"losses": (T,), "sample": what it writes}, …}; "as trained" may be one
        of them, for its sample. A sample may be left out.
    units: the units to be shown, numbers from 0 to H − 1; None: all. At most 256, and 120,000 numbers in all arrays.

    Traits that may be read and set at any time: array (a letter), order (a label that the units are sorted by, or ""),
    page, variant, and what is looked at: character and unit. Everything is counted from 0.
    ValueError, in one line, for what cannot be shown.
    """

    _esm = join_module(_HERE / "view.js")
    _css = join_module(_HERE / "style.css")

    text = Unicode().tag(sync=True)
    arrays = List(Unicode()).tag(sync=True)  # their letters, A of them
    units = List(Int()).tag(sync=True)  # U of them
    rows = Int(_ROWS).tag(sync=True)
    numbers = Bytes().tag(sync=True)  # uint8 (A, U, T)
    ranges = Bytes().tag(sync=True)  # float32 (A, U, 2): the numbers that the bytes 0 and 255 stand for
    labels = List(Unicode()).tag(sync=True)  # their names, L of them
    truths = Bytes().tag(sync=True)  # float32 (L, T)
    follows = Bytes().tag(sync=True)  # correlations, float32 (L, A, U)
    variants = List(Unicode()).tag(sync=True)  # their names, "as trained" first, N of them
    losses = Bytes().tag(sync=True)  # float32 (N, T), or empty
    samples = List(Unicode()).tag(sync=True)  # N of them

    array = Unicode().tag(sync=True)
    order = Unicode("").tag(sync=True)
    page = Int(0).tag(sync=True)
    variant = Unicode(AS_TRAINED).tag(sync=True)
    character = Int(0).tag(sync=True)
    unit = Int(0).tag(sync=True)
    _hold_to_rules = ruled(_RULES)

    def __init__(self, text, arrays, losses=None, labels=None, variants=None, units=None, **state):
        check_text(text)
        exact = read_arrays(arrays, len(text))
        units = read_units(units, next(iter(exact.values())).shape[1])
        check_size(len(exact), len(text), len(units))
        exact = np.stack([values[:, units].T for values in exact.values()])  # (A, U, T)
        truths = read_labels(labels or {}, len(text))
        lost, samples = read_variants(losses, variants or {}, len(text))
        numbers, ranges = _round(exact)
        self._values = _restore(numbers, ranges)
        self._follows = np.array([[correlations(rows.T, truth) for rows in exact] for truth in truths.values()])
        self._losses = np.array(list(lost.values()))
        super().__init__(
            text=text,
            arrays=list(arrays),
            units=units,
            numbers=numbers.tobytes(),
            ranges=ranges.tobytes(),
            labels=list(truths),
            truths=np.array(list(truths.values()), "<f4").tobytes(),
            follows=self._follows.astype("<f4").tobytes(),
            variants=list(samples),
            losses=self._losses.astype("<f4").tobytes(),
            samples=list(samples.values()),
        )
        order = self.labels[0] if self.labels else ""
        start = {"array": self.arrays[0], "order": order, **state}
        set_traits(self, tuple(_RULES), start)
        if "unit" not in state:
            self.unit = self.in_order()[self.page * _ROWS]

    def values(self, array: str) -> np.ndarray:
        """An array (T, U) as it is shown: rounded to 255 steps between the least and the largest of each unit."""
        return self._values[self.arrays.index(array)].T

    def correlation(self, label: str, array: str | None = None) -> np.ndarray:
        """How well each unit (U,) follows a label, −1 to 1, in an array (None: the chosen one)."""
        return self._follows[self.labels.index(label), self.arrays.index(array or self.array)]

    def in_order(self) -> list[int]:
        """The units as they are sorted now: the one that follows the label best first, or by number."""
        if not self.order:
            return list(self.units)
        best = np.argsort(-np.abs(self.correlation(self.order).astype("<f4")), kind="stable")
        return [self.units[i] for i in best]

    def change(self, variant: str | None = None) -> np.ndarray:
        """By how much a variant (None: the chosen one) raises the loss at each character, (T,) in nats."""
        return self._losses[self.variants.index(variant or self.variant)] - self._losses[0]

    def _beside(self) -> tuple[str, str]:
        return f"gate microscope: {_sentence(self)}", _tables(self)


def correlations(values, label) -> np.ndarray:
    """How well each of H units follows a label: correlations (H,), −1 to 1, of values (T, H) with label (T,).

    A unit that always says the same follows nothing: 0.
    """
    values, label = (x - x.mean(0) for x in (numeric(values, "values"), numeric(label, "label")))
    scale = np.sqrt((values**2).sum(0) * (label**2).sum())
    return np.divide(label @ values, scale, out=np.zeros(values.shape[1]), where=scale > 1e-9)  # (T,) @ (T, H) -> (H,)


def followers(values, labels: Mapping, count: int) -> list[int]:
    """The `count` units, of values (T, H), that follow the labels best, each label choosing in turn."""
    queues = [iter(np.argsort(-np.abs(correlations(values, label)), kind="stable")) for label in labels.values()]
    in_turn = (int(unit) for best in zip(*queues, strict=True) for unit in best)
    return list(dict.fromkeys(in_turn))[:count]


# --- one byte a number


def _round(exact: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Bytes (A, U, T), and the least and the largest number of each row (A, U, 2)."""
    ranges = np.stack([exact.min(-1), exact.max(-1)], axis=-1).astype("<f4")
    low, high = ranges[..., :1].astype(float), ranges[..., 1:].astype(float)
    steps = 255 * (exact - low) / np.where(high > low, high - low, 1)
    return steps.round().clip(0, 255).astype(np.uint8), ranges


def _restore(numbers: np.ndarray, ranges: np.ndarray) -> np.ndarray:
    low, high = ranges[..., :1].astype(float), ranges[..., 1:].astype(float)
    return low + numbers / 255 * (high - low)


# --- the tables beside the view


def _sentence(widget: GateMicroscope) -> str:
    said = [f"{len(widget.units)} units at {len(widget.text)} characters"]
    if len(widget._losses):
        said.append(f"mean loss {np.nanmean(widget._losses[0]):.2f} nats")
    if widget.variant != AS_TRAINED:
        said.append(f"{widget.variant}: {np.nanmean(widget.change()):+.2f}")
    return ", ".join(said)


def _tables(widget: GateMicroscope) -> str:
    tables = [_table_of_units(widget)]
    if len(widget.variants) > 1:
        tables.append(_table_of_variants(widget))
    return "".join(tables)


def _table_of_units(widget: GateMicroscope) -> str:
    """For each label and array the unit that follows it best; without labels, the mean of the first units."""
    head = ["", *(f"{NAMES[letter]} {letter}" for letter in widget.arrays)]
    if not widget.labels:
        means = np.array([widget.values(letter).mean(0) for letter in widget.arrays])  # (A, U)
        rows = [[f"unit {unit}", *(f"{m:.2f}" for m in means[:, i])] for i, unit in enumerate(widget.units[:_ROWS])]
        return html_table(f"Means over the text; {_sentence(widget)}", head, rows)
    rows = [[label, *(_best(widget, label, letter) for letter in widget.arrays)] for label in widget.labels]
    return html_table(f"Which unit follows what, and its correlation; {_sentence(widget)}", head, rows)


def _best(widget: GateMicroscope, label: str, letter: str) -> str:
    found = widget.correlation(label, letter)
    best = int(np.abs(found).argmax())
    return f"unit {widget.units[best]}, {found[best]:+.2f}" if found[best] else "none"


def _table_of_variants(widget: GateMicroscope) -> str:
    head = ["", "mean loss, nats", "change", "writes"]
    rows = [
        [name, f"{np.nanmean(losses):.2f}", f"{np.nanmean(losses - widget._losses[0]):+.2f}", sample]
        for name, losses, sample in zip(widget.variants, widget._losses, widget.samples, strict=True)
    ]
    return html_table("What is lost when a part is switched off", head, rows)
