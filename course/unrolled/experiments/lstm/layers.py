"""A drawing of a stacked net: folded, and unrolled over the words that it reads.

    figure = draw_layers(["the", "cook", "sings", "of"], layers=2, marked=(2, 3))

Each box is one call of a step. An arrow to the right hands on the pair (h, c), an arrow upwards h alone. Boxes that
have to be computed before the marked one are filled. The folded net has a loop where the unrolled one has a row.
"""

from collections.abc import Sequence

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from unrolled import figures

Box = tuple[int, int]  # layer and step, both from 1
WIDTH, HEIGHT = 0.64, 0.44  # of a box; the next one stands 1 to the right or 1 above
ARROW = {"arrowstyle": "-|>", "color": "black", "shrinkA": 0, "shrinkB": 0}


def needed(marked: Box) -> set[Box]:
    """The boxes that must be computed before this one: all steps up to its own, in all layers up to its own."""
    layer, step = marked
    return {(below, before) for below in range(1, layer + 1) for before in range(1, step + 1)} - {marked}


def draw_layers(words: Sequence[str], layers: int, marked: Box) -> Figure:
    """Both drawings side by side; `marked` is outlined, and what it needs is filled."""
    size = (2.0 + 1.3 * len(words), 1.0 + 0.95 * layers)
    ratios = {"width_ratios": (1.4, len(words) + 1.2)}
    figure, (left, right) = plt.subplots(1, 2, figsize=size, dpi=100, layout="constrained", gridspec_kw=ratios)
    _folded(left, layers)
    _unrolled(right, words, layers, marked)
    return figure


def _folded(ax: Axes, layers: int) -> None:
    _frame(ax, "folded", (0.5, 1.9), layers)
    _column(ax, 1, layers, "$x_t$", "outputs")
    for layer in range(1, layers + 1):
        _box(ax, (layer, 1), f"layer {layer}")
        side, low, high = 1 + WIDTH / 2, layer - 0.1, layer + 0.1
        loop = ARROW | {"connectionstyle": "arc3,rad=-2.2"}
        ax.annotate("", (side, low), (side, high), arrowprops=loop)
        ax.text(side + 0.26, layer, "$h, c$", va="center", fontsize=9)


def _unrolled(ax: Axes, words: Sequence[str], layers: int, marked: Box) -> None:
    _frame(ax, "unrolled", (-0.1, len(words) + 1.1), layers)
    for step, word in enumerate(words, start=1):
        _column(ax, step, layers, f"{word}\n$x_{step}$", "")
        for layer in range(1, layers + 1):
            look = _look((layer, step), marked)
            _box(ax, (layer, step), f"$h^{{({layer})}}_{step}, c^{{({layer})}}_{step}$", **look)
            _arrow(ax, (step - 1 + WIDTH / 2, layer), (step - WIDTH / 2, layer))
    for layer in range(1, layers + 1):
        ax.text(WIDTH / 2 - 0.03, layer, f"states[{layer - 1}]", ha="right", va="center", fontsize=9)
        _arrow(ax, (len(words) + WIDTH / 2, layer), (len(words) + 1 - WIDTH / 2, layer))
        ax.text(len(words) + 1 - WIDTH / 2 + 0.03, layer, f"last[{layer - 1}]", va="center", fontsize=9)


def _column(ax: Axes, step: int, layers: int, below: str, above: str) -> None:
    """The arrows upwards through one step, with what goes in and what comes out."""
    for level in range(layers + 1):
        _arrow(ax, (step, level + HEIGHT / 2), (step, level + 1 - HEIGHT / 2))
    ax.text(step, HEIGHT / 2, below, ha="center", va="top", fontsize=10)
    ax.text(step, layers + 1 - HEIGHT / 2, above or f"$h^{{({layers})}}_{step}$", ha="center", va="bottom", fontsize=10)


def _look(box: Box, marked: Box) -> dict:
    if box == marked:
        return {"edgecolor": figures.COLOURS[1], "linewidth": 3}
    return {"facecolor": figures.COLOURS[5]} if box in needed(marked) else {}


def _box(ax: Axes, box: Box, label: str, **look) -> None:
    layer, step = box
    corner = step - WIDTH / 2, layer - HEIGHT / 2
    style = {"facecolor": "white", "edgecolor": "black", "boxstyle": "round,pad=0,rounding_size=0.08"} | look
    ax.add_patch(FancyBboxPatch(corner, WIDTH, HEIGHT, **style))
    ax.text(step, layer, label, ha="center", va="center", fontsize=9)


def _arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    ax.annotate("", end, start, arrowprops=ARROW)


def _frame(ax: Axes, title: str, across: tuple[float, float], layers: int) -> None:
    ax.set(title=title, xlim=across, ylim=(-0.15, layers + 1.05))
    ax.set_axis_off()
