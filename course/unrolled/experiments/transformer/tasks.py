"""Unit 5's tasks, dates and number phrases, by an encoder–decoder of transformer blocks and by the RNN with attention.

    trained = train_transformer(pairs, steps=500)         # what unit 5's trainer gives, of another net
    measured(trained, test)                               # Measured(exact=…, parameters=…, training=…, writing=…)
    compared("German", steps=500, seed=0)                 # {"transformer": Measured(…), "RNN with attention": …}

Both nets are trained on the same pairs in batches of 64, for as many steps; the transformer by a rate that rises first,
the RNN as in unit 5. Seconds are those of one processor, so that whoever else works on it does not count: on one core
both compute all products one after another, and nothing is won by positions that need not wait for each other.
Left out on purpose: choosing settings for either.
"""

import time
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import torch

from unrolled.encoder_decoder import Config, EncoderDecoder
from unrolled.experiments.seq2seq.dates import dates
from unrolled.experiments.seq2seq.numbers import Pair, number_phrases
from unrolled.experiments.seq2seq.reading import Reader, batches
from unrolled.experiments.seq2seq.trainer import Trained, train_translator
from unrolled.experiments.transformer.schedules import descended
from unrolled.training import History

TASKS = {"German": partial(number_phrases, "de"), "dates": partial(dates, "iso")}
RNN = {"context": "attention", "score": "additive", "width": 32, "hidden": 32, "state": 64}  # as in unit 5
NET = {"width": 48, "heads": 4, "layers": 2, "inner": 96}  # half as many parameters again
RATE, WARMUP, CLIP = 5e-3, 50, 1.0


class Measured(NamedTuple):
    """Of one training."""

    exact: float  # the share of new pairs that are right to the last word
    parameters: int
    training: float  # processor seconds
    writing: float  # processor seconds for a thousand translations, side by side


def train_transformer(
    train: Sequence[Pair], steps: int, seed: int = 0, batch: int = 64, rate: float = RATE, **settings
) -> Trained:
    """settings: more of `Config`, or others than NET has."""
    reader = Reader.of(train)
    torch.manual_seed(seed)
    net = EncoderDecoder(Config(len(reader.source), len(reader.target), **NET | settings))
    drawn = batches(reader, train, batch, seed)
    losses = descended(net, drawn, steps=steps, rate=rate, warmup=min(WARMUP, steps), clip=CLIP)
    return Trained(net, reader, History(list(range(1, steps + 1)), losses))


def train_rnn(train: Sequence[Pair], steps: int, seed: int = 0) -> Trained:
    """Unit 5's translator with attention."""
    return train_translator(train, steps=steps, seed=seed, **RNN)


TRAINERS = {"transformer": train_transformer, "RNN with attention": train_rnn}


def compared(task: str, steps: int, seed: int = 0, read: int = 4000, asked: int = 1000) -> dict[str, Measured]:
    """Both nets on one of TASKS."""
    return {name: one(name, task, steps, seed, read, asked) for name in TRAINERS}


def one(name: str, task: str, steps: int, seed: int = 0, read: int = 4000, asked: int = 1000) -> Measured:
    """One of TRAINERS on one of TASKS; read and asked: pairs to train on, and new ones."""
    parts = TASKS[task](train=read, test=asked, seed=seed)
    began = time.process_time()
    trained = TRAINERS[name](parts["train"], steps=steps, seed=seed)
    return measured(trained, parts["test"], time.process_time() - began)


def measured(trained: Trained, test: Sequence[Pair], training: float = 0.0) -> Measured:
    """training: the seconds that it took."""
    began = time.process_time()
    exact = trained.exact(test)
    writing = 1000 * (time.process_time() - began) / len(test)
    return Measured(exact, sum(p.numel() for p in trained.model.parameters()), training, writing)
