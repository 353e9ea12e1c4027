"""One word in two senses: does its vector tell them apart? Contextual vectors beside unit 4's static ones.

    words = occurrences(bert, pieces, "bank")            # (L + 1, S, D) vectors, (S,) senses, of S sentences
    told_apart(words.vectors[-1], words.senses)          # the share of sentences whose nearest other has the same sense
    flat(words.vectors[-1])                              # (S, 2): the two directions in which they differ most

The sentences are ours, six for each sense. Nearest is the largest cosine; a word of several pieces has their mean.
A static vector is the same in every sentence, so that it tells nothing; the mean of the other words' vectors does.
Left out on purpose: more than two senses.

Shapes: S sentences, L layers, D numbers in a vector.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from unrolled.bert import Bert, Pieces
from unrolled.experiments.vectors import word_vectors
from unrolled.wordpiece import WordPiece, words

SENTENCES: dict[str, dict[str, list[str]]] = {
    "bank": {
        "of a river": [
            "they sat on the bank of the river and threw stones into the water.",
            "the boat was pulled up on the muddy bank.",
            "trees grew along the bank where the stream turned to the south.",
            "he swam across and climbed up the other bank, wet and cold.",
            "the flood had washed away a part of the bank below the mill.",
            "we walked along the grassy bank and looked for fish.",
        ],
        "of money": [
            "he took his money to the bank and asked for a receipt.",
            "the bank would not lend him another pound.",
            "she had a small account at the bank in town.",
            "the clerk of the bank counted the notes twice.",
            "when the bank failed, many families lost their savings.",
            "his father had been a partner in the bank before the war.",
        ],
    },
    "rose": {
        "a flower": [
            "she wore a red rose in her hair.",
            "the smell of a rose came through the garden window.",
            "he cut a white rose and gave it to the child.",
            "there was a dead rose between the pages of the book.",
            "a wild rose grew over the wall of the cottage.",
            "every rose in the garden had lost its leaves.",
        ],
        "got up": [
            "he rose from his chair and went to the door.",
            "the sun rose behind the hills at six.",
            "the old man rose slowly and began to speak.",
            "the water rose until it reached the bridge.",
            "she rose early and lit the fire.",
            "a cry rose from the crowd when the king appeared.",
        ],
    },
    "left": {
        "a side": [
            "he held the letter in his left hand.",
            "turn to the left at the end of the street.",
            "she was blind in her left eye.",
            "on the left you see the church and the school.",
            "the ball had gone through his left shoulder.",
            "the house stood on the left side of the road.",
        ],
        "went away": [
            "she left the room without a word.",
            "they left the town before the sun was up.",
            "he left his wife and went to sea.",
            "the train had left when we came to the station.",
            "my brother left home at fifteen to find work.",
            "the guests left the house late at night.",
        ],
    },
    "leaves": {
        "of a tree": [
            "the leaves of the oak turned brown in the autumn.",
            "dry leaves lay under the trees.",
            "the wind blew the leaves across the yard.",
            "there were green leaves on every branch.",
            "the rain fell from the leaves on our heads.",
            "the child made a bed of moss and leaves.",
        ],
        "goes away": [
            "the ship leaves the harbour at noon.",
            "he leaves his house every morning at eight.",
            "she leaves us tomorrow and will not come back.",
            "the coach leaves from the inn on monday.",
            "when a servant leaves his master, he must say why.",
            "my uncle leaves for london in the spring.",
        ],
    },
}


class Occurrences(NamedTuple):
    """A word in S sentences."""

    vectors: Tensor  # (L + 1, S, D): the embeddings, then after each layer
    senses: list[str]
    sentences: list[str]


@torch.no_grad()
def occurrences(bert: Bert, pieces: WordPiece, word: str) -> Occurrences:
    """The word's vectors, each layer's, where it first stands in each of its sentences. ValueError for other words."""
    senses, texts = _sentences(word)
    found = []
    for text in texts:
        cut = words(text)
        ids, of_word = pieces.of_words(cut)
        hidden = torch.stack(bert(Pieces.of([[pieces.cls, *ids, pieces.sep]])).hidden)[:, 0, 1:-1]  # (L + 1, N, D)
        mine = torch.tensor([number == cut.index(word) for number in of_word])
        found.append(hidden[:, mine].mean(1))
    return Occurrences(torch.stack(found, 1), senses, texts)


def _sentences(word: str) -> tuple[list[str], list[str]]:
    """The sense of each of a word's sentences, and the sentences."""
    if word not in SENTENCES:
        raise ValueError(f"there are no sentences with {word!r}: choose one of {', '.join(SENTENCES)}")
    senses, texts = zip(*((sense, text) for sense, some in SENTENCES[word].items() for text in some), strict=True)
    return list(senses), list(texts)


def static(word: str) -> tuple[Tensor, list[str]]:
    """The mean of the other words' static vectors, (S, D), and the senses: what stands around it, in any order."""
    known, table = word_vectors()
    at, (senses, texts) = {name: i for i, name in enumerate(known)}, _sentences(word)
    found = []
    for text in texts:
        others = [table[at[other]] for other in words(text) if other != word and other in at]
        found.append(torch.from_numpy(sum(others) / len(others)))
    return torch.stack(found), senses


def told_apart(vectors: Tensor, senses: Sequence[str]) -> float:
    """The share of sentences whose nearest other one, by the cosine of their vectors (S, D), has the same sense."""
    unit = F.normalize(vectors, dim=1)
    cosines = (unit @ unit.T).fill_diagonal_(-torch.inf)  # (S, S)
    return sum(senses[i] == senses[int(j)] for i, j in enumerate(cosines.argmax(1))) / len(senses)


def flat(vectors: Tensor) -> Tensor:
    """The two directions in which the vectors (S, D) differ most (principal components): (S, 2)."""
    centred = vectors - vectors.mean(0)
    u, s, _ = torch.linalg.svd(centred, full_matrices=False)
    return u[:, :2] * s[:2]
