"""What the stored experiment on smaller nets does: a tuned net loses heads one by one, and bits of its weights."""

from functools import cache, partial

import torch

from unrolled.bert import Classifier, Pieces
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
    """Three seeds of two tasks: what is left of the score on the test part; and of the time."""
    yield "one head a layer", _time
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


def _heads(name: str, seed: int) -> dict:
    """The heads in the order in which the dev part misses them least, one gone after another, to one a layer."""
    whole, task = _whole(name, seed), read(name)
    order = _order(whole, task)
    lighter = [compressing.without(whole.model, order[:count]) for count in range(len(order) + 1)]
    rows = [_row(whole, model, task, gone) for gone, model in enumerate(lighter)]
    return {"heads": rows, "order": [list(head) for head in order]}


def _row(whole: Tuned, model: torch.nn.Module, task: Task, gone: int) -> dict:
    size = sum(parameter.numel() for parameter in model.parameters())
    return {"gone": gone, "score": _told(whole, model, task), "parameters": size}


def _order(whole: Tuned, task: Task, asked: int = 400) -> list[compressing.Head]:
    """Heads by the dev score without each alone, the highest first; the last one of a layer is left out."""
    config = whole.model.bert.config
    heads = [(layer, h) for layer in range(config.layers) for h in range(config.heads)]
    alone = {head: _told(whole, compressing.without(whole.model, [head]), task, "dev", asked) for head in heads}
    order: list[compressing.Head] = []
    for head in sorted(heads, key=lambda head: (-alone[head], head)):
        if sum(layer == head[0] for layer, _ in order) < config.heads - 1:
            order.append(head)
    return order


def _time() -> dict:
    """Of 32 texts of 32 pieces: what a net with one head a layer takes, as a share of the whole one's time."""
    whole = Classifier(net()[0], 2).eval()
    config = whole.bert.config
    light = compressing.without(whole, [(layer, h) for layer in range(config.layers) for h in range(1, config.heads)])
    drawn = torch.randint(5, config.pieces, (32, 32), generator=torch.Generator().manual_seed(0))
    return {"time": round(compressing.ratio(light, whole, Pieces.of(drawn.tolist())), 3)}


EXPERIMENTS = {"smaller": smaller}
