"""Which pieces: from letters on, the two neighbours that fit best are merged, again and again.

Schuster and Nakajima, "Japanese and Korean voice search" (2012), merge what raises the likelihood of the training text
most; the program that made BERT's list did not come with BERT. Its score is mostly told as
freq(ab) / (freq(a) · freq(b)), "ratio" here. Sennrich, Haddow and Birch, "Neural machine translation of rare words
with subword units" (2016), merge what meets most often, "count". Left out on purpose: a list begun from whole words and
cut down.

    pieces = train(Counter(words(text)), size=5000)
"""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping

from unrolled.progress import progress
from unrolled.wordpiece import INSIDE, SPECIALS, PiecesError, WordPiece

SCORES = {  # how well a and b fit: n times they meet, so often a stands, so often b, and so many pieces in all
    "ratio": lambda n, a, b, total: n / (a * b),  # to how often chance would have them meet, but for the total
    "gain": lambda n, a, b, total: n * math.log(n * total / (a * b)),  # the likelihood's, about: a and b count on
    "count": lambda n, a, b, total: n,  # byte-pair encoding; the library `tokenizers` trains its WordPiece so
}


class Merging:
    """Words in pieces, with the counts that merging needs, kept up to date."""

    def __init__(self, counts: Mapping[str, int]):
        """counts: how often each word stands in the training text."""
        self.words = [[word[0], *(INSIDE + letter for letter in word[1:])] for word in counts]
        self.times = list(counts.values())
        self.pieces: Counter[str] = Counter()
        self.pairs: Counter[tuple[str, str]] = Counter()
        self.holders = defaultdict(set)  # pair -> the words that have it, or once had it
        for i in range(len(self.words)):
            self._counted(i, 1)

    def best(self, score: str = "ratio", minimum: int = 1) -> tuple[str, str] | None:
        """The pair of neighbours with the highest score, of equal ones the first in the order of their spelling.

        minimum: pairs that meet fewer times do not count. None if there is no pair.
        """
        fit, often, total = SCORES[score], self.pieces, self.pieces.total()
        rated = ((-fit(n, often[a], often[b], total), (a, b)) for (a, b), n in self.pairs.items() if n >= minimum)
        return min(rated, default=(0.0, None))[1]

    def merge(self, pair: tuple[str, str]) -> str:
        """Make one piece of the two wherever they meet, from left to right; returns it."""
        merged = pair[0] + pair[1].removeprefix(INSIDE)
        for i in self.holders.pop(pair, ()):
            self._counted(i, -1)
            self.words[i] = _with(self.words[i], pair, merged)
            self._counted(i, 1)
        return merged

    def _counted(self, i: int, sign: int) -> None:
        word, times = self.words[i], sign * self.times[i]
        for piece in word:
            self.pieces[piece] += times
        for pair in zip(word, word[1:], strict=False):
            self.pairs[pair] += times
            if self.pairs[pair] == 0:
                del self.pairs[pair]
            elif sign > 0:
                self.holders[pair].add(i)


def _with(word: list[str], pair: tuple[str, str], merged: str) -> list[str]:
    made = []
    for piece in word:
        if made and (made[-1], piece) == pair:
            made[-1] = merged  # which is no part of the pair, so that a a a gives aa a
        else:
            made.append(piece)
    return made


def train(
    counts: Mapping[str, int], size: int, score: str = "ratio", minimum: int = 2, rarest: int = 2, lower: bool = True
) -> WordPiece:
    """A list of at most `size` pieces: SPECIALS, the letters, then what was merged, in its order.

    counts: of the training text's words. score: one of SCORES. minimum: how often two neighbours must meet to be
    merged. rarest: letters that occur fewer times are left to [UNK]. PiecesError if size is too small for the letters.
    """
    if score not in SCORES:
        raise ValueError(f"there is no score {score!r}: choose one of {', '.join(SCORES)}")
    letters = Counter()
    for word, times in counts.items():
        letters.update({letter: times for letter in word})
    kept = {letter for letter, times in letters.items() if times >= rarest}
    merging = Merging({word: times for word, times in counts.items() if word and kept.issuperset(word)})
    found = dict.fromkeys([*SPECIALS, *sorted(merging.pieces)])  # an ordered set
    if len(found) > size:
        raise PiecesError(f"{len(found)} specials and letters are more than {size} pieces: ask for more")
    todo = size - len(found)
    for _ in progress(range(todo), todo, lambda: f"{len(found):,} pieces"):
        if (pair := merging.best(score, minimum)) is None:
            break
        found[merging.merge(pair)] = None
    return WordPiece(found, lower)
