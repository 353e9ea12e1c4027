"""Mends what editors, browsers and version control break in a submission, by stated rules, and says what it mended.

    mended = mend(raw, release, source)                 # from a file's bytes
    mended = mend_submission(folder, unit, release, source)   # from the folder that was handed in

The release is the measure. Each module states its rules at its top: `finding` which file counts, `reading` what bytes
mean, `recovery` what is left of a torn file, `recognising` which cell is which, `choosing` which of several counts,
`splitting` what was split or merged, `ordering` where cells belong, `writing` what the mended notebook holds.

Left out on purpose: nothing of a submission is run or imported here, no half of an answer is completed, and the file
that was handed in is never changed.
"""

from ..errors import AnotherUnit, Missing, NotANotebook, Unreadable, Unrecognisable
from . import python
from .finding import Found, find_submission, mend_submission
from .in_nbgrader import recognise, repair
from .mending import Mended, mend, mend_parsed

__all__ = [
    "AnotherUnit",
    "Found",
    "Mended",
    "Missing",
    "NotANotebook",
    "Unreadable",
    "Unrecognisable",
    "find_submission",
    "mend",
    "mend_parsed",
    "mend_submission",
    "python",
    "recognise",
    "repair",
]
