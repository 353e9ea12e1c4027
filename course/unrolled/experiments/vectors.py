"""Word vectors of our own: a table that the course brings, and how a net gets its rows.

Skip-gram with negative sampling (Mikolov and others, "Distributed representations of words and phrases and their
compositionality", 2013), trained on thirty books by `tagging.skip_gram`; assets/tagging/vectors.json says how. Words
that stand at the beginning of a sentence are written there as they mostly are elsewhere.
"""

from functools import cache

import numpy as np
import torch
from torch import Tensor

from unrolled.data import asset
from unrolled.experiments.reading import Reader


@cache
def word_vectors() -> tuple[tuple[str, ...], np.ndarray]:
    """The words, the most frequent first, and their vectors, (V, D) float32. DataError if the table is missing."""
    with np.load(asset("tagging/vectors.npz")) as stored:
        return tuple(str(stored["words"]).split("\n")), stored["vectors"].astype(np.float32)


def nearest(word: str, n: int = 8) -> list[tuple[str, float]]:
    """The n words whose vectors have the largest cosine with that of a word. ValueError if the table lacks it."""
    words, vectors = word_vectors()
    if word not in words:
        raise ValueError(f"{word!r} is not among the {len(words):,} words of the table")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[words.index(word)]
    best = [i for i in np.argsort(-cosines)[: n + 1] if words[i] != word][:n]
    return [(words[i], float(cosines[i])) for i in best]


def table_for(reader: Reader) -> Tensor:
    """A row for each word of a reader's vocabulary, (V, D) float32: the word as it is spelt, else in lower case, else
    the mean of the table; zeros for PAD.
    """
    words, vectors = word_vectors()
    at = {word: i for i, word in enumerate(words)}
    rows = [at.get(word, at.get(word.lower(), -1)) for word in reader.vocabulary.symbols]
    padded = np.concatenate([vectors, vectors.mean(0, keepdims=True)])  # row −1: the mean
    table = torch.from_numpy(padded[rows])
    table[0] = 0.0
    return table
