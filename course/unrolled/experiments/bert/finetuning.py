"""Fine-tuning: a net that has read much text gets a head, and both are trained on a task's labels.

    films = task("films", pieces)                               # one of TASKS
    net = tuned(bert, films, labels=300, seed=0)                # from what `bert` knows; `bert` stays as it was
    scratch = tuned(bert, films, labels=300, seed=0, fresh=True)  # the same net from its first, drawn numbers
    score(net, films)                                           # of the test part, 0 to 1

The head is new, and all parameters are trained, as Devlin and others, "BERT" (2019), do it: Adam, a rate that rises in
a tenth of the steps and then falls. Their rates, 5e-6 to 5e-5, are for nets a hundred times as large as ours, which
needs a larger one (`RATE`). Left out on purpose: freezing some of the layers, and a rate for each.

Shapes: B sequences, N pieces of each, C classes.
"""

import copy
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import torch
from torch import nn

from unrolled.bert import Bert, Classifier, Tagger
from unrolled.experiments.bert.reading import Item, Reader
from unrolled.experiments.bert.snli import snli
from unrolled.experiments.tagging.conll import ud_ewt
from unrolled.experiments.tagging.polarity import sentence_polarity
from unrolled.experiments.tagging.reports import accuracy, span_scores
from unrolled.experiments.tagging.snips import snips
from unrolled.experiments.transformer.schedules import descended
from unrolled.training import Batch
from unrolled.wordpiece import WordPiece

RATE, BATCH, DROPOUT, CLIP = 5e-4, 16, 0.1, 1.0
RISES = 10  # the rate rises in the first of so many parts of the steps
PARTS = "train", "dev", "test"

# --- tasks -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Task:
    """Texts with labels, ready to be read."""

    name: str
    reader: Reader  # its classes are the training part's labels
    items: dict[str, list[Item]]  # PARTS
    labels: dict[str, list]  # of a text: str; of its words: list[str]

    @property
    def of_words(self) -> bool:
        """Whether each word has a label, or each text one."""
        return not isinstance(self.labels["train"][0], str)

    def every(self) -> "Task":
        """The same, but in training each piece of a word carries its label, and not the first one alone."""
        return replace(self, reader=replace(self.reader, every=True))


Made = tuple[dict[str, list], dict[str, list]]  # for each part what is read, and the labels


def _films(reader: Reader) -> Made:
    parts = sentence_polarity()
    names = "unfavourable", "favourable"
    items = {part: [reader.text(" ".join(one.words)) for one in some] for part, some in parts.items()}
    return items, {part: [names[one.label] for one in some] for part, some in parts.items()}


def _intents(reader: Reader) -> Made:
    parts = snips()
    items = {part: [reader.text(" ".join(one.words)) for one in some] for part, some in parts.items()}
    return items, {part: [one.intent for one in some] for part, some in parts.items()}


def _pairs(reader: Reader) -> Made:
    parts = snli()
    items = {part: [reader.text(one.first, one.second) for one in some] for part, some in parts.items()}
    return items, {part: [one.label for one in some] for part, some in parts.items()}


def _slots(reader: Reader) -> Made:
    return _tagged(reader, snips())


def _parts_of_speech(reader: Reader) -> Made:
    return _tagged(reader, ud_ewt())


def _tagged(reader: Reader, parts: dict[str, list]) -> Made:
    items = {part: [reader.words(one.words) for one in some] for part, some in parts.items()}
    return items, {part: [list(one.tags) for one in some] for part, some in parts.items()}


TASKS: dict[str, Callable[[Reader], Made]] = {
    "films": _films,  # favourable or not: Pang and Lee (2005)
    "intents": _intents,  # what is wanted of a voice assistant, one of seven
    "pairs": _pairs,  # does the second sentence follow from the first: `snli`
    "slots": _slots,  # BIO tags of what a request names
    "parts of speech": _parts_of_speech,  # 17, of the English Web Treebank
}


