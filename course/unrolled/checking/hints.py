"""Which hint a failure gets, where that of its check would lead astray.

A check's hint speaks of its property. Here stands what is left to say of an exception, and of a gradient.
"""

import re
from collections.abc import Sequence
from typing import Protocol

BY_ROWS = "M times each row of x is x @ M.T: the two sizes that meet must be equal."
ARRIVES = "A gradient comes back, a wrong one, of a right value: which path is cut, or added?"
OF_SIZES = re.compile(r"\b(shapes?|sizes?|dimensions?)\b")


class Seen(Protocol):
    """What is asked of a property's result."""

    outcome: str
    message: str
    what: str
    cause: str


def of_an_error(message: str, own: str, before: Sequence[Seen]) -> str:
    """The hint for an exception: the check's `own` alone where sizes do not fit that did in a property above.

    They did where it holds, or something came back, though not what should. Then the first property where they do not
    fit has something new to blame for it, and of that its hint speaks.
    """
    first = not any(one.cause and OF_SIZES.search(_told(one.message)) for one in before)
    fitted = first and any(one.outcome == "held" for one in before)
    returned = first and any(one.outcome == "failed" and not one.cause for one in before)
    said = _told(message)
    of_sizes = bool(OF_SIZES.search(said))
    if of_sizes and fitted:
        return own
    if "shapes cannot be multiplied" in said:
        return BY_ROWS
    return own if of_sizes and returned else ""


def _told(message: str) -> str:
    """What an exception says, without the line of the student's code."""
    return message.partition(" (in ")[0]


def leads_to_it(above: Seen) -> bool:
    """Whether a wrong gradient may follow from a property above: one that failed, and not in a gradient either."""
    return above.outcome == "failed" and not above.what.startswith("the gradient")
