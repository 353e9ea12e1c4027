"""Hostile submissions. Each says what it tries; `test_attacks` runs it and holds that it gained nothing.

Six kinds, a file each: `forge` a mark, `read` a secret, `write` where it may not, `escape` the process, `exhaust` what
others need, `leave` something behind. An attack is the source of some cells (separated by `# %%`) that stand in a
notebook with two exercises: `honest`, written before them as it should be, and `triple`, which the attack wants marks
for without doing what it asks.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Attack:
    """`tries` is a sentence. `earns` is what `triple` deserves all the same: 0, but for attacks that write it, too."""

    name: str
    tries: str
    source: str
    earns: float = 0.0
    statuses: tuple[str, ...] = ("graded",)


RIGHT = "\ndef triple(x):\n    return 3 * x\n"  # for attacks that are after something else than the mark
