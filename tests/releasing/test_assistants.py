"""What AI assistants may do is said in one file; students' start page and AGENTS.md are both made from it."""

import json
import shutil
from pathlib import Path

import pytest

from autograder.course import Course, Trouble
from autograder.releasing import assistants
from autograder.releasing.bundle import contents

HOME = Course.find(Path(__file__).parent)
OWN = "# Ours\n\n## In this class\n\nNothing on Mondays.\n\n## To you, assistant\n\nSing.\n"


@pytest.fixture
def course(tmp_path):
    """A class with a folder for students of its own; the units' sources are the repository's."""
    (tmp_path / "course").mkdir()
    (tmp_path / "solutions").symlink_to(HOME.solutions)
    shutil.copy(HOME.root / "nbgrader_config.py", tmp_path)
    shutil.copy(HOME.root / "course" / "start.ipynb", tmp_path / "course")
    return Course.find(tmp_path)


def said_on(page: bytes) -> str:
    return "".join(line for cell in json.loads(page)["cells"] for line in cell["source"])


def written(course) -> tuple[str, str]:
    folder = course.root / "course"
    return (folder / "AGENTS.md").read_text(encoding="utf-8"), said_on((folder / "start.ipynb").read_bytes())


def test_the_committed_files_are_made_from_the_committed_text():
    assert assistants.first_stale(HOME) is None
    agents, page = written(HOME)
    assert agents == (HOME.root / "assistants.md").read_text(encoding="utf-8")
    assert "## What an AI assistant may do here" in page and "If you are the assistant" not in page


@pytest.mark.parametrize("told", ["Explain", "Ask back", "Point to the check", "Do not write answers"])
def test_the_text_says_what_a_teacher_would(told):
    assert f"**{told}" in assistants.text(HOME)


def test_one_text_changes_both_and_a_second_release_nothing(course):
    before = json.loads((course.root / "course" / "start.ipynb").read_bytes())
    (course.root / "assistants.md").write_text(OWN, encoding="utf-8")
    assert "AGENTS.md" in assistants.first_stale(course)
    assert [line.split(" ")[1] for line in assistants.release(course)] == ["written", "written"]
    assert assistants.first_stale(course) is None and assistants.release(course) == []
    agents, page = written(course)
    assert agents == OWN
    assert "## In this class\n\nNothing on Mondays." in page and "Sing" not in page and "AI assistant may" not in page
    after = json.loads((course.root / "course" / "start.ipynb").read_bytes())
    others = [[cell for cell in each["cells"] if cell["id"] != "assistants"] for each in (before, after)]
    assert others[0] == others[1] and [cell["id"] for cell in before["cells"]] == [c["id"] for c in after["cells"]]


def test_a_class_without_the_text_has_neither(course):
    """A bare class beside no repository; what an earlier release had written goes."""
    (course.root / "solutions").unlink()
    (course.root / "solutions").mkdir()
    folder = course.root / "course"
    (folder / "AGENTS.md").write_text("old", encoding="utf-8")
    bare = Course.find(course.root)
    assert any("removed" in line for line in assistants.release(bare))
    assert not (folder / "AGENTS.md").exists()
    assert "AI assistant" not in said_on((folder / "start.ipynb").read_bytes())


def test_the_bundle_has_both_in_the_words_of_now(course):
    """Whoever changes the text and forgets to release it gives students the new one all the same."""
    unit = HOME.assignment("ngrams")
    made = contents(HOME, [unit])
    assert made["AGENTS.md"] == (HOME.root / "assistants.md").read_bytes()
    assert "## What an AI assistant may do here" in said_on(made["start.ipynb"])
    (course.root / "assistants.md").write_text(OWN, encoding="utf-8")
    made = contents(course, [unit])
    assert made["AGENTS.md"].decode() == OWN and "Nothing on Mondays." in said_on(made["start.ipynb"])
    assert "AI assistant may" not in said_on(made["start.ipynb"])


@pytest.mark.parametrize(("content", "told"), [(b"\xff\xfe\x00", "save it as UTF-8"), (b"Be good.\n", "'## '")])
def test_a_text_that_cannot_be_used_is_told_in_a_line(course, content, told):
    (course.root / "assistants.md").write_bytes(content)
    with pytest.raises(Trouble, match=told) as trouble:
        assistants.release(course)
    assert len(trouble.value.lines) == 1


def test_a_start_page_that_is_no_notebook_is_told_and_left(course):
    start = course.root / "course" / "start.ipynb"
    start.write_text("{", encoding="utf-8")
    with pytest.raises(Trouble, match="no notebook"):
        assistants.release(course)
    assert start.read_text(encoding="utf-8") == "{" and not (course.root / "course" / "AGENTS.md").exists()
