"""The small BERT that the course brings, and how it goes on learning.

    net = small(asset("bert/small/model.safetensors"), asset("bert/small/config.json"), asset("bert/small/vocab.txt"))
    more = continued(net, steps=200)        # of hidden pieces, on Shakespeare's plays; net stays as it was
    more.heldout[0].masked, more.heldout[-1].masked

`pretrain` trained it and `ship` wrote it; assets/bert/small/card.md says on what, and what it reached. The plays are
not among the books that it has read. They are short, and every student can have them.
"""

import copy
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import torch

from unrolled import data
from unrolled.bert import Bert, PretrainedBert
from unrolled.bert_checkpoints import load_pretrained
from unrolled.device import device
from unrolled.experiments.bert.books import Corpus, scenes, split
from unrolled.experiments.bert.heldout import Heldout, measured
from unrolled.experiments.bert.pretrain import BETAS, DECAY, downhill, endless
from unrolled.experiments.bert.recipes import Recipe
from unrolled.progress import progress
from unrolled.wordpiece import WordPiece

FILES = "model.safetensors", "config.json", "vocab.txt"


class Small(NamedTuple):
    """A net with both heads of its pre-training, and its list of pieces."""

    model: PretrainedBert
    pieces: WordPiece

    @property
    def bert(self) -> Bert:
        """The encoder alone; it shares its numbers with the model."""
        return self.model.bert


def small(*files: str | Path) -> Small:
    """The net of the files FILES, which lie in one folder; by default the course's own, each time read anew.

    DataError, WeightsError or PiecesError, one line each, if they are not there or damaged.
    """
    folder = Path(files[0] if files else data.asset("bert/small/model.safetensors")).parent
    return Small(load_pretrained(folder), WordPiece.read(folder / "vocab.txt"))


# --- going on --------------------------------------------------------------------------------------------------------


class Found(NamedTuple):
    """What a net reaches on scenes that it is not trained on; losses in nats, shares of right guesses."""

    step: int
    masked: float
    masked_right: float
    following: float
    following_right: float
    unigram: float  # nats of guesses by how often a piece is: the plays' training part


@dataclass
class Continued:
    """A training that went on."""

    model: PretrainedBert
    losses: list[float] = field(default_factory=list)  # of hidden pieces, nats, of the batch of each step
    heldout: list[Found] = field(default_factory=list)  # before the first step, and every so many


def plays(pieces: WordPiece) -> Corpus:
    """Shakespeare's plays, fifty speeches a document."""
    return split(scenes(), pieces, data.source("tiny_shakespeare").title)


def continued(net: Small, steps: int, every: int | None = None, seed: int = 0, rate: float = 5e-4) -> Continued:
    """Train a copy for so many steps more on the plays: 64 pairs of 32 pieces a step, both losses as before."""
    settings = net.bert.config
    recipe = Recipe(seed=seed, length=min(32, settings.longest), batch=64, steps=steps, rate=rate, warmup=20, fall=0.5)
    corpus, model = plays(net.pieces), copy.deepcopy(net.model).to(device())
    heldout, more = Heldout.of(corpus, net.pieces, recipe), Continued(model)
    descent = torch.optim.AdamW(model.parameters(), lr=rate, betas=BETAS, weight_decay=DECAY, fused=True)
    more.heldout.append(_found(model, heldout, 0))
    stream = islice(endless(corpus.train, net.pieces, recipe), steps)
    for step, batch in enumerate(progress(stream, steps, lambda: f"loss {more.losses[-1]:.3f}"), 1):
        descent.param_groups[0]["lr"] = recipe.at(step - 1)
        more.losses.append(downhill(model, descent, batch.to(device()))[0].item())
        if step == steps or (every and step % every == 0):
            more.heldout.append(_found(model, heldout, step))
    model.eval()
    return more


def _found(model: PretrainedBert, heldout: Heldout, step: int) -> Found:
    told = measured(model, heldout)
    return Found(step, **{name: told[name.replace("_", " ")] for name in Found._fields[1:]})
