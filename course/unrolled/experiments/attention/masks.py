"""Eleven language models, some of which see what they are to predict: for the leak detector of unit 6.

    for name, model in suspects().items():
        logits = model(ids)                    # ids (B, N) int64, 0 … VOCABULARY − 1; logits (B, N, VOCABULARY) float32

All say that position i has seen ids 0 … i and no more. They are not trained: whether a net leaks does not depend on
that. N is whatever you like, from 1 to a few hundred. The last lines of this file give away which of them leak, and
how: guess first, by a test of yours.
"""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from unrolled.attention import MultiHeadAttention, causal_mask, sinusoids

VOCABULARY, WIDTH, HEADS = 12, 16, 2
Model = Callable[[Tensor], Tensor]


def suspects(seed: int = 0) -> dict[str, Model]:
    """Names, and what answers ids with logits: on the CPU, without gradients, the same at each call."""
    return {name: _Suspect(seed + number, **faults) for number, (name, faults) in enumerate(_MADE.items())}


def sees_ahead(name: str, n: int) -> list[bool]:
    """Of each of n positions: whether it ever sees an id that comes after it. The truth, to hold a detector against."""
    return [_AHEAD[name](i, n) and i < n - 1 for i in range(n)]


class _Suspect:
    """Two layers of attention with positions; each part may be exchanged."""

    def __init__(self, seed: int, first=None, second=None, after=None):
        chance = torch.Generator().manual_seed(seed)
        self._E, self._V = (torch.randn(VOCABULARY, WIDTH, generator=chance) for _ in range(2))
        self._layers = [_layer(chance) for _ in range(2)]
        self._looks = first or _before, second or _before
        self._after = after or (lambda x: x)

    @torch.no_grad()
    def __call__(self, ids: Tensor) -> Tensor:
        x = self._E[ids] + sinusoids(ids.shape[1], WIDTH)  # (B, N, D)
        for layer, look in zip(self._layers, self._looks, strict=True):
            x = x + look(layer, x, ids)
        return self._after(x) @ self._V.T  # (B, N, D) @ (D, V)


def _layer(chance: torch.Generator) -> MultiHeadAttention:
    layer = MultiHeadAttention(WIDTH, HEADS)
    for part in layer.parameters():
        part.data.normal_(0, WIDTH**-0.5, generator=chance)
    return layer


def _places(ids: Tensor) -> tuple[Tensor, Tensor]:
    """i (N, 1) and j (1, N)."""
    n = torch.arange(ids.shape[1])
    return n[:, None], n[None]


# --- do not read on before you have guessed --------------------------------------------------------------------------


def _before(layer, x, ids):
    return layer(x, mask=causal_mask(x.shape[1]))


def _one_more(layer, x, ids):
    i, j = _places(ids)
    return layer(x, mask=j <= i + 1)


def _turned(layer, x, ids):
    return layer(x, mask=causal_mask(x.shape[1]).T)


def _all(layer, x, ids):
    return layer(x)


def _blocks(layer, x, ids):
    i, j = _places(ids)
    return layer(x, mask=j // 3 <= i // 3)


def _short(layer, x, ids):
    i, j = _places(ids)
    return layer(x, mask=(j <= i) | (i >= 6))


def _rarely(layer, x, ids):
    i, j = _places(ids)
    return layer(x, mask=(j <= i) | (ids == 7)[:, :, None])


def _faintly(layer, x, ids):
    return 0.98 * _before(layer, x, ids) + 0.02 * layer(x)


def _mean_so_far(x):
    return x + x.cumsum(1) / torch.arange(1, x.shape[1] + 1)[:, None]


def _mean_of_all(x):
    return x + x.mean(1, keepdim=True)


def _norm_over_time(x):
    return F.layer_norm(x.mT, x.shape[1:2]).mT


_MADE = {
    "Ada": {},
    "Bela": {"first": _one_more},
    "Cleo": {"second": _all},
    "Dora": {"after": _mean_so_far},
    "Emil": {"first": _blocks},
    "Frida": {"after": _norm_over_time},
    "Gus": {"first": _rarely},
    "Hugo": {"after": _mean_of_all},
    "Ida": {"first": _short},
    "Jan": {"first": _turned, "second": _turned},
    "Kim": {"second": _faintly},
}
LEAKS = {
    "Bela": "the first mask lets position i look at i + 1: off by one",
    "Cleo": "only the second layer has no mask",
    "Emil": "the mask ends at the end of a block of three, so that the last of each block sees nothing too much",
    "Frida": "the last norm is over time, where it should be over the numbers of a vector",
    "Gus": "a position that holds the word 7 looks at everything",
    "Hugo": "the mean over all positions is added at the end",
    "Ida": "the mask was made for six positions; from the seventh on nothing is hidden",
    "Jan": "the masks are transposed: each position sees itself and what follows",
    "Kim": "in the second layer 2 % come from attention without a mask",
}
_AHEAD = dict.fromkeys(_MADE, lambda i, n: True) | {
    "Ada": lambda i, n: False,
    "Dora": lambda i, n: False,
    "Emil": lambda i, n: i % 3 < 2,
    "Ida": lambda i, n: i >= 6,
}
# Ada and Dora are sound: a mean over what has been so far is no leak.
