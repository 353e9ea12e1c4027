"""What the stored experiments on vectors do: one word in two senses, and the sentence that says the same."""

from dataclasses import replace
from functools import cache
from statistics import fmean

from unrolled.bert import Bert
from unrolled.experiments.bert import retrieval
from unrolled.experiments.bert.minilm import minilm
from unrolled.experiments.bert.recipes import RECIPES
from unrolled.experiments.bert.senses import SENTENCES, flat, occurrences, static, told_apart
from unrolled.experiments.bert.stored_tuning import net
from unrolled.experiments.storing import Rows
from unrolled.wordpiece import WordPiece

SEEDS = range(3)


def senses() -> Rows:
    """How often the nearest sentence has the same sense, by word: layer after layer, and of what stands around."""
    yield (
        "the words around it, static",
        lambda: {"told apart": {word: round(told_apart(*static(word)), 4) for word in SENTENCES}},
    )
    yield "small net", lambda: _senses(*net())
    for seed in SEEDS:
        untrained = replace(RECIPES["cpu"], seed=seed)
        yield f"small net, untrained, seed {seed}", lambda r=untrained: _senses(r.net().bert.eval(), net()[1])
    yield "MiniLM", lambda: _senses(*minilm())


def _senses(bert: Bert, pieces: WordPiece) -> dict:
    found = {word: occurrences(bert, pieces, word) for word in SENTENCES}
    apart = {word: [round(told_apart(layer, one.senses), 4) for layer in one.vectors] for word, one in found.items()}
    return {
        "told apart": apart,
        "mean of the words": [round(fmean(layer), 4) for layer in zip(*apart.values(), strict=True)],
        "drawn": {
            word: [[round(x, 3) for x in at] for at in flat(one.vectors[-1]).tolist()] for word, one in found.items()
        },
    }


@cache
def _searches() -> dict[str, retrieval.Search]:
    return retrieval.searches(stand_in=False)


def search(steps=600) -> Rows:
    """Which of 500 sentences says the same: by words, by vectors, and by reading the best ten anew."""
    yield "TF-IDF", lambda: retrieval.told(retrieval.ranks(_counted())) | {"among the first ten": _among()}
    for pool in retrieval.POOLS:
        yield f"small net, {pool}", lambda p=pool: _searched(*net(), p)
        yield f"MiniLM, {pool}", lambda p=pool: _searched(*minilm(), p)
        for seed in SEEDS:
            untrained = replace(RECIPES["cpu"], seed=seed)
            yield (
                f"small net, untrained, {pool}, seed {seed}",
                lambda p=pool, r=untrained: _searched(r.net().bert.eval(), net()[1], p),
            )
    for fresh in (False, True):
        for seed in SEEDS:
            name = "from scratch" if fresh else "pre-trained"
            yield f"TF-IDF, ranked again, {name}, seed {seed}", lambda f=fresh, s=seed: _again(steps, s, f)


def _counted():
    return retrieval.tf_idf(*_searches()["test"])


def _among() -> float:
    return round((retrieval.ranks(_counted()) <= retrieval.FIRST).float().mean().item(), 4)


def _searched(bert: Bert, pieces: WordPiece, pool: str) -> dict:
    queries, texts = (retrieval.sentence_vectors(bert, pieces, some, pool) for some in _searches()["test"])
    return retrieval.told(retrieval.ranks(retrieval.cosines(queries, texts)))


def _again(steps: int, seed: int, fresh: bool) -> dict:
    bert, pieces = net()
    model = retrieval.reader_of_both(bert, pieces, _searches()["train"], steps, seed, fresh)
    scores = retrieval.ranked_again(model, pieces, _searches()["test"], _counted())
    return retrieval.told(retrieval.ranks(scores)) | {"steps": steps, "pairs": len(_searches()["train"].queries)}


EXPERIMENTS = {"senses": senses, "search": search}
