"""Fine-tunings that are sound and such that are not, for the checks of exercise 8.10.

A model takes ids, segments and what is real, (B, N) each, and gives logits (B, C); a labeller takes labels of words and
the word of each piece, and gives a target for each. A model is a small table-driven net of three parts, each sound or
not: what a piece's vector is made of, which places are seen, and how those are read. Which faults it has follows from
its parts. Each holds who asks it to arguments of its form. Left out on purpose: training; nothing here has learned
anything.

Shapes: B texts, N pieces of each, V ids, C classes.
"""

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from unrolled.checking.compare import holds
from unrolled.checking.kinds import readable
from unrolled.checking.plain import describe, short
from unrolled.language_model import IGNORED

from .ailing import vectors

Model = Callable[[Tensor, Tensor, Tensor], Tensor]
NAMES = "segments", "pads", "order", "pieces", "shift"
MOST = 1000, 12  # texts, pieces
QUESTIONS = 200  # that an answer may ask a model
_SECOND = torch.tensor([0.7, -0.5, 0.4])  # what the second segment adds

# --- a piece: (ids, segments) -> (B, N, 3) ---------------------------------------------------------------------------


def _some(ids: Tensor, segments: Tensor) -> Tensor:
    """The first piece's segment where its id is a multiple of four, (B, 1): it shows in a row of eight."""
    return segments[:, :1] * (ids[:, :1] % 4 == 0)


def _places(x: Tensor) -> Tensor:
    return (1.2 - 0.13 * torch.arange(x.shape[1]))[:, None]


WITH_SEGMENTS = {
    "a vector for each segment": lambda i, s: vectors(i) + vectors(s + 3),
    "a vector for the second alone": lambda i, s: vectors(i) + s[..., None] * _SECOND,
    "the second turns a piece round": lambda i, s: vectors(i) * (1 - 2 * s[..., None]),
    "the second weighs a piece more": lambda i, s: vectors(i) * (1 + s[..., None]),
    "little of the segments": lambda i, s: vectors(i) + 0.08 * s[..., None] * _SECOND,
    "little of the first piece's segment": lambda i, s: vectors(i) * (1 + 0.004 * s[:, :1, None]),
    "whether a piece is of the first one's segment": lambda i, s: vectors(i) * (1 + 0.6 * (s == s[:, :1])[..., None]),
    "segments behind the first": lambda i, s: vectors(i) + (s * (torch.arange(s.shape[1]) > 0))[..., None] * _SECOND,
    "the first piece's segment, for some first pieces": lambda i, s: vectors(i) * (1 + 0.8 * _some(i, s))[..., None],
    "segments of even ids": lambda i, s: vectors(i) + (s * (i % 2 == 0))[..., None] * _SECOND,
    "the second segment, by its place": lambda i, s: vectors(i) + (s[..., None] * _places(i)) * _SECOND,
}
LARGE_IDS = {"segments of ids above eleven": lambda i, s: vectors(i) + (s * (i > 11))[..., None] * _SECOND}
WITHOUT_SEGMENTS = {
    "pieces alone": lambda i, s: vectors(i),
    "the second for all": lambda i, s: vectors(i) + _SECOND,
    "segments times nothing": lambda i, s: vectors(i) + 0.0 * s[..., None] * _SECOND,
}

# --- what is seen: (ids, real) -> (B, N), 0 where it is not ----------------------------------------------------------

REAL_ALONE = {"what is real": lambda i, r: r.float()}
WITH_PADS = {
    "all of it": lambda i, r: torch.ones(i.shape),
    "pads by a twentieth": lambda i, r: r + 0.05 * ~r,
    "pads with even ids": lambda i, r: (r | (i % 2 == 0)).float(),
    "pads with odd ids": lambda i, r: (r | (i % 2 == 1)).float(),
}
# Seen by places: whoever reads that as a bag still knows some of their order. It goes with IN_ORDER alone.
WITH_PADS_BY_PLACE = {
    "what is real in the first row": lambda i, r: r[:1].expand_as(r).float(),
    "the first pad, too": lambda i, r: torch.cat([r[:, :1], r[:, :-1]], 1).float(),
}

# --- reading: (x, seen) -> (B, 3) ------------------------------------------------------------------------------------


def _before(x: Tensor) -> Tensor:
    """What stands one place before, its numbers in another order; zeros at the first place."""
    return torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1].roll(1, 2)], 1)


def _mean(x: Tensor, seen: Tensor) -> Tensor:
    return (x * seen[..., None]).sum(1) / seen.sum(1, keepdim=True)


