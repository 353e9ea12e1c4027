"""Which hint a failure gets, where that of its check would lead astray.

A check's hint speaks of its property. Here stands what is left to say of an exception, and of a gradient.
"""

import re

BY_ROWS = "M times each row of x is x @ M.T: the two sizes that meet must be equal."
ARRIVES = "A gradient comes back, a wrong one, of a right value: which path is cut, or added?"
OF_SIZES = re.compile(r"\b(shapes?|sizes?|dimensions?)\b")


def of_an_error(message: str, own: str, fitted: bool) -> str:
    """The hint for an exception: the check's own alone where sizes that `fitted` in a property above do not fit here.

    Then they do not fit because of what is new in this property, and of that its hint speaks.
    """
    said = message.partition(" (in ")[0]  # not the line of the student's code
    if fitted and OF_SIZES.search(said):
        return own
    return BY_ROWS if "shapes cannot be multiplied" in said else ""


def follows(outcome: str, what: str) -> bool:
    """Whether a wrong gradient may follow from a property above: one that failed, and not in a gradient either."""
    return outcome == "failed" and not what.startswith("the gradient")
