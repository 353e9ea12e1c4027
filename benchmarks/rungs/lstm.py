"""Unit 3's rungs: an LSTM against unit 2's Elman net at equal parameters and at equal time; three seeds each.

Equal parameters: the largest LSTM that has no more than the Elman net (its state is half as long), in as many steps.
Equal time: the same LSTM in as many steps as take the Elman net's time; a step of each is timed on this machine, in
turn. Dropout and tying were chosen once, with seed 0, on the last tenth of tiny Shakespeare's training part after
training on the nine before it; those trials are in the results as "LSTM, on trial". The learning rate was chosen in
the same way. On tiny Shakespeare both are compared at three and a half times the parameters as well, in as many
steps; at the smaller net's rate the seeds of the larger Elman net ended far apart, so its rate is half of that, and
neither of the two was chosen any further. Kneser–Ney of order 6 stands beside them.
"""

import itertools
import statistics
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import torch
from climbing import Ids, Recipe, counted, cutting, parameters, sequences, steps_of, trained
from ladder import Rung, Text
from rungs.elman_rnn import MODELS, ORDER
from unrolled.elman_rnn import ElmanRNN
from unrolled.lstm import LSTM
from unrolled.training import train

SEEDS = (0, 1, 2)
SIZES = (30_000, 100_000)  # characters of tiny Shakespeare, from its beginning; and all of them
PASSES, MOST_STEPS = 10, 3000
WIDTH, RATE = 64, 1e-2
DROPOUTS = (0.0, 0.1)  # on trial
CHOSEN = {"tied": True, "dropout": 0.0}  # the best of the trials
ELMAN = MODELS["Elman RNN"]
TIMED = ("shakespeare", "names")  # where both are compared at equal time, too
LARGER = {  # the LSTM's state twice as long, and an Elman net with no more parameters than that
    "Elman RNN, larger": Recipe(
        lambda size: ElmanRNN(size, hidden=526, width=WIDTH, tied=True),
        {"hidden": 526, "width": WIDTH, "tied": True},
        rate=2.5e-3,
    ),
    "LSTM, larger": Recipe(
        lambda size: LSTM(size, hidden=256, width=WIDTH, tied=True),
        {"hidden": 256, "width": WIDTH, "tied": True, "dropout": 0.0},
        rate=8e-3,
    ),
}
AT_EQUAL = {"parameters": "LSTM", "time": "LSTM, equal time"}


def climb(texts: dict[str, Text]) -> Iterator[Rung]:
    """All rungs of this unit: the trials, then text by text, then ever more of tiny Shakespeare."""
    shakespeare = texts["shakespeare"]
    yield from _trials(shakespeare)
    for text in texts.values():
        yield from _side_by_side(text, text.parts["train"])
        if text.name in TIMED:
            yield _at_equal_time(text, text.parts["train"])
    yield from _larger(shakespeare, shakespeare.parts["train"])
    for size in SIZES:
        yield from _side_by_side(shakespeare, shakespeare.parts["train"][:size])


def curves(rungs: list[dict]) -> dict:
    """What the notebook draws: losses by size, at equal parameters and time by text, and the trials' losses.

    Points are [training characters, mean, spread]; the others {"mean", "spread", "parameters", "steps", "cpu"}.
    """
    by_size: dict[str, list] = {}
    at_equal: dict[str, dict] = {}
    trials = []
    for rung in rungs:
        part = next(iter(rung["nats"]))  # "choice"; else "heldout" or "dev"
        mean, spread = rung["nats"][part], rung["spread"].get(part, 0.0)
        if part == "choice":
            trials.append({key: rung["settings"][key] for key in CHOSEN} | {"mean": mean})
            continue
        if rung["text"] == "shakespeare" and "," not in rung["model"]:
            by_size.setdefault(rung["model"], []).append([rung["train_symbols"], mean, spread])
        about = {key: rung["settings"].get(key) for key in ("parameters", "steps")}
        of_text = at_equal.setdefault(rung["text"], {})
        of_text.setdefault(rung["model"], {"mean": mean, "spread": spread, **about, "cpu": rung["seconds"].get("cpu")})
    sized = {name: sorted(points) for name, points in by_size.items()}
    return {"shakespeare_by_size": sized, "side_by_side": at_equal, "trials": trials}


def recipe(size: int, tied: bool, dropout: float) -> Recipe:
    """The largest LSTM with no more parameters than unit 2's Elman net, for a vocabulary of this size."""
    build = partial(LSTM, width=WIDTH, tied=tied, dropout=dropout)
    limit = parameters(ELMAN.build(size))
    hidden = next(h for h in itertools.count(1) if parameters(build(size, h + 1)) > limit)
    about = {"hidden": hidden, "width": WIDTH, "tied": tied, "dropout": dropout}
    return Recipe(partial(build, hidden=hidden), about, RATE)


def _trials(text: Text) -> Iterator[Rung]:
    cut = int(0.9 * len(text.parts["train"]))
    inner = replace(text, parts={"train": text.parts["train"][:cut], "choice": text.parts["train"][cut:]})
    for tied, dropout in itertools.product((True, False), DROPOUTS):
        on_trial, ids = recipe(len(text.vocabulary), tied, dropout), inner.parts["train"]
        yield trained("LSTM, on trial", on_trial, inner, ids, steps_of(ids, PASSES, MOST_STEPS), SEEDS[:1])


def _side_by_side(text: Text, train_ids: Ids) -> Iterator[Rung]:
    steps, lstm = steps_of(train_ids, PASSES, MOST_STEPS), recipe(len(text.vocabulary), **CHOSEN)
    yield counted(text, train_ids, ORDER)
    yield trained("Elman RNN", ELMAN, text, train_ids, steps, SEEDS)
    yield trained(AT_EQUAL["parameters"], lstm, text, train_ids, steps, SEEDS)


def _at_equal_time(text: Text, train_ids: Ids) -> Rung:
    lstm = recipe(len(text.vocabulary), **CHOSEN)
    ratio = _time_of_a_step(ELMAN, lstm, text, train_ids)
    steps = max(1, round(ratio * steps_of(train_ids, PASSES, MOST_STEPS)))
    return trained(AT_EQUAL["time"], lstm, text, train_ids, steps, SEEDS)


def _larger(text: Text, train_ids: Ids) -> Iterator[Rung]:
    for name, larger in LARGER.items():
        yield trained(name, larger, text, train_ids, steps_of(train_ids, PASSES, MOST_STEPS), SEEDS)


def _time_of_a_step(one: Recipe, other: Recipe, text: Text, train_ids: Ids, rounds: int = 9, steps: int = 10) -> float:
    """The median over the rounds of time(one) / time(other), both measured in each round."""
    models, ids = [recipe.build(len(text.vocabulary)) for recipe in (one, other)], sequences(text, train_ids)
    ratios = []
    for _ in range(rounds):
        seconds = []
        for model in models:
            began = _now()
            train(model, ids, steps=steps, **cutting(train_ids))
            seconds.append(_now() - began)
        ratios.append(seconds[0] / seconds[1])
    return statistics.median(ratios[1:])  # the first is a warm-up


def _now() -> float:
    """On the CPU the processor's own seconds: other work on the machine does not count."""
    return time.perf_counter() if torch.cuda.is_available() else time.process_time()
