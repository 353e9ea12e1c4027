"""Tasks that ask each letter to look back. First of all: how often has this letter occurred before here?

    counter = train_counter(steps=300, seed=0)          # a SelfAttention net, positions="none", causal=True
    counter.accuracy(length=20)                         # share of letters with the right answer, in new strings
    counter.answers("abcab")                            # [0, 0, 0, 1, 1]
    counter.looks("abcab")                              # [(H, 6, 6)]: for each layer, where the heads look
    majority(length=20)                                 # of somebody who always gives the commonest answer

`task` names another question than "count", one of TASKS. A string begins with a mark, which has no answer: without it
the share of a letter's weight that falls on its like says nothing of their number (one of one is as much as three of
three). Each letter is drawn anew, so that little can be learned but to look. Left out on purpose: strings of different
length in one batch.

Cost: 300 steps of 64 strings of 20 letters take about two seconds of one core.
Shapes: B strings of N letters, and the mark before them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from unrolled.attention import Config, SelfAttention
from unrolled.language_model import IGNORED
from unrolled.tagging import Config as TaggerConfig
from unrolled.tagging import Tagger, Words
from unrolled.training import Batch, History, fit

LETTERS, VOWELS = "abcdefghij", "aei"
MARK = len(LETTERS) + 1  # its id; those of the letters begin at 1, after PAD
SYMBOLS = len(LETTERS) + 2
BACK = 2  # places between a letter and the one that "before" asks for


# --- questions -------------------------------------------------------------------------------------------------------


def counts(letters: Tensor) -> Tensor:
    """How often has each letter occurred before? 0, 1, or 2 for more often, too: (B, N) -> (B, N)."""
    same = letters[:, :, None] == letters[:, None]  # (B, N, N)
    return same.tril(-1).sum(2).clamp(max=2)


def before(letters: Tensor) -> Tensor:
    """Which letter stands two places before? The first two have no answer: (B, N) -> (B, N)."""
    return torch.where(torch.arange(letters.shape[1]) < BACK, IGNORED, letters.roll(BACK, 1) - 1)


def counts_and_vowels(letters: Tensor) -> Tensor:
    """Both in one: how often has this letter occurred (0, 1, 2), and is the one just before a vowel (0, 1)?

    2 · count + vowel: (B, N) -> (B, N); the first letter has no answer.
    """
    vowels = torch.tensor([1 + LETTERS.index(letter) for letter in VOWELS])
    both = 2 * counts(letters) + torch.isin(letters.roll(1, 1), vowels)
    return torch.where(torch.arange(letters.shape[1]) < 1, IGNORED, both)


def following(letters: Tensor) -> Tensor:
    """Which letter comes next? Nobody can know, unless they see it. The last has no answer: (B, N) -> (B, N)."""
    last = torch.arange(letters.shape[1]) == letters.shape[1] - 1
    return torch.where(last, IGNORED, letters.roll(-1, 1) - 1)


class Task(NamedTuple):
    classes: int
    right: Callable[[Tensor], Tensor]


TASKS = {
    "count": Task(3, counts),
    "before": Task(len(LETTERS), before),
    "both": Task(6, counts_and_vowels),
    "next": Task(len(LETTERS), following),
}


def read(string: str) -> Words:
    """One string, with the mark before it, for the net to read."""
    if unknown := set(string) - set(LETTERS):
        raise ValueError(f"{min(unknown)!r} is not one of the letters {LETTERS}")
    return _words(torch.tensor([[1 + LETTERS.index(letter) for letter in string]], dtype=torch.int64))


def strings(asked: int, length: int, generator: torch.Generator, task: str = "count") -> Batch:
    """Random strings, and the right answers; none is asked at the mark."""
    letters = torch.randint(1, 1 + len(LETTERS), (asked, length), generator=generator)
    unasked = torch.full((asked, 1), IGNORED)
    return Batch(_words(letters), torch.cat([unasked, TASKS[task].right(letters)], dim=1))


def exam(length: int, asked: int = 500, seed: int = 1, task: str = "count") -> Batch:
    """Strings that no training has seen."""
    return strings(asked, length, torch.Generator().manual_seed(1_000_000 + seed), task)


def _words(letters: Tensor) -> Words:
    ids = torch.cat([torch.full((len(letters), 1), MARK), letters], dim=1)  # (B, N + 1)
    return Words(ids, torch.ones_like(ids, dtype=torch.bool))


# --- nets ------------------------------------------------------------------------------------------------------------


@dataclass
class Counter:
    """A net that was trained to answer, and how that went."""

    model: nn.Module
    history: History
    task: str = "count"

    def accuracy(self, length: int, asked: int = 500, seed: int = 1) -> float:
        """The share of letters that get the right answer, in new strings."""
        new = exam(length, asked, seed, self.task)
        return share_right(self._said(new.inputs), new.targets)

    def answers(self, string: str) -> list[int]:
        """What the net says of each letter of a string."""
        return self._said(read(string))[0, 1:].tolist()

    def looks(self, string: str) -> list[Tensor]:
        """For each layer the weights (H, N + 1, N + 1); the mark stands first. Of a `SelfAttention` net alone."""
        return [weights[0].cpu() for weights in self.model.weights(read(string).to(self.model.device))]

    @torch.no_grad()
    def _said(self, words: Words) -> Tensor:
        return self.model(words.to(self.model.device)).logits.argmax(2).cpu()  # (B, N + 1)


def share_right(said: Tensor, targets: Tensor) -> float:
    """Of those that have an answer."""
    asked = targets != IGNORED
    return (said == targets)[asked].float().mean().item()


def train_counter(steps: int, seed: int = 0, task: str = "count", length: int = 20, **settings) -> Counter:
    """A `SelfAttention` net, without positions and causal if nothing else is said; settings: more of its `Config`.

    Among the settings may be `rate`, of the training, and `batch`, strings in one of its steps.
    """
    return _trained(SelfAttention, Config, {"positions": "none", "causal": True}, steps, seed, task, length, settings)


def train_recurrent(steps: int, seed: int = 0, task: str = "count", length: int = 20, **settings) -> Counter:
    """Unit 4's tagger, an LSTM that reads from left to right; settings: more of its `Config`, `rate` and `batch`."""
    net = {"width": 32, "hidden": 32, "directions": 1, "dropout": 0.0}
    return _trained(Tagger, TaggerConfig, net, steps, seed, task, length, settings)


def _trained(make, config, net, steps, seed, task, length, settings) -> Counter:
    settings = net | settings
    rate, batch = settings.pop("rate", 1e-2), settings.pop("batch", 64)
    torch.manual_seed(seed)
    model = make(config(SYMBOLS, TASKS[task].classes, **settings))
    return Counter(model, fit(model, endless(batch, length, seed, task), steps=steps, rate=rate), task)


def endless(batch: int, length: int, seed: int, task: str = "count") -> Iterator[Batch]:
    """Ever new strings to train on."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        yield strings(batch, length, generator, task)


def majority(length: int, asked: int = 500, seed: int = 1, task: str = "count") -> float:
    """The share that is right if every letter gets the answer that is commonest."""
    targets = exam(length, asked, seed, task).targets
    return share_right(targets[targets != IGNORED].mode().values, targets)
