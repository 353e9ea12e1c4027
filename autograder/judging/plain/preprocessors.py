"""Our two steps inside nbgrader's `autograde`: repair before it compares cells, and a run that always ends.

nbgrader_config.py names them, so `nbgrader autograde`, formgrader's button and `autograder grade` all use them.
There are no walls here: student code runs in one process with the checks.
"""

import time
from pathlib import Path

import nbformat
from nbclient.exceptions import DeadKernelError
from nbformat.notebooknode import NotebookNode
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import Execute, NbGraderPreprocessor
from nbgrader.utils import is_grade
from traitlets import Integer, List, Unicode

from autograder.course import Assignment, Course
from autograder.judging.seeds import in_environment, seed_of
from autograder.receiving.submission import mend


class Repair(NbGraderPreprocessor):
    """Mends a submission against the release and records in the notebook what it mended."""

    def preprocess(self, nb, resources):
        unit, name = resources["nbgrader"]["assignment"], resources["nbgrader"]["notebook"]
        directory = CourseDirectory(parent=self)
        folder = directory.format_path(directory.release_directory, ".", unit)
        assignment = Assignment(Course.find(Path(directory.root)), unit)
        mend(nb, nbformat.read(f"{folder}/{name}.ipynb", as_version=4), assignment)
        return nb, resources


class ExecuteForMarks(Execute):
    """nbgrader's Execute with a budget, without experiments, and with no traceback in a check cell.

    A cell that would begin after the budget is spent, or after the kernel died, is not run and earns nothing;
    what ran before keeps its marks. Tracebacks of check cells show the source of hidden checks, so only the
    error's name and message stay.
    """

    budget = Integer(240, help="Seconds that all cells of a notebook may take together.").tag(config=True)
    skip_tags = List(Unicode(), ["experiment"], help="Cells with one of these tags are not run.").tag(config=True)

    def preprocess(self, nb, resources, km=None):
        self._ends, self._lost = time.monotonic() + self.budget, ""
        course = Course.find(Path(CourseDirectory(parent=self).root))
        with in_environment(seed_of(nb, course.secret)):
            return super().preprocess(nb, resources, km)

    def preprocess_cell(self, cell, resources, index):
        if cell.cell_type != "code" or set(self.skip_tags) & set(cell.metadata.get("tags", [])):
            return cell, resources
        if self._lost:
            _fail(cell, "NotRun", self._lost)
        elif time.monotonic() > self._ends:
            _fail(cell, "NotRun", f"the notebook had used up its {self.budget} seconds")
        else:
            cell = self._run(cell, resources, index)
        if "CellTimeoutError" in _error_names(cell) and not self._lost:
            _fail(cell, "CellTimeoutError", f"no end within {self.timeout} seconds")
        if is_grade(cell):
            _hide_tracebacks(cell)
        return cell, resources

    def _run(self, cell, resources, index):
        try:
            return super().preprocess_cell(cell, resources, index)[0]
        except DeadKernelError:
            self._lost = "an earlier cell had ended the Python process"
            _fail(cell, "DeadKernelError", "the code ended the Python process")
        except Exception:  # a kernel that ignores its interrupt makes nbclient fail in several ways
            self._lost = "an earlier cell ran on and could not be interrupted"
            _fail(cell, "CellTimeoutError", "no end, and no interrupt could stop it")
        return cell


def _fail(cell, name: str, message: str) -> None:
    cell.outputs = [NotebookNode(output_type="error", ename=name, evalue=message, traceback=[f"{name}: {message}"])]


def _error_names(cell) -> list[str]:
    return [output.ename for output in cell.outputs if output.output_type == "error"]


def _hide_tracebacks(cell) -> None:
    for output in cell.outputs:
        if output.output_type == "error":
            output.traceback = [f"{output.ename}: {output.evalue}"]
