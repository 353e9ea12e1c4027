"""Find the sentence that says the same: by vectors of sentences, by counting words, and by reading two at once.

    search = searches()["test"]                               # queries, and texts of which text i answers query i
    ranks(cosines(sentence_vectors(bert, pieces, search.queries), sentence_vectors(bert, pieces, search.texts)))
    ranks(tf_idf(search.queries, search.texts))               # 1 for the best: recall at 1 is the share of ones

Two English sentences with the same French translation (Tatoeba) say about the same. Reading both in one input, with
[SEP] between them, is dear: a net must read each pair anew, so that it only ranks the best of a cheaper search again
(Nogueira and Cho, "Passage re-ranking with BERT", 2019). TF-IDF: Spärck Jones (1972).

Shapes: Q queries, T texts, D numbers in a vector.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from unrolled.bert import Bert, Classifier, Pieces
from unrolled.experiments.bert.finetuning import fitted, start
from unrolled.experiments.bert.reading import Item, Reader
from unrolled.experiments.seq2seq.tatoeba import joined, tatoeba
from unrolled.wordpiece import WordPiece, words

POOLS = "[CLS]", "mean", "max"
FIRST = 10  # texts of a cheaper search that are ranked again
KINDS = "other", "same"


class Search(NamedTuple):
    """Text i is the answer to query i."""

    queries: list[str]
    texts: list[str]


def searches(test: int = 500, train: int = 4000, seed: int = 0, stand_in: bool = True) -> dict[str, Search]:
    """ "test" and "train": no sentence stands in both, and each stands once. DataError where stand_in is False."""
    by_french = defaultdict(set)
    for pairs in tatoeba(longest=12, stand_in=stand_in).values():
        for pair in pairs:
            by_french[tuple(pair.target)].add(joined(pair.source))
    chance, used, found = random.Random(seed), set(), []
    groups = [sorted(some) for _, some in sorted(by_french.items())]
    chance.shuffle(groups)
    for group in groups:
        free = [text for text in group if text not in used]
        if len(free) > 1:
            pair = chance.sample(free, 2)
            used.update(group)
            found.append(pair)
    cut = min(test, len(found) // 5)
    parts = {"test": found[:cut], "train": found[cut : cut + train]}
    return {part: Search(*map(list, zip(*some, strict=True))) for part, some in parts.items()}


# --- vectors ---------------------------------------------------------------------------------------------------------


@torch.no_grad()
def sentence_vectors(bert: Bert, pieces: WordPiece, texts: Sequence[str], pool: str = "mean") -> Tensor:
    """(T, D): [CLS]'s vector of the last layer, or the mean or the largest number of all pieces', [CLS] among them."""
    if pool not in POOLS:
        raise ValueError(f"there is no pool {pool!r}: choose one of {', '.join(POOLS)}")
    items, found = [Reader(pieces, ()).text(text) for text in texts], []
    for at in range(0, len(items), 64):
        batch = Pieces.of([item.ids for item in items[at : at + 64]], pad=pieces.pad)
        hidden, real = bert(batch).hidden[-1], batch.mask[..., None]  # (B, N, D), (B, N, 1)
        if pool == "[CLS]":
            found.append(hidden[:, 0])
        elif pool == "mean":
            found.append((hidden * real).sum(1) / real.sum(1))
        else:
            found.append(hidden.masked_fill(~real, -torch.inf).amax(1))
    return torch.cat(found)


def cosines(queries: Tensor, texts: Tensor) -> Tensor:
    """(Q, D), (T, D) -> (Q, T)."""
    return F.normalize(queries, dim=1) @ F.normalize(texts, dim=1).T


def tf_idf(queries: Sequence[str], texts: Sequence[str]) -> Tensor:
    """Cosines (Q, T) of vectors with n · ln(T / t) for a word that stands n times in the text, and in t of T texts."""
    bags = [Counter(words(text)) for text in texts]
    spread = Counter(word for bag in bags for word in bag)
    at = {word: i for i, word in enumerate(spread)}

    def table(some: Sequence[Counter]) -> Tensor:
        rows = torch.zeros(len(some), len(at))
        for row, bag in zip(rows, some, strict=True):
            for word, n in bag.items():
                if word in at:
                    row[at[word]] = n * math.log(len(texts) / spread[word])
        return rows

    return cosines(table([Counter(words(query)) for query in queries]), table(bags))


# --- ranks -----------------------------------------------------------------------------------------------------------


def ranks(scores: Tensor) -> Tensor:
    """At which place, from 1 on, each query's answer stands; scores (Q, T). Of equal scores, half stand before it."""
    own = scores.diagonal()[:, None]
    return 1 + (scores > own).sum(1) + ((scores == own).sum(1) - 1) / 2


def told(found: Tensor) -> dict[str, float]:
    """Of ranks: the share that are 1, and the mean of 1 / rank."""
    return {"recall at 1": round((found == 1).float().mean().item(), 4), "MRR": round((1 / found).mean().item(), 4)}


# --- reading both ----------------------------------------------------------------------------------------------------


def reader_of_both(
    bert: Bert, pieces: WordPiece, search: Search, steps: int, seed: int = 0, fresh: bool = False
) -> Classifier:
    """A net that says whether two sentences say the same. For each pair, one that does not: of TF-IDF's best ten."""
    reader, chance = Reader(pieces, KINDS), random.Random(seed)
    best = tf_idf(search.queries, search.texts).fill_diagonal_(-1).topk(FIRST).indices.tolist()
    items: list[Item] = []
    for i, query in enumerate(search.queries):
        items += [reader.text(query, search.texts[i]), reader.text(query, search.texts[chance.choice(best[i])])]
    model = Classifier(start(bert, seed, fresh), len(KINDS))
    batches = reader.batches(items, list(reversed(KINDS)) * len(search.queries), 32, seed)
    fitted(model, batches, steps)
    return model


@torch.no_grad()
def ranked_again(model: Classifier, pieces: WordPiece, search: Search, scores: Tensor) -> Tensor:
    """The scores (Q, T) of a search, its FIRST best ones of each query put in the order that the model finds."""
    reader, new = Reader(pieces, KINDS), scores.clone()
    for query, row in zip(search.queries, new, strict=True):
        best = row.topk(min(FIRST, len(row))).indices
        items = [reader.text(query, search.texts[int(i)]) for i in best]
        row[best] = 2.0 + model(reader.batch(items)).logits.softmax(1)[:, 1]  # above all cosines
    return new
