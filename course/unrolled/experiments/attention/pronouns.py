"""Sentences of ours in which a pronoun must find its noun, and a small net that learns to.

    train, test = pronoun_sentences(2000, 0), pronoun_sentences(300, 0, unseen=True)
    finder = train_finder(train, steps=300)
    finder.accuracy(test)                              # the share of pronouns that find the right noun
    finder.looks(test[0].words)                        # (H, N, N): where the heads look
    looks_right(finder, test)                          # for each head: how, and how often, it looks at the right noun

Each sentence names two things or people of different kind, and a pronoun of one's kind: she, he, it or they. The net
gives a class, one of the nouns, at the pronoun alone. Nothing tells it what kind a noun is: it learns that from the
pronouns. Pairs of nouns in the test sentences never stand together in a training sentence. Left out on purpose: what
only sense can tell ("the cup fell on the table, and it broke").

Shapes: H heads, N words of a sentence.
"""

import random
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from unrolled.attention import Config, SelfAttention
from unrolled.experiments.reading import Reader, answers, batches
from unrolled.training import History, fit

NOUNS = {
    "she": ("Anna", "Mira", "Ines", "Lucy", "Zoe", "Hanna"),
    "he": ("Tom", "Ravi", "Omar", "Ben", "Leo", "Karl"),
    "it": ("cup", "letter", "lamp", "kite", "ball", "drum"),
    "they": ("twins", "geese", "boys", "keys", "bells", "boats"),
}
KINDS = {noun: kind for kind, nouns in NOUNS.items() for noun in nouns}
FIRST = (), ("yesterday",), ("in", "the", "evening"), ("as", "always", ","), ("at", "last")
VERBS = "saw", "heard", "found", "passed", "forgot", "painted", "liked", "missed"
PLACES = (), ("in", "the", "garden"), ("near", "the", "old", "bridge"), ("on", "the", "way", "home")
LINKS = "because", "before", "when", "although", "and"
ENDS = (
    ("looked", "lost"),
    ("came", "from", "far", "away"),
    ("seemed", "new"),
    ("stood", "in", "the", "rain"),
    ("shone",),
)
SMALL = 0.3  # of the embeddings at the start


class Told(NamedTuple):
    """A sentence."""

    words: list[str]
    pronoun: int  # its place
    noun: int  # the place of the noun that it stands for
    other: int  # the place of the noun that it does not stand for


def pronoun_sentences(n: int, seed: int, unseen: bool = False) -> list[Told]:
    """n sentences; unseen: with pairs of nouns that no sentence has otherwise, one pair in five, whatever the seed."""
    chance = random.Random(f"{seed} {unseen}")
    names = list(KINDS)
    pairs = [(a, b) for a in names for b in names if KINDS[a] != KINDS[b]]
    pairs = [(a, b) for a, b in pairs if ((names.index(a) + names.index(b)) % 5 == 0) == unseen]
    return [_told(chance, *chance.choice(pairs)) for _ in range(n)]


def _told(chance: random.Random, first: str, second: str) -> Told:
    words, places = [*chance.choice(FIRST)], {}
    for noun, after in ((first, (chance.choice(VERBS),)), (second, (*chance.choice(PLACES), chance.choice(LINKS)))):
        words += [noun] if noun.istitle() else ["the", noun]
        places[noun] = len(words) - 1
        words += after
    meant, other = chance.sample([first, second], 2)
    return Told([*words, KINDS[meant], *chance.choice(ENDS), "."], len(words), places[meant], places[other])


# --- a net -----------------------------------------------------------------------------------------------------------


class Finder(NamedTuple):
    """A net that was trained to find nouns, and what turns words into its ids."""

    model: SelfAttention
    reader: Reader
    history: History

    def nouns(self, sentences: Sequence[Told]) -> list[str]:
        """What the pronoun of each sentence stands for."""
        said = answers(self.model, self.reader, [s.words for s in sentences])
        return [row[s.pronoun] for row, s in zip(said, sentences, strict=True)]

    def accuracy(self, sentences: Sequence[Told]) -> float:
        """The share of sentences whose noun it finds."""
        found = zip(self.nouns(sentences), sentences, strict=True)
        return sum(noun == s.words[s.noun] for noun, s in found) / len(sentences)

    def looks(self, words: Sequence[str]) -> Tensor:
        """(H, N, N) for any sentence; words that it does not know are one and the same to it."""
        return self.model.weights(self.reader.words([words]).to(self.model.device))[0][0].cpu()


def train_finder(train: Sequence[Told], steps: int, seed: int = 0, rate: float = 1e-2, **settings) -> Finder:
    """One layer, both sides, four heads and no positions, if settings (more of `Config`) say nothing else.

    Words start as short vectors, of standard deviation SMALL: with 1 the softmax is sharp before anything is learned,
    and a head that looks at the wrong word then gets almost no gradient that would tell it so.
    """
    words, labels = [s.words for s in train], [_labels(s) for s in train]
    reader = Reader.of(words, [list(KINDS)])
    torch.manual_seed(seed)
    model = SelfAttention(Config(reader.learned, len(KINDS), **{"positions": "none"} | settings))
    model.E.weight.data.mul_(SMALL)
    history = fit(model, batches(reader, words, labels, 64, seed), steps=steps, rate=rate)
    return Finder(model, reader, history)


def _labels(sentence: Told) -> list[str]:
    """No class for any word but the pronoun."""
    return [sentence.words[sentence.noun] if i == sentence.pronoun else "" for i in range(len(sentence.words))]


class Looks(NamedTuple):
    """Of one head."""

    weight: float  # that the pronoun gives its noun, on average
    right: float  # the share of sentences in which that is more than it gives the other noun


def looks_right(finder: Finder, sentences: Sequence[Told]) -> list[Looks]:
    """For each head, how it looks from the pronoun at its noun."""
    found = []
    for s in sentences:
        row = finder.looks(s.words)[:, s.pronoun]  # (H, N)
        found.append(torch.stack([row[:, s.noun], (row[:, s.noun] > row[:, s.other]).float()]))
    return [Looks(*of) for of in torch.stack(found).mean(0).T.tolist()]  # (S, 2, H) -> H of 2
