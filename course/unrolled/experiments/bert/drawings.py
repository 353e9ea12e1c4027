"""BERT's input with its three embeddings, and the four kinds of heads that a task puts on top of it.

    figures.show(draw_input(), alt=ALT["input"])
    figures.show(draw_tasks(), alt=ALT["tasks"])

After figures 2 and 4 of Devlin and others, "BERT" (2019). Left out on purpose: what is inside the blocks, which unit 7
draws, and dropout.
"""

from collections.abc import Sequence
from typing import NamedTuple

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from unrolled.figures import COLOURS

BLUE, ORANGE, GREEN = COLOURS[:3]
FIRST, SECOND = ("the", "dog", "bark", "##ed"), ("it", "was", "late")
TINTS = {BLUE: "#dbeafe", ORANGE: "#fde6d3", GREEN: "#d9f2e6", "gray": "#eeeeee", "black": "white"}
WIDE, TALL = 0.86, 0.56  # of a box; boxes stand 1 apart


class Kind(NamedTuple):
    """One kind of task: what is read, and where an answer is said."""

    title: str
    pieces: tuple[str, ...]
    segments: str  # a figure for each piece
    answers: dict[int, str]  # place -> what is said there
    head: str


KINDS = (
    Kind(
        "two texts, one class",
        ("[CLS]", "A", "A", "[SEP]", "B", "B", "[SEP]"),
        "0000111",
        {0: "follows"},
        "W: C × D, on the pooled [CLS]",
    ),
    Kind(
        "one text, one class",
        ("[CLS]", "a", "fine", "film", "[SEP]"),
        "00000",
        {0: "good"},
        "W: C × D, on the pooled [CLS]",
    ),
    Kind(
        "question and passage, a span",
        ("[CLS]", "who", "?", "[SEP]", "old", "Ann", "won", "[SEP]"),
        "00001111",
        {4: "start", 5: "end"},
        "W: 2 × D, on each piece",
    ),
    Kind(
        "a class for each word",
        ("[CLS]", "dogs", "bark", "##ed", "[SEP]"),
        "00000",
        {1: "NOUN", 2: "VERB"},
        "W: C × D, on each word's\nfirst piece",
    ),
)

ALT = {
    "input": (
        "A column for each of the ten pieces of [CLS] the dog bark ##ed [SEP] it was late [SEP], with three boxes that "
        "are added: the piece's vector, from table T, the vector of its position, P[0] to P[9], and that of its "
        "segment, S[0] up to the first [SEP], S[1] behind it. Each sum is normed and goes into the first block."
    ),
    "tasks": (
        "Four small drawings, each with pieces below, BERT above them, and answers on top. Two texts, one class: "
        "[CLS] A [SEP] B [SEP], the answer above [CLS]. One text, one class: the answer above [CLS]. Question and "
        "passage: start and end above two pieces of the passage. A class for each word: NOUN above dogs, VERB above "
        "bark, and nothing above ##ed, [CLS] and [SEP]. A thick line marks pieces in segment 1."
    ),
}


def draw_input(first: Sequence[str] = FIRST, second: Sequence[str] = SECOND) -> Figure:
    """A column a piece of [CLS] first [SEP] second [SEP]: piece + position + segment, then the norm."""
    pieces = ["[CLS]", *first, "[SEP]", *second, "[SEP]"]
    figure, ax = _sheet(len(pieces) + 1.6, 4.6)
    rows = {"pieces": BLUE, "positions": GREEN, "segments": ORANGE}
    for place, piece in enumerate(pieces):
        segment = int(place > len(first) + 1)
        names = f"T[{piece.strip('[]')}]", f"P[{place}]", f"S[{segment}]"
        ax.text(place, 3.75, piece, ha="center", va="center", fontsize=9.5, weight="bold")
        for row, (name, colour) in enumerate(zip(names, rows.values(), strict=True)):
            _box(ax, place, 3.1 - 0.95 * row, name, colour, under=row == 2 and segment == 1)
            if row:
                ax.text(place, 3.58 - 0.95 * row, "+", ha="center", va="center", fontsize=10)
        _arrow(ax, (place, 3.1 - 1.9 - TALL / 2), (place, 0.42))
    for row, name in enumerate(rows):
        ax.text(-0.6, 3.1 - 0.95 * row, name, ha="right", va="center", fontsize=9)
    _band(ax, (0, len(pieces) - 1), 0.15, "norm of each sum, then the blocks: (N, D)")
    ax.set(xlim=(-1.75, len(pieces) - 0.4), ylim=(-0.2, 4.0))
    return figure


