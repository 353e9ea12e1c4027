"""The ladder's results as the book shows them: every rung, by text, and the tables made of them.

Read are the files that `benchmarks/ladder.py` writes, one a unit, and the published figures beside them. A rung that
two units stored is one rung here: the later file only adds the seconds that the first one lacks.
"""

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from autograder.course import Trouble

PUBLISHED = "published.json"
PARTS = {  # of a text, each with what stands above its column; other parts are no rungs (see `rungs/lstm.py`)
    "heldout": "held out",
    "heldout, in pieces": "held out, in pieces",
    "dev": "dev",
    "test": "test",
}
TELLING = ("order", "strength")  # settings that tell one rung from another of the same model, where they are not 0


@dataclass
class Rung:
    """One trained model: its losses in nats a character, by part, over its seeds, and what it cost."""

    unit: str
    text: str
    model: str
    settings: dict
    size: int  # training characters
    nats: dict[str, float]
    spread: dict[str, float]  # standard deviation over the seeds, where there are several
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def name(self) -> str:
        told = [f"{key} {self.settings[key]}" for key in TELLING if self.settings.get(key)]
        return ", ".join([self.model, *told])

    @property
    def part(self) -> str:
        """The first of the text's parts, by which rungs are ordered."""
        return next(iter(self.nats))

    @property
    def loss(self) -> float:
        return self.nats[self.part]

    @property
    def is_net(self) -> bool:
        return "seeds" in self.settings

    @property
    def processor(self) -> float | None:
        """Seconds that one processor worked on a training; of a count, which nothing kept waiting, the clock's."""
        return self.seconds.get("cpu", None if self.is_net else self.seconds.get("fit"))

    @property
    def key(self) -> tuple:
        return self.text, self.name, self.settings.get("steps"), self.settings.get("parameters"), self.size


@dataclass
class Ladder:
    """All that is stored. `texts`: what the results say of each text, in their order; `published`: others' figures."""

    rungs: list[Rung]
    texts: dict[str, dict]
    published: list[dict]
    devices: list[str]

    def of(self, text: str, whole: bool = True) -> list[Rung]:
        """A text's rungs from the highest loss down; without `whole` those on a part of it, too."""
        rungs = [rung for rung in self.rungs if rung.text == text]
        most = max((rung.size for rung in rungs), default=0)
        return sorted((rung for rung in rungs if not whole or rung.size == most), key=lambda rung: -rung.loss)

    def by_size(self, text: str) -> dict[str, list[Rung]]:
        """Models that were trained on ever more of a text, three sizes at least: their rungs from the smallest up.

        Of one model with several orders, the order that is best on the whole text.
        """
        found: dict[str, list[Rung]] = {}
        for rung in sorted(self.of(text, whole=False), key=lambda rung: rung.size):
            found.setdefault(rung.name, []).append(rung)
        sized = [rungs for rungs in found.values() if len({rung.size for rung in rungs}) > 2]
        best: dict[str, list[Rung]] = {}
        for rungs in sorted(sized, key=lambda rungs: -rungs[-1].loss):
            best[rungs[0].model] = rungs
        return {rungs[0].name: rungs for rungs in best.values()}

    def beside(self, text: str) -> list[dict]:
        """What others published on a text."""
        return [figure for figure in self.published if figure["text"] == text]

    def elsewhere(self) -> list[dict]:
        """What others published on texts of which the ladder has no rung."""
        return [figure for figure in self.published if figure["text"] not in self.texts]


def read(folder: Path, units: list[str]) -> Ladder:
    """The results in `folder`, in the order of `units`. Raises Trouble, naming the file, for one that is no result."""
    files = sorted((path for path in folder.glob("*.json") if path.name != PUBLISHED), key=lambda path: path.stem)
    files.sort(key=lambda path: units.index(path.stem) if path.stem in units else len(units))
    found: dict[tuple, Rung] = {}
    texts, devices = {}, []
    for path in files:
        result = _loaded(path)
        texts |= result["texts"]
        devices.append(result["device"])
        for rung in filter(None, (_rung(path.stem, row) for row in result["rungs"])):
            known = found.setdefault(rung.key, rung)
            known.seconds = rung.seconds | known.seconds
    published = _loaded(folder / PUBLISHED)["figures"] if (folder / PUBLISHED).exists() else []
    return Ladder(list(found.values()), texts, published, sorted(set(devices)))


