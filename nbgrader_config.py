"""nbgrader's five steps, mapped onto this repository's folders.

With this file at the top, `nbgrader generate_assignment`, `autograde`, `generate_feedback`, `validate` and
formgrader work here as they do in any course. Two of our own classes take part: Repair mends what students'
editors break before nbgrader compares the cells; JudgeInJail runs a notebook behind walls and judges from outside.
"""

from pathlib import Path

from nbconvert.preprocessors import ClearMetadataPreprocessor
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearOutput,
    ClearSolutions,
    ComputeChecksums,
    IgnorePattern,
    LimitOutput,
    LockCells,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
    SaveCells,
)

from autograder.judging.plain.preprocessors import Repair
from autograder.judging.settings import JudgeInJail

c = get_config()  # noqa: F821  (traitlets puts it here)

# Folders. `autograder release` writes _build/source from solutions/; the students' notebooks are committed in course/.
c.CourseDirectory.course_id = "unrolled"
c.CourseDirectory.root = str(Path(__file__).resolve().parent)
c.CourseDirectory.source_directory = "_build/source"
c.CourseDirectory.release_directory = "course"
c.CourseDirectory.submitted_directory = "submitted"
c.CourseDirectory.autograded_directory = "autograded"
c.CourseDirectory.feedback_directory = "feedback"
c.CourseDirectory.db_url = f"sqlite:///{c.CourseDirectory.root}/gradebook.db"

# Release. The committed notebook is always there, so without `force` nbgrader would skip it and record nothing.
# The order is nbgrader's own, less its header cells and generated tests, which this course does not use.
c.GenerateAssignment.force = True
c.GenerateAssignment.preprocessors = [
    LockCells,
    ClearSolutions,
    ClearOutput,
    CheckCellMetadata,
    ComputeChecksums,
    SaveCells,  # the gradebook keeps the check cells with their hidden lines …
    ClearHiddenTests,  # … and the student's copy loses them
    ClearMarkScheme,
    ComputeChecksums,
    CheckCellMetadata,
]
c.ClearSolutions.code_stub = {"python": '# Your code here.\nraise NotImplementedError("not started yet")'}
c.ClearSolutions.text_stub = "Your answer here."

# Grading. Beside each autograded notebook lies a record for the instructor, which must not travel with the feedback.
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", ".pytest_cache", "*.grading.json"]
c.Autograde.sanitize_preprocessors = [Repair, ClearOutput, OverwriteKernelspec, OverwriteCells, CheckCellMetadata]
c.Autograde.autograde_preprocessors = [
    JudgeInJail,
    IgnorePattern,
    ClearMetadataPreprocessor,
    LimitOutput,
    SaveAutoGrades,
    AssignLatePenalties,
    CheckCellMetadata,
]
# In seconds. JudgeInJail has other limits, too: `nbgrader autograde --help-all` names them.
c.JudgeInJail.cell_seconds = 30
c.JudgeInJail.notebook_seconds = 240
# `--engine nbgrader` runs without walls: a cell within `timeout`, all in `budget`.
c.Execute.timeout = 60
c.ExecuteForMarks.budget = 240

# `nbgrader export` renews penalties first and quotes what needs it.
c.ExportApp.plugin_class = "autograder.recording.export.Marks"

# Pages that formgrader and feedback show: what students wrote as HTML is cleaned, in Markdown and in outputs.
c.HTMLExporter.sanitize_html = True
c.HTMLExporter.filters = {
    "clean_html": "autograder.returning.tame.clean_html",
    "markdown2html": "autograder.returning.tame.render_markdown",
    "strip_files_prefix": "autograder.returning.tame.clean_markdown",
}

# Feedback. The HTML table of a check goes before its plain text.
c.NbConvertBase.display_data_priority = [
    "text/html",
    "text/markdown",
    "image/svg+xml",
    "image/png",
    "image/jpeg",
    "text/latex",
    "text/plain",
]