def task(name: str, pieces: WordPiece, longest: int = 128, cut: str = "head") -> Task:
    """One of TASKS, read by a list of pieces. Where its data cannot be had, made texts stand in.

    longest: of a sequence, at most as many as the net has positions; what is longer is cut, by one of pretraining.CUTS.
    """
    if name not in TASKS:
        raise ValueError(f"there is no task {name!r}: choose one of {', '.join(TASKS)}")
    items, labels = TASKS[name](Reader(pieces, (), longest, cut))
    single = {one for label in labels["train"] for one in ([label] if isinstance(label, str) else label)}
    return Task(name, Reader(pieces, tuple(sorted(single)), longest, cut), items, labels)


# --- training --------------------------------------------------------------------------------------------------------


class Tuned(NamedTuple):
    """A net with its head, after its training."""

    model: nn.Module
    reader: Reader
    losses: list[float]  # of each step's batch, before the step, nats


def start(bert: Bert, seed: int = 0, fresh: bool = False, dropout: float = DROPOUT) -> Bert:
    """A copy to train, with that share of dropout; fresh: of its settings alone, its numbers drawn anew by seed."""
    torch.manual_seed(seed)
    new = Bert(bert.config, bert.pooler is not None) if fresh else copy.deepcopy(bert)
    for module in new.modules():
        if isinstance(module, nn.Dropout):
            module.p = dropout
    return new


def tuned(
    bert: Bert,
    task: Task,
    *,
    labels: int | None = None,
    steps: int = 300,
    batch: int = BATCH,
    rate: float = RATE,
    seed: int = 0,
    fresh: bool = False,
    dropout: float = DROPOUT,
) -> Tuned:
    """Fine-tune a copy on a task. labels: how many texts of the training part are seen, drawn by seed; None for all.

    The seed also decides on the head's first numbers, the batches and dropout. fresh: see `start`.
    """
    new = start(bert, seed, fresh, dropout)
    model = (Tagger if task.of_words else Classifier)(new, len(task.reader.classes))
    items, given = drawn(task, labels, seed)
    stream = task.reader.batches(items, given, batch, seed)
    return Tuned(model, task.reader, fitted(model, stream, steps, rate))


def fitted(model: nn.Module, batches: Iterable[Batch], steps: int, rate: float = RATE) -> list[float]:
    """Train by so many batches, the rate rising in a tenth of the steps and then falling; the losses before each."""
    return descended(model, batches, steps=steps, rate=rate, warmup=max(1, steps // RISES), clip=CLIP)


def drawn(task: Task, labels: int | None, seed: int) -> tuple[list[Item], list]:
    """So many of the training part, or all. ValueError for none."""
    if labels is not None and labels < 1:
        raise ValueError(f"labels is {labels}: it must be at least 1, or None for all")
    items, given = task.items["train"], task.labels["train"]
    if labels is None:
        return items, given
    chosen = random.Random(seed).sample(range(len(items)), min(labels, len(items)))
    return [items[i] for i in chosen], [given[i] for i in chosen]


# --- measuring -------------------------------------------------------------------------------------------------------


def answers(net: Tuned, task: Task, part: str = "test", most: int | None = None) -> list:
    """What the net says of a part's first texts, or of all: a label each, or labels of words, "" for words cut away."""
    items = task.items[part][:most]
    if not task.of_words:
        return net.reader.classified(net.model, items)
    found = net.reader.tagged(net.model, items)
    return [[*tags, *[""] * (len(gold) - len(tags))] for tags, gold in zip(found, task.labels[part], strict=False)]


def score(net: Tuned, task: Task, part: str = "test", most: int | None = None) -> float:
    """F1 of the spans for slots, the share of right labels for all others."""
    gold, given = task.labels[part][:most], answers(net, task, part, most)
    return span_scores(gold, given).f1 if task.name == "slots" else accuracy(gold, given)


def commonest(task: Task, part: str = "test") -> float:
    """What the training part's commonest label would get, given everywhere; 0 for slots, since it names none."""
    flat = {p: _flat(task.labels[p]) for p in ("train", part)}
    best = max(sorted(set(flat["train"])), key=flat["train"].count)
    return 0.0 if task.name == "slots" else flat[part].count(best) / len(flat[part])


def _flat(labels: Sequence) -> list[str]:
    return [one for label in labels for one in ([label] if isinstance(label, str) else label)]
