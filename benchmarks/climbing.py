"""What the units' rungs have in common: counting and training on a part of a text, over several seeds.

Beside `ladder.py`, which it completes; the rungs themselves stand in `rungs/`.
"""

import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import torch
from ladder import Rung, Text, stopwatch
from torch import Tensor
from unrolled.language_model import LanguageModel
from unrolled.ngrams import KneserNey
from unrolled.training import evaluate, train

Ids = Tensor | list[Tensor]  # one stream, or many sequences


@dataclass
class Recipe:
    """A net and how it is trained."""

    build: Callable[[int], LanguageModel]  # from the number of symbols
    about: dict  # what the results file says of the net
    rate: float


def counted(text: Text, train_ids: Ids, order: int) -> Rung:
    """Kneser–Ney."""
    model = KneserNey(order, len(text.vocabulary), text.vocabulary.boundary)
    _, seconds = stopwatch(lambda: model.fit(train_ids))
    nats = {part: round(model.nats(ids), 6) for part, ids in _others(text).items()}
    return Rung(text.name, "Kneser–Ney", {"order": order}, symbols(train_ids), nats, {"fit": round(seconds, 3)})


def trained(name: str, recipe: Recipe, text: Text, train_ids: Ids, steps: int, seeds: Iterable[int]) -> Rung:
    """Mean and spread (the standard deviation of the sample) over the seeds.

    seconds: by the clock ("fit"), and those that the processor worked for it ("cpu"), whatever else it had to do.
    """
    runs, clock, cpu = [], [], []
    for seed in seeds:
        torch.manual_seed(seed)
        model, began = recipe.build(len(text.vocabulary)), time.process_time()
        history = train(
            model, sequences(text, train_ids), steps=steps, rate=recipe.rate, seed=seed, **cutting(train_ids)
        )
        cpu.append(time.process_time() - began)
        clock.append(history.seconds)
        runs.append({part: evaluate(model, sequences(text, ids)) for part, ids in _others(text).items()})
    losses = {part: [run[part] for run in runs] for part in runs[0]}
    settings = recipe.about | {"parameters": parameters(model)}
    settings |= {"steps": steps, "batch": cutting(train_ids)["batch"], "rate": recipe.rate, "seeds": len(runs)}
    return Rung(
        text.name,
        name,
        settings,
        symbols(train_ids),
        nats={part: round(statistics.mean(values), 6) for part, values in losses.items()},
        seconds={"fit": round(statistics.mean(clock), 1), "cpu": round(statistics.mean(cpu), 1)},
        spread={part: round(statistics.stdev(values), 6) for part, values in losses.items() if len(values) > 1},
    )


def steps_of(train_ids: Ids, passes: int, most: int) -> int:
    """How many steps read a text `passes` times, but no more than `most`."""
    cut = cutting(train_ids)
    return max(1, min(most, passes * len(train_ids) // (cut["batch"] * cut.get("length", 1))))


def parameters(model: LanguageModel) -> int:
    return sum(p.numel() for p in model.parameters())


def sequences(text: Text, ids: Ids) -> Ids:
    """Sequences with their boundaries, which a count model adds itself: ".emma." asks for e, m, m, a and the end."""
    if isinstance(ids, Tensor):
        return ids
    edge = torch.tensor([text.vocabulary.boundary])
    return [torch.cat([edge, name, edge]) for name in ids]


def symbols(train_ids: Ids) -> int:
    """What the model learned to predict: the symbols, and the end of each sequence where there are several."""
    return len(train_ids) if isinstance(train_ids, Tensor) else sum(len(ids) + 1 for ids in train_ids)


def cutting(train_ids: Ids) -> dict[str, int]:
    """A batch: 32 pieces of 32 characters, or 128 whole names."""
    return {"batch": 32, "length": 32} if isinstance(train_ids, Tensor) else {"batch": 128}


def _others(text: Text) -> dict[str, Ids]:
    return {part: ids for part, ids in text.parts.items() if part != "train"}
