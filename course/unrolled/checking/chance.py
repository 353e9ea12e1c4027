"""How far may a share of random draws lie from its probability?

An answer that draws at random is checked by counting. A check that is too strict would refuse a right answer now
and then; `margin` says how wide it must be for that to happen with a probability below `risk`.
"""

import math

RISK = 1e-8


def margin(draws: int, risk: float = RISK) -> float:
    """The distance that a share of `draws` independent draws keeps from its probability, but for one case in 1/`risk`.

    Hoeffding, 1963, "Probability inequalities for sums of bounded random variables", theorem 1:
    P(|share - p| >= e) <= 2 exp(-2 N e^2), whatever p is; solved for e. `share` is the mean of N zeros and ones.
    """
    return math.sqrt(math.log(2 / risk) / (2 * draws))
