"""Steps of decoders that answers are given to call, for the checks of 5.4 and 5.5.

step(state, words) reads a word in each row of a batch, (B,) int64, and gives log probabilities (B, U) and the next
state; for 5.5 it reads one word, an int, and gives (U,). Each holds its caller to that, and to the states that it
handed out, which may be a tensor, a tuple or a dictionary. Left out on purpose: losses and searches, which the
exercises ask to be written.
"""

import itertools
import random
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from unrolled.checking.compare import close, holds
from unrolled.checking.kinds import number, pair, readable, refuse, symbols
from unrolled.checking.plain import describe, short

from .batches import mask_of
from .recurrent import numbers, symbol_ids

Step = Callable[[Any, Any], tuple[Tensor, Any]]
FORMS = "tensor", "tuple", "dict"
STATE = "step was given {} as state: it takes the first state, or what it returned as the next one"
HANDED = "What does each call hand to step? A state first, as it came, and then what is read."


def closed(inner: Tensor, form: str) -> Any:
    """A state of this form around a tensor."""
    return {"tensor": inner, "tuple": (inner, (torch.ones(2), "s")), "dict": {"s": inner, "layers": [1]}}[form]


def opened(state: Any, form: str) -> Tensor:
    """What is in a state, held to have the form of those that were handed out."""
    well = {
        "tensor": lambda: state,
        "tuple": lambda: (
            state[0] if isinstance(state, tuple) and len(state) == 2 and isinstance(state[1], tuple) else None
        ),
        "dict": lambda: state.get("s") if isinstance(state, dict) and state.keys() == {"s", "layers"} else None,
    }
    inner = well[form]()
    holds(readable(inner) and inner.dim() == 1, STATE.format(describe(state)), HANDED)
    return inner


# --- of a batch ------------------------------------------------------------------------------------------------------


def _read_well(words: Any, batch: int, vocabulary: int) -> Tensor:
    well = readable(words) and words.dtype == torch.int64 and tuple(words.shape) == (batch,)
    holds(well, f"step was given {describe(words)} as words: it takes ids of shape {(batch,)}, int64", HANDED)
    inside = bool(((words >= 0) & (words < vocabulary)).all())
    holds(inside, "step was given an id that is no word", HANDED)
    return words


def remembering(
    rng: random.Random, batch: int, vocabulary: int, form: str = "tensor", dtype: torch.dtype = torch.float32
) -> tuple[Step, Any]:
    """A decoder whose log probabilities depend on all that it has read, and exclude the pad; and its first state."""
    table, bend = numbers(rng, vocabulary, vocabulary, spread=2.0, dtype=dtype), numbers(rng, vocabulary, spread=2.0)

    def step(state: Any, words: Any) -> tuple[Tensor, Any]:
        seen = opened(state, form)
        holds(seen.dtype == torch.float64, STATE.format(describe(seen)), HANDED)
        words = _read_well(words, len(seen), vocabulary)
        seen = 0.6 * seen + words
        logits = table[words] + torch.sin(seen)[:, None].to(dtype) * bend.to(dtype)
        return logits.index_fill(1, torch.tensor(0), -torch.inf).log_softmax(1), closed(seen, form)

    return step, closed(numbers(rng, batch, spread=2.0, dtype=torch.float64), form)


def adding(batch: int, vocabulary: int, form: str = "tensor") -> tuple[Step, Any, Callable[[int], int]]:
    """A decoder that is certain of one next word, made of the sum of all words read; the rule comes with it."""

    def rule(total: int) -> int:
        return 3 + total % (vocabulary - 3)

    def step(state: Any, words: Any) -> tuple[Tensor, Any]:
        total = opened(state, form)
        total = total + _read_well(words, len(total), vocabulary)
        log_probs = torch.full((len(total), vocabulary), -1000.0)
        log_probs[range(len(total)), [rule(int(one)) for one in total]] = 0.0
        return log_probs, closed(total, form)

    return step, closed(torch.zeros(batch, dtype=torch.int64), form), rule


def fixed(table: Tensor) -> Step:
    """A decoder whose log probabilities depend on the word before alone: a row of `table` (U, U)."""

    def step(state: Any, words: Any) -> tuple[Tensor, Any]:
        words = _read_well(words, len(opened(state, "tensor")), len(table))
        return table[words], state + 1

    return step


def loss_teaches(answer: Any, rng: random.Random) -> None:
    """Hold a loss to its gradient by the log probabilities that step returned, for rows of three, one and two words."""
    table, mask = numbers(rng, 5, 5, dtype=torch.float64).log_softmax(1), mask_of((3, 1, 2), 3)
    read, said = (symbol_ids(rng, 4, 3, 3).add(1).where(mask, torch.tensor(0)) for _ in range(2))
    first = torch.zeros(3, dtype=torch.int64)
    by_step = answer.gradients(fixed(table), first, read, said, mask)["arguments"][0]
    holds(len(by_step) == 3, f"step was called {len(by_step)} times for texts of at most three words")
    for j, got in enumerate(by_step):
        expected = torch.zeros(3, 5, dtype=torch.float64)
        expected[mask[:, j], said[mask[:, j], j]] = -1 / 6
        close(got, expected, f"the gradient by the log probabilities of step {j + 1}")


