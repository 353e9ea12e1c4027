"""Another encoder, the same decoder: captions of pictures that we draw, read by a small convolutional net.

    pictures = drawn(2000, seed=0)
    pictures[0].caption                                   # ["red", "circle", "left", "of", "blue", "square"]
    trained = train_captions(pictures, steps=300)
    trained.captions(pictures[:1])                        # and trained.weights(pictures[0]): (M, 16), a row a word

Two shapes stand in one row or one column of a grid of 4 × 4, and the caption says how, from the left or from above, so
that it has one right answer. The net's 16 answers, one a cell, are the states h_i, and their mean is c. It is known
where each word comes from: a colour and a form from the cell of their shape, "left of" and "above" from both. As in Xu
and others, "Show, attend and tell" (2015). Left out on purpose: pictures that anybody took.

Shapes: B pictures of 3 × 32 × 32 numbers from 0 to 1, N = 16 cells.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor, nn

from unrolled.decoding import greedy
from unrolled.language_model import IGNORED
from unrolled.seq2seq import BEGIN, END, SPECIAL, Config, Encoded, Pairs, Translator
from unrolled.tagging import pad
from unrolled.training import Batch, fit
from unrolled.vocabulary import Vocabulary

GRID, CELL = 4, 8  # cells in a row, and points in a row of a cell
COLOURS = {"red": (0.9, 0.2, 0.1), "green": (0.1, 0.7, 0.3), "blue": (0.1, 0.3, 0.9), "yellow": (0.9, 0.8, 0.1)}
FORMS = "circle", "square", "triangle", "cross"
PLACES = {(0, 1): ["left", "of"], (1, 0): ["above"]}  # where the second shape is, seen from the first: down, right
WORDS = Vocabulary([SPECIAL[BEGIN], SPECIAL[END], *COLOURS, *FORMS, "left", "of", "above"], "<pad>", "<unk>")


@dataclass(frozen=True)
class Picture:
    """What is to be seen, what is to be said, and the cells (one or two) from which each word comes."""

    points: Tensor  # (3, 32, 32)
    caption: list[str]
    cells: list[set[int]]


def drawn(n: int, seed: int) -> list[Picture]:
    """n pictures."""
    chance = random.Random(seed)
    return [_picture(chance) for _ in range(n)]


def _picture(chance: random.Random) -> Picture:
    (down, right), far = chance.choice(list(PLACES)), chance.randint(1, GRID - 1)
    first = chance.randrange(GRID - far * down), chance.randrange(GRID - far * right)
    places = [first, (first[0] + far * down, first[1] + far * right)]
    points, caption, cells = torch.ones(3, GRID * CELL, GRID * CELL), [], []
    numbers = [row * GRID + column for row, column in places]
    for i, (row, column) in enumerate(places):
        colour, form = chance.choice(list(COLOURS)), chance.choice(FORMS)
        patch = points[:, row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL]
        patch[:, shape(form)] = torch.tensor(COLOURS[colour])[:, None]
        between = [] if i else PLACES[down, right]
        caption += [colour, form, *between]
        cells += [{numbers[i]}] * 2 + [set(numbers)] * len(between)
    return Picture(points, caption, cells)


@cache
def shape(form: str) -> Tensor:
    """Which points of a cell are coloured, (8, 8) bool."""
    y, x = torch.meshgrid(torch.arange(CELL), torch.arange(CELL), indexing="ij")
    middle = (CELL - 1) / 2
    inside = (x >= 1) & (x <= CELL - 2) & (y >= 1) & (y <= CELL - 2)
    return {
        "circle": (x - middle) ** 2 + (y - middle) ** 2 <= 10,
        "square": inside,
        "triangle": inside & ((x - middle).abs() <= y / 2),
        "cross": inside & (((x - middle).abs() < 1) | ((y - middle).abs() < 1)),
    }[form]


class CellReader(nn.Module):
    """A convolution that sees one cell at a time, then one that sees its neighbours: h_i; and c, their mean."""

    def __init__(self, size: int):
        super().__init__()
        self.size = size
        self.cells = nn.Conv2d(3, size, kernel_size=CELL, stride=CELL)
        self.place = nn.Parameter(torch.randn(GRID * GRID, size) / 4)  # or one cell would be as another
        self.around = nn.Conv2d(size, size, kernel_size=3, padding=1)

    def forward(self, points: Tensor, mask: Tensor) -> Encoded:
        h = torch.relu(self.cells(1 - points) + self.place.T.unflatten(1, (GRID, GRID)))  # (B, size, 4, 4); paper is 0
        h = torch.tanh(self.around(h)).flatten(2).mT  # (B, 16, size)
        return Encoded(h, mask, h.mean(1))


@dataclass
class Captioner:
    """A net that writes captions."""

    model: Translator

    def captions(self, pictures: Sequence[Picture]) -> list[list[str]]:
        """By greedy decoding."""
        shown = _shown(pictures).to(self.model.device)
        with torch.no_grad():
            state = self.model.start(shown.source, shown.mask)
        written = greedy(self.model.step, state, BEGIN, END, limit=10, rows=len(pictures))
        return [[WORDS.symbols[i] for i in ids] for ids in written]

    @torch.no_grad()
    def weights(self, picture: Picture) -> Tensor:
        """(M, 16): from which cells each word of the true caption was written."""
        return self.model(_shown([picture]).to(self.model.device)).weights[0, :-1].cpu()

    def looks_right(self, pictures: Sequence[Picture]) -> float:
        """The share of words that look most at a cell from which they come."""
        hits = [
            int(row.argmax()) in cells
            for picture in pictures
            for row, cells in zip(self.weights(picture), picture.cells, strict=True)
        ]
        return sum(hits) / len(hits)


def train_captions(pictures: Sequence[Picture], steps: int, seed: int = 0, rate: float = 1e-2) -> Captioner:
    """A decoder with attention (additive) on an encoder of cells."""
    torch.manual_seed(seed)
    config = Config(source=0, target=len(WORDS), score="additive", width=32, hidden=32, state=64)
    model = Translator(config, CellReader(config.state))
    fit(model, _batches(pictures, 64, seed), steps=steps, rate=rate)
    return Captioner(model)


def _batches(pictures: Sequence[Picture], size: int, seed: int) -> Iterator[Batch]:
    chance = random.Random(seed)
    while True:
        some = chance.sample(pictures, size)
        due = pad([[*WORDS.encode(picture.caption).tolist(), END] for picture in some], IGNORED)[0]
        yield Batch(_shown(some), due)


def _shown(pictures: Sequence[Picture]) -> Pairs:
    words = pad([[BEGIN, *WORDS.encode(picture.caption).tolist()] for picture in pictures])[0]
    mask = torch.ones(len(pictures), GRID * GRID, dtype=torch.bool)
    return Pairs(torch.stack([picture.points for picture in pictures]), mask, words)
