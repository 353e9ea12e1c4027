"""A head in a few numbers: where its weight lies on average, and how evenly."""

import numpy as np

HABITS = ("itself", "the token before", "the token after", "the first token")
_OFFSETS = (0, -1, 1)


def habits_of(weights: np.ndarray) -> np.ndarray:
    """(…, M, N) weights -> (…, 6): mean weight on the token itself, the one before, the one after and the first token,
    mean entropy in bits, and the share of rows that see anything.

    Means are taken over the rows that see anything and have such a token: the first row has none before it. Nothing to
    take a mean of gives 0.
    """
    weights = weights.astype(float)
    sees = weights.any(-1)  # (…, M)
    on = [_on_diagonal(weights, sees, offset) for offset in _OFFSETS]
    first = _mean(weights[..., 0], sees)
    bits = -(weights * np.log2(np.where(weights > 0, weights, 1))).sum(-1)  # (…, M)
    return np.stack([*on, first, _mean(bits, sees), sees.mean(-1)], -1)


def _on_diagonal(weights: np.ndarray, sees: np.ndarray, offset: int) -> np.ndarray:
    along = np.diagonal(weights, offset, -2, -1)  # weights[i, i + offset]
    start = max(0, -offset)
    return _mean(along, sees[..., start : start + along.shape[-1]])


def _mean(values: np.ndarray, counts: np.ndarray) -> np.ndarray:
    return (values * counts).sum(-1) / np.maximum(counts.sum(-1), 1)
