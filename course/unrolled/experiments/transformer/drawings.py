"""The whole encoder–decoder, drawn once, with every part in its place; read from bottom to top.

    figures.show(draw_transformer("post"), alt=ALT["post"])

"post" is the order as published (Vaswani et al., 2017, figure 1), "pre" the one used now, with one more norm at the end
of each stack. What goes around a part is its residual connection. Left out on purpose: heads, masks of pads, dropout.

Shapes: N words of the source, M of the target, D numbers a vector, V words to choose from; L blocks in each stack.
"""

from collections.abc import Sequence

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyBboxPatch

from unrolled.figures import COLOURS

BLUE, ORANGE, GREEN = COLOURS[:3]
WIDTH, HEIGHT, STEP = 2.1, 0.44, 0.74  # of a box; from one part to the next
ENCODER, DECODER = 0.0, 4.5  # where the two stacks stand
AROUND = 1.3  # how far beside the stack its residual connections run
MEMORY = 2.25  # where the memory's line goes up and down
BLOCK = 2.6  # how high the blocks begin
PARTS = {
    ENCODER: ("self-attention", "feed-forward"),
    DECODER: ("masked self-attention", "cross-attention", "feed-forward"),
}
TINTS = {"norm": "#eeeeee", "feed-forward": "#dbeafe"}  # attention has its own

_READ = (
    "Two stacks side by side, read from bottom to top. Left, the encoder: source words become vectors, positions are "
    "added, then come L equal blocks, each with self-attention and feed-forward. Right, the decoder: the words so far "
    "become vectors, positions are added, then L blocks, each with masked self-attention, cross-attention and "
    "feed-forward; a matrix and softmax give probabilities of the next word. An arrow carries what comes out of the "
    "encoder, the memory, to the cross-attention, as keys and values. Around every part leads a line to a sum; "
)
ALT = {
    "post": f"{_READ}a norm follows each sum.",
    "pre": f"{_READ}a norm stands before each part, inside that way around, and one more at the end of each stack.",
}


def draw_transformer(norm: str = "post") -> Figure:
    """norm: "post" or "pre", where the norms stand; ValueError for anything else."""
    if norm not in ALT:
        raise ValueError(f"there is no norm {norm!r}: choose one of {', '.join(ALT)}")
    figure, ax = plt.subplots(figsize=(7, 8.2 if norm == "post" else 9.0), dpi=100, layout="constrained")
    ax.set_axis_off()
    memory = _stack(ax, ENCODER, norm, "source words", "encoder, L blocks")
    said = _stack(ax, DECODER, norm, "target words so far", "decoder, L blocks")
    _hand_over(ax, memory, _cross(norm))
    for name in ("matrix D × V", "softmax"):
        said = _part(ax, DECODER, said, name)
    _arrow(ax, (DECODER, said), (DECODER, said + 0.4))
    _shape(ax, DECODER, said + 0.05, "(M, V)")
    ax.text(DECODER, said + 0.45, "probabilities of the next word", ha="center", va="bottom", fontsize=9)
    ax.set(xlim=(ENCODER - 1.8, DECODER + 1.8), ylim=(-0.15, said + 0.75))
    ax.set_aspect("equal")
    return figure


def _sublayer(work: str, norm: str) -> tuple[str, ...]:
    """A part with its norm and its sum, from below."""
    return ("norm", work, "+") if norm == "pre" else (work, "+", "norm")


def _cross(norm: str) -> float:
    """How high the cross-attention stands: the second of the decoder's sublayers."""
    return BLOCK + STEP * (3 + _sublayer("cross-attention", norm).index("cross-attention")) + STEP / 2


def _stack(ax: Axes, x: float, norm: str, words: str, name: str) -> float:
    """One of the two stacks; how high it ends."""
    ax.text(x, 0, words, ha="center", va="center", fontsize=9)
    _arrow(ax, (x, 0.15), (x, 0.5))
    y = _part(ax, x, 0.35, "word vectors")
    _sum(ax, x, y + STEP / 2)
    _arrow(ax, (x, y), (x, y + STEP / 2 - 0.14))
    _positions(ax, x, y + STEP / 2)
    _line(ax, [(x, y + STEP / 2 + 0.14), (x, BLOCK)])
    _shape(ax, x, y + STEP / 2 + 0.32, "(N, D)" if x == ENCODER else "(M, D)")
    y = BLOCK
    for work in PARTS[x]:
        y = _around(ax, x, y, _sublayer(work, norm))
    _frame(ax, x, (BLOCK, y), name)
    if norm == "post":
        return y
    _line(ax, [(x, y), (x, y + 0.2)])
    return _part(ax, x, y + 0.2, "norm")


