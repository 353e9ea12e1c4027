"""Plain nbgrader, by its own commands, on a course with our configuration: nothing of it stops working."""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import little_course
import pytest
from little_course import NOTEBOOK, RIGHT, UNIT, nbgrader

from autograder.recording import gradebook
from autograder.releasing.release import release
from autograder.releasing.source import write_source

pytestmark = pytest.mark.slow

ACTING = '<script>window.owned = 1</script><img src="x" onerror="window.owned = 2">'
SLY = RIGHT | {
    "written-question": f"Throws do not know each other. {ACTING}\n\n{ACTING}",
    "throw_sum": f"from IPython.display import HTML, display\n\ndisplay(HTML({ACTING!r}))\n{RIGHT['throw_sum']}",
}


def _with_a_cell_called(name: str):
    """A change that adds a graded cell of that name, which formgrader writes into attributes."""

    def change(notebook):
        settings = {"schema_version": 3, "grade": True, "solution": True, "locked": False, "task": False, "points": 9}
        metadata = {"nbgrader": settings | {"grade_id": f'">{name}'}}
        notebook["cells"].append({"cell_type": "markdown", "id": "added", "metadata": metadata, "source": "More."})

    return change


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    """A course whose source is generated; everything after that is nbgrader's."""
    assignment = little_course.make(tmp_path_factory.mktemp("plain"))
    write_source(assignment)
    run = nbgrader(assignment, "generate_assignment", UNIT)
    assert run.returncode == 0, run.stderr
    return assignment


@pytest.fixture(scope="module")
def graded(assignment):
    little_course.hand_in(assignment, "right", RIGHT)
    little_course.hand_in(assignment, "half", RIGHT | {"surprise": "def surprise(sides):\n    return math.log2(sides)"})
    little_course.hand_in(assignment, "twice", RIGHT, little_course.copied("surprise", RIGHT["surprise"]))
    little_course.hand_in(assignment, "no_check", RIGHT, little_course.without("throw_sum-check"))
    little_course.hand_in(assignment, "sly", SLY, _with_a_cell_called(ACTING))
    run = nbgrader(assignment, "autograde", UNIT)
    assert run.returncode == 0, run.stderr
    assert "without walls" not in run.stderr, "plain assertions are run in the jail, too"
    return assignment


def test_generate_assignment_writes_what_release_writes(assignment):
    plain = assignment.released.read_bytes()
    assert not release(assignment).changed
    assert assignment.released.read_bytes() == plain


def test_generate_assignment_runs_again_over_the_committed_notebook(assignment):
    plain = assignment.released.read_bytes()
    run = nbgrader(assignment, "generate_assignment", UNIT)
    assert run.returncode == 0, run.stderr
    assert assignment.released.read_bytes() == plain


def test_autograde_gives_the_same_marks_and_repairs(graded):
    marks = {student: mark.score for student, mark in gradebook.marks(graded).items()}
    assert marks == {"right": 5, "half": 3.5, "twice": 5, "no_check": 5, "sly": 5}
    source = graded.autograded("twice").read_text(encoding="utf-8")
    assert "2 cells were called surprise; the last one counts" in source


def test_generate_feedback_writes_pages(graded):
    run = nbgrader(graded, "generate_feedback", UNIT)
    assert run.returncode == 0, run.stderr
    page = graded.feedback("half").read_text(encoding="utf-8")
    assert "Score: 3.5 / 9.0" in re.sub(r"\s+", " ", page)


@pytest.mark.parametrize(
    ("answers", "says"),
    [(RIGHT, "Success! Your notebook passes all the tests."), ({}, "VALIDATION FAILED ON 3 CELL(S)")],
)
def test_validate_tells_a_right_notebook_from_a_blank_one(assignment, tmp_path, answers, says):
    path = little_course.hand_in(assignment, "validated", answers)
    target = tmp_path / NOTEBOOK
    path.rename(target)
    path.parent.rmdir()
    run = nbgrader(assignment, "validate", str(target))
    assert run.returncode == 0, run.stderr
    assert says in run.stdout


@pytest.fixture(scope="module")
def server(graded):
    """A Jupyter server in the course's folder, as `jupyter lab` starts it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "jupyter", "lab", "--no-browser", f"--port={port}", "--IdentityProvider.token=t"]
    log = open(graded.course.root / "server.log", "w")  # noqa: SIM115  (closed below)
    process = subprocess.Popen(
        [*command, "--allow-root"], cwd=graded.course.root, stdout=log, stderr=log, env=os.environ
    )
    try:
        _wait_for(f"http://127.0.0.1:{port}/api?token=t")
        yield f"http://localhost:{port}"
    finally:
        process.terminate()
        process.wait(30)
        log.close()


@pytest.mark.browser
def test_formgrader_shows_the_class(server, browser_path):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(extra_http_headers={"Authorization": "token t"})
        page.goto(f"{server}/formgrader/gradebook/{UNIT}/dice")
        page.get_by_text("Submission #4").wait_for(timeout=30_000)
        rows = page.locator("tbody tr").all_inner_texts()
        browser.close()
    assert sorted(re.search(r"([\d.]+) / 9", row).group(1) for row in rows) == ["3.5", "5", "5", "5", "5"]


@pytest.mark.browser
def test_what_a_student_wrote_does_nothing_in_formgrader(graded, server, browser_path):
    """Its scripts could change marks, for the page that shows it may."""
    from playwright.sync_api import sync_playwright

    with gradebook.gradebook(graded.course) as book:
        (notebook,) = book.find_submission(UNIT, "sly").notebooks
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(extra_http_headers={"Authorization": "token t"})
        page.goto(f"{server}/formgrader/submissions/{notebook.id}/")
        page.get_by_text("Throws do not know each other.").wait_for(timeout=30_000)
        page.wait_for_timeout(1000)
        acted, shown = page.evaluate("window.owned"), page.locator("body").inner_text()
        browser.close()
    assert acted is None and "window.owned" in shown, "it is shown as text"


def _wait_for(address: str, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except (urllib.error.URLError, ConnectionError):
            assert time.monotonic() < end, f"{address} never answered"
            time.sleep(0.5)
