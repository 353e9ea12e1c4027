"""Look for answers, hidden checks and specimens in the finished pages.

A secret is a line that stands only on the instructor's side: in a solution, a hidden test, the hidden checks or the
specimens. A line that a student receives anyway is none. Lines are compared without white space, quotes and
backslashes, so that neither highlighting nor JSON hides one.

Left out on purpose: short lines, and the same idea in other words.
"""

import html
import re
from pathlib import Path

from nbgrader.utils import is_solution

from autograder.course import Course, notebook_name
from autograder.source import read_source
from book.shown import students_edition, without_hidden_tests

SHORTEST = 16  # characters that count; below it lines like `return 0.0` are everywhere
REGION = re.compile(r"### BEGIN (SOLUTION|HIDDEN TESTS)\n(.*?)### END \1", re.DOTALL)
TAG = re.compile(r"<[^>]*>")
IGNORED = re.compile(r"[\s\"'\\]+")


def leaks(course: Course, unit: str, pages: list[Path]) -> list[str]:
    """One line for each secret found: the page and the secret. Empty if all is well."""
    secrets = secret_lines(course, unit)
    found = []
    for path in pages:
        text = bare(html.unescape(TAG.sub("", path.read_text("utf-8"))))
        found += [f"{path.name} gives away: {line}" for key, line in secrets.items() if key in text]
    return found


def secret_lines(course: Course, unit: str) -> dict[str, str]:
    """Every secret line of a unit, by its bare form."""
    source = read_source(course, unit)
    package = course.root / "course" / "unrolled"
    students = students_edition(without_hidden_tests(source, course, unit), course, unit)
    public = bare("\n".join([*(cell.source for cell in students.cells), _text_in(package)]))
    private = [match[2] for cell in source.cells for match in REGION.finditer(cell.source)]
    private += [cell.source for cell in source.cells if is_solution(cell) and "### BEGIN" not in cell.source]
    name = notebook_name(unit)
    private.append(_text_in(course.root / "autograder" / "specimens" / name))
    hidden = course.root / "autograder" / "hidden" / f"{name}.py"
    private.append(hidden.read_text("utf-8") if hidden.exists() else "")
    lines = {bare(line): line.strip() for text in private for line in text.splitlines()}
    return {key: line for key, line in lines.items() if len(key) >= SHORTEST and key not in public}


def bare(text: str) -> str:
    """The text without what highlighting or JSON may change."""
    return IGNORED.sub("", text)


def _text_in(folder: Path) -> str:
    return "\n".join(path.read_text("utf-8") for path in sorted(folder.rglob("*.py")))
