"""Unit 2's rungs: a window of eight symbols and an Elman net, three seeds each, on all texts and on ever more text.

Settings were chosen once, on tiny Shakespeare with seed 0, and serve everywhere. Every training reads its text ten
times, but takes no more than 3,000 steps: about a minute on one core. Kneser–Ney of order 6 stands beside them.
"""

import statistics
from collections.abc import Callable, Iterator

import torch
from ladder import Rung, Text, stopwatch
from torch import Tensor
from unrolled.elman_rnn import ElmanRNN, WindowModel
from unrolled.language_model import LanguageModel
from unrolled.ngrams import KneserNey
from unrolled.training import evaluate, train

SEEDS = (0, 1, 2)
SIZES = (10_000, 30_000, 100_000, 300_000)  # characters of tiny Shakespeare, from its beginning; and all of them
PASSES, MOST_STEPS = 10, 3000
ORDER = 6  # of Kneser–Ney
NAMES = {"Kneser–Ney": f"Kneser–Ney, order {ORDER}", "window model": "window model", "Elman RNN": "Elman RNN"}
MODELS: dict[str, tuple[Callable[[int], LanguageModel], dict, float]] = {  # how to build it, what to say of it, rate
    "window model": (
        lambda size: WindowModel(size, window=8, width=24, hidden=256),
        {"window": 8, "width": 24, "hidden": 256},
        1e-2,
    ),
    "Elman RNN": (
        lambda size: ElmanRNN(size, hidden=256, width=64, tied=True),
        {"hidden": 256, "width": 64, "tied": True},
        5e-3,
    ),
}


def climb(texts: dict[str, Text]) -> Iterator[Rung]:
    """All rungs of this unit, text by text; the whole of a text first."""
    for text in texts.values():
        yield _counted(text, text.parts["train"])
        yield from (_trained(name, text, text.parts["train"]) for name in MODELS)
    shakespeare = texts["shakespeare"]
    for size in SIZES:
        train_ids = shakespeare.parts["train"][:size]
        yield _counted(shakespeare, train_ids)
        yield from (_trained(name, shakespeare, train_ids) for name in MODELS)


def curves(rungs: list[dict]) -> dict:
    """What the notebook draws: for each model [training characters, mean, spread], by size."""
    by_size: dict[str, list] = {name: [] for name in NAMES.values()}
    for rung in rungs:
        if rung["text"] == "shakespeare":
            point = [rung["train_symbols"], rung["nats"]["heldout"], rung["spread"].get("heldout", 0.0)]
            by_size[NAMES[rung["model"]]].append(point)
    return {"shakespeare_by_size": {name: sorted(points) for name, points in by_size.items()}}


def _counted(text: Text, train_ids: Tensor | list[Tensor]) -> Rung:
    model = KneserNey(ORDER, len(text.vocabulary), text.vocabulary.boundary)
    _, seconds = stopwatch(lambda: model.fit(train_ids))
    nats = {part: round(model.nats(ids), 6) for part, ids in text.parts.items() if part != "train"}
    return Rung(text.name, "Kneser–Ney", {"order": ORDER}, _symbols(train_ids), nats, {"fit": round(seconds, 3)})


def _trained(name: str, text: Text, train_ids: Tensor | list[Tensor]) -> Rung:
    """Mean and spread (the standard deviation of the sample) over the seeds."""
    build, about, rate = MODELS[name]
    batch, piece = (32, 32) if isinstance(train_ids, Tensor) else (128, 1)  # pieces of 32 characters; or whole names
    steps = max(1, min(MOST_STEPS, PASSES * len(train_ids) // (batch * piece)))
    runs, seconds = [], 0.0
    for seed in SEEDS:
        torch.manual_seed(seed)
        model = build(len(text.vocabulary))
        history = train(
            model, _sequences(text, train_ids), steps=steps, batch=batch, length=piece, rate=rate, seed=seed
        )
        runs.append(
            {part: evaluate(model, _sequences(text, ids)) for part, ids in text.parts.items() if part != "train"}
        )
        seconds += history.seconds / len(SEEDS)
    losses = {part: [run[part] for run in runs] for part in runs[0]}
    settings = about | {"parameters": sum(p.numel() for p in model.parameters())}
    settings |= {"steps": steps, "batch": batch, "rate": rate, "seeds": len(SEEDS)}
    return Rung(
        text.name,
        name,
        settings,
        _symbols(train_ids),
        nats={part: round(statistics.mean(values), 6) for part, values in losses.items()},
        seconds={"fit": round(seconds, 1)},
        spread={part: round(statistics.stdev(values), 6) for part, values in losses.items()},
    )


def _sequences(text: Text, ids: Tensor | list[Tensor]) -> Tensor | list[Tensor]:
    """Sequences with their boundaries, which a count model adds itself: ".emma." asks for e, m, m, a and the end."""
    if isinstance(ids, Tensor):
        return ids
    edge = torch.tensor([text.vocabulary.boundary])
    return [torch.cat([edge, name, edge]) for name in ids]


def _symbols(train_ids: Tensor | list[Tensor]) -> int:
    """What the model learned to predict: the symbols, and the end of each sequence where there are several."""
    return len(train_ids) if isinstance(train_ids, Tensor) else sum(len(ids) + 1 for ids in train_ids)
