"""The ladder's texts as ids: what is trained on, and what is held out.

    parts = text_parts("shakespeare")     # .vocabulary, .train (N,), .others {"heldout": (N,)}
    parts = text_parts("distinct names")  # .train a list of names, each with "." before and behind; "dev" and "test"

The splits are those of benchmarks/ladder.py: tiny Shakespeare's first nine tenths; names, shuffled, in 80, 10 and 10 %;
each name once, sorted, then shuffled and split likewise. "makemore's names" are split as makemore (Karpathy 2022)
splits them, so that its published losses can be compared: a thousand are held out, drawn by torch's seed 3407.
"""

import random
from collections.abc import Sequence
from typing import NamedTuple

import torch

from unrolled import data
from unrolled.training import Text
from unrolled.vocabulary import Vocabulary

TEXTS = "shakespeare", "names", "distinct names", "makemore's names"
MAKEMORE_SEED, MAKEMORE_TEST = 3407, 1000


class Parts(NamedTuple):
    """A text, cut."""

    vocabulary: Vocabulary
    train: Text
    others: dict[str, Text]
    title: str  # of the data set; a stand-in's says so


def text_parts(name: str) -> Parts:
    """One of TEXTS."""
    if name == "shakespeare":
        text, title = data.load("tiny_shakespeare"), data.source("tiny_shakespeare").title
        vocabulary = Vocabulary.of(text)
        ids, cut = vocabulary.encode(text), int(0.9 * len(text))
        return Parts(vocabulary, ids[:cut], {"heldout": ids[cut:]}, title)
    if name not in TEXTS:
        raise ValueError(f"there is no text {name!r}: choose one of {', '.join(TEXTS)}")
    names, title = data.load("names").split(), data.source("names").title
    names = sorted(set(names)) if name == "distinct names" else names
    vocabulary = Vocabulary.of("".join(names), boundary=".")
    if name == "makemore's names":
        train, test = _as_makemore(names)
        others = {"test": test}
    else:
        random.Random(42).shuffle(names)
        first, second = int(0.8 * len(names)), int(0.9 * len(names))
        train, others = names[:first], {"dev": names[first:second], "test": names[second:]}
    encoded = {part: [vocabulary.encode(f".{one}.") for one in some] for part, some in others.items()}
    return Parts(vocabulary, [vocabulary.encode(f".{one}.") for one in train], encoded, title)


def _as_makemore(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Its training and its test part; of fewer than ten thousand names a tenth is held out."""
    order = torch.randperm(len(names), generator=torch.Generator().manual_seed(MAKEMORE_SEED)).tolist()
    held = min(MAKEMORE_TEST, len(names) // 10)
    return [names[i] for i in order[:-held]], [names[i] for i in order[-held:]]
