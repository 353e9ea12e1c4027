"""Makes the student's notebook from the unit's source, with nbgrader's own preprocessors.

The work is done in a throw-away folder and only what differs is copied into course/, so a second release
changes no byte and no file time. A notebook in course/ that somebody worked in is put aside, never lost.
"""

import json
import tempfile
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

from autograder.course import Assignment, Course, Trouble
from autograder.judging import asserts
from autograder.quiet import nbgrader_quiet
from autograder.recording import cells as recorded
from autograder.releasing import assets, history
from autograder.releasing.proofread import proofread
from autograder.releasing.source import grade_id, read_source, write_if_changed, write_source
from autograder.words import first_line, listed


@dataclass(frozen=True)
class Released:
    """What a release did: the notebook's path, whether its bytes changed, where older work is now, what was copied."""

    unit: str
    path: Path
    changed: bool
    put_aside: Path | None = None
    assets: tuple[Path, ...] = ()
    readable: tuple[str, ...] = ()  # graded cells whose hidden tests an answer could read

    def told(self) -> list[str]:
        """The same in lines, for the command line."""
        lines = [f"{self.unit}: {self.path} {'written' if self.changed else 'unchanged'}."]
        if self.put_aside:
            lines.append(f"  It held somebody's answers; they are kept in {self.put_aside}.")
        if self.readable:
            which = f"{'s' * (len(self.readable) > 1)} {listed(self.readable)}"
            lines.append(f"  Hidden tests in the cell{which} run in the student's own process, which can read them.")
        return lines + [f"  {path} copied." for path in self.assets]


def release(assignment: Assignment, change_cells: bool = False, noted: bool = True) -> Released:
    """Writes source and student notebook of a unit, with what that reads, and records its cells in the gradebook.

    Where that has submissions, other graded cells are Trouble that names them, unless `change_cells` says that room is
    to be made for them. `noted`: whether the version is kept, to hold submissions against.
    """
    from nbgrader.utils import is_grade, is_solution

    cells = read_source(assignment).cells
    if changed := recorded.changes(assignment, cells):
        if not change_cells:
            raise Trouble(changed.told(assignment.name))
        build(assignment)  # what is wrong with it is to be said before anything is written
        recorded.make_room(assignment, cells)
    content = build(assignment, assignment.course.db_url)
    write_source(assignment)
    path = assignment.released
    if path.is_file() and not worked_in(path.read_bytes()):
        history.note(assignment)
    put_aside = _put_aside(assignment.course, path) if path.is_file() and path.read_bytes() != content else None
    copied = tuple(assets.copy(assignment))
    written = write_if_changed(path, content)
    if noted:
        history.note(assignment)
    readable = (grade_id(cell) for cell in cells if is_grade(cell) and not is_solution(cell) and _hides(cell))
    return Released(assignment.name, path, written, put_aside, copied, tuple(readable))


def _hides(cell) -> bool:
    return cell.cell_type == "code" and asserts.HIDDEN in cell.source and asserts.is_plain(cell.source)


def first_difference(assignment: Assignment) -> str | None:
    """How the committed student notebook, or a file that it reads, differs from its source, in one line, or None."""
    unit, path = assignment.name, assignment.released
    if not path.is_file():
        return f"{unit}: {path.name} has never been released; run `autograder release {unit}`."
    fresh = build(assignment).decode("utf-8").splitlines()
    old = path.read_bytes().decode("utf-8", errors="replace").splitlines()
    for number, (a, b) in enumerate(zip(old, fresh, strict=False), start=1):
        if a != b:
            return f"{unit}: line {number} reads {_around(a, b)}, its source gives {_around(b, a)}."
    if len(old) != len(fresh):
        return f"{unit}: {len(old)} lines, its source gives {len(fresh)}."
    return assets.first_stale(assignment)


def build(assignment: Assignment, db_url: str | None = None) -> bytes:
    """The student's notebook as bytes. Without `db_url` nothing outside a temporary folder is touched."""
    proofread(assignment)
    from nbgrader.converters import GenerateAssignment
    from nbgrader.coursedir import CourseDirectory

    with tempfile.TemporaryDirectory(prefix="release-") as temporary:
        root = Path(temporary).resolve()
        unit, config = assignment.name, deepcopy(assignment.course.config)
        config.CourseDirectory.root = str(root)
        config.CourseDirectory.source_directory = "source"
        config.CourseDirectory.release_directory = "release"
        config.CourseDirectory.db_url = db_url or f"sqlite:///{root}/gradebook.db"
        write_source(assignment, root / "source" / unit)
        directory = CourseDirectory(config=config)
        directory.assignment_id = unit
        _convert(GenerateAssignment(coursedir=directory, config=config), unit)
        return (root / "release" / unit / f"{assignment.notebook}.ipynb").read_bytes()


def _convert(converter, unit: str) -> None:
    with nbgrader_quiet() as errors:
        try:
            converter.start()
        except Exception as error:  # nbgrader wraps everything in one kind and logs the cause
            raise Trouble(f"nbgrader could not release {unit}: {first_line((errors or [error])[0])}") from error


def _put_aside(course: Course, path: Path) -> Path | None:
    """Copies a notebook with somebody's answers to _build/replaced; None if it holds no work."""
    content = path.read_bytes()
    if not worked_in(content):
        return None
    folder = course.root / "_build" / "replaced"
    for number in range(1, 1000):
        copy = folder / f"{path.stem}-{number:03d}.ipynb"
        if not copy.exists() or copy.read_bytes() == content:
            write_if_changed(copy, content)
            return copy
    raise Trouble(f"{folder} is full: look through it and empty it.")


def worked_in(content: bytes) -> bool:
    """Whether an answer cell differs from its stub (nbgrader's checksum), or cells carry outputs."""
    import nbformat
    from nbgrader.utils import compute_checksum, is_solution

    try:
        notebook = nbformat.reads(content.decode("utf-8"), as_version=4)
    except (ValueError, json.JSONDecodeError):
        return True
    answers = [cell for cell in notebook.cells if is_solution(cell)]
    return any(cell.get("outputs") for cell in notebook.cells) or any(
        cell.metadata.nbgrader.get("checksum") not in (None, compute_checksum(cell)) for cell in answers
    )


def _around(line: str, other: str, length: int = 60) -> str:
    """The part of a line where it begins to differ from the other."""
    same = next((index for index, (a, b) in enumerate(zip(line, other, strict=False)) if a != b), 0)
    begin = max(0, min(same - 20, len(line) - length))
    part = line[begin : begin + length].strip()
    return f"‘{'…' * (begin > 0)}{part}{'…' * (begin + length < len(line))}’"
