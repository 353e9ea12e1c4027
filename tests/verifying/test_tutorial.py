"""docs/tutorial.md, followed to the letter: each box of commands is run in order, and prints what the next box says.

Run in a copy of the repository, as a new teacher would. A line of a box must be printed, in the box's order; `…`
stands for anything. What is done in a browser is done here by what the browser would do.
"""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.verifying import demo_moodle
from hub.ground import CLONE, ENVIRONMENT, NOT_OURS

ROOT = Path(__file__).parents[2]
BOX = re.compile(r"^```(bash|text|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = "@@ box"
BY_HAND = """
from nbgrader.api import Gradebook
with Gradebook("sqlite:///gradebook.db", "unrolled") as book:
    submission = book.find_submission("01_ngrams", "ada_lindqvist")
    (written,) = [grade for grade in submission.notebooks[0].grades if grade.name == "written-question"]
    written.manual_score, written.needs_manual_grade = 3, False
    book.db.commit()
"""


def boxes() -> list[tuple[str, str]]:
    """(kind, text) of each box, in order."""
    return BOX.findall((ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8"))


def missing(said: str, printed: str) -> str | None:
    """The first line of a box that was not printed, or not after the one before it."""
    rest = iter(printed.splitlines())
    for line in filter(None, map(str.strip, said.splitlines())):
        pattern = re.compile(".*".join(map(re.escape, re.split(r"\s*…\s*", line))))
        if not any(pattern.search(" ".join(each.split())) for each in rest):
            return line
    return None


def test_a_line_that_is_not_printed_or_comes_too_early_is_found():
    assert missing("a … c\nd", "x\na  b c\nd\n") is None
    assert missing("a … c\nd", "d\na b c\n") == "d"
    assert missing("a … c", "a b") == "a … c"


def test_each_box_of_commands_is_followed_by_what_it_prints():
    kinds = [kind for kind, _ in boxes()]
    assert kinds.count("bash") >= 7 and kinds.count("sh") == 1
    assert not any(kind == "text" and kinds[at - 1] != "bash" for at, kind in enumerate(kinds))


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    """A clone with its environment."""
    home = tmp_path_factory.mktemp("clone")
    for name in CLONE:
        take = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        take(ROOT / name, home / name, **({"ignore": NOT_OURS} if (ROOT / name).is_dir() else {}))
    (home / ".venv").symlink_to(ENVIRONMENT)
    if (ROOT / "node_modules").exists():
        (home / "node_modules").symlink_to((ROOT / "node_modules").resolve())
    return home


@pytest.mark.slow
@pytest.mark.unit("ngrams")
def test_the_tutorial_prints_what_it_says(copy):
    script = ["set -e"]
    for number, (kind, text) in enumerate(boxes()):
        if kind == "bash":
            script += [f"echo '{MARK} {number}'", text]
        elif kind == "sh":
            script += [f"{sys.executable} - <<'END'{BY_HAND}END"]
    settings = os.environ | {"PYTHONPATH": f"{copy}{os.pathsep}{copy / 'course'}", "COLUMNS": "160", "NO_COLOR": "1"}
    done = subprocess.run(
        ["bash", "-c", "\n".join(script)], cwd=copy, env=settings, capture_output=True, text=True, timeout=1800
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    printed = re.split(rf"^{MARK} (\d+)$", done.stdout, flags=re.MULTILINE)[1:]
    came = dict(zip(map(int, printed[::2]), printed[1::2], strict=True))
    for number, (kind, text) in enumerate(boxes()):
        if kind == "text":
            assert missing(text, came[number - 1]) is None, came[number - 1]
    assert not (copy / "_build" / "class").exists()


def test_what_moodle_would_give_is_the_same_each_time_and_nobody_loops(tmp_path):
    model = Course.find(ROOT).assignment("01_ngrams")
    made = [demo_moodle.lay(model, tmp_path / name)[1] for name in ("one", "two")]
    first, second = ({path.name: path.read_bytes() for path in folder.iterdir()} for folder in made)
    assert first == second and set(first) == {"class.csv", "submissions.zip", "worksheet.csv"}
    with zipfile.ZipFile(made[0] / "submissions.zip") as archive:
        texts = [archive.read(name).decode() for name in archive.namelist()]
    assert len(texts) == 14 and not any("while True" in text for text in texts)
    assert first["worksheet.csv"].decode("utf-8-sig").count("Submitted for grading") == 14
