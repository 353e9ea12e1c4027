"""A transformer's block as a drawing in which the vector of one token is followed, part by part, layer after layer.

    BlockWalk(["the", "cat", "sat"], x, [{"norm1": …, "attention": …, "norm2": …, "feed_forward": …}])

A block takes a vector x and adds to it what each of its parts f finds: x + f(norm(x)) in the order used now (pre-norm),
norm(x + f(x)) as published (post-norm; Vaswani et al., 2017). Only attention sees other tokens; norm, feed-forward and
sum work on each token alone. In a decoder a second attention, the cross-attention, asks the encoder's output, the
memory. Beside each vector stand its length √Σ x_n², its mean μ and its spread σ = √(Σ (x_n − μ)² / D).

What the parts give is taken as it is; only the sums are made here and in the browser, which needs no kernel. Left out
on purpose: what happens inside a part (`qk_view` takes an attention apart), dropout, batches.
"""

from pathlib import Path

import numpy as np
from traitlets import Bool, Bytes, Int, List, Unicode

from ..modules import join_module
from ..tables import TabledWidget, html_table
from ..tokens import read_words
from ..traits import ruled, set_traits
from .reading import check_size, read_layers, read_looks, read_rows
from .walking import LOOKS, NAMES, walk_through

_HERE = Path(__file__).parent
LETTERS = "abcdefghijklmnopqrstuvwxyz_"
_STATE = ("token", "layer", "part", "own")

_RULES = {
    "token": (lambda widget, i: 0 <= i < len(widget.tokens), "the number of a token, from 0"),
    "layer": (lambda widget, n: 0 <= n < widget.depth, "the number of a layer, from 0"),
    "part": (lambda widget, name: name in widget.places(), "“input” or a part of these blocks, such as “attention”"),
}


