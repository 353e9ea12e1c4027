"""Taggers before the nets: by counting, by counting and a search, and by features with weights.

`MostFrequentTag` gives each word the tag it had most often. `HiddenMarkov` counts which tag follows which and which
word a tag writes, and searches the best path through these tables (Viterbi 1967; Church 1988).
`AveragedPerceptron` adds up weights of features that somebody thought of, from left to right, and corrects them after
each mistake (Collins, "Discriminative training methods for hidden Markov models", 2002); what is kept is each weight's
average over the training, which is steadier than its last value. All three are fitted on sentences and asked for the
tags of words: `model.fit(train).tag(words)`. Left out on purpose: a dictionary of one's own, and speed.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Sequence

import torch
from torch import Tensor
from tqdm import tqdm

from unrolled.experiments.tagging.grammar import Sentence


class MostFrequentTag:
    """The tag that a word had most often in training; for a new word the tag that most words had."""

    def fit(self, sentences: Sequence[Sentence]) -> "MostFrequentTag":
        counts: dict[str, Counter] = defaultdict(Counter)
        for sentence in sentences:
            for word, tag in zip(sentence.words, sentence.tags, strict=True):
                counts[word][tag] += 1
        total = sum(counts.values(), Counter())
        self.default = _most(total)
        self.of = {word: _most(tags) for word, tags in counts.items()}
        return self

    def tag(self, words: Sequence[str]) -> list[str]:
        return [self.of.get(word, self.default) for word in words]


def _most(counts: Counter) -> str:
    return min(counts, key=lambda tag: (-counts[tag], tag))


class HiddenMarkov:
    """P(words, tags) = P(t_1) Π P(t_i | t_{i−1}) Π P(w_i | t_i), from counts with κ added to each, as in unit 1.

    Words seen once in training are counted as unknown ones; so a tag's share of unknown words is that of its rare
    ones. Attributes, after fit: tags, the list of K tags; words, the list of V words, "<unk>" first; and the
    logarithms start (K,), transition (K, K), row the tag before, and emission (K, V), all float64.
    """

    def __init__(self, added: float = 0.1):
        """added: κ, above 0."""
        if not added > 0:
            raise ValueError(f"added is {added}: it must be above 0")
        self.added = added

    def fit(self, sentences: Sequence[Sentence]) -> "HiddenMarkov":
        counts = Counter(word for sentence in sentences for word in sentence.words)
        self.words = ["<unk>", *sorted(word for word, n in counts.items() if n > 1)]
        self.tags = sorted({tag for sentence in sentences for tag in sentence.tags})
        self._at = {word: i for i, word in enumerate(self.words)}
        place = {tag: i for i, tag in enumerate(self.tags)}
        K, V = len(self.tags), len(self.words)
        start, transition, emission = torch.zeros(K), torch.zeros(K, K), torch.zeros(K, V)
        for sentence in filter(lambda s: s.words, sentences):
            tags = torch.tensor([place[tag] for tag in sentence.tags])
            start[tags[0]] += 1
            transition.index_put_((tags[:-1], tags[1:]), torch.tensor(1.0), accumulate=True)
            emission.index_put_((tags, self.encode(sentence.words)), torch.tensor(1.0), accumulate=True)
        self.start, self.transition, self.emission = map(self._log, (start, transition, emission))
        return self

    def _log(self, counts: Tensor) -> Tensor:
        """ln((c + κ) / (Σ c + κ n)), along the last axis."""
        raised = counts.double() + self.added
        return (raised / raised.sum(-1, keepdim=True)).log()

    def encode(self, words: Sequence[str]) -> Tensor:
        """The numbers of words (T,) int64, 0 for unknown ones."""
        return torch.tensor([self._at.get(word, 0) for word in words], dtype=torch.int64)

    def tag(self, words: Sequence[str]) -> list[str]:
        """The tags of the best path: Viterbi's search, in log space."""
        if not len(words):
            return []
        scores, back = self.start, []  # (K,) of the best path that ends in each tag
        for step, written in enumerate(self.emission[:, self.encode(words)].unbind(1)):  # T of (K,)
            if step:
                scores, before = (scores[:, None] + self.transition).max(0)  # (K before, K now) -> (K,) twice
                back.append(before)
            scores = scores + written
        path = [int(scores.argmax())]
        for before in reversed(back):
            path.append(int(before[path[-1]]))
        return [self.tags[i] for i in reversed(path)]


