"""Tasks for memory alone: write a string of letters again, as it was or from its end.

    train = strings(4000, longest=12, seed=0)
    by_length(trained, lengths=(4, 8, 12), asked=200, seed=1)      # {4: 0.98, …}: shares right to the last letter

Every letter is drawn anew, so that nothing can be guessed: what is to be written must have been carried through the
context. Left out on purpose: strings longer than those of the training.
"""

import random
from collections.abc import Sequence

from unrolled.experiments.seq2seq.numbers import Pair
from unrolled.experiments.seq2seq.trainer import Trained

LETTERS = "abcdefghij"


def strings(n: int, longest: int, seed: int, shortest: int = 1, turned: bool = False) -> list[Pair]:
    """n strings of random length, each with itself as translation; turned: with itself from the end."""
    chance = random.Random(seed)
    return [_string(chance, chance.randint(shortest, longest), turned) for _ in range(n)]


def _string(chance: random.Random, length: int, turned: bool) -> Pair:
    letters, places = [chance.choice(LETTERS) for _ in range(length)], list(range(length))
    return Pair(letters, letters[::-1], places[::-1]) if turned else Pair(letters, list(letters), places)


def by_length(trained: Trained, lengths: Sequence[int], asked: int, seed: int) -> dict[int, float]:
    """The share of new strings, copied right to the last letter, of each length."""
    return {n: trained.exact(strings(asked, n, 1000 * seed + n, shortest=n)) for n in lengths}
