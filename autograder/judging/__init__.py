"""Running and judging: a mended notebook goes in; out come its outputs, its marks and what became of it.

Read on in this order: `place` (what a worker is told), `pool` (worker processes), `grader` (a worker's whole job),
`rubric` (what is asked, by the release), `asserts` (cells of
nbgrader's own kind), `judge` (notebook in, judgement out), `sitting` (one submission, with second
chances), `experiments` (what is not run), `withheld` (what a student may see of a hidden check), `cells` (points and
reasons, read from a run), `traces` (code that a person should look at), `agreeing` (a hidden check by the source's own
solution), `seeds` (what checks draw their inputs from). Inside: `warm` (the process that submissions are forked from),
`jail` (its walls), `boundary` (what passes through them). `plain` is nbgrader's own run, without walls; `settings` is
our place in it. `forkserver`, `preloaded` and `quick` make the start short.

Nothing is imported here: the warm worker lies in this room, too, and must neither see nor need what only judges need.
"""

__all__ = [
    "asserts",
    "agreeing",
    "boundary",
    "cells",
    "cells",
    "forkserver",
    "jail",
    "judge",
    "place",
    "plain",
    "pool",
    "quick",
    "rubric",
    "settings",
    "withheld",
]
