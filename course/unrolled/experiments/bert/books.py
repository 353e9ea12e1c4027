"""The books as documents for pre-training: chapters in sentences, sentences in pieces; some chapters are held out.

    corpus = books(pieces)          # .train and .heldout: documents, of which each is its sentences' ids

A chapter is a document; of every twenty one is held out. A sentence ends with . ! or ? and what closes a quotation,
where a space and no small letter follow: so "Mr. Darcy" is cut in two, which does little harm here.
Left out on purpose: poems and letters as such, headings.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from unrolled import data
from unrolled.data import DataError
from unrolled.data.finding import data_set
from unrolled.data.places import say_once
from unrolled.progress import progress
from unrolled.wordpiece import WordPiece, words

EVERY = 20  # documents, of which the last is held out
END = re.compile(r"(?<=[.!?])([”’\"')]*)\s+(?![a-z])")


class Encoded(Sequence):
    """A document: the ids of its sentences, kept as two arrays, since a list of lists takes twenty times the room."""

    def __init__(self, sentences: Iterable[Sequence[int]]):
        sentences = list(sentences)
        self.ids = np.fromiter((i for ids in sentences for i in ids), dtype=np.uint16)
        self.ends = np.cumsum([0, *map(len, sentences)])

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __getitem__(self, place: int | slice) -> list:
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(len(self)))]
        at = range(len(self))[place]  # IndexError, and places from the end
        return self.ids[self.ends[at] : self.ends[at + 1]].tolist()


class Corpus(NamedTuple):
    """Documents."""

    train: list[Encoded]
    heldout: list[Encoded]
    title: str  # of the data set; a stand-in's says so


def sentences(paragraph: str) -> list[str]:
    """A paragraph's sentences, none of them empty."""
    return [part for part in END.sub("\\1\n", paragraph).split("\n") if part.strip()]


def chapters() -> tuple[list[list[str]], str]:
    """Each chapter's paragraphs, book after book; and whose. Where there are no books, Shakespeare's speeches do."""
    try:
        texts = [data.load("books", file.name) for file in data_set("books").files]
        title = data_set("books").title
    except DataError:
        say_once("The books cannot be had (`python -m unrolled.data books` says why): Shakespeare stands in.")
        return scenes(), f"a stand-in for the books: {data.source('tiny_shakespeare').title}"
    found = [chapter.split("\n") for text in texts for chapter in re.split(r"\n\s*\n", text)]
    return [[line for line in lines if line.strip()] for lines in found if any(map(str.strip, lines))], title


def scenes() -> list[list[str]]:
    """Shakespeare's plays, fifty speeches at a time, as if each was a chapter of fifty paragraphs."""
    speeches = [speech.replace("\n", " ") for speech in data.load("tiny_shakespeare").split("\n\n")]
    return [[line for line in speeches[at : at + 50] if line.strip()] for at in range(0, len(speeches), 50)]


def is_heldout(number: int) -> bool:
    """Whether the document of that number is not trained on."""
    return number % EVERY == EVERY - 1


def word_counts() -> Counter[str]:
    """How often each word stands in what is trained on: for a list of pieces."""
    return Counter(
        word
        for number, chapter in enumerate(chapters()[0])
        if not is_heldout(number)
        for line in chapter
        for word in words(line)
    )


def books(pieces: WordPiece, most: int | None = None) -> Corpus:
    """All documents in pieces. most: only so many, spread over all the books, for trials."""
    found, title = chapters()
    return split(found if most is None else found[:: max(1, len(found) // most)], pieces, title)


def split(found: list[list[str]], pieces: WordPiece, title: str) -> Corpus:
    """Documents, given as paragraphs, in pieces; every twentieth is held out."""
    documents = [document for document in _encoded(found, pieces) if len(document)]
    train = [document for number, document in enumerate(documents) if not is_heldout(number)]
    return Corpus(train, documents[EVERY - 1 :: EVERY], title)


def _encoded(found: list[list[str]], pieces: WordPiece) -> Iterator[Encoded]:
    for chapter in progress(found, len(found), lambda: "documents in pieces"):
        yield Encoded(ids for line in chapter for part in sentences(line) if (ids := pieces.encode(part)))
