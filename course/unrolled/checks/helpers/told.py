"""What a wrong value tells of the mistake behind it: hints that take the place of a check's own.

A check's hint speaks of the mistake that its property is about. Where a value shows that it was another one, the hint
here is the true one. Each function gives it back, or nothing where the check's own will do.
"""

import math
from typing import Any

from torch import Tensor

from unrolled.checking.compare import Mismatch, close
from unrolled.checking.hints import ARRIVES
from unrolled.checking.kinds import readable

NO_SLOPE = "NaN comes back: which step has no finite slope there? Mend what goes into it."
ROW_BY_ROW = "One softmax a row: are its scores cut, rounded, or shifted by those of another row?"
IN_TYPE = "Right to six digits: which type were you given, and where is it left for another one?"
ERRORS = {  # of hand-made gradients: by what a wrong error, on which others build, can be told
    "c": "δo is off already, as the gradient by c shows: mend that one first.",
    "b": "δa is off already, as the gradient by b shows: mend that one first.",
}
BUILDS_ON = {"V": "c", "b": "c", "W": "b", "U": "b"}
LOGARITHMS = {
    "ln of a number below 1 is negative: where does the sign get lost?": lambda ln: -ln,
    "That is the logarithm to base 2. Which one is asked for?": lambda ln: ln / math.log(2),
    "That is the logarithm to base 10. Which one is asked for?": lambda ln: ln / math.log(10),
    "That is the probability itself. What is asked for is its logarithm.": math.exp,
}


def of_gradient(got: Any, expected: Tensor) -> str:
    """The hint for a wrong gradient that did find its way back to every number: no cut is to blame for it alone."""
    if readable(got) and bool(got.isnan().any()):
        return NO_SLOPE
    there = readable(got) and got.shape == expected.shape and bool(((got != 0) | (expected == 0)).all())
    return ARRIVES if there else ""


def of_strangers(got: Any, expected: dict) -> str:
    """The hint for a dictionary with all that it should have, and more."""
    more = isinstance(got, dict) and got.keys() > expected.keys()
    return "Which of these symbols never came after this context? They have no place here." if more else ""


def of_a_cut(name: str) -> str:
    """The hint for a parameter that nothing comes back to."""
    return f"{name} goes in as plain numbers somewhere: .data, .detach(), .item() and numpy cut the way."


def of_type(got: Any, expected: Any, precision: tuple[float, float]) -> str:
    """The hint for right numbers of another type than was asked for, or with fewer digits than it has."""
    there = _near(got, expected, 1e-4, 1e-5)
    return IN_TYPE if there and not _near(got, expected, *precision, same_dtype=True) else ""


def of_errors(name: str, got: dict, expected: dict[str, Tensor]) -> str:
    """The hint for the gradient by `name` of a recurrent net, if an error that it is made of is wrong."""
    first = BUILDS_ON.get(name, "")
    return ERRORS[first] if first and not _near(got.get(first), expected[first], 1e-5, 1e-7) else ""


def _near(got: Any, expected: Any, rtol: float, atol: float, same_dtype: bool = False) -> bool:
    try:
        close(got, expected, "", rtol, atol, same_dtype)
    except Mismatch:
        return False
    return True


LARGEST = 1e6  # an int may be larger than any float


def of_logarithm(got: Any, ln: float) -> str:
    """The hint for what was meant to be the natural logarithm `ln` of a probability."""
    if not isinstance(got, int | float) or abs(got) > LARGEST:
        return ""
    return next((hint for hint, other in LOGARITHMS.items() if math.isclose(got, other(ln), rel_tol=1e-5)), "")
