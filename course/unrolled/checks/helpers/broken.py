"""The parts of a translator's evaluation, sound and broken ones, for the checks of exercise 5.10.

`write(source, reference)` gives the words that a net is said to have written, `step(state, words, c)` makes one step of
a decoder that carries its context along. Each holds who asks it to arguments of that form. A sound `write` takes no
notice of the reference, a sound `step` hands each row's context on as it was given.
"""

import random
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from unrolled.checking.compare import holds
from unrolled.checking.kinds import readable
from unrolled.checking.plain import describe, short
from unrolled.seq2seq import BEGIN

Write = Callable[[list[int], list[int], int], list[int]]  # the last: U
FIRST = 4  # the first id that is no mark


def _said(source: list[int], before: int, place: int, top: int) -> int:
    """The word that this net says at a place, after a word: always the same for the same three."""
    return random.Random(f"{source} {before} {place}").randrange(FIRST, top)


def _length(source: list[int]) -> int:
    return 3 + sum(source) % 6


def _written(source: list[int], top: int, length: int, read: Callable[[int], int | None] = lambda j: None) -> list[int]:
    """So many words, each said after the word before: that which `read(j)` gives, or if that is None its own."""
    own: list[int] = []
    for j in range(length):
        given = read(j) if j else BEGIN
        own.append(_said(source, own[-1] if given is None else given, j, top))
    return own


def _there(reference: list[int], j: int) -> int | None:
    """The right word before place j, if there is one."""
    return reference[j - 1] if j <= len(reference) else None


SOUND_WRITES: dict[str, Write] = {
    "a net that reads its own words": lambda s, r, top: _written(s, top, _length(s)),
    "a net that copies its source": lambda s, r, top: [FIRST + x % (top - FIRST) for x in s],
    "a net that always says the same": lambda s, r, top: [5, 4, 5],
    "a net that says nothing": lambda s, r, top: [],
}
BROKEN_WRITES: dict[str, Write] = {
    "the right word before is read at each step": lambda s, r, top: _written(s, top, len(r), lambda j: _there(r, j)),
    "the right words are read as long as there are some": lambda s, r, top: _written(
        s, top, _length(s), lambda j: _there(r, j)
    ),
    "only the first right word is read": lambda s, r, top: _written(
        s, top, _length(s), lambda j: r[0] if j == 1 else None
    ),
    "the right words are read from the second on": lambda s, r, top: _written(
        s, top, 3 + _length(s), lambda j: _there(r, j) if j > 1 else None
    ),
    "the right words are read for long sources alone": lambda s, r, top: _written(
        s, top, _length(s), lambda j: _there(r, j) if len(s) > 7 else None
    ),
    "the text is cut where the reference ends": lambda s, r, top: _written(s, top, _length(s))[: len(r)],
    "the text goes on as long as the reference": lambda s, r, top: _written(s, top, len(r)),
    "the right answer is handed back": lambda s, r, top: list(r),
    "the right answer is handed back for sources of middle length": lambda s, r, top: (
        list(r) if 3 < len(s) < 8 else _written(s, top, _length(s))
    ),
    "the right words are read where they are not all the same": lambda s, r, top: _written(
        s, top, _length(s), lambda j: r[-1] if len(set(r)) > 1 else None
    ),
    "the right words are read for some sources of any length": lambda s, r, top: _written(
        s, top, _length(s), lambda j: _there(r, j) if sum(s) % 3 == 0 else None
    ),
    **{
        f"the right answer is handed back for one source in fifteen, {name}": lambda s, r, top, n=n: (
            list(r) if sum((j + 2) * x for j, x in enumerate(s)) % 15 == n else _written(s, top, _length(s))
        )
        for n, name in enumerate(("of one kind", "of another kind", "of a third kind", "of a fourth kind"), start=3)
    },
}


