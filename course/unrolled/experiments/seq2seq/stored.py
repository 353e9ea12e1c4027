"""What each of the stored experiments does: names of rows, and what makes them. `storing` runs and writes them."""

from collections.abc import Callable

from unrolled.experiments.seq2seq import stored_decoders as decoders
from unrolled.experiments.seq2seq.alignment import alignment_accuracy, diagonal_accuracy
from unrolled.experiments.seq2seq.captions import drawn, train_captions
from unrolled.experiments.seq2seq.copying import by_length, strings
from unrolled.experiments.seq2seq.costs import products, seconds, ways
from unrolled.experiments.seq2seq.dates import dates
from unrolled.experiments.seq2seq.numbers import Pair
from unrolled.experiments.seq2seq.stored_decoders import NET, SEEDS, TEST, TRAIN, phrases, short
from unrolled.experiments.storing import Rows
from unrolled.seq2seq import CONTEXTS, SCORES

# --- the bottleneck --------------------------------------------------------------------------------------------------


def bottleneck(longest=12, strings_read=6000, steps=800, asked=200) -> Rows:
    """Copying strings of letters: the share of right copies by length. An encoder of one direction, so that it matters
    from which end it reads."""
    nets = [(context, backwards) for context in ("first", "every") for backwards in (False, True)]
    for context, backwards in [*nets, ("attention", False)]:
        for seed in SEEDS:
            name = f"{context}{', backwards' if backwards else ''}, seed {seed}"
            settings = {"context": context, "score": "additive", "directions": 1, "hidden": NET["state"]}
            yield (
                name,
                lambda s=seed, b=backwards, kw=settings: {
                    "exact": by_length(
                        short(strings(strings_read, longest, s), s, steps, backwards=b, **kw),
                        range(1, longest + 1),
                        asked,
                        seed=s + 1,
                    )
                },
            )


def numbers() -> Rows:
    """English number phrases to German by each kind of context, and by idea 2 in a net twice as wide."""
    wider = {name: 2 * size for name, size in NET.items()}
    for name, settings in [(c, {"context": c, "score": "additive"}) for c in CONTEXTS] + [
        ("every, twice as wide", {"context": "every", **wider})
    ]:
        for seed in SEEDS:
            yield f"{name}, seed {seed}", lambda s=seed, kw=settings: _phrases(s, kw)


def _phrases(seed: int, settings: dict) -> dict:
    parts = phrases(seed)
    trained, test = short(parts["train"], seed, **settings), parts["test"]
    given = trained.translations([p.source for p in test])
    right = [(len(p.source), words == p.target) for p, words in zip(test, given, strict=True)]
    by_words = {n: [hit for length, hit in right if length == n] for n in sorted({length for length, _ in right})}
    return {
        "exact": sum(hit for _, hit in right) / len(right),
        "by source words": {n: {"exact": sum(hits) / len(hits), "of": len(hits)} for n, hits in by_words.items()},
        "parameters": sum(p.numel() for p in trained.model.parameters()),
    }


# --- attention -------------------------------------------------------------------------------------------------------

TASKS: dict[str, Callable[[int], dict[str, list[Pair]]]] = {
    "German": lambda seed: phrases(seed, "de"),
    "French": lambda seed: phrases(seed, "fr"),
    "dates": lambda seed: dates("iso", train=TRAIN, test=TEST, seed=seed),
    "Finnish": lambda seed: phrases(seed, "fi"),
    "Arabic": lambda seed: phrases(seed, "ar"),
}


def alignment() -> Rows:
    """Where each score looks, against the true alignment; in the languages beside German the additive one alone."""
    for task in TASKS:
        for score in SCORES if task in ("German", "dates") else ("additive",):
            for seed in SEEDS:
                yield f"{task}, {score}, seed {seed}", lambda t=task, k=score, s=seed: _alignment(t, k, s)


def _alignment(task: str, score: str, seed: int) -> dict:
    parts = TASKS[task](seed)
    trained, test = short(parts["train"], seed, context="attention", score=score), parts["test"]
    found = alignment_accuracy(trained, test)._asdict()
    return {"exact": trained.exact(test)} | found | {"diagonal": diagonal_accuracy(test)}


# --- beside ----------------------------------------------------------------------------------------------------------


def costs(lengths=(10, 20, 40, 80, 160)) -> Rows:
    """For sources and targets of n words: products, the ways of a gradient, steps, and seconds for a batch of 16."""
    for context in CONTEXTS:
        for n in lengths:
            yield (
                f"{context}, {n} words",
                lambda c=context, n=n: {
                    "products": products(c, n, n),
                    **ways(c, n, n)._asdict(),
                    "cpu seconds": round(seconds(c, n, n, repeats=20), 5),
                },
            )


def captions(pictures=3000, steps=300, asked=300) -> Rows:
    """Captions of drawn pictures: the share of right ones, and of words that look at their own cell most."""
    for seed in SEEDS:
        yield f"seed {seed}", lambda s=seed: _captions(pictures, steps, asked, s)


def _captions(pictures: int, steps: int, asked: int, seed: int) -> dict:
    captioner, test = train_captions(drawn(pictures, seed), steps, seed), drawn(asked, seed + 1000)
    right = [words == p.caption for words, p in zip(captioner.captions(test), test, strict=True)]
    return {"exact": sum(right) / len(right), "looks right": captioner.looks_right(test)}


EXPERIMENTS = {
    "bottleneck": bottleneck,
    "numbers": numbers,
    "two_answers": decoders.two_answers,
    "waning": decoders.wanings,
    "exposure": decoders.exposures,
    "beams": decoders.beams,
    "faults": decoders.faults,
    "costs": costs,
    "captions": captions,
    "alignment": alignment,
    "agreement": decoders.agreements,
}
