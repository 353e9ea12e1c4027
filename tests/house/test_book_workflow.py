"""The workflow that publishes the book: it parses, builds the edition without answers, and publishes what is built."""

import re
from pathlib import Path

import yaml

from book import __main__ as command

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / ".github" / "workflows" / "book.yml").read_text(encoding="utf-8")
WORKFLOW = yaml.safe_load(TEXT)
JOBS = WORKFLOW["jobs"]
STEPS = [step for job in JOBS.values() for step in job["steps"]]


def uses(action: str) -> dict:
    """What the one step with this action is given."""
    (step,) = [step for step in STEPS if step.get("uses", "").startswith(f"{action}@")]
    return step.get("with", {})


def test_each_action_has_its_version():
    actions = [step["uses"] for step in STEPS if "uses" in step]
    assert all(re.fullmatch(r"actions/[\w-]+@v\d+", action) for action in actions)
    assert [job["timeout-minutes"] for job in JOBS.values()]


def test_it_builds_with_the_command_that_authors_use():
    assert [step["run"] for step in STEPS if "run" in step] == ["make book"]
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert re.search(r"^book:", makefile, re.MULTILINE) and "EDITION ?= public" in makefile
    assert "EDITION" not in TEXT


def test_it_publishes_the_public_edition_and_hands_out_its_zip(monkeypatch):
    built = []
    monkeypatch.setattr(command, "build", lambda course, folder, answers: built.append((folder, answers)))
    monkeypatch.setattr(command, "report", lambda *given: 0)
    monkeypatch.chdir(ROOT)
    command.main(["--edition", "public"])
    ((folder, answers),) = built
    assert not answers
    assert uses("actions/upload-pages-artifact")["path"] == (folder / "html").relative_to(ROOT).as_posix()
    assert uses("actions/upload-artifact")["path"] == command.zip_of(folder).relative_to(ROOT).as_posix()
    assert uses("actions/cache")["path"] == "_build/executed"


def test_only_the_default_branch_is_published_with_the_rights_that_pages_need():
    assert WORKFLOW[True]["push"] == {"branches": ["main"]}  # YAML reads the key `on` as a truth value
    assert WORKFLOW["permissions"] == {"contents": "read", "pages": "write", "id-token": "write"}
    assert JOBS["publish"]["needs"] == "build"
    assert JOBS["publish"]["environment"]["url"] == "${{ steps.pages.outputs.page_url }}"
    assert [step.get("id") for step in JOBS["publish"]["steps"]] == ["pages"]