class AveragedPerceptron:
    """The tag whose features have the largest sum of weights, one word after another from the left.

    The features: the word, its ends and beginning, its shape, its neighbours, and the two tags given before it.
    A word that had one tag only in training, and often enough, gets that one without a question.
    """

    def fit(
        self, sentences: Sequence[Sentence], epochs: int = 5, seed: int = 0, show: bool = False
    ) -> "AveragedPerceptron":
        """show: a progress bar. Five epochs of the treebank take about half a minute of one core."""
        self.tags = sorted({tag for sentence in sentences for tag in sentence.tags})
        self.sure = _sure(sentences)
        self.weights: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        self._sums: dict[tuple[str, str], float] = defaultdict(float)
        self._since: dict[tuple[str, str], int] = defaultdict(int)
        self._now, order, chance = 0, list(sentences), random.Random(seed)
        for _ in tqdm(range(epochs), desc="averaged perceptron", unit=" epochs", leave=False, disable=not show):
            for sentence in order:
                self._learn(sentence)
            chance.shuffle(order)
        self._average()
        return self

    def tag(self, words: Sequence[str]) -> list[str]:
        given: list[str] = []
        for at, word in enumerate(words):
            given.append(self.sure.get(word) or self._best(_features(words, at, given)))
        return given

    def _learn(self, sentence: Sentence) -> None:
        given: list[str] = []
        for at, (word, right) in enumerate(zip(sentence.words, sentence.tags, strict=True)):
            answer = self.sure.get(word)
            if answer is None:
                features = _features(sentence.words, at, given)
                answer = self._best(features)
                self._now += 1
                if answer != right:
                    for feature in features:
                        self._change(feature, right, 1.0)
                        self._change(feature, answer, -1.0)
            given.append(answer)

    def _best(self, features: list[str]) -> str:
        sums: dict[str, float] = defaultdict(float)
        for feature in features:
            for tag, weight in self.weights.get(feature, {}).items():
                sums[tag] += weight
        return max(self.tags, key=lambda tag: sums[tag]) if sums else self.tags[0]

    def _change(self, feature: str, tag: str, by: float) -> None:
        """Before a weight changes, what it has been since its last change is added to its sum."""
        key, weights = (feature, tag), self.weights[feature]
        self._sums[key] += (self._now - self._since[key]) * weights[tag]
        self._since[key] = self._now
        weights[tag] += by

    def _average(self) -> None:
        for feature, weights in self.weights.items():
            for tag in weights:
                key = feature, tag
                whole = self._sums[key] + (self._now - self._since[key]) * weights[tag]
                weights[tag] = whole / max(self._now, 1)


def _sure(sentences: Sequence[Sentence], often: int = 20, share: float = 0.97) -> dict[str, str]:
    """Words that are frequent, and nearly always of one tag."""
    counts: dict[str, Counter] = defaultdict(Counter)
    for sentence in sentences:
        for word, tag in zip(sentence.words, sentence.tags, strict=True):
            counts[word][tag] += 1
    most = {word: (_most(tags), tags) for word, tags in counts.items() if tags.total() >= often}
    return {word: tag for word, (tag, tags) in most.items() if tags[tag] / tags.total() >= share}


def _features(words: Sequence[str], at: int, given: Sequence[str]) -> list[str]:
    """Names of what is the case at a place, given the tags before it."""

    def word(i: int) -> str:
        return _normal(words[i]) if 0 <= i < len(words) else "<edge>"

    here = word(at)
    before, two_before = (given[-i] if len(given) >= i else "<edge>" for i in (1, 2))
    return [
        "bias",
        f"word {here}",
        f"end3 {here[-3:]}",
        f"end2 {here[-2:]}",
        f"begin {here[:1]}",
        f"shape {_shape(words[at])}",
        f"tag-1 {before}",
        f"tag-2 {two_before}",
        f"tags {two_before} {before}",
        f"tag-1 word {before} {here}",
        f"word-1 {word(at - 1)}",
        f"end-1 {word(at - 1)[-3:]}",
        f"word-2 {word(at - 2)}",
        f"word+1 {word(at + 1)}",
        f"end+1 {word(at + 1)[-3:]}",
        f"word+2 {word(at + 2)}",
    ]


def _normal(word: str) -> str:
    return "<number>" if word[:1].isdigit() else word.lower()


def _shape(word: str) -> str:
    """Capital first, all capitals, digits, hyphen: what writing tells."""
    marks = [word[:1].isupper(), len(word) > 1 and word.isupper(), any(c.isdigit() for c in word), "-" in word]
    return "".join(str(int(mark)) for mark in [*marks, any(c.isalpha() for c in word)])
