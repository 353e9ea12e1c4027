"""Weights and a true alignment, read from what a notebook has; what can't be shown is refused in one line."""

from collections.abc import Mapping, Sequence

import numpy as np

from ..arrays import numeric

_MOST_SCORES = 6
_SLACK = 0.005  # a row's sum may miss 1 by this much: weights in bfloat16 do


def read_weights(weights, source: list[str], target: list[str]) -> dict[str, np.ndarray]:
    """{score: (M, N) float32}; a single matrix is called “attention”. ValueError, in one line, for what is none."""
    if not isinstance(weights, Mapping):
        return {"attention": _read_matrix(weights, "weights", source, target)}
    if not 1 <= len(weights) <= _MOST_SCORES or not all(isinstance(name, str) and name for name in weights):
        raise ValueError(f"weights has {len(weights)} scores: give 1 to {_MOST_SCORES}, {{name: matrix}}")
    return {name: _read_matrix(matrix, f"weights[{name!r}]", source, target) for name, matrix in weights.items()}


def _read_matrix(matrix, name: str, source: list[str], target: list[str]) -> np.ndarray:
    matrix, wanted = numeric(matrix, name), (len(target), len(source))
    if matrix.shape != wanted:
        turned = ". It may be transposed" if matrix.shape == wanted[::-1] else ""
        rows = f"expected {wanted}, a row for each target word and a column for each source word"
        raise ValueError(f"{name} has shape {matrix.shape}: {rows}{turned}")
    if not np.isfinite(matrix).all():
        row = int(np.argmin(np.isfinite(matrix).all(1)))
        raise ValueError(f"{name} has a number that is not finite in row {row}, that of “{target[row]}”")
    if (matrix < 0).any():
        row = int(np.argmax((matrix < 0).any(1)))
        raise ValueError(
            f"{name} has {matrix[row].min():.3g} in row {row}, that of “{target[row]}”: no weight is below 0"
        )
    sums = matrix.sum(1)  # (M,)
    if (wrong := abs(sums - 1) > _SLACK).any():
        row = int(np.argmax(wrong))
        where = f"row {row} of {name}, that of “{target[row]}”,"
        raise ValueError(f"{where} sums to {sums[row]:.3f}: the weights of a step must sum to 1")
    return matrix.astype("<f4")


def read_aligned(aligned, source: list[str], target: list[str]) -> list[int]:
    """Of each target word its true source word, −1 for none; [] if no alignment is given."""
    if aligned is None:
        return []
    if isinstance(aligned, str) or not isinstance(aligned, Sequence) or len(aligned) != len(target):
        raise ValueError(
            f"aligned must be a list with the place of a source word, or None, for each of {len(target)} words"
        )
    for place in aligned:
        if place is not None and not (isinstance(place, int | np.integer) and 0 <= place < len(source)):
            raise ValueError(f"aligned has {place!r}: give the place of a source word, 0 to {len(source) - 1}, or None")
    return [-1 if place is None else int(place) for place in aligned]