class BlockWalk(TabledWidget):
    """One block as a drawing, a row a part, with one token's vector in each: as colours, with length, mean and spread.

    tokens: N of them, 1 to 60. x: what goes into the first block, (N, D) or a batch (B, N, D); D is 128 at most.
    layers: for each block what its parts give, {name: (N, D) or (B, N, D)}: norm1, attention, norm2, feed_forward; for
        a decoder that asks a memory norm1, attention, norm2, cross, norm3, feed_forward. If they are known also
        where its heads look: weights (H, N, N) and cross_weights (H, N, M), or batches of these.
    norm: "pre" for x + f(norm(x)), "post" for norm(x + f(x)). final: (N, D), given by the norm after the last block.
    context: the M tokens of the memory. sentence: which of a batch is shown, from 0.

    Traits that may be read and set at any time: token and layer, from 0, part ("input", a part's name as above,
    "add1" and so on for the sums, "final"), own (has each row a colour scale of its own?). ValueError, in one line, for
    what cannot be shown.
    """

    _esm = join_module(_HERE / "view.js")
    _css = join_module(_HERE / "style.css")

    tokens = List(Unicode()).tag(sync=True)  # N
    context = List(Unicode()).tag(sync=True)  # M, or none
    norm = Unicode().tag(sync=True)
    parts = List(Unicode()).tag(sync=True)  # of a block, in order
    depth = Int().tag(sync=True)  # L
    closed = Bool().tag(sync=True)  # does a norm follow after the last block?
    vectors = Bytes().tag(sync=True)  # float32: x, each block's parts but for the sums, final; (N, D) each
    heads = List(Int()).tag(sync=True)  # L × the parts that look, how many heads are known of each, 0 for none
    looks = Bytes().tag(sync=True)  # float32: of each of these the weights (H, N, N or M)

    token = Int(0).tag(sync=True)
    layer = Int(0).tag(sync=True)
    part = Unicode("input").tag(sync=True)
    own = Bool(False).tag(sync=True)
    _hold_to_rules = ruled(_RULES)

    def __init__(self, tokens, x, layers, norm="pre", final=None, context=None, sentence: int = 0, **state):
        tokens = read_words(tokens, "tokens")
        context = [] if context is None else read_words(context, "context")
        layers, parts = read_layers(layers, norm)
        self._x = read_rows(x, "x", tokens, None, sentence)  # (N, D)

        def rows(values, name: str) -> np.ndarray:
            return read_rows(values, name, tokens, self._x.shape[1], sentence)

        self._given = [
            {part: rows(layer[part], f"layers[{n}][{part!r}]") for part in parts if part in layer}
            for n, layer in enumerate(layers)
        ]
        self._looks = [read_looks(layer, f"layers[{n}]", tokens, context, sentence) for n, layer in enumerate(layers)]
        self._final = None if final is None else rows(final, "final")
        super().__init__(
            tokens=tokens,
            context=context,
            norm=norm,
            parts=parts,
            depth=len(layers),
            closed=final is not None,
            **self._packed(parts),
        )
        set_traits(self, _STATE, state)

    def _packed(self, parts: list[str]) -> dict:
        """All vectors and weights as bytes, for the browser."""
        vectors = [self._x, *(rows for given in self._given for rows in given.values())]
        vectors += [] if self._final is None else [self._final]
        looks = [found.get(part) for found in self._looks for part in LOOKS if part in parts]
        known = [one for one in looks if one is not None]
        check_size(vectors + known)
        return {
            "vectors": np.stack(vectors).tobytes(),
            "heads": [0 if one is None else len(one) for one in looks],
            "looks": b"".join(one.tobytes() for one in known),
        }

    def places(self, layer: int | None = None) -> list[str]:
        """Where a vector can be looked at in a layer (None: in any), in order."""
        last = self.closed and layer in (None, self.depth - 1)
        return ["input", *self.parts, *(["final"] if last else [])]

    def walk(self, token: int | None = None) -> list[dict[str, np.ndarray]]:
        """Of each layer {place: (D,) float64}, the vector of a token (None: the one looked at) there, in order."""
        token = self.token if token is None else token
        x, walks = self._x[token].astype(float), []
        for given in self._given:
            of_token = {part: rows[token].astype(float) for part, rows in given.items()}
            walks.append(walk_through(x, of_token, self.parts, self.norm))
            x = walks[-1][self.parts[-1]]
        if self.closed:
            walks[-1]["final"] = self._final[token].astype(float)
        return walks

    def lengths(self, token: int | None = None) -> list[float]:
        """√Σ x_n² of a token's vector before the first layer and after each one; last after the final norm, if any."""
        walks = self.walk(token)
        after = [walk[self.parts[-1]] for walk in walks]
        ends = [walks[-1]["final"]] if self.closed else []
        return [float(np.linalg.norm(x)) for x in (walks[0]["input"], *after, *ends)]

    def weights(self, part: str = "attention", layer: int | None = None) -> np.ndarray | None:
        """Where a layer's heads look (None: the one looked at): (H, N, N), for "cross" (H, N, M); None if unknown."""
        return self._looks[self.layer if layer is None else layer].get(part)

    def _beside(self) -> tuple[str, str]:
        word, told = self.tokens[self.token], ", ".join(f"{length:.2f}" for length in self.lengths())
        return f"“{word}” through {self.depth} layers ({self.norm}-norm), length of its vector: {told}", _table(self)


def _table(widget: BlockWalk) -> str:
    """A row for each place of each layer: the length of the vector there, its mean and its spread."""
    rows = [
        [
            f"layer {n}, {NAMES[place.rstrip('123')]} {place.lstrip(LETTERS)}".rstrip(),
            *(f"{number:.2f}" for number in (np.linalg.norm(x), x.mean(), x.std())),
        ]
        for n, places in enumerate(widget.walk())
        for place, x in places.items()
    ]
    caption = f"“{widget.tokens[widget.token]}” through {widget.depth} layers, {widget.norm}-norm; layers from 0"
    return html_table(caption, ["", "length", "mean μ", "spread σ"], rows)
