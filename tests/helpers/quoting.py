"""What a unit's text says of stored results, rendered from the results: a sentence's numbers come from nowhere else."""

import functools
import json
import re
from pathlib import Path
from statistics import mean

ROOT = Path(__file__).parents[2]
SEEDS = (0, 1, 2)
WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
TIMES = {1: "once", 2: "twice"}


@functools.cache
def stored(name: str) -> dict:
    """A file of assets/, such as "ladder/lstm"."""
    return json.loads((ROOT / "assets" / f"{name}.json").read_text("utf-8"))


@functools.cache
def prose(unit: str) -> str:
    """A unit's text with its lines joined."""
    (source,) = (ROOT / "solutions").glob(f"[0-9][0-9]_{unit}.md")
    return re.sub(r"\s+", " ", source.read_text("utf-8"))


def rung(unit: str, text: str, model: str, size: int | None = None) -> dict:
    """One rung of the ladder, by default on the whole text."""
    rows = [row for row in stored(f"ladder/{unit}")["rungs"] if (row["text"], row["model"]) == (text, model)]
    sizes = [row["train_symbols"] for row in rows]
    return rows[sizes.index(max(sizes) if size is None else size)]


def loss(unit: str, text: str, model: str, part: str, size: int | None = None) -> float:
    return rung(unit, text, model, size)["nats"][part]


def published(text: str, model: str) -> float:
    """What others reached, on whichever part they told, of the first figure whose model begins so."""
    figures = stored("ladder/published")["figures"]
    return next(iter(next(f["nats"] for f in figures if f["text"] == text and f["model"].startswith(model)).values()))


def of_seeds(name: str, row: str, key: str) -> list[float]:
    """A number of each of three seeds."""
    rows = stored(name)
    return [rows[f"{row}, seed {seed}"][key] for seed in SEEDS]


def mean_of(name: str, row: str, key: str) -> float:
    return mean(of_seeds(name, row, key))


def word(number: float) -> str:
    """A small number as it is written out, after rounding."""
    return WORDS[round(number)]


def times(number: float) -> str:
    """`twice`, `nine times`."""
    return TIMES.get(round(number), f"{word(number)} times")


def percent(share: float) -> str:
    return f"{100 * share:.0f}"
