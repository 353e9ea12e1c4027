"""Paths of tags for the checks of 4.1: tables of logarithms, and the best of all paths, by trying each.

What an answer is given is start (K,), transition (K, K) from row to column, and emission (T, K), natural logarithms.
Left out on purpose: Viterbi's search.

Shapes: N paths, T words, K tags.
"""

import random
from typing import Any

import torch
from torch import Tensor

from unrolled.checking.compare import close
from unrolled.checking.kinds import symbols

from .recurrent import exact, numbers

Tables = tuple[Tensor, Tensor, Tensor]
IMPOSSIBLE = "Your path goes where it cannot: one of its logarithms is −∞."


def hmm_of(
    rng: random.Random, steps: int, tags: int, dtype: torch.dtype = torch.float32, spread: float = 2.0
) -> Tables:
    """Random tables; the smaller the spread, the nearer all paths are to each other."""
    start = numbers(rng, tags, spread=spread, dtype=dtype).log_softmax(0)
    transition = numbers(rng, tags, tags, spread=spread, dtype=dtype).log_softmax(1)
    return start, transition, numbers(rng, steps, tags, spread=spread, dtype=dtype) - 4


def scores_of(paths: Tensor, start: Tensor, transition: Tensor, emission: Tensor) -> Tensor:
    """The log probabilities of paths (N, T), each together with the words, (N,): sums of 2T numbers, in float64."""
    start, transition, emission = start.double(), transition.double(), emission.double()
    words = emission[torch.arange(paths.shape[1]), paths].sum(1)  # (N, T) -> (N,)
    return start[paths[:, 0]] + words + transition[paths[:, :-1], paths[:, 1:]].sum(1)


def best_of_all(start: Tensor, transition: Tensor, emission: Tensor) -> float:
    """The best log probability of all K^T paths, each of them tried: for small T and K."""
    steps, tags = emission.shape
    all_paths = torch.cartesian_prod(*[torch.arange(tags)] * steps).reshape(-1, steps)  # (K^T, T)
    return scores_of(all_paths, start, transition, emission).max().item()


def no_better_path(answer: Any, tables: Tables, best: float, rtol: float = 1e-5, atol: float = 1e-4) -> None:
    """Hold an answer's path to the log probability `best`; any of several that are as good will do."""
    path = symbols(answer(*tables), *tables[2].shape, "the path")
    score = scores_of(torch.tensor([path]), *tables).item()
    close(score, best, "the log probability of your path", rtol, atol, hint=IMPOSSIBLE * (score == -torch.inf))


def logs(start: list, transition: list, *emission: list) -> Tables:
    """The tables of a case that is written down as probabilities."""
    return exact(*start).log(), exact(*transition).log(), exact(*emission).log()


COOKS = logs([0.7, 0.3], [[0.2, 0.8], [0.6, 0.4]], [0.2, 0.7], [0.1, 0.2], [0.1, 0.1])  # as in the text


def ending_in(last: list[float]) -> Tables:
    """Three words, of which two say nothing, and tags that stay what they are: the last word decides."""
    return logs([0.6, 0.4], [[0.9, 0.1], [0.1, 0.9]], [0.5, 0.5], [0.5, 0.5], last)


# Word 2 is of tag 0 or 1, word 3 of tag 2. The path 0 0 2 has 0.4 for its first tag, 1 1 2 and 2 1 2 have 0.3 each and
# meet at word 2, where tag 1 is the likelier one.
ONE_AGAINST_TWO = logs(
    [0.4, 0.3, 0.3],
    [[0.49, 0.02, 0.49], [0.02, 0.49, 0.49], [0.02, 0.49, 0.49]],
    [0.5, 0.5, 0.5],
    [0.5, 0.5, 0.01],
    [0.01, 0.01, 0.9],
)


def ring() -> Tables:
    """Three tags, each of which allows one follower only; the first of five words is of tag 1, the others of any."""
    transition, emission = torch.full((3, 3), -torch.inf), torch.zeros(5, 3)
    transition[0, 1] = transition[1, 2] = transition[2, 0] = 0.0
    emission[0, [0, 2]] = -torch.inf
    return torch.zeros(3), transition, emission


BACK_TO_FRONT = "That is the path, last word first."


def goes_round(answer: Any) -> None:
    """Hold an answer's path to the way round the ring, and say so where it is that way, told from its end."""
    got, expected = answer(*ring()), [1, 2, 0, 1, 2]
    close(got, expected, "the path", hint=BACK_TO_FRONT * (got == expected[::-1]))


def late_winner() -> Tables:
    """Three words, two tags that stay what they are: the first word is e^−1000 for one, the last e^−3000 for the other.

    The tag that wins is e^1000 times less likely at first.
    """
    emission = torch.tensor([[0.0, -1000.0], [0.0, 0.0], [-3000.0, 0.0]])
    return torch.zeros(2), torch.tensor([[0.0, -1e4], [-1e4, 0.0]]), emission


def long_sentence() -> tuple[Tables, list[int]]:
    """300 words that have a probability of e^−40 with one tag, and of e^−60 with each other; and those tags."""
    tags = [(t * t) % 4 for t in range(300)]
    emission = torch.full((300, 4), -60.0)
    emission[range(300), tags] = -40.0
    return (torch.zeros(4) - 2, torch.zeros(4, 4) - 2, emission), tags