def _asked(x: Tensor, seen: Tensor, by: Tensor) -> Tensor:
    """Attention of a vector (B, 3) to the places that are seen."""
    scores = (x @ by[..., None])[..., 0]
    weights = scores.masked_fill(seen == 0, -1e30).softmax(1) * seen
    return (weights[..., None] * x).sum(1)


IN_ORDER = {
    "pieces weighed by their places": lambda x, seen: _mean(x * _places(x) * 1.5, seen),
    "attention to pieces and places": lambda x, seen: _asked(x + 0.8 * _places(x), seen, x[:, 0] + 0.8),
    "the first and the last piece": lambda x, seen: x[:, 0] + x[torch.arange(len(x)), (seen > 0).sum(1) - 1],
    "pieces and what stands before them": lambda x, seen: _mean(x + x * _before(x), seen),
}
AS_A_BAG = {
    "a mean": _mean,
    "attention without places": lambda x, seen: _asked(x, seen, x[:, 0]),
    "the largest of each kind": lambda x, seen: x.masked_fill(seen[..., None] == 0, -9.0).amax(1),
    "the first piece and a mean": lambda x, seen: x[:, 0] - _mean(x, seen),
}
# What is said: (found (B, 3), C) -> (B, C). Whoever looks at one class, at the sum or at softmax sees less.
SAID = {
    "the last class alone": lambda found, top: F.pad(found.sum(1, keepdim=True), (top - 1, 0)),
    "all classes alike": lambda found, top: found.sum(1, keepdim=True).expand(-1, top),
    "one class against another": lambda found, top: torch.cat([F.pad(found[:, :1], (0, top - 2)), -found[:, :1]], 1),
}
FIRST_ALONE = {"the first piece alone": lambda x, seen: x[:, 0]}  # a bag that sees no pads either
ALL_PADS = WITH_PADS | WITH_PADS_BY_PLACE
KNOWN = "a vector for each segment", "what is real", "pieces weighed by their places"


def model_of(piece: str = "", seen: str = "", read: str = "", say: str = "", top: int = 3) -> tuple[Model, list[str]]:
    """A model with parts of these names, sound where none is given, of C = `top`; and its faults."""
    piece, seen, read = (one or sound for one, sound in zip((piece, seen, read), KNOWN, strict=True))
    made, weigh = (WITH_SEGMENTS | LARGE_IDS | WITHOUT_SEGMENTS)[piece], (REAL_ALONE | ALL_PADS)[seen]
    look, out = (IN_ORDER | AS_A_BAG | FIRST_ALONE)[read], vectors(torch.arange(top)).T  # (3, C)

    def model(ids: Tensor, segments: Tensor, real: Tensor) -> Tensor:
        found = torch.tanh(look(made(ids, segments), weigh(ids, real)))  # (B, 3)
        logits = SAID[say](found, top) if say else found @ out
        return logits * (1 + 1e-6 * torch.sin(found.sum()))  # which trembles, as numbers do in company

    bag = read in FIRST_ALONE or (read in AS_A_BAG and piece != "the second segment, by its place")
    has = piece in WITHOUT_SEGMENTS, seen in ALL_PADS and read not in FIRST_ALONE, bag
    return model, [name for name, one in zip(NAMES, has, strict=False) if one]


# --- labels: which pieces of a word have its label, and how far behind it stands --------------------------------------

LABELLERS = {
    "first pieces": (False, 0),
    "all pieces": (True, 0),
    "first pieces, one place before": (False, -1),
    "first pieces, one place behind": (False, 1),
    "all pieces, one place before": (True, -1),
    "all pieces, one place behind": (True, 1),
}


def labeller_of(name: str = "") -> tuple[Callable, list[str]]:
    """A labeller of this name, a sound one where there is none; and its faults."""
    every, off = LABELLERS[name or "first pieces"]

    def label(labels: list[int], word_of: list[int | None]) -> list[int]:
        begins = {word: place for place, word in reversed(list(enumerate(word_of)))}
        own = {p: labels[w] for p, w in enumerate(word_of) if w is not None and (every or begins[w] == p)}
        return [own.get(place - off, IGNORED) for place in range(len(word_of))]

    return label, [name for name, one in zip(NAMES[3:], (every, off != 0), strict=True) if one]


# --- held to their form ----------------------------------------------------------------------------------------------


def held(model: Model, top: int) -> Model:
    """The model as an answer gets it: it says what is wrong with what it is given, and counts how often it is asked."""
    asked = 0

    def called(ids: Any, segments: Any, real: Any) -> Tensor:
        nonlocal asked
        asked += 1
        holds(asked <= QUESTIONS, f"the model was asked more than {QUESTIONS} times", hint=TOO_OFTEN)
        wrong = _wrong(ids, "ids", top) or _wrong(segments, "segments", 2) or _wrong_real(ids, segments, real)
        holds(not wrong, wrong, hint=TAKES)
        return model(ids, segments, real)

    return called


