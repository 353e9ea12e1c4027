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


def splits_of(rng: random.Random, letters: str, words: int, most: int = 9) -> dict[tuple[str, ...], int]:
    """Words in pieces of one letter or two, and how often each occurs, up to `most` times."""
    found = {}
    for _ in range(words):
        first, *rest = (word_of(rng, letters, 2) for _ in range(rng.choice([1, 2, 2, 3, 4, 6])))
        found[(first, *("##" + piece for piece in rest))] = rng.randint(1, most)
    return found


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
    odd = int((chosen & (targets != ids)).sum())
    holds(not odd, f"{odd} targets are neither IGNORED nor the id that stood there", hint=TARGETS)
    special = torch.tensor(specials)
    holds(not bool((chosen & torch.isin(ids, special)).any()), "a special id was chosen", hint=SPECIAL)
    close(new[~chosen], ids[~chosen], "the ids where nothing is chosen", hint=ELSEWHERE)
    put_in = torch.isin(new, special) & (new != mask) & chosen
    holds(not bool(put_in.any()), "a special id other than the mask was put in", hint=PUT_IN)
    holds(bool(((new >= 0) & (new < V)).all()), "an id was put in that the list has not", hint=PUT_IN)
    return new, targets, chosen


def drawn_evenly(answer: Any, specials: list[int], V: int, seed: int, shown: bool = True) -> None:
    """Hold an answer to 8.4 to this: of what is chosen and not masked half is drawn, of all that are not special."""
    usual = [one for one in range(V) if one not in specials]
    stood, free = usual[len(usual) // 2], len(usual)
    ids = torch.full((200, 300), stood)
    new, _, chosen = masked(answer, ids, specials, specials[-1], V, seed)
    count, others = int(chosen.sum()), new[chosen & (new != specials[-1])]
    told = f"{count} of {ids.numel()} places with one id are chosen" if shown else "of one id too many or too few"
    holds(near(count, ids.numel(), 0.15), told, hint="15 % of all places, each by itself, whatever stands there.")
    for one in usual:
        came, share = int((others == one).sum()), 0.5 / free + 0.5 * (one == stood)
        told = f"id {one} is shown at {came} of {len(others)} that are not masked: about {share:.0%} are likely"
        where = "where another id stood" if one != stood else "where it stood"
        holds(near(came, len(others), share), told if shown else f"an id comes too often or too seldom {where}", HALVES)


HALVES = "Half of what is not masked stays; half is drawn from all that are not special, itself among them."
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
        holds(False, "the pairs are no list with one for each sentence that has a next one", hint=WHICH)
    homes: dict[str, set[int]] = {}  # of each sentence, the documents that have it
    for n, sentence in ((n, one) for n, document in enumerate(documents) for one in document):
        homes.setdefault(sentence, set()).add(n)
    for mine, (n, first, following) in zip(got, expected, strict=True):
        _pair_fits(mine, first, following, {sentence for sentence in mine[1:2] if homes.get(sentence, set()) - {n}})
    return got


def _pair_fits(mine: Any, first: str, following: str, strangers: set[str]) -> None:
    if not isinstance(mine, tuple) or len(mine) != 3 or type(mine[2]) is not int or mine[2] not in (0, 1):
        refuse("a pair", "a tuple of two sentences and an int, 0 or 1", mine)
    close(mine[0], first, "the first sentence of a pair", hint=WHICH)
    fits = isinstance(mine[1], str) and (mine[1] in strangers if mine[2] else mine[1] == following)
    holds(fits, "a second sentence is not what its number says", hint="0: the next one. 1: from another document.")


WHICH = "One for each sentence but the last of its document, in order; what is written twice is two."


def all_come(answer: Any, documents: Documents, seeds: int, shown: bool = True) -> None:
    """Hold an answer to 8.5 to this: in so many seeds all comes that may come, also what reads like something else."""
    found = [drawn_pairs(answer, documents, seed) for seed in range(seeds)]
    places = [(n, *two) for n, one in enumerate(documents) for two in zip(one, one[1:], strict=False)]
    for place, (n, first, following) in enumerate(places):
        came = {pairs[place][1:] for pairs in found}
        for second in (s for m, other in enumerate(documents) if m != n for s in other):
            what = f"{second} from another document never comes behind {first}" if shown else "a stranger never comes"
            holds((second, 1) in came, what, hint=STRANGERS)
        holds((following, 0) in came, f"{following} never goes on behind {first}" if shown else "one never goes on")


def each_anew(answer: Any, start: int, seeds: int = 300, shown: bool = True) -> None:
    """Hold an answer to 8.5 to this: neither a coin nor a stranger depends on the one before it in its document."""
    found = [drawn_pairs(answer, [["a", "b", "c"], ["x"], ["y"]], start + n) for n in range(seeds)]
    both = [one[1] == other[1] for one, other in found if one[2] and other[2]]
    told = f"two strangers behind each other come in {len(both)} of {seeds} seeds"
    holds(near(len(both), seeds, 0.25), told if shown else "two strangers come too often or too seldom", COIN)
    told = f"of two strangers, x or y each, {sum(both)} of {len(both)} times both are alike"
    holds(near(sum(both), len(both), 0.5), told if shown else "two strangers are alike too often or too seldom", ANEW)


STRANGERS = "Another document is one at another place, whatever it reads, and all of its sentences may come."
COIN = "A coin for each sentence by itself: how often do two fall alike?"
ANEW = "Is the stranger drawn for each sentence by itself, and from all of them each time?"


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
