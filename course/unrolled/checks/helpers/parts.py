"""The parts of a classifier, sound ones and such as let pads leak, for the checks of exercise 4.10.

A part that reads turns x (B, T, D) and a mask (B, T) into states (B, T, H), one that pools turns states (B, T, H) and
a mask into one vector a row, (B, H). Sound ones give a sentence what they give it alone, in any batch. Each holds who
asks it to tensors of that form.
"""

import math
import random
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from unrolled.checking.compare import holds
from unrolled.checking.kinds import readable
from unrolled.checking.plain import describe, short

from .batches import LibraryBothWays, both_ways
from .recurrent import numbers

Part = Callable[[Tensor, Tensor], Tensor]


def _last(states: Tensor, mask: Tensor) -> Tensor:
    """The state at the last real step of each row."""
    return states[torch.arange(len(states)), mask.sum(1) - 1]


def _ends(states: Tensor, mask: Tensor) -> Tensor:
    """Of the forward half the last state, of the backward half the first."""
    half = (states.shape[2] + 1) // 2
    return torch.cat([_last(states, mask)[:, :half], states[:, 0, half:]], dim=1)


def _mean(states: Tensor, mask: Tensor) -> Tensor:
    return states.where(mask[..., None], 0.0).sum(1) / mask.sum(1, keepdim=True)


def _largest(states: Tensor, mask: Tensor) -> Tensor:
    return states.where(mask[..., None], -torch.inf).amax(1)


def _asked(states: Tensor, mask: Tensor) -> Tensor:
    """A weighted mean: each state's weight is made from its own first number."""
    return (states[..., :1].where(mask[..., None], -torch.inf).softmax(1) * states).sum(1)


def _blind(part: Part) -> Part:
    """The same part, which takes pads for steps."""
    return lambda x, mask: part(x, torch.ones_like(mask))


def _first_for_all(part: Part) -> Part:
    """The same part, which takes each row to be as long as the first."""
    return lambda x, mask: part(x, mask[:1].expand_as(mask))


POOLS: dict[str, Part] = {
    "the last state": _last,
    "both ends": _ends,
    "the mean": _mean,
    "the largest": _largest,
    "a weighted mean": _asked,
}
LEAKY_POOLS: dict[str, Part] = {
    "the state at the padded end": _blind(_last),
    "the mean over all T places": _blind(_mean),
    "the sum of real states over T": lambda states, mask: (states * mask[..., None]).sum(1) / states.shape[1],
    "the largest, pads among them": _blind(_largest),
    "the largest, pads as zeros": lambda states, mask: (states * mask[..., None]).amax(1),
    "a weighted mean, pads weighed too": _blind(_asked),
    "the mean of as many steps as the first row has": _first_for_all(_mean),
}


def readers(rng: random.Random, width: int, hidden: int) -> tuple[Part, dict[str, Part]]:
    """A sound part that reads, a net of one layer in both directions; and such as let pads leak, by what they do."""
    net, mixed = LibraryBothWays(both_ways(rng, width, (hidden + 1) // 2, 1)), numbers(rng, width, hidden)

    def sound(x: Tensor, mask: Tensor) -> Tensor:
        return net(x, mask)[..., :hidden]

    return sound, {
        "a backward direction that begins in the pads": _blind(sound),
        "numbers centred over all T places": lambda x, mask: sound(x - x.mean(1, keepdim=True), mask),
        "a window that sees the place behind": lambda x, mask: (x + x.roll(-1, 1) * _inner(x)) @ mixed,
    }


def _inner(x: Tensor) -> Tensor:
    """1 at each place but the last, where `roll` would bring the first one round."""
    return (torch.arange(x.shape[1]) < x.shape[1] - 1).to(x.dtype)[:, None]


def held(part: Part, size: int, what: str) -> Part:
    """The part as an answer gets it: it holds its caller to (B, T, size) floats and a fitting mask, pads at the end."""
    wanted = f"it takes a tensor of floats of shape (B, T, {size}) and a bool mask of shape (B, T)"

    def called(x: Any, mask: Any) -> Tensor:
        well = readable(x) and x.dtype in (torch.float32, torch.float64) and x.dim() == 3 and x.shape[2] == size
        holds(well, f"{what} was given {describe(x)} first: {wanted}")
        fits = readable(mask) and mask.dtype == torch.bool and mask.shape == x.shape[:2]
        holds(fits, f"{what} was given {describe(mask)} as mask: {wanted}")
        counts = mask.sum(1)
        holds(x.shape[0] > 0 and bool((counts > 0).all()), f"{what} was given a row without a real step")
        prefix = torch.arange(x.shape[1]) < counts[:, None]
        holds(bool((mask == prefix).all()), f"{what} was given a mask whose pads do not stand at the end")
        with torch.no_grad():
            return part(x.float(), mask).to(x.dtype)

    return called


def finds(
    answer: Any, read: Part, pool: Part, sizes: tuple[int, int], expected: list[str], about: str, shown: bool = True
) -> None:
    """Hold an answer to 4.10 to the names of the parts that leak; `shown`: its messages tell what came."""
    width, hidden = sizes
    got = answer(held(read, width, "read"), held(pool, hidden, "pool"), width, hidden)
    came = f", and {describe(got) if not isinstance(got, list) else short(got)} came" if shown else ""
    listed = isinstance(got, list) and all(isinstance(name, str) for name in got)
    holds(listed, f"for {about}: a list of names is asked for{came}")
    missed, accused = [n for n in expected if n not in got], [n for n in got if n not in expected]
    named = f"{' and '.join(missed)} leaks" if shown else "a part that leaks is not named"
    holds(not missed, f"for {about}: {named}{came}", hint=MISSED)
    holds(not accused, f"for {about}: what is sound is named{came}", hint=ACCUSED)
    holds(got == expected, f"for {about}: each name once, read first{came}")


MISSED = "Which pads, which real numbers and which rows beside them would make this leak show?"
ACCUSED = "Do you compare real places only, and with a tolerance of about 1e-4?"


def blurred(part: Part) -> Part:
    """The same part, with numbers that are off in the last bits, by the number of places, as after other sums."""
    return lambda x, mask: part(x, mask) * (1 + 3e-7 * math.sin(x.shape[1]))


def careless_at_pads(read: Part) -> Part:
    """The same part that reads, with states of 7 at the pads, where they are of no matter."""
    return lambda x, mask: torch.where(mask[..., None], read(x, mask), torch.tensor(7.0))