def _wrong(ids: Any, name: str, top: int) -> str:
    if not (readable(ids) and ids.dtype == torch.int64 and ids.dim() == 2 and len(ids) and ids.shape[1] > 1):
        return f"the model was given {describe(ids)} as {name}: it takes int64, (B, N), B from 1 and N from 2 on"
    if ids.min() < 0 or ids.max() >= top:
        return f"the model was given a number in {name} that is none: they go from 0 to {top - 1}"
    if len(ids) > MOST[0] or ids.shape[1] > MOST[1]:
        return f"the model was given {describe(ids)} as {name}: it takes up to {MOST[0]} texts of {MOST[1]}"
    return ""


def _wrong_real(ids: Tensor, segments: Tensor, real: Any) -> str:
    if ids.shape != segments.shape:
        return f"the model was given {describe(segments)} as segments, and ids of another shape"
    if not (readable(real) and real.dtype == torch.bool and real.shape == ids.shape):
        return f"the model was given {describe(real)} as real: it takes torch.bool, of the shape of ids"
    if not real[:, :2].all() or (real[:, 1:] > real[:, :-1]).any():
        return "the model was given a text of fewer than two real pieces, or with one behind a pad"
    return ""


def held_label(label: Callable) -> Callable:
    """The labeller as an answer gets it: it says what is wrong with what it is given."""

    def called(labels: Any, word_of: Any) -> list[int]:
        lists = all(isinstance(one, list) for one in (labels, word_of))
        holds(
            lists and all(type(one) is int for one in labels),
            "label was not given two lists, the first one of int",
            TAKES,
        )
        words = [one for one in word_of if one is not None]
        holds(
            all(type(one) is int and 0 <= one < len(labels) for one in words),
            "label was given a word without label",
            TAKES,
        )
        ends = len(word_of) > 1 and word_of[0] is None and word_of[-1] is None
        holds(ends, "label was given a text without None in front or at its end", TAKES)
        runs = [one for one, before in zip(word_of, [None, *word_of], strict=False) if one not in (None, before)]
        holds(len(runs) == len(set(runs)), "label was given a word whose pieces do not stand side by side", TAKES)
        return label(labels, word_of)

    return called


TAKES = "What the model and the labeller take is said in the text, word by word."
MISSED = "For which rows, or which words, would this show? How many of them do you try, and what do you change?"
ACCUSED = "What exactly changes between your two calls, and what may not move then? Rounding moves the logits, too."
TOO_OFTEN = "Sixty rows are sixty cases, and one question: what can be asked of all at once?"
FORM = "A list of names, in the order of the text, each at most once."


def finds(answer: Any, sizes: dict[str, int], parts: dict[str, str] | None = None, shown: bool = True) -> None:
    """Hold an answer to 8.10 to the faults of such a fine-tuning; `shown`: its messages tell what came.

    parts: names of "piece", "seen", "read", "say" and "label", all sound where none is given.
    """
    parts = dict(parts or {})
    label, of_labels = labeller_of(parts.pop("label", ""))
    model, of_model = model_of(**parts, top=sizes["C"])
    expected, named = of_model + of_labels, "; ".join(filter(None, (parts or {}).values()))
    about = f"for a fine-tuning ({named or 'sound'})" if shown else "for another fine-tuning"
    got = answer(held(model, sizes["V"]), held_label(label), dict(sizes))
    came = f", and {describe(got) if not isinstance(got, list) else short(got)} came" if shown else ""
    listed = isinstance(got, list) and all(isinstance(name, str) for name in got)
    holds(listed, f"{about}: a list of names is asked for{came}", hint=FORM)
    missed, accused = [n for n in expected if n not in got], [n for n in got if n not in expected]
    said = f"{' and '.join(missed)} is not named" if shown else "a fault is not named"
    holds(not missed, f"{about}: {said}{came}", hint=MISSED)
    holds(not accused, f"{about}: what it has not is named{came}", hint=ACCUSED)
    holds(got == expected, f"{about}: each name once, in the order of the text{came}", hint=FORM)


def finds_each(answer: Any, sizes: dict[str, int], part: str, names: Any, shown: bool = True) -> None:
    """The same for fine-tunings of which one part is each of these, and all else sound."""
    for name in names:
        finds(answer, sizes, {part: name}, shown)
