"""Short trainings of the unit's two nets, each one call: a reader from the training text, a net, `training.fit`.

    trained = train_tagger(train, steps=400, seed=0)
    trained.answers([s.words for s in test])                       # a list of tags for each sentence

The long training, which chooses its epoch on the dev part, keeps checkpoints and runs for minutes, is
`unrolled.experiments.tagging.reach`. Left out on purpose: choosing anything.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from unrolled.experiments.tagging.grammar import Sentence
from unrolled.experiments.tagging.reading import Reader, Sentences, answers, batches
from unrolled.tagging import Classifier, Config, Tagger
from unrolled.training import History, fit


@dataclass
class Trained:
    """A net, what turns words into its ids, and how the training went."""

    model: Tagger
    reader: Reader
    history: History

    def answers(self, sentences: Sentences) -> list:
        """A list of tags for each sentence; from a classifier a class for each."""
        return answers(self.model, self.reader, sentences)


def train_tagger(
    train: Sequence[Sentence],
    *,
    steps: int,
    seed: int = 0,
    batch: int = 32,
    rate: float = 4e-3,
    letters: bool = True,
    table: Tensor | None = None,
    **settings,
) -> Trained:
    """Any sequence of things with .words and .tags will do. letters: whether words are spelt to the net, too.

    table: vectors for the words of the reader (see `vectors.table_for`). settings: more of `unrolled.tagging.Config`.
    """
    sentences, labels = [s.words for s in train], [s.tags for s in train]
    reader = Reader.of(sentences, labels, letters)
    return _trained(Tagger, reader, sentences, labels, settings, table, steps, seed, batch, rate)


def train_classifier(
    texts: Sentences,
    labels: Sequence[str],
    *,
    steps: int,
    seed: int = 0,
    batch: int = 32,
    rate: float = 4e-3,
    table: Tensor | None = None,
    make: type[Classifier] = Classifier,
    **settings,
) -> Trained:
    """labels: one string for each text. make: the class of the net. The rest: see `train_tagger`."""
    reader = Reader.of(texts, labels, minimum_count=2)
    return _trained(make, reader, texts, labels, settings, table, steps, seed, batch, rate)


def _trained(make, reader, sentences, labels, settings, table, steps, seed, batch, rate) -> Trained:
    letters = len(reader.alphabet) if reader.alphabet else 0
    torch.manual_seed(seed)
    model = make(Config(len(reader.vocabulary), len(reader.classes), letters, **settings), table)
    history = fit(model, batches(reader, sentences, labels, batch, seed), steps=steps, rate=rate)
    return Trained(model, reader, history)
