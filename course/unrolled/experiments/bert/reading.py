"""From texts, pairs and tagged words to what BERT with a head reads, and back; batches of about equal length.

    reader = Reader(pieces, classes=("bad", "good"))
    fit(Classifier(bert, 2), reader.batches([reader.text(t) for t in texts], labels, size=16, seed=0), steps=500)
    reader.classified(model, items)                     # a class for each
    reader.tagged(model, [reader.words(w) for w in sentences])

Where a word has several pieces, its first one carries the label; `every` gives it to all of them, in training.
Left out on purpose: overlapping windows (`unrolled.pretraining.windows`).
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from unrolled.bert import Pieces
from unrolled.language_model import IGNORED
from unrolled.pretraining import buckets, pack
from unrolled.training import Batch
from unrolled.wordpiece import WordPiece


@dataclass(frozen=True)
class Item:
    """One sequence."""

    ids: list[int]
    segments: list[int]
    of_word: tuple[int, ...] = ()  # for each piece the number of its word, −1 for special ones


@dataclass(frozen=True)
class Reader:
    """A list of pieces, the classes, and how long a sequence may be."""

    pieces: WordPiece
    classes: tuple[str, ...]
    longest: int = 128
    cut: str = "head"  # what stays of a text that is too long: one of pretraining.CUTS
    every: bool = False  # whether all pieces of a word carry its label, or the first alone

    def text(self, first: str, second: str | None = None) -> Item:
        """One text, or two."""
        other = None if second is None else self.pieces.encode(second)
        return Item(*pack(self.pieces.encode(first), other, self.pieces, self.longest, self.cut))

    def words(self, words: Sequence[str], question: Sequence[str] | None = None) -> Item:
        """Words that are cut already; behind a question, if there is one, whose words have no numbers."""
        ids, of = self.pieces.of_words(words)
        before = [] if question is None else self.pieces.of_words(question)[0]
        room = self.longest - 2 - (len(before) + 1 if before else 0)
        if room < 0:
            raise ValueError(f"the question's {len(before)} pieces leave no room in {self.longest}")
        ids, of = ids[:room], of[:room]
        packed = pack(before, ids, self.pieces, self.longest) if before else pack(ids, None, self.pieces, self.longest)
        at = len(packed[0]) - 1 - len(ids)
        return Item(*packed, (*[-1] * at, *of, -1))

    def batch(self, items: Sequence[Item]) -> Pieces:
        """To read."""
        return Pieces.of([item.ids for item in items], [item.segments for item in items], self.pieces.pad)

    def targets(self, items: Sequence[Item], labels: Sequence[str] | Sequence[Sequence[str]]) -> Tensor:
        """(B,) for a label each; (B, N) for labels of words, with IGNORED where none counts."""
        number = {name: i for i, name in enumerate(self.classes)}
        if isinstance(labels[0], str):
            return torch.tensor([number[label] for label in labels])
        targets = torch.full((len(items), max(len(item.ids) for item in items)), IGNORED)
        for row, item, tags in zip(targets, items, labels, strict=True):
            for at, word in self._carriers(item):
                row[at] = number.get(tags[word], IGNORED)  # a tag that no training text had does not count
        return targets

    def _carriers(self, item: Item) -> Iterator[tuple[int, int]]:
        """Each piece that carries a label, and its word."""
        last = -1
        for at, word in enumerate(item.of_word):
            if word >= 0 and (self.every or word != last):
                yield at, word
            last = word

    def batches(self, items: Sequence[Item], labels: Sequence, size: int, seed: int) -> Iterator[Batch]:
        """Without end: all items once an epoch, in batches of about equal length, for `unrolled.training.fit`."""
        chance = random.Random(seed)
        while True:
            for group in buckets([len(item.ids) for item in items], size, chance):
                some = [items[i] for i in group]
                yield Batch(self.batch(some), self.targets(some, [labels[i] for i in group]))

    def classified(self, model: nn.Module, items: Sequence[Item], size: int = 64) -> list[str]:
        """The likeliest class of each."""
        return [self.classes[int(best)] for best in self._best(model, items, size)]

    def tagged(self, model: nn.Module, items: Sequence[Item], size: int = 64) -> list[list[str]]:
        """The likeliest tag at each word's first piece; none for words that were cut away, at the end."""
        found = []
        for item, row in zip(items, self._best(model, items, size), strict=True):
            firsts = {word: at for at, word in reversed(list(enumerate(item.of_word))) if word >= 0}
            found.append([self.classes[int(row[firsts[word]])] for word in sorted(firsts)])
        return found

    @torch.no_grad()
    def _best(self, model: nn.Module, items: Sequence[Item], size: int) -> list[Tensor]:
        """The highest of each item's logits, without dropout, in the items' order."""
        was_training, found = model.training, {}
        model.eval()
        order = sorted(range(len(items)), key=lambda i: len(items[i].ids))
        for group in (order[at : at + size] for at in range(0, len(order), size)):
            logits = model(self.batch([items[i] for i in group]).to(model.device)).logits
            found |= dict(zip(group, logits.argmax(-1).cpu(), strict=True))
        model.train(was_training)
        return [found[i] for i in range(len(items))]