def _loaded(path: Path) -> dict:
    try:
        return json.loads(path.read_text("utf-8"))
    except (ValueError, OSError) as error:
        raise Trouble(f"{path} is no result of benchmarks/ladder.py: run it again, or `git checkout` it") from error


def _rung(unit: str, row: dict) -> Rung | None:
    """None for what is a trial, scored on another part than the ladder's."""
    nats = {part: row["nats"][part] for part in PARTS if part in row["nats"]}
    spread = row.get("spread", {})
    return (
        Rung(unit, row["text"], row["model"], row["settings"], row["train_symbols"], nats, spread, dict(row["seconds"]))
        if nats
        else None
    )


# --- tables ----------------------------------------------------------------------------------------------------------


def number(value: float | None, digits: int = 4) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"


def with_spread(rung: Rung, part: str, digits: int = 4) -> str:
    """`1.6083 ± 0.0014`, or the mean alone where one seed, or none, made it."""
    mean, spread = rung.nats.get(part), rung.spread.get(part)
    return number(mean, digits) if spread is None else f"{number(mean, digits)} ± {number(spread, digits)}"


def rung_table(ladder: Ladder, text: str, link) -> str:
    """Every rung on the whole of a text, the highest loss first, and what others published, with its source.

    link: makes a link of a unit's name.
    """
    rungs = ladder.of(text)
    parts = [part for part in PARTS if any(part in rung.nats for rung in rungs)]
    head = ["rung", "unit", "parameters", "seeds", *(PARTS[part] for part in parts), "processor s"]
    rows = [
        [
            rung.name,
            link(rung.unit),
            number(rung.settings.get("parameters"), 0),
            str(rung.settings.get("seeds", "–")),
            *(with_spread(rung, part) for part in parts),
            number(rung.processor, 1),
        ]
        for rung in rungs
    ]
    for figure in ladder.beside(text):
        losses = [str(figure["nats"].get(part, "–")) for part in parts]
        rows.append([f"*{figure['model']}*", f"published: {figure['source']}", "–", "–", *losses, "–"])
    return table(head, rows, left=2)


def size_table(ladder: Ladder, text: str) -> str:
    """A row a model, a column a number of training characters that several models had."""
    models = ladder.by_size(text)
    had = Counter(rung.size for rungs in models.values() for rung in rungs)
    sizes = sorted(size for size, models_of_it in had.items() if models_of_it > 1 or len(models) == 1)
    rows = []
    for name, rungs in models.items():
        by_size = {rung.size: with_spread(rung, rung.part, digits=3) for rung in rungs}
        rows.append([name, *(by_size.get(size, "–") for size in sizes)])
    return table(["model", *(f"{size:,}" for size in sizes)], rows, left=1)


def time_table(ladder: Ladder, text: str) -> str:
    """Seconds and losses, the shortest training first."""
    timed = sorted((rung for rung in ladder.of(text) if rung.processor is not None), key=lambda rung: rung.processor)
    rows = [
        [rung.name, number(rung.processor, 1), number(rung.settings.get("steps"), 0), number(rung.loss)]
        for rung in timed
    ]
    return table(["rung", "processor s", "steps", "held out"], rows, left=1)


def elsewhere_table(ladder: Ladder) -> str:
    rows = []
    for figure in ladder.elsewhere():
        losses = "; ".join(f"{part} {loss}" for part, loss in figure["nats"].items())
        rows.append([figure["text"], figure["model"], losses, figure["source"]])
    return table(["text", "model", "nats a character", "published in"], rows, left=4)


def table(head: list[str], rows: list[list[str]], left: int) -> str:
    """A Markdown table; the first `left` columns are words, the others numbers."""
    lines = [head, [":--"] * left + ["--:"] * (len(head) - left), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
