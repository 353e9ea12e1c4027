"""Where to normalise, and how to begin: pre-norm and post-norm, with a warm-up and without, side by side.

    text = letters()                                                    # tiny Shakespeare, cut
    trial = train_order(text, "post", "constant", rate=5e-3, steps=250, seed=0)      # Trial(losses=[…], heldout=3.35)

All else is equal: nets of 8 layers that start from the same numbers and read the same batches. No gradient is clipped,
and the rate does not fall in the end, so that nothing but the warm-up is compared. After Xiong and others, "On layer
normalization in the transformer architecture" (2020).

Cost: 250 steps take about 8 processor seconds.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from unrolled.experiments.transformer.schedules import descended
from unrolled.experiments.transformer.switched import language_model
from unrolled.experiments.transformer.texts import text_parts
from unrolled.training import evaluate, random_batches
from unrolled.transformer_lm import TransformerLM

NET = {"layers": 8, "width": 32, "heads": 4, "context": 32}
BATCH, WARMUP, ASKED = 16, 80, 20_000  # pieces in a batch; steps; held-out symbols that are asked for


class Letters(NamedTuple):
    """A text as ids."""

    symbols: int
    train: Tensor
    heldout: Tensor


class Trial(NamedTuple):
    """Of one training; nats a symbol."""

    losses: list[float]
    heldout: float


def letters() -> Letters:
    """Tiny Shakespeare, or what stands in for it; of the held-out part only the beginning."""
    parts = text_parts("shakespeare")
    return Letters(len(parts.vocabulary), parts.train, parts.others["heldout"][:ASKED])


def train_order(text: Letters, norm: str, schedule: str, rate: float, steps: int, seed: int = 0) -> Trial:
    """norm: "pre" or "post"; schedule: one of `schedules.SCHEDULES`, with a warm-up of WARMUP steps."""
    net = language_model(text.symbols, norm=norm, seed=seed, **NET)
    return trained_on(net, text, steps=steps, rate=rate, schedule=schedule, seed=seed, warmup=WARMUP)


def trained_on(net: TransformerLM, text: Letters, *, steps: int, seed: int, batch: int = BATCH, **how) -> Trial:
    """Train a net on pieces as long as its window; how: more of `schedules.descended`."""
    pieces = random_batches(text.train, batch, net.context, torch.Generator().manual_seed(seed))
    losses = descended(net, pieces, steps=steps, **how)
    return Trial(losses, evaluate(net, text.heldout, length=net.context))


def by_frequency(text: Letters) -> float:
    """The held-out loss of who knows nothing but how often each symbol was in the training text, and once more."""
    chances = (text.train.bincount(minlength=text.symbols) + 1).double()
    return -(chances / chances.sum()).log()[text.heldout[1:]].mean().item()
