"""Sentences from film reviews, favourable or not, split so that no near-duplicate of a test sentence was trained on.

Pang and Lee, "Seeing stars" (2005): 5,331 favourable and 5,331 unfavourable sentences, already cut into words. Some
occur twice, or with a word changed; a plain split would put one into the training part and its twin into the test.
Two sentences are near-duplicates here if their sets of words have a Jaccard index |A ∩ B| / |A ∪ B| of at least 0.6.
All such pairs are found, not most of them: sort each set with its rarest words first; two sets as similar as that
must share one of their first |A| − ⌈0.6 |A|⌉ + 1 words, and fewer of the shorter one's are enough (Chaudhuri, Ganti
and Kaushik, "A primitive operator for similarity joins in data cleaning", 2006; Xiao and others, "Efficient similarity
joins for near duplicate detection", 2008). Whatever is linked by such pairs goes into one part.
"""

import math
import random
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unrolled.data import DataError, path
from unrolled.data.places import say_once

ALIKE = 0.6
FILES = "sentence_polarity/rt-polarity.neg", "sentence_polarity/rt-polarity.pos"  # labels 0 and 1


@dataclass(frozen=True)
class Review:
    """One sentence, and whether it is favourable: 1, or 0."""

    words: list[str]
    label: int


def sentence_polarity(seed: int = 0, stand_in: bool = True) -> dict[str, list[Review]]:
    """About 80 % of the sentences to train on, 10 % to choose with, 10 % to test on: "train", "dev", "test".

    Where the data cannot be had, made sentences stand in, and one line says so; stand_in=False: DataError.
    """
    try:
        with zipfile.ZipFile(path("sentence_polarity")) as archive:
            texts = [archive.read(name).decode("utf-8") for name in FILES]
    except DataError:
        if not stand_in:
            raise
        say_once(
            "Sentence polarity cannot be had (`python -m unrolled.data sentence_polarity` says why): "
            "made reviews stand in."
        )
        return split(made_reviews(1500, seed=0), seed, alike=1.0)  # in so small a language all is near to all
    return split([Review(line.split(), label) for label, text in enumerate(texts) for line in text.splitlines()], seed)


def split(reviews: Sequence[Review], seed: int, alike: float = ALIKE) -> dict[str, list[Review]]:
    """80/10/10, shuffled; near-duplicates stay together."""
    groups = clusters([review.words for review in reviews], alike)
    random.Random(seed).shuffle(groups)
    parts: dict[str, list[Review]] = {"train": [], "dev": [], "test": []}
    ends = {"dev": len(reviews) // 10, "test": len(reviews) // 10, "train": len(reviews)}
    for group in groups:
        part = next(name for name, end in ends.items() if len(parts[name]) + len(group) <= end)
        parts[part] += [reviews[i] for i in group]
    for members in parts.values():
        random.Random(seed + 1).shuffle(members)
    return parts


def clusters(sentences: Sequence[Sequence[str]], alike: float = ALIKE) -> list[list[int]]:
    """Groups of sentences, by their numbers: two near-duplicates are in one group, and so are their near-duplicates."""
    parent = list(range(len(sentences)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for one, other in near_duplicates(sentences, alike):
        parent[root(one)] = root(other)
    groups = defaultdict(list)
    for i in range(len(sentences)):
        groups[root(i)].append(i)
    return list(groups.values())


def near_duplicates(sentences: Sequence[Sequence[str]], alike: float = ALIKE) -> Iterator[tuple[int, int]]:
    """All pairs whose sets of words have a Jaccard index of at least `alike`, each pair once. Empty ones have none."""
    counts = Counter(word for words in sentences for word in set(words))
    sets = [set(words) for words in sentences]
    holders = defaultdict(list)  # word -> the sentences that have it among their first ones
    for i in sorted((i for i, words in enumerate(sets) if words), key=lambda i: len(sets[i])):
        words, size = sets[i], len(sets[i])
        rarest = sorted(words, key=lambda word: (counts[word], word))
        first = rarest[: size - math.ceil(alike * size) + 1]
        for j in {j for word in first for j in holders[word] if len(sets[j]) >= alike * size}:
            if len(words & sets[j]) >= alike * len(words | sets[j]):
                yield min(i, j), max(i, j)
        for word in rarest[: size - math.ceil(2 * alike / (1 + alike) * size) + 1]:  # later sets are no shorter
            holders[word].append(i)


# --- the stand-in ----------------------------------------------------------------------------------------------------

# fmt: off
GOOD = ["moving", "clever", "warm", "funny", "fresh", "gripping", "tender", "bold"]
BAD = ["dull", "clumsy", "cold", "stale", "tedious", "hollow", "lazy", "flat"]
THINGS = ["plot", "script", "story", "ending", "cast", "music", "camera", "first hour", "dialogue", "hero", "scenery"]
# fmt: on


def made_reviews(n: int, seed: int) -> list[Review]:
    """n made sentences; some say what something is not, so that counting words is not all there is to it."""
    chance = random.Random(seed)
    return [_made_review(chance) for _ in range(n)]


def _made_review(chance: random.Random) -> Review:
    label = chance.randint(0, 1)
    parts = [_opinion(chance, label) for _ in range(chance.randint(2, 4))]
    if chance.random() < 0.3:  # "the plot is dull , but …": what comes after counts
        parts.insert(0, f"{_opinion(chance, 1 - label)} , but")
    return Review(" ".join(parts).split() + ["."], label)


def _opinion(chance: random.Random, label: int) -> str:
    turned = chance.random() < 0.3
    word = chance.choice(GOOD if label != turned else BAD)
    return f"the {chance.choice(THINGS)} is {'not ' if turned else ''}{word}"
