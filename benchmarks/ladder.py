"""The ladder: every language model of the course on the same texts, splits and unit (nats a character).

    python benchmarks/ladder.py [UNIT …]

runs the rungs of these units (benchmarks/rungs/UNIT.py; all units if none is named), writes one file a unit,
assets/ladder/UNIT.json, and prints it with the published figures beside it. A unit's module has one function,
`climb(texts)`, a generator of `Rung`s; and, if its notebook draws curves of them, `curves(rungs)`, a dictionary that
goes into the file too. The texts:

- shakespeare: tiny Shakespeare, first 90 % of the characters to train, last 10 % held out (nanoGPT's split);
- names: 32,033 names in makemore's split, lines shuffled with seed 42, 80/10/10; the end of a name counts as a symbol;
- distinct names: every name once, sorted, then split likewise, so that no test name was trained on.
"""

import argparse
import importlib
import json
import random
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
from rich.console import Console
from rich.table import Table
from torch import Tensor
from tqdm import tqdm
from unrolled import __version__, data
from unrolled.errors import OneLineError
from unrolled.vocabulary import Vocabulary

HERE = Path(__file__).parent
RESULTS = HERE.parent / "assets" / "ladder"


@dataclass
class Text:
    """A data set, split and encoded. A part is a tensor of ids (one stream) or a list of them (many sequences)."""

    name: str
    vocabulary: Vocabulary
    parts: dict[str, Tensor | list[Tensor]]  # "train" first
    about: dict  # what the results file says of it


@dataclass
class Rung:
    """One trained model: what it is, what it saw, and its mean loss on each part of the text over its seeds."""

    text: str
    model: str
    settings: dict
    train_symbols: int
    nats: dict[str, float]
    seconds: dict[str, float] = field(default_factory=dict)
    spread: dict[str, float] = field(default_factory=dict)  # of the losses over the seeds, where there are several


def stopwatch(work: Callable):
    """What `work()` returns, and the seconds it took."""
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def texts() -> dict[str, Text]:
    """All texts of the ladder, by name."""
    names = data.load("names").split()
    return {
        "shakespeare": _shakespeare(data.load("tiny_shakespeare")),
        "names": _names("names", names),
        "distinct names": _names("distinct names", sorted(set(names))),
    }


def _shakespeare(text: str) -> Text:
    characters = Vocabulary.of(text)
    ids, cut = characters.encode(text), int(0.9 * len(text))
    about = _about("tiny_shakespeare", "first 90 % of the characters to train, last 10 % held out", len(characters))
    return Text("shakespeare", characters, {"train": ids[:cut], "heldout": ids[cut:]}, about)


def _names(name: str, names: list[str]) -> Text:
    letters = Vocabulary.of("".join(names), boundary=".")
    shuffled = names.copy()
    random.seed(42)
    random.shuffle(shuffled)
    first, second = int(0.8 * len(names)), int(0.9 * len(names))
    parts = {"train": shuffled[:first], "dev": shuffled[first:second], "test": shuffled[second:]}
    about = _about("names", "shuffled with random.seed(42), 80/10/10", len(letters))
    about["names"] = {part: len(members) for part, members in parts.items()}
    trained = set(parts["train"])
    about["leak"] = {part: sum(n in trained for n in parts[part]) / len(parts[part]) for part in ("dev", "test")}
    return Text(name, letters, {part: [letters.encode(n) for n in members] for part, members in parts.items()}, about)


def _about(data_set: str, split: str, symbols: int) -> dict:
    found = data.source(data_set)
    return {"title": found.title, "stand_in": found.is_stand_in, "split": split, "symbols": symbols}


def run(unit: str) -> dict:
    """Climb a unit's rungs; the content of its results file."""
    module, found = importlib.import_module(f"rungs.{unit}"), texts()
    rungs, seconds = stopwatch(lambda: [asdict(rung) for rung in tqdm(module.climb(found), desc=unit, unit=" rungs")])
    curves = module.curves(rungs) if hasattr(module, "curves") else {}
    return {
        "schema": 1,
        "unit": unit,
        "unit_of_loss": "nats a character",
        "versions": {"unrolled": __version__, "torch": torch.__version__},
        "device": torch.cuda.get_device_name()
        if torch.cuda.is_available()
        else f"CPU, threads: {torch.get_num_threads()}",
        "seconds": round(seconds, 1),
        "texts": {text.name: text.about for text in found.values()},
        "rungs": rungs,
        **curves,
    }


def show(result: dict, console: Console) -> None:
    """One table a text, published figures last."""
    published = json.loads((RESULTS / "published.json").read_text(encoding="utf-8"))["figures"]
    for text, about in result["texts"].items():
        stand_in = " (a stand-in: not comparable with published figures)" if about["stand_in"] else ""
        console.print(f"\n[bold]{text}[/bold]: {about['title']}{stand_in}; {about['split']}")
        if "leak" in about:
            console.print("; ".join(f"{share:.1%} of {part} were trained on" for part, share in about["leak"].items()))
        rungs = [rung for rung in result["rungs"] if rung["text"] == text]
        parts = list(rungs[0]["nats"])
        table = Table("model", "trained on", *parts, "fit s")  # parts: losses, in nats a character
        for rung in rungs:
            settings = ", ".join(f"{key} {value}" for key, value in rung["settings"].items())
            losses = [_loss(rung, part) for part in parts]
            fit = f"{rung['seconds'].get('fit', 0):.2f}"
            table.add_row(f"{rung['model']}, {settings}", f"{rung['train_symbols']:,}", *losses, fit)
        for figure in published:
            if figure["text"] == text:
                losses = [str(figure["nats"].get(part, "")) for part in parts]
                table.add_row(f"[dim]{figure['model']} ({figure['source']})[/dim]", "", *losses, "")
        console.print(table)
    console.print("\n[bold]on other texts[/bold], so only roughly comparable:")
    for figure in published:
        if figure["text"] not in result["texts"]:
            losses = ", ".join(f"{part} {loss}" for part, loss in figure["nats"].items())
            console.print(f"[dim]{figure['text']}: {figure['model']}; {losses} ({figure['source']})[/dim]")


def _loss(rung: dict, part: str) -> str:
    if part not in rung["nats"]:
        return ""
    spread = rung.get("spread", {}).get(part)
    return f"{rung['nats'][part]:.4f}" + ("" if spread is None else f" ± {spread:.4f}")


def main() -> None:
    units = sorted(path.stem for path in (HERE / "rungs").glob("[a-z]*.py"))
    parser = argparse.ArgumentParser(description="Run the rungs, store them in assets/ladder, print them.")
    parser.add_argument("units", nargs="*", metavar="UNIT", help=f"one of {', '.join(units)}; all if none is named")
    parser.add_argument("--show", action="store_true", help="print the stored results, run nothing")
    arguments = parser.parse_args()
    if unknown := [unit for unit in arguments.units if unit not in units]:
        parser.error(f"there are no rungs for {unknown[0]!r}: choose from {', '.join(units)}")
    for unit in arguments.units or units:
        file = RESULTS / f"{unit}.json"
        if arguments.show and not file.exists():
            parser.error(f"{file.name} is not there yet: run without --show first")
        if not arguments.show:
            try:
                result = run(unit)
            except OneLineError as problem:
                sys.exit(str(problem))
            RESULTS.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        show(json.loads(file.read_text(encoding="utf-8")), Console())


if __name__ == "__main__":
    main()
