"""How far the translator gets on sentences: English to French, the epoch chosen on dev, the test part asked once.

    python -m unrolled.experiments.seq2seq.reach --seed 0 [--scale cpu] [--context attention]

writes a row of assets/seq2seq/tatoeba.json: BLEU and chrF of greedy decoding and of beams, with intervals, and how the
training went. No test sentence was trained on: see `tatoeba`. After each epoch the state is kept under _build/, and
taken up again by the next call with the same settings. On CUDA the products of the training are bfloat16.
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

from unrolled.device import SCALES, device, scale
from unrolled.errors import OneLineError
from unrolled.experiments.checkpoints import kept, resumed
from unrolled.experiments.seq2seq.beams import searched
from unrolled.experiments.seq2seq.numbers import Pair
from unrolled.experiments.seq2seq.reading import Reader, batches, looked
from unrolled.experiments.seq2seq.scoring import scores
from unrolled.experiments.seq2seq.tatoeba import joined, references, tatoeba
from unrolled.language_model import IGNORED
from unrolled.progress import progress
from unrolled.seq2seq import CONTEXTS, Config, Translator

RECIPES = {  # by scale; longest: words of a side; asked: test sentences
    "smoke": {"longest": 4, "asked": 20, "epochs": 1, "batch": 64, "rate": 3e-3, "width": 8, "hidden": 8, "state": 16},
    "cpu": {
        "longest": 8,
        "asked": 1000,
        "epochs": 5,
        "batch": 128,
        "rate": 3e-3,
        "width": 96,
        "hidden": 96,
        "state": 192,
    },
    "gpu": {
        "longest": 14,
        "asked": 1000,
        "epochs": 12,
        "batch": 256,
        "rate": 2e-3,
        "width": 256,
        "hidden": 256,
        "state": 512,
    },
}
NET = {"score": "additive", "dropout": 0.2}
MINIMUM_COUNT, CLIP = 3, 1.0  # of a word, below which it is unknown; norm of a gradient
WIDTHS, ALPHAS = (1, 2, 4, 8, 16), (0.0, 0.6, 1.0)
SHOWN = (  # sentences of our own, whose translations and weights are stored
    "the old man is not at home .",
    "she bought a red car yesterday .",
    "where did you find my keys ?",
    "i don' t know this song .",
    "we will never forget your black cat .",
)


class Training:
    """A net and its optimiser, both of which a checkpoint holds."""

    def __init__(self, reader: Reader, recipe: dict):
        torch.manual_seed(recipe["seed"])
        settings = {name: recipe[name] for name in ("context", "width", "hidden", "state", *NET)}
        self.model = Translator(Config(len(reader.source), len(reader.target), **settings)).to(device())
        self.descent = torch.optim.AdamW(self.model.parameters(), lr=recipe["rate"], fused=True)
        self.reader, self.recipe = reader, recipe
        self.told = {"epoch": 0, "losses": [], "dev": [], "seconds": 0.0, "cpu": 0.0, "best": None}

    def epoch(self, train: Sequence[Pair]) -> float:
        """Every pair once; the mean loss. The rate falls in a line, to zero after the last epoch."""
        at, epochs, size = self.told["epoch"], self.recipe["epochs"], self.recipe["batch"]
        steps, losses = -(-len(train) // size), [torch.tensor(0.0)]
        drawn = islice(batches(self.reader, train, size, seed=1000 * self.recipe["seed"] + at), steps)
        self.model.train()
        for number, piece in enumerate(progress(drawn, steps, note=lambda: f"loss {losses[-1].item():.3f}")):
            self.descent.param_groups[0]["lr"] = self.recipe["rate"] * (1 - (at + number / steps) / epochs)
            loss = self._loss(piece)
            self.descent.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
            self.descent.step()
            losses.append(loss.detach())
        return torch.stack(losses[1:]).mean().item()

    def _loss(self, piece) -> torch.Tensor:
        kind = self.model.device.type
        with torch.autocast(kind, torch.bfloat16, enabled=kind == "cuda"):
            return self.model(piece.inputs.to(self.model.device), piece.targets.to(self.model.device)).loss

    @torch.no_grad()
    def dev_loss(self, pairs: Sequence[Pair]) -> float:
        """Nats a word, after the right words before it."""
        self.model.eval()
        total, words = 0.0, 0
        for at in range(0, len(pairs), 128):
            piece = self.reader.batch(pairs[at : at + 128])
            n = int((piece.targets != IGNORED).sum())
            total, words = total + n * self._loss(piece).item(), words + n
        return total / words

    def state(self) -> dict:
        parts = {"model": self.model.state_dict(), "descent": self.descent.state_dict()}
        return parts | {"told": self.told, "chance": torch.get_rng_state()}

    def take_up(self, state: dict) -> None:
        self.model.load_state_dict(state["model"])
        self.descent.load_state_dict(state["descent"])
        self.told = state["told"]
        torch.set_rng_state(state["chance"])


def trained(parts: dict[str, list[Pair]], recipe: dict, file: Path) -> Training:
    """Train, and go back to the epoch with the lowest loss on dev."""
    training = Training(Reader.of(parts["train"], MINIMUM_COUNT), recipe)
    if (state := resumed(file, recipe)) is not None:
        training.take_up(state)
    told = training.told
    while told["epoch"] < recipe["epochs"]:
        began, busy = time.perf_counter(), time.process_time()
        told["losses"].append(round(training.epoch(parts["train"]), 4))
        told["dev"].append(round(training.dev_loss(parts["dev"]), 4))
        if told["dev"][-1] == min(told["dev"]):
            told["best"] = {name: value.clone() for name, value in training.model.state_dict().items()}
        told["epoch"] += 1
        told["seconds"] += time.perf_counter() - began
        told["cpu"] += time.process_time() - busy
        kept(file, recipe, training.state())
        print(
            f"epoch {told['epoch']} of {recipe['epochs']}: dev {told['dev'][-1]}, {told['seconds']:.0f} s", flush=True
        )
    training.model.load_state_dict(told["best"])
    training.model.eval()
    return training


def result(training: Training, parts: dict[str, list[Pair]]) -> dict:
    """What to store: the test part by greedy decoding (a beam of one) and by wider beams."""
    told, recipe = training.told, training.recipe
    asked = references(parts["test"])
    beams = [_beam(training, asked, width) for width in WIDTHS]
    return {
        "settings": recipe,
        "pairs": {part: len(of) for part, of in parts.items()},
        "test sentences": len(asked),
        "words": {"source": len(training.reader.source), "target": len(training.reader.target)},
        "parameters": sum(p.numel() for p in training.model.parameters()),
        "chosen epoch": told["dev"].index(min(told["dev"])) + 1,
        "losses": told["losses"],
        "dev": told["dev"],
        "test": beams[0]["alpha"]["0.0"],
        "beams": beams,
        "shown": [_shown(training, source) for source in SHOWN],
        "seconds": {"clock": round(told["seconds"], 1), "cpu": round(told["cpu"], 1)},
        "threads": torch.get_num_threads(),
        "load": round(os.getloadavg()[2], 1),  # of the machine, over its last 15 minutes: others work on it, too
        "device": torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU",
        "torch": torch.__version__,
    }


def _shown(training: Training, source: str) -> dict:
    """What is written with a beam of 4, and where the writer looked."""
    words = source.split()
    best = searched(training.model, training.reader, words, 4)[0]
    target = training.reader.words(best.words)
    told = {"source": words, "target": target}
    if training.recipe["context"] == "attention":
        weights = looked(training.model, training.reader, words, target)  # (M, N)
        told["weights"] = [[round(w, 3) for w in row] for row in weights.tolist()]
    return told


def _beam(training: Training, asked: dict[tuple, list[list[str]]], width: int) -> dict:
    began = time.perf_counter()
    found = [searched(training.model, training.reader, source, width) for source in progress(asked, len(asked), str)]
    seconds, right = time.perf_counter() - began, [[joined(words) for words in of] for of in asked.values()]
    row = {"width": width, "seconds a sentence": round(seconds / len(asked), 5), "alpha": {}}
    for alpha in ALPHAS if width > 1 else ALPHAS[:1]:
        best = [max(one, key=lambda hypothesis, a=alpha: hypothesis.score(a)) for one in found]
        given = [joined(training.reader.words(one.words)) for one in best]
        row["alpha"][str(alpha)] = scores(given, right) | {
            "log prob": round(sum(one.log_prob for one in best) / len(best), 4),
            "words": round(sum(len(one.words) for one in best) / len(best), 3),
            "ended": round(sum(one.ended for one in best) / len(best), 4),
        }
    return row


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m unrolled.experiments.seq2seq.reach", description="Train on sentences."
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--scale", choices=SCALES, default=scale())
    parser.add_argument("--context", choices=CONTEXTS, default="attention")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--keep", type=Path, default=Path("_build/seq2seq"), help="folder of the checkpoints")
    parser.add_argument("--out", type=Path, default=Path("assets/seq2seq/tatoeba.json"), help="the results, row by row")
    asked = parser.parse_args()
    torch.set_num_threads(asked.threads)
    recipe = RECIPES[asked.scale] | NET | {"context": asked.context, "seed": asked.seed}
    name = f"{asked.scale}, {asked.context}, seed {asked.seed}"
    try:
        parts = tatoeba(recipe["longest"], test=recipe["asked"], stand_in=False)
        row = result(trained(parts, recipe, asked.keep / f"reach-{name.replace(', ', '-')}.pt"), parts)
    except OneLineError as problem:
        sys.exit(str(problem))
    except KeyboardInterrupt:
        sys.exit("Interrupted; the next call goes on after the last whole epoch.")
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    rows = json.loads(asked.out.read_text(encoding="utf-8")) if asked.out.exists() else {}
    asked.out.write_text(json.dumps(rows | {name: row}, indent=1) + "\n", encoding="utf-8")
    print(f"test: {row['test']}, seconds {row['seconds']}")


if __name__ == "__main__":
    main()
