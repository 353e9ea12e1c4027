"""A classmate's classifier: it trains, it answers, and what it answers to a sentence depends on who stands beside it.

Alone, a sentence may get another class than in a batch with a long one. The last lines of this file give the fault
away: guess first.
"""

import copy
from collections.abc import Callable

import torch
from torch import Tensor

from unrolled.experiments.reading import Reader, Sentences
from unrolled.experiments.tagging.trainer import Trained, train_classifier
from unrolled.tagging import Classifier


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


Parts = tuple[Callable[[Tensor, Tensor], Tensor], Callable[[Tensor, Tensor], Tensor], int, int]


def parts(model: Classifier) -> Parts:
    """read, pool, width and hidden of a net, for tests that know nothing of words.

    read(x (B, T, width) float32, mask (B, T)) gives the states (B, T, hidden), and pool(states, mask) a vector for each
    sentence (B, hidden), as this net computes them between embedding and output: on the CPU, without dropout and
    without gradients.
    """
    net = copy.deepcopy(model).cpu().eval()

    @torch.no_grad()
    def read(x: Tensor, mask: Tensor) -> Tensor:
        return net.contextual(x, mask)

    @torch.no_grad()
    def pool(states: Tensor, mask: Tensor) -> Tensor:
        return net.pool(states, mask)

    return read, pool, net.embedding.size, net.states.size


class SickClassifier(Classifier):
    """See above."""

    def contextual(self, x: Tensor, mask: Tensor) -> Tensor:
        return super().contextual(x, torch.ones_like(mask))

    def pool(self, states: Tensor, mask: Tensor) -> Tensor:
        return states.mean(1)


# Pads are taken for words: the way from right to left begins in them, and the mean counts their states.
