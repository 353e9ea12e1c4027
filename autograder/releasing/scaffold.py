"""Makes every file that a new unit consists of, each with one small example that passes all tests.

The files are texts in `templates/`, where «word» stands for a part of the unit's names and what lies between
`@@ each exercise` and `@@ once` is said for each exercise. All that could be in the way is looked for before the first
file is written, and what was made is removed if the rest fails.
"""

import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.course import Assignment, Course, Trouble
from autograder.releasing import start_page
from autograder.releasing.new_unit import NewUnit, named
from autograder.releasing.release import release
from autograder.releasing.transaction import whole_or_not_at_all

HOME = Path(__file__).resolve().parents[2]  # the repository
TEMPLATES = Path(__file__).parent / "templates"
TEST = "tests/units/{word}/test_{word}.py"
FILES = {  # template -> file; one of each exercise's own has {exercise} in its name
    "source": "solutions/{name}.md",
    "module": "course/unrolled/{word}.py",
    "checks": "course/unrolled/checks/{word}.py",
    "hidden": "autograder/hidden/{word}.py",
    "specimens": "autograder/specimens/{word}/{exercise}.py",
    "test": TEST,
}
LADDER = {"rung": "benchmarks/rungs/{word}.py"}
EACH = re.compile(r"^@@ each exercise\n(.*?)(?:^@@ once\n|\Z)", re.MULTILINE | re.DOTALL)
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


@dataclass(frozen=True)
class Made:
    """What was made, in the order of the unit's story, and the one file that was changed."""

    unit: NewUnit
    files: tuple[Path, ...]
    changed: Path

    def told(self, dry_run: bool = False) -> list[str]:
        """The lines for whoever asked for it: what there is now, and the next three commands."""
        word = self.unit.word
        if dry_run:
            return [f"Would make {path.relative_to(HOME)}" for path in self.files] + [f"Would change {self.changed}"]
        return [
            f"Unit {self.unit.number}, {self.unit.title}: every file is whole, with an example to replace bit by bit.",
            *(f"  {path.relative_to(HOME)} made." for path in self.files),
            f"  {self.changed.relative_to(HOME)} has its row.",
            "Next, whenever you have replaced some of it:",
            *(f"  {command} {word}" for command in ("autograder release", "autograder verify")),
            f"  make test UNIT={word}",
        ]


def make(course: Course, name: str, exercises: list[str], ladder: bool = False, dry_run: bool = False) -> Made:
    """Makes the unit `04_tagging` with exercises like "viterbi:3". Raises Trouble, and leaves nothing, if it cannot."""
    if course.root != HOME:
        raise Trouble(f"{course.root} is not the repository of this autograder: units are made in {HOME}.")
    unit = named(course, name, exercises)
    assignment, page = Assignment(course, unit.name), course.root / start_page.PLACE
    texts = {course.root / place: text for place, text in _texts(unit, ladder)}
    with_row = start_page.linked(_text_of(page), assignment, unit.title)
    _refuse_what_is_in_the_way(assignment, list(texts))
    if dry_run:
        return Made(unit, (*texts, assignment.released), page)
    with whole_or_not_at_all([assignment.released.parent, assignment.solved.parent], page) as write:
        for path, text in texts.items():
            write(path, text)
        importlib.invalidate_caches()  # releasing asks for modules that were not there a moment ago
        path = release(assignment, noted=False).path  # nobody gets it yet
        page.write_text(with_row, encoding="utf-8")
    return Made(unit, (*texts, path), page)


def _texts(unit: NewUnit, ladder: bool) -> Iterator[tuple[str, str]]:
    """Each file's place in the repository, and what is written there."""
    common = _words(unit)
    of_each = [
        common | {"place": place, "exercise": one.name, "points": f"{one.points:g}"}
        for place, one in enumerate(unit.exercises, start=1)
    ]
    for template, place in (FILES | (LADDER if ladder else {})).items():
        text = (TEMPLATES / f"{template}.txt").read_text(encoding="utf-8")
        for words in of_each if "{exercise}" in place else [common]:
            filled = EACH.sub(lambda part: "".join(_filled(part[1], each) for each in of_each), text)
            yield place.format(name=unit.name, word=unit.word, **words), _filled(filled, words)


def _words(unit: NewUnit) -> dict:
    """What stands for each «word» of the templates, but for those of one exercise."""
    count, total = len(unit.exercises), sum(one.points for one in unit.exercises)
    return {
        "number": unit.number,
        "unit": unit.word,
        "title": unit.title,
        "first": unit.exercises[0].name,
        "last": count + 1,
        "functions": f"{NUMBERS[count] if count < len(NUMBERS) else count} short function{'s' * (count > 1)}",
        "total": f"{total:g} point{'s' * (total != 1)}",
    }


def _filled(text: str, words: dict) -> str:
    return re.sub(r"«(\w+)»", lambda word: str(words[word[1]]), text)


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Trouble(f"{path} cannot be read, and the unit needs a row there.") from error


def _refuse_what_is_in_the_way(assignment: Assignment, files: list[Path]) -> None:
    """Such as a file, a folder of the name of a module, or a test of the same name elsewhere, which pytest refuses."""
    root, word = assignment.course.root, assignment.notebook
    places = [assignment.released.parent, root / "autograder" / "specimens" / word]
    places += [place for file in files for place in (file, file.with_suffix(""))]
    places += sorted((root / "tests").rglob(Path(TEST.format(word=word)).name))
    for place in places:
        if place.exists():
            raise Trouble(f"{place} is in the way: choose another name, or move it.")
