"""Why scores are divided by √d: their variance, the softmax of large ones, its slopes, and what becomes of a training.

    variance(64)                                  # Spread(raw=…, scaled=…): of q · k, and of q · k / √64
    saturation(64, keys=20)                       # entropy of the softmax and size of its slopes, raw and scaled
    train_divided("unscaled", width=64, steps=200, seed=0)       # a Trial on the counting task, with one head

Queries and keys are d independent numbers of mean 0 and variance 1, as in the footnote of Vaswani and others (2017).
Left out on purpose: numbers that hang together, as trained ones do; the trainings show what those do.

Shapes: d numbers in a query and in a key; N keys.
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from unrolled.attention import Config, MultiHeadAttention, SelfAttention
from unrolled.experiments.attention.counting import SYMBOLS, TASKS, Counter, endless, exam
from unrolled.training import fit

DIVISORS = {"unscaled": 0.0, "scaled": 0.5, "by width": 1.0}  # scores are divided by d to this power


class Spread(NamedTuple):
    """A number for the scores as they are, and for those divided by √d."""

    raw: float
    scaled: float


def variance(d: int, pairs: int = 20_000, seed: int = 0) -> Spread:
    """Of the scores of random queries and keys."""
    scores = _scores(d, pairs, 1, seed)
    return Spread(scores.var().item(), (scores / d**0.5).var().item())


class Saturation(NamedTuple):
    """Means over random queries. An entropy is at most ln N (all keys alike) and 0 if one key has everything."""

    entropy: Spread  # nats
    slope: Spread  # Frobenius norm of ∂α/∂scores = diag(α) − α αᵀ


def saturation(d: int, keys: int = 20, queries: int = 2000, seed: int = 0) -> Saturation:
    """Of the softmax over the scores of so many random keys."""
    scores = _scores(d, queries, keys, seed)
    entropies, slopes = zip(*(_sharpness(s.softmax(1)) for s in (scores, scores / d**0.5)), strict=True)
    return Saturation(Spread(*entropies), Spread(*slopes))


def _scores(d: int, queries: int, keys: int, seed: int) -> Tensor:
    chance = torch.Generator().manual_seed(seed)
    q, k = (torch.randn(queries, n, d, generator=chance) for n in (1, keys))
    return (q * k).sum(2)  # (Q, 1, d) · (Q, N, d) -> (Q, N)


def _sharpness(weights: Tensor) -> tuple[float, float]:
    slope = torch.diag_embed(weights) - weights[:, :, None] * weights[:, None]  # (Q, N, N)
    return entropy(weights).mean().item(), slope.flatten(1).norm(dim=1).mean().item()


def entropy(weights: Tensor) -> Tensor:
    """−Σ_j α_j ln α_j in nats, over the last axis; a weight of 0 adds nothing."""
    return torch.special.entr(weights).sum(-1)


# --- trainings -------------------------------------------------------------------------------------------------------


class Divided(MultiHeadAttention):
    """Attention whose scores are divided by K to another power than one half."""

    power = 0.5

    def attend(self, x, k, v, mask=None, need_weights=False):
        return super().attend(x, k * k.shape[3] ** (0.5 - self.power), v, mask, need_weights)


@dataclass
class Trial:
    """A counter, and what its attention was like before the training and after."""

    counter: Counter
    entropy: tuple[float, float]  # nats, mean over the queries of new strings
    gradient: tuple[float, float]  # norm of the loss's gradient by W^Q and W^K together


def train_divided(kind: str, width: int, steps: int, seed: int = 0, rate: float = 5e-3) -> Trial:
    """The counting task, one head of this width, scores divided as `kind` says: one of DIVISORS."""
    if kind not in DIVISORS:
        raise ValueError(f"there is no divisor {kind!r}: choose one of {', '.join(DIVISORS)}")
    torch.manual_seed(seed)
    net = SelfAttention(Config(SYMBOLS, TASKS["count"].classes, width, heads=1, positions="none", causal=True))
    layer = Divided(width, 1)
    layer.power = DIVISORS[kind]
    layer.load_state_dict(net.layers[0].state_dict())  # each kind starts from the same numbers
    net.layers[0] = layer
    before = _state(net)
    history = fit(net, endless(64, 20, seed), steps=steps, rate=rate)
    return Trial(Counter(net, history), *zip(before, _state(net), strict=True))


def _state(net: SelfAttention) -> tuple[float, float]:
    """Entropy of the weights, and norm of the gradient by W^Q and W^K, on strings that are not trained on."""
    batch = exam(20, asked=200)
    words, targets, layer = batch.inputs.to(net.device), batch.targets.to(net.device), net.layers[0]
    slopes = torch.autograd.grad(net(words, targets).loss, [layer.query.weight, layer.key.weight])
    return entropy(net.weights(words)[0]).mean().item(), torch.stack([s.norm() for s in slopes]).norm().item()
