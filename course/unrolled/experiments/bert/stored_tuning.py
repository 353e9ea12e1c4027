"""What the stored experiments on fine-tuning do: names of rows, and what makes them."""

from functools import cache, partial
from pathlib import Path
from statistics import fmean

from unrolled.bert import Bert
from unrolled.experiments.bert import minilm, questions
from unrolled.experiments.bert.finetuning import RATE, Task, commonest, score, task, tuned
from unrolled.experiments.bert.small import Small, small
from unrolled.experiments.storing import Rows
from unrolled.experiments.tagging.snips import snips
from unrolled.wordpiece import WordPiece

SEEDS = range(3)
FOLDER = Path("assets/bert/small")  # of the small net, from the repository's root
KEEP = Path("_build/bert")  # what MiniLM's trainings need to go on
STARTS = {"pre-trained": False, "from scratch": True}
MOST = 2000  # texts of a test part that are asked


@cache
def shipped() -> Small:
    """The small net, with both heads of its pre-training, and its list of pieces."""
    return small(*(FOLDER / name for name in ("model.safetensors", "config.json", "vocab.txt")))


def net() -> tuple[Bert, WordPiece]:
    """Its encoder, and its list of pieces."""
    return shipped().bert, shipped().pieces


@cache
def read(name: str) -> Task:
    """A task, read once."""
    return task(name, net()[1])


def _row(name: str, every: bool = False, part: str = "test", **how) -> dict:
    """One training, and what it reaches; the loss of its last steps."""
    asked = read(name).every() if every else read(name)
    trained = tuned(net()[0], asked, **how)
    reached = score(trained, asked, part, MOST)
    return {"score": round(reached, 4), "last losses": round(fmean(trained.losses[-20:]), 4), "steps": how["steps"]}


# --- what pre-training buys ------------------------------------------------------------------------------------------

LABELS = {100: 200, 300: 200, 1000: 300, 3000: 600}  # how many labels: for how many steps


def labels(names=("films", "parts of speech")) -> Rows:
    """The same net pre-trained and from scratch, by how many texts have labels."""
    for name in names:
        for count, steps in LABELS.items():
            for kind, fresh in STARTS.items():
                for seed in SEEDS:
                    how = {"labels": count, "steps": steps, "fresh": fresh, "seed": seed}
                    yield f"{name}, {count} labels, {kind}, seed {seed}", partial(_row, name, **how)


# --- the tasks -------------------------------------------------------------------------------------------------------

STEPS = {"intents": 200, "films": 500, "pairs": 600, "slots": 800, "parts of speech": 500}


def tasks() -> Rows:
    """Every task with all of its labels; those of words with the label on the first piece, and on all."""
    for name, steps in STEPS.items():
        yield f"{name}, the commonest label", lambda n=name: {"score": round(commonest(read(n)), 4)}
        for seed in SEEDS:
            yield f"{name}, seed {seed}", partial(_row, name, steps=steps, seed=seed)
    for name in "slots", "parts of speech":
        for seed in SEEDS:
            yield f"{name}, every piece, seed {seed}", partial(_row, name, every=True, steps=STEPS[name], seed=seed)


# --- settings --------------------------------------------------------------------------------------------------------

RATES = 3e-6, 2e-5, 5e-5, 2e-4, 5e-4, 1e-3, 3e-3
FEW = {"labels": 1000, "steps": 200}


def grid(batches=(16, 32)) -> Rows:
    """Film reviews, a thousand labels: batch and rate, chosen on dev. The paper's rates, and larger ones."""
    for batch in batches:
        for rate in RATES:
            how = FEW | {"batch": batch, "rate": rate, "part": "dev"}
            yield f"batch {batch}, rate {rate}, seed 0", partial(_row, "films", **how)


def seeds(rates=(RATE, 6 * RATE), count=10) -> Rows:
    """Ten seeds of one training, on dev and on test: at the usual rate, and at one that is too high."""
    for rate in rates:
        for seed in range(count):
            yield f"rate {rate}, seed {seed}", partial(_both, rate, seed)


def _both(rate: float, seed: int) -> dict:
    trained = tuned(net()[0], read("films"), rate=rate, seed=seed, labels=300, steps=150)
    parts = {part: round(score(trained, read("films"), part, MOST), 4) for part in ("train", "dev", "test")}
    return parts | {"last losses": round(fmean(trained.losses[-20:]), 4), "labels": 300, "steps": 150}


# --- spans, and MiniLM -----------------------------------------------------------------------------------------------


def spans(steps=1200) -> Rows:
    """A slot's name as the question over a request."""
    for kind, fresh in STARTS.items():
        for seed in SEEDS:
            yield f"{kind}, seed {seed}", partial(_spans, seed, fresh, steps)


def _spans(seed: int, fresh: bool, steps: int) -> dict:
    (bert, pieces), parts = net(), snips()
    asked = {part: questions.questions(parts[part], pieces, seed) for part in ("train", "test")}
    finder = questions.learned(bert, asked["train"], pieces, steps=steps, seed=seed, fresh=fresh)
    told = {part: len(some) for part, some in asked.items()}
    return questions.measured(finder, pieces, asked["test"])._asdict() | told | {"steps": steps}


def real() -> Rows:
    """MiniLM-L6, once a task: ten minutes of a core each."""
    for name, recipe in minilm.RUNS.items():
        yield f"{name}, seed 0", lambda n=name, r=recipe: _real(n, r)


def _real(name: str, recipe: minilm.Recipe) -> dict:
    run = minilm.tuned_minilm(name, recipe, 0, KEEP)
    return run._asdict() | {"steps": recipe.steps, "rate": recipe.rate, "batch": recipe.batch}


EXPERIMENTS = {
    "labels": labels,
    "tasks": tasks,
    "grid": grid,
    "seeds": seeds,
    "questions": spans,
    "minilm": real,
}
