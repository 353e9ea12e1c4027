"""The ladder's texts as ids: what is trained on, and what is held out.

    parts = text_parts("shakespeare")     # .vocabulary, .train (N,), .others {"heldout": (N,)}
    parts = text_parts("distinct names")  # .train a list of names, each with "." before and behind; "dev" and "test"

The splits are those of benchmarks/ladder.py: tiny Shakespeare's first nine tenths; names, shuffled, in 80, 10 and 10 %;
each name once, sorted, then shuffled and split likewise.
"""

import random
from typing import NamedTuple

from unrolled import data
from unrolled.training import Text
from unrolled.vocabulary import Vocabulary

TEXTS = "shakespeare", "names", "distinct names"


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
    random.Random(42).shuffle(names)
    ids = [vocabulary.encode(f".{one}.") for one in names]
    first, second = int(0.8 * len(ids)), int(0.9 * len(ids))
    return Parts(vocabulary, ids[:first], {"dev": ids[first:second], "test": ids[second:]}, title)
