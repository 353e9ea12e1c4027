"""The stored experiments that ask the decoder: what it is fed, how long c counts, beams, and faults. See `stored`."""

from collections.abc import Callable

from unrolled.experiments.seq2seq import agreeing, sick_translator
from unrolled.experiments.seq2seq.beams import beam_report
from unrolled.experiments.seq2seq.copying import strings
from unrolled.experiments.seq2seq.exposure import exposure
from unrolled.experiments.seq2seq.numbers import Pair, number_phrases
from unrolled.experiments.seq2seq.reading import word_accuracy
from unrolled.experiments.seq2seq.trainer import Trained, train_translator
from unrolled.experiments.seq2seq.two_answers import Blind, all_times, judged
from unrolled.experiments.seq2seq.waning import waning
from unrolled.experiments.storing import Rows
from unrolled.experiments.tagging.agreement import ASKED, READ
from unrolled.experiments.tagging.grammar import agreement_items, agreement_probe, made_sentences
from unrolled.seq2seq import CONTEXTS, Translator

NET = {"width": 32, "hidden": 32, "state": 64}  # of every net, where nothing else is said
TRAIN, TEST, STEPS = 4000, 1000, 500  # number phrases or dates, and steps of a training
SEEDS = range(3)


def phrases(seed: int, language: str = "de") -> dict[str, list[Pair]]:
    """Number phrases, by parts."""
    return number_phrases(language, train=TRAIN, test=TEST, seed=seed)


def short(train: list[Pair], seed: int, steps: int = STEPS, **settings) -> Trained:
    """A short training; settings: more, or others, than NET has."""
    return train_translator(train, steps=steps, seed=seed, **NET | settings)


# --- what is fed back ------------------------------------------------------------------------------------------------


def two_answers(steps=300, draws=50) -> Rows:
    """Times of day with two right answers each, by a decoder that reads its own words and by one that does not."""
    for kind, make in ("fed", Translator), ("blind", Blind):
        for seed in SEEDS:
            yield f"{kind}, seed {seed}", lambda make=make, s=seed: _two_answers(make, s, steps, draws)


def _two_answers(make: type[Translator], seed: int, steps: int, draws: int) -> dict:
    pairs = all_times()
    trained = short(pairs, seed, steps, context="every", make=make, rate=1e-2)
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
    trained = short(train, seed, max(steps, 1), context=context, rate=5e-3 if steps else 0.0)
    return waning(trained.model, trained.reader, strings(200, length, seed + 1, shortest=length))


def exposures() -> Rows:
    """Number phrases: the loss after the right words and after the net's own, step by step."""
    for context in CONTEXTS:
        for seed in SEEDS:
            yield f"{context}, seed {seed}", lambda c=context, s=seed: _exposure(c, s)


def _exposure(context: str, seed: int) -> dict:
    parts = phrases(seed)
    return exposure(short(parts["train"], seed, context=context, score="additive"), parts["test"])._asdict()


# --- beams and faults ------------------------------------------------------------------------------------------------


def beams(steps=300, asked=300) -> Rows:
    """A net of idea 2 that was trained briefly, decoded with beams of several widths."""
    for seed in SEEDS:
        yield f"seed {seed}", lambda s=seed: _beams(s, steps, asked)


def _beams(seed: int, steps: int, asked: int) -> dict:
    parts = phrases(seed)
    trained = short(parts["train"], seed, steps, context="every")
    return {str(width): beam_report(trained, parts["test"][:asked], width)._asdict() for width in (1, 2, 4, 8, 16)}


def faults(asked=300) -> Rows:
    """The classmate's net and a healthy one: the share of right words that its evaluation reports, and alone."""
    makers = {"sick": sick_translator.classmates_translator, "healthy": sick_translator.healthy_translator}
    for kind, make in makers.items():
        for seed in SEEDS:
            yield f"{kind}, seed {seed}", lambda make=make, s=seed: _fault(make, s, asked)


def _fault(make: Callable[..., Trained], seed: int, asked: int) -> dict:
    parts = phrases(seed)
    trained, test = make(parts["train"], STEPS, seed), parts["test"][:asked]
    alone = trained.translations([p.source for p in test])
    return {
        "reported": sick_translator.reported(trained.model, trained.reader, test),
        "alone": word_accuracy(alone, [p.target for p in test]),
        "exact": trained.exact(test),
    }


# --- unit 4's question -----------------------------------------------------------------------------------------------


def agreements(seeds=(0, 1)) -> Rows:
    """The probe of the made language, by translators that read a sentence with a gap and write the verb's number."""
    for seed in seeds:
        for context in "every", "attention":
            yield f"encoder–decoder, {context}, seed {seed}", lambda c=context, s=seed: _agreement(c, s)


def _agreement(context: str, seed: int) -> dict:
    trained = agreeing.trained_teller(made_sentences(READ, 0), STEPS, seed, context=context, score="additive", **NET)
    return agreement_probe(agreeing.teller_score(trained), agreement_items(ASKED, seed=1))