# --- of one text -----------------------------------------------------------------------------------------------------


class Tree:
    """A decoder of one text, whose log probabilities depend on all words read, each beginning's own, in any order.

    `begins` and `ends` are ids. `known`: the log probabilities after some beginnings, (U,), by the words written so
    far; those of all others are `otherwise`, or else drawn, and a share `closed_off` of these is −∞, but never that of
    `ends`.
    """

    def __init__(
        self,
        rng: random.Random,
        vocabulary: int,
        begins: int = 2,
        ends: int = 3,
        form: str = "tensor",
        known: dict[tuple, Tensor] | None = None,
        closed_off: float = 0.0,
        otherwise: Tensor | None = None,
    ):
        self.vocabulary, self.begins, self.ends, self.form = vocabulary, begins, ends, form
        self.key, self.known, self.closed_off, self.otherwise = rng.random(), known or {}, closed_off, otherwise
        self.first = closed(torch.tensor([-1]), form)  # nothing read yet
        self.has_begun = False  # whether anybody has read `begin`

    def after(self, written: tuple[int, ...]) -> Tensor:
        """ln P of each next word, (U,), float64."""
        if written in self.known:
            return self.known[written]
        if self.otherwise is not None:
            return self.otherwise
        own = random.Random(f"{self.key} {written}")  # the same for who asks first and who asks last
        logits = torch.tensor([own.uniform(-2.5, 2.5) for _ in range(self.vocabulary)], dtype=torch.float64)
        for word in range(self.vocabulary):
            if own.random() < self.closed_off and word != self.ends:
                logits[word] = -torch.inf
        return logits.log_softmax(0)

    def step(self, state: Any, word: Any) -> tuple[Tensor, Any]:
        read = opened(state, self.form).tolist()[1:]
        holds(type(word) is int, f"step was given {describe(word)} as word: it takes one id, an int", HANDED)
        holds(0 <= word < self.vocabulary, f"step was given the id {short(word)}, which is no word", HANDED)
        begun = bool(read) or word == self.begins
        stale = f"step was given the word {word} with the state from before the first word, when `begin` had been read"
        holds(begun or not self.has_begun, stale, "Hand on the state that step returned with the log probabilities.")
        holds(begun, "the first word that step was given is not `begin`", "Before the first word, `begin` is read.")
        self.has_begun = True
        ended = bool(read) and word == self.ends
        holds(not ended, "step was asked to go on after the end mark", "What has ended is not extended.")
        read.append(word)
        return self.after(tuple(read[1:])), closed(torch.tensor([-1, *read]), self.form)

    def worth(self, words: list[int]) -> float:
        """ln P of a text: of its words, one after another."""
        return sum(float(self.after(tuple(words[:j]))[word]) for j, word in enumerate(words))

    def best(self, limit: int) -> float:
        """The largest ln P of all texts that end within `limit` words, or have so many: each of them tried."""
        others = [word for word in range(self.vocabulary) if word != self.ends]
        texts = [[*words, self.ends] for n in range(limit) for words in itertools.product(others, repeat=n)]
        texts += [list(words) for words in itertools.product(others, repeat=limit)]
        return max(map(self.worth, texts))

    def ask(self, answer: Any, width: int, limit: int) -> list[tuple[list[int], float]]:
        """An answer's hypotheses, held to their form, to be different, and to be sorted, best first."""
        got = answer(self.step, self.first, self.begins, self.ends, width, limit)
        return hypotheses(got, width, limit, self.vocabulary, self.ends)


def pairs_of(got: Any) -> list[tuple[list[int], float]]:
    """What an answer to 5.5 returns, held to be a list of pairs of a list of words and a number."""
    if not isinstance(got, list):
        refuse("the hypotheses", "a list", got)
    found = []
    for place, one in enumerate(got):
        words, log_prob = pair(one, f"hypothesis {place}")
        if not isinstance(words, list):
            refuse(f"the words of hypothesis {place}", "a list of ids", words)
        found.append((words, number(log_prob, f"the log probability of hypothesis {place}")))
    return found


def hypotheses(got: Any, width: int, limit: int, vocabulary: int, end: int) -> list[tuple[list[int], float]]:
    """The same, held to what every beam is."""
    found = pairs_of(got)
    holds(bool(found), "no hypothesis came, though some text is possible")
    holds(len(found) <= width, "more hypotheses came than `width`")
    for place, (words, _) in enumerate(found):
        holds(len(words) <= limit, "a hypothesis has more words than `limit`")
        symbols(words, len(words), vocabulary, f"the words of hypothesis {place}")
        holds(end not in words[:-1], "a hypothesis goes on after the end mark", "What has ended is not extended.")
    totals = [log_prob for _, log_prob in found]
    holds(totals == sorted(totals, reverse=True), "the hypotheses are not sorted, the most probable first")
    holds(len({tuple(words) for words, _ in found}) == len(found), "a hypothesis comes twice")
    return found
