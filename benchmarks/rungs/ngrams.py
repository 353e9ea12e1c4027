"""Unit 1's rungs: Kneser–Ney of order 1 to 8, its strength chosen on text that is not scored, and ever more text."""

from collections.abc import Iterator

from ladder import Rung, Text, stopwatch
from torch import Tensor
from unrolled.ngrams import KneserNey

ORDERS = range(1, 9)
STRENGTHS = (0.0, 0.125, 0.25, 0.5, 1.0, 2.0)
SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)  # characters of tiny Shakespeare, from its beginning


def climb(texts: dict[str, Text]) -> Iterator[Rung]:
    """All rungs of this unit, text by text."""
    for text in texts.values():
        for order in ORDERS:
            yield _rung(text, text.parts["train"], order)
        for order in ORDERS:
            yield _rung(text, text.parts["train"], order, strength=_best_strength(text, order))
    shakespeare = texts["shakespeare"]
    for size in SIZES:
        for order in ORDERS:
            yield _rung(shakespeare, shakespeare.parts["train"][:size], order)


def _rung(text: Text, train: Tensor | list[Tensor], order: int, strength: float | None = None) -> Rung:
    model, fit = stopwatch(lambda: _model(text, order, strength or 0.0).fit(train))
    nats, score = stopwatch(lambda: {part: model.nats(ids) for part, ids in text.parts.items() if part != "train"})
    nats["train"] = model.nats(train)
    nats = {part: round(loss, 6) for part, loss in nats.items()}
    settings = {"order": order} | ({} if strength is None else {"strength": strength})
    seconds = {"fit": round(fit, 3), "score": round(score, 3)}
    return Rung(text.name, "Kneser–Ney", settings, _symbols(train), nats, seconds)


def _best_strength(text: Text, order: int) -> float:
    """By the dev part; where a text has none, by the last tenth of the training part, held back for the purpose."""
    train, dev = text.parts["train"], text.parts.get("dev")
    if dev is None:
        cut = int(0.9 * len(train))
        train, dev = train[:cut], train[cut:]
    return min(STRENGTHS, key=lambda strength: _model(text, order, strength).fit(train).nats(dev))


def _model(text: Text, order: int, strength: float) -> KneserNey:
    return KneserNey(order, len(text.vocabulary), text.vocabulary.boundary, strength)


def _symbols(train: Tensor | list[Tensor]) -> int:
    """What the model learned to predict: the symbols, and the end of each sequence where there are several."""
    return len(train) if isinstance(train, Tensor) else sum(len(ids) + 1 for ids in train)
