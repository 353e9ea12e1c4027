"""What the stored experiment on long documents does: what is read of a chapter, to find its book."""

from functools import cache, partial

from unrolled.experiments.bert import cuts
from unrolled.experiments.bert.stored_tuning import net
from unrolled.experiments.storing import Rows

SEEDS = range(3)
STEPS = 600


@cache
def _chapters() -> dict[str, list[cuts.Chapter]]:
    return cuts.chapters_of_books(net()[1])


def long_documents() -> Rows:
    """The share of test chapters whose book is found, by what is read of them."""
    yield "chapters", _counted
    for cut in cuts.WAYS:
        for seed in SEEDS:
            yield f"{cut}, seed {seed}", partial(_found, cut, seed)


def _counted() -> dict:
    parts = _chapters()
    books = [chapter.book for chapter in parts["train"]]
    best = max(sorted(set(books)), key=books.count)
    guessed = sum(chapter.book == best for chapter in parts["test"]) / len(parts["test"])
    sizes = sorted(len(chapter.ids) for chapter in parts["test"])
    told = {"books": len(set(books)), "pieces of a chapter, median": sizes[len(sizes) // 2]}
    return {part: len(some) for part, some in parts.items()} | told | {"commonest book": round(guessed, 4)}


def _found(cut: str, seed: int) -> dict:
    bert, pieces = net()
    model = cuts.trained(bert, pieces, _chapters(), cut, STEPS, seed)
    return {"score": round(cuts.right(model, pieces, _chapters()["test"], cut), 4), "steps": STEPS}


EXPERIMENTS = {"cuts": long_documents}
