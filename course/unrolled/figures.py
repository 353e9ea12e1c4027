"""The house style of the course's figures, and a way to show one that everybody can read.

Colours are those of Okabe and Ito (2008), which colour-blind readers can tell apart; lines also differ by marker.
"""

import base64
import io

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def axes(xlabel: str, ylabel: str, width: float = 7.0, height: float = 3.6) -> tuple[Figure, Axes]:
    """An empty figure with labelled axes; `width` and `height` in inches."""
    figure, ax = plt.subplots(figsize=(width, height), dpi=100, layout="constrained")
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    ax.set_prop_cycle(color=COLOURS, marker=MARKERS)
    ax.grid(alpha=0.3)
    ax.spines[["top", "right"]].set_visible(False)
    return figure, ax


def show(figure: Figure, alt: str) -> None:
    """Display a figure with `alt`, one or two sentences for those who cannot see it, and close it."""
    from IPython.display import display

    page = io.BytesIO()
    figure.savefig(page, format="png")
    plt.close(figure)
    picture = base64.b64encode(page.getvalue()).decode()
    data = {"image/png": picture, "text/plain": alt}
    display(data, raw=True, metadata={"image/png": {"alt": alt}})
