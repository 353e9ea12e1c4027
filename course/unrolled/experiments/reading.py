"""From words to what the nets of `unrolled.tagging` read, and back: ids, letters, masks, targets, batches.

    reader = Reader.of([s.words for s in train], [s.tags for s in train], letters=True)
    batch = reader.batch([s.words for s in train[:32]], [s.tags for s in train[:32]])      # for training.fit
    tagger(reader.words([["they", "watch"]])).logits                                       # (1, 2, K)

A word is looked up as it is spelt, else in lower case; one that was not in the training text either way, or fewer than
`minimum_count` times, is UNKNOWN. Left out on purpose: sub-word units, and cutting a text into words.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from unrolled.language_model import IGNORED
from unrolled.tagging import UNKNOWN, Words, pad
from unrolled.training import Batch
from unrolled.vocabulary import Vocabulary

MOST_LETTERS = 16  # of a longer word the first half and the last half of that many are read
Sentences = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Reader:
    """The lists that give words, letters and classes their numbers."""

    vocabulary: Vocabulary  # PAD is 0, UNKNOWN 1
    classes: tuple[str, ...]  # tags, or classes of a sentence
    learned: int  # words with a smaller id stand in the training text, those from it on only in a table of vectors
    alphabet: Vocabulary | None = None  # None: letters are not read

    @classmethod
    def of(
        cls,
        sentences: Sentences,
        labels: Iterable[str] | Sentences,
        letters: bool = False,
        minimum_count: int = 1,
        more: Iterable[str] = (),
    ) -> "Reader":
        """From a training text. labels: of sentences (strings), or of words (a list of strings for each sentence).

        more: words that shall have an id, too, since there is a table with vectors for them.
        """
        words = [word for sentence in sentences for word in sentence]
        known = Vocabulary.of(words, minimum_count, boundary="<pad>", unknown="<unk>")
        learned = len(known)
        known = Vocabulary([*known.symbols[2:], *more], boundary="<pad>", unknown="<unk>")
        single = [one for label in labels for one in ([label] if isinstance(label, str) else label)]
        alphabet = Vocabulary.of("".join(words), 2, "<pad>", "<unk>") if letters else None
        return cls(known, tuple(sorted(set(single))), learned, alphabet)

    def words(self, sentences: Sentences) -> Words:
        """A batch to read."""
        ids, mask = pad([self.ids(sentence) for sentence in sentences])
        return Words(ids, mask, None if self.alphabet is None else self._letters(sentences, ids.shape))

    def batch(self, sentences: Sentences, labels: Sequence[str] | Sentences) -> Batch:
        """A batch to train on: targets (B, T) with IGNORED for pads, or (B,) if each label is one string."""
        numbers = {name: i for i, name in enumerate(self.classes)}
        if isinstance(labels[0], str):
            targets = torch.tensor([numbers[label] for label in labels])  # (B,)
        else:  # a tag that no training text had is left out of the loss
            targets, mask = pad([[numbers.get(tag, IGNORED) for tag in tags] for tags in labels], IGNORED)  # (B, T)
        return Batch(self.words(sentences), targets)

    def ids(self, sentence: Sequence[str]) -> list[int]:
        """The ids of a sentence's words."""
        return [self._words.get(word, self._words.get(word.lower(), UNKNOWN)) for word in sentence]

    def _letters(self, sentences: Sentences, shape: Sequence[int]) -> Tensor:
        words = [word for sentence in sentences for word in (*sentence, *[""] * (shape[1] - len(sentence)))]
        spelt = [[self._characters.get(letter, UNKNOWN) for letter in _shortened(word)] for word in words]
        return pad(spelt)[0].unflatten(0, tuple(shape))

    @cached_property
    def _words(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.vocabulary.symbols)}

    @cached_property
    def _characters(self) -> dict[str, int]:
        return {letter: i for i, letter in enumerate(self.alphabet.symbols)}


def _shortened(word: str) -> str:
    half = MOST_LETTERS // 2
    return word if len(word) <= MOST_LETTERS else word[:half] + word[-half:]


def batches(reader: Reader, sentences: Sentences, labels: Sequence, size: int, seed: int) -> Iterator[Batch]:
    """Without end: every sentence once an epoch, in new order, in batches of sentences of about equal length."""
    chance = random.Random(seed)
    while True:
        order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]) + 3 * chance.random())
        groups = [order[at : at + size] for at in range(0, len(order), size)]
        chance.shuffle(groups)
        for group in groups:
            yield reader.batch([sentences[i] for i in group], [labels[i] for i in group])


@torch.no_grad()
def answers(model, reader: Reader, sentences: Sentences, size: int = 128) -> list:
    """What a net says, without dropout: a list of tags for each sentence, or a class for each; in their order."""
    was_training = model.training
    model.eval()
    order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]))
    found: dict[int, list[str] | str] = {}
    for at in range(0, len(order), size):
        group = order[at : at + size]
        best = model(reader.words([sentences[i] for i in group]).to(model.device)).logits.argmax(-1).tolist()
        for i, row in zip(group, best, strict=True):
            found[i] = (
                reader.classes[row] if isinstance(row, int) else [reader.classes[k] for k in row[: len(sentences[i])]]
            )
    model.train(was_training)
    return [found[i] for i in range(len(sentences))]
