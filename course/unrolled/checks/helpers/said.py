"""What answers of unit 7 return, read; and the blocks that its text works by hand.

What the library's parts give is in `blocks`.
"""

from typing import Any

import torch
from torch import Tensor

from unrolled.checking.kinds import number, refuse

from . import blocks
from .recurrent import exact
from .translators import Params

DOUBLE = torch.float64


def block_by_hand() -> tuple[Tensor, Params]:
    """The two words of the text, with attention that gives the mean and FFN that is max(0, x)."""
    one, none, zero = torch.eye(2, dtype=DOUBLE), torch.zeros(2, 2, dtype=DOUBLE), torch.zeros(2, dtype=DOUBLE)
    layer = {"Wq": none, "Wk": one, "Wv": one, "Wo": one} | {name: zero for name in ("bq", "bk", "bv", "bo")}
    norm = {"gamma": torch.ones(2, dtype=DOUBLE), "beta": zero}
    work = {"W1": one, "b1": zero, "W2": one, "b2": zero}
    params = {"attention": layer, "norm1": norm, "forward": work, "norm2": norm}
    return exact([1, 3], [2, 6])[None], params


def decoder_by_hand() -> tuple[Tensor, Tensor, Params, Tensor]:
    """The same two words before a memory of two words and a pad, through a decoder's block made of the same parts."""
    y, params = block_by_hand()
    whole = params | {"cross": params["attention"], "norm3": params["norm1"]}
    memory, real = exact([12, 0], [8, 0], [7, 70])[None], torch.tensor([[True, True, False]])
    return y, memory, whole, real


def loss_of(answer: Any, logits: Tensor, ids: Tensor, pad: int = 0) -> float:
    """What an answer to 7.6 returns: one number."""
    return number(answer(logits, ids, pad), "the loss")


def step_by_step(answer: Any, ids: Tensor, params: Params, heads: int, exactly: Params | None = None) -> Tensor:
    """The logits (B, N, V) that come when the symbols of ids (B, N) go in one after another.

    exactly: the parameters that the answer gets, if they are others than those that tell the shapes.
    """
    cache, said = blocks.empty_cache(params, heads, len(ids)), []
    for n in range(ids.shape[1]):
        got = answer(ids[:, n], cache, exactly or params, heads)
        logits, cache = blocks.read_grown(got, ids, cache, params)
        said.append(logits)
    return torch.stack(said, 1)


def count_of(answer: Any, *settings: int) -> int:
    """What an answer to 7.8 returns: an int."""
    got = answer(*settings)
    if type(got) is not int:
        refuse("the number", "an int", got)
    return got
