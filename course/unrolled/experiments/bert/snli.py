"""Pairs of sentences: does the second follow from the first, contradict it, or neither?

Bowman and others, "A large annotated corpus for learning natural language inference" (2015): the first sentence is the
caption of a photograph, the second was written for it, one for each label. Only the two small parts are used: the
official test part is trained on, a tenth of its captions is for choosing, and the official development part is the test
part here. So accuracies are below those of nets that were trained on the other half a million pairs. All pairs of a
caption stay in one part.
"""

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from unrolled.data import DataError, load
from unrolled.data.places import say_once

LABELS = "entailment", "neutral", "contradiction"


@dataclass(frozen=True)
class Inference:
    """Two sentences, and one of LABELS."""

    first: str
    second: str
    label: str


def snli(seed: int = 0, stand_in: bool = True) -> dict[str, list[Inference]]:
    """The parts "train", "dev" and "test".

    Where the data cannot be had, made pairs stand in, and one line says so; stand_in=False: DataError.
    """
    try:
        official = {part: _read(part) for part in ("test", "dev")}
    except DataError:
        if not stand_in:
            raise
        say_once("SNLI cannot be had (`python -m unrolled.data snli` says why): made pairs stand in.")
        return {"train": made_pairs(1500, 0), "dev": made_pairs(200, 1), "test": made_pairs(200, 2)}
    tested = {pair.first for pair in official["dev"]}  # one caption stands in both official parts
    train, dev = split([pair for pair in official["test"] if pair.first not in tested], seed)
    return {"train": train, "dev": dev, "test": official["dev"]}


def _read(part: str) -> list[Inference]:
    files = (load("snli", f"snli/{kind}.{part}").splitlines() for kind in ("s1", "s2", "labels"))
    return [Inference(first.strip(), second.strip(), label) for first, second, label in zip(*files, strict=True)]


def split(pairs: Sequence[Inference], seed: int, share: float = 0.1) -> tuple[list[Inference], list[Inference]]:
    """Shuffled, in two: most, and about that share. Pairs with the same first sentence stay together."""
    groups = defaultdict(list)
    for pair in pairs:
        groups[pair.first].append(pair)
    captions, chance = sorted(groups), random.Random(seed)
    chance.shuffle(captions)
    cut = round(share * len(captions))
    parts = [[pair for caption in some for pair in groups[caption]] for some in (captions[cut:], captions[:cut])]
    for part in parts:
        chance.shuffle(part)
    return parts[0], parts[1]


# --- the stand-in ----------------------------------------------------------------------------------------------------

# fmt: off
WHO = {"man": "person", "woman": "person", "girl": "child", "boy": "child", "dog": "animal", "cat": "animal"}
DOES = {"runs": "moves", "jumps": "moves", "sleeps": "rests", "lies down": "rests", "eats": "eats something"}
WHERE = ["in the park", "on a beach", "near a fountain", "by the river", "in the street"]
HOW = ["for the first time today", "because it is late", "with a friend who is not seen", "as every morning"]
# fmt: on


def made_pairs(n: int, seed: int) -> list[Inference]:
    """n made pairs: more general is entailment, another doing contradiction, and an addition neutral."""
    chance = random.Random(seed)
    return [_made_pair(chance, chance.choice(LABELS)) for _ in range(n)]


def _made_pair(chance: random.Random, label: str) -> Inference:
    who, does, where = chance.choice(list(WHO)), chance.choice(list(DOES)), chance.choice(WHERE)
    first = f"A {who} {does} {where} ."
    if label == "neutral":
        return Inference(first, f"A {who} {does} {chance.choice(HOW)} .", label)
    if label == "entailment":
        return Inference(first, f"A {chance.choice([who, WHO[who]])} {DOES[does]} .", label)
    other = chance.choice([d for d in DOES if DOES[d] != DOES[does]])
    return Inference(first, f"The {who} {other} {where} .", label)
