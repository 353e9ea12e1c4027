"""From what a net says of the next word to a text: the best word, a drawn one, or several beginnings kept alive.

    words = greedy(step, state, BEGIN, END, limit=20)
    best = beam_search(step, state, BEGIN, END, width=5, limit=20)[0]

`step(state, words) -> (log_probs, state, …)` reads the word written last in each row, (R,) int64, and gives ln P of
each word that may come next, (R, U), with the state after it; what comes behind these two is passed over. The state may
be a tensor, or tuples, lists and dictionaries of tensors, each with a row for each text: beam search chooses rows. So
everything that writes one word after another can be decoded here, translators and language models alike.

Temperature as in Ackley, Hinton and Sejnowski, "A learning algorithm for Boltzmann machines" (1985); top-k by Fan,
Lewis and Dauphin, "Hierarchical neural story generation" (2018); nucleus by Holtzman and others, "The curious case of
neural text degeneration" (2020). Beam search is as old as Lowerre's speech recogniser (1976).
Left out on purpose: many sources in one beam search, penalties for coverage or repetition, sampling without
replacement.

Shapes: R rows, one a text; U words that may come next. Probabilities are natural logarithms throughout.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float, Int64
from torch import Tensor

# ruff: noqa: F722 (jaxtyping writes shapes as strings)

Step = Callable[[Any, Tensor], tuple]  # (state, words (R,)) -> (log_probs (R, U), state, …)
Record = list[list[dict]]  # of each step the candidates, best first: see `beam_search`


# --- one text a row --------------------------------------------------------------------------------------------------


def greedy(step: Step, state: Any, begin: int, end: int, limit: int, rows: int = 1) -> list[list[int]]:
    """The most probable word at each step, until `end` or `limit` words; rows: texts, side by side.

    Neither begin nor end stands in what is returned.
    """
    return _written(step, state, begin, end, limit, rows, choose=lambda log_probs: log_probs.argmax(1))


def sample(
    step: Step,
    state: Any,
    begin: int,
    end: int,
    limit: int,
    rows: int = 1,
    *,
    generator: torch.Generator | None = None,
    temperature: float = 1.0,
    top_k: int | None = None,
    nucleus: float | None = None,
) -> list[list[int]]:
    """A word drawn at each step, from `narrowed` log probabilities."""

    def choose(log_probs: Tensor) -> Tensor:
        narrow = narrowed(log_probs.cpu(), temperature, top_k, nucleus)
        return torch.multinomial(narrow.exp(), 1, generator=generator)[:, 0]

    return _written(step, state, begin, end, limit, rows, choose)


def _written(step, state, begin, end, limit, rows, choose) -> list[list[int]]:
    words, texts = torch.full((rows,), begin), [[] for _ in range(rows)]
    running = torch.ones(rows, dtype=torch.bool)
    for _ in range(limit):
        log_probs, state, *_ = step(state, words)
        words = choose(log_probs).cpu()
        running &= words != end
        for row in running.nonzero()[:, 0].tolist():
            texts[row].append(int(words[row]))
        if not running.any():
            break
    return texts


def narrowed(
    log_probs: Float[Tensor, "R U"],
    temperature: float = 1.0,
    top_k: int | None = None,
    nucleus: float | None = None,
) -> Float[Tensor, "R U"]:
    """ln P of what is left to draw from, each row normalised anew; −inf for the words left out.

    First ln P / temperature, softmax again. Then only the top_k most probable words. Then only the nucleus: the most
    probable words, one after another, until they have at least that share of all.
    """
    if temperature <= 0:
        raise ValueError(f"temperature is {temperature}: it must be above 0 (greedy is what it tends to)")
    if top_k is not None and top_k < 1:
        raise ValueError(f"top_k is {top_k}: at least one word must be left")
    if nucleus is not None and not 0 < nucleus <= 1:
        raise ValueError(f"nucleus is {nucleus}: it is a share, above 0 and at most 1")
    log_probs = (log_probs / temperature).log_softmax(1)
    ranked, order = log_probs.sort(dim=1, descending=True, stable=True)
    out = torch.zeros_like(ranked, dtype=torch.bool)  # of the ranked words, those left out
    if top_k is not None:
        out[:, top_k:] = True
        ranked = ranked.masked_fill(out, -torch.inf).log_softmax(1)
    if nucleus is not None:
        before = ranked.exp().cumsum(1) - ranked.exp()  # the share of those above each
        out |= before >= nucleus
    return log_probs.masked_fill(out.gather(1, order.argsort(1)), -torch.inf).log_softmax(1)


# --- several beginnings ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hypothesis:
    """A text, whole or as far as it was written."""

    words: tuple[int, ...]  # without begin, and without end
    log_prob: float  # ln P of all its words, and of the end if it has ended
    ended: bool

    def score(self, alpha: float = 0.0) -> float:
        """log_prob / length^α, where the end counts as a word: α = 0 is ln P, α = 1 the mean of a word."""
        return self.log_prob / max(len(self.words) + self.ended, 1) ** alpha


def beam_search(
    step: Step,
    state: Any,
    begin: int,
    end: int,
    width: int,
    limit: int,
    alpha: float = 0.0,
    record: Record | None = None,
) -> list[Hypothesis]:
    """The `width` most probable beginnings are kept after each step; returned best first, by score(alpha).

    state: of one row. A hypothesis that has ended keeps its place as long as its log probability does, and is never
    extended; the search ends when all have, or at `limit` words. Beginnings are compared by log probability; alpha
    ranks only what is left in the end.

    record: an empty list, to which each step appends its candidates, best first: dictionaries with parent (a number
    among the kept of the step before), word (its id; None if an ended hypothesis stays), log_prob of the whole,
    kept and ended.
    """
    if width < 1 or limit < 0:
        raise ValueError(f"width is {width} and limit is {limit}: at least 1, and at least 0")
    kept = [Hypothesis((), 0.0, False)]
    for _ in range(limit):
        running = [i for i, hypothesis in enumerate(kept) if not hypothesis.ended]
        if not running:
            break
        words = [kept[i].words[-1] if kept[i].words else begin for i in running]
        log_probs, after, *_ = step(state, torch.tensor(words))
        candidates = _candidates(kept, running, log_probs, width, end)
        chosen = candidates[:width]
        if not chosen:
            break
        if record is not None:
            record.append([_told(c, i < width) for i, c in enumerate(candidates)])
        kept = [c.hypothesis for c in chosen]
        state = chosen_rows(after, torch.tensor([c.row for c in chosen if not c.hypothesis.ended], dtype=torch.int64))
    return sorted(kept, key=lambda hypothesis: -hypothesis.score(alpha))


@dataclass(frozen=True)
class _Candidate:
    parent: int  # among those kept before
    row: int  # of the state after the step
    word: int | None
    hypothesis: Hypothesis


def _candidates(kept: Sequence[Hypothesis], running: list[int], log_probs: Tensor, width: int, end: int) -> list:
    """Each ended hypothesis as it is, and each other one with each of its `width` best next words; best first."""
    found = [_Candidate(i, -1, None, one) for i, one in enumerate(kept) if one.ended]
    best = log_probs.double().topk(min(width, log_probs.shape[1]), dim=1)  # more of one parent cannot be kept
    for row, (i, values, words) in enumerate(zip(running, best.values.tolist(), best.indices.tolist(), strict=True)):
        for value, word in zip(values, words, strict=True):
            if value == -math.inf:
                continue  # a word that cannot come
            before, ends = kept[i], word == end
            longer = Hypothesis(before.words + (() if ends else (word,)), before.log_prob + value, ends)
            found.append(_Candidate(i, row, word, longer))
    return sorted(found, key=lambda candidate: -candidate.hypothesis.log_prob)


def _told(candidate: _Candidate, kept: bool) -> dict:
    one = candidate.hypothesis
    told = {"parent": candidate.parent, "word": candidate.word, "log_prob": one.log_prob}
    return told | {"kept": kept, "ended": one.ended}


def chosen_rows(state: Any, rows: Int64[Tensor, " R"]) -> Any:
    """The state of these rows, in this order; a row may be chosen several times."""
    if isinstance(state, Tensor):
        return state[rows.to(state.device)]
    if isinstance(state, dict):
        return {name: chosen_rows(part, rows) for name, part in state.items()}
    if isinstance(state, list | tuple):
        parts = [chosen_rows(part, rows) for part in state]
        return type(state)(*parts) if hasattr(state, "_fields") else type(state)(parts)
    return state


def named(record: Record, symbols: Sequence[str]) -> Record:
    """The record with words in place of their ids, "" where an ended hypothesis stays: for the beam tree."""
    return [
        [told | {"word": "" if told["word"] is None else symbols[told["word"]]} for told in step] for step in record
    ]
