"""What each of the stored experiments does: names of rows, and what makes them. `storing` runs and writes them."""

from unrolled.attention import POSITIONS, Config, SelfAttention
from unrolled.experiments.attention import costs, heads, pronouns, scale, syntax
from unrolled.experiments.attention.counting import Counter, majority, train_counter, train_recurrent
from unrolled.experiments.attention.orders import by_length
from unrolled.experiments.storing import Rows
from unrolled.experiments.tagging import agreement
from unrolled.experiments.tagging.grammar import agreement_items, agreement_probe, made_sentences

SEEDS = range(3)
LENGTHS = 5, 10, 20, 30, 40, 80  # of new strings; the trainings have 20
STEPS = 300


# --- the letters -----------------------------------------------------------------------------------------------------


def positions() -> Rows:
    """Three tasks by nets that know order from a mask, from positions, from both or not at all, and by an LSTM.

    Learned positions are a table of 512 rows, of which a training on 20 letters and a mark trains 21; in "learned, 21
    rows" there are no others.
    """
    for task in "count", "before", "next":
        yield f"{task}, the commonest answer", lambda t=task: {"accuracy": {n: majority(n, task=t) for n in LENGTHS}}
        for name, settings in _nets().items():
            for seed in SEEDS:
                yield f"{task}, {name}, seed {seed}", lambda t=task, kw=settings, s=seed: _letters(t, s, kw)


def _nets() -> dict[str, dict | None]:
    masks = {"causal": True, "both sides": False}
    nets = {
        f"{mask}, {kind}": {"causal": causal, "positions": kind} for mask, causal in masks.items() for kind in POSITIONS
    }
    cut = {"causal": True, "positions": "learned", "longest": 21}
    return nets | {"causal, learned, 21 rows": cut, "LSTM": None}


def _letters(task: str, seed: int, settings: dict | None) -> dict:
    trained = _counter(task, seed, settings)
    size = sum(p.numel() for p in trained.model.parameters())
    return {"accuracy": by_length(trained, LENGTHS), "parameters": size, "steps": STEPS}


def _counter(task: str, seed: int, settings: dict | None) -> Counter:
    if settings is None:
        return train_recurrent(STEPS, seed, task)
    return train_counter(STEPS, seed, task, **settings)


# --- the scale -------------------------------------------------------------------------------------------------------


def scales(widths=(16, 32, 64, 128), steps=200) -> Rows:
    """The counting task with one head, its scores divided by √d, by d, and not at all."""
    for width in widths:
        for kind in scale.DIVISORS:
            for seed in SEEDS:
                yield f"width {width}, {kind}, seed {seed}", lambda w=width, k=kind, s=seed: _scaled(w, k, s, steps)


def _scaled(width: int, kind: str, seed: int, steps: int) -> dict:
    trial = scale.train_divided(kind, width, steps, seed)
    losses = trial.counter.history.losses
    return {
        "accuracy": trial.counter.accuracy(20),
        "entropy": dict(zip(("before", "after"), trial.entropy, strict=True)),
        "gradient": dict(zip(("before", "after"), trial.gradient, strict=True)),
        "losses": [round(sum(losses[at : at + 20]) / 20, 4) for at in range(0, steps, 20)],  # means of 20 steps
        "steps": steps,
    }


# --- heads -----------------------------------------------------------------------------------------------------------

BOTH = {"task": "both", "positions": "sinusoid", "rate": 2e-2}


def many_heads(numbers=(1, 2, 4, 8), steps=600) -> Rows:
    """The task with two questions by nets of 32 numbers in 1 to 8 heads: where each looks, what is lost without it."""
    for number in numbers:
        for seed in SEEDS:
            yield f"{number} heads, seed {seed}", lambda n=number, s=seed: _heads(n, s, steps)


