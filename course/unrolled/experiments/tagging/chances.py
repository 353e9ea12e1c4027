"""How much choosing on the test text flatters: the best of many seeds there, and the same net on fresh text.

A small classifier is trained once for each seed. The seed that does best on one text is the lucky one; how it does on
another text, which nobody chose on, says how good it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unrolled.experiments.tagging.reports import accuracy
from unrolled.experiments.tagging.trainer import train_classifier

Labelled = tuple[Sequence[Sequence[str]], Sequence[str]]  # texts and their labels


@dataclass(frozen=True)
class Chosen:
    """Accuracies by seed on the text chosen on, and on the fresh one; arrays (seeds,)."""

    chosen_on: np.ndarray
    fresh: np.ndarray

    @property
    def best(self) -> int:
        """The seed that the choice falls on: the first of the best ones."""
        return int(self.chosen_on.argmax())

    @property
    def flattered(self) -> float:
        """By how much the chosen seed's accuracy on the text chosen on exceeds that on fresh text."""
        return float(self.chosen_on[self.best] - self.fresh[self.best])


def best_of_seeds(train: Labelled, chosen_on: Labelled, fresh: Labelled, seeds: int, steps: int, **settings) -> Chosen:
    """Train one net a seed, 0 to seeds − 1, and ask each for both texts. settings: see `train_classifier`."""
    rows = []
    for seed in range(seeds):
        trained = train_classifier(*train, steps=steps, seed=seed, **settings)
        rows.append([accuracy(labels, trained.answers(texts)) for texts, labels in (chosen_on, fresh)])
    table = np.array(rows)
    return Chosen(table[:, 0], table[:, 1])