def draw_tasks() -> Figure:
    """Each of KINDS: pieces below, the net between, answers above."""
    figure, panels = plt.subplots(2, 2, figsize=(9, 6.2), dpi=100)
    figure.set_layout_engine("constrained")
    for ax, kind in zip(panels.flat, KINDS, strict=True):
        ax.set_axis_off()
        ax.set_title(kind.title, fontsize=10.5, loc="left")
        for place, (piece, segment) in enumerate(zip(kind.pieces, kind.segments, strict=True)):
            _box(ax, place, 0, piece, ORANGE if segment == "1" else BLUE, under=segment == "1")
            _arrow(ax, (place, TALL / 2), (place, 0.72))
        last = len(kind.pieces) - 1
        _band(ax, (0, last), 1, "BERT")
        for place, answer in kind.answers.items():
            _arrow(ax, (place, 1.28), (place, 1.95))
            _box(ax, place, 2.3, answer, GREEN, tall=0.7)
        ax.text(max(kind.answers) + 0.65, 2.3, kind.head, ha="left", va="center", fontsize=8.5, color="#444444")
        ax.set(xlim=(-0.6, 7.6), ylim=(-0.4, 2.75))
    figure.supxlabel("thick line: segment 1", fontsize=9, color="#444444")
    return figure


def _sheet(wide: float, tall: float) -> tuple[Figure, Axes]:
    figure, ax = plt.subplots(figsize=(0.8 * wide, 0.8 * tall), dpi=100, layout="constrained")
    ax.set_axis_off()
    return figure, ax


def _box(ax: Axes, x: float, y: float, words: str, colour: str, under: bool = False, tall: float = TALL) -> None:
    """under: a thick line at the bottom, so that segment 1 is told without colours, too."""
    corner = (x - WIDE / 2, y - tall / 2)
    style = {"facecolor": TINTS[colour], "edgecolor": colour, "linewidth": 1.2, "zorder": 3}
    ax.add_patch(FancyBboxPatch(corner, WIDE, tall, boxstyle="round,pad=0,rounding_size=0.1", **style))
    if under:
        ax.plot(
            [corner[0] + 0.1, corner[0] + WIDE - 0.1], [y - tall / 2 + 0.07] * 2, color=colour, linewidth=2.5, zorder=4
        )
    ax.text(x, y, words, ha="center", va="center", fontsize=8, zorder=5)


def _band(ax: Axes, ends: tuple[float, float], y: float, words: str) -> None:
    """A box over several columns."""
    corner, wide = (ends[0] - WIDE / 2, y - TALL / 2), ends[1] - ends[0] + WIDE
    style = {"facecolor": TINTS["gray"], "edgecolor": "black", "linewidth": 0.9, "zorder": 3}
    ax.add_patch(FancyBboxPatch(corner, wide, TALL, boxstyle="round,pad=0,rounding_size=0.1", **style))
    ax.text(sum(ends) / 2, y, words, ha="center", va="center", fontsize=9, zorder=4)


def _arrow(ax: Axes, tail: tuple[float, float], head: tuple[float, float]) -> None:
    style = {"arrowstyle": "-|>", "color": "black", "shrinkA": 0, "shrinkB": 0, "linewidth": 0.8, "mutation_scale": 8}
    ax.annotate("", head, tail, arrowprops=style, zorder=2)
