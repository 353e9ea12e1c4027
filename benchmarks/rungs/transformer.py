"""Unit 7's rungs: a transformer within three minutes on two cores, on all texts, and a small one on ever more text.

On tiny Shakespeare stands what `unrolled.experiments.transformer.language` trains at `cpu` scale, with two losses on
the held-out text: "heldout", where a window moves on by half of its context, so that each symbol has that much before
it at least, and "heldout, in pieces" as long as the context, each read from nothing. Names are read whole. The small
net (`hunger`) has about as many parameters as units 2 and 3's, and as many steps. Kneser–Ney of order 6 stands beside
them. There is one seed, the one with which the settings were chosen. Every training keeps its state under _build/ and
is not made again, so that a run with more seeds costs the new ones alone.
"""

import statistics
from collections.abc import Iterator

from climbing import counted, parameters, symbols
from ladder import Rung, Text
from unrolled.experiments.transformer import hunger
from unrolled.experiments.transformer.language import KEEP, Trained, train_on
from unrolled.experiments.transformer.texts import text_parts
from unrolled.training import Text as Ids

SEEDS = (0,)  # of the larger nets
SMALL_SEEDS = (0,)
ORDER = 6  # of Kneser–Ney
SCALE = "cpu"
TOLD = "width", "heads", "layers", "context", "batch", "steps", "rate", "warmup", "dropout"


def climb(texts: dict[str, Text]) -> Iterator[Rung]:
    """All rungs of this unit, text by text, then ever more of tiny Shakespeare."""
    for text in texts.values():
        yield counted(text, text.parts["train"], ORDER)
        runs = [train_on(text.name, SCALE, seed) for seed in SEEDS]
        others = text_parts(text.name).others
        yield _rung("transformer", text, symbols(text.parts["train"]), [trained for trained, _ in runs], others)
    shakespeare, parts = texts["shakespeare"], text_parts("shakespeare")
    for size in (*hunger.SIZES, len(parts.train)):
        runs = [hunger.trained(parts, size, seed, KEEP) for seed in SMALL_SEEDS]
        yield _rung("transformer, small", shakespeare, min(size, len(parts.train)), runs, parts.others)


def curves(rungs: list[dict]) -> dict:
    """What the notebook draws: the small net's [training characters, mean, spread], by size; and the losses by text."""
    small, others = [], {}
    for rung in rungs:
        part = next(iter(rung["nats"]))
        if rung["model"] == "transformer, small":
            small.append([rung["train_symbols"], rung["nats"][part], rung["spread"].get(part, 0.0)])
        else:
            told = {key: rung[key] for key in ("nats", "spread", "seconds")}
            told |= {key: rung["settings"].get(key) for key in ("parameters", "steps")}
            others.setdefault(rung["text"], {})[rung["model"]] = told
    return {"shakespeare_by_size": {hunger.NAME: sorted(small)}, "side_by_side": others}


def _rung(name: str, text: Text, read: int, runs: list[Trained], others: dict[str, Ids]) -> Rung:
    """Mean and spread (the standard deviation of the sample) over the seeds."""
    losses: dict[str, list[float]] = {}
    for run in runs:
        for part, ids in others.items():
            for how, nats in run.scores(ids).items():
                losses.setdefault(part if how == "window" else f"{part}, in pieces", []).append(nats)
    first = runs[0]
    settings = {key: getattr(first.recipe, key) for key in TOLD} | {"parameters": parameters(first.model)}
    return Rung(
        text.name,
        name,
        settings | {"seeds": len(runs)},
        read,
        nats={part: round(statistics.mean(values), 6) for part, values in losses.items()},
        seconds={
            "fit": round(statistics.mean(run.seconds for run in runs), 1),
            "cpu": round(statistics.mean(run.cpu for run in runs), 1),
        },
        spread={part: round(statistics.stdev(values), 6) for part, values in losses.items() if len(values) > 1},
    )