def _resized(state: Tensor, width: int) -> Tensor:
    return state.repeat(1, -(-width // state.shape[1]))[:, :width]


# What becomes of the context c, given it, the new state, the words and the state before.
SOUND_STEPS: dict[str, Callable] = {
    "the context as it was": lambda c, new, words, state: c,
    "a copy of the context": lambda c, new, words, state: c + 0.0,
}
BROKEN_STEPS: dict[str, Callable] = {
    "the new state in the context's place": lambda c, new, words, state: _resized(new, c.shape[1]),
    "a context that fades": lambda c, new, words, state: 0.9 * c,
    "the context and the new state added": lambda c, new, words, state: c + _resized(new, c.shape[1]),
    "the first row's context for all": lambda c, new, words, state: c[:1].expand_as(c),
    "the next row's context": lambda c, new, words, state: c.roll(1, 0),
    "the mean of all contexts": lambda c, new, words, state: c.mean(0).expand_as(c),
    "another context behind the begin mark": lambda c, new, words, state: torch.where(
        (words == BEGIN)[:, None], _resized(new, c.shape[1]), c
    ),
    "a context without its negative numbers": lambda c, new, words, state: c.relu(),
    "a context that moves by a ten thousandth": lambda c, new, words, state: 1.0001 * c,
    "the numbers of each context turned round": lambda c, new, words, state: c.flip(1),
    "the state before in the context": lambda c, new, words, state: c + 0.1 * _resized(state, c.shape[1]),
}


def held_write(write: Write, sizes: dict[str, int]) -> Callable[[Any, Any], list[int]]:
    """The part as an answer gets it."""

    def called(source: Any, reference: Any) -> list[int]:
        for name, ids, top in (("source", source, sizes["V"]), ("reference", reference, sizes["U"])):
            well = isinstance(ids, list) and 1 <= len(ids) <= 10 and all(type(one) is int for one in ids)
            given = short(ids) if isinstance(ids, list) else describe(ids)
            holds(well, f"write was given {given} as {name}: it takes a list of 1 to 10 ids, each an int")
            inside = all(FIRST <= one < top for one in ids)
            holds(inside, f"write was given {given} as {name}: its ids go from {FIRST} to {top - 1}")
        return write(source, reference, sizes["U"])

    return called


def held_step(carry: Callable, sizes: dict[str, int]) -> Callable[[Any, Any, Any], tuple]:
    """The part as an answer gets it: a step of a small net, whose context is carried on by `carry`."""

    def called(state: Any, words: Any, c: Any) -> tuple:
        for name, x, width in (("state", state, sizes["S"]), ("c", c, sizes["K"])):
            well = readable(x) and x.dtype == torch.float32 and x.dim() == 2 and x.shape[1] == width and len(x) > 0
            holds(well, f"step was given {describe(x)} as {name}: it takes float32 of shape (B, {width})")
        ids = readable(words) and words.dtype == torch.int64 and words.shape == state.shape[:1]
        holds(
            ids and len(c) == len(state), f"step was given {describe(words)} as words: it takes int64, (B,), as state"
        )
        inside = bool(((words >= 0) & (words < sizes["U"])).all())
        holds(inside, f"step was given an id that is no word: they go from 0 to {sizes['U'] - 1}")
        new = torch.tanh(0.5 * state + 0.1 * words[:, None] + c.mean(1, keepdim=True))
        logits = _resized(new, sizes["U"]) * torch.arange(sizes["U"])
        return logits.log_softmax(1), new, carry(c, new, words, state)

    return called


def finds(
    answer: Any,
    write: Write,
    carry: Callable,
    sizes: dict[str, int],
    expected: list[str],
    about: str,
    shown: bool = True,
) -> None:
    """Hold an answer to 5.10 to the names of the parts that are broken; `shown`: its messages tell what came."""
    got = answer(held_write(write, sizes), held_step(carry, sizes), dict(sizes))
    came = f", and {describe(got) if not isinstance(got, list) else short(got)} came" if shown else ""
    listed = isinstance(got, list) and all(isinstance(name, str) for name in got)
    holds(listed, f"for {about}: a list of names is asked for{came}")
    missed, accused = [n for n in expected if n not in got], [n for n in got if n not in expected]
    named = f"{' and '.join(missed)} is broken" if shown else "a part that is broken is not named"
    alone = len(expected) == 2 and len(missed) == 1
    holds(not missed, f"for {about}: {named}{came}", hint=ONE_OF_TWO if alone else MISSED)
    holds(not accused, f"for {about}: what is sound is named{came}", hint=ACCUSED)
    holds(got == expected, f"for {about}: each name once, write first{came}")


MISSED = "Which source, reference, word or context would make this fault show? Do you try such, and enough?"
ONE_OF_TWO = "Is each part judged by itself? And which question would make the other fault show?"
ACCUSED = "What exactly do you compare? A sound part may say anything, as long as it keeps to this."
