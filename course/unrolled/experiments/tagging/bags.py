"""Classifiers that see which words a text has, and how often, but not in which order.

`NaiveBayes` counts: P(class | words) is proportional to P(class) Π P(word | class), with 1 added to each count (Maron,
"Automatic indexing", 1961). `LinearBag` learns a weight for each word and class by gradient descent on the same loss
as the nets: logistic regression; with two classes a single number a word would do. Both have the same call as the
taggers: `model.fit(texts, labels)`, then `model.classify(texts)` and `model.scores(texts)`.
"""

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from unrolled.device import one_thread
from unrolled.vocabulary import Vocabulary

Texts = Sequence[Sequence[str]]


class _Bag:
    """What both have in common: the lists of words and classes, and scores (N, K), log probabilities."""

    def fit(self, texts: Texts, labels: Sequence[str | int]) -> "_Bag":
        self.vocabulary = Vocabulary.of((word.lower() for text in texts for word in text), 2, unknown="<unk>")
        self.classes = sorted(set(labels))
        at = {name: i for i, name in enumerate(self.classes)}
        self._learn(self.counts(texts), torch.tensor([at[label] for label in labels]))
        return self

    def counts(self, texts: Texts) -> Tensor:
        """A sparse matrix (N, V): how often each text has each word, without those that training did not have."""
        rows, columns = [], []
        for row, text in enumerate(texts):
            ids = self.vocabulary.encode(word.lower() for word in text)
            ids = ids[ids != self.vocabulary.unknown]
            rows.append(torch.full_like(ids, row))
            columns.append(ids)
        places = torch.stack([torch.cat(rows), torch.cat(columns)])
        size = len(texts), len(self.vocabulary)
        return torch.sparse_coo_tensor(places, torch.ones(places.shape[1]), size, check_invariants=False).coalesce()

    def scores(self, texts: Texts) -> Tensor:
        """ln P(class | text), (N, K), the classes in the order of `classes`."""
        return (torch.sparse.mm(self.counts(texts), self.weights) + self.bias).log_softmax(1)

    def classify(self, texts: Texts) -> list:
        return [self.classes[i] for i in self.scores(texts).argmax(1).tolist()]


class NaiveBayes(_Bag):
    """weights[w, k] = ln P(w | k), bias[k] = ln P(k): the score of a text is a sum, so it is linear in the counts."""

    def _learn(self, counts: Tensor, labels: Tensor) -> None:
        belongs = F.one_hot(labels, len(self.classes)).float()  # (N, K)
        per_class = torch.sparse.mm(counts.t(), belongs) + 1  # (V, N) @ (N, K) -> (V, K)
        self.weights = (per_class / per_class.sum(0)).log()
        self.bias = belongs.mean(0).log()


class LinearBag(_Bag):
    """weights and bias that minimise cross-entropy + decay · |weights|², by L-BFGS from zeros."""

    def __init__(self, decay: float = 1e-4):
        self.decay = decay

    def _learn(self, counts: Tensor, labels: Tensor) -> None:
        self.weights = torch.zeros(counts.shape[1], len(self.classes), requires_grad=True)
        self.bias = torch.zeros(len(self.classes), requires_grad=True)
        descent = torch.optim.LBFGS([self.weights, self.bias], max_iter=100, line_search_fn="strong_wolfe")

        def loss() -> Tensor:
            descent.zero_grad()
            value = F.cross_entropy(torch.sparse.mm(counts, self.weights) + self.bias, labels)
            value = value + self.decay * self.weights.square().sum()
            value.backward()
            return value

        with one_thread():
            descent.step(loss)
        self.weights, self.bias = self.weights.detach(), self.bias.detach()
