"""From pairs of sentences to what a translator reads, and back: ids, marks, masks, batches, translations.

    reader = Reader.of(train)
    batch = reader.batch(train[:64])                          # for training.fit
    translations(model, reader, [p.source for p in test])     # lists of words, by greedy decoding

Left out on purpose: sub-word units.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from unrolled.decoding import greedy
from unrolled.experiments.seq2seq.numbers import Pair
from unrolled.language_model import IGNORED
from unrolled.seq2seq import BEGIN, END, SPECIAL, UNKNOWN, Pairs, Translator
from unrolled.tagging import PAD, pad
from unrolled.training import Batch
from unrolled.vocabulary import Vocabulary

LIMIT = 40  # words of a translation
Sentences = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Reader:
    """The lists that give words their numbers. backwards: the source is read from its end."""

    source: Vocabulary  # PAD is 0, UNKNOWN 1
    target: Vocabulary  # BEGIN is 2, END 3 besides
    backwards: bool = False

    @classmethod
    def of(cls, pairs: Sequence[Pair], minimum_count: int = 1, backwards: bool = False) -> "Reader":
        pad_unknown = {"boundary": SPECIAL[PAD], "unknown": SPECIAL[UNKNOWN]}
        words = [word for p in pairs for word in p.target]
        known = Vocabulary.of(words, minimum_count, **pad_unknown).symbols[2:]
        target = Vocabulary([SPECIAL[BEGIN], SPECIAL[END], *known], **pad_unknown)
        source = Vocabulary.of([word for p in pairs for word in p.source], minimum_count, **pad_unknown)
        return cls(source, target, backwards)

    def inputs(self, sources: Sentences, targets: Sentences | None = None) -> Pairs:
        """What a translator is shown; without targets only the beginning mark is written."""
        rows = [[self._sources.get(word, UNKNOWN) for word in words] for words in sources]
        ids, mask = pad([row[::-1] for row in rows] if self.backwards else rows)
        written = [[BEGIN, *self.ids(words)] for words in (targets or [()] * len(sources))]
        return Pairs(ids, mask, pad(written)[0])

    def batch(self, pairs: Sequence[Pair]) -> Batch:
        """Inputs, and targets (B, M): the words, END, and IGNORED for pads."""
        targets = [p.target for p in pairs]
        due = pad([[*self.ids(words), END] for words in targets], IGNORED)[0]
        return Batch(self.inputs([p.source for p in pairs], targets), due)

    def ids(self, words: Sequence[str]) -> list[int]:
        """The ids of a translation's words."""
        return [self._targets.get(word, UNKNOWN) for word in words]

    def words(self, ids: Sequence[int]) -> list[str]:
        """The words of a translation."""
        return [self.target.symbols[i] for i in ids]

    @cached_property
    def _sources(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.source.symbols)}

    @cached_property
    def _targets(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.target.symbols)}


def batches(reader: Reader, pairs: Sequence[Pair], size: int, seed: int) -> Iterator[Batch]:
    """Without end: every pair once an epoch, in new order, in batches of targets of about equal length."""
    chance = random.Random(seed)
    while True:
        order = sorted(range(len(pairs)), key=lambda i: len(pairs[i].target) + 3 * chance.random())
        groups = [order[at : at + size] for at in range(0, len(order), size)]
        chance.shuffle(groups)
        for group in groups:
            yield reader.batch([pairs[i] for i in group])


def translations(
    model: Translator, reader: Reader, sources: Sentences, limit: int = LIMIT, size: int = 256
) -> list[list[str]]:
    """What a net writes, by greedy decoding, in the order of the sources."""
    order = sorted(range(len(sources)), key=lambda i: len(sources[i]))
    found: dict[int, list[str]] = {}
    for at in range(0, len(order), size):
        group = order[at : at + size]
        state = started(model, reader, [sources[i] for i in group])
        for i, ids in zip(group, greedy(model.step, state, BEGIN, END, limit, len(group)), strict=True):
            found[i] = reader.words(ids)
    return [found[i] for i in range(len(sources))]


@torch.no_grad()
def started(model: Translator, reader: Reader, sources: Sentences):
    """The decoder's state after these sources have been read."""
    shown = reader.inputs(sources).to(model.device)
    return model.start(shown.source, shown.mask)


@torch.no_grad()
def looked(model: Translator, reader: Reader, source: Sequence[str], target: Sequence[str]) -> Tensor:
    """The weights (M, N) with which each word of a translation was written, without its end; on the CPU."""
    shown = reader.inputs([source], [target]).to(model.device)
    weights = model(shown).weights[0, : len(target)].cpu()
    return weights.flip(1) if reader.backwards else weights


def exact(given: Sentences, right: Sentences) -> float:
    """The share of translations that are right to the last word."""
    return sum(list(one) == list(other) for one, other in zip(given, right, strict=True)) / len(right)


def word_accuracy(given: Sentences, right: Sentences) -> float:
    """The share of right words that stand at their place in what is given."""
    hits = [word == other for one, of in zip(given, right, strict=True) for word, other in zip(of, one, strict=False)]
    return sum(hits) / sum(map(len, right))
