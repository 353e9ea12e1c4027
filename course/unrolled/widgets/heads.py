"""What the widgets of attention heads share: the weights of all layers and heads, and which of them is looked at."""

import numpy as np
from traitlets import Bytes, Int, List, Unicode, observe

from .head_sets import HeadSet, read_sets
from .tables import TabledWidget
from .traits import ruled, set_traits

_RULES = {
    "kind": (lambda widget, name: name in widget.kinds, "the name of one of the given sets"),
    "layer": (lambda widget, n: 0 <= n < widget._set.codes.shape[0], "the number of a layer, from 0"),
    "head": (lambda widget, n: 0 <= n < widget._set.codes.shape[1], "the number of a head, from 0"),
}


class HeadsWidget(TabledWidget):
    """The weights of every head of every layer, a byte each, and one head that is looked at.

    tokens: the tokens that look, 1 to 96. context: the tokens that an encoder reads, if there are any.
    attentions: one set of weights, or several by name, {"encoder": …, "decoder": …, "cross": …}. A set is an array
        (L, H, M, N) for L layers of H heads, M tokens that look and N tokens that are seen; (H, M, N) is one layer,
        (M, N) one head. Or a tuple or list with a tensor (B, H, M, N) or (H, M, N) for each layer, as Hugging Face's
        models return it; the batch of a single layer is (weights,). In “encoder” the context looks at itself, in
        “cross” the tokens look at the context, in any other set the tokens look at themselves; a single set without a
        name looks at the context if there is one. A row has sum 1, or only zeros where a token may see nothing.
    sentence: which of a batch is shown, from 0.

    Traits that may be read and set at any time: kind (a set's name), layer and head, from 0. ValueError, in one line,
    for what cannot be shown.
    """

    tokens = List(Unicode()).tag(sync=True)
    context = List(Unicode()).tag(sync=True)
    kinds = List(Unicode()).tag(sync=True)  # names of the sets
    sides = List(List(Unicode())).tag(sync=True)  # of each set: whose tokens look, and whose are seen
    shapes = List(List(Int())).tag(sync=True)  # of each set: L, H, M, N
    codes = Bytes().tag(sync=True)  # uint8, all sets (L, H, M, N) one after the other
    scales = Bytes().tag(sync=True)  # float32, all sets (L, H, M): the heaviest weight of each row

    kind = Unicode().tag(sync=True)
    layer = Int(0).tag(sync=True)
    head = Int(0).tag(sync=True)
    _hold_to_rules = ruled(_RULES)

    _state = ("kind", "layer", "head")  # what the constructor may set, in this order

    def __init__(self, tokens, attentions, context=None, sentence: int = 0, **state):
        rows, self._sets = read_sets(tokens, attentions, context, sentence)
        sets = list(self._sets.values())
        super().__init__(
            **rows,
            kinds=list(self._sets),
            sides=[[one.queries, one.keys] for one in sets],
            shapes=[list(one.codes.shape) for one in sets],
            codes=b"".join(one.codes.tobytes() for one in sets),
            scales=b"".join(one.scales.tobytes() for one in sets),
        )
        state = {"kind": self.kinds[0], **state}
        set_traits(self, self._state, {name: state[name] for name in sorted(state, key=self._place)})

    def weights(self, layer: int | None = None, head: int | None = None, kind: str | None = None) -> np.ndarray:
        """The weights of a head (None: the one looked at), (M, N) float64, as they were given."""
        one = self._sets[self.kind if kind is None else kind]
        at = (self.layer if layer is None else layer, self.head if head is None else head)
        return one.weights[at].astype(float)

    def rows(self, kind: str | None = None) -> tuple[list[str], list[str]]:
        """The tokens that look and those that are seen in a set (None: the one looked at)."""
        one = self._sets[self.kind if kind is None else kind]
        return getattr(self, one.queries), getattr(self, one.keys)

    @property
    def _set(self) -> HeadSet:
        return self._sets[self.kind]

    @classmethod
    def _place(cls, name: str) -> int:
        return cls._state.index(name) if name in cls._state else len(cls._state)

    @observe("kind")
    def _stay_inside(self, change) -> None:
        layers, heads, *_ = self._set.codes.shape
        self.layer, self.head = min(self.layer, layers - 1), min(self.head, heads - 1)
