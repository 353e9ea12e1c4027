"""From symbols to numbers and back: characters or words, with a stand-in for what is rare or new.

Every model of the course sees ids; which symbols they stand for is decided here, once, on the training text.
Left out on purpose: cutting a text into words (`str.split` does for this course) and sub-word units.
"""

from collections import Counter
from collections.abc import Iterable

import numpy as np
import torch
from jaxtyping import Int64
from torch import Tensor

# ruff: noqa: F722 (jaxtyping writes shapes as strings)


class Vocabulary:
    """A numbered list of symbols; two of them may be special.

    boundary: stands before and after every sequence ("." for names, "</s>" for sentences). Its id comes first, 0.
    unknown: stands for every symbol that is not on the list, such as "<unk>". Its id comes next.

    Attributes: symbols, the list; boundary and unknown, their ids or None.
    """

    def __init__(self, symbols: Iterable[str], boundary: str | None = None, unknown: str | None = None):
        """The symbols in the order given; ValueError if there are none, or if one of them is the boundary."""
        ordinary = [symbol for symbol in dict.fromkeys(symbols) if symbol != unknown]
        if not ordinary:
            raise ValueError("a vocabulary needs symbols: the text is empty, or minimum_count is above every count")
        if boundary in ordinary or (boundary is not None and boundary == unknown):
            raise ValueError(f"the boundary {boundary!r} has another meaning already: choose a symbol of its own")
        self.symbols = [special for special in (boundary, unknown) if special is not None] + ordinary
        self._ids = {symbol: i for i, symbol in enumerate(self.symbols)}
        self.boundary: int | None = self._ids.get(boundary)
        self.unknown: int | None = self._ids.get(unknown)

    @classmethod
    def of(
        cls,
        text: Iterable[str],
        minimum_count: int = 1,
        boundary: str | None = None,
        unknown: str | None = None,
    ) -> "Vocabulary":
        """The symbols of a text, sorted: the characters of a string, or the words of a list of words.

        Symbols that occur fewer than `minimum_count` times are left to `unknown`; ValueError if there is none.
        """
        if minimum_count > 1 and unknown is None:
            raise ValueError("a minimum_count above 1 leaves symbols out: give them a stand-in, unknown='<unk>'")
        counts = Counter(text)
        return cls(sorted(s for s, count in counts.items() if count >= minimum_count), boundary, unknown)

    def __len__(self) -> int:
        return len(self.symbols)

    def __repr__(self) -> str:
        return f"Vocabulary({len(self)} symbols)"

    def encode(self, text: Iterable[str]) -> Int64[Tensor, " N"]:
        """The ids of the symbols of a text; ValueError for one that is not on the list, if there is no unknown."""
        symbols = list(text)
        ids = [self._ids.get(symbol, self.unknown) for symbol in symbols]
        if None in ids:
            raise ValueError(
                f"{symbols[ids.index(None)]!r} is not in the vocabulary: build it with a stand-in, unknown='<unk>'"
            )
        return torch.from_numpy(np.array(ids, dtype=np.int64))  # torch.tensor(ids) takes four times as long

    def decode(self, ids: Int64[Tensor, " N"] | Iterable[int], separator: str = "") -> str:
        """The symbols with these ids in one string; separator=" " for words. ValueError for an id out of range."""
        ids = [int(i) for i in ids]
        for i in ids:
            if not 0 <= i < len(self):
                raise ValueError(f"id {i} is out of range: this vocabulary has ids 0 to {len(self) - 1}")
        return separator.join(self.symbols[i] for i in ids)
