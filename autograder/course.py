"""Where a course lies, and how nbgrader is called on it.

A course is a folder with an `nbgrader_config.py`. The repository is one; a demonstration class or a test's
little course is another. The configuration is read once, by traitlets, as nbgrader itself reads it, so that
our commands and nbgrader's always speak of the same folders and the same gradebook.
"""

import logging
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

CONFIG_NAME = "nbgrader_config.py"


class Trouble(Exception):
    """Something the user can mend: its text is one line that says what is wrong and what to do, or one a mistake."""


@dataclass(frozen=True)
class Course:
    """A course on disk: `root` holds nbgrader_config.py, `solutions` the units' sources (one .md a unit)."""

    root: Path
    solutions: Path

    @classmethod
    def find(cls, start: Path | None = None) -> "Course":
        """The course that `start` (default: the working folder) lies in."""
        start = (start or Path.cwd()).resolve()
        root = _upwards(start, CONFIG_NAME)
        if root is None:
            raise Trouble(
                f"{start} is not inside a course: no {CONFIG_NAME} here or above. "
                "Change into a clone of the repository, or name one with --root."
            )
        return cls(root, (_upwards(root, "solutions") or root) / "solutions")

    @cached_property
    def config(self):
        """The traitlets configuration, with nbgrader's own course directory object made from it."""
        from traitlets.config.loader import PyFileConfigLoader

        return PyFileConfigLoader(CONFIG_NAME, path=str(self.root)).load_config()

    @cached_property
    def directory(self):
        """nbgrader's `CourseDirectory` for this course."""
        from nbgrader.coursedir import CourseDirectory

        return CourseDirectory(config=self.config)

    @property
    def db_url(self) -> str:
        return self.directory.db_url

    def path(self, step: str, unit: str, student: str = ".") -> Path:
        """The folder of a unit in one of nbgrader's steps: source, release, submitted, autograded, feedback."""
        name = getattr(self.directory, f"{step}_directory")
        return Path(os.path.normpath(self.directory.format_path(name, student, unit)))

    def units(self) -> list[str]:
        """The names of all units that have a source, in order: `01_ngrams`, …"""
        return sorted(path.stem for path in self.solutions.glob("[0-9][0-9]_*.md"))

    def unit(self, name: str) -> str:
        """The full name of a unit called `01_ngrams`, `ngrams` or `1`."""
        known = self.units() or sorted(path.name for path in self.path("release", "x").parent.glob("[0-9][0-9]_*"))
        for unit in known:
            number, _, word = unit.partition("_")
            if name in (unit, word, number, str(int(number))):
                return unit
        raise Trouble(f"There is no unit {name!r}; the units are: {', '.join(known) or 'none yet'}.")

    def students(self, unit: str) -> list[str]:
        """Everybody with a folder for this unit under submitted/, sorted."""
        top = self.path("submitted", unit, "x").parent.parent
        return sorted(path.parent.name for path in top.glob(f"*/{unit}") if path.is_dir())


def notebook_name(unit: str) -> str:
    """`01_ngrams` -> `ngrams`: the notebook's file name without its ending, nbgrader's notebook id."""
    return unit.partition("_")[2] or unit


def _upwards(start: Path, name: str) -> Path | None:
    return next((folder for folder in (start, *start.parents) if (folder / name).exists()), None)


def first_line(error: BaseException, length: int = 150) -> str:
    """What an exception says, in one line; its kind if it says nothing."""
    return " ".join((str(error).strip() or type(error).__name__).splitlines()[0].split())[:length]


@contextmanager
def nbgrader_quiet() -> Iterator[list[Exception]]:
    """Calls nbgrader with nothing on the screen; gives the list in which the errors that it logs collect.

    nbgrader catches what goes wrong with a notebook, logs it and raises an error that no longer says what it was.
    The environment's programs come first on PATH while it runs, since nbgrader calls `alembic` by name.
    """
    from traitlets.log import get_logger

    log, errors = get_logger(), []
    handler = logging.Handler(level=logging.ERROR)
    handler.emit = lambda record: errors.append(sys.exc_info()[1] or RuntimeError(record.getMessage()))
    handlers, propagate, path = log.handlers[:], log.propagate, os.environ.get("PATH", "")
    log.handlers, log.propagate = [handler], False
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{path}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield errors
    finally:
        log.handlers, log.propagate = handlers, propagate
        os.environ["PATH"] = path
