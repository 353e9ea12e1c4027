"""What answers of unit 8 return, read; and words, texts and tables drawn for them.

An answer that hides pieces (8.4) or draws pairs (8.5) is checked by counting: `near` says how far a count may stray
from what is probable, six standard deviations of the binomial, which a right answer leaves in one case of 10⁸. What
must hold of each place alone, whatever is drawn, is held wherever such a result is read. Left out on purpose: what the
exercises ask to be written.

Shapes: B texts, N pieces of each, D numbers a piece, V pieces on the list, C classes.
"""

import math
import random
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from unrolled.checking.compare import close, holds
from unrolled.checking.kinds import integers, pair, refuse
from unrolled.language_model import IGNORED

from .recurrent import numbers, symbol_ids

Params = dict[str, Tensor]
Documents = list[list[str]]


def near(count: int, draws: int, share: float) -> bool:
    """Whether so many of independent draws are about what is probable."""
    return abs(count - draws * share) <= 6 * math.sqrt(draws * share * (1 - share)) + 3


# --- 8.1 to 8.3 ------------------------------------------------------------------------------------------------------


def word_of(rng: random.Random, letters: str, most: int) -> str:
    """From one letter to `most`."""
    return "".join(rng.choices(letters, k=rng.randint(1, most)))


def splits_of(rng: random.Random, letters: str, words: int) -> dict[tuple[str, ...], int]:
    """Words in pieces of one letter, and how often each occurs; no rounding decides which pair is the best."""
    while True:
        found = {}
        for _ in range(words):
            first, *rest = rng.choices(letters, k=rng.choice([1, 2, 2, 3, 4, 6]))
            found[(first, *("##" + letter for letter in rest))] = rng.randint(1, 9)
        if _plain(found):
            return found


def _plain(splits: dict[tuple[str, ...], int]) -> bool:
    """Whether the best pairs, if several, are alike in all three counts."""
    n: dict[tuple[str, ...], int] = {}
    for word, count in splits.items():
        runs = [(one,) for one in word] + list(zip(word, word[1:], strict=False))
        for run in runs:
            n[run] = n.get(run, 0) + count
    counts = [(n[run], n[run[:1]], n[run[1:]]) for run in n if len(run) == 2]
    top = max((both / (a * b) for both, a, b in counts), default=0)
    return len({(both, a, b) for both, a, b in counts if both / (a * b) > top * (1 - 1e-9)}) <= 1


def packed(answer: Any, first: list[int], second: list[int] | None, longest: int) -> tuple[list[int], list[int]]:
    """What an answer to 8.3 returns: two lists of ints, of one length."""
    ids, segments = pair(answer(list(first), second, longest), "the result")
    for part, what in ((ids, "the ids"), (segments, "the segments")):
        if not isinstance(part, list) or not all(type(one) is int for one in part):
            refuse(what, "a list of ints", part)
    holds(len(ids) == len(segments), "there are not as many segments as ids")
    return ids, segments


# --- 8.4 -------------------------------------------------------------------------------------------------------------


def texts_of(rng: random.Random, B: int, N: int, V: int, specials: list[int], share: float) -> tuple[Tensor, Tensor]:
    """Ids (B, N), of which about this share are special ones, anywhere; and where they are not, torch.bool."""
    usual = torch.tensor([one for one in range(V) if one not in specials])
    ids = usual[symbol_ids(rng, len(usual), B, N)]
    special = torch.tensor(specials)[symbol_ids(rng, len(specials), B, N)]
    there = symbol_ids(rng, 1000, B, N) < round(1000 * share)
    return torch.where(there, special, ids), ~there


def masked(
    answer: Any, ids: Tensor, specials: list[int], mask: int, V: int, seed: int
) -> tuple[Tensor, Tensor, Tensor]:
    """The new ids and the targets of an answer to 8.4, (B, N), and which places it has chosen, torch.bool.

    They are held to their kinds, and to what is so at each place, whatever was drawn.
    """
    new, targets = pair(answer(ids, specials, mask, V, seed), "the result")
    for part, what in ((new, "the new ids"), (targets, "the targets")):
        integers(part, tuple(ids.shape), what)
        holds(part.dtype == torch.int64, f"{what} are {part.dtype}, and int64 is asked for", hint="As ids are.")
    chosen = targets != IGNORED
    close(targets[chosen], ids[chosen], "the targets where something is chosen", hint=TARGETS)
    special = torch.tensor(specials)
    holds(not bool((chosen & torch.isin(ids, special)).any()), "a special id was chosen", hint=SPECIAL)
    close(new[~chosen], ids[~chosen], "the ids where nothing is chosen", hint=ELSEWHERE)
    odd = torch.isin(new, special) & (new != mask) & chosen
    holds(not bool(odd.any()), "a special id other than the mask was put in", hint=PUT_IN)
    holds(bool(((new >= 0) & (new < V)).all()), "an id was put in that the list has not", hint=PUT_IN)
    return new, targets, chosen


