"""The commands of `autograder`. Each is thin: it parses, calls a room and prints.

Read on in this order: `telling` (what they share), `releasing` (what goes out), `receiving` (who is in the class, and
what was handed in), `grading` (marks), `returning` (what goes back), `trying` (the checks themselves, a made-up class).
They stand in the help in this order, too.
"""

from . import telling, releasing, receiving, grading, returning, trying  # isort: skip  (the order of the help)

__all__ = ["grading", "receiving", "releasing", "returning", "telling", "trying"]
