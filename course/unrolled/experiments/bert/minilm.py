"""MiniLM-L6, a net that others pre-trained, fine-tuned on two of our tasks: a training that can be interrupted.

    run = tuned_minilm("films", RUNS["films"], seed=0, keep=Path("_build/bert"))     # Run(score=…, dev=…, losses=[…])

Wang and others, "MiniLM" (2020): six layers of 384, 22.7 million numbers, made to do as a larger BERT does; then tuned
by others on a great many pairs of sentences, so that what it gains is not due to plain text alone. Those of our task
"pairs" are among them, so that it is not asked of it. It has no head for hidden pieces. In that tuning a sentence's
vector was the mean of its pieces' vectors, and [CLS] was no more than one of them: so the mean is read here as well.

Its list has small letters only, and a capital says much about a part of speech. Segments are of no use where there is
one text: so with `capitals` the pieces of a word that begins with a capital letter are in segment 1.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor, nn

from unrolled import data
from unrolled.bert import Bert, Classifier, Pieces, Tagger
from unrolled.bert_checkpoints import load
from unrolled.data.finding import data_set
from unrolled.data.places import cache_folder, mirror_folder, sound
from unrolled.experiments.bert.finetuning import BATCH, CLIP, RISES, Task, Tuned, score, start, task
from unrolled.experiments.bert.reading import Item
from unrolled.experiments.checkpoints import kept, resumed
from unrolled.experiments.tagging.conll import ud_ewt
from unrolled.experiments.transformer.schedules import share
from unrolled.language_model import Output, cross_entropy
from unrolled.progress import progress
from unrolled.training import Batch
from unrolled.wordpiece import WordPiece

EVERY = 100  # steps between two checkpoints


@dataclass(frozen=True)
class Recipe:
    """A training."""

    steps: int
    rate: float  # the highest
    capitals: bool = False
    batch: int = BATCH

    def at(self, step: int) -> float:
        """The rate of step 0, 1, …: it rises, then falls along half a cosine."""
        return self.rate * share("warm-up, cosine", step, self.steps, max(1, self.steps // RISES))


RUNS = {
    "parts of speech": Recipe(steps=1176, rate=3e-4, capitals=True, batch=32),  # three epochs
    "films": Recipe(steps=1066, rate=5e-5),  # two epochs
}


class MeanClassifier(Classifier):
    """A class for each sequence: softmax(W m + c) of the mean m of its pieces' vectors."""

    def forward(self, pieces: Pieces, targets: Tensor | None = None, state: None = None) -> Output:
        """logits (B, C); loss in nats."""
        real = pieces.mask[..., None]  # (B, N, 1)
        mean = (self.bert(pieces).hidden[-1] * real).sum(1) / real.sum(1)  # (B, D)
        logits = self.output(self.dropout(mean))  # (B, D) -> (B, C)
        return Output(logits, None if targets is None else cross_entropy(logits, targets), None)


class Run(NamedTuple):
    """How it went."""

    score: float  # of the test part
    dev: float
    losses: list[float]


def at_hand() -> bool:
    """Whether all its files lie in the cache or the mirror folder, whole, so that `minilm` need not fetch them."""
    folders = cache_folder(), mirror_folder()
    files = data_set("minilm_l6").files
    return all(any(sound(folder / file.name, file.sha256) for folder in folders) for file in files)


def minilm() -> tuple[Bert, WordPiece]:
    """The net and its list of pieces. DataError where they cannot be had: 83.5 MB are fetched once."""
    files = [data.path("minilm_l6", f"minilm_l6/{name}") for name in ("config.json", "vocab.txt", "model.safetensors")]
    return load(files[2].parent), WordPiece.read(files[1])


def with_capitals(of: Task, sentences: dict[str, Sequence]) -> Task:
    """The same task, the pieces of words that begin with a capital in segment 1."""
    items = {
        part: [_raised(item, one.words) for item, one in zip(of.items[part], some, strict=True)]
        for part, some in sentences.items()
    }
    return replace(of, items=items)


def _raised(item: Item, words: Sequence[str]) -> Item:
    return replace(item, segments=[int(word >= 0 and words[word][0].isupper()) for word in item.of_word])


def tuned_minilm(name: str, recipe: Recipe, seed: int = 0, keep: Path | None = None) -> Run:
    """Fine-tune it on a task; keep: a folder for what is needed to go on after an interruption."""
    bert, pieces = minilm()
    asked = task(name, pieces)
    asked = with_capitals(asked, ud_ewt()) if recipe.capitals else asked
    file = None if keep is None else keep / f"minilm-{name.replace(' ', '-')}-{seed}.pt"
    model, losses = _trained(bert, asked, recipe, seed, file)
    net = Tuned(model, asked.reader, losses)
    means = [round(sum(losses[at : at + 20]) / len(losses[at : at + 20]), 4) for at in range(0, len(losses), 20)]
    return Run(round(score(net, asked), 4), round(score(net, asked, "dev"), 4), means)


def _trained(bert: Bert, asked: Task, recipe: Recipe, seed: int, file: Path | None) -> tuple[nn.Module, list[float]]:
    model = (Tagger if asked.of_words else MeanClassifier)(start(bert, seed), len(asked.reader.classes)).train()
    descent = torch.optim.AdamW(model.parameters(), lr=recipe.rate)
    settings = {"task": asked.name, "seed": seed, "model": type(model).__name__} | asdict(recipe)
    losses = [] if file is None else _taken_up(model, descent, resumed(file, settings))
    batches = asked.reader.batches(asked.items["train"], asked.labels["train"], recipe.batch, seed)
    left = islice(batches, len(losses), recipe.steps)
    for batch in progress(left, recipe.steps - len(losses), note=lambda: f"loss {losses[-1]:.3f}"):
        descent.param_groups[0]["lr"] = recipe.at(len(losses))
        losses.append(_downhill(model, descent, batch))
        if file is not None and (len(losses) % EVERY == 0 or len(losses) == recipe.steps):
            kept(file, settings, {"model": model.state_dict(), "descent": descent.state_dict(), "losses": losses})
    return model.eval(), losses


def _taken_up(model: nn.Module, descent: torch.optim.Optimizer, state: dict | None) -> list[float]:
    """The losses so far; the model and its optimiser go on from there."""
    if state is None:
        return []
    model.load_state_dict(state["model"])
    descent.load_state_dict(state["descent"])
    return list(state["losses"])


def _downhill(model: nn.Module, descent: torch.optim.Optimizer, batch: Batch) -> float:
    """One step: the loss before it."""
    loss = model(batch.inputs, batch.targets).loss
    descent.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), CLIP)
    descent.step()
    return loss.item()
