"""The training of a transformer language model: warm-up, half a cosine, a checkpoint to go on from.

    python -m unrolled.experiments.transformer.language [--text names] [--scale cpu] [--seed 0]

trains on one of the ladder's texts, prints the loss on what was held out, and keeps the state under _build/, where the
ladder (benchmarks/rungs/transformer.py) finds it. An interrupted call goes on after the last checkpoint. On CUDA the
products are bfloat16 and the blocks are compiled.

AdamW with weight decay of matrices alone and β₂ = 0.99; the rate rises in a line over the first steps, and falls along
half a cosine (Loshchilov and Hutter 2017 and 2019).
"""

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path

import torch
from torch import Tensor, nn

from unrolled.device import SCALES, device, scale
from unrolled.errors import OneLineError
from unrolled.experiments.checkpoints import kept, resumed
from unrolled.experiments.transformer.recipes import NOTEBOOK, RECIPES, Recipe  # noqa: F401 (the notebook's, taken from here)
from unrolled.experiments.transformer.texts import TEXTS, Parts, text_parts
from unrolled.progress import progress
from unrolled.training import Batch, Text, evaluate, random_batches, sequence_batches
from unrolled.transformer_lm import TransformerLM

KEEP = Path("_build/transformer")  # folder of the checkpoints
EVERY = 250  # steps from one checkpoint to the next
BETAS, DECAY, CLIP = (0.9, 0.99), 0.1, 1.0


@dataclass
class Trained:
    """A net, ready for use, and how its training went."""

    model: TransformerLM
    recipe: Recipe
    losses: list[float] = field(default_factory=list)  # of each step's batch, nats a symbol
    seconds: float = 0.0  # by the clock
    cpu: float = 0.0  # of the processor

    def scores(self, part: Text) -> dict[str, float]:
        """Nats a symbol on a text. "window": as it goes on, with half a context before each symbol, at least;
        "pieces": in pieces as long as the context, each read from nothing."""
        if not isinstance(part, Tensor):
            return {"window": evaluate(self.model, part)}
        size = self.recipe.context
        pieces = [part[at : at + size + 1] for at in range(0, len(part) - 1, size)]
        rows = max(1, min(64, len(part) // (16 * size)))  # side by side, each begun with nothing: long ones
        return {"window": evaluate(self.model, part, rows), "pieces": evaluate(self.model, pieces)}


def warmed(step: int, steps: int, warmup: int) -> float:
    """The share of the highest rate that step 0, 1, … of so many steps takes."""
    if step < warmup:
        return (step + 1) / warmup
    return (1 + math.cos(math.pi * (step - warmup) / max(1, steps - warmup))) / 2


def train_language(text: Text, symbols: int, recipe: Recipe, file: Path | None = None) -> Trained:
    """Train on a stream of ids (N,), or on sequences. file: where the state is kept, and taken up again."""
    trained, chance = Trained(recipe.net(symbols).to(device()), recipe), torch.Generator().manual_seed(recipe.seed)
    descent = torch.optim.AdamW(_groups(trained.model), lr=recipe.rate, betas=BETAS, fused=True)
    settings = asdict(recipe) | {"symbols": symbols, "read": sum(map(len, [text] if _is_stream(text) else text))}
    if file is not None and (state := resumed(file, settings)) is not None:
        _take_up(trained, descent, chance, state)
    if trained.model.device.type == "cuda":
        trained.model.stack.compile()
    before, clock, done = replace(trained), (time.perf_counter(), time.process_time()), len(trained.losses)
    losses = torch.zeros(recipe.steps, device=device())  # in one place: thousands of single ones would scatter memory
    losses[:done] = torch.tensor(trained.losses)
    todo = islice(_batches(text, recipe, chance), recipe.steps - done)
    trained.model.train()
    for step, piece in enumerate(progress(todo, recipe.steps - done, _note(losses)), done + 1):
        for group in descent.param_groups:
            group["lr"] = recipe.rate * warmed(step - 1, recipe.steps, recipe.warmup)
        losses[step - 1] = _downhill(trained.model, descent, piece)
        if step == recipe.steps or step % EVERY == 0:
            trained.losses = losses[:step].tolist()  # which waits for the device
            trained.seconds = before.seconds + time.perf_counter() - clock[0]
            trained.cpu = before.cpu + time.process_time() - clock[1]
            if file is not None:
                kept(file, settings, _state(trained, descent, chance))
    trained.model.eval()
    return trained


def _note(losses: Tensor) -> Callable[[], str]:
    return lambda: f"loss {losses[losses > 0][-1].item():.3f}"


def _is_stream(text: Text) -> bool:
    return isinstance(text, Tensor)


def _groups(model: TransformerLM) -> list[dict]:
    """Matrices, which decay, and vectors: shifts, and the norms' γ and β."""
    matrices, vectors = [p for p in model.parameters() if p.ndim > 1], [p for p in model.parameters() if p.ndim == 1]
    return [{"params": matrices, "weight_decay": DECAY}, {"params": vectors, "weight_decay": 0.0}]


def _batches(text: Text, recipe: Recipe, chance: torch.Generator) -> Iterator[Batch]:
    if _is_stream(text):
        return random_batches(text.to(device()), recipe.batch, recipe.context, chance)
    return sequence_batches(text, recipe.batch, chance)


def _downhill(model: TransformerLM, descent: torch.optim.Optimizer, piece: Batch) -> Tensor:
    """One step; the loss before it."""
    kind = model.device.type
    with torch.autocast(kind, torch.bfloat16, enabled=kind == "cuda"):
        loss = model(piece.inputs.to(model.device), piece.targets.to(model.device)).loss
    descent.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), CLIP)
    descent.step()
    return loss.detach()