TARGETS = "A target is the id that stood there, and IGNORED where nothing is asked."
SPECIAL = "The ids of `specials` are never chosen, wherever they stand."
ELSEWHERE = "Where the target is IGNORED, the id stays as it was."
PUT_IN = "A random id is one from 0 to V − 1 that is not among `specials`."


# --- 8.5 -------------------------------------------------------------------------------------------------------------


def documents_of(rng: random.Random, sizes: list[int]) -> Documents:
    """Documents of so many sentences, no two alike."""
    return [[f"document {n}, sentence {m}, {rng.random()}" for m in range(size)] for n, size in enumerate(sizes)]


def drawn_pairs(answer: Any, documents: Documents, seed: int) -> list[tuple[str, str, int]]:
    """What an answer to 8.5 returns: for each sentence that has a next one, in order, a pair that may be drawn."""
    got = answer(documents, seed)
    expected = [(n, *two) for n, one in enumerate(documents) for two in zip(one, one[1:], strict=False)]
    if not isinstance(got, list) or len(got) != len(expected):
        how = "of the wrong length" if isinstance(got, list) else "of the wrong kind"
        refuse("the pairs", "a list with one for each sentence that has a next one", got, how)
    homes: dict[str, set[int]] = {}  # of each sentence, the documents that have it
    for n, sentence in ((n, one) for n, document in enumerate(documents) for one in document):
        homes.setdefault(sentence, set()).add(n)
    for mine, (n, first, following) in zip(got, expected, strict=True):
        _pair_fits(mine, first, following, {sentence for sentence in mine[1:2] if homes.get(sentence, set()) - {n}})
    return got


def _pair_fits(mine: Any, first: str, following: str, strangers: set[str]) -> None:
    if not isinstance(mine, tuple) or len(mine) != 3 or type(mine[2]) not in (int, bool) or mine[2] not in (0, 1):
        refuse("a pair", "a tuple of two sentences and 0 or 1", mine)
    close(mine[0], first, "the first sentence of a pair", hint="A pair for each sentence but the last ones, in order.")
    fits = isinstance(mine[1], str) and (mine[1] in strangers if mine[2] else mine[1] == following)
    holds(fits, "a second sentence is not what its number says", hint="0: the next one. 1: from another document.")


# --- 8.6 to 8.9 ------------------------------------------------------------------------------------------------------


def tables_of(rng: random.Random, V: int, D: int, longest: int, dtype: torch.dtype, spread: float = 1.0) -> Params:
    """Three tables, drawn from ± spread, and the numbers of a norm."""
    shapes = {"T": (V, D), "P": (longest, D), "S": (2, D)}
    tables = {name: numbers(rng, *shape, spread=spread, dtype=dtype) for name, shape in shapes.items()}
    return tables | {name: numbers(rng, D, dtype=dtype) for name in ("gamma", "beta")}


def library_embeddings(ids: Tensor, segments: Tensor, params: Params) -> Tensor:
    """Torch's own norm of the three embeddings' sum, (B, N, D)."""
    places = params["P"][: ids.shape[1]].expand(*ids.shape, -1)
    x = F.embedding(ids, params["T"]) + places + F.embedding(segments, params["S"])
    return F.layer_norm(x, x.shape[-1:], params["gamma"], params["beta"], 1e-12)


def sentence_of(rng: random.Random, words: int, most: int = 3, cut: float = 0.0) -> tuple[list[int], list[int | None]]:
    """Labels, and the words' numbers of pieces, up to `most` a word; a share of the words is cut away."""
    inside = [n for n in range(words) if rng.random() >= cut for _ in range(rng.randint(1, most))]
    return [rng.randrange(4) for _ in range(words)], [None, *inside, None, *[None] * rng.randrange(3)]


def head_of(rng: random.Random, D: int, C: int, dtype: torch.dtype = torch.float64) -> Params:
    """The pooler's numbers, and those of the classes."""
    shapes = {"W": (D, D), "b": (D,), "Wc": (C, D), "bc": (C,)}
    return {name: numbers(rng, *shape, dtype=dtype) for name, shape in shapes.items()}


def library_head(hidden: Tensor, params: Params) -> Tensor:
    """Torch's own linear layers on the first place of hidden (B, N, D): (B, C)."""
    return F.linear(torch.tanh(F.linear(hidden[:, 0], params["W"], params["b"])), params["Wc"], params["bc"])
