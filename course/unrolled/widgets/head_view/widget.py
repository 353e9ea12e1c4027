"""Head view: the tokens that look, the tokens that are seen, and between them lines as strong as the weights.

    HeadView(["the", "cat", "sat"], weights, layer=1, head=3)
    HeadView(target, {"decoder": …, "cross": …}, context=source, kind="cross")

Head h of a layer gives each token i a row of weights over the tokens j, α_ij^h = softmax_j(q_i · k_j / √K) (Vaswani et
al., 2017). The view draws one head; below it stands what every head of that layer gives the token looked at. Left out
on purpose: computing the weights (a model does), and what a weight is worth for the answer, which it does not tell.
"""

from pathlib import Path

from traitlets import Bool, Int, Unicode, observe

from ..heads import HeadsWidget
from ..modules import join_module
from ..tables import html_table
from ..traits import ruled

_HERE = Path(__file__).parent
_NAMED = 3  # keys of a row in the table beside
ARRANGEMENTS = ("columns", "rows")

_RULES = {
    "token": (lambda widget, i: 0 <= i < widget._set.codes.shape[2], "the number of a token that looks, from 0"),
    "arrangement": (lambda _, name: name in ARRANGEMENTS, "“columns” or “rows”"),
}


class HeadView(HeadsWidget):
    """Lines between two rows of tokens for the weights of one head.

    tokens: those that look, 1 to 96. context: those that an encoder reads, if there are any.
    attentions: an array (L, H, M, N), (H, M, N) or (M, N); or a tuple with a tensor (B, H, M, N) or (H, M, N) for each
        layer; or {"encoder": …, "decoder": …, "cross": …} of such sets. `HeadsWidget` says it all.
    sentence: which of a batch is shown, from 0.

    Traits that may be read and set at any time: kind (a set's name), layer, head and token (the one looked at), from 0,
    arrangement ("columns" or "rows") and all (are the lines of the other tokens drawn, too?). ValueError, in one line,
    for what cannot be shown.
    """

    _esm = join_module(_HERE / "view.js")
    _css = join_module(_HERE / "style.css")

    token = Int(0).tag(sync=True)
    arrangement = Unicode("columns").tag(sync=True)
    all = Bool(True).tag(sync=True)
    _hold_to_more_rules = ruled(_RULES)

    _state = ("kind", "layer", "head", "token", "arrangement", "all")

    @observe("kind")
    def _stay_inside_row(self, change) -> None:
        self.token = min(self.token, self._set.codes.shape[2] - 1)

    def _beside(self) -> tuple[str, str]:
        rows = [[token, *cells] for token, cells in zip(self.rows()[0], self._heaviest(), strict=True)]
        told = ", ".join(f"{token} → {first}" for token, first, *_ in rows)
        names = ["looks most at", *(["then at"] * (_NAMED - 1))]
        of = f"layer {self.layer} of {self._set.codes.shape[0]}, head {self.head} of {self._set.codes.shape[1]}"
        caption = f"Weights of one head, {of}, set “{self.kind}”; layers and heads are counted from 0"
        return f"{self.kind}, layer {self.layer}, head {self.head}: {told}", html_table(caption, ["", *names], rows)

    def _heaviest(self) -> list[list[str]]:
        """Of each token that looks the tokens that it sees most, with their weights."""
        keys = self.rows()[1]
        found = []
        for row in self.weights():
            order = sorted(range(len(keys)), key=lambda j: (-row[j], j))[:_NAMED]
            cells = [f"{keys[j]} {100 * row[j]:.1f} %" if row[j] > 0 else "nothing" for j in order]
            found.append(cells + ["nothing"] * (_NAMED - len(cells)))
        return found
