"""What the stored experiment on one-way models does: GPT beside BERT, both short trainings on the same batches."""

from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from unrolled.bert import Bert
from unrolled.experiments.bert import heldout, one_way
from unrolled.experiments.bert.books import Corpus, books
from unrolled.experiments.bert.finetuning import Task, Tuned, score, start, tuned
from unrolled.experiments.bert.pretrain import pretrain
from unrolled.experiments.bert.recipes import RECIPES, Recipe
from unrolled.experiments.bert.stored_tuning import KEEP, MOST, net, read, shipped
from unrolled.experiments.storing import Rows

SEEDS = range(3)
STEPS, TUNING = 1500, 200
PROMPTS = "The captain", "She opened the door and", "The origin of the species"
TASKS = "intents", "parts of speech"


def recipe() -> Recipe:
    """Of both trainings."""
    return replace(RECIPES["cpu"], length=32, batch=64, steps=STEPS, every=STEPS // 6)


@cache
def corpus() -> Corpus:
    """The books."""
    return books(net()[1])


def lengths(of=(32, 64, 128)) -> Rows:
    """What the shipped net reaches on held-out pairs of so many pieces, each time of 2,048 pieces a batch."""
    for length in of:
        yield f"pairs of {length}", lambda n=length: {"heldout": _reached(replace(recipe(), length=n, batch=2048 // n))}


def _reached(asked: Recipe) -> dict:
    found = heldout.measured(shipped().model, heldout.Heldout.of(corpus(), net()[1], asked))
    return {name: round(value, 4) for name, value in found.items()}


@cache
def causal() -> one_way.OneWay:
    """The net that reads one way."""
    return one_way.one_way(corpus(), net()[1], recipe())


@cache
def both_sides(folder: Path = KEEP / "both-sides") -> tuple[Bert, dict]:
    """The one that reads both, and what it reached."""
    done = pretrain(corpus(), net()[1], recipe(), folder)
    return done.model.bert, done.log[-1]["heldout"]


def directions() -> Rows:
    """Losses on what is held out, tasks by three seeds each, and what a prompt goes on with."""
    yield "both sides", lambda: {"heldout": both_sides()[1], "steps": STEPS}
    yield "one way", _causal
    for name in TASKS:
        for seed in SEEDS:
            yield f"{name}, both sides, seed {seed}", partial(_scored, name, seed, "both sides")
            yield f"{name}, one way, seed {seed}", partial(_scored, name, seed, "one way")
            yield f"{name}, one way, from scratch, seed {seed}", partial(_scored, name, seed, "one way, from scratch")
            yield f"{name}, both sides, from scratch, seed {seed}", partial(_scored, name, seed, "both, from scratch")


def _causal() -> dict:
    found = one_way.measured(causal(), heldout.Heldout.of(corpus(), net()[1], recipe()).batches)
    said = {prompt: one_way.goes_on(causal(), net()[1], prompt, 24) for prompt in PROMPTS}
    return {"heldout": found, "goes on": said, "steps": STEPS}


def _scored(name: str, seed: int, kind: str) -> dict:
    asked = read(name)
    return {"score": round(score(_tuned(asked, seed, kind), asked, most=MOST), 4), "steps": TUNING}


def _tuned(asked: Task, seed: int, kind: str) -> Tuned:
    if kind == "both sides":
        return tuned(both_sides()[0], asked, steps=TUNING, seed=seed)
    if kind == "both, from scratch":
        return tuned(net()[0], asked, steps=TUNING, seed=seed, fresh=True)
    model = causal()
    if kind == "one way, from scratch":
        model = one_way.OneWay(recipe().config())
        model.bert = start(model.bert, seed, fresh=True)
    return one_way.tuned_one_way(model, asked, TUNING, seed)


EXPERIMENTS = {"lengths": lengths, "directions": directions}
