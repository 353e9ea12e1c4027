"""Models that keep the future to themselves and models that let it through, for the checks of exercise 6.9.

A model takes ids (B, N), int64, and gives a tensor (B, N, 3) of floats. Each is a small table-driven net: what stands
at a position is made of the vectors of some of the symbols. Sound ones look at the symbols up to their own position;
a leaking one is named with the positions that see more. Rows are computed by themselves. Each holds who asks it to ids
of its form. What is sound may still differ in the last bits (`trembling`), and a leak may show for some symbols alone.

Shapes: B texts, N positions, V symbols.
"""

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from unrolled.checking.compare import holds
from unrolled.checking.kinds import readable
from unrolled.checking.plain import describe, short

Model = Callable[[Tensor], Tensor]  # ids (B, N) -> (B, N, 3)
Positions = Callable[[int], list[int]]  # N -> those that see the future


def vectors(ids: Tensor) -> Tensor:
    """Three numbers a symbol, (B, N, 3): no two symbols have the same."""
    return torch.stack([torch.sin(ids * rate + 1.0) for rate in (0.9, 1.7, 2.3)], 2)


def so_far(x: Tensor) -> Tensor:
    """At each position the mean of what stood there and before."""
    return x.cumsum(1) / torch.arange(1, x.shape[1] + 1)[:, None]


def behind(x: Tensor, far: int = 1) -> Tensor:
    """At each position what stands `far` places later; zeros where nothing does."""
    return torch.cat([x[:, far:], torch.zeros_like(x[:, :far])], 1)[:, : x.shape[1]]


def before(x: Tensor, far: int = 1) -> Tensor:
    """At each position what stood `far` places before it; zeros where nothing did."""
    return torch.cat([torch.zeros_like(x[:, :far]), x], 1)[:, : x.shape[1]]


def at(x: Tensor, *places: int) -> Tensor:
    """x at these positions, and zeros at all others."""
    here = torch.zeros(x.shape[1])
    here[[p for p in places if p < x.shape[1]]] = 1.0
    return x * here[:, None]


def _asked(x: Tensor, seen: Tensor) -> Tensor:
    """Attention of each position to those that `seen` (N, N) allows; zeros where it allows none."""
    scores = (3 * x @ x.mT).masked_fill(~seen, -1e30)
    return (scores.softmax(2) * seen) @ x


def shown(where: Tensor) -> Tensor:
    """A condition (B, N) as three equal numbers, 1 where it holds."""
    return where.float()[..., None].expand(-1, -1, 3)


def seldom(ids: Tensor) -> Tensor:
    """Whether the next symbol is 0 where this one is 0 or 1: drawn anew, in one text of 14 of 7 symbols it changes.

    All symbols that leave 0 or 1 if divided by 7 count with them, so that it is no rarer where there are more.
    """
    return behind(shown(ids % 7 == 0)) * shown(ids % 7 < 2)


def two_differ(ids: Tensor) -> Tensor:
    """Whether the next two symbols differ; where there are no two, they do not."""
    return F.pad(ids[:, 1:-1] != ids[:, 2:], (0, 2))[:, : ids.shape[1]]


def lower(x: Tensor, shift: int = 0) -> Tensor:
    return torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril(shift)


SOUND: dict[str, Model] = {
    "attention to what stood before": lambda ids: _asked(vectors(ids), lower(ids)),
    "attention to what stood before, itself left out": lambda ids: _asked(vectors(ids), lower(ids, -1)),
    "each symbol by itself": vectors,
    "a mean of all so far": lambda ids: so_far(vectors(ids)),
    "the symbol three places before": lambda ids: before(vectors(ids), 3),
    "the same for all": lambda ids: torch.ones(*ids.shape, 3),
    "two layers of attention": lambda ids: _asked(_asked(vectors(ids), lower(ids)), lower(ids)),
    "the first symbol at all positions": lambda ids: vectors(ids)[:, :1].expand(-1, ids.shape[1], -1) + 0.0,
    "numbers that tremble": lambda ids: trembling(so_far(vectors(ids)), ids),
}


def trembling(x: Tensor, ids: Tensor) -> Tensor:
    """x, off in the last bits by all symbols of the row, as after sums in another order: alike where x is near 0."""
    return x + 4e-6 * torch.sin(ids.sum(1).float())[:, None, None]


def _all_but_last(n: int) -> list[int]:
    return list(range(n - 1))


def _mean_of_each(x: Tensor) -> Tensor:
    return x.mean(1, keepdim=True)


def _centred(x: Tensor) -> Tensor:
    """Each number's mean and spread over all positions taken out."""
    return (x - _mean_of_each(x)) / (x.std(1, keepdim=True, unbiased=False) + 1e-2)


