"""Cases of unit 6 that are worked by hand: what goes in, and what must come out.

They use that e^(ln 3) = 3, so that scores of ln 3 and 0 have the weights 3/4 and 1/4. Numbers are float64, but for the
parameters that are cut, which are whole. The checks of unit 6 use them. Shapes as in `heads`.
"""

import math

import torch
from torch import Tensor

from .attending import sees
from .heads import INNER
from .recurrent import exact
from .translators import Params

LN2, LN3 = math.log(2), math.log(3)


# --- one attention ---------------------------------------------------------------------------------------------------


def three_words() -> tuple[Tensor, dict[bool, Tensor]]:
    """Words (a, 0), (0, a), (a, a) with a² = ln 2, and their new vectors by `causal`."""
    a = math.sqrt(LN2)
    everywhere = exact([0.8 * a, 0.6 * a], [0.6 * a, 0.8 * a], [0.75 * a, 0.75 * a])[None]
    so_far = exact([a, 0], [a / 3, 2 * a / 3], [0.75 * a, 0.75 * a])[None]
    return exact([a, 0], [0, a], [a, a])[None], {False: everywhere, True: so_far}


def loud_texts() -> tuple[Tensor, dict[bool, Tensor]]:
    """Texts of three words, in thousands, small ones, and in thousands of millions; their new vectors by `causal`."""
    x = exact([[1000, 0], [0, 1000], [1000, 0.0]], [[1, 0], [2, 0], [1, 0.0]], [[1, 0], [4e9, 0], [-4e9, 0.0]])
    everywhere, so_far = x.clone(), x.clone()
    everywhere[2, 0, 0] = 4e9  # the first word is the smallest, and asks for the largest
    everywhere[1, :, 0] = torch.stack([_found(row, [1, 2, 1]) for row in ([1, 2, 1], [2, 4, 2], [1, 2, 1])])
    so_far[1, 1:, 0] = torch.stack([_found([2, 4], [1, 2]), _found([1, 2, 1], [1, 2, 1])])
    return x, {False: everywhere, True: so_far}


def _found(scores: list[float], values: list[float]) -> Tensor:
    return torch.softmax(exact(*scores), 0) @ exact(*values)


def two_keys() -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values: of the first query the weights are 3/4 and 1/4, of 4 and 8 they make 5."""
    return exact([2 * LN3, 0, 0, 0], [1, 2, 3, 4]), exact([1, 5, 5, 5], [0, -9, 0, 9]), exact([4], [8])


def gradients_of_two_keys() -> tuple[list[Tensor], dict[str, Tensor]]:
    """What comes back to both results, and the gradients, where the second query may look nowhere.

    Of the weights 3/4 and 1/4 the slopes are ±3/16; by the two scores the gradients are −3/4 and 3/4.
    """
    found = {
        "q": exact([-0.375, -5.25, -1.875, 1.5], [0, 0, 0, 0]),
        "k": exact([-0.75 * LN3, 0, 0, 0], [0.75 * LN3, 0, 0, 0]),
        "v": exact([0.75], [0.25]),
    }
    return [exact([1], [7]), exact([0, 0], [3, 5])], found


def loud_queries() -> tuple[tuple[Tensor, Tensor, Tensor], Tensor, Tensor]:
    """Queries, keys and values, a mask, and the weights: rows far apart, masked scores far above the others.

    The first two keys alone have the same weights without a mask, but for the fourth row, where they are halves.
    """
    k = exact([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0])
    q = 2 * exact([5000, 4999, 9e9, 0], [-1e12, -1e12, 0, 0], [-8000, -8001, 0, 0], [0, 0, 8000, 0], [2, 1, 0, 0])
    e = math.e
    two = [e / (1 + e), 1 / (1 + e), 0]
    weights = exact(two, [0.5, 0.5, 0], two, [0, 0, 1], two)
    return (q, k, exact([1], [2], [3])), sees("110 110 110 111 110"), weights


# --- many heads ------------------------------------------------------------------------------------------------------


def two_heads_of_one_number() -> tuple[Tensor, Params, Tensor, Tensor]:
    """Three words, the parameters of a layer, the new vectors, and the weights of two heads of width 1."""
    params = {"Wq": exact([LN3, 0], [0, LN3]), "Wk": exact([0, 1], [0, 1]), "Wv": exact([15, 0], [0, 15])}
    params |= {name: exact(0, 0) for name in ("bq", "bk", "bv")} | {"Wo": exact([0, 1], [2, 1]), "bo": exact(1, 0)}
    x, third = exact([1, 0], [0, 1], [0, 0])[None], [1 / 3] * 3
    weights = exact([[0.2, 0.6, 0.2], third, third], [third, [0.2, 0.6, 0.2], third])
    return x, params, exact([6, 11], [10, 19], [6, 15])[None], weights[None]


def net_of_two_words() -> tuple[Tensor, Params, Tensor]:
    """Ids of two words, a net whose queries are 0, and the logits, causal: the second word finds the mean of both."""
    one, zero = torch.eye(2, dtype=torch.float64), torch.zeros(2, 2, dtype=torch.float64)
    params = {"E": exact([9, 9], [10, 20], [30, 40]), "W": exact([1, 0], [1, 1]), "b": exact(0, 100)}
    params |= {"Wq": zero, "Wk": one, "Wv": one.clone(), "Wo": one.clone(), "bo": exact(0, 2)}
    params |= {name: exact(0, 0) for name in ("bq", "bk", "bv")}
    x, y = 20 + math.sin(1) / 2, 32.5 + math.cos(1) / 2
    return torch.tensor([[1, 2]]), params, exact([10, 133], [x, 100 + x + y])


def second_of_two_heads() -> tuple[Params, Params]:
    """The parameters of two heads of two numbers, and those of the second one alone."""
    params = {name: torch.arange(12.0).reshape(4, 3) + 100 * n for n, name in enumerate(("Wq", "Wk", "Wv"))}
    params |= {name: torch.arange(4.0) - 10 * n for n, name in enumerate(("bq", "bk", "bv"))}
    params |= {"Wo": torch.arange(12.0).reshape(3, 4), "bo": torch.tensor([7.0, 8.0, 9.0])}
    left = {name: params[name][2:] for name in INNER}
    return params, left | {"Wo": torch.tensor([[2.0, 3], [6, 7], [10, 11]]), "bo": params["bo"]}
