"""Encoder–decoders that are sound and such that ail, for the checks of exercise 7.9.

A model takes sources (B, N), what is real of them (B, N) and words (B, M), and gives logits (B, M, U). Each is a small
table-driven net of three parts, each sound or not: how the source is read, what of the words is said from, and what
becomes of it among the other rows. Which symptoms a model has follows from its parts. Each holds who asks it to
arguments of its form. Left out on purpose: training; nothing here has learned anything.

Shapes: B pairs, N words of a source, M that are written, U of which each may be said.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from unrolled.checking.compare import holds
from unrolled.checking.kinds import readable
from unrolled.checking.plain import describe, short

from .leaking import so_far
from .leaking import vectors as table_of

Model = Callable[[Tensor, Tensor, Tensor], Tensor]
NAMES = "future", "pads", "order", "rows"
FIRST = 4  # the first id that is no mark
MOST = 1000, 12  # pairs, words
QUESTIONS = 200  # that an answer may ask a model: each costs a grader a millisecond or two, and there are many models
_VECTORS = table_of(torch.arange(100)[None])[0]  # (100, 3): more ids than any model here has


def vectors(ids: Tensor) -> Tensor:
    """Three numbers a symbol, (B, N, 3), as `leaking` has them; looked up, since models are asked often."""
    return _VECTORS[ids]


# --- reading: (source, real) -> (B, N or 1, 3), what can be said from -------------------------------------------------


def _weighed(source: Tensor, weights: Tensor) -> Tensor:
    return (vectors(source) * weights[..., None]).sum(1, keepdim=True)


def _waves(source: Tensor) -> Tensor:
    return torch.cos(0.9 * torch.arange(source.shape[1])) + 0.4


def _asked(source: Tensor, seen: Tensor, places: bool) -> Tensor:
    """Attention to the words that are seen, with places added to them or not."""
    x = vectors(source) + (torch.sin(0.8 * torch.arange(source.shape[1]))[:, None] if places else 0.0)
    weights = x[..., 0].masked_fill(~seen, -1e30).softmax(1)
    return (weights[..., None] * x).sum(1, keepdim=True)


def _products(source: Tensor, real: Tensor) -> Tensor:
    x = vectors(source)
    return (x[:, 1:] * x[:, :-1] * torch.tensor([1.0, -1, 1]).roll(1) * real[:, 1:, None]).sum(1, keepdim=True)


READ_IN_ORDER = {
    "words weighed by their places": lambda s, r: _weighed(s, r * _waves(s)),
    "attention to words and places": lambda s, r: _asked(s, r, True),
    "the first word alone": lambda s, r: vectors(s[:, :1]),
    "the last word alone": lambda s, r: vectors(s.gather(1, r.sum(1, keepdim=True) - 1)),
    "products of neighbours": lambda s, r: _weighed(s, r * 0.2) + _products(s, r),
}
READ_AS_A_BAG = {
    "a mean of the words": lambda s, r: _weighed(s, r / r.sum(1, keepdim=True)),
    "attention to words without places": lambda s, r: _asked(s, r, False),
    "the largest number of each kind": lambda s, r: vectors(s).masked_fill(~r[..., None], -9.0).amax(1, keepdim=True),
    "the number of words alone": lambda s, r: vectors(r.sum(1, keepdim=True)),
    "nothing of the source": lambda s, r: torch.ones(len(s), 1, 3),
}
# The same readings, with pads that are seen: name -> (reading, whether it is a bag).
READ_WITH_PADS: dict[str, tuple[Callable, bool]] = {
    "no mask": (lambda s, r: _asked(s, torch.ones_like(r), True), False),
    "no mask, no places": (lambda s, r: _asked(s, torch.ones_like(r), False), True),
    "pads in the sum": (lambda s, r: _weighed(s, _waves(s) / s.shape[1]), False),
    "the first pad is seen": (lambda s, r: _asked(s, torch.cat([r[:, :1], r[:, :-1]], 1), True), False),
    "a pad weighs a hundredth": (lambda s, r: _weighed(s, r * _waves(s) + 0.01 * ~r), False),
    "the first row's mask for all": (lambda s, r: _asked(s, r[:1].expand_as(r), True), False),
    "pads with even ids are seen": (lambda s, r: _asked(s, r | (s % 2 == 0), True), False),
}

# --- saying: what the words give, (B, M, 3) --------------------------------------------------------------------------

SAID_FROM_BEFORE = {
    "a mean of all words so far": lambda w: so_far(vectors(w)),
    "the word that was read": vectors,
    "products of words and those before": lambda w: vectors(w) * torch.cat([vectors(w[:, :1]), vectors(w[:, :-1])], 1),
    "nothing of the words": lambda w: torch.zeros(*w.shape, 3),
}


def _behind(w: Tensor, far: int = 1) -> Tensor:
    """What stands `far` places later; zeros where nothing does."""
    x = vectors(w)
    return torch.cat([x[:, far:], torch.zeros_like(x[:, :far])], 1)[:, : w.shape[1]]


SAID_FROM_BEHIND = {
    "the word that is to be said": lambda w: so_far(vectors(w)) + _behind(w),
    "a mean of all words": lambda w: vectors(w) + vectors(w).mean(1, keepdim=True),
    "the last word": lambda w: so_far(vectors(w)) + vectors(w[:, -1:]) / 5,
    "a hundredth of the word that is to be said": lambda w: so_far(vectors(w)) + 0.02 * _behind(w),
    "the next word, where it is even": lambda w: so_far(vectors(w)) + _behind(w) * (w.roll(-1, 1) % 2 == 0)[..., None],
    "the last place but one sees all": lambda w: torch.cat(
        [so_far(vectors(w))[:, :-2], vectors(w).mean(1, keepdim=True).expand(-1, 2, -1)[:, -w.shape[1] :]], 1
    ),
    "the first place sees all": lambda w: torch.cat([vectors(w).mean(1, keepdim=True), so_far(vectors(w))[:, 1:]], 1),
}

# --- among the rows: what becomes of what was read and said, (B, M, 3) ------------------------------------------------

APART = {
    "each row by itself": lambda x: x,
    "numbers that tremble": lambda x: x * (1 + 1e-6 * torch.sin(x.sum())),
}
TOGETHER = {
    "half the mean of all rows is taken off": lambda x: x - x.mean(0, keepdim=True) / 2,
    "a tenth of the next row": lambda x: x + 0.1 * x.roll(1, 0),
    "a norm over the rows": lambda x: (x - x.mean(0)) / (x.std(0, unbiased=False) + 0.5),
    "a twentieth of the first row": lambda x: x + 0.05 * x[:1],
}


def net(read: Callable, say: Callable, mix: Callable, top: int) -> Model:
    """A model of these parts, of U = `top`."""

    out = vectors(torch.arange(top)).T  # (3, U)

    def model(source: Tensor, real: Tensor, words: Tensor) -> Tensor:
        return mix(torch.tanh(read(source, real) + say(words))) @ out  # (B, M, 3) @ (3, U)

    return model


SOUND = READ_IN_ORDER["words weighed by their places"], SAID_FROM_BEFORE["a mean of all words so far"], APART


def model_of(read: str = "", say: str = "", mix: str = "", top: int = 9) -> tuple[Model, list[str], str]:
    """A model with parts of these names, sound where none is given; its symptoms; and what to call it."""
    reading, bag = _reading(read or "words weighed by their places")
    saying, mixing = say or "a mean of all words so far", mix or "each row by itself"
    parts = reading, (SAID_FROM_BEFORE | SAID_FROM_BEHIND)[saying], (APART | TOGETHER)[mixing]
    meet = mixing in TOGETHER or read == "the first row's mask for all"
    has = (saying in SAID_FROM_BEHIND, read in READ_WITH_PADS, bag, meet)
    named = [name for name in (read, say, mix) if name]
    return net(*parts, top), [name for name, one in zip(NAMES, has, strict=True) if one], "; ".join(named) or "sound"


def _reading(name: str) -> tuple[Callable, bool]:
    if name in READ_WITH_PADS:
        return READ_WITH_PADS[name]
    return (READ_IN_ORDER | READ_AS_A_BAG)[name], name in READ_AS_A_BAG


def held(model: Model, sizes: dict[str, int]) -> Model:
    """The model as an answer gets it: it says what is wrong with what it is given, and counts how often it is asked."""
    asked = 0

    def called(source: Any, real: Any, words: Any) -> Tensor:
        nonlocal asked
        asked += 1
        holds(asked <= QUESTIONS, f"the model was asked more than {QUESTIONS} times", hint=TOO_OFTEN)
        ids = (("source", source, sizes["V"]), ("words", words, sizes["U"]))
        wrong = next(filter(None, (_wrong_ids(*one) for one in ids)), "") or _wrong_real(real, source, words)
        holds(not wrong, wrong)
        return model(source, real, words)

    return called


def _wrong_ids(name: str, ids: Any, top: int) -> str:
    """What is wrong with the ids that a model was given, or nothing."""
    well = readable(ids) and ids.dtype == torch.int64 and ids.dim() == 2 and ids.numel() > 0
    if not well:
        return f"the model was given {describe(ids)} as {name}: it takes int64 of two axes, none of them 0"
    low, high = ids.aminmax()
    if low < FIRST or high >= top:
        return f"the model was given an id in {name} that is no word: they go from {FIRST} to {top - 1}"
    if len(ids) > MOST[0] or ids.shape[1] > MOST[1]:
        return f"the model was given {describe(ids)} as {name}: it takes up to {MOST[0]} texts of {MOST[1]}"
    return ""


def _wrong_real(real: Any, source: Tensor, words: Tensor) -> str:
    """What is wrong with the mask that a model was given beside these ids, or nothing."""
    well = readable(real) and real.dtype == torch.bool and real.shape == source.shape and len(words) == len(source)
    if not well:
        return f"the model was given {describe(real)} as real: it takes torch.bool, of the shape of source"
    if not real[:, 0].all() or (real[:, 1:] > real[:, :-1]).any():
        return "the model was given a source that begins with a pad, or has a word after one"
    return ""


MISSED = "For which batches would this show? What do you change, how many do you try, and which rows do you look at?"
ACCUSED = "What exactly changes between your two calls, and which outputs may not move then? Rounding moves them, too."
TOO_OFTEN = "Sixty pairs in one batch are sixty cases, and one question: what can be asked of all at once?"
FORM = "A list of names, in the order of the text, each at most once."


def finds(answer: Any, sizes: dict[str, int], parts: dict[str, str] | None = None, shown: bool = True) -> None:
    """Hold an answer to 7.9 to the symptoms of a model of these parts; `shown`: its messages tell what came."""
    model, expected, about = model_of(**(parts or {}), top=sizes["U"])
    about = f"for a model ({about})" if shown else "for another model"
    got = answer(held(model, sizes), dict(sizes))
    came = f", and {describe(got) if not isinstance(got, list) else short(got)} came" if shown else ""
    listed = isinstance(got, list) and all(isinstance(name, str) for name in got)
    holds(listed, f"{about}: a list of names is asked for{came}", hint=FORM)
    missed, accused = [n for n in expected if n not in got], [n for n in got if n not in expected]
    verb = "is" if len(missed) == 1 else "are"
    named = f"{' and '.join(missed)} {verb} not named" if shown else "a symptom is not named"
    holds(not missed, f"{about}: {named}{came}", hint=MISSED)
    holds(not accused, f"{about}: what it has not is named{came}", hint=ACCUSED)
    holds(got == expected, f"{about}: each name once, in the order of the text{came}", hint=FORM)


def finds_each(answer: Any, sizes: dict[str, int], part: str, names: Any, shown: bool = True) -> None:
    """The same for models in which one part is each of these, and all else sound."""
    for name in names:
        finds(answer, sizes, {part: name}, shown)
