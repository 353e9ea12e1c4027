"""What answers of unit 6 return, held to its kind and shape before anything is computed with it.

The library's twins are in `heads`. Shapes as there.
"""

from typing import Any

import torch
from torch import Tensor

from unrolled.checking.compare import close, holds
from unrolled.checking.kinds import floats, mapping, readable, refuse

from . import told
from .heads import INNER
from .translators import SOFT, Params, parts_of

NO_NUMBER = "0 · ∞ and ∞ − ∞ are no numbers: where are 0 and −∞ multiplied, or added up?"


def sees(rows: str) -> Tensor:
    """A mask written down: rows of 0 and 1."""
    return torch.tensor([[one == "1" for one in row] for row in rows.split()])


def read_attended(got: Any, q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    """What an answer to 6.2 returns, held to its kinds and shapes."""
    out, weights = parts_of(got, 2)
    return (
        floats(out, (*q.shape[:-1], v.shape[-1]), "what was found"),
        floats(weights, (*q.shape[:-1], k.shape[-2]), "the weights"),
    )


def attended_are(
    answer: Any, given: Any, mask: Tensor | None, expected: Any, about: str = "", how: tuple = SOFT, **kind: Any
) -> Tensor:
    """Hold what an answer to 6.2 makes of queries, keys and values to (what was found, weights); gives the weights."""
    out, weights = read_attended(answer(*given, mask), *given)
    close(weights, expected[1], f"the weights{about}", *how, **kind)
    close(out, expected[0], f"what was found{about}", *how, **kind)
    return weights


def shares(weights: Tensor, mask: Tensor) -> None:
    """Hold weights to be exactly 0 where the mask is false, and to sum to one where a query may look somewhere."""
    full = mask.expand_as(weights)
    holds(bool((weights[~full] == 0).all()), "a weight is not exactly 0 where the mask is false")
    holds(bool((weights >= 0).all()), "a weight is below 0, or no number")
    close(weights.sum(-1), full.any(-1).to(weights.dtype), "the sums of the weights over the keys", *SOFT)


def masked(answer: Any, real: Tensor, causal: bool, kind: str) -> Tensor:
    """What an answer to 6.3 returns."""
    got, (batch, n) = answer(real, causal, kind), real.shape
    dtype = torch.float32 if kind == "add" else torch.bool
    wanted = f"a tensor of {dtype} of shape {(batch, 1, n, n)}"
    what = f'the mask of kind "{kind}"'
    if not readable(got):
        refuse(what, wanted, got)
    if got.dtype != dtype:
        refuse(what, wanted, got, "of the wrong dtype")
    if tuple(got.shape) != (batch, 1, n, n):
        refuse(what, wanted, got, "of the wrong shape")
    if kind == "add":
        holds(not bool(got.isnan().any()), f"{what} has NaN in it", hint=NO_NUMBER)
    return got


def read_heads(got: Any, x: Tensor, heads: int) -> tuple[Tensor, Tensor]:
    """What an answer to 6.5 returns, held to its kinds and shapes."""
    out, weights = parts_of(got, 2)
    B, N, _ = x.shape
    return floats(out, tuple(x.shape), "the new vectors"), floats(weights, (B, heads, N, N), "the weights")


def heads_are(answer: Any, given: tuple, expected: Any, about: str = "", how: tuple = SOFT, **kind: Any) -> None:
    """Hold what an answer to 6.5 makes of (x, params, heads, mask) to (new vectors, weights)."""
    out, weights = read_heads(answer(*given), given[0], given[2])
    close(weights, expected[1], f"the weights{about}", *how, **kind)
    close(out, expected[0], f"the new vectors{about}", *how, **kind)


def gradient_is(mine: Any, theirs: Tensor, name: str, *how: float) -> None:
    """Hold a gradient to another, and say of a wrong one whether a way is cut."""
    close(mine, theirs, f"the gradient by {name}", *how, hint=told.of_gradient(mine, theirs))


def same_by_name(mine: dict, theirs: dict, names: tuple) -> None:
    """The same for each of these parameters."""
    for name in names:
        gradient_is(mine[name], theirs[name], name, *SOFT)


def table(answer: Any, n: int, d: int) -> Tensor:
    """What an answer to 6.6 returns."""
    got = floats(answer(n, d), (n, d), "the table")
    if got.dtype != torch.float32:
        refuse("the table", "a tensor of dtype float32", got, "of the wrong dtype")
    return got


def logits_of(answer: Any, ids: Tensor, real: Tensor, params: Params, heads: int, causal: bool) -> Tensor:
    """What an answer to 6.7 returns."""
    return floats(answer(ids, real, params, heads, causal), (*ids.shape, len(params["b"])), "the logits")


def same_where_real(got: Tensor, expected: Tensor, real: Tensor, what: str, *precision: float, **how: bool) -> None:
    """Hold logits to others where a word is real: elsewhere they are of no matter."""
    close(got[real], expected[real], what, *(precision or SOFT), **how)


def pruned_of(answer: Any, params: Params, heads: int, keep: list[int]) -> Params:
    """What an answer to 6.8 returns: the names of what went in, the shapes of what is left, the types."""
    got = mapping(answer(params, heads, keep), "the result")
    holds(all(name in got for name in params), "a name that went in is missing in the result")
    holds(len(got) == len(params), "the result has a name that did not go in")
    E, D = params["Wq"].shape
    inner = E // heads * len(keep)
    shapes = {name: (inner, D)[: params[name].dim()] for name in INNER} | {"Wo": (D, inner), "bo": (D,)}
    for name, shape in shapes.items():
        kind = params[name].dtype
        if floats(got[name], shape, f"{name} of what is left").dtype != kind:
            refuse(f"{name} of what is left", f"a tensor of {kind}, as it was", got[name], "of the wrong dtype")
    return got