LEAKING: dict[str, tuple[Model, Positions]] = {
    "a mask that is off by one": (lambda ids: _asked(vectors(ids), lower(ids, 1)), _all_but_last),
    "a mask that is transposed": (lambda ids: _asked(vectors(ids), lower(ids).mT), _all_but_last),
    "no mask": (lambda ids: _asked(vectors(ids), lower(ids, ids.shape[1])), _all_but_last),
    "a mean over all positions": (lambda ids: so_far(vectors(ids)) + _mean_of_each(vectors(ids)), _all_but_last),
    "a norm over all positions": (lambda ids: _asked(_centred(vectors(ids)), lower(ids)), _all_but_last),
    "a second layer without its mask": (
        lambda ids: _asked(_asked(vectors(ids), lower(ids)), lower(ids, ids.shape[1])),
        _all_but_last,
    ),
    "the next symbol, where it is 0": (
        lambda ids: vectors(ids) + behind(shown(ids == 0)),
        _all_but_last,
    ),
    "the next symbol, where it is 0 after 0 or 1": (lambda ids: vectors(ids) + seldom(ids), _all_but_last),
    "a small leak in one number, where 0 comes after 0 or 1": (
        lambda ids: so_far(vectors(ids)) + 2e-3 * seldom(ids) * torch.tensor([0, 1, 0]),
        _all_but_last,
    ),
    "whether the next symbol is larger": (
        lambda ids: vectors(ids) + shown(F.pad(ids[:, 1:] > ids[:, :-1], (0, 1))),
        _all_but_last,
    ),
    "whether the next two differ": (
        lambda ids: vectors(ids) + shown(two_differ(ids)),
        lambda n: list(range(n - 2)),
    ),
    "probabilities, whose sum is always 1": (
        lambda ids: (so_far(vectors(ids)) + behind(vectors(ids))).softmax(2),
        _all_but_last,
    ),
    "the last symbol seen everywhere": (lambda ids: so_far(vectors(ids)) + vectors(ids)[:, -1:] / 20, _all_but_last),
    "the symbol two places later": (
        lambda ids: so_far(vectors(ids)) + behind(vectors(ids), 2) / 9,
        lambda n: list(range(n - 2)),
    ),
    "the first position sees the second": (
        lambda ids: so_far(vectors(ids)) + at(behind(vectors(ids)), 0),
        lambda n: [0][: n - 1],
    ),
    "the last but one sees the last": (
        lambda ids: so_far(vectors(ids)) + at(behind(vectors(ids)), ids.shape[1] - 2),
        lambda n: [n - 2][: n - 1],
    ),
    "every other position sees the next": (
        lambda ids: so_far(vectors(ids)) + at(behind(vectors(ids)), *range(1, ids.shape[1], 2)),
        lambda n: list(range(1, n - 1, 2)),
    ),
    "a leak that is a thousandth": (lambda ids: so_far(vectors(ids)) + 4e-3 * behind(vectors(ids)), _all_but_last),
}


def held(model: Model, vocabulary: int, length: int) -> Model:
    """The model as an answer gets it."""

    def called(ids: Any) -> Tensor:
        wanted = f"it takes int64 of shape (B, {length}), B at least 1"
        well = readable(ids) and ids.dtype == torch.int64 and ids.dim() == 2 and ids.shape[1] == length and len(ids) > 0
        holds(well, f"the model was given {describe(ids)}: {wanted}", hint=WHOLE)
        inside = bool(((ids >= 0) & (ids < vocabulary)).all())
        holds(inside, f"the model was given an id that is no symbol: they go from 0 to {vocabulary - 1}", hint=WHOLE)
        return model(ids)

    return called


WHOLE = "A model reads whole texts, of N = length symbols, each from 0 to vocabulary − 1."
MISSED = "Which texts would show it, and how many do you try? What do you change, what compare?"
ACCUSED = "Which outputs do you compare, and by how much may they differ? What stands before may move what comes later."


def finds(
    answer: Any, model: Model, sizes: tuple[int, int], expected: list[int], about: str, shown: bool = True
) -> None:
    """Hold an answer to 6.9 to the positions that see the future; `shown`: its messages tell what came."""
    vocabulary, length = sizes
    got = answer(held(model, vocabulary, length), vocabulary, length)
    came = f", and {describe(got) if not isinstance(got, list) else short(got)} came" if shown else ""
    listed = isinstance(got, list) and all(type(one) is int for one in got)
    holds(listed, f"for {about}: a list of ints is asked for{came}")
    missed, accused = [p for p in expected if p not in got], [p for p in got if p not in expected]
    named = f"position {missed[0]} sees the future" if shown and missed else "one that sees the future is left out"
    holds(not missed, f"for {about}: {named}{came}", hint=MISSED)
    wrong = (
        f"position {short(accused[0])} does not see it" if shown and accused else "a position that does not is named"
    )
    holds(not accused, f"for {about}: {wrong}{came}", hint=ACCUSED)
    holds(got == expected, f"for {about}: each position once, the first one first{came}")


def finds_each(answer: Any, sizes: tuple[int, int], names: tuple[str, ...]) -> None:
    """The same for some of the leaking models, by their names."""
    for name in names:
        model, positions = LEAKING[name]
        finds(answer, model, sizes, positions(sizes[1]), name)
