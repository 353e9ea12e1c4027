"""How far may a share of random draws lie from its probability?

An answer that draws at random is checked by counting. A check that is too strict would refuse a right answer now
and then; `margin` says how wide it must be for that to happen with a probability below `risk`.
"""

import math

from .compare import holds

RISK = 1e-8
ALL_THE_SAME = "All draws are the same: is each drawn, by one generator seeded once, and none left out?"
SELDOM = "Is anything cut off, such as symbols below some share? Each may come, however seldom."


def margin(draws: int, risk: float = RISK) -> float:
    """The distance that a share of `draws` independent draws keeps from its probability, but for one case in 1/`risk`.

    Hoeffding, 1963, "Probability inequalities for sums of bounded random variables", theorem 1:
    P(|share - p| >= e) <= 2 exp(-2 N e^2), whatever p is; solved for e. `share` is the mean of N zeros and ones.
    """
    return math.sqrt(math.log(2 / risk) / (2 * draws))


def share_is(drawn: list[int], symbol: int, probability: float, what: str, all_the_same: str = ALL_THE_SAME) -> None:
    """Hold that a symbol was drawn about as often as is probable; a false alarm has probability `RISK` at most.

    `all_the_same` is the hint where only one symbol was drawn, and another cause of that is more likely.
    """
    share = drawn.count(symbol) / len(drawn)
    holds(
        abs(share - probability) <= margin(len(drawn)),
        f"{what}: symbol {symbol} was drawn in {share:.0%} of {len(drawn)} draws, expected about {probability:.0%}",
        hint=all_the_same if len(set(drawn)) == 1 else "",
    )
