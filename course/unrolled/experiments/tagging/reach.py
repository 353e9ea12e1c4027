"""How far the tagger gets: the whole treebank, the epoch chosen on the dev part, the test part asked once.

    python -m unrolled.experiments.tagging.reach --seed 0 [--epochs 12] [--out assets/tagging/reach.json]

The net reads words as a learned embedding beside the course's word vectors, and their letters; in training some words
are read as unknown ones, so that the net learns to do without. What is asked is not the net at its last step but the
mean of its last few hundred, each older one weighted a little less (Polyak and Juditsky 1992), which is steadier.
After each epoch the state is kept under _build/, and taken up again by the next call with the same settings.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import torch
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from unrolled.device import device
from unrolled.errors import OneLineError
from unrolled.experiments.checkpoints import kept, resumed
from unrolled.experiments.reading import Reader, answers, batches
from unrolled.experiments.tagging.conll import ud_ewt
from unrolled.experiments.tagging.grammar import Sentence
from unrolled.experiments.tagging.reports import accuracy, by_words
from unrolled.experiments.vectors import table_for, word_vectors
from unrolled.progress import progress
from unrolled.tagging import Config, Tagger

NET = {"width": 64, "spelling": 64, "hidden": 128, "layers": 1, "dropout": 0.4, "word_dropout": 0.1}
BATCH, CLIP, MEMORY = 32, 1.0, 0.998  # sentences; norm of a gradient; weight of the older steps in the mean


class Training:
    """A net, its mean and its optimiser, all of which a checkpoint holds."""

    def __init__(self, reader: Reader, settings: dict, epochs: int, rate: float, seed: int):
        torch.manual_seed(seed)
        sizes = reader.learned, len(reader.classes), len(reader.alphabet)
        self.model = Tagger(Config(*sizes, **settings), table_for(reader)).to(device())
        self.mean = AveragedModel(self.model, multi_avg_fn=get_ema_multi_avg_fn(MEMORY), use_buffers=False)
        self.descent = torch.optim.AdamW(self.model.parameters(), lr=rate, fused=True)
        self.reader, self.epochs, self.rate, self.seed = reader, epochs, rate, seed
        self.told = {"epoch": 0, "losses": [], "dev": [], "seconds": 0.0, "best": None}

    def epoch(self, train: Sequence[Sentence]) -> float:
        """Every sentence once; the mean loss. The rate falls in a line, to zero after the last epoch."""
        at, losses = self.told["epoch"], [torch.tensor(0.0)]
        steps = -(-len(train) // BATCH)
        words, tags = [s.words for s in train], [s.tags for s in train]
        drawn = islice(batches(self.reader, words, tags, BATCH, seed=1000 * self.seed + at), steps)
        self.model.train()
        for number, piece in enumerate(progress(drawn, steps, note=lambda: f"loss {losses[-1].item():.3f}")):
            self.descent.param_groups[0]["lr"] = self.rate * (1 - (at + number / steps) / self.epochs)
            loss = self.model(piece.inputs.to(self.model.device), piece.targets.to(self.model.device)).loss
            self.descent.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
            self.descent.step()
            self.mean.update_parameters(self.model)
            losses.append(loss.detach())
        return torch.stack(losses[1:]).mean().item()

    def answers(self, sentences: Sequence[Sentence]) -> list[list[str]]:
        return answers(self.mean.module, self.reader, [s.words for s in sentences])

    def state(self) -> dict:
        parts = {"model": self.model, "mean": self.mean, "descent": self.descent}
        return {name: part.state_dict() for name, part in parts.items()} | {
            "told": self.told,
            "chance": torch.get_rng_state(),
        }

    def take_up(self, state: dict) -> None:
        for name in ("model", "mean", "descent"):
            getattr(self, name).load_state_dict(state[name])
        self.told = state["told"]
        torch.set_rng_state(state["chance"])


def trained(parts: dict[str, list[Sentence]], settings: dict, epochs: int, rate: float, seed: int, file: Path) -> dict:
    """Train, choose the epoch by dev accuracy, ask for the test part. What to write into the results."""
    words, tags = [s.words for s in parts["train"]], [s.tags for s in parts["train"]]
    reader = Reader.of(words, tags, letters=True, more=word_vectors()[0])
    training = Training(reader, settings, epochs, rate, seed)
    recipe = settings | {"epochs": epochs, "rate": rate, "seed": seed, "words": reader.learned}
    if (state := resumed(file, recipe)) is not None:
        training.take_up(state)
    told, dev = training.told, parts["dev"]
    while told["epoch"] < epochs:
        began = time.perf_counter()
        told["losses"].append(round(training.epoch(parts["train"]), 4))
        told["dev"].append(accuracy([s.tags for s in dev], training.answers(dev)))
        if told["dev"][-1] == max(told["dev"]):
            told["best"] = {name: value.clone() for name, value in training.mean.module.state_dict().items()}
        told["epoch"] += 1
        told["seconds"] += time.perf_counter() - began
        kept(file, recipe, training.state())
        print(f"epoch {told['epoch']} of {epochs}: dev {told['dev'][-1]:.4f}, {told['seconds']:.0f} s", flush=True)
    training.mean.module.load_state_dict(told["best"])
    return _result(training, parts, recipe)


def _result(training: Training, parts: dict, recipe: dict) -> dict:
    test, told = parts["test"], training.told
    known = {word for s in parts["train"] for word in s.words}
    found = by_words([s.words for s in test], [s.tags for s in test], training.answers(test), known)
    return {
        "settings": recipe,
        "parameters": sum(p.numel() for p in training.model.parameters()),
        "chosen epoch": told["dev"].index(max(told["dev"])) + 1,
        "dev": [round(share, 5) for share in told["dev"]],
        "test": {"all": round(found.all, 5), "known": round(found.known, 5), "unknown": round(found.unknown, 5)},
        "test words": {"all": found.words, "unknown": found.unknown_words},
        "losses": told["losses"],
        "seconds": round(told["seconds"], 1),
        "threads": torch.get_num_threads(),
        "load": round(os.getloadavg()[2], 1),  # of the machine, over its last 15 minutes: others work on it, too
        "device": torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU",
        "torch": torch.__version__,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m unrolled.experiments.tagging.reach", description="Train the tagger."
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--keep", type=Path, default=Path("_build/tagging"), help="folder of the checkpoints")
    parser.add_argument("--out", type=Path, default=Path("assets/tagging/reach.json"), help="the results, seed by seed")
    asked = parser.parse_args()
    torch.set_num_threads(asked.threads)
    try:
        file = asked.keep / f"reach-{asked.seed}.pt"
        result = trained(ud_ewt(stand_in=False), NET, asked.epochs, asked.rate, asked.seed, file)
    except OneLineError as problem:
        sys.exit(str(problem))
    except KeyboardInterrupt:
        sys.exit("Interrupted; the next call goes on after the last whole epoch.")
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    results = json.loads(asked.out.read_text(encoding="utf-8")) if asked.out.exists() else {}
    results[str(asked.seed)] = result
    asked.out.write_text(json.dumps(dict(sorted(results.items())), indent=1) + "\n", encoding="utf-8")
    print(f"test: {result['test']}, {result['seconds']} s")


if __name__ == "__main__":
    main()
