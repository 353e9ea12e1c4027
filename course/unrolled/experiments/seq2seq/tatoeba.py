"""Sentences in English and French that people wrote for learners, split so that no test sentence was trained on.

    parts = tatoeba(longest=10)
    parts["test"][0]                          # Pair(source=["i", "see", "."], target=["je", "comprends", "."], …)
    references(parts["test"])                 # {"i see .": ["je comprends .", "je vois ."], …}

Tatoeba's volunteers, gathered by manythings.org. Many English sentences stand there several times, each time with
another translation; a plain split would put one into the training part and its twin into the test. Here all pairs whose
English sides have the same letters go into one part. Everything is in lower case; an apostrophe stays with what stands
before it ("j'", "ai"), punctuation marks are words.

Vulgar words, as far as this list knows them, leave their whole pair out. Such a list had better not be read: it holds
the first eight digits of each word's SHA-256, and a word is looked up by its own.
Left out on purpose: sub-word units, and capital letters.
"""

import hashlib
import random
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from unrolled.data import DataError, path
from unrolled.data.places import say_once
from unrolled.experiments.seq2seq.numbers import Pair, number_phrases

FILE = "fra-eng/fra.txt"
VULGAR = {
    "en": """
        06a1d8bf 11cf8376 120f6e5b 13a465fc 2062f800 2189c0ed 245c20d3 26578569 2f34b7a4 2f5f6ce5 30a989af 31506a84
        3e10139e 45fb7c3b 522788b6 566f532d 59cc3cb8 5a9d9dce 5b3ae48b 6ac3c336 796e43a5 7bc67115 85fc17f7 867d7897
        8c5c0439 8f5083e3 937d56e4 94a2b576 986c9900 9915ba2d 9ae315a9 a24efab8 a76d588d ad505b0b b690cdbe b81d6dc2
        bb61ef40 bd331fb1 bdb1cc25 c2c3b68b d75a838d db10a790 dc2abe4e e512a055 f50c51ed
    """,
    "fr": """
        0249b1b3 029cb254 030b25eb 1143da2b 14690b9f 2637e88f 293df389 33ab7e39 355395c0 3834713b 3babfc07 3e267bd8
        424c89c6 5019c4e0 521e601a 52566cb7 55b13c2f 5f1adb49 6251cedf 6b7f1a28 785d960f 7b18f199 862a6b5e 8e760c31
        8f15156b 909a4498 99a81f00 a0f9178f a1fdda81 a2fd044a a6e9c460 a972eb6e b0521e2b b27236b3 b7b724f9 b8d96d69
        bb467982 bf393dfb c1fd1688 c2537eea c97019a5 cabf5a40 e6d0f0c5 e7b142d7 efc0c180 fc2dec82 ff1580fa
    """,
}


def tatoeba(
    longest: int = 10, seed: int = 0, test: int = 1000, dev: int = 500, stand_in: bool = True
) -> dict[str, list[Pair]]:
    """The parts "train", "dev" and "test"; dev and test of so many different English sentences, with all translations.

    longest: words of either side, marks counted. The pairs are not aligned. Where the data cannot be had, number
    phrases in English and French stand in, and one line says so; stand_in=False: DataError.
    """
    try:
        with zipfile.ZipFile(path("fra_eng")) as archive:
            text = archive.read(FILE).decode("utf-8")
    except DataError:
        if not stand_in:
            raise
        say_once("Tatoeba cannot be had (`python -m unrolled.data fra_eng` says why): number phrases stand in.")
        return number_phrases("fr", train=4000, test=300, dev=100, seed=seed)
    return split(read_pairs(text, longest), seed, test, dev)


def read_pairs(text: str, longest: int) -> Iterator[Pair]:
    """The pairs of a file, a line each: English, a tab, French; without long ones and vulgar ones."""
    for line in text.splitlines():
        source, target = (cut(side) for side in line.split("\t")[:2])
        if max(len(source), len(target)) <= longest and not (vulgar(source, "en") or vulgar(target, "fr")):
            yield Pair(source, target, [None] * len(target))


def split(pairs: Iterable[Pair], seed: int, test: int, dev: int) -> dict[str, list[Pair]]:
    """Shuffled; English sides with the same letters stay together. ValueError if nothing would be left to train on."""
    groups: dict[str, list[Pair]] = {}
    for p in pairs:
        groups.setdefault(re.sub(r"[\W_]", "", "".join(p.source)), []).append(p)
    names = sorted(groups)
    if test + dev >= len(names):
        raise ValueError(f"{test + dev:,} sentences are to be held out, and there are {len(names):,}")
    random.Random(seed).shuffle(names)
    cuts = {"test": names[:test], "dev": names[test : test + dev], "train": names[test + dev :]}
    return {part: [p for name in of for p in groups[name]] for part, of in cuts.items()}


def cut(sentence: str) -> list[str]:
    """Words in lower case; typographic apostrophes and spaces are plain ones."""
    plain = re.sub("[\u2018\u2019]", "'", sentence.lower()).replace("\u00ad", "").replace("\u200b", "")
    return re.findall(r"\w+'?|[^\w\s]", plain)


def joined(words: Sequence[str]) -> str:
    """A sentence for people and for BLEU: no space after an apostrophe, nor before a comma or a full stop."""
    return re.sub(r"(?<=\w') | (?=[,.])", "", " ".join(words))


def references(pairs: Iterable[Pair]) -> dict[tuple[str, ...], list[list[str]]]:
    """All translations of each source."""
    found: dict[tuple[str, ...], list[list[str]]] = {}
    for p in pairs:
        found.setdefault(tuple(p.source), []).append(p.target)
    return found


def vulgar(words: Iterable[str], language: str) -> bool:
    """Whether a word is on the list of its language."""
    return any(_digits(word) in _listed(language) for word in words)


@cache
def _listed(language: str) -> frozenset[str]:
    return frozenset(VULGAR[language].split())


@cache
def _digits(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()[:8]
