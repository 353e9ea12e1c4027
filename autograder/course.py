"""Where a course and its units lie.

A course is a folder with an `nbgrader_config.py`. The repository is one; a demonstration class or a test's
little course is another. The configuration is read once, by traitlets, as nbgrader itself reads it, so that
our commands and nbgrader's always speak of the same folders and the same gradebook.
"""

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from autograder import class_file
from autograder.words import word_of

CONFIG_NAME = "nbgrader_config.py"


class Trouble(Exception):
    """Something the user can mend: its text is one line that says what is wrong and what to do."""

    @property
    def lines(self) -> list[str]:
        """What is told, a line each."""
        return [str(self)]


class Mistakes(Trouble):
    """Several of a source's at once."""

    def __init__(self, lines: list[str]):
        super().__init__("\n".join(lines))
        self._lines = lines

    @property
    def lines(self) -> list[str]:
        return self._lines


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
        """The traitlets configuration, with what the teacher's class.toml changes of it."""
        config = self._written_config()
        if self.class_file.penalty:
            config.LateSubmissionPlugin.penalty_method = self.class_file.penalty
        return config

    def _written_config(self):
        from traitlets.config.loader import PyFileConfigLoader

        return PyFileConfigLoader(CONFIG_NAME, path=str(self.root)).load_config()

    @cached_property
    def class_file(self) -> class_file.ClassFile:
        """What the teacher's class.toml says. Raises Trouble."""
        try:
            return class_file.read(self.root, [path.stem for path in self._sources()] or self._released_names())
        except class_file.Slip as slip:
            raise Trouble(f"{slip}.") from None

    @cached_property
    def secret(self) -> str:
        """What checks' inputs are drawn from in this class. Raises Trouble."""
        try:
            return class_file.secret(self.root, self.class_file)
        except class_file.Slip as slip:
            raise Trouble(f"{slip}.") from None

    @cached_property
    def directory(self):
        """nbgrader's `CourseDirectory` for this course."""
        from nbgrader.coursedir import CourseDirectory

        return CourseDirectory(config=self.config)

    @property
    def db_url(self) -> str:
        return self.directory.db_url

    def assignments(self) -> list["Assignment"]:
        """All units that have a source, in order: `01_ngrams`, …"""
        return [Assignment(self, path.stem) for path in self._sources()]

    def assignment(self, name: str) -> "Assignment":
        """The unit called `01_ngrams`, `ngrams` or `1`. Raises Trouble if there is none."""
        known = self.assignments() or [Assignment(self, name) for name in self._released_names()]
        for assignment in known:
            number, _, word = assignment.name.partition("_")
            if name in (assignment.name, word, number, str(int(number))):
                return assignment
        names = ", ".join(assignment.name for assignment in known)
        raise Trouble(f"There is no unit {name!r}; the units are: {names or 'none yet'}.")

    def _sources(self) -> list[Path]:
        return sorted(self.solutions.glob("[0-9][0-9]_*.md"))

    def _released_names(self) -> list[str]:
        """Units whose sources are elsewhere, as in a class of their own."""
        folder = self.root / self._written_config().CourseDirectory.get("release_directory", "release")
        return [path.name for path in sorted(folder.glob("[0-9][0-9]_*"))]

    def __reduce__(self):
        """Another process reads the configuration for itself."""
        return Course, (self.root, self.solutions)


@dataclass(frozen=True)
class Assignment:
    """One unit of a course, in nbgrader's word: it knows where each of its files lies. `name` is `01_ngrams`."""

    course: Course
    name: str

    def __str__(self) -> str:
        return self.name

    @property
    def notebook(self) -> str:
        """`ngrams`: the notebook's file name without its ending, nbgrader's notebook id, and the modules' name."""
        return word_of(self.name)

    @property
    def source(self) -> Path:
        """What the author writes: solutions/01_ngrams.md."""
        return self.course.solutions / f"{self.name}.md"

    @property
    def solved(self) -> Path:
        """The instructor's notebook, made from the source."""
        return self._file("source", ".")

    @property
    def released(self) -> Path:
        """The students' notebook, made from the solved one."""
        return self._file("release", ".")

    def submitted(self, student: str) -> Path:
        """The folder that a student hands in."""
        return self.folder("submitted", student)

    def autograded(self, student: str) -> Path:
        """A student's notebook as it was run and judged."""
        return self._file("autograded", student)

    def feedback(self, student: str) -> Path:
        """A student's page."""
        return self._file("feedback", student, "html")

    @property
    def record(self) -> Path:
        """What became of each submission: autograded/01_ngrams.jsonl."""
        return self.folder("autograded", "x").parents[1] / f"{self.name}.jsonl"

    def students(self) -> list[str]:
        """Everybody with a folder for this unit under submitted/, sorted. A hidden folder is no student's."""
        top = self.submitted("x").parents[1]
        names = (path.parent.name for path in top.glob(f"*/{self.name}") if path.is_dir())
        return sorted(name for name in names if not name.startswith("."))

    def folder(self, step: str, student: str = ".") -> Path:
        """The unit's folder in one of nbgrader's steps: source, release, submitted, autograded, feedback."""
        directory = self.course.directory
        place = getattr(directory, f"{step}_directory")
        return Path(os.path.normpath(directory.format_path(place, student, self.name)))

    def nbgrader_directory(self, student: str):
        """What nbgrader's converters ask for: its `CourseDirectory`, set to this unit and one student."""
        from nbgrader.coursedir import CourseDirectory

        directory = CourseDirectory(config=self.course.config)
        directory.assignment_id, directory.student_id = self.name, student
        return directory

    def _file(self, step: str, student: str, ending: str = "ipynb") -> Path:
        return self.folder(step, student) / f"{self.notebook}.{ending}"


def _upwards(start: Path, name: str) -> Path | None:
    return next((folder for folder in (start, *start.parents) if (folder / name).exists()), None)
