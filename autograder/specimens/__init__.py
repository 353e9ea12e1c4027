"""Right and wrong answers to every exercise: the tests of the checks.

`specimens/UNIT/EXERCISE.py` is a percent-format file. A cell is one answer, whole with its imports:

    # %% wrong: sum_for_mean — Sums where the mean is asked for
    # fails: three_words_are_a_die_of_four
    import math

    def perplexity(log_probs): ...

A right answer must hold every check. A wrong one makes a classic mistake and must fail at least the checks that it
names. Nothing here is imported: the files are read as text, and `autograder.verifying.trial` runs a cell in a child
process.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from autograder.words import word_of

HOME = Path(__file__).parent
HEAD = re.compile(r"^# %% (right|wrong): (\w+) — (.+)$")
FAILS = "# fails: "


class MalformedSpecimen(ValueError):
    """A specimen file that breaks the format; the message names file and cell."""


@dataclass(frozen=True)
class Specimen:
    """One answer. `fails` names the checks that a wrong one must fail; it is empty for a right one."""

    unit: str
    exercise: str
    kind: str  # "right" or "wrong"
    name: str
    title: str
    fails: tuple[str, ...]
    source: str


def load(unit: str, exercise: str | None = None) -> list[Specimen]:
    """The specimens of a unit (`01_ngrams` or `ngrams`) or of one exercise of it, in the order of the files.

    Raises MalformedSpecimen for a file that does not keep to the format. A unit without specimens has none: [].
    """
    folder = HOME / word_of(unit)
    paths = sorted(folder.glob("*.py")) if exercise is None else [folder / f"{exercise}.py"]
    return [specimen for path in paths if path.is_file() for specimen in read(path)]


def read(path: Path) -> list[Specimen]:
    """The specimens of one file. Raises MalformedSpecimen."""
    _, *cells = re.split(r"^(?=# %%)", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = [_specimen(cell, path) for cell in cells]
    names = [specimen.name for specimen in found]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise MalformedSpecimen(f"{path.name} has two specimens with the name {twice!r}")
    return found


def _specimen(cell: str, path: Path) -> Specimen:
    first, *lines = cell.splitlines()
    head = HEAD.match(first)
    if head is None:
        raise MalformedSpecimen(f"{path.name}: {first!r} is not of the form '# %% right: name — Title'")
    kind, name, title = head.groups()
    fails = [check for line in lines if line.startswith(FAILS) for check in line[len(FAILS) :].split(", ")]
    if (kind == "wrong") != bool(fails):
        wanted = "names no check that it fails" if kind == "wrong" else "is right and cannot name checks that it fails"
        raise MalformedSpecimen(f"{path.name}: {name} {wanted}")
    source = "\n".join(line for line in lines if not line.startswith(FAILS)).strip() + "\n"
    return Specimen(path.parent.name, path.stem, kind, name, title, tuple(fails), source)
