"""A hidden check in three lines: on inputs drawn anew the answer agrees with the solution in the unit's source.

    @agrees("mle", weight=2, hint="Contexts may have any length, () among them.")
    def other_counts_become_probabilities(rng):
        \"\"\"Other counts, of orders 1 to 4, become the shares they are.\"\"\"
        yield from ((table, context) for table in random_tables(rng) for context in table)

The solution is run here, in the process of the checks, which no answer sees. What it cannot do is a fault of the
check, never of the answer: the check then leaves the account. Properties, and cases worked by hand, stay written out.
"""

import functools
from collections.abc import Callable, Iterable, Iterator
from random import Random
from types import GeneratorType
from typing import Any

from unrolled.checking import check, close, seeded
from unrolled.checking.plain import plain

from autograder.releasing.references import solution

DRAWS = 4  # of a function that returns one set of arguments
Draw = Callable[[Random], Iterable]


def agrees(
    exercise: str,
    weight: float = 1.0,
    hint: str = "",
    needs: str | None = None,
    what: str = "the result for other arguments",
    rtol: float = 1e-5,
    atol: float = 1e-7,
    read: Callable[[Any], Any] = lambda result: result,
    tell: Callable[[Any, Any], str] = lambda got, expected: "",
) -> Callable[[Draw], Draw]:
    """Declare `draw(random)`, which yields tuples of arguments or returns one, as a hidden check of `exercise`.

    Its name and docstring are those of the check. `rtol` and `atol` are those of `close`: give the ones that the
    visible checks hold the same property with. `read` is applied to both results before they are compared; `tell`
    makes the hint of the answer's and the solution's where a wrong value shows its mistake ("" elsewhere). A function
    among the arguments is called by both sides, the solution first: it must not depend on who called before.
    """

    def declare(draw: Draw) -> Draw:
        @functools.wraps(draw)
        def compare(answer: Any) -> None:
            right = solution(draw.__module__.rpartition(".")[2], exercise)
            first = None
            for arguments in _drawn(draw, seeded()):
                expected = read(_solved(right, exercise, arguments))
                got = read(answer(*arguments))
                close(got, expected, what, rtol, atol, hint=tell(got, expected))
                first = first or (arguments, expected)
            if first:  # asked once more: an answer may be right only the first time that it is asked something
                close(read(answer(*first[0])), first[1], what, rtol, atol)

        check(exercise, weight=weight, hint=hint, needs=needs)(compare)
        return draw

    return declare


def _drawn(draw: Draw, rng: Random) -> Iterator[tuple]:
    first = draw(rng)
    if isinstance(first, GeneratorType):
        yield from first
    else:
        yield first
        yield from (draw(rng) for _ in range(DRAWS - 1))


def _solved(right: Callable, exercise: str, arguments: tuple) -> Any:
    """What the solution returns for copies of the arguments. Raises RuntimeError, whatever it raises."""
    try:
        return plain(right(*(plain(argument, lambda function: function) for argument in arguments)))
    except Exception as error:
        raise RuntimeError(f"the solution of {exercise} raised {type(error).__name__}: {error}") from error
