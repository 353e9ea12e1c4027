"""What the stored experiment on smaller nets does: a tuned net loses heads one by one, and bits of its weights."""

from functools import cache, partial

import torch

from unrolled.bert import Pieces
from unrolled.experiments.bert import compressing
from unrolled.experiments.bert.finetuning import Task, Tuned, score, tuned
from unrolled.experiments.bert.stored_tuning import MOST, net, read
from unrolled.experiments.storing import Rows

SEEDS = range(3)
NAMES = "films", "intents"
BITS = 8, 6, 4, 3, 2
STEPS = 300


@cache
def _whole(name: str, seed: int) -> Tuned:
    return tuned(net()[0], read(name), steps=STEPS, seed=seed)


def smaller() -> Rows:
    """Three seeds of two tasks: what is left of the score on the test part."""
    for name in NAMES:
        for seed in SEEDS:
            yield f"{name}, bits, seed {seed}", partial(_bits, name, seed)
            yield f"{name}, heads, seed {seed}", partial(_heads, name, seed)


def _told(whole: Tuned, model: torch.nn.Module, task: Task, part: str = "test", most: int = MOST) -> float:
    return round(score(whole._replace(model=model), task, part, most), 4)


def _bits(name: str, seed: int) -> dict:
    whole, task = _whole(name, seed), read(name)
    found = {"32": {"score": _told(whole, whole.model, task), "bytes": compressing.stored_bytes(whole.model)}}
    for bits in BITS:
        light = compressing.of_bits(whole.model, bits)
        found[str(bits)] = {"score": _told(whole, light, task), "bytes": compressing.stored_bytes(light, bits)}
    return {"bits": found}


def _heads(name: str, seed: int, asked: int = 400) -> dict:
    """The heads in the order in which the dev part misses them least, one gone after another, to one a layer."""
    whole, task = _whole(name, seed), read(name)
    config = whole.model.bert.config
    left = [(layer, h) for layer in range(config.layers) for h in range(config.heads)]
    alone = {head: _told(whole, compressing.without(whole.model, [head]), task, "dev", asked) for head in left}
    gone, rows, one = [], [], torch.randint(5, config.pieces, (32, 32), generator=torch.Generator().manual_seed(0))
    batch = Pieces.of(one.tolist())
    full = compressing.seconds(whole.model, batch)
    for head in [None, *sorted(left, key=lambda head: (-alone[head], head))]:
        if head is not None:
            if sum(layer == head[0] for layer, _ in gone) == config.heads - 1:
                continue  # the last one of its layer
            gone.append(head)
        light = compressing.without(whole.model, gone)
        size = sum(p.numel() for p in light.parameters())
        rows.append({"gone": len(gone), "score": _told(whole, light, task), "parameters": size})
    time = round(compressing.seconds(light, batch) / full, 3)
    return {"heads": rows, "order": [list(head) for head in gone], "time with one head a layer": time}


EXPERIMENTS = {"smaller": smaller}
