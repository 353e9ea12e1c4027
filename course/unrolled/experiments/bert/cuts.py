"""Which book is a chapter from? Chapters have thousands of pieces, and the net reads few: what should it read?

    parts = chapters_of_books(pieces)                 # {"train": [Chapter(ids, book)], "test": …}
    net = trained(bert, pieces, parts, cut="head", steps=400)
    right(net, pieces, parts["test"], cut="head")     # the share of chapters whose book is found

"head", "tail" and "head and tail" read `LONGEST` pieces of each chapter, after Sun and others, "How to fine-tune BERT"
(2019). "windows" reads several such parts, which overlap by half, and adds up what each says (the logs of their
probabilities); it is trained on parts drawn from anywhere. Left out on purpose: nets that read long texts whole.
"""

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch

from unrolled import data
from unrolled.bert import Bert, Classifier, Pieces
from unrolled.data.finding import data_set
from unrolled.experiments.bert.finetuning import BATCH, fitted, start
from unrolled.pretraining import CUTS, head, pack, windows
from unrolled.training import Batch
from unrolled.wordpiece import WordPiece

LONGEST = 32  # pieces that are read together, as the small net was trained to
MOST = 8  # windows of a chapter, evenly from its beginning to its end
ENOUGH = 300  # pieces of a chapter that counts as long
WAYS = *CUTS, "windows"


class Chapter(NamedTuple):
    """A long document."""

    ids: list[int]
    book: int


def chapters_of_books(pieces: WordPiece, seed: int = 0, most: int = 40) -> dict[str, list[Chapter]]:
    """Four fifths of the long chapters of each book to train on; at most so many of a book. DataError without books."""
    chance, parts = random.Random(seed), {"train": [], "test": []}
    for number, file in enumerate(data_set("books").files):
        texts = [text for text in data.load("books", file.name).split("\n\n") if len(text) > 5 * ENOUGH]
        chosen = chance.sample(texts, min(most, len(texts)))
        found = [Chapter(ids, number) for text in chosen if len(ids := pieces.encode(text)) >= ENOUGH]
        held = len(found) // 5
        parts["test"] += found[:held]
        parts["train"] += found[held:]
    return parts


def seen(ids: list[int], cut: str, pieces: WordPiece) -> list[list[int]]:
    """What is read of a chapter: one sequence, or several windows."""
    if cut != "windows":
        return [pack(ids, None, pieces, LONGEST, cut)[0]]
    some = windows(ids, LONGEST - 2, (LONGEST - 2) // 2)
    places = torch.linspace(0, len(some) - 1, min(MOST, len(some))).round().int().tolist()
    return [pack(some[at], None, pieces, LONGEST)[0] for at in places]


def trained(bert: Bert, pieces: WordPiece, parts: dict, cut: str, steps: int, seed: int = 0) -> Classifier:
    """A copy with a class for each book."""
    model = Classifier(start(bert, seed), 1 + max(chapter.book for chapter in parts["train"]))
    stream = _batches(pieces, parts["train"], cut, seed)
    fitted(model, stream, steps)
    return model


def _batches(pieces: WordPiece, chapters: Sequence[Chapter], cut: str, seed: int) -> Iterator[Batch]:
    chance = random.Random(seed)
    while True:
        some = chance.sample(chapters, BATCH)
        if cut == "windows":
            shown = [head(chapter.ids[chance.randrange(len(chapter.ids) - LONGEST) :], LONGEST - 2) for chapter in some]
            rows = [pack(ids, None, pieces, LONGEST)[0] for ids in shown]
        else:
            rows = [seen(chapter.ids, cut, pieces)[0] for chapter in some]
        yield Batch(Pieces.of(rows, pad=pieces.pad), torch.tensor([chapter.book for chapter in some]))


@torch.no_grad()
def right(model: Classifier, pieces: WordPiece, chapters: Sequence[Chapter], cut: str) -> float:
    """The share of chapters whose book is the likeliest one."""
    hits = 0
    for chapter in chapters:
        logs = model(Pieces.of(seen(chapter.ids, cut, pieces), pad=pieces.pad)).logits.log_softmax(1)
        hits += int(logs.sum(0).argmax()) == chapter.book
    return hits / len(chapters)
