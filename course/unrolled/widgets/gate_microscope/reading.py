"""What the gate microscope is given, read and held to its limits: ValueError, in one line, for what cannot be shown.

T is the number of characters, H the number of units.
"""

from collections.abc import Iterable, Mapping

import numpy as np

from ..arrays import numeric

NAMES = {"f": "forget gate", "i": "input gate", "g": "proposal", "o": "output gate", "c": "cell", "h": "state"}
AS_TRAINED = "as trained"

# A page of the book may weigh 1.2 MB with all that is on it; a number is one byte, four thirds of one in the page.
_MOST_CHARACTERS, _MOST_UNITS, _MOST_NUMBERS = 500, 256, 120_000


def check_text(text) -> None:
    if not isinstance(text, str) or not text:
        raise ValueError(f"the text is {text!r}: it must be a string with at least one character")
    if len(text) > _MOST_CHARACTERS:
        raise ValueError(
            f"the text has {len(text)} characters and there is room for {_MOST_CHARACTERS}: "
            f"give text[:{_MOST_CHARACTERS}] and the same part of every array"
        )


def read_arrays(arrays, length: int) -> dict[str, np.ndarray]:
    if not isinstance(arrays, Mapping) or not arrays:
        raise ValueError('arrays must be a dictionary with at least one array, such as {"f": forget_gates}')
    if unknown := [letter for letter in arrays if letter not in NAMES]:
        raise ValueError(f"there is no array {unknown[0]!r}: letters are {', '.join(NAMES)}")
    read = {letter: _read_array(letter, values, length) for letter, values in arrays.items()}
    if len({values.shape for values in read.values()}) > 1:
        shapes = ", ".join(f"{letter} {values.shape}" for letter, values in read.items())
        raise ValueError(f"the arrays have different numbers of units: {shapes}")
    return read


def _read_array(letter: str, values, length: int) -> np.ndarray:
    values = numeric(values, letter)
    if values.ndim != 2 or values.shape[0] != length or values.shape[1] == 0:
        raise ValueError(f"{letter} has shape {values.shape}: expected ({length}, H), one row for each character")
    if not np.isfinite(values).all():
        t, unit = np.argwhere(~np.isfinite(values))[0]
        raise ValueError(f"{letter} is {values[t, unit]} at character {t}, unit {unit}: nothing can be drawn there")
    low, high = {"f": (0, 1), "i": (0, 1), "o": (0, 1), "g": (-1, 1), "h": (-1, 1)}.get(letter, (-np.inf, np.inf))
    if values.min() < low - 1e-6 or values.max() > high + 1e-6:
        found = f"from {values.min():.3g} to {values.max():.3g}"
        raise ValueError(f"{letter} runs {found}, but the {NAMES[letter]} lies between {low} and {high}: which is it?")
    return values


def read_units(units: Iterable | None, hidden: int) -> list[int]:
    units = list(range(hidden)) if units is None else [int(unit) for unit in units]
    if not units or len(set(units)) < len(units) or min(units) < 0 or max(units) >= hidden:
        raise ValueError(f"units are {units}: expected different numbers from 0 to {hidden - 1}, at least one")
    return units


def check_size(arrays: int, length: int, units: int) -> None:
    room = min(_MOST_UNITS, _MOST_NUMBERS // (arrays * length))
    if units > room:
        raise ValueError(
            f"{units} units × {length} characters × {arrays} arrays are too much for a page: "
            f"name at most {room} of the units (units=…, `followers` finds them), or give fewer arrays or less text"
        )


def read_labels(labels: Mapping, length: int) -> dict[str, np.ndarray]:
    read = {}
    for name, values in labels.items():
        values = numeric(values, f"label {name!r}")
        if not isinstance(name, str) or not name:
            raise ValueError(f"a label is called {name!r}: it needs a name, a string")
        if values.shape != (length,) or not np.isfinite(values).all():
            raise ValueError(f"label {name!r} has shape {values.shape}: expected ({length},), all finite")
        read[name] = values
    return read


def _read_losses(losses, length: int, whose: str) -> np.ndarray:
    losses = numeric(losses, f"the list of losses {whose}")
    if losses.shape == (length - 1,):
        losses = np.concatenate([[np.nan], losses])
    if losses.shape != (length,) or np.isinf(losses).any() or np.isnan(losses).all():
        raise ValueError(f"the losses {whose} have shape {losses.shape}: expected ({length},), in nats, none infinite")
    return losses


def read_variants(losses, variants: Mapping, length: int) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Losses (T,) and sample of each variant; "as trained" comes first. No losses at all if none are given."""
    variants = {AS_TRAINED: {}, **variants}
    if losses is None:
        losses = variants[AS_TRAINED].get("losses")
    if losses is None and len(variants) > 1:
        raise ValueError("variants are compared with the net as trained: give its losses")
    variants[AS_TRAINED] = {"sample": variants[AS_TRAINED].get("sample", ""), "losses": losses}
    lost = {}
    for name, variant in variants.items():
        if not isinstance(variant, Mapping) or "losses" not in variant:
            raise ValueError(f"variant {name!r} has no losses: expected {{'losses': …, 'sample': …}}")
        if losses is not None:
            lost[name] = _read_losses(variant["losses"], length, f"of {name!r}")
    return lost, {name: str(variant.get("sample", "")) for name, variant in variants.items()}
