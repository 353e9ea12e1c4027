"""The experiments of unit 4 that take longer than a notebook may, and store their results.

    python -m unrolled.experiments.tagging [baselines] [embeddings] [pooling] [chances] [agreement]

Each writes assets/tagging/NAME.json, a row after each training; a row that is there already is not made again, so that
an interrupted run goes on where it stopped (--fresh begins anew). The long training of the tagger is `reach`, that of
the word vectors `skip_gram`.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import torch
from tqdm import tqdm

from unrolled.errors import OneLineError
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
from unrolled.experiments.tagging.vectors import word_vectors
from unrolled.tagging import POOLINGS

Rows = Iterator[tuple[str, Callable[[], dict]]]  # a name, and what makes the row


# --- the experiments -------------------------------------------------------------------------------------------------


def baselines() -> Rows:
    """The treebank's test part by three taggers; polarity and intents by two bags of words."""
    for make in (MostFrequentTag, HiddenMarkov, AveragedPerceptron):
        yield make.__name__, lambda make=make: _tagged(make())
    for make in (NaiveBayes, LinearBag):
        yield f"polarity, {make.__name__}", lambda make=make: _classified(make, *_polarity())
        yield f"intents, {make.__name__}", lambda make=make: _classified(make, *_intents())


def _tagged(model) -> dict:
    parts = ud_ewt()
    model.fit(parts["train"])
    words, gold = [s.words for s in parts["test"]], [s.tags for s in parts["test"]]
    known = {word for s in parts["train"] for word in s.words}
    return by_words(words, gold, [model.tag(sentence) for sentence in words], known)._asdict()


def _polarity() -> tuple[dict, dict]:
    parts = sentence_polarity()
    return {part: [r.words for r in of] for part, of in parts.items()}, {p: _labels(of) for p, of in parts.items()}


def _labels(reviews: list[Review]) -> list[str]:
    return [str(review.label) for review in reviews]


def _intents() -> tuple[dict, dict]:
    parts = snips()
    return {p: [u.words for u in of] for p, of in parts.items()}, {p: [u.intent for u in of] for p, of in parts.items()}


def _classified(make, texts: dict, labels: dict) -> dict:
    model = make().fit(texts["train"], labels["train"])
    return {part: accuracy(labels[part], model.classify(texts[part])) for part in ("dev", "test")}


def embeddings(sizes=(100, 300, 1000, 3000, 12_544), seeds=3, steps=400) -> Rows:
    """Taggers without letters, on the first so many sentences in random order: dev accuracy by kind of embedding."""
    for size in sizes:
        for kind in ("", "frozen", "tuned"):
            for seed in range(seeds):
                name = f"{size} sentences, {kind or 'random'}, seed {seed}"
                yield name, lambda size=size, kind=kind, seed=seed: _embedded(size, kind, seed, steps)


def _embedded(size: int, kind: str, seed: int, steps: int) -> dict:
    parts = ud_ewt()
    order = torch.randperm(len(parts["train"]), generator=torch.Generator().manual_seed(seed)).tolist()
    train, dev = [parts["train"][i] for i in order[:size]], parts["dev"]
    trained = train_tagger(train, steps=steps, seed=seed, letters=False, vectors=kind, word_dropout=0.1)
    words, gold, answers = [s.words for s in dev], [s.tags for s in dev], trained.answers([s.words for s in dev])
    known, table = {word for s in train for word in s.words}, set(word_vectors()[0])
    found = by_words(words, gold, answers, known)
    apart = by_words(words, gold, answers, known | {w for s in words for w in s if w in table or w.lower() in table})
    return found._asdict() | {"in no list": apart.unknown, "words in no list": apart.unknown_words}


def pooling(seeds=3, steps=600) -> Rows:
    """Polarity by the five poolings of a bidirectional net."""
    for how in POOLINGS:
        for seed in range(seeds):
            yield f"{how}, seed {seed}", lambda how=how, seed=seed: _pooled(how, seed, steps)


