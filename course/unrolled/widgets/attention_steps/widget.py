"""Attention step by step: two rows of words, lines between them, and the matrix of weights of each score.

    AttentionSteps(["twenty", "one"], ["ein", "und", "zwanzig"], {"dot": weights}, aligned=[1, None, 0])

At step j a decoder spreads one unit of weight, α^j, over the N source words (Bahdanau, Cho and Bengio, 2015). How
evenly it does so is the entropy of that row in bits, H = −Σ_i α_i^j log2 α_i^j: 0 if all lies on one word, log2 N if
all words have the same. If the true source word of each target word is known, the widget counts the rows whose heaviest
weight lies on it.

All numbers travel to the browser, which also answers on a page without a kernel. Left out on purpose: computing the
weights (a model does), several heads, and pads, whose columns are cut off before.
"""

from pathlib import Path

import numpy as np
from traitlets import Bool, Bytes, Int, List, Unicode

from ..modules import join_module
from ..tables import TabledWidget, html_table
from ..tokens import read_words
from ..traits import ruled, set_traits
from .reading import read_aligned, read_weights

_HERE = Path(__file__).parent

_RULES = {
    "step": (lambda widget, step: 0 <= step < len(widget.target), "the number of a target word, from 0"),
    "score": (lambda widget, name: name in widget.scores, "the name of one of the given scores"),
}


class AttentionSteps(TabledWidget):
    """The weights of each decoder step, as lines from the word that is written to the words that are read.

    source: the N words that are read; target: the M words that are written; 1 to 60 of each.
    weights: (M, N), a row for each target word, none below 0 and each row with sum 1: an array, a tensor or lists. Or
        {name of a score: such a matrix}, up to 6 of them.
    aligned: of each target word the place of its true source word, from 0, or None; None if it is not known.

    Traits that may be read and set at any time: step (from 0), score (a name), beside (are all scores' matrices shown
    beside each other?). ValueError, in one line, for what cannot be shown.
    """

    _esm = join_module(_HERE / "view.js")
    _css = join_module(_HERE / "style.css")

    source = List(Unicode()).tag(sync=True)  # N
    target = List(Unicode()).tag(sync=True)  # M
    scores = List(Unicode()).tag(sync=True)  # names, K of them
    weights = Bytes().tag(sync=True)  # float32 (K, M, N)
    aligned = List(Int()).tag(sync=True)  # (M,): a place in source, −1 for none; empty: not known

    step = Int(0).tag(sync=True)
    score = Unicode().tag(sync=True)
    beside = Bool(False).tag(sync=True)
    _hold_to_rules = ruled(_RULES)

    def __init__(self, source, target, weights, aligned=None, **state):
        source, target = read_words(source, "source"), read_words(target, "target")
        self._matrices = read_weights(weights, source, target)
        super().__init__(
            source=source,
            target=target,
            scores=list(self._matrices),
            weights=np.stack(list(self._matrices.values())).tobytes(),
            aligned=read_aligned(aligned, source, target),
        )
        set_traits(self, ("step", "score", "beside"), {"score": self.scores[0], **state})

    def matrix(self, score: str | None = None) -> np.ndarray:
        """The weights of a score (None: the one looked at), (M, N) float64."""
        return self._matrices[self.score if score is None else score].astype(float)

    def entropy(self, score: str | None = None) -> np.ndarray:
        """The entropy of each row in bits, (M,); 0 log 0 counts as 0."""
        weights = self.matrix(score)
        return -(weights * np.log2(np.where(weights > 0, weights, 1))).sum(1) + 0.0  # + 0.0: no −0

    def heaviest(self, score: str | None = None) -> list[int]:
        """Of each target word the place of the source word with the largest weight; the first of equal ones."""
        return self.matrix(score).argmax(1).tolist()

    def hits(self, score: str | None = None) -> tuple[int, int]:
        """In how many rows the heaviest weight lies on the true source word, and how many rows have one."""
        pairs = [(i, true) for i, true in zip(self.heaviest(score), self.aligned, strict=False) if true >= 0]
        return sum(i == true for i, true in pairs), len(pairs)

    def _beside(self) -> tuple[str, str]:
        pairs = zip(self.target, self.heaviest(), strict=True)
        told = ", ".join(f"{word} ← {self.source[i]}" for word, i in pairs)
        return f"attention ({self.score}): {told}", "".join(_table(self, score) for score in self.scores)


def _table(widget: AttentionSteps, score: str) -> str:
    """A row a target word: its weights in percent, its entropy and, if known, its true source word."""
    bits = widget.entropy(score)
    rows = [
        [word, *(f"{100 * weight:.1f} %" for weight in weights), f"{bits[j]:.2f}"]
        for j, (word, weights) in enumerate(zip(widget.target, widget.matrix(score), strict=True))
    ]
    head, caption = ["", *widget.source, "entropy in bits"], f"Attention weights, score “{score}”"
    if widget.aligned:
        head.append("true source word")
        rows = [[*row, "none" if i < 0 else widget.source[i]] for row, i in zip(rows, widget.aligned, strict=True)]
        caption += "; the heaviest lies on the true source word in {} of {} rows".format(*widget.hits(score))
    return html_table(caption, head, rows)
