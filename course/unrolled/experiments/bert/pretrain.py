"""The pre-training of a small BERT on the books: hidden pieces, and whether one passage follows another.

    python -m unrolled.experiments.bert.pretrain --pieces vocab.txt --keep FOLDER [--scale cpu] [--steps 20000]

writes a checkpoint and a line of log.jsonl every so many steps, with the losses on what is held out beside those of
models that know nothing of the context. An interrupted call goes on after the last checkpoint, also with more steps,
longer pairs or another rate. On CUDA the products are bfloat16 and the encoder is compiled.

AdamW (Loshchilov and Hutter 2019), weight decay of matrices alone. The rate rises, stays, and falls at the end (Hägele
and others, "Scaling laws and compute-optimal training beyond fixed training durations", 2024).
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle, islice
from pathlib import Path

import torch
from torch import nn

from unrolled.bert import PretrainedBert
from unrolled.device import SCALES, device, scale
from unrolled.errors import OneLineError
from unrolled.experiments.bert.books import EVERY, Corpus, Encoded, books
from unrolled.experiments.bert.heldout import Heldout, measured
from unrolled.experiments.bert.recipes import RECIPES, Recipe
from unrolled.experiments.checkpoints import kept, resumed
from unrolled.pretraining import Batch, batches
from unrolled.progress import progress
from unrolled.wordpiece import WordPiece

DECAY, BETAS, CLIP = 0.01, (0.9, 0.98), 1.0


@dataclass
class Pretrained:
    """A net and how far it came."""

    model: PretrainedBert
    step: int = 0
    seconds: float = 0.0  # by the clock
    log: list[dict] = field(default_factory=list)  # a line for each checkpoint


def endless(documents: Sequence[Encoded], pieces: WordPiece, recipe: Recipe, step: int = 0) -> Iterator[Batch]:
    """Batches from that step on, pass after pass; the recipe's lengths take turns, of each about as many pieces.

    A training that goes on begins with new documents: what it would have read of the old ones is left out.
    """
    streams = [_of_length(n, documents, pieces, recipe, step + i) for i, n in enumerate(recipe.lengths())]
    for stream in cycle(streams):
        yield next(stream)


def _of_length(
    length: int, documents: Sequence[Encoded], pieces: WordPiece, recipe: Recipe, part: int
) -> Iterator[Batch]:
    """So many documents at a time; each part draws from its own seed, and lengths do not share one."""
    while True:
        chance = torch.Generator().manual_seed(1_000_003 * recipe.seed + part)
        drawn = torch.randperm(len(documents), generator=chance)[: max(2, recipe.documents)].tolist()
        size = recipe.batch * recipe.length // length
        yield from batches([documents[i] for i in drawn], pieces, length, size, part + recipe.seed)
        part += 1_000_000


def pretrain(corpus: Corpus, pieces: WordPiece, recipe: Recipe, folder: Path | None = None) -> Pretrained:
    """Train, or go on. folder: where the checkpoint and the log are kept; None keeps nothing."""
    done = Pretrained(recipe.net().to(device()))
    descent = torch.optim.AdamW(groups(done.model), lr=recipe.rate, betas=BETAS, fused=True)
    settings = recipe.fixed()
    if folder is not None and (state := resumed(folder / "checkpoint.pt", settings)) is not None:
        _take_up(done, descent, state)
    if device().type == "cuda":
        done.model.bert.compile(dynamic=True)  # batches differ in length
    heldout, began, shown = Heldout.of(corpus, pieces, recipe), time.perf_counter() - done.seconds, []
    todo, first = max(0, recipe.steps - done.step), done.step
    stream = islice(endless(corpus.train, pieces, recipe, first), todo)
    note = lambda: f"loss {sum(shown[-1].tolist()):.3f}" if shown else ""  # noqa: E731 (what the bar says)
    for step, batch in enumerate(progress(stream, todo, note), first + 1):
        for group in descent.param_groups:
            group["lr"] = recipe.at(step - 1)
        shown.append(downhill(done.model, descent, batch.to(device())))
        if step == recipe.steps or step % recipe.every == 0:
            done.step, done.seconds = step, time.perf_counter() - began
            train = dict(zip(("masked", "following"), torch.stack(shown).mean(0).tolist(), strict=True))
            done.log.append(_line(done, recipe.length, train, measured(done.model, heldout)))
            shown.clear()
            if folder is not None:
                kept(folder / "checkpoint.pt", settings, _state(done, descent))
                (folder / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in done.log), "utf-8")
    done.model.eval()
    return done


def downhill(model: PretrainedBert, descent: torch.optim.Optimizer, batch: Batch) -> torch.Tensor:
    """One step: the two losses before it, shape (2,). The net learns by their sum."""
    model.train()
    kind = batch.targets.device.type
    with torch.autocast(kind, torch.bfloat16, enabled=kind == "cuda"):
        losses = model(*batch)
    descent.zero_grad()
    (losses.masked + losses.following).backward()
    nn.utils.clip_grad_norm_(model.parameters(), CLIP)
    descent.step()
    return torch.stack([losses.masked.detach(), losses.following.detach()]).float()


def groups(model: nn.Module) -> list[dict]:
    """Matrices, which decay, and vectors: shifts, and the norms' γ and β."""
    matrices, vectors = [p for p in model.parameters() if p.ndim > 1], [p for p in model.parameters() if p.ndim == 1]
    return [{"params": matrices, "weight_decay": DECAY}, {"params": vectors, "weight_decay": 0.0}]


