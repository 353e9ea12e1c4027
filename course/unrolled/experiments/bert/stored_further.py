"""The stored experiments on what comes between pre-training and a task, and on poorer books: what makes their rows."""

from functools import cache, partial

from unrolled.bert import Bert
from unrolled.experiments.bert import further
from unrolled.experiments.bert.finetuning import score, tuned
from unrolled.experiments.bert.pretrain import pretrain
from unrolled.experiments.bert.stored_one_way import TASKS, TUNING, corpus, recipe
from unrolled.experiments.bert.stored_tuning import KEEP, LABELS, MOST, SEEDS, net, read, shipped
from unrolled.experiments.storing import Rows

COUNTS = 300, 1000, 3000  # film reviews with a label
READING, PAIRS = 500, 600  # steps of what comes between


@cache
def _read_on(seed: int) -> tuple[Bert, dict]:
    """The small net after it has read the film reviews of the training part; nats a hidden piece of dev's."""
    films, before = read("films"), shipped()
    after = further.read_on(before, films.items["train"], READING, seed)
    asked = {"before": before, "after": after}
    nats = {when: round(further.hidden_loss(one, films.items["dev"]), 4) for when, one in asked.items()}
    return after.bert, nats


@cache
def _after_pairs(seed: int) -> Bert:
    return tuned(net()[0], read("pairs"), steps=PAIRS, seed=seed).model.bert


BETWEEN = {"reviews read": lambda seed: _read_on(seed)[0], "pairs first": _after_pairs}


def between() -> Rows:
    """Film reviews after one thing more; as it was shipped, the net is in `labels`."""
    for seed in SEEDS:
        yield f"hidden pieces of reviews, seed {seed}", lambda seed=seed: {"nats": _read_on(seed)[1], "steps": READING}
    for kind in BETWEEN:
        for count in COUNTS:
            for seed in SEEDS:
                yield f"films, {count} labels, {kind}, seed {seed}", partial(_films, kind, count, seed)


def _films(kind: str, count: int, seed: int) -> dict:
    films, steps = read("films"), LABELS[count]
    trained = tuned(BETWEEN[kind](seed), films, labels=count, steps=steps, seed=seed)
    return {"score": round(score(trained, films, most=MOST), 4), "steps": steps}


# --- poorer books ----------------------------------------------------------------------------------------------------

BOOKS = {"one book": further.one_book, "words shuffled": further.shuffled}


@cache
def _from(kind: str) -> tuple[Bert, dict]:
    done = pretrain(BOOKS[kind](corpus()), net()[1], recipe(), KEEP / kind.replace(" ", "-"))
    return done.model.bert, done.log[-1]["heldout"]


def poorer() -> Rows:
    """As many steps on less, or on worse; on all the books they are "both sides" in `directions`."""
    for kind in BOOKS:
        yield kind, lambda kind=kind: {"heldout": _from(kind)[1], "steps": recipe().steps}
        for name in TASKS:
            for seed in SEEDS:
                yield f"{name}, {kind}, seed {seed}", partial(_tuned, name, kind, seed)


def _tuned(name: str, kind: str, seed: int) -> dict:
    asked = read(name)
    return {"score": round(score(tuned(_from(kind)[0], asked, steps=TUNING, seed=seed), asked, most=MOST), 4)}


EXPERIMENTS = {"between": between, "poorer": poorer}
