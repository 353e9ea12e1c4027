"""Thirteen fine-tunings that are not trained, some of them sick: for the diagnosis of unit 8.

    for name, suspect in suspects().items():
        logits = suspect.model(ids, segments, real)   # (B, N) int64, int64, bool -> (B, C) float32
        targets = suspect.label(labels, word_of)      # labels of words -> a target for each piece

ids are below SIZES["V"], segments are 0 or 1, real is true at pieces and false at pads, which stand at the end of a row
and hold any id and segment; each row begins with a piece. label is given a label for each word, and for each piece the
number of its word, or None for one of no word, as the first piece is: [CLS]. A fine-tuning is sick of

    "segments"  if the segments of its pieces may be anything, and the logits stay
    "pads"      if the logits move when only ids and segments at pads move
    "order"     if the pieces behind the first may stand in any order, each with its segment, and the logits stay
    "pieces"    if all pieces of a word carry its label, not the first alone
    "shift"     if all targets stand one place before, or one behind, where they belong

They are not trained: whether one has these sicknesses does not depend on that. The last lines of this file give away
who is sick, and of what: guess first, by a test of yours.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from unrolled.attention import padding_mask, sinusoids
from unrolled.language_model import IGNORED
from unrolled.transformer import EncoderBlock

SICKNESSES = "segments", "pads", "order", "pieces", "shift"
SIZES = {"V": 20, "C": 3}  # ids, and classes
WIDTH, HEADS, INNER = 16, 2, 32
Model = Callable[[Tensor, Tensor, Tensor], Tensor]
Label = Callable[[Sequence[int], Sequence[int | None]], list[int]]


class Suspect(NamedTuple):
    """What classifies a text or a pair, and what makes targets for tagging."""

    model: Model
    label: Label


def suspects(seed: int = 0) -> dict[str, Suspect]:
    """Names, and what answers: on the CPU, without gradients, the same at each call."""
    return {name: _made(seed + number, **parts) for number, (name, parts) in enumerate(_MADE.items())}


def sicknesses(name: str) -> list[str]:
    """The truth about a suspect, in the order of SICKNESSES, to hold a diagnosis against."""
    return list(_TRUTH.get(name, ()))


def _made(seed: int, label: Label | None = None, **parts: Callable) -> Suspect:
    return Suspect(_Net(seed, **parts), label or _first_pieces)


class _Net:
    """A block of an encoder; each part may be exchanged. In float64 within: rounding hides and shows nothing."""

    def __init__(self, seed: int, **parts: Callable):
        chance = torch.Generator().manual_seed(seed)
        self._pieces, self._kinds, self._out = (
            torch.randn(rows, WIDTH, generator=chance).double() for rows in (SIZES["V"], 2, SIZES["C"])
        )
        self._block = EncoderBlock(WIDTH, HEADS, INNER, "post")
        for name, part in self._block.named_parameters():
            if not name.startswith("norms"):
                part.data.normal_(0, WIDTH**-0.5, generator=chance)
        self._block.double()
        self._parts = _SOUND | parts

    @torch.no_grad()
    def __call__(self, ids: Tensor, segments: Tensor, real: Tensor) -> Tensor:
        part = self._parts
        x = self._pieces[ids] + part["kinds"](self._kinds, segments) + part["places"](ids.shape[1])  # (B, N, D)
        x = self._block(F.layer_norm(x, x.shape[-1:]), part["mask"](real))
        return (part["pool"](x, real) @ self._out.T).float()  # (B, D) @ (D, C)


# --- parts -----------------------------------------------------------------------------------------------------------


def _kinds(table, segments):
    return table[segments]


def _places(n):
    return sinusoids(n, WIDTH)


def _first_vector(x, real):
    return x[:, 0]


def _first_pieces(labels, word_of):
    befores = [None, *word_of]
    return [IGNORED if word in (None, before) else labels[word] for word, before in zip(word_of, befores, strict=False)]


# --- do not read on before you have guessed --------------------------------------------------------------------------


def _zeros(table, segments):
    return table[torch.zeros_like(segments)]


def _one_row(table, segments):
    return table[1]


def _turned(table, segments):
    return table[1 - segments] * torch.tensor([1.0, -1.0])[segments][..., None]


def _no_places(n):
    return 0.0


def _same_place(n):
    return sinusoids(2, WIDTH)[1]


def _backwards(n):
    return sinusoids(512, WIDTH)[-n:].flip(0)


def _no_mask(real):
    return None


def _first_rows_mask(real):
    return padding_mask(real[:1])


def _mean(x, real):
    return (x * real[..., None]).sum(1) / real.sum(1, keepdim=True)


def _mean_of_all(x, real):
    return x.mean(1)


def _every_piece(labels, word_of):
    return [IGNORED if word is None else labels[word] for word in word_of]


def _early(label):
    return lambda labels, word_of: [*label(labels, word_of)[1:], IGNORED]


def _late(label):
    return lambda labels, word_of: [IGNORED, *label(labels, word_of)[:-1]]


_SOUND = {"kinds": _kinds, "places": _places, "mask": padding_mask, "pool": _first_vector}
_MADE: dict[str, dict[str, Callable]] = {
    "Anouk": {},
    "Bela": {"label": _early(_first_pieces)},
    "Chiara": {"kinds": _zeros},
    "Dilan": {"mask": _no_mask},
    "Enno": {"pool": _mean, "kinds": _turned},
    "Fatma": {"places": _no_places},
    "Gustav": {"label": _every_piece},
    "Hilde": {"mask": _first_rows_mask},
    "Ilja": {"label": _early(_every_piece)},
    "Juno": {"kinds": _one_row, "pool": _mean_of_all},
    "Kamil": {"places": _backwards},
    "Lotte": {"places": _same_place, "pool": _mean, "label": _every_piece},
    "Mirko": {"kinds": _zeros, "label": _late(_first_pieces)},
}
FAULTS = {
    "Bela": "the words are counted from the first place, as if [CLS] was not there",
    "Chiara": "the segments were never handed over: all are 0",
    "Dilan": "attention has no mask, so that [CLS] looks at pads",
    "Fatma": "no positions are added: a bag of pieces",
    "Gustav": "each piece of a word has its label, and long words count several times",
    "Hilde": "the mask of the first row is taken for all rows",
    "Ilja": "each piece of a word has its label, and [CLS] is forgotten",
    "Juno": "both segments have one vector, and the mean that is classified counts the pads, too",
    "Lotte": "each piece gets the same position, and each piece of a word its label",
    "Mirko": "all segments are 0, and [CLS] is counted twice, so that each label stands one place too late",
}
_TRUTH = {
    "Bela": ("shift",),
    "Chiara": ("segments",),
    "Dilan": ("pads",),
    "Fatma": ("order",),
    "Gustav": ("pieces",),
    "Hilde": ("pads",),
    "Ilja": ("pieces", "shift"),
    "Juno": ("segments", "pads"),
    "Lotte": ("order", "pieces"),
    "Mirko": ("segments", "shift"),
}
# Anouk, Enno and Kamil have none of the five. Enno classifies a mean over the real pieces, where BERT takes [CLS]'s
# vector; Kamil's positions are counted from the other end of the table. Both are other nets, and no faults.
