"""Data hunger: the loss of a small transformer against how much it was trained on, for curves beside the older models.

    trained(text_parts("shakespeare"), 30_000, seed=0).scores(heldout)
    curves(ladder_of_this_unit, *older_ladders)    # {model: [[training characters, mean, spread], …]}

The net has about as many parameters as unit 2's Elman net and unit 3's LSTM (102 thousand), reads as many characters in
a step (1,024), and takes as many steps. The rate is that of the larger net, not chosen for this one; it rises over a
twentieth of the steps.
"""

from pathlib import Path

from unrolled.experiments.transformer.language import KEEP, Trained, train_language
from unrolled.experiments.transformer.recipes import Recipe
from unrolled.experiments.transformer.texts import Parts

SIZES = 10_000, 30_000, 100_000, 300_000  # characters of tiny Shakespeare, from its beginning; and all of them
PASSES, MOST_STEPS = 10, 3000  # as in units 2 and 3
CHARACTERS = 1024  # of a step
NET = {"width": 64, "layers": 2, "context": 64, "batch": CHARACTERS // 64}
NAME = "transformer"


def recipe(size: int, seed: int) -> Recipe:
    """For the first `size` characters."""
    steps = max(1, min(MOST_STEPS, PASSES * size // CHARACTERS))
    return Recipe(**NET, steps=steps, warmup=max(1, steps // 20), seed=seed)


def trained(parts: Parts, size: int, seed: int, keep: Path | None = KEEP) -> Trained:
    """Trained on the first `size` characters; what was kept of the same training is taken up."""
    file = None if keep is None else keep / f"hunger-{size}-{seed}.pt"
    return train_language(parts.train[:size], len(parts.vocabulary), recipe(size, seed), file)


def curves(*ladders: dict) -> dict[str, list[list[float]]]:
    """The curves of several units' results, as their files hold them; a model that stands in two has the first's."""
    found: dict[str, list] = {}
    for ladder in ladders:
        for name, points in ladder["shakespeare_by_size"].items():
            found.setdefault(name.partition(", order")[0], points)
    return found
