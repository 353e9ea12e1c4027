"""What a page without a kernel needs: the answers for every choice of one or two places, in a few bytes each.

For each sentence the choices come in order: of no place, of each one, of each two (`itertools.combinations`); of a long
sentence, of one alone. For each choice come its hidden places in order, and for each place the numbers of BEST names
and the rank of what stood there (0: nobody knows), uint32, and their probabilities, float32, in the same order.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from unrolled.bert import PretrainedBert
from unrolled.wordpiece import WordPiece

from .reading import Filled, Line, fill

_PAIRED = 18  # places of a sentence: of more, no two are stored together
Places = tuple[int, ...]


class Packed(NamedTuple):
    """All stored answers."""

    names: list[str]  # the candidates, each once
    codes: bytes  # uint32
    chances: bytes  # float32


def together(line: Line) -> int:
    """How many places are hidden at once in what is stored: 2, or 1 in a long sentence."""
    return 2 if len(line.free) <= _PAIRED else 1


def choices(line: Line) -> Iterator[Places]:
    """The choices that are stored, in their order."""
    for count in range(together(line) + 1):
        yield from combinations(line.free, count)


def stored(model: PretrainedBert, pieces: WordPiece, lines: Sequence[Line]) -> list[dict[Places, list[Filled]]]:
    """Of each line, the answers for each choice."""
    return [dict(zip(choices(line), fill(model, pieces, line, list(choices(line))), strict=True)) for line in lines]


def pack(answers: Sequence[dict[Places, list[Filled]]]) -> Packed:
    """Names once, the rest in bytes."""
    places = [filled for of_line in answers for found in of_line.values() for filled in found]
    names = sorted({word for filled in places for word in filled.words})
    number = {name: n for n, name in enumerate(names)}
    codes = [[*(number[word] for word in filled.words), filled.rank or 0] for filled in places]
    chances = [[*filled.chances, filled.chance or 0.0] for filled in places]
    return Packed(names, np.array(codes, dtype="<u4").tobytes(), np.array(chances, dtype="<f4").tobytes())
