"""The ladder's three figures, drawn when the book is built, each with the words for those who cannot see it."""

from pathlib import Path

import matplotlib.pyplot as plt
from unrolled.figures import COLOURS, MARKERS, axes

from book.pages.ladder import Ladder, Rung

UNIT = "nats a character"
LOSS = f"loss on held-out text, {UNIT}"
DOTS = 170  # an inch: read on a phone, too, where a figure is three inches wide
WIDTH = 4.6  # inches: words in a figure must not shrink on a phone
SMALL = 8.5  # points


def draw_rungs(ladder: Ladder, text: str, file: Path) -> str:
    """A dot a rung, the highest loss above, a bar for its spread, and a hollow dot for what others published."""
    rungs, others = ladder.of(text), [figure for figure in ladder.beside(text) if _first(ladder, text, figure)]
    names = [rung.name for rung in rungs] + [_called(figure) for figure in others]
    figure, ax = axes(UNIT, "", WIDTH, 0.27 * len(names) + 0.9)
    units = list(dict.fromkeys(rung.unit for rung in rungs))
    for place, rung in enumerate(rungs):
        look = units.index(rung.unit) % len(COLOURS)
        kind = {"fmt": MARKERS[look], "color": COLOURS[look], "capsize": 2}
        ax.errorbar(rung.loss, place, xerr=rung.spread.get(rung.part), **kind)
        _write(ax, rung.loss, place)
    for place, other in enumerate(others, start=len(rungs)):
        loss = _first(ladder, text, other)
        ax.plot(loss, place, MARKERS[-1], color="black", fillstyle="none")
        _write(ax, loss, place)
    ax.margins(x=0.14)
    ax.set_yticks(range(len(names)), names, fontsize=SMALL)
    ax.invert_yaxis()
    _save(figure, file)
    best, worst = rungs[-1], rungs[0]
    published = f" Below them {len(others)} published figures." if others else ""
    return (
        f"{len(rungs)} rungs on {ladder.texts[text]['title']}, one below the other, from {worst.name} with "
        f"{worst.loss:.3f} nats a character down to {best.name} with {best.loss:.3f}.{published}"
    )


def draw_sizes(ladder: Ladder, text: str, file: Path) -> str:
    """A line a model: its loss against the characters that it was trained on."""
    models = ladder.by_size(text)
    figure, ax = axes("training characters", LOSS, WIDTH, 3.6)
    for look, (name, rungs) in enumerate(models.items()):
        kind = {"marker": MARKERS[look % len(MARKERS)], "color": COLOURS[look % len(COLOURS)]}
        spread = [rung.spread.get(rung.part, 0) for rung in rungs]
        ax.errorbar([rung.size for rung in rungs], [rung.loss for rung in rungs], spread, label=name, capsize=2, **kind)
    ax.set_xscale("log")
    ax.legend(fontsize=SMALL)
    _save(figure, file)
    told = "; ".join(
        f"{name} from {rungs[0].loss:.2f} with {rungs[0].size:,} to {rungs[-1].loss:.2f} with {rungs[-1].size:,}"
        for name, rungs in models.items()
    )
    return f"Loss against training characters, falling lines, a model each: {told}."


def draw_times(ladder: Ladder, text: str, file: Path) -> str:
    """A dot a rung: its loss against the seconds that it was trained for."""
    rungs = sorted((rung for rung in ladder.of(text) if rung.processor is not None), key=lambda rung: rung.processor)
    figure, ax = axes("training, seconds of one processor", LOSS, WIDTH, 3.6)
    families: dict[str, list[Rung]] = {}
    for rung in rungs:
        families.setdefault(rung.model.partition(",")[0], []).append(rung)
    for look, (name, members) in enumerate(families.items()):
        xs, ys = [rung.processor for rung in members], [rung.loss for rung in members]
        ax.plot(xs, ys, MARKERS[look % len(MARKERS)], color=COLOURS[look % len(COLOURS)], label=name)
    ax.set_xscale("log")
    ax.legend(fontsize=SMALL)
    _save(figure, file)
    first, last = rungs[0], rungs[-1]
    return (
        f"Loss against seconds of training, a dot a rung: from {first.name}, {first.processor:.1f} seconds and "
        f"{first.loss:.2f} nats, to {last.name}, {last.processor:.0f} seconds and {last.loss:.2f} nats."
    )


def _called(figure: dict) -> str:
    """`transformer, 4 layers (nanoGPT)`: enough to find it in the table."""
    return f"{', '.join(figure['model'].split(', ')[:2])} ({figure['source'].partition(',')[0]})"


def _write(ax: plt.Axes, loss: float, place: int) -> None:
    ax.annotate(f"{loss:.3f}", (loss, place), (7, 0), textcoords="offset points", fontsize=SMALL - 1.5, va="center")


def _first(ladder: Ladder, text: str, figure: dict) -> float | None:
    """A published loss on the part by which the text's rungs are ordered, or on whichever part was published."""
    return figure["nats"].get(ladder.of(text)[0].part, next(iter(figure["nats"].values()), None))


def _save(figure: plt.Figure, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, dpi=DOTS, metadata={"Software": None})  # the same results give the same bytes
    plt.close(figure)
