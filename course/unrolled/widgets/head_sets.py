"""Sets of attention weights, all layers and heads, read from what a notebook has, and packed into a byte a weight.

A set is one array (L, H, M, N), or a tuple with a tensor for each layer, as Hugging Face's models return it. What can't
be shown is refused in one line.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .arrays import numeric
from .tokens import read_words

MOST_TOKENS = 96  # of a row
MOST_BYTES = 700_000  # sent, of all sets together: a third more in a page, where bytes are written as text
STEPS = 255  # a weight is sent as so many steps of the heaviest of its row
_SLACK = 0.005  # a row's sum may miss 1 by this much: weights in bfloat16 do
_ALONE = "attention"
_NO_WEIGHTS = "the model returned no weights; it gives them when asked for (output_attentions=True)"


@dataclass(frozen=True)
class HeadSet:
    """The weights of L layers with H heads, in which M queries look at N keys."""

    queries: str  # the row of tokens that look: "tokens" or "context"
    keys: str  # the row of tokens that are seen
    weights: np.ndarray  # float32 (L, H, M, N), as given
    codes: np.ndarray  # uint8 (L, H, M, N), as sent
    scales: np.ndarray  # float32 (L, H, M): the heaviest weight of each row

    @property
    def size(self) -> int:
        return self.codes.nbytes + self.scales.nbytes

    def shown(self) -> np.ndarray:
        """(L, H, M, N) float64: the weights as the browser reads them from codes and scales."""
        return self.scales.astype(float)[..., None] * self.codes / STEPS


def read_sets(tokens, attentions, context, sentence: int) -> tuple[dict[str, list[str]], dict[str, HeadSet]]:
    """The rows of tokens and the sets by name; a single set is called “attention”."""
    rows = {"tokens": read_words(tokens, "tokens", MOST_TOKENS)}
    rows["context"] = [] if context is None else read_words(context, "context", MOST_TOKENS)
    if not isinstance(attentions, Mapping):
        sides = ("tokens", "context" if rows["context"] else "tokens")
        sets = {_ALONE: _read_set(attentions, "attentions", sides, rows, sentence)}
    else:
        sets = {
            name: _read_set(one, f"attentions[{name!r}]", _sides(name, rows), rows, sentence)
            for name, one in _named(attentions).items()
        }
    _check_size(sets)
    return rows, sets


def _named(attentions: Mapping) -> Mapping:
    if not attentions or not all(isinstance(name, str) and name for name in attentions):
        raise ValueError("attentions must have a name for each set, as {'encoder': …, 'decoder': …, 'cross': …}")
    return attentions


def _sides(name: str, rows: dict) -> tuple[str, str]:
    """Which row of tokens looks at which: an encoder's context at itself, in a cross set one row at the other."""
    sides = {"encoder": ("context", "context"), "cross": ("tokens", "context")}.get(name, ("tokens", "tokens"))
    if "context" in sides and not rows["context"]:
        raise ValueError(f"attentions[{name!r}] needs context=…, the tokens that the encoder reads")
    return sides


def _check_size(sets: dict[str, HeadSet]) -> None:
    if (size := sum(one.size for one in sets.values())) > MOST_BYTES:
        shapes = ", ".join(f"{name} {one.codes.shape}" for name, one in sets.items())
        raise ValueError(
            f"these weights are {size / 1000:.0f} kB ({shapes}) and at most {MOST_BYTES / 1000:.0f} kB can be sent: "
            "give fewer layers or a shorter text"
        )


# --- one set


def _read_set(attentions, name: str, sides: tuple[str, str], rows: dict, sentence: int) -> HeadSet:
    queries, keys = (rows[side] for side in sides)
    weights = _layers(attentions, name, (len(queries), len(keys)), sentence)  # (L, H, M, N)
    _check_rows(weights, name, queries)
    return HeadSet(*sides, weights.astype("<f4"), *pack(weights))


