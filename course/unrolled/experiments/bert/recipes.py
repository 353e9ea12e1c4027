"""Settings of the pre-training, by scale.

    RECIPES["cpu"].net()        # untrained

"gpu" was tried at tiny sizes alone: what it reaches, and in how many minutes, is not known.
"""

from dataclasses import dataclass

import torch

from unrolled.bert import BertConfig, PretrainedBert


@dataclass(frozen=True)
class Recipe:
    """A net and its training."""

    pieces: int = 5000  # V
    width: int = 128
    heads: int = 4
    layers: int = 4
    longest: int = 128  # positions that are learned
    dropout: float = 0.0  # the text is read about once: there is little to overfit to
    seed: int = 0
    # what may be another when an interrupted training goes on
    length: int = 64  # pieces of a pair
    shorter: tuple[int, ...] = ()  # lengths that some parts of the text are cut to, so that short ones are known, too
    batch: int = 32  # pairs of the first length
    steps: int = 20_000
    rate: float = 1e-3  # the highest
    warmup: int = 500  # steps in which the rate rises in a line
    fall: float = 0.2  # the share of steps, the last ones, in which it falls in a line to zero
    documents: int = 64  # that are cut into pairs together, and from which second passages are taken
    every: int = 250  # steps between two checkpoints

    def config(self) -> BertConfig:
        """Of the net."""
        return BertConfig(
            self.pieces, self.width, self.heads, self.layers, 4 * self.width, self.longest, dropout=self.dropout
        )

    def net(self) -> PretrainedBert:
        """Untrained; the seed decides on its numbers."""
        torch.manual_seed(self.seed)
        return PretrainedBert(self.config())

    def fixed(self) -> dict:
        """What must be the same when a training goes on."""
        return {name: getattr(self, name) for name in ("pieces", "width", "heads", "layers", "longest", "seed")}

    def lengths(self) -> tuple[int, ...]:
        """Of pairs, the longest first."""
        return self.length, *self.shorter

    def at(self, step: int) -> float:
        """The rate of step 0, 1, …: up, level, down. While it is level, one may decide how long to train."""
        falling = max(1, round(self.fall * self.steps))
        return self.rate * min(1.0, (step + 1) / self.warmup, (self.steps - step) / falling)


RECIPES = {
    "smoke": Recipe(
        pieces=200, width=16, heads=2, layers=1, longest=32, length=32, batch=4, steps=6, warmup=2, documents=4, every=3
    ),
    "cpu": Recipe(),
    "gpu": Recipe(
        pieces=8000, width=256, heads=8, layers=6, length=128, batch=256, steps=8000, warmup=1000, documents=256
    ),
}
