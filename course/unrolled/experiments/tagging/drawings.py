"""A drawing of layers that are read in both directions, unrolled over the words of a sentence.

    figure = draw_directions(["they", "watch", "the", "light"], layers=2, marked=(2, 2))

Each layer has a row of boxes that is read from left to right and one that is read from right to left. The small circle
above both is their concatenation, which both rows of the next layer read. Boxes that have to be computed before the
marked circle are filled.
"""

from collections.abc import Sequence

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from unrolled import figures

Box = tuple[int, str, int]  # layer from 1, "forward" or "backward", step from 1
WIDTH, HEIGHT, RISE = 0.34, 0.34, 1.9  # of a box; from one layer to the next
PLACES = {"forward": (-0.2, 0.65), "backward": (0.2, 1.25)}  # beside its step, above the layer below
LETTERS = {"forward": r"$\overrightarrow{h}$", "backward": r"$\overleftarrow{h}$"}
ARROW = {"arrowstyle": "-|>", "color": "black", "shrinkA": 0, "shrinkB": 0, "linewidth": 0.8}


def needed(marked: tuple[int, int], steps: int) -> set[Box]:
    """The boxes that the outputs of a layer at a step, both from 1, depend on.

    Of its own layer the forward ones up to the step and the backward ones from it on; of all layers below, every one.
    """
    layer, step = marked
    own = {(layer, "forward", t) for t in range(1, step + 1)} | {(layer, "backward", t) for t in range(step, steps + 1)}
    return own | {(below, way, t) for below in range(1, layer) for way in PLACES for t in range(1, steps + 1)}


def draw_directions(words: Sequence[str], layers: int, marked: tuple[int, int]) -> Figure:
    """`marked`: the layer and the step whose concatenation is outlined; what it needs is filled."""
    steps, filled = len(words), needed(marked, len(words))
    figure, ax = plt.subplots(figsize=(1.6 * steps + 0.8, 1.0 + 1.65 * layers), dpi=100, layout="constrained")
    ax.set(xlim=(0.3, steps + 0.75), ylim=(-0.35, RISE * layers + 0.35))
    ax.set_axis_off()
    for t, word in enumerate(words, start=1):
        ax.text(t, -0.02, word, ha="center", va="top", fontsize=10)
        for layer in range(1, layers + 1):
            for way in PLACES:
                _box(ax, (layer, way, t), (layer, way, t) in filled)
                _arrow(ax, (t, RISE * (layer - 1) + (0.09 if layer > 1 else 0.0)), _edge((layer, way, t), "below"))
                _arrow(ax, _edge((layer, way, t), "above"), (t, RISE * layer - 0.09))
            if t > 1:
                _arrow(ax, _edge((layer, "forward", t - 1), "right"), _edge((layer, "forward", t), "left"))
                _arrow(ax, _edge((layer, "backward", t), "left"), _edge((layer, "backward", t - 1), "right"))
            _joint(ax, t, layer, (layer, t) == marked)
    for layer in range(1, layers + 1):
        ax.text(0.32, RISE * (layer - 1) + 0.95, f"layer {layer}", rotation=90, ha="left", va="center", fontsize=9)
    return figure


def _centre(box: Box) -> tuple[float, float]:
    layer, way, step = box
    aside, up = PLACES[way]
    return step + aside, RISE * (layer - 1) + up


def _edge(box: Box, side: str) -> tuple[float, float]:
    x, y = _centre(box)
    return {
        "left": (x - WIDTH / 2, y),
        "right": (x + WIDTH / 2, y),
        "below": (x, y - HEIGHT / 2),
        "above": (x, y + HEIGHT / 2),
    }[side]


def _box(ax: Axes, box: Box, filled: bool) -> None:
    x, y = _centre(box)
    style = {"facecolor": figures.COLOURS[5] if filled else "white", "edgecolor": "black"}
    ax.add_patch(FancyBboxPatch((x - WIDTH / 2, y - HEIGHT / 2), WIDTH, HEIGHT, boxstyle="round,pad=0", **style))
    ax.text(x, y, LETTERS[box[1]], ha="center", va="center", fontsize=10)


def _joint(ax: Axes, step: int, layer: int, marked: bool) -> None:
    """The concatenation of both states."""
    edge, width = (figures.COLOURS[1], 3) if marked else ("black", 1)
    ax.plot(
        [step], [RISE * layer], "o", markersize=9, markerfacecolor="white", markeredgecolor=edge, markeredgewidth=width
    )


def _arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    ax.annotate("", end, start, arrowprops=ARROW)
