"""Model view: all layers and heads of a model at a glance, a small picture each; a click opens one.

    ModelView(["the", "cat", "sat"], weights)
    ModelView(target, {"encoder": …, "decoder": …, "cross": …}, context=source)

Each picture is the matrix α^h of one head: a row for each token that looks, a column for each that is seen. What a head
does on average is said in numbers, too: the weight on the token itself, the one before, the one after and the first
one, and the entropy of its rows in bits, H = −Σ_j α_ij log2 α_ij. Left out on purpose: what a head is good for.
"""

from pathlib import Path

import numpy as np
from traitlets import Bytes, Unicode

from ..heads import HeadsWidget
from ..modules import join_module
from ..tables import html_table
from ..traits import ruled
from .habits import HABITS, habits_of

_HERE = Path(__file__).parent
SHADES = ("weight", "row")

_RULES = {"shade": (lambda _, name: name in SHADES, "“weight” or “row”")}


class ModelView(HeadsWidget):
    """The weights of every head of every layer as small pictures, a row a layer, and one head opened below.

    tokens: those that look, 1 to 96. context: those that an encoder reads, if there are any.
    attentions: an array (L, H, M, N), (H, M, N) or (M, N); or a tuple with a tensor (B, H, M, N) or (H, M, N) for each
        layer; or {"encoder": …, "decoder": …, "cross": …} of such sets. `HeadsWidget` says it all.
    sentence: which of a batch is shown, from 0.

    Traits that may be read and set at any time: kind (a set's name), layer and head (the opened one), from 0, and shade
    ("row": full for the heaviest weight of each row; "weight": full for 100 %). ValueError, in one line, for what
    cannot be shown.
    """

    _esm = join_module(_HERE / "view.js")
    _css = join_module(_HERE / "style.css")

    averages = Bytes().tag(sync=True)  # float32, all sets (L, H, 6) one after the other
    shade = Unicode("row").tag(sync=True)
    _hold_to_more_rules = ruled(_RULES)

    _state = ("kind", "layer", "head", "shade")

    def __init__(self, tokens, attentions, context=None, sentence: int = 0, **state):
        super().__init__(tokens, attentions, context, sentence, **state)
        self.averages = b"".join(self.habits(kind).astype("<f4").tobytes() for kind in self.kinds)

    def habits(self, kind: str | None = None) -> np.ndarray:
        """(L, H, 6) of a set (None: the one looked at): mean weight on the token itself, the one before, the one after,
        the first one; mean entropy of a row in bits; share of rows that see anything."""
        return habits_of(self._sets[self.kind if kind is None else kind].weights)

    def _beside(self) -> tuple[str, str]:
        told = ", ".join(f"{kind} {shape[0]} × {shape[1]}" for kind, shape in zip(self.kinds, self.shapes, strict=True))
        tables = (_table(self, kind, *sides) for kind, sides in zip(self.kinds, self.sides, strict=True))
        return f"all heads (layers × heads): {told}", "".join(tables)


def _table(widget: ModelView, kind: str, queries: str, keys: str) -> str:
    """A row a head: where its weight lies on average. Neighbours there are only where a row looks at itself."""
    first = 0 if queries == keys else HABITS.index("the first token")
    rows = [
        [f"layer {layer}, head {head}", *(f"{100 * share:.1f} %" for share in numbers[first:4]), f"{numbers[4]:.2f}"]
        for layer, heads in enumerate(widget.habits(kind))
        for head, numbers in enumerate(heads)
    ]
    caption = f"What each head does on average, set “{kind}”; layers and heads are counted from 0"
    return html_table(caption, ["", *(f"weight on {name}" for name in HABITS[first:]), "entropy in bits"], rows)
