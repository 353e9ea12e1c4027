"""Eleven encoder–decoders that are not trained, some of them sick: for the diagnosis of unit 7.

    for name, model in suspects().items():
        logits = model(source, real, words)      # (B, N) int64, (B, N) bool, (B, M) int64 -> (B, M, U) float32

source and words hold ids of words, from 4 on, below SIZES["V"] and SIZES["U"]; real is true at words and false at pads,
which stand at the end of a row and hold any id. Each row has at least one real word. A model is sick of

    "future"    if what it says at t moves when only the words after t move
    "pads"      if what it says moves when only the ids at pads move
    "order"     if it says the same in whichever order the source's real words stand
    "rows"      if what it says in one row moves when only the batch's other rows move

They are not trained: whether a net has one of these sicknesses does not depend on that. A sick one that was trained is
in `classmates`. The last lines of this file give away who is sick, and of what: guess first, by a test of yours.
"""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from unrolled.attention import causal_mask, padding_mask, sinusoids
from unrolled.transformer import DecoderBlock, EncoderBlock

SICKNESSES = "future", "pads", "order", "rows"
SIZES = {"V": 16, "U": 14}  # ids of a source, and of what is written; the first four are marks
WIDTH, HEADS, INNER = 16, 2, 32
Model = Callable[[Tensor, Tensor, Tensor], Tensor]


def suspects(seed: int = 0) -> dict[str, Model]:
    """Names, and what answers: on the CPU, without gradients, the same at each call."""
    return {name: _Suspect(seed + number, **parts) for number, (name, parts) in enumerate(_MADE.items())}


def sicknesses(name: str) -> list[str]:
    """The truth about a suspect, in the order of SICKNESSES, to hold a diagnosis against."""
    return list(_TRUTH.get(name, ()))


class _Suspect:
    """A block of each stack; each part may be exchanged. In float64 within: rounding hides and shows nothing."""

    def __init__(self, seed: int, **parts: Callable):
        chance = torch.Generator().manual_seed(seed)
        self._source, self._words, self._out = (
            torch.randn(rows, WIDTH, generator=chance).double() for rows in (SIZES["V"], SIZES["U"], SIZES["U"])
        )
        self._encoder, self._decoder = (
            _drawn(kind(WIDTH, HEADS, INNER), chance) for kind in (EncoderBlock, DecoderBlock)
        )
        self._parts = _SOUND | parts

    @torch.no_grad()
    def __call__(self, source: Tensor, real: Tensor, words: Tensor) -> Tensor:
        part = self._parts
        x = self._source[source] + part["places"](source.shape[1])  # (B, N, D)
        memory = part["memory"](self._encoder(x, part["encoder_mask"](real)), real)
        y = self._words[words] + sinusoids(words.shape[1], WIDTH)  # (B, M, D)
        y = part["decoder"](self._decoder, y, memory, part["cross_mask"](real))
        return (part["last"](y) @ self._out.T).float()  # (B, M, D) @ (D, U)


def _drawn(block: torch.nn.Module, chance: torch.Generator) -> torch.nn.Module:
    for name, part in block.named_parameters():
        if not name.startswith("norms"):
            part.data.normal_(0, WIDTH**-0.5, generator=chance)
    return block.double()


def _places(n):
    return sinusoids(n, WIDTH)


def _norm(x):
    return F.layer_norm(x, x.shape[-1:])


def _normed(x, real):
    return _norm(x)


def _before(block, y, memory, mask):
    return block(y, memory, causal_mask(y.shape[1]), mask)


# --- do not read on before you have guessed --------------------------------------------------------------------------


def _one_more(block, y, memory, mask):
    n = torch.arange(y.shape[1])
    return block(y, memory, n <= n[:, None] + 1, mask)


def _faintly(block, y, memory, mask):
    everywhere = block(y, memory, torch.ones(y.shape[1], y.shape[1], dtype=torch.bool), mask)
    return 0.95 * _before(block, y, memory, mask) + 0.05 * everywhere


def _itself_alone(block, y, memory, mask):
    return block(y, memory, torch.eye(y.shape[1], dtype=torch.bool), mask)


def _no_mask(real):
    return None


def _first_rows_mask(real):
    return padding_mask(real[:1])


def _first_place(n):
    return sinusoids(1, WIDTH)


def _no_places(n):
    return 0.0


def _with_mean(x, real):
    return _norm(x + (real / real.sum(1, keepdim=True))[:, None].to(x) @ x)


def _with_mean_of_all(x, real):
    return _norm(x + x.mean(1, keepdim=True))


def _over_time(y):
    return F.layer_norm(y.mT, y.shape[1:2]).mT


def _over_rows(y):
    return (y - y.mean(0)) / (y.var(0, correction=0) + 1e-5).sqrt()


_SOUND = {"places": _places, "memory": _normed, "decoder": _before, "last": _norm}
_SOUND |= {"encoder_mask": padding_mask, "cross_mask": padding_mask}
_MADE: dict[str, dict[str, Callable]] = {
    "Alma": {},
    "Bruno": {"cross_mask": _no_mask},
    "Celia": {"decoder": _one_more},
    "Dario": {"places": _no_places},
    "Elif": {"memory": _with_mean},
    "Felix": {"last": _over_rows},
    "Greta": {"encoder_mask": _no_mask, "last": _over_time},
    "Henri": {"cross_mask": _first_rows_mask},
    "Irma": {"decoder": _itself_alone},
    "Jonas": {"places": _first_place, "decoder": _faintly},
    "Klara": {"memory": _with_mean_of_all},
}
FAULTS = {
    "Bruno": "cross-attention has no mask, so that the decoder looks at pads",
    "Celia": "the decoder's mask is off by one: position t sees the word after it, which it is to say",
    "Dario": "no positions are added to the source: a bag of words",
    "Felix": "the last norm is over the rows of the batch, where it should be over the numbers of a vector",
    "Greta": "the encoder has no mask, and the last norm is over the positions",
    "Henri": "the mask of the first row is taken for all rows",
    "Jonas": "each source word gets the first position, and 5 % of what the decoder gives was made without a mask",
    "Klara": "a mean that is added to the memory counts the pads, too",
}
_TRUTH = {
    "Bruno": ("pads",),
    "Celia": ("future",),
    "Dario": ("order",),
    "Felix": ("rows",),
    "Greta": ("future", "pads"),
    "Henri": ("pads", "rows"),
    "Jonas": ("future", "order"),
    "Klara": ("pads",),
}
# Alma, Elif and Irma have none of the four. Elif's mean is over real words alone. Irma's decoder does not look back at
# what it has written: that makes a poor translator, but not one that sees what it should not.
