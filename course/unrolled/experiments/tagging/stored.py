"""What each of the stored experiments does: names of rows, and what makes them. `storing` runs and writes them."""

import torch

from unrolled.experiments.storing import Rows
from unrolled.experiments.tagging import agreement
from unrolled.experiments.tagging.bags import LinearBag, NaiveBayes
from unrolled.experiments.tagging.baselines import AveragedPerceptron, HiddenMarkov, MostFrequentTag
from unrolled.experiments.tagging.chances import best_of_seeds
from unrolled.experiments.tagging.conll import ud_ewt
from unrolled.experiments.tagging.grammar import agreement_items, agreement_probe, made_sentences
from unrolled.experiments.tagging.polarity import Review, sentence_polarity
from unrolled.experiments.tagging.reports import accuracy, by_words
from unrolled.experiments.tagging.snips import snips
from unrolled.experiments.tagging.trainer import train_classifier, train_tagger
from unrolled.experiments.vectors import word_vectors
from unrolled.tagging import POOLINGS


def baselines() -> Rows:
    """The treebank's test part by three taggers; polarity and intents by two bags of words."""
    for make in (MostFrequentTag, HiddenMarkov, AveragedPerceptron):
        yield make.__name__, lambda make=make: _tagged(make())
    for make in (NaiveBayes, LinearBag):
        yield f"polarity, {make.__name__}", lambda make=make: _classified(make, *_polarity())
        yield f"intents, {make.__name__}", lambda make=make: _classified(make, *_intents())


def _tagged(model) -> dict:
    parts = ud_ewt(stand_in=False)
    model.fit(parts["train"])
    words, gold = [s.words for s in parts["test"]], [s.tags for s in parts["test"]]
    known = {word for s in parts["train"] for word in s.words}
    return by_words(words, gold, [model.tag(sentence) for sentence in words], known)._asdict()


def _polarity() -> tuple[dict, dict]:
    parts = sentence_polarity(stand_in=False)
    return {part: [r.words for r in of] for part, of in parts.items()}, {p: _labels(of) for p, of in parts.items()}


def _labels(reviews: list[Review]) -> list[str]:
    return [str(review.label) for review in reviews]


def _intents() -> tuple[dict, dict]:
    parts = snips(stand_in=False)
    return {p: [u.words for u in of] for p, of in parts.items()}, {p: [u.intent for u in of] for p, of in parts.items()}


def _classified(make, texts: dict, labels: dict) -> dict:
    model = make().fit(texts["train"], labels["train"])
    return {part: accuracy(labels[part], model.classify(texts[part])) for part in ("dev", "test")}


