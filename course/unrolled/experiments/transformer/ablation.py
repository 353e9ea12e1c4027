"""What each part of the block is for: one part at a time is left out, and the net trained again.

    text = letters()
    ablated(text, seed=0)                                   # Ablated(heldout=…, parameters=…, losses=[…]) of the whole
    ablated(text, "feed-forward", seed=0)                   # without one of `switched.PARTS`
    ablated(text, "feed-forward", seed=0, layers=9)         # and deeper, so that it has as many parameters again

Nats a symbol on held-out letters of tiny Shakespeare, after a short training; the settings were chosen for none of
them. What a part is worth in a long training, or in a deeper net, may differ.

Cost: 500 steps take about 12 processor seconds.
"""

from typing import NamedTuple

from unrolled.experiments.transformer.norms import Letters, trained_on
from unrolled.experiments.transformer.switched import language_model

NET = {"layers": 3, "width": 48, "heads": 4, "context": 64}
HOW = {"rate": 5e-3, "schedule": "warm-up, cosine", "warmup": 40, "clip": 1.0}
BATCH, STEPS = 12, 500


class Ablated(NamedTuple):
    """A net without a part."""

    heldout: float  # nats a symbol
    parameters: int
    losses: list[float]  # of the training, each a mean of 20 steps


def ablated(text: Letters, *without: str, seed: int = 0, steps: int = STEPS, **settings) -> Ablated:
    """settings: others than NET has."""
    net = language_model(text.symbols, *without, seed=seed, **NET | settings)
    trial = trained_on(net, text, steps=steps, seed=seed, batch=BATCH, **HOW)
    means = [sum(trial.losses[at : at + 20]) / len(trial.losses[at : at + 20]) for at in range(0, steps, 20)]
    size = sum(p.numel() for p in net.parameters())
    return Ablated(trial.heldout, size, [round(mean, 4) for mean in means])
