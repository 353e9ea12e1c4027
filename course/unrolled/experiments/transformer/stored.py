"""What each of the stored experiments does: names of rows, and what makes them. `storing` runs and writes them."""

from functools import cache

from unrolled.experiments.storing import Rows
from unrolled.experiments.transformer import ablation, beyond, explaining, first_position, norms, switched, tasks
from unrolled.experiments.transformer import stored_language as language

SEEDS = range(3)
PATIENT = "parity, sinusoid, 5 times as long"  # the transformer with waves, and five times as many batches
TEXT = cache(norms.letters)  # read once, and only if an experiment asks for it

# --- blocks ----------------------------------------------------------------------------------------------------------


def orders(rates=(2e-3, 5e-3), steps=250) -> Rows:
    """Pre-norm and post-norm in a net of 8 layers, from the first step at the full rate and with a warm-up."""
    for norm in "post", "pre":
        for schedule in "constant", "warm-up":
            for rate in rates:
                for seed in SEEDS:
                    name = f"{norm}, {schedule}, rate {rate}, seed {seed}"
                    yield name, lambda n=norm, k=schedule, r=rate, s=seed: _order(n, k, r, s, steps)


def _order(norm: str, schedule: str, rate: float, seed: int, steps: int) -> dict:
    losses, heldout = norms.train_order(TEXT(), norm, schedule, rate, steps, seed)
    means = [sum(losses[at : at + 10]) / 10 for at in range(0, steps, 10)]
    return {"heldout": heldout, "losses": [round(mean, 4) for mean in means], "steps": steps}


def parts() -> Rows:
    """The whole, and without one part at a time."""
    nets = {"whole": ()} | {f"without {part}": (part,) for part in switched.PARTS}
    for name, without in nets.items():
        for seed in SEEDS:
            yield f"{name}, seed {seed}", lambda w=without, s=seed: ablation.ablated(TEXT(), *w, seed=s)._asdict()


# --- tasks -----------------------------------------------------------------------------------------------------------


def translations(steps=500) -> Rows:
    """Unit 5's tasks by the encoder–decoder and by the RNN with attention."""
    for task in tasks.TASKS:
        for net in tasks.TRAINERS:
            for seed in SEEDS:
                name = f"{task}, {net}, seed {seed}"
                yield name, lambda n=net, t=task, s=seed: tasks.one(n, t, steps, s)._asdict() | {"steps": steps}


def lengths(asked=(20, 30, 40, 80, 160), steps=300) -> Rows:
    """Parity, counts and brackets: right answers by length, of nets that were trained on strings of 20."""
    for task in beyond.TASKS:
        yield f"{task}, the commonest answer", lambda t=task: {"accuracy": {n: beyond.commonest(t, n) for n in asked}}
        for net in beyond.NETS:
            for seed in SEEDS:
                yield f"{task}, {net}, seed {seed}", lambda t=task, k=net, s=seed: _lengths(t, k, s, asked, steps)
    for seed in SEEDS:  # is it patience that parity lacks?
        yield f"{PATIENT}, seed {seed}", lambda s=seed: _lengths("parity", beyond.NETS[1], s, asked, 5 * steps)


def _lengths(task: str, net: str, seed: int, asked: tuple[int, ...], steps: int) -> dict:
    learned = beyond.train_net(task, net, steps, seed)
    size = sum(p.numel() for p in learned.model.parameters())
    return {"accuracy": {n: round(learned.accuracy(n), 4) for n in asked}, "parameters": size, "steps": steps}


# --- a class for the whole -------------------------------------------------------------------------------------------

MADE = {"texts": 4000, "steps": 600}
FILMS = {"steps": 500, "dropout": 0.3}


def classes() -> Rows:
    """Made reviews and film reviews, their class read in each of the ways."""
    for reading in first_position.READINGS:
        for seed in SEEDS:
            yield f"made, {reading}, seed {seed}", lambda k=reading, s=seed: _made(k, s)
            yield f"films, {reading}, seed {seed}", lambda k=reading, s=seed: _films(k, s)


def _made(reading: str, seed: int) -> dict:
    trained = _class(reading, seed)
    return {"accuracy": trained.accuracy(*first_position.made(500, seed + 100)), **_told(trained), **MADE}


def _class(reading: str, seed: int) -> first_position.Classed:
    texts, labels = first_position.made(MADE["texts"], seed)
    return first_position.train_class(texts, labels, MADE["steps"], seed, reading)


def _films(reading: str, seed: int) -> dict:
    parts = first_position.reviews()
    trained = first_position.train_class(*parts["train"], seed=seed, reading=reading, **FILMS)
    return {"accuracy": trained.accuracy(*parts["test"]), **_told(trained), **FILMS}


def _told(trained: first_position.Classed) -> dict:
    return {"parameters": sum(p.numel() for p in trained.model.parameters())}


def maps(asked=200) -> Rows:
    """Attention maps of the nets that read made reviews, against leaving a word out."""
    for seed in SEEDS:
        yield f"seed {seed}", lambda s=seed: _maps(s, asked)


def _maps(seed: int, asked: int) -> dict:
    trained, (texts, labels) = _class("first", seed), first_position.made(asked, seed + 100)
    found = explaining.agreement(trained, texts)
    agreed = {name: {k: round(v, 4) for k, v in of._asdict().items()} for name, of in found.items()}
    return {"accuracy": trained.accuracy(texts, labels), "agreement": agreed}


EXPERIMENTS = {
    "norms": orders,
    "ablation": parts,
    "tasks": translations,
    "beyond": lengths,
    "first_position": classes,
    "explaining": maps,
    "names": language.names,
    "by_position": language.places,
    "cache": language.caches,
    "agreement": language.agreements,
}
