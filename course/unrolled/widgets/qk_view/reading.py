"""Queries, keys and a mask, read from what a notebook has; what can't be shown is refused in one line."""

import numpy as np

from ..arrays import numeric

MOST_WIDE = 128  # numbers in a query
MOST_BYTES = 700_000  # sent: a third more in a page, where bytes are written as text


def read_vectors(values, name: str, tokens: list[str], sentence: int) -> np.ndarray:
    """(H, tokens, K) float32 from (tokens, K), (H, tokens, K) or a batch (B, H, tokens, K)."""
    array = numeric(values, name)
    if not 2 <= array.ndim <= 4 or array.shape[-2] != len(tokens) or not array.size:
        wanted = f"({len(tokens)}, K), (heads, {len(tokens)}, K) or (B, heads, {len(tokens)}, K), a row for each token"
        raise ValueError(f"{name} has shape {array.shape}: expected {wanted}")
    if array.shape[-1] > MOST_WIDE:
        raise ValueError(f"{name} has {array.shape[-1]} numbers a token: up to {MOST_WIDE} can be shown")
    array = _one_of(array, name, sentence).reshape(-1, *array.shape[-2:])
    if not np.isfinite(array).all():
        head, row = map(int, np.argwhere(~np.isfinite(array).all(-1))[0])
        raise ValueError(f"{name} has a number that is not finite in head {head}, row {row}, that of “{tokens[row]}”")
    return array.astype("<f4")


def _one_of(array: np.ndarray, name: str, sentence: int) -> np.ndarray:
    if array.ndim < 4:
        return array
    if not isinstance(sentence, int | np.integer) or not 0 <= sentence < len(array):
        raise ValueError(f"sentence is {sentence!r}: {name} has a batch of {len(array)}, counted from 0")
    return array[sentence]


def check_pair(queries: np.ndarray, keys: np.ndarray) -> None:
    """As many heads, as wide vectors, and not too many bytes."""
    for axis, what in ((0, "heads"), (2, "numbers a token")):
        if queries.shape[axis] != keys.shape[axis]:
            raise ValueError(f"q has {queries.shape[axis]} {what} and k has {keys.shape[axis]}: give as many to both")
    if (size := queries.nbytes + keys.nbytes) > MOST_BYTES:
        raise ValueError(
            f"q and k are {size / 1000:.0f} kB and at most {MOST_BYTES / 1000:.0f} kB can be sent: "
            "give fewer heads or a shorter text"
        )


def read_mask(mask, sizes: tuple[int, int]) -> np.ndarray:
    """bool (M, N), True where a query may look; None is True everywhere."""
    if mask is None:
        return np.ones(sizes, bool)
    array = np.asarray(mask.detach().cpu() if hasattr(mask, "detach") else mask)
    if array.dtype != bool:
        raise ValueError(f"mask is made of {array.dtype}: give bools, True where a query may look")
    shape = array.shape
    while array.ndim > 2 and len(array) == 1:
        array = array[0]
    try:
        return np.array(np.broadcast_to(array, sizes))
    except ValueError:
        raise ValueError(f"mask has shape {shape}: expected {sizes}, of one sentence and for all heads alike") from None
