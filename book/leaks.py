"""Look for answers, hidden checks and specimens in the finished pages, with the finder that guards the course's files.

A page may show what a student receives anyway: the package, and the cells as nbgrader leaves them. And the two pages
that are made of the repository's guides may show what stands there, an example of an author's among it.
"""

from pathlib import Path

from autograder.course import Assignment
from autograder.releasing import leaks as finder
from autograder.releasing.source import read_source
from book.pages import GUIDES
from book.shown import students_edition, without_hidden_tests


def leaks(assignment: Assignment, pages: list[Path]) -> list[str]:
    """One line for each secret found: the page and the secret. Empty if all is well."""
    secrets = secret_lines(assignment)
    return [
        f"{path.name} gives away: {line}"
        for path in pages
        for line in finder.leaked(_beside_guide(secrets, assignment, path), path.read_text("utf-8"))
    ]


def _beside_guide(secrets: dict[str, str], assignment: Assignment, page: Path) -> dict[str, str]:
    """The secrets less what the guide says that a page is made of; all of them for any other page."""
    guide = assignment.course.root / GUIDES.get(page.stem, "")
    public = finder.bare(guide.read_text("utf-8")) if guide.is_file() else ""
    return {key: line for key, line in secrets.items() if key not in public}


def secret_lines(assignment: Assignment) -> dict[str, str]:
    """Every secret line of a unit that no student receives, by its bare form."""
    source = read_source(assignment)
    students = students_edition(without_hidden_tests(source, assignment), assignment)
    package = finder.text_in(assignment.course.root / "course" / "unrolled")
    return finder.secret_lines(assignment, "\n".join([*(cell.source for cell in students.cells), package]))