def _pooled(how: str, seed: int, steps: int) -> dict:
    texts, labels = _polarity()
    trained = train_classifier(texts["train"], labels["train"], steps=steps, seed=seed, pooling=how)
    return {part: accuracy(labels[part], trained.answers(texts[part])) for part in ("dev", "test")}


def chances(seeds=50, steps=150, size=2000, asked=200) -> Rows:
    """One small net a seed; the best one on 200 sentences, asked again on all other sentences of dev and test."""
    yield f"{seeds} seeds", lambda: _chosen(seeds, steps, size, asked)


def _chosen(seeds: int, steps: int, size: int, asked: int) -> dict:
    texts, labels = _polarity()
    held = texts["test"] + texts["dev"], labels["test"] + labels["dev"]
    first, rest = (tuple(of[:asked] for of in held), tuple(of[asked:] for of in held))
    train = texts["train"][:size], labels["train"][:size]
    found = best_of_seeds(train, first, rest, seeds, steps, hidden=16, width=16)
    return {
        "steps": steps,
        "trained on": size,
        "chosen on": len(first[0]),
        "fresh": len(rest[0]),
        "accuracies chosen on": found.chosen_on.tolist(),
        "accuracies fresh": found.fresh.tolist(),
        "best": found.best,
        "flattered": found.flattered,
    }


def agreements(seeds=3, steps=600) -> Rows:
    """The probe of the made language: a language model, and nets that fill a gap from one side and from both."""
    sentences, items = made_sentences(3000, 0), agreement_items(1000, seed=1)
    for seed in range(seeds):

        def language_model(seed=seed) -> dict:
            return agreement_probe(
                agreement.language_model_score(*agreement.trained_language_model(sentences, steps, seed)), items
            )

        yield f"LSTM language model, seed {seed}", language_model
        for directions in (1, 2):

            def gap(seed=seed, directions=directions) -> dict:
                filler = agreement.trained_gap_filler(sentences, steps, directions, seed)
                return agreement_probe(agreement.gap_filler_score(filler), items)

            yield f"gap filler, directions {directions}, seed {seed}", gap


EXPERIMENTS = {
    "baselines": baselines,
    "embeddings": embeddings,
    "pooling": pooling,
    "chances": chances,
    "agreement": agreements,
}


# --- storing ---------------------------------------------------------------------------------------------------------


def run(name: str, file: Path, fresh: bool) -> dict:
    """Make what is missing of an experiment's rows, and write them after each."""
    rows = {} if fresh or not file.exists() else json.loads(file.read_text(encoding="utf-8"))
    file.parent.mkdir(parents=True, exist_ok=True)
    for row, make in tqdm(list(EXPERIMENTS[name]()), desc=name, unit=" rows"):
        if row in rows:
            continue
        clock, cpu = time.perf_counter(), time.process_time()
        rows[row] = make()
        spent = {"clock": time.perf_counter() - clock, "cpu": time.process_time() - cpu}
        rows[row] |= {"seconds": {kind: round(seconds, 1) for kind, seconds in spent.items()}}
        file.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m unrolled.experiments.tagging", description="Store results.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(EXPERIMENTS)}; all if none is named")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--fresh", action="store_true", help="begin anew")
    parser.add_argument("--out", type=Path, default=Path("assets/tagging"), help="folder of the results")
    asked = parser.parse_args()
    if unknown := [name for name in asked.names if name not in EXPERIMENTS]:
        parser.error(f"there is no experiment {unknown[0]!r}: choose from {', '.join(EXPERIMENTS)}")
    torch.set_num_threads(asked.threads)
    try:
        for name in asked.names or EXPERIMENTS:
            run(name, asked.out / f"{name}.json", asked.fresh)
    except OneLineError as problem:
        sys.exit(str(problem))
    except KeyboardInterrupt:
        sys.exit("Interrupted; what is stored stays, and the next call goes on.")


if __name__ == "__main__":
    main()
