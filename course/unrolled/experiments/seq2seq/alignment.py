"""Alignments: where a decoder looks, against where the word that it writes truly comes from.

    alignment_accuracy(trained, parts["test"])      # Aligned(right=0.93, words=5210)
    diagonal_accuracy(parts["test"])                # the same of one who always looks straight across

Counted are all words of the targets that have a true source word, read by teacher forcing, whatever the net would have
written itself. A word is right if the largest of its weights lies on that source word. Left out on purpose: how the
rest of the weight is spread, of which `entropy` tells.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from unrolled.experiments.seq2seq.numbers import Pair
from unrolled.experiments.seq2seq.trainer import Trained


class Aligned(NamedTuple):
    """Counts over words."""

    right: float  # share of words that look at their true source word most
    words: int
    entropy: float  # mean over the same words, in bits


@torch.no_grad()
def alignment_accuracy(trained: Trained, pairs: Sequence[Pair], size: int = 128) -> Aligned:
    """ValueError if no word has a true source word."""
    right, bits = [], []
    for at in range(0, len(pairs), size):
        some = pairs[at : at + size]
        shown = trained.reader.batch(some).inputs.to(trained.model.device)
        weights = trained.model(shown).weights.cpu()  # (B, M, N)
        for rows, p in zip(weights, some, strict=True):
            seen = _as_read(rows[: len(p.target), : len(p.source)], trained.reader.backwards)
            kept = [(row, place) for row, place in zip(seen, p.aligned, strict=True) if place is not None]
            right += [int(row.argmax()) == place for row, place in kept]
            bits += [entropy(row) for row, _ in kept]
    if not right:
        raise ValueError("there is nothing to count: no word has a true source word")
    return Aligned(sum(right) / len(right), len(right), sum(bits) / len(bits))


def _as_read(weights: Tensor, backwards: bool) -> Tensor:
    return weights.flip(1) if backwards else weights


def entropy(weights: Tensor) -> float:
    """−Σ_i α_i log2 α_i of one row (N,), in bits: 0 where all weight lies on one word, log2 N where it is spread."""
    return float(-torch.special.xlogy(weights, weights).sum() / torch.log(torch.tensor(2.0)))


def diagonal_accuracy(pairs: Sequence[Pair]) -> float:
    """The accuracy of looking straight across: from word j of M at the source word nearest to (j − ½) N/M."""
    right = []
    for p in pairs:
        for j, place in enumerate(p.aligned):
            if place is not None:
                right.append(int((j + 0.5) * len(p.source) / len(p.target)) == place)
    return sum(right) / len(right)
