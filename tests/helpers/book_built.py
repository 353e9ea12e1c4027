"""The books that several test files look at, each built once a session: a small one of our own, and the course's."""

import atexit
import functools
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest
import selection
from bs4 import BeautifulSoup

from autograder.course import Course

ROOT = Path(__file__).parents[2]
SMALL_SOURCES = Path(__file__).parents[1] / "fixtures" / "book" / "solutions"

needs_mathjax = pytest.mark.skipif(
    not (ROOT / "node_modules" / "mathjax").is_dir() or shutil.which("node") is None,
    reason="needs node and `npm ci`",
)


SOLUTION = {"schema_version": 3, "grade_id": "double", "solution": True, "grade": False, "locked": False, "task": False}


@dataclass(frozen=True)
class Built:
    course: Course
    folder: Path

    @property
    def html(self) -> Path:
        return self.folder / "html"

    @property
    def zip(self) -> Path:
        from book.__main__ import zip_of

        return zip_of(self.folder)


def small_course() -> Course:
    return Course(ROOT, SMALL_SOURCES)


@functools.cache
def small_book() -> Built:
    """One page with a formula, a picture, an exercise, its check and a widget."""
    return _build(small_course())


@functools.cache
def real_book() -> Built:
    """The course's own book, at the scale `smoke`; of one unit alone, if only its tests were asked for."""
    sources = ROOT / "solutions"
    if selection.only:
        sources = Path(tempfile.mkdtemp(prefix="sources-"))
        atexit.register(shutil.rmtree, sources, ignore_errors=True)
        (whole,) = (ROOT / "solutions").glob(f"[0-9][0-9]_{selection.only}.md")
        shutil.copy(whole, sources)
    return _build(Course(ROOT, sources))


def _build(course: Course) -> Built:
    from book.__main__ import build

    folder = Path(tempfile.mkdtemp(prefix="book-")) / "book"
    atexit.register(shutil.rmtree, folder.parent, ignore_errors=True)
    build(course, folder, answers=False)
    return Built(course, folder)


def course_with(folder: Path, text: str, name: str = "01_tiny") -> Course:
    """A course of one unit, with the project's own nbgrader settings."""
    (folder / "solutions").mkdir(parents=True, exist_ok=True)
    (folder / "course" / "unrolled").mkdir(parents=True, exist_ok=True)
    (folder / "nbgrader_config.py").write_text((ROOT / "nbgrader_config.py").read_text())
    (folder / "solutions" / f"{name}.md").write_text(text)
    return Course(folder, folder / "solutions")


def cell(code: str, head: str = "") -> str:
    return f"```{{code-cell}} ipython3\n{head}{code}\n```\n\n"


def soup(text: str) -> BeautifulSoup:
    return BeautifulSoup(text, "html.parser")
