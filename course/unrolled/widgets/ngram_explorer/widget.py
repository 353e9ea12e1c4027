"""The n-gram explorer: type a context and see what every order and every smoothing expects next.

    NGramExplorer(text, context="the kin")

The browser gets the text itself as ids and the discounts of Kneser–Ney, and counts by itself, so the explorer
also answers on a page without a kernel. Discounts come from `unrolled.ngrams.KneserNey`, one model an order; so
does the plain table that stands beside the view for readers who cannot run it (untrusted notebooks, feedback, print).

Left out on purpose: models over several sequences with boundaries between them (the text is one stream),
and texts of more than a few hundred thousand symbols, which would make a page heavy.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from traitlets import Bytes, Dict, Float, Int, List, Unicode

from unrolled.ngrams import KneserNey
from unrolled.vocabulary import Vocabulary

from ..modules import join_module
from ..tables import TabledWidget, html_table
from ..traits import ruled, set_traits

_HERE = Path(__file__).parent
_NAMES = {"mle": "maximum likelihood", "add_k": "add-k", "kneser_ney": "Kneser–Ney"}
_VISIBLE = {" ": "␣", "\n": "⏎", "\t": "⇥", "\r": "␍"}
_TABLE_ROWS = 10
_LARGEST_ORDER = 8  # columns that a page has room for

_RULES = {
    "order": (lambda widget, n: 1 <= n <= widget.max_order, "from 1 to max_order"),
    "smoothing": (lambda _, name: name in _NAMES, "'mle', 'add_k' or 'kneser_ney'"),
    "k": (lambda _, k: 0 < k < float("inf"), "above 0"),
    "temperature": (lambda _, t: 0 <= t < float("inf"), "0 or more"),
    "seed": (lambda _, n: 0 <= n < 2**31, "from 0 to 2³¹−1"),
}


class NGramExplorer(TabledWidget):
    """Next-symbol distributions of orders 1 … max_order under three smoothings, side by side.

    text_or_ids: a string (characters), a list of words, or ids (list, array or tensor of integers) with `symbols`.
    max_order: the largest order shown, 1 to 8; an order n looks at n−1 symbols of context.
    context: what stands written at first; words are separated by spaces.
    symbols: a Vocabulary or a list of strings, the symbol of each id. None: the symbols of the text, sorted.
    max_symbols: only so many symbols, from the beginning of the text, are counted and sent to the browser
        (1 byte each up to 256 symbols, 2 up to 65,536, else 4).

    Traits that may be read and set at any time: context, order, smoothing ("mle", "add_k" or "kneser_ney"),
    k, temperature, seed. ValueError, in one line, for what cannot be shown.
    """

    _esm = join_module(_HERE / "view.js")
    _css = join_module(_HERE / "style.css")

    ids = Bytes().tag(sync=True)  # little-endian, id_bytes a symbol
    id_bytes = Int().tag(sync=True)
    symbols = List(Unicode()).tag(sync=True)
    unknown = Int(-1).tag(sync=True)  # the id that stands for every other symbol, or -1
    unit = Unicode().tag(sync=True)  # "characters" or "words"
    max_order = Int().tag(sync=True)
    discounts = List(Dict()).tag(sync=True)  # [order − 1] = {"raw": [D1, D2, D3+], "continuation": [D1, D2, D3+]}
    description = Unicode().tag(sync=True)

    context = Unicode().tag(sync=True)
    order = Int(1).tag(sync=True)
    smoothing = Unicode("kneser_ney").tag(sync=True)
    k = Float(0.01).tag(sync=True)
    temperature = Float(1.0).tag(sync=True)
    seed = Int(0).tag(sync=True)
    _hold_to_rules = ruled(_RULES)

    def __init__(self, text_or_ids, max_order=6, context="", symbols=None, max_symbols=100_000, **state):
        _check_sizes(max_order, max_symbols)
        ids, vocabulary, total = _read(text_or_ids, symbols, max_symbols)
        if len(ids) <= max_order:
            raise ValueError(f"the text has {len(ids)} symbols: too few for order {max_order}, give it more text")
        unit = "characters" if isinstance(text_or_ids, str) else _unit(vocabulary.symbols)
        kind = np.dtype("<u1" if len(vocabulary) <= 2**8 else "<u2" if len(vocabulary) <= 2**16 else "<u4")
        self._ids, self._models = ids, _fit(ids, max_order, len(vocabulary))
        super().__init__(
            ids=ids.astype(kind).tobytes(),
            id_bytes=kind.itemsize,
            symbols=vocabulary.symbols,
            unknown=-1 if vocabulary.unknown is None else vocabulary.unknown,
            unit=unit,
            max_order=max_order,
            discounts=_discounts(self._models),
            description=_describe(len(ids), total, len(vocabulary), unit),
        )
        set_traits(self, ("context", *_RULES), {"order": max_order, "context": context, **state})

    def tokens(self) -> list[str]:
        """The symbols of the context, split as the browser splits them."""
        if self.unit == "words":
            return [w for w in (self.context.split(" ") if "\n" in self.symbols else self.context.split()) if w]
        longer = sorted((s for s in self.symbols if len(s) > 1), key=len, reverse=True)
        found, rest = [], self.context
        while rest:
            found.append(next((s for s in longer if rest.startswith(s)), rest[0]))
            rest = rest[len(found[-1]) :]
        return found

    def next_probs(self, order: int, smoothing: str | None = None) -> np.ndarray | None:
        """P of every symbol (V,) after the context, by one order; smoothing None: the chosen one.

        None where there is no answer: the context is too short for the order, or maximum likelihood never saw it.
        """
        context = self._context_of(order)
        if context is None:
            return None
        smoothing = smoothing or self.smoothing
        if smoothing == "kneser_ney":  # beyond an unknown symbol no context was ever seen
            known = context[max((i + 1 for i, symbol in enumerate(context) if symbol < 0), default=0) :]
            return self._models[order - 1].next_probs(torch.tensor(known, dtype=torch.int64)).numpy()
        counts = np.bincount(_followers(self._ids, context), minlength=len(self.symbols))
        added = self.k if smoothing == "add_k" else 0.0
        mass = counts.sum() + added * len(counts)
        return (counts + added) / mass if mass else None

    def seen(self, order: int) -> int | None:
        """How often the context of this order stands in the text with a symbol after it; None if it is too short."""
        context = self._context_of(order)
        return None if context is None else len(_followers(self._ids, context))

    def _context_of(self, order: int) -> list[int] | None:
        id_of = {symbol: i for i, symbol in enumerate(self.symbols)}
        ids = [id_of.get(token, self.unknown) for token in self.tokens()]
        return ids[len(ids) - order + 1 :] if len(ids) >= order - 1 else None

    def _beside(self) -> tuple[str, str]:
        orders = range(1, self.max_order + 1)
        columns = [(n, self.seen(n), self.next_probs(n)) for n in orders]
        return f"n-gram explorer: {_sentence(self, columns)}", _table(self, columns)


def _check_sizes(max_order, max_symbols) -> None:
    if not isinstance(max_order, int) or not 1 <= max_order <= _LARGEST_ORDER:
        raise ValueError(f"max_order is {max_order!r}: it must be an integer from 1 to {_LARGEST_ORDER}")
    if not isinstance(max_symbols, int) or max_symbols < 1:
        raise ValueError(f"max_symbols is {max_symbols!r}: it must be an integer of at least 1")


def _read(text, symbols, max_symbols: int) -> tuple[np.ndarray, Vocabulary, int]:
    """The ids that are counted (N,), their vocabulary, and how many symbols there were before the cut."""
    if not hasattr(text, "__len__"):
        raise ValueError(f"expected a string, a list of words or ids, got {type(text).__name__}")
    part, total = text[:max_symbols], len(text)
    if total == 0:
        raise ValueError("the text is empty: give it something to count")
    if isinstance(part[0], str):
        vocabulary = Vocabulary.of(part) if symbols is None else _vocabulary(symbols)
        return vocabulary.encode(part).numpy(), vocabulary, total
    if symbols is None:
        raise ValueError("ids alone cannot be shown: say what they stand for with symbols=")
    ids, vocabulary = np.asarray(part), _vocabulary(symbols)
    if ids.ndim != 1 or ids.dtype.kind not in "iu":
        raise ValueError(f"expected ids in one row, integers of shape (N,); got {ids.dtype} of shape {ids.shape}")
    if ids.min() < 0 or ids.max() >= len(vocabulary):
        raise ValueError(f"ids run from {ids.min()} to {ids.max()}, but there are {len(vocabulary)} symbols")
    return ids.astype(np.int64), vocabulary, total


def _vocabulary(symbols: Vocabulary | Sequence[str]) -> Vocabulary:
    if isinstance(symbols, Vocabulary):
        return symbols
    symbols = list(symbols)
    if not all(isinstance(s, str) and s for s in symbols) or len(set(symbols)) < len(symbols):
        raise ValueError("symbols must be a Vocabulary or a list of strings, none empty and none twice")
    vocabulary = Vocabulary(symbols)
    vocabulary.unknown = symbols.index("<unk>") if "<unk>" in symbols else None
    return vocabulary


def _unit(symbols: list[str]) -> str:
    """Characters if most symbols are one character (the others may be marks such as <s>), else words."""
    if 2 * sum(len(s) == 1 for s in symbols) >= len(symbols):
        return "characters"
    spaced = [s for s in symbols if " " in s]
    if spaced:
        raise ValueError(f"the word {spaced[0]!r} has a space inside: a context could not be split into words")
    return "words"


def _fit(ids: np.ndarray, max_order: int, vocab_size: int) -> list[KneserNey]:
    """One Kneser–Ney model an order, 1 … max_order."""
    tokens = torch.from_numpy(ids)
    return [KneserNey(order, vocab_size).fit(tokens) for order in range(1, max_order + 1)]


def _discounts(models: list[KneserNey]) -> list[dict]:
    """Of each order both kinds: over raw counts (it is the highest order) and over continuation counts (it is not)."""
    highest = models[-1]
    return [
        {"raw": model.discounts(model.order).tolist(), "continuation": highest.discounts(model.order).tolist()}
        for model in models
    ]


def _followers(ids: np.ndarray, context: list[int]) -> np.ndarray:
    """The symbol after each place where the context stands in the text."""
    after = np.arange(len(context), len(ids))
    for back, symbol in enumerate(reversed(context), start=1):
        after = after[ids[after - back] == symbol]
    return ids[after]


def _describe(used: int, total: int, kinds: int, unit: str) -> str:
    part = f"all {used:,}" if used == total else f"the first {used:,} of {total:,}"
    return f"Counted on {part} {unit} of the text; the vocabulary has {kinds:,} symbols."


# --- the table beside the view


def _visible(text: str) -> str:
    return "".join(_VISIBLE.get(character, character) for character in text)


def _percent(p: float) -> str:
    return "0 %" if p == 0 else "<0.1 %" if p < 0.0005 else f"{100 * p:.1f} %"


def _sentence(widget: NGramExplorer, columns: list) -> str:
    answered = [(n, probs) for n, _, probs in columns if probs is not None]
    order, probs = answered[-1]
    best = _visible(widget.symbols[int(probs.argmax())])
    return (
        f"after “{_visible(widget.context)}”, {_NAMES[widget.smoothing]} of order {order} "
        f"expects “{best}” ({_percent(probs.max())})"
    )


def _table(widget: NGramExplorer, columns: list) -> str:
    """Orders side by side, the most probable symbols of the highest order that has an answer below each other."""
    probs = [p for _, _, p in columns if p is not None][-1]
    shown = np.argsort(-probs, kind="stable")[:_TABLE_ROWS]
    rows = [["seen", *("–" if seen is None else f"{seen:,} ×" for _, seen, _ in columns)]]
    for i in shown:
        rows.append([_visible(widget.symbols[i]), *("–" if p is None else _percent(p[i]) for _, _, p in columns)])
    caption = f"What comes next: {_sentence(widget, columns)}. {widget.description}"
    return html_table(caption, ["", *(f"order {n}" for n, _, _ in columns)], rows)
