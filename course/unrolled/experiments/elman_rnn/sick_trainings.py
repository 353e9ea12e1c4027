"""Two trainings with a fault in them, to be found out from their curves and from what their nets write.

Both are plain trainings of an Elman net. The faults lie in how the text is cut into inputs and targets.
The last lines of this file give them away: guess first.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from unrolled.elman_rnn import ElmanRNN
from unrolled.training import Batch, History, fit

LENGTH = 64  # symbols of a piece


@dataclass
class SickTraining:
    """How it went, and what the net writes in the end."""

    history: History
    sample: list[int]  # 80 ids


def sick_training(name: str, ids: Tensor, vocab_size: int, steps: int) -> SickTraining:
    """Train the net of classmate "A" or "B" on a text (N,), and let it write. ValueError for any other name."""
    if name not in FAULTS:
        raise ValueError(f"there is no classmate {name!r}: choose 'A' or 'B'")
    if len(ids) <= 2 * LENGTH:
        raise ValueError(f"the text has {len(ids)} symbols: these trainings take more than {2 * LENGTH}")
    torch.manual_seed(0)
    net = ElmanRNN(vocab_size, hidden=64)
    history = fit(net, _batches(ids, FAULTS[name]), steps=steps)
    return SickTraining(history, _written(net, symbol=int(ids[0]), length=80))


def _batches(ids: Tensor, ahead: int) -> Iterator[Batch]:
    """Without end: 32 pieces from anywhere; the target of a place is the symbol `ahead` places further on."""
    generator = torch.Generator().manual_seed(0)
    while True:
        begin = torch.randint(len(ids) - LENGTH - ahead, (32, 1), generator=generator)
        places = begin + torch.arange(LENGTH)  # (B, T)
        yield Batch(ids[places], ids[places + ahead])


def _written(net: ElmanRNN, symbol: int, length: int) -> list[int]:
    generator, state, text = torch.Generator().manual_seed(0), net.start(), []
    while len(text) < length:
        logits, state = net.step(symbol, state)
        symbol = torch.multinomial(logits.softmax(0), 1, generator=generator).item()
        text.append(symbol)
    return text


# A's targets are its inputs: it learns to copy. B's begin a whole piece too late: what it reads tells nothing about
# them, so all it can learn is how frequent each symbol is.
FAULTS = {"A": 0, "B": LENGTH}
