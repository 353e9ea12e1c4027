"""Two losses of one net: after the right words, as it was trained, and after its own, as it is used.

Under teacher forcing a net never sees a mistake of its own; when it writes, one wrong word may lead where it has never
been. Bengio and others, "Scheduled sampling for sequence prediction with recurrent neural networks" (2015), and Ranzato
and others, "Sequence level training with recurrent neural networks" (2016), who call it exposure bias.

    forced, free = exposure(trained, pairs)         # nats for each step, means over the pairs

In the free run the net reads its own most probable words; what is asked at step t is still the right word of step t.
Left out on purpose: remedies.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from unrolled.experiments.seq2seq.numbers import Pair
from unrolled.experiments.seq2seq.trainer import Trained
from unrolled.language_model import IGNORED
from unrolled.seq2seq import BEGIN


class Exposure(NamedTuple):
    """Mean loss in nats, step by step and over all words, and how many pairs have a word at that step."""

    forced: list[float]
    free: list[float]
    pairs: list[int]
    forced_all: float
    free_all: float


@torch.no_grad()
def exposure(trained: Trained, pairs: Sequence[Pair]) -> Exposure:
    """The end mark counts as a word."""
    batch = trained.reader.batch(pairs)
    due = batch.targets.to(trained.model.device)
    runs = [_losses(trained, pairs, due, batch.inputs.words.to(due.device), free) for free in (False, True)]
    real = due != IGNORED
    counts = real.sum(0)  # (M,)
    by_step = [((run * real).sum(0) / counts).tolist() for run in runs]
    return Exposure(*by_step, counts.tolist(), *((run * real).sum().item() / int(counts.sum()) for run in runs))


def _losses(trained: Trained, pairs: Sequence[Pair], due: Tensor, given: Tensor, free: bool) -> Tensor:
    """−ln P of each word that is due, (B, M)."""
    shown = trained.reader.inputs([p.source for p in pairs]).to(due.device)
    state, words, losses = trained.model.start(shown.source, shown.mask), torch.full_like(due[:, 0], BEGIN), []
    for t in range(due.shape[1]):
        log_probs, state, _ = trained.model.step(state, words)
        losses.append(-log_probs.gather(1, due[:, t : t + 1].clamp(min=0))[:, 0])
        if t + 1 < due.shape[1]:
            words = log_probs.argmax(1) if free else given[:, t + 1]
    return torch.stack(losses, dim=1)
