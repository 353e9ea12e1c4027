"""An encoder and a decoder, unrolled side by side, and what the one hands over to the other.

    figures.show(draw_translators(("first", "every")), alt="…")
    figures.show(draw_translators(("attention",), looking=1), alt="…")

Below each state stands the word that is read, above it the word that is said. Orange arrows carry the context. Left
out on purpose: the backward direction of the encoder.
"""

from collections.abc import Sequence

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

from unrolled.figures import COLOURS

BLUE, ORANGE = COLOURS[:2]
SOURCE, TARGET = ("twenty", "one"), ("ein", "und", "zwanzig", "</s>")
TITLES = {"first": "idea 1", "every": "idea 2", "attention": "attention"}
READ, STATE, SAID, CONTEXT = 0.0, 1.0, 2.0, -0.95  # heights of the rows
AWAY = 1.6  # from the encoder's last state to the decoder's first
ASIDE, BEND = 0.42, 0.45  # where an arrow passes a word that is read, and turns to the state above it


def draw_translators(contexts: Sequence[str], looking: int = 0) -> Figure:
    """A panel for each of `unrolled.seq2seq.CONTEXTS`; looking: the step of the decoder whose attention is drawn."""
    figure, panels = plt.subplots(len(contexts), 1, figsize=(7, 2.7 * len(contexts)), dpi=100, squeeze=False)
    figure.set_layout_engine("constrained")
    for ax, context in zip(panels[:, 0], contexts, strict=True):
        ax.set(xlim=(-0.7, len(SOURCE) + len(TARGET) + AWAY - 0.6), ylim=(CONTEXT - 0.3, SAID + 0.3))
        ax.axis("off")
        ax.set_title(TITLES[context], fontsize=10, loc="left")
        read = _chain(ax, 0, SOURCE, ("",) * len(SOURCE), "h", 1)
        written = _chain(ax, len(SOURCE) + AWAY - 1, ("", "<s>", *TARGET[:-1]), ("", *TARGET), "s", 0)
        _hand_over(ax, context, read, written, looking)
    return figure


def _chain(ax: Axes, x: float, words: Sequence[str], said: Sequence[str], letter: str, first: int) -> list[Text]:
    """Recurrent states, each after the one before."""
    boxes: list[Text] = []
    for t, (word, answer) in enumerate(zip(words, said, strict=True)):
        boxes.append(_box(ax, x + t, STATE, f"${letter}_{t + first}$", BLUE))
        if word:
            _arrow(ax, _box(ax, x + t, READ, word, "gray"), boxes[-1])
        if answer:
            _arrow(ax, boxes[-1], _box(ax, x + t, SAID, answer, "black"))
        if t:
            _arrow(ax, boxes[-2], boxes[-1])
    return boxes


def _hand_over(ax: Axes, context: str, read: list[Text], written: list[Text], looking: int) -> None:
    """The context, from the encoder's states to those of the decoder that see it."""
    _arrow(ax, read[-1], written[0], ORANGE)
    if context == "first":
        middle = (read[-1].get_position()[0] + written[0].get_position()[0]) / 2
        ax.text(middle, STATE + 0.12, "c", color=ORANGE, ha="center", fontsize=9)
        return
    place = written[1 + looking].get_position()[0] - 0.5 if context == "attention" else written[0].get_position()[0]
    name = f"$c^{looking + 1}$" if context == "attention" else "c"
    c = _box(ax, place, CONTEXT, name, ORANGE)
    for state in read if context == "attention" else read[-1:]:
        _arrow(ax, state, c, ORANGE, 0.25)
    if context == "attention":
        _arrow(ax, written[looking], c, "gray")
    if context == "attention":
        _arrow(ax, c, written[1 + looking], ORANGE)
    for state in written[1:] if context == "every" else ():
        _arrow_past_its_word(ax, c, state)


def _arrow_past_its_word(ax: Axes, c: Text, state: Text) -> None:
    """From the context along the foot of the panel, up on the left of the word that is read, and into the state."""
    foot, beside = c.get_position()[1], state.get_position()[0] - ASIDE
    ax.plot([c.get_position()[0], beside, beside], [foot, foot, BEND], color=ORANGE, linewidth=1, zorder=1)
    arrow = {"arrowstyle": "->", "color": ORANGE, "patchB": state.get_bbox_patch(), "shrinkA": 0, "shrinkB": 1}
    ax.annotate("", state.get_position(), (beside, BEND), arrowprops=arrow, zorder=1)


def _box(ax: Axes, x: float, y: float, words: str, colour: str) -> Text:
    frame = {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": colour}
    return ax.text(x, y, words, ha="center", va="center", fontsize=9, bbox=frame, zorder=3)


def _arrow(ax: Axes, tail: Text, head: Text, colour: str = "black", bent: float = 0.0) -> None:
    ends = {"patchA": tail.get_bbox_patch(), "patchB": head.get_bbox_patch(), "shrinkA": 0, "shrinkB": 1}
    arrow = {"arrowstyle": "->", "color": colour, "connectionstyle": f"arc3,rad={bent}", **ends}
    ax.annotate("", head.get_position(), tail.get_position(), arrowprops=arrow, zorder=1)
