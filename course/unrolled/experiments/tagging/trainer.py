"""Short trainings of the unit's two nets, each one call: a reader from the training text, a net, `training.fit`.

    trained = train_tagger(train, steps=400, seed=0)
    trained.answers([s.words for s in test])                       # a list of tags for each sentence

The long training, which chooses its epoch on the dev part, keeps checkpoints and runs for minutes, is
`unrolled.experiments.tagging.reach`. Left out on purpose: choosing anything.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor

from unrolled.experiments.reading import Reader, Sentences, answers, batches
from unrolled.experiments.tagging.grammar import Sentence
from unrolled.experiments.vectors import table_for, word_vectors
from unrolled.tagging import Classifier, Config, Tagger
from unrolled.training import History, fit

Rows = Callable[[list[str]], Tensor]
# What the course's word vectors are: nothing; the embedding, as they are; where the embedding's training starts; or
# fixed numbers beside a learned embedding.
VECTORS = "", "frozen", "tuned", "beside"


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
    rate: float = 1e-2,
    letters: bool = True,
    vectors: str = "",
    rows: Rows | None = None,
    **settings,
) -> Trained:
    """Any sequence of things with .words and .tags will do. letters: whether words are spelt to the net, too.

    vectors: what the course's word vectors are used for, one of VECTORS. rows: gives the vectors (V, D) of a list of
    words, zeros for the first; by default as `vectors.table_for` does. settings: more of `unrolled.tagging.Config`.
    """
    sentences, labels = [s.words for s in train], [s.tags for s in train]
    reader = Reader.of(sentences, labels, letters, more=_words_of(vectors))
    make = partial(_net, Tagger, reader, vectors, rows, settings)
    return _trained(make, reader, sentences, labels, steps, seed, batch, rate)


def train_classifier(
    texts: Sentences,
    labels: Sequence[str],
    *,
    steps: int,
    seed: int = 0,
    batch: int = 32,
    rate: float = 1e-2,
    vectors: str = "",
    make: type[Classifier] = Classifier,
    **settings,
) -> Trained:
    """labels: one string for each text. make: the class of the net. The rest: see `train_tagger`."""
    reader = Reader.of(texts, labels, minimum_count=2, more=_words_of(vectors))
    build = partial(_net, make, reader, vectors, None, settings)
    return _trained(build, reader, texts, labels, steps, seed, batch, rate)


def _words_of(vectors: str) -> tuple[str, ...]:
    if vectors not in VECTORS:
        raise ValueError(f"vectors is {vectors!r}: choose one of {', '.join(map(repr, VECTORS))}")
    return word_vectors()[0] if vectors else ()


def _trained(make, reader, sentences, labels, steps, seed, batch, rate) -> Trained:
    torch.manual_seed(seed)
    model = make()
    history = fit(model, batches(reader, sentences, labels, batch, seed), steps=steps, rate=rate)
    return Trained(model, reader, history)


def _net(make: type[Tagger], reader: Reader, vectors: str, rows: Rows | None, settings: dict) -> Tagger:
    letters = len(reader.alphabet) if reader.alphabet else 0
    given = (lambda: rows(reader.vocabulary.symbols)) if rows else (lambda: table_for(reader))
    if vectors in ("", "beside"):
        table = given() if vectors else None
        return make(Config(reader.learned, len(reader.classes), letters, **settings), table)
    table = given()
    settings = settings | {"width": table.shape[1]}
    model = make(Config(len(reader.vocabulary), len(reader.classes), letters, **settings))
    model.embedding.E.weight.data.copy_(table)
    model.embedding.E.weight.requires_grad_(vectors == "tuned")
    return model
