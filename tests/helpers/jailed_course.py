"""Unit 1 as a course in a temporary folder, with submissions that are graded in the jail."""

import atexit
import json
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from little_course import ROOT, cell_called, hand_in_content

from autograder.course import Assignment, Course
from autograder.recording import gradebook, ledger
from autograder.releasing.release import release
from autograder.releasing.source import grade_id, read_source

UNIT, NOTEBOOK = "01_ngrams", "ngrams.ipynb"

CONFIG = """
from pathlib import Path

load_subconfig("nbgrader_config.py", path={home!r})
c = get_config()
c.CourseDirectory.root = str(Path(__file__).resolve().parent)
c.CourseDirectory.db_url = {db_url!r} or f"sqlite:///{{c.CourseDirectory.root}}/gradebook.db"
c.CourseDirectory.source_directory = "source"
c.CourseDirectory.release_directory = "release"
{more}
"""

MLE = """def mle(counts, context):
    seen = counts.get(context, {})
    return {symbol: count / sum(seen.values()) for symbol, count in seen.items()}"""
PERPLEXITY = "def perplexity(log_probs):\n    return math.exp(-float(log_probs.double().mean()))"
SUM = "def perplexity(log_probs):\n    return math.exp(-float(log_probs.double().sum()))"
TWO = {"mle": MLE, "perplexity": PERPLEXITY}  # three points, and quick to grade


def make(folder: Path, more: str = "", db_url: str = "") -> Assignment:
    """The course in `folder`, released; `more` is added to its configuration."""
    config = CONFIG.format(home=str(ROOT), more=more, db_url=db_url)
    if not db_url:
        shutil.copytree(_released_once(), folder, symlinks=True, dirs_exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "nbgrader_config.py").write_text(config, encoding="utf-8")
    assignment = Assignment(Course(folder, ROOT / "solutions"), UNIT)
    if db_url:
        (folder / "solutions").symlink_to(ROOT / "solutions")  # for the command line, which looks for it
        release(assignment)
    return assignment


@cache
def _released_once() -> Path:
    """One released course a process; releasing takes nbgrader seconds, copying takes none."""
    folder = Path(tempfile.mkdtemp(prefix="jailed-course-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "nbgrader_config.py").write_text(CONFIG.format(home=str(ROOT), more="", db_url=""), encoding="utf-8")
    (folder / "solutions").symlink_to(ROOT / "solutions")
    release(Assignment(Course(folder, ROOT / "solutions"), UNIT))
    return folder


def hand_in(
    assignment: Assignment, student: str, answers: dict[str, str], change: Callable = lambda notebook: None
) -> Path:
    """Submits the released notebook with `answers` in its cells, then changed by `change`."""
    notebook = json.loads(assignment.released.read_text(encoding="utf-8"))
    for name, source in answers.items():
        cell_called(notebook, name)["source"] = source
    change(notebook)
    return hand_in_content(assignment.submitted(student) / NOTEBOOK, json.dumps(notebook).encode())


def reference() -> dict[str, str]:
    """Every exercise's answer in the source, without nbgrader's markers."""
    cells = [cell for cell in read_source(Assignment(Course.find(ROOT), UNIT)).cells if cell.cell_type == "code"]
    asked = [cell for cell in cells if cell.metadata.get("nbgrader", {}).get("solution")]
    return {
        grade_id(cell): "\n".join(line for line in cell.source.splitlines() if " SOLUTION" not in line)
        for cell in asked
    }


def book(assignment: Assignment) -> dict[str, dict]:
    """Everything in the gradebook that grading decides, by student: scores, what waits for a person, comments."""
    with gradebook.gradebook(assignment.course) as opened:
        return {
            submission.student.id: {
                "time": submission.timestamp,
                "grades": {
                    grade.name: (grade.auto_score, grade.manual_score, grade.needs_manual_grade)
                    for notebook in submission.notebooks
                    for grade in notebook.grades
                },
                "comments": {
                    comment.name: (comment.auto_comment, comment.manual_comment)
                    for notebook in submission.notebooks
                    for comment in notebook.comments
                },
            }
            for submission in opened.find_assignment(UNIT).submissions
        }


def status(assignment: Assignment, student: str) -> tuple[str, str]:
    outcome = ledger.read(assignment)[student]
    return outcome.status, outcome.reason


def mark(assignment: Assignment, student: str) -> float:
    return gradebook.marks(assignment)[student].score
