"""What is stored of the language model: makemore's names, loss by position, what a cache saves, and agreement."""

from unrolled.experiments.storing import Rows
from unrolled.experiments.tagging import agreement
from unrolled.experiments.tagging.grammar import agreement_items, agreement_probe, made_sentences
from unrolled.experiments.transformer.by_position import by_position, sliding
from unrolled.experiments.transformer.cache import computed, kept_numbers, seconds, writer
from unrolled.experiments.transformer.language import train_on
from unrolled.experiments.transformer.texts import text_parts
from unrolled.ngrams import KneserNey
from unrolled.transformer_lm import TransformerLM

MAKEMORE = "makemore's names"


def names(scale="cpu", order=6, seeds=(0,)) -> Rows:
    """Held-out nats a letter of the names that makemore holds out: counts, and a net for each seed."""
    yield f"Kneser–Ney of order {order}", lambda: _counted(order)
    for seed in seeds:
        yield f"transformer, seed {seed}", lambda s=seed: _trained(scale, s)


def _counted(order: int) -> dict:
    parts = text_parts(MAKEMORE)
    within = lambda some: [ids[1:-1] for ids in some]  # noqa: E731 (the model adds the boundary itself)
    model = KneserNey(order, len(parts.vocabulary), parts.vocabulary.boundary)
    model.fit(within(parts.train))
    return {"test": round(model.nats(within(parts.others["test"])), 4)}


def _trained(scale: str, seed: int) -> dict:
    trained, parts = train_on(MAKEMORE, scale, seed)
    found = trained.scores(parts.others["test"])["window"]
    return {"test": round(found, 4), "parameters": sum(p.numel() for p in trained.model.parameters())}


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


def agreements(steps=1000, seeds=(0, 1, 2), layers=(1,)) -> Rows:
    """Unit 4's probe of the made language, by language models of so many blocks."""
    for blocks in layers:
        for seed in seeds:
            yield f"transformer, blocks {blocks}, seed {seed}", lambda n=blocks, s=seed: _agreement(n, s, steps)


def _agreement(layers: int, seed: int, steps: int) -> dict:
    net = {"width": 64, "layers": layers, "context": 32, "positions": "sinusoid"}
    sentences = made_sentences(agreement.READ, 0)
    trained = agreement.trained_language_model(
        sentences, steps, seed, rate=3e-3, make=lambda words: TransformerLM(words, **net)
    )
    return agreement_probe(agreement.language_model_score(*trained), agreement_items(agreement.ASKED, seed=1))
