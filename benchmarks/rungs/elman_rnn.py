"""Unit 2's rungs: a window of eight symbols and an Elman net, three seeds each, on all texts and on ever more text.

Settings were chosen once, on tiny Shakespeare with seed 0, and serve everywhere. Every training reads its text ten
times, but takes no more than 3,000 steps: about a minute on one core. Kneser–Ney of order 6 stands beside them.
"""

from collections.abc import Iterator

from climbing import Ids, Recipe, counted, steps_of, trained
from ladder import Rung, Text
from unrolled.elman_rnn import ElmanRNN, WindowModel

SEEDS = (0, 1, 2)
SIZES = (10_000, 30_000, 100_000, 300_000)  # characters of tiny Shakespeare, from its beginning; and all of them
PASSES, MOST_STEPS = 10, 3000
ORDER = 6  # of Kneser–Ney
NAMES = {"Kneser–Ney": f"Kneser–Ney, order {ORDER}", "window model": "window model", "Elman RNN": "Elman RNN"}
MODELS = {
    "window model": Recipe(
        lambda size: WindowModel(size, window=8, width=24, hidden=256),
        {"window": 8, "width": 24, "hidden": 256},
        rate=1e-2,
    ),
    "Elman RNN": Recipe(
        lambda size: ElmanRNN(size, hidden=256, width=64, tied=True),
        {"hidden": 256, "width": 64, "tied": True},
        rate=5e-3,
    ),
}


def climb(texts: dict[str, Text]) -> Iterator[Rung]:
    """All rungs of this unit, text by text; the whole of a text first."""
    for text in texts.values():
        yield counted(text, text.parts["train"], ORDER)
        yield from (_trained(name, text, text.parts["train"]) for name in MODELS)
    shakespeare = texts["shakespeare"]
    for size in SIZES:
        train_ids = shakespeare.parts["train"][:size]
        yield counted(shakespeare, train_ids, ORDER)
        yield from (_trained(name, shakespeare, train_ids) for name in MODELS)


def curves(rungs: list[dict]) -> dict:
    """What the notebook draws: for each model [training characters, mean, spread], by size."""
    by_size: dict[str, list] = {name: [] for name in NAMES.values()}
    for rung in rungs:
        if rung["text"] == "shakespeare":
            point = [rung["train_symbols"], rung["nats"]["heldout"], rung["spread"].get("heldout", 0.0)]
            by_size[NAMES[rung["model"]]].append(point)
    return {"shakespeare_by_size": {name: sorted(points) for name, points in by_size.items()}}


def _trained(name: str, text: Text, train_ids: Ids) -> Rung:
    return trained(name, MODELS[name], text, train_ids, steps_of(train_ids, PASSES, MOST_STEPS), SEEDS)
