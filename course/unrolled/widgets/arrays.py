"""Numbers that a widget is given, in whatever shape a notebook has them."""

import numpy as np


def numeric(values, name: str) -> np.ndarray:
    """An array, a list, or a tensor on any device, as float64; ValueError, in one line, for what is no number."""
    if hasattr(values, "detach"):
        values = values.detach().cpu().double()
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{name} is not made of numbers: give an array, a tensor or a list") from None
