"""What is stored of the language model: its loss by position, with sliding windows, and what a cache saves."""

from unrolled.experiments.storing import Rows
from unrolled.experiments.transformer.by_position import by_position, sliding
from unrolled.experiments.transformer.cache import computed, kept_numbers, seconds, writer
from unrolled.experiments.transformer.language import train_on


def places(scale="cpu", strides=(64, 32, 16, 8), seeds=(0,)) -> Rows:
    """The ladder's net on the held-out text: each position of windows read from nothing, and windows that slide."""
    for seed in seeds:
        yield f"seed {seed}", lambda s=seed: _places(scale, strides, s)


def _places(scale: str, strides: tuple[int, ...], seed: int) -> dict:
    trained, parts = train_on("shakespeare", scale, seed)
    heldout = parts.others["heldout"]
    return {
        "by position": [round(nats, 4) for nats in by_position(trained.model, heldout, windows=len(heldout)).tolist()],
        "sliding": {stride: round(sliding(trained.model, heldout, stride), 4) for stride in strides},
    }


def caches(written=(16, 32, 64, 128, 256, 512)) -> Rows:
    """Writing so many symbols with keys and values kept, and without: a net of 2 layers, 64 numbers wide."""
    for symbols in written:
        yield f"{symbols} symbols", lambda n=symbols: _cache(n, max(written))


def _cache(symbols: int, context: int) -> dict:
    model, ways = writer(context=context), {"cache": True, "plain": False}
    return {
        "cpu seconds": {name: round(seconds(model, symbols, cache), 4) for name, cache in ways.items()},
        "computed": {name: computed(symbols, cache) for name, cache in ways.items()},
        "kept numbers": kept_numbers(model, symbols),
    }