def _layers(attentions, name: str, sizes: tuple[int, int], sentence: int) -> np.ndarray:
    """(L, H, M, N) from a layer's tensor each, or from one array that may lack the first axes."""
    if not _is_layered(attentions):
        array = numeric(attentions, name)
        _check_shape(array, name, sizes, most=4)
        return array.reshape((1,) * (4 - array.ndim) + array.shape)
    layers = [_layer(one, f"{name}[{n}]", sizes, sentence) for n, one in enumerate(attentions)]
    if len({one.shape for one in layers}) > 1:
        raise ValueError(f"{name} has layers with {', '.join(str(len(one)) for one in layers)} heads: give equal ones")
    return np.stack(layers)


def _is_layered(attentions) -> bool:
    if isinstance(attentions, str) or not isinstance(attentions, Sequence):
        return False
    return len(attentions) > 0 and all(one is None or hasattr(one, "shape") for one in attentions)


def _layer(one, name: str, sizes: tuple[int, int], sentence: int) -> np.ndarray:
    """(H, M, N) of one layer: of a batch (B, H, M, N), the chosen sentence."""
    if one is None:
        raise ValueError(f"{name} is None: {_NO_WEIGHTS}")
    array = numeric(one, name)
    _check_shape(array, name, sizes, most=4)
    if array.ndim < 4:
        return array.reshape((-1, *array.shape[-2:]))
    if not isinstance(sentence, int | np.integer) or not 0 <= sentence < len(array):
        raise ValueError(f"sentence is {sentence!r}: {name} has a batch of {len(array)}, counted from 0")
    return array[sentence]


def _check_shape(array: np.ndarray, name: str, sizes: tuple[int, int], most: int) -> None:
    if array.ndim == 0 and np.isnan(array):
        raise ValueError(f"{name} is None: {_NO_WEIGHTS}")
    if 2 <= array.ndim <= most and array.shape[-2:] == sizes and array.size:
        return
    wanted = f"(…, heads, {sizes[0]}, {sizes[1]}), a row for each token that looks and a column for each that is seen"
    turned = ". It may be transposed" if array.shape[-2:] == sizes[::-1] != sizes else ""
    raise ValueError(f"{name} has shape {array.shape}: expected {wanted}{turned}")


def _check_rows(weights: np.ndarray, name: str, queries: list[str]) -> None:
    """Finite, none below 0, and each row with sum 1, or with nothing but zeros."""

    def refuse(wrong: np.ndarray, what) -> None:
        if wrong.any():
            layer, head, row = map(int, np.argwhere(wrong)[0])
            where = f"{name}, layer {layer}, head {head}, row {row}, that of “{queries[row]}”"
            raise ValueError(f"{where}, {what(weights[layer, head, row])}")

    sums = weights.sum(-1)  # (L, H, M)
    refuse(~np.isfinite(weights).all(-1), lambda _: "has a number that is not finite")
    refuse((weights < 0).any(-1), lambda row: f"has {row.min():.3g}: no weight is below 0")
    hint = "must sum to 1, or to 0 if it may see nothing. Dropout spoils the sums: model.eval() before"
    refuse((abs(sums - 1) > _SLACK) & weights.any(-1), lambda row: f"sums to {row.sum():.3f}: a row {hint}")


def pack(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Codes 0 to 255, uint8, and the heaviest of each row, float32: a weight is code · heaviest / 255.

    0 alone becomes code 0, so that what may not be seen is told from what is hardly seen: less than half a step is sent
    as one. The heaviest is exact to float32 and alone has code 255, so that no lighter one is taken for it. Every other
    weight is at most half a step off, and one that nearly equals the heaviest, a whole step.
    """
    scales = weights.max(-1).astype("<f4")  # (L, H, M)
    steps = STEPS * weights / np.where(scales > 0, scales, 1).astype(float)[..., None]
    most = np.where(weights.astype("<f4") == scales[..., None], STEPS, STEPS - 1)
    codes = np.where(weights > 0, np.clip(np.rint(steps), 1, most), 0)
    return codes.astype(np.uint8), scales