def _heads(number: int, seed: int, steps: int) -> dict:
    trained = train_counter(steps, seed, heads=number, **BOTH)
    apart = heads.diversity(trained)
    return {
        **heads.pruning(trained)._asdict(),
        "halves": heads.halves(trained)._asdict(),
        "halves without": [heads.halves(heads.without(trained, h))._asdict() for h in range(number)],
        "habits": heads.habits(trained),
        "diversity": [[round(x, 4) for x in row] for row in apart.tolist()],
        "steps": steps,
    }


# --- costs -----------------------------------------------------------------------------------------------------------


def cost(lengths=(10, 100, 1000), width=64, measured=(16, 32, 64, 128, 256, 512, 1024, 2048)) -> Rows:
    """Counted for sentences of n words of width 64, and measured on layers: forward and backward."""
    for kind in costs.LAYERS:
        for n in lengths:
            yield f"{kind}, {n} words, counted", lambda k=kind, n=n: costs.counted(k, n, width)._asdict()
    for kind in costs.MEASURED:
        for n in measured:
            yield f"{kind}, {n} words, measured", lambda k=kind, n=n: _measured(k, n)


def _measured(kind: str, n: int) -> dict:
    return {"cpu seconds": round(costs.seconds(kind, n), 6), "kept bytes": costs.kept_bytes(kind, n)}


# --- sentences -------------------------------------------------------------------------------------------------------


def nouns(read=2000, asked=300, steps=300) -> Rows:
    """Pronouns and their nouns, on pairs of nouns that were never together: right answers, and where heads look."""
    for seed in SEEDS:
        yield f"seed {seed}", lambda s=seed: _nouns(read, asked, steps, s)


def _nouns(read: int, asked: int, steps: int, seed: int) -> dict:
    finder = pronouns.train_finder(pronouns.pronoun_sentences(read, seed), steps, seed)
    unseen = pronouns.pronoun_sentences(asked, seed + 1, unseen=True)
    looks = [of._asdict() for of in pronouns.looks_right(finder, unseen)]
    return {"accuracy": finder.accuracy(unseen), "heads": looks, "steps": steps}


def trees(steps=1500) -> Rows:
    """The gold trees of the treebank's dev part, and where heads of a tagger look, trained and not; fixed distances."""
    yield "fixed distance", lambda: _relations(syntax.offsets(syntax.ud_trees("dev")))
    for name, enough in ("untrained", 0), ("trained", steps):
        for seed in SEEDS:
            yield f"{name}, seed {seed}", lambda n=enough, s=seed: _reading(n, s)


def _reading(steps: int, seed: int) -> dict:
    reading, dev = syntax.train_reader(syntax.ud_trees("train"), steps, seed), syntax.ud_trees("dev")
    return {"tags": reading.accuracy(dev), "steps": steps} | _relations(syntax.looks(reading, dev))


def _relations(pointers: syntax.Pointers) -> dict:
    found = syntax.syntax(pointers, syntax.ud_trees("dev"))
    return {"relations": {relation: of._asdict() for relation, of in found.items()}}


def agreements(steps=1000) -> Rows:
    """Unit 4's probe of the made language, by one layer of heads that fills the gap of the verb."""
    for seed in SEEDS:
        for mask, causal in ("causal", True), ("both sides", False):
            yield f"self-attention, {mask}, seed {seed}", lambda c=causal, s=seed: _agreement(c, s, steps)


def _agreement(causal: bool, seed: int, steps: int) -> dict:
    filler = agreement.trained_gap_filler(
        made_sentences(agreement.READ, 0),
        steps,
        seed=seed,
        make=lambda words: SelfAttention(Config(words, 2, causal=causal)),
    )
    return agreement_probe(agreement.gap_filler_score(filler), agreement_items(agreement.ASKED, seed=1))


EXPERIMENTS = {
    "positions": positions,
    "scale": scales,
    "heads": many_heads,
    "costs": cost,
    "pronouns": nouns,
    "syntax": trees,
    "agreement": agreements,
}