def embeddings(sizes=(100, 1000, 12_544), seeds=3, steps=300) -> Rows:
    """Taggers without letters, on the first so many sentences in random order: dev accuracy by kind of embedding.

    Every one takes `steps` steps, or as many as two passes over its sentences take, if those are more.
    """
    for size in sizes:
        enough = max(steps, 2 * size // 32)
        for kind in ("", "frozen", "tuned"):
            for seed in range(seeds):
                name = f"{size} sentences, {kind or 'random'}, seed {seed}"
                yield name, lambda asked=(size, kind, seed, enough): _embedded(*asked)


def _embedded(size: int, kind: str, seed: int, steps: int) -> dict:
    parts = ud_ewt(stand_in=False)
    order = torch.randperm(len(parts["train"]), generator=torch.Generator().manual_seed(seed)).tolist()
    train, dev = [parts["train"][i] for i in order[:size]], parts["dev"]
    trained = train_tagger(train, steps=steps, seed=seed, letters=False, vectors=kind, word_dropout=0.1)
    words, gold, answers = [s.words for s in dev], [s.tags for s in dev], trained.answers([s.words for s in dev])
    known, table = {word for s in train for word in s.words}, set(word_vectors()[0])
    found = by_words(words, gold, answers, known)
    apart = by_words(words, gold, answers, known | {w for s in words for w in s if w in table or w.lower() in table})
    return found._asdict() | {"steps": steps, "in no list": apart.unknown, "words in no list": apart.unknown_words}


SHAPES = {(1, 2): 64, (2, 2): 40, (3, 2): 32, (1, 1): 103}  # layers and directions: hidden, for about equal parameters


def shapes(seeds=3, steps=500) -> Rows:
    """Depth against width, and one direction against two, with letters: in each about 82,000 parameters of LSTMs."""
    for (layers, directions), hidden in SHAPES.items():
        for seed in range(seeds):
            settings = {"layers": layers, "directions": directions, "hidden": hidden}
            name = f"layers {layers}, directions {directions}, seed {seed}"
            yield name, lambda settings=settings, seed=seed: _shaped(settings, seed, steps)


def _shaped(settings: dict, seed: int, steps: int) -> dict:
    parts = ud_ewt(stand_in=False)
    trained, dev = train_tagger(parts["train"], steps=steps, seed=seed, **settings), parts["dev"]
    known = {word for s in parts["train"] for word in s.words}
    words = [s.words for s in dev]
    found = by_words(words, [s.tags for s in dev], trained.answers(words), known)
    size = sum(p.numel() for p in trained.model.states.parameters())
    return settings | found._asdict() | {"parameters": size, "steps": steps}


def pooling(seeds=3, steps=400) -> Rows:
    """Polarity by the five poolings of a bidirectional net."""
    for how in POOLINGS:
        for seed in range(seeds):
            yield f"{how}, seed {seed}", lambda how=how, seed=seed: _pooled(how, seed, steps)


def _pooled(how: str, seed: int, steps: int) -> dict:
    texts, labels = _polarity()
    net = {"width": 32, "hidden": 32, "pooling": how, "rate": 2e-2}
    trained = train_classifier(texts["train"], labels["train"], steps=steps, seed=seed, **net)
    return {part: accuracy(labels[part], trained.answers(texts[part])) for part in ("dev", "test")}


def chances(seeds=50, steps=250, asked=200) -> Rows:
    """One small net a seed; the best one on 200 sentences, asked again on all other sentences of dev and test."""
    yield f"{seeds} seeds", lambda: _chosen(seeds, steps, asked)


def _chosen(seeds: int, steps: int, asked: int) -> dict:
    texts, labels = _polarity()
    held = texts["test"] + texts["dev"], labels["test"] + labels["dev"]
    first, rest = (tuple(of[:asked] for of in held), tuple(of[asked:] for of in held))
    net = {"width": 32, "hidden": 16, "dropout": 0.1, "pooling": "mean", "rate": 3e-2}
    found = best_of_seeds((texts["train"], labels["train"]), first, rest, seeds, steps, **net)
    return {
        "settings": net | {"steps": steps},
        "trained on": len(texts["train"]),
        "chosen on": len(first[0]),
        "fresh": len(rest[0]),
        "accuracies chosen on": found.chosen_on.tolist(),
        "accuracies fresh": found.fresh.tolist(),
        "best": found.best,
        "flattered": found.flattered,
    }


def agreements(seeds=3, steps=1000) -> Rows:
    """The probe of the made language: language models, and nets that fill a gap from one side and from both."""
    for seed in range(seeds):
        for layers in (1, 2):
            name = f"language model, layers {layers}, seed {seed}"
            yield name, lambda seed=seed, layers=layers: _language_model(seed, layers, steps)
        for directions in (1, 2):
            name = f"gap filler, directions {directions}, seed {seed}"
            yield name, lambda seed=seed, directions=directions: _gap_filler(seed, directions, steps)


def _language_model(seed: int, layers: int, steps: int) -> dict:
    trained = agreement.trained_language_model(made_sentences(3000, 0), steps, seed, layers)
    return agreement_probe(agreement.language_model_score(*trained), agreement_items(1000, seed=1))


def _gap_filler(seed: int, directions: int, steps: int) -> dict:
    filler = agreement.trained_gap_filler(made_sentences(3000, 0), steps, directions, seed)
    return agreement_probe(agreement.gap_filler_score(filler), agreement_items(1000, seed=1))


EXPERIMENTS = {
    "baselines": baselines,
    "embeddings": embeddings,
    "shapes": shapes,
    "pooling": pooling,
    "chances": chances,
    "agreement": agreements,
}
