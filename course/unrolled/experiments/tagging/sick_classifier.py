"""A classmate's classifier: it trains, it answers, and what it answers to a sentence depends on who stands beside it.

Alone, a sentence may get another class than in a batch with a long one. The last lines of this file give the fault
away: guess first.
"""

import torch
from torch import Tensor

from unrolled.experiments.tagging.reading import Reader, Sentences
from unrolled.experiments.tagging.trainer import Trained, train_classifier
from unrolled.tagging import Classifier, Words


def classmates_classifier(texts: Sentences, labels: list[str], steps: int, seed: int = 0) -> Trained:
    """The classmate's net, trained on these texts in batches of 32 of about equal length."""
    return train_classifier(texts, labels, steps=steps, seed=seed, make=SickClassifier, hidden=32, width=32)


@torch.no_grad()
def answers_in_batches(model: Classifier, reader: Reader, texts: Sentences, size: int) -> list[str]:
    """The class of each text when they are read `size` at a time, in the order in which they come."""
    found = []
    for at in range(0, len(texts), size):
        logits = model(reader.words(texts[at : at + size]).to(model.device)).logits
        found += [reader.classes[i] for i in logits.argmax(1).tolist()]
    return found


class SickClassifier(Classifier):
    """See above."""

    def read(self, words: Words) -> Tensor:
        return super().read(Words(words.ids, torch.ones_like(words.mask), words.letters))

    def pool(self, states: Tensor, mask: Tensor) -> Tensor:
        return states.mean(1)


# Pads are taken for words: the way from right to left begins in them, and the mean counts their states.
