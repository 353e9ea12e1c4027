"""Brackets, counts and parity: learned on strings of 20 symbols, asked for longer ones, by a transformer and an LSTM.

    trained = train_net("parity", "LSTM", steps=400, seed=0)             # a Learned
    trained.accuracy(20), trained.accuracy(80)                           # shares of right answers, 0 to 1
    commonest("parity", 80)                                              # of who always gives the commonest answer

Each symbol has an answer that depends on all before it: whether the number of ones so far is odd ("parity"); whether
there were more a's than b's, as many, or fewer ("counts"); which bracket would close the innermost one that is open, or
that none is ("brackets", of two kinds). Asked are the symbols of a string's second half, so that short beginnings do
not count. What nets of self-attention cannot compute at every length: Hahn, "Theoretical limitations of self-attention
in neural sequence models" (2020); how they do beyond the length of the training: Bhattamishra and others, "On the
ability and limitations of transformers to recognize formal languages" (2020).

Left out on purpose: other positions than unit 6's, with which some of these tasks are carried further.
Shapes: B strings of N symbols.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from unrolled.attention import Positions, causal_mask
from unrolled.experiments.transformer.schedules import descended
from unrolled.language_model import Output, cross_entropy
from unrolled.tagging import Config, Tagger, Words
from unrolled.training import Batch
from unrolled.transformer import Encoder

LENGTH, BATCH, RATE, WARMUP = 20, 64, 5e-3, 40
NETS = "LSTM", "transformer, sinusoid", "transformer, none"  # the second word: its positions

# --- tasks -----------------------------------------------------------------------------------------------------------


def parity(rows: int, n: int, chance: torch.Generator) -> tuple[Tensor, Tensor]:
    """Symbols 0 and 1: is the number of ones so far odd?"""
    bits = torch.randint(2, (rows, n), generator=chance)
    return bits, bits.cumsum(1) % 2


def counts(rows: int, n: int, chance: torch.Generator) -> tuple[Tensor, Tensor]:
    """Symbols 0 (a) and 1 (b): so far, are there more a's (0), as many (1), or more b's (2)?"""
    letters = torch.randint(2, (rows, n), generator=chance)
    return letters, 1 + (2 * letters - 1).cumsum(1).sign()


def brackets(rows: int, n: int, chance: torch.Generator) -> tuple[Tensor, Tensor]:
    """Symbols ( [ ) ] as 0 to 3: the innermost open bracket, ( as 1, [ as 2, or none as 0.

    Each symbol opens in one case of two, where something is open; else it must.
    """
    stack, depth = torch.zeros(rows, n + 1, dtype=torch.int64), torch.zeros(rows, dtype=torch.int64)
    each = torch.arange(rows)
    opens = torch.randint(2, (rows, n), generator=chance).bool()
    kinds, symbols, inner = torch.randint(2, (rows, n), generator=chance), [], []
    for t in range(n):
        rises = opens[:, t] | (depth == 0)
        symbols.append(torch.where(rises, kinds[:, t], stack[each, depth] + 1))  # a closing one: 1 + its kind (1, 2)
        depth = depth + torch.where(rises, 1, -1)
        stack[each, depth] = torch.where(rises, kinds[:, t] + 1, stack[each, depth])
        inner.append(stack[each, depth])
    return torch.stack(symbols, 1), torch.stack(inner, 1)


class Task(NamedTuple):
    symbols: int
    classes: int
    drawn: Callable[[int, int, torch.Generator], tuple[Tensor, Tensor]]


TASKS = {"parity": Task(2, 2, parity), "counts": Task(2, 3, counts), "brackets": Task(4, 3, brackets)}

# --- nets ------------------------------------------------------------------------------------------------------------


class Reading(nn.Module):
    """Transformer blocks under a causal mask, and a class for each symbol."""

    def __init__(self, task: Task, positions: str, width: int = 32, heads: int = 4, layers: int = 2):
        super().__init__()
        self.E, self.positions = nn.Embedding(task.symbols + 1, width), Positions(positions, width)
        self.stack, self.output = Encoder(width, heads, 4 * width, layers), nn.Linear(width, task.classes)

    @property
    def device(self) -> torch.device:
        return self.output.weight.device

    def forward(self, words: Words, targets: Tensor | None = None, state: None = None) -> Output:
        """As unit 4's tagger: logits (B, N, C)."""
        n = words.ids.shape[1]
        x = self.stack(self.E(words.ids) + self.positions(n), causal_mask(n, device=self.device))
        logits = self.output(x)
        return Output(logits, None if targets is None else cross_entropy(logits, targets), None)


@dataclass
class Learned:
    """A net that was trained on a task."""

    model: nn.Module
    task: str
    losses: list[float]

    @torch.no_grad()
    def accuracy(self, length: int, asked: int = 300, seed: int = 1) -> float:
        """The share of right answers in the second half of new strings."""
        batch = exam(self.task, length, asked, seed)
        said = self.model(batch.inputs.to(self.model.device)).logits.argmax(2).cpu()
        return (said == batch.targets)[:, length // 2 :].float().mean().item()


def train_net(task: str, net: str, steps: int, seed: int = 0, length: int = LENGTH) -> Learned:
    """net: one of NETS, of about the same size."""
    if task not in TASKS or net not in NETS:
        raise ValueError(f"there is no task {task!r} for a net {net!r}: of {', '.join(TASKS)}; {'; '.join(NETS)}")
    torch.manual_seed(seed)
    of = TASKS[task]
    if net == "LSTM":
        made = Tagger(Config(of.symbols + 1, of.classes, width=32, hidden=64, directions=1, dropout=0.0))
    else:
        made = Reading(of, net.split(", ")[1])
    drawn = _endless(task, length, seed)
    return Learned(made, task, descended(made, drawn, steps=steps, rate=RATE, warmup=min(WARMUP, steps), clip=1.0))


def exam(task: str, length: int, asked: int = 300, seed: int = 1) -> Batch:
    """Strings that no training has seen."""
    return _strings(task, length, asked, torch.Generator().manual_seed(1_000_000 + seed))


def commonest(task: str, length: int, asked: int = 300, seed: int = 1) -> float:
    """What is right if each symbol of the second half gets the answer that is commonest there."""
    answers = exam(task, length, asked, seed).targets[:, length // 2 :]
    return (answers == answers.flatten().mode().values).float().mean().item()


def _endless(task: str, length: int, seed: int) -> Iterator[Batch]:
    chance = torch.Generator().manual_seed(seed)
    while True:
        yield _strings(task, length, BATCH, chance)


def _strings(task: str, length: int, rows: int, chance: torch.Generator) -> Batch:
    symbols, answers = TASKS[task].drawn(rows, length, chance)
    return Batch(Words(symbols + 1, torch.ones_like(symbols, dtype=torch.bool)), answers)  # id 0 is the pad's
