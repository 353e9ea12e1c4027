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
from unrolled.experiments.seq2seq.evaluating import evaluated
from unrolled.experiments.seq2seq.numbers import Pair
from unrolled.experiments.seq2seq.reading import Reader, batches
from unrolled.experiments.seq2seq.tatoeba import tatoeba
from unrolled.language_model import IGNORED
from unrolled.progress import progress
from unrolled.seq2seq import CONTEXTS, Config, Translator

RECIPES = {  # by scale; longest: words of a side; asked: test sentences
    "smoke": {"longest": 4, "asked": 20, "epochs": 1, "batch": 64, "rate": 3e-3},
    "cpu": {"longest": 8, "asked": 1000, "epochs": 3, "batch": 128, "rate": 3e-3},
    "gpu": {"longest": 14, "asked": 1000, "epochs": 12, "batch": 256, "rate": 2e-3},
}
SIZES = {"smoke": 8, "cpu": 96, "gpu": 256}  # of an embedding and a state of the encoder; the decoder's: twice as much
NET = {"score": "additive", "dropout": 0.2}
MINIMUM_COUNT, CLIP = 3, 1.0  # of a word, below which it is unknown; norm of a gradient


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


def recipe_of(size: str, context: str, seed: int) -> dict:
    """All settings of a training; size: one of RECIPES."""
    net = {"width": SIZES[size], "hidden": SIZES[size], "state": 2 * SIZES[size]}
    return RECIPES[size] | net | NET | {"context": context, "seed": seed}


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


def _row(training: Training, parts: dict[str, list[Pair]]) -> dict:
    """What is stored of a training."""
    told = training.told
    return {
        "settings": training.recipe,
        "pairs": {part: len(of) for part, of in parts.items()},
        "words": {"source": len(training.reader.source), "target": len(training.reader.target)},
        "parameters": sum(p.numel() for p in training.model.parameters()),
        "chosen epoch": told["dev"].index(min(told["dev"])) + 1,
        "losses": told["losses"],
        "dev": told["dev"],
        **evaluated(training.model, training.reader, parts["test"]),
        "seconds": {"clock": round(told["seconds"], 1), "cpu": round(told["cpu"], 1)},
        "threads": torch.get_num_threads(),
        "load": round(os.getloadavg()[2], 1),  # of the machine, over its last 15 minutes: others work on it, too
        "device": torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU",
        "torch": torch.__version__,
    }


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
    recipe = recipe_of(asked.scale, asked.context, asked.seed)
    name = f"{asked.scale}, {asked.context}, seed {asked.seed}"
    try:
        parts = tatoeba(recipe["longest"], test=recipe["asked"], stand_in=False)
        training = trained(parts, recipe, asked.keep / f"reach-{name.replace(', ', '-')}.pt")
    except OneLineError as problem:
        sys.exit(str(problem))
    except KeyboardInterrupt:
        sys.exit("Interrupted; the next call goes on after the last whole epoch.")
    row = _row(training, parts)
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    rows = json.loads(asked.out.read_text(encoding="utf-8")) if asked.out.exists() else {}
    asked.out.write_text(json.dumps(rows | {name: row}, indent=1) + "\n", encoding="utf-8")
    print(f"test: {row['test']}, seconds {row['seconds']}")


if __name__ == "__main__":
    main()
