"""The language model's settings, by text and scale.

    RECIPES["shakespeare"]["cpu"].net(symbols=65)     # untrained
    NOTEBOOK["cpu"]                                   # what the notebook trains itself

Those of "cpu" were chosen with seed 0. Those of "gpu" were tried at tiny sizes alone: what they reach is not known.
"""

from dataclasses import dataclass

import torch
from torch import nn

from unrolled.transformer_lm import TransformerLM


@dataclass(frozen=True)
class Recipe:
    """A net and its training."""

    width: int = 128
    heads: int = 4
    layers: int = 3
    context: int = 64  # symbols of a window, and of a piece of text in a batch
    batch: int = 12  # pieces, or sequences
    steps: int = 4500
    rate: float = 3e-3  # the highest, after the warm-up
    warmup: int = 200  # steps
    dropout: float = 0.0
    positions: str = "learned"
    seed: int = 0

    def net(self, symbols: int) -> TransformerLM:
        """Untrained; the seed decides on its numbers."""
        torch.manual_seed(self.seed)
        sizes = {name: getattr(self, name) for name in ("width", "heads", "layers", "context", "dropout", "positions")}
        model = TransformerLM(symbols, **sizes)
        if model.positions.E is not None:  # small beside the symbols, so that at first the symbols count
            nn.init.normal_(model.positions.E.weight, std=0.02)
        return model


RECIPES = {  # by text and scale
    "shakespeare": {
        "smoke": Recipe(width=16, heads=2, layers=1, context=16, batch=8, steps=20, warmup=5),
        "cpu": Recipe(),
        "gpu": Recipe(width=384, heads=6, layers=6, context=256, batch=64, steps=5000, rate=1e-3, dropout=0.3),
    },
    "names": {
        "smoke": Recipe(width=16, heads=2, layers=1, context=16, batch=8, steps=20, warmup=5),
        "cpu": Recipe(width=64, layers=3, context=16, batch=64, steps=6000, dropout=0.1),
        "gpu": Recipe(width=64, layers=3, context=16, batch=64, steps=6000, dropout=0.1),
    },
    "makemore's names": {
        "smoke": Recipe(width=16, heads=2, layers=1, context=16, batch=8, steps=20, warmup=5),
        "cpu": Recipe(width=64, layers=3, context=16, batch=64, steps=15_000, dropout=0.15),
        "gpu": Recipe(width=64, layers=3, context=16, batch=64, steps=15_000, dropout=0.15),
    },
}
NOTEBOOK = {  # what the notebook trains itself
    "smoke": RECIPES["shakespeare"]["smoke"],
    "cpu": Recipe(width=64, layers=2, steps=1500, rate=5e-3, warmup=100),
    "gpu": Recipe(steps=1500),
}
