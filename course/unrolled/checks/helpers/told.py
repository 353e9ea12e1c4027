"""What a wrong value tells of the mistake behind it: hints that take the place of a check's own.

A check's hint speaks of the mistake that its property is about. Where a value shows that it was another one, the hint
here is the true one. Each function gives it back, or nothing where the check's own will do.
"""

import math
from typing import Any

from torch import Tensor

from unrolled.checking.kinds import readable

ARRIVES = "A gradient comes back, a wrong one. Is the value right? Then which path is cut or added?"
LOGARITHMS = {
    "ln of a number below 1 is negative: where does the sign get lost?": lambda ln: -ln,
    "That is the logarithm to base 2. Which one is asked for?": lambda ln: ln / math.log(2),
    "That is the logarithm to base 10. Which one is asked for?": lambda ln: ln / math.log(10),
    "That is the probability itself. What is asked for is its logarithm.": math.exp,
}


def of_gradient(got: Any, expected: Tensor) -> str:
    """The hint for a wrong gradient that did find its way back to every number: no cut is to blame for it alone."""
    there = readable(got) and got.shape == expected.shape and bool(((got != 0) | (expected == 0)).all())
    return ARRIVES if there else ""


def of_strangers(got: Any, expected: dict) -> str:
    """The hint for a dictionary with all that it should have, and more."""
    more = isinstance(got, dict) and got.keys() > expected.keys()
    return "Which of these symbols never came after this context? They have no place here." if more else ""


LARGEST = 1e6  # an int may be larger than any float


def of_logarithm(got: Any, ln: float) -> str:
    """The hint for what was meant to be the natural logarithm `ln` of a probability."""
    if not isinstance(got, int | float) or abs(got) > LARGEST:
        return ""
    return next((hint for hint, other in LOGARITHMS.items() if math.isclose(got, other(ln), rel_tol=1e-5)), "")