def _line(done: Pretrained, length: int, train: dict, heldout: dict) -> dict:
    shortened = {
        kind: {name: round(value, 4) for name, value in found.items()}
        for kind, found in (("train", train), ("heldout", heldout))
    }
    return {"step": done.step, "seconds": round(done.seconds), "length": length} | shortened


def _state(done: Pretrained, descent: torch.optim.Optimizer) -> dict:
    told = {"step": done.step, "seconds": done.seconds, "log": done.log}
    return {"model": done.model.state_dict(), "descent": descent.state_dict(), "told": told}


def _take_up(done: Pretrained, descent: torch.optim.Optimizer, state: dict) -> None:
    done.model.load_state_dict(state["model"])
    descent.load_state_dict(state["descent"])
    for name, value in state["told"].items():
        setattr(done, name, value)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m unrolled.experiments.bert.pretrain", description="Pre-train BERT.")
    parser.add_argument("--scale", choices=SCALES, default=scale())
    parser.add_argument("--pieces", type=Path, required=True, help="the list of pieces, one a line")
    parser.add_argument("--keep", type=Path, required=True, help="folder of the checkpoint and the log")
    parser.add_argument("--documents", type=int, help="read only so many, for a trial")
    for name, kind in (("steps", int), ("length", int), ("batch", int), ("rate", float), ("seed", int), ("every", int)):
        parser.add_argument(f"--{name}", type=kind)
    parser.add_argument("--shorter", type=int, nargs="*", help="lengths besides, so that short texts stay known")
    parser.add_argument("--threads", type=int, default=1)
    asked = parser.parse_args()
    if asked.documents is not None and asked.documents < 2 * EVERY:
        parser.error(f"--documents must be at least {2 * EVERY}, of which two are held out")
    torch.set_num_threads(asked.threads)
    chosen = {name: getattr(asked, name) for name in ("steps", "length", "batch", "rate", "seed", "every")}
    chosen["shorter"] = None if asked.shorter is None else tuple(asked.shorter)
    try:
        pieces = WordPiece.read(asked.pieces)
        recipe = replace(RECIPES[asked.scale], pieces=len(pieces), **{k: v for k, v in chosen.items() if v is not None})
        done = pretrain(books(pieces, asked.documents), pieces, recipe, asked.keep)
    except OneLineError as problem:
        sys.exit(str(problem))
    except KeyboardInterrupt:
        sys.exit("Interrupted; the next call goes on after the last checkpoint.")
    print(json.dumps(done.log[-1]) if done.log else "Nothing was left to do.")


if __name__ == "__main__":
    main()
