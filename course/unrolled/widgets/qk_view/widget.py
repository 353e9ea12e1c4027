"""Query and keys: one query's product with each key, element by element, the sum, the division, the softmax.

    QKView(["the", "cat", "sat"], q, k, mask=causal_mask(3), head=1, query=2)

A query q and a key k of K numbers each have the score q·k = Σ_n q_n k_n. Divided by √K the scores of a query become its
weights, α_j = softmax_j(q·k_j / √K), over the keys that it may see (Vaswani et al., 2017). The division can be left
out, to see what it is for. Left out on purpose: the values, and where queries and keys come from.
"""

from pathlib import Path

import numpy as np
from traitlets import Bool, Bytes, Int, List, Unicode

from ..modules import join_module
from ..tables import TabledWidget, html_table
from ..tokens import read_words
from ..traits import ruled, set_traits
from .reading import check_pair, read_mask, read_vectors

_HERE = Path(__file__).parent
_MOST_TOKENS = 96

_RULES = {
    "head": (lambda widget, n: 0 <= n < widget.shape[0], "the number of a head, from 0"),
    "query": (lambda widget, i: 0 <= i < widget.shape[1], "the number of a token that looks, from 0"),
    "key": (lambda widget, j: 0 <= j < widget.shape[2], "the number of a token that is seen, from 0"),
}


class QKView(TabledWidget):
    """One query and all its keys: products element by element, their sum q·k, q·k / √K, and the weights.

    tokens: those that look, 1 to 96; context: those that are seen, if they are others.
    q: queries (M, K) of one head, (H, M, K) of H heads, or a batch (B, H, M, K); k: keys (N, K), (H, N, K) or
        (B, H, N, K); K is 128 at most.
    mask: bool (M, N) or what broadcasts to it, True where a query may look; None: everywhere.
    sentence: which of a batch is shown, from 0.

    Traits that may be read and set at any time: head, query and key, from 0, and scaled (are scores divided by √K?).
    ValueError, in one line, for what cannot be shown.
    """

    _esm = join_module(_HERE / "view.js")
    _css = join_module(_HERE / "style.css")

    tokens = List(Unicode()).tag(sync=True)  # M
    seen = List(Unicode()).tag(sync=True)  # N
    shape = List(Int()).tag(sync=True)  # H, M, N, K
    queries = Bytes().tag(sync=True)  # float32 (H, M, K)
    vectors = Bytes().tag(sync=True)  # float32 (H, N, K): the keys
    mask = Bytes().tag(sync=True)  # uint8 (M, N): 1 where a query may look

    head = Int(0).tag(sync=True)
    query = Int(0).tag(sync=True)
    key = Int(0).tag(sync=True)
    scaled = Bool(True).tag(sync=True)
    _hold_to_rules = ruled(_RULES)

    def __init__(self, tokens, q, k, context=None, mask=None, sentence: int = 0, **state):
        tokens = read_words(tokens, "tokens", _MOST_TOKENS)
        seen = tokens if context is None else read_words(context, "context", _MOST_TOKENS)
        self._q, self._k = read_vectors(q, "q", tokens, sentence), read_vectors(k, "k", seen, sentence)
        check_pair(self._q, self._k)
        self._mask = read_mask(mask, (len(tokens), len(seen)))
        super().__init__(
            tokens=tokens,
            seen=seen,
            shape=[len(self._q), len(tokens), len(seen), self._q.shape[-1]],
            queries=self._q.tobytes(),
            vectors=self._k.tobytes(),
            mask=self._mask.astype(np.uint8).tobytes(),
        )
        set_traits(self, ("head", "query", "key", "scaled"), state)

    def products(self) -> np.ndarray:
        """q_n k_n of the query looked at with each key, (N, K) float64."""
        return self._q[self.head, self.query].astype(float) * self._k[self.head].astype(float)

    def scores(self) -> np.ndarray:
        """(M, N) float64: q·k of each query of the head looked at with each key, divided by √K if it is scaled."""
        scores = self._q[self.head].astype(float) @ self._k[self.head].astype(float).T
        return scores / np.sqrt(self.shape[3]) if self.scaled else scores

    def weights(self) -> np.ndarray:
        """(M, N) float64: the softmax of each row of scores over the keys that it may see; else 0."""
        scores = np.where(self._mask, self.scores(), -np.inf)
        largest = np.where(self._mask.any(1), scores.max(1), 0.0)[:, None]  # 0: a row that may see nothing
        powers = np.exp(scores - largest)
        return powers / np.maximum(powers.sum(1, keepdims=True), np.finfo(float).tiny)

    def _beside(self) -> tuple[str, str]:
        word, weights = self.tokens[self.query], self.weights()[self.query]
        told = ", ".join(f"{token} {100 * weight:.1f} %" for token, weight in zip(self.seen, weights, strict=True))
        return f"query and keys, head {self.head}, “{word}”: {told}", self._table(word, weights)

    def _table(self, word: str, weights: np.ndarray) -> str:
        """A row a key: the sum of products, the score that goes into the softmax, the weight."""
        sums, scores = self.products().sum(1), self.scores()[self.query]
        rows = [
            [token, f"{sums[j]:.2f}", f"{scores[j]:.2f}" if may else "may not be seen", f"{100 * weights[j]:.1f} %"]
            for j, (token, may) in enumerate(zip(self.seen, self._mask[self.query], strict=True))
        ]
        divided = f"q·k / √{self.shape[3]}" if self.scaled else "q·k, not divided"
        caption = f"Query “{word}” with each key, head {self.head} of {self.shape[0]}, counted from 0"
        return html_table(caption, ["", "q·k", divided, "weight"], rows)
