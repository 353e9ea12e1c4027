"""Order: what a net without positions cannot know, two kinds of positions, and what a shift does to them.

    exchanged("none")                             # how far answers move if words change places: 0.0…
    slide_sinusoids(40, 32)                       # a slide's variant of the sinusoid, beside the published one
    sinusoids(40, 32)[:35] @ rotation(5, 32)      # the rows five places on
    by_length(counter, (5, 10, 20, 40))           # {5: 0.99, …}: accuracy of a trained counter

Left out on purpose: relative positions, which unit 7 does not need either.

Shapes: N positions, D numbers for each.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from unrolled.attention import Config, SelfAttention
from unrolled.experiments.attention.counting import SYMBOLS, Counter
from unrolled.tagging import Words


@torch.no_grad()
def exchanged(positions: str, causal: bool = False, length: int = 12, seed: int = 0) -> float:
    """max |f(πx) − πf(x)| for a net f that is not trained and a random order π of different letters.

    0, but for rounding, says: a letter gets the same answer wherever it stands.
    """
    torch.manual_seed(seed)
    net = SelfAttention(Config(SYMBOLS + length, 3, positions=positions, causal=causal)).eval()
    ids = 1 + torch.randperm(SYMBOLS + length - 1)[None, :length]
    order, real = torch.randperm(length), torch.ones_like(ids, dtype=torch.bool)
    moved, stayed = net(Words(ids[:, order], real)).logits, net(Words(ids, real)).logits[:, order]
    return (moved - stayed).abs().max().item()


def slide_sinusoids(n: int, d: int) -> Tensor:
    """Another table under the same name, (n, d): all sines, then all cosines, at rates 10000^(−i/(d/2 − 1)).

    As some slides and libraries have it, with an even d of at least 4. The rates reach 1/10000 itself, which the
    published ones do not.
    """
    if d < 4 or d % 2:
        raise ValueError(f"d is {d}: this variant needs an even number, at least 4")
    rates = 10_000.0 ** (-torch.arange(d // 2, dtype=torch.float64) / (d // 2 - 1))
    angles = torch.arange(n, dtype=torch.float64)[:, None] * rates
    return torch.cat([angles.sin(), angles.cos()], dim=1).float()


def rotation(shift: int, d: int) -> Tensor:
    """The matrix (D, D) with sinusoids(…)[p + shift] = sinusoids(…)[p] @ matrix for every p; d even.

    With θ = shift / 10000^(2i/d): sin(a + θ) = sin a cos θ + cos a sin θ, and cos(a + θ) = cos a cos θ − sin a sin θ.
    Each pair of columns is turned by an angle that knows the shift alone, not the position.
    """
    turns = shift / 10_000.0 ** (torch.arange(0, d, 2, dtype=torch.float64) / d)  # (D/2,)
    blocks = [torch.tensor([[t.cos(), -t.sin()], [t.sin(), t.cos()]]) for t in turns]  # columns: new sine, new cosine
    return torch.block_diag(*blocks).float()


def by_length(counter: Counter, lengths: Sequence[int], asked: int = 500, seed: int = 1) -> dict[int, float | None]:
    """The share of right answers in new strings of each length, trained on or not; None where positions end before."""
    return {n: counter.accuracy(n, asked, seed) if _reaches(counter, n) else None for n in lengths}


def _reaches(counter: Counter, n: int) -> bool:
    """Whether there are positions for n letters and the mark: learned ones end at `Config.longest`."""
    config = getattr(counter.model, "config", None)
    return getattr(config, "positions", None) != "learned" or n + 1 <= config.longest