def _state(trained: Trained, descent: torch.optim.Optimizer, chance: torch.Generator) -> dict:
    """All that a training needs to go on as if it had not stopped, on the CPU; dropout on CUDA draws anew."""
    told = {"losses": trained.losses, "seconds": trained.seconds, "cpu": trained.cpu}
    parts = {"model": trained.model.state_dict(), "descent": descent.state_dict()}
    return parts | {"told": told, "pieces": chance.get_state(), "dropout": torch.get_rng_state()}


def _take_up(trained: Trained, descent: torch.optim.Optimizer, chance: torch.Generator, state: dict) -> None:
    trained.model.load_state_dict(state["model"])
    descent.load_state_dict(state["descent"])
    chance.set_state(state["pieces"])
    torch.set_rng_state(state["dropout"])
    for name, value in state["told"].items():
        setattr(trained, name, value)


def train_on(
    name: str, size: str, seed: int = 0, recipe: Recipe | None = None, keep: Path | None = KEEP
) -> tuple[Trained, Parts]:
    """Train on one of TEXTS by its recipe of that scale; what was kept of the same training is taken up."""
    parts = text_parts(name)
    recipe = replace(recipe or RECIPES.get(name, RECIPES["names"])[size], seed=seed)
    file = None if keep is None else keep / f"{name.replace(' ', '-')}-{size}-{seed}.pt"
    return train_language(parts.train, len(parts.vocabulary), recipe, file), parts


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m unrolled.experiments.transformer.language", description="Train a language model."
    )
    parser.add_argument("--text", choices=TEXTS, default="shakespeare")
    parser.add_argument("--scale", choices=SCALES, default=scale())
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--keep", type=Path, default=KEEP, help="folder of the checkpoints")
    asked = parser.parse_args()
    torch.set_num_threads(asked.threads)
    try:
        trained, parts = train_on(asked.text, asked.scale, asked.seed, keep=asked.keep)
    except OneLineError as problem:
        sys.exit(str(problem))
    except KeyboardInterrupt:
        sys.exit(f"Interrupted; the next call goes on after the last {EVERY} steps that were kept.")
    print(f"{trained.recipe}: {trained.seconds:.0f} s by the clock, {trained.cpu:.0f} s of the processor")
    for part, ids in parts.others.items():
        print(f"{part}:", ", ".join(f"{how} {nats:.4f}" for how, nats in trained.scores(ids).items()), "nats a symbol")


if __name__ == "__main__":
    main()
