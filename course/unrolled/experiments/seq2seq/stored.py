"""What each of the stored experiments does: names of rows, and what makes them. `storing` runs and writes them."""

from collections.abc import Callable

from unrolled.experiments.seq2seq import sick_translator
from unrolled.experiments.seq2seq.alignment import alignment_accuracy, diagonal_accuracy
from unrolled.experiments.seq2seq.beams import beam_report
from unrolled.experiments.seq2seq.captions import drawn, train_captions
from unrolled.experiments.seq2seq.copying import by_length, strings
from unrolled.experiments.seq2seq.dates import dates
from unrolled.experiments.seq2seq.exposure import exposure
from unrolled.experiments.seq2seq.numbers import Pair, number_phrases
from unrolled.experiments.seq2seq.reading import word_accuracy
from unrolled.experiments.seq2seq.trainer import Trained, train_translator
from unrolled.experiments.seq2seq.two_answers import Blind, all_times, judged
from unrolled.experiments.seq2seq.waning import waning
from unrolled.experiments.storing import Rows
from unrolled.seq2seq import CONTEXTS, SCORES, Translator

NET = {"width": 32, "hidden": 32, "state": 64}  # of every net, where nothing else is said
ATTENTION = {"context": "attention", "score": "additive"}
TRAIN, TEST, STEPS = 4000, 1000, 500  # number phrases or dates, and steps of a training
SEEDS = range(3)


def _numbers(seed: int, language: str = "de") -> dict[str, list[Pair]]:
    return number_phrases(language, train=TRAIN, test=TEST, seed=seed)


def _trained(train: list[Pair], seed: int, steps: int = STEPS, **settings) -> Trained:
    return train_translator(train, steps=steps, seed=seed, **NET | settings)


# --- the bottleneck --------------------------------------------------------------------------------------------------


def bottleneck(longest=12, strings_read=6000, steps=800, asked=200) -> Rows:
    """Copying strings of letters: the share of right copies by length. A reader of one direction, so that it matters
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
                        _trained(strings(strings_read, longest, s), s, steps, backwards=b, **kw),
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
    parts = _numbers(seed)
    trained, test = _trained(parts["train"], seed, **settings), parts["test"]
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
    "German": lambda seed: _numbers(seed, "de"),
    "French": lambda seed: _numbers(seed, "fr"),
    "dates": lambda seed: dates("iso", train=TRAIN, test=TEST, seed=seed),
    "Finnish": lambda seed: _numbers(seed, "fi"),
    "Arabic": lambda seed: _numbers(seed, "ar"),
}


def alignment() -> Rows:
    """Where each score looks, against the true alignment, on four languages' numbers and on dates."""
    for task in TASKS:
        for score in SCORES:
            for seed in SEEDS:
                yield f"{task}, {score}, seed {seed}", lambda t=task, k=score, s=seed: _alignment(t, k, s)


def _alignment(task: str, score: str, seed: int) -> dict:
    parts = TASKS[task](seed)
    trained, test = _trained(parts["train"], seed, context="attention", score=score), parts["test"]
    found = alignment_accuracy(trained, test)._asdict()
    return {"exact": trained.exact(test)} | found | {"diagonal": diagonal_accuracy(test)}


# --- what is fed back ------------------------------------------------------------------------------------------------


def two_answers(steps=300, draws=50) -> Rows:
    """Times of day with two right answers each, by a writer that reads its own words and by one that does not."""
    for kind, make in ("fed", Translator), ("blind", Blind):
        for seed in SEEDS:
            yield f"{kind}, seed {seed}", lambda make=make, s=seed: _two_answers(make, s, steps, draws)


def _two_answers(make: type[Translator], seed: int, steps: int, draws: int) -> dict:
    pairs = all_times()
    trained = _trained(pairs, seed, steps, context="every", make=make, rate=1e-2)
    return judged(trained.model, trained.reader, pairs, draws, seed)._asdict()


def wanings(length=12, steps=800) -> Rows:
    """‖∂ ln p_t/∂c‖ by t on strings of one length, before training and after."""
    for context in ("first", "every"):
        for seed in SEEDS:
            yield (
                f"{context}, seed {seed}",
                lambda c=context, s=seed: {
                    when: _waning(c, s, length, n) for when, n in (("before", 0), ("after", steps))
                },
            )


def _waning(context: str, seed: int, length: int, steps: int) -> list[float]:
    train = strings(6000, length, seed)
    trained = _trained(train, seed, max(steps, 1), context=context, rate=5e-3 if steps else 0.0)
    return waning(trained.model, trained.reader, strings(200, length, seed + 1, shortest=length))


def exposures() -> Rows:
    """Number phrases: the loss after the right words and after the net's own, step by step."""
    for context in CONTEXTS:
        for seed in SEEDS:
            yield f"{context}, seed {seed}", lambda c=context, s=seed: _exposure(c, s)


def _exposure(context: str, seed: int) -> dict:
    parts = _numbers(seed)
    return exposure(_trained(parts["train"], seed, context=context, score="additive"), parts["test"])._asdict()


# --- beams and faults ------------------------------------------------------------------------------------------------


def beams(steps=300, asked=300) -> Rows:
    """A net of idea 2 that was trained briefly, decoded with beams of several widths."""
    for seed in SEEDS:
        yield f"seed {seed}", lambda s=seed: _beams(s, steps, asked)


def _beams(seed: int, steps: int, asked: int) -> dict:
    parts = _numbers(seed)
    trained = _trained(parts["train"], seed, steps, context="every")
    return {str(width): beam_report(trained, parts["test"][:asked], width)._asdict() for width in (1, 2, 4, 8, 16)}


def faults(asked=300) -> Rows:
    """The classmate's net and a healthy one: the share of right words that its evaluation reports, and alone."""
    makers = {"sick": sick_translator.classmates_translator, "healthy": sick_translator.healthy_translator}
    for kind, make in makers.items():
        for seed in SEEDS:
            yield f"{kind}, seed {seed}", lambda make=make, s=seed: _fault(make, s, asked)


def _fault(make: Callable[..., Trained], seed: int, asked: int) -> dict:
    parts = _numbers(seed)
    trained, test = make(parts["train"], STEPS, seed), parts["test"][:asked]
    alone = trained.translations([p.source for p in test])
    return {
        "reported": sick_translator.reported(trained.model, trained.reader, test),
        "alone": word_accuracy(alone, [p.target for p in test]),
        "exact": trained.exact(test),
    }


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
    "two_answers": two_answers,
    "waning": wanings,
    "exposure": exposures,
    "beams": beams,
    "faults": faults,
    "captions": captions,
    "alignment": alignment,
}
