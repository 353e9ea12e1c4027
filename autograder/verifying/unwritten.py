"""What `autograder new` left to be written: texts in square brackets that still stand in a unit's files.

They are no trouble while a unit is made. `verify` tells how many there are and where the first stands; a test allows
none in a unit that is proved.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from autograder.course import Assignment, Course
from autograder.specimens import HOME
from autograder.words import word_of

TEMPLATES = Path(__file__).parents[1] / "releasing" / "templates"
BRACKETS = re.compile(r"\[[A-Za-z][A-Za-z ,.:;?\n-]+\]")  # text and no code
WORDS = 3  # that a text has at least; what is shorter is an index, or a list


def unwritten(unit: str) -> list[str]:
    """A place, "solutions/04_tagging.md, line 16", for each text that stands in the unit as `new` wrote it."""
    assignment = Course.find(Path(__file__).parent).assignment(unit)
    texts = [re.compile(r"\s+".join(map(re.escape, words))) for words in _asked_for()]
    found = []
    for path in _files(assignment):
        content = path.read_text(encoding="utf-8")
        lines = sorted(content.count("\n", 0, match.start()) + 1 for text in texts if (match := text.search(content)))
        found += [f"{path.relative_to(assignment.course.root)}, line {line}" for line in lines]
    return found


def _asked_for() -> Iterator[list[str]]:
    for template in sorted(TEMPLATES.glob("*.txt")):
        for text in BRACKETS.findall(template.read_text(encoding="utf-8")):
            if sum(word.isalpha() for word in text.split()) >= WORDS:
                yield text.split()


def _files(assignment: Assignment) -> Iterator[Path]:
    root, name = assignment.course.root, word_of(assignment.name)
    yield assignment.source
    for path in ("course/unrolled/{}.py", "course/unrolled/checks/{}.py", "autograder/hidden/{}.py"):
        if (root / path.format(name)).is_file():
            yield root / path.format(name)
    yield from sorted((HOME / name).glob("*.py"))
