"""A recurrent net drawn twice, folded and unrolled, with the numbers of one text; and the kinds of its use.

    figures.show(draw_unrolled(net, vocabulary, tokens), alt="…")
    figures.show(draw_kinds(), alt="…")

Every number comes from the net that is drawn. Left out on purpose: batches, and texts too long for one line.

Shapes: T steps, one column each; V vocabulary; H numbers in a state.
"""

import matplotlib.pyplot as plt
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from torch import Tensor

from unrolled.elman_rnn import ElmanRNN
from unrolled.figures import COLOURS
from unrolled.vocabulary import Vocabulary

BLUE, ORANGE = COLOURS[:2]
READ, STATE, SAID, LOSS = 0.0, 1.7, 3.4, 4.2  # heights of the rows
FOLDED = -1.1  # where the folded net stands; step t of the unrolled one stands at t
KINDS = {  # name: the steps that have an input, the steps that have an output
    "one-to-one": ((0,), (0,)),
    "one-to-many": ((0,), (0, 1, 2)),
    "many-to-one": ((0, 1, 2), (2,)),
    "many-to-many,\nstep by step": ((0, 1, 2), (0, 1, 2)),
    "many-to-many,\nafter reading": ((0, 1, 2), (2, 3, 4)),
}


def draw_unrolled(net: ElmanRNN, vocabulary: Vocabulary, tokens: Tensor) -> Figure:
    """The net folded and, beside it, unrolled on tokens (T+1,): each step's state, ŷ_t[target] and loss."""
    h, before, losses = net.start(), None, []
    steps = len(tokens) - 1
    figure, ax = plt.subplots(figsize=(0.95 * steps + 2.6, 4), dpi=100, layout="constrained")
    _bare(ax, (FOLDED - 0.5, steps + 0.5), (READ - 0.4, LOSS + 0.3))
    _folded(ax)
    for t, (token, target) in enumerate(zip(tokens[:-1].tolist(), tokens[1:].tolist(), strict=True), start=1):
        logits, h = net.step(token, h)  # (V,), (1, H)
        probability = logits.softmax(0)[target]
        losses.append(-probability.log())
        said = f"{vocabulary.symbols[target]}\n{probability:.2f}"
        state = _column(ax, t, vocabulary.symbols[token], _digits(h[0]), said)
        if before:
            _arrow(ax, before, state)
            ax.text(t - 0.5, STATE + 0.12, "U", ha="center", fontsize=8)
        ax.text(t, LOSS, f"{losses[-1]:.2f}", ha="center", va="center", color=ORANGE, weight="bold")
        before = state
    ax.text(FOLDED, LOSS, f"loss {torch.stack(losses).mean():.2f} =\nmean of", ha="center", va="center", color=ORANGE)
    return figure


def draw_kinds() -> Figure:
    """One small unrolled net for each way to use one: inputs below, states between, outputs above."""
    figure, panels = plt.subplots(1, len(KINDS), figsize=(9, 2.2), dpi=100, layout="constrained")
    for ax, (name, (inputs, outputs)) in zip(panels, KINDS.items(), strict=True):
        steps, before = max(inputs + outputs) + 1, None
        _bare(ax, (steps / 2 - 3, steps / 2 + 2), (-0.5, 2.5))
        ax.set_title(name, fontsize=9)
        for t in range(steps):
            state = _box(ax, t, 1, "h", BLUE)
            if before:
                _arrow(ax, before, state)
            if t in inputs:
                _arrow(ax, _box(ax, t, 0, "x", "gray"), state)
            if t in outputs:
                _arrow(ax, state, _box(ax, t, 2, "y", ORANGE))
            before = state
    return figure


def _folded(ax: Axes) -> None:
    """The net as its equation has it: one state, and an arrow from it to itself."""
    _column(ax, FOLDED, "$x_t$", "$h_t$", r"$\hat y_t$")
    loop = {"arrowstyle": "->", "connectionstyle": "arc3,rad=-1.5", "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", (FOLDED + 0.18, STATE - 0.15), (FOLDED + 0.18, STATE + 0.15), arrowprops=loop)
    ax.text(FOLDED + 0.5, STATE, "U", va="center")


def _column(ax: Axes, x: float, read: str, state: str, said: str) -> Text:
    """Input, state and output of one step, joined by arrows; the state's box."""
    boxes = [_box(ax, x, *row) for row in ((READ, read, "gray"), (STATE, state, BLUE), (SAID, said, "black"))]
    for lower, upper, name in zip(boxes, boxes[1:], "WV", strict=False):
        _arrow(ax, lower, upper)
        middle = (lower.get_position()[1] + upper.get_position()[1]) / 2
        ax.text(x + 0.06, middle, name, va="center", fontsize=8)
    return boxes[1]


def _digits(state: Tensor) -> str:
    return "\n".join(f"{number:.2f}".replace("-", "−") for number in state.tolist())


def _box(ax: Axes, x: float, y: float, words: str, colour: str) -> Text:
    frame = {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": colour}
    return ax.text(x, y, words, ha="center", va="center", fontsize=9, bbox=frame)


def _arrow(ax: Axes, tail: Text, head: Text) -> None:
    ends = {"patchA": tail.get_bbox_patch(), "patchB": head.get_bbox_patch(), "shrinkA": 0, "shrinkB": 1}
    arrow = {"arrowstyle": "->", "color": "black", **ends}
    ax.annotate("", head.get_position(), tail.get_position(), arrowprops=arrow)


def _bare(ax: Axes, xlim: tuple[float, float], ylim: tuple[float, float]) -> None:
    ax.set(xlim=xlim, ylim=ylim)
    ax.axis("off")