def _around(ax: Axes, x: float, y: float, sublayer: Sequence[str]) -> float:
    """A part, its norm and its sum, and the line that leads around the part; how high they end."""
    leaves, at = y - 0.03, y
    for name in sublayer:
        if name == "+":
            _arrow(ax, (x, at), (x, at + STEP / 2 - 0.14))
            _sum(ax, x, at + STEP / 2)
            side = x + (AROUND if x == DECODER else -AROUND)
            end = x + (0.14 if x == DECODER else -0.14)
            _line(ax, [(x, leaves), (side, leaves), (side, at + STEP / 2), (end, at + STEP / 2)], BLUE, arrow=True)
            _line(ax, [(x, at + STEP / 2 + 0.14), (x, at + STEP)])
            at += STEP
        else:
            at = _part(ax, x, at, name)
    return at


def _part(ax: Axes, x: float, y: float, name: str) -> float:
    """A box in the middle of its step, the way in and the way out; how high the step ends."""
    middle = y + STEP / 2
    _arrow(ax, (x, y), (x, middle - HEIGHT / 2))
    _line(ax, [(x, middle + HEIGHT / 2), (x, y + STEP)])
    tint = TINTS.get(name, "#fde6d3" if "attention" in name else "white")
    corner = (x - WIDTH / 2, middle - HEIGHT / 2)
    style = {"facecolor": tint, "edgecolor": "black", "linewidth": 0.9, "zorder": 3}
    ax.add_patch(FancyBboxPatch(corner, WIDTH, HEIGHT, boxstyle="round,pad=0,rounding_size=0.08", **style))
    ax.text(x, middle, name, ha="center", va="center", fontsize=8.5, zorder=4)
    return y + STEP


def _sum(ax: Axes, x: float, y: float) -> None:
    ax.add_patch(Circle((x, y), 0.14, facecolor="white", edgecolor="black", linewidth=0.9, zorder=3))
    ax.text(x, y - 0.01, "+", ha="center", va="center", fontsize=11, zorder=4)


def _positions(ax: Axes, x: float, y: float) -> None:
    side = -1 if x == ENCODER else 1
    _arrow(ax, (x + side * 0.75, y), (x + side * 0.14, y))
    ax.text(x + side * 0.8, y, "positions", ha="right" if x == ENCODER else "left", va="center", fontsize=9)


def _hand_over(ax: Axes, memory: float, cross: float) -> None:
    """The memory, from the encoder's end to the cross-attention of the decoder's blocks."""
    left = DECODER - WIDTH / 2
    _line(ax, [(ENCODER, memory), (ENCODER, memory + 0.3), (MEMORY, memory + 0.3), (MEMORY, cross)], GREEN)
    _line(ax, [(MEMORY, cross), (left, cross)], GREEN, arrow=True)
    ax.text(ENCODER + 0.1, memory + 0.38, "memory (N, D)", color=GREEN, fontsize=9, va="bottom")
    ax.text(MEMORY + 0.08, cross + 0.06, "keys,\nvalues", color=GREEN, fontsize=8, va="bottom")
    ax.text(MEMORY, BLOCK, "residual\nconnections", color=BLUE, fontsize=8, ha="center", va="bottom")
    ax.text(DECODER - 0.08, cross - HEIGHT / 2 - 0.04, "queries", fontsize=8, ha="right", va="top")


def _frame(ax: Axes, x: float, ends: tuple[float, float], name: str) -> None:
    """A dashed frame around what is there L times."""
    (low, high), wide = ends, AROUND + 0.15
    style = {"facecolor": "none", "edgecolor": "gray", "linestyle": "--", "linewidth": 1}
    ax.add_patch(FancyBboxPatch((x - wide, low - 0.14), 2 * wide, high - low + 0.18, boxstyle="round,pad=0", **style))
    outside = x + (wide + 0.15) * (-1 if x == ENCODER else 1)
    ax.text(outside, (low + high) / 2, name, rotation=90, ha="center", va="center", fontsize=9)


def _shape(ax: Axes, x: float, y: float, shape: str) -> None:
    ax.text(x + 0.08, y, shape, fontsize=8, color="#444444", va="bottom")


def _line(ax: Axes, points: Sequence[tuple[float, float]], colour: str = "black", arrow: bool = False) -> None:
    xs, ys = zip(*points, strict=True)
    ax.plot(xs, ys, color=colour, linewidth=1.3 if colour != "black" else 0.9, zorder=2, solid_joinstyle="round")
    if arrow:
        _arrow(ax, points[-2], points[-1], colour)


def _arrow(ax: Axes, tail: tuple[float, float], head: tuple[float, float], colour: str = "black") -> None:
    style = {"arrowstyle": "-|>", "color": colour, "shrinkA": 0, "shrinkB": 0, "linewidth": 0.9, "mutation_scale": 9}
    ax.annotate("", head, tail, arrowprops=style, zorder=2)
