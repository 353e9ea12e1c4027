"""What the parts of blocks give, and where their heads look, read from what a notebook has.

What can't be shown is refused in one line.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from ..arrays import numeric
from .walking import LOOKS, NORMS, parts_of

MOST_WIDE = 128  # numbers in a vector
MOST_LAYERS = 24
MOST_HEADS = 24
MOST_BYTES = 700_000  # sent: a third more in a page, where bytes are written as text
_SLACK = 0.005  # a row's sum may miss 1 by this much: weights in bfloat16 do


def read_layers(layers, norm: str) -> tuple[list[Mapping], list[str]]:
    """The blocks, and the names of their parts; ValueError for a block that lacks one."""
    if norm not in NORMS:
        raise ValueError(f"norm is {norm!r}: it must be “pre” or “post”")
    if isinstance(layers, Mapping):
        layers = [layers]
    if not isinstance(layers, Sequence) or not all(isinstance(layer, Mapping) for layer in layers):
        raise ValueError("layers must be a list with a mapping for each block: {'norm1': …, 'attention': …, …}")
    if not 1 <= len(layers) <= MOST_LAYERS:
        raise ValueError(f"layers has {len(layers)} blocks: from 1 to {MOST_LAYERS} can be shown")
    parts = parts_of(norm, any("cross" in layer for layer in layers))
    given = [part for part in parts if not part.startswith("add")]
    for n, layer in enumerate(layers):
        if missing := [part for part in given if part not in layer]:
            raise ValueError(f"layers[{n}] lacks {missing[0]!r}: a block of this kind has {', '.join(given)}")
        if strange := [name for name in layer if name not in (*given, *LOOKS.values())]:
            raise ValueError(f"layers[{n}] has {strange[0]!r}: a block of this kind has {', '.join(given)}")
    return list(layers), parts


def read_rows(values, name: str, tokens: list[str], width: int | None, sentence: int) -> np.ndarray:
    """(N, D) float32 from (N, D) or a batch (B, N, D); width: D if it is known."""
    array = numeric(values, name)
    fits = 2 <= array.ndim <= 3 and array.shape[-2] == len(tokens) and array.size
    if not fits or width not in (None, array.shape[-1]):
        wide = "D" if width is None else width
        wanted = f"({len(tokens)}, {wide}) or (B, {len(tokens)}, {wide}), a row for each token"
        raise ValueError(f"{name} has shape {array.shape}: expected {wanted}")
    if array.shape[-1] > MOST_WIDE:
        raise ValueError(f"{name} has {array.shape[-1]} numbers a token: up to {MOST_WIDE} can be shown")
    array = _one_of(array, name, sentence, axes=2)
    if not np.isfinite(array).all():
        row = int(np.argmin(np.isfinite(array).all(1)))
        raise ValueError(f"{name} has a number that is not finite in row {row}, that of “{tokens[row]}”")
    return array.astype("<f4")


def read_looks(
    layer: Mapping, name: str, tokens: list[str], context: list[str], sentence: int
) -> dict[str, np.ndarray]:
    """Where the heads of a block look, if that is known: {"attention": (H, N, N), "cross": (H, N, M)} float32."""
    if layer.get("cross_weights") is not None and not context:
        raise ValueError(f"{name}['cross_weights'] needs context=…, the tokens of the memory")
    return {
        part: _read_weights(layer[key], f"{name}[{key!r}]", tokens, seen, sentence)
        for (part, key), seen in zip(LOOKS.items(), (tokens, context), strict=True)
        if layer.get(key) is not None
    }


def _read_weights(values, name: str, tokens: list[str], seen: list[str], sentence: int) -> np.ndarray:
    """From (H, N, M) or a batch (B, H, N, M); each row sums to 1, or is nothing but zeros."""
    array, sizes = numeric(values, name), (len(tokens), len(seen))
    if not 3 <= array.ndim <= 4 or array.shape[-2:] != sizes or not array.size:
        raise ValueError(f"{name} has shape {array.shape}: expected (heads, {sizes[0]}, {sizes[1]}), or a batch of it")
    array = _one_of(array, name, sentence, axes=3)
    if len(array) > MOST_HEADS:
        raise ValueError(f"{name} has {len(array)} heads: up to {MOST_HEADS} can be shown")
    wrong = ~((array >= 0).all(-1) & ((abs(array.sum(-1) - 1) <= _SLACK) | ~array.any(-1)))  # also what is no number
    if wrong.any():
        head, row = map(int, np.argwhere(wrong)[0])
        where = f"{name}, head {head}, row {row}, that of “{tokens[row]}”"
        raise ValueError(f"{where}: weights must sum to 1, or all be 0 where nothing may be seen, and none is below 0")
    return array.astype("<f4")


def check_size(arrays: list[np.ndarray]) -> None:
    """Not too many bytes."""
    if (size := sum(array.nbytes for array in arrays)) > MOST_BYTES:
        raise ValueError(
            f"these vectors and weights are {size / 1000:.0f} kB and at most {MOST_BYTES / 1000:.0f} kB can be sent: "
            "give fewer layers or a shorter text"
        )


def _one_of(array: np.ndarray, name: str, sentence: int, axes: int) -> np.ndarray:
    if array.ndim == axes:
        return array
    if not isinstance(sentence, int | np.integer) or not 0 <= sentence < len(array):
        raise ValueError(f"sentence is {sentence!r}: {name} has a batch of {len(array)}, counted from 0")
    return array[sentence]
