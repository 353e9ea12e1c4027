"""Folders of clones: read without Git, told apart from what only has a `.git` in it, and nobody goes unmentioned."""

import os
import subprocess
from datetime import UTC, datetime

import little_course
import pytest

from autograder.receiving import class_list
from autograder.receiving.class_list import Student
from autograder.receiving.collecting import collect, commits, github

A = b'{"cells": ["a"]}'
NIGHT = datetime(2026, 11, 2, 14, 30, tzinfo=UTC)


@pytest.fixture
def assignment(tmp_path):
    assignment = little_course.make(tmp_path / "course")
    class_list.keep(assignment.course, {name: Student(name) for name in ("ada", "bob", "eve")})
    return assignment


def git(home, *command, at=NIGHT):
    when = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), at.isoformat())
    said = {"PATH": os.environ["PATH"], "HOME": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", **when}
    known = ["-c", "user.name=x", "-c", "user.email=x@y", "-c", "gc.auto=0"]
    subprocess.run(["git", "-C", str(home), *known, *command], check=True, env=said, capture_output=True)


def folder(home):
    home.mkdir(parents=True)
    (home / "dice.ipynb").write_bytes(A)
    return home


def repository(home, commits=1):
    git(folder(home), "init", "-q")
    for number in range(commits):
        git(home, "add", "-A")
        at = NIGHT if number == commits - 1 else NIGHT.replace(day=1, hour=number % 24)
        git(home, "commit", "-q", "--allow-empty", "-m", f"step {number} " + "of many words " * 20, at=at)
    return home


def trap(home, proof):
    """A repository that would run a program when Git looks for its last commit."""
    for place in ("refs/heads", "objects"):
        (folder(home) if not home.exists() else home).joinpath(".git", place).mkdir(parents=True)
    (home / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (home / ".git/refs/heads/main").write_text("1" * 40 + "\n")
    (home / ".git/config").write_text(
        "[core]\n repositoryformatversion = 1\n[extensions]\n partialClone = origin\n"
        f'[remote "origin"]\n url = /tmp\n promisor = true\n uploadpack = "touch {proof}; false"\n'
    )


@pytest.mark.parametrize("name", ["{}+00_dice+2026-11-01 10:00:00 UTC+xx", "{}", "unit-0-dice-{}"])
@pytest.mark.parametrize("alone", [True, False])
def test_nothing_that_a_student_put_into_a_repository_is_run(assignment, tmp_path, name, alone):
    source, proof = tmp_path / "given", tmp_path / "proof"
    trap(source / name.format("eve"), proof)
    if not alone:
        folder(source / name.format("ada"))
    done = collect(assignment, [source])
    assert not proof.exists()
    if "-" not in name.split("+")[0]:
        assert done.placed == {"placed": ["eve"] if alone else ["ada", "eve"]}


def test_no_program_is_started(assignment, tmp_path, monkeypatch):
    repository(tmp_path / "given" / "unit-0-ada")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(subprocess, "Popen", None)
    monkeypatch.setattr(os, "posix_spawn", None)
    assert collect(assignment, [tmp_path / "given"]).placed == {"placed": ["ada"]}


def test_an_honest_repository_among_folders_hides_nobody(assignment, tmp_path):
    for name in ("ada", "bob"):
        folder(tmp_path / "given" / name)
    repository(tmp_path / "given" / "eve")
    done = collect(assignment, [tmp_path / "given"])
    assert done.placed == {"placed": ["ada", "bob", "eve"]} and done.platforms == ["names"]
    assert "1 of its 3 folders are repositories" in "".join(done.notes)


def test_a_folder_that_is_no_clone_is_told(assignment, tmp_path):
    repository(tmp_path / "given" / "unit-0-ada")
    folder(tmp_path / "given" / "unit-0-bob")
    done = collect(assignment, [tmp_path / "given"])
    assert not done.is_whole and len(done.unknown) == 2
    (tmp_path / "given" / "notes.txt").write_text("mine")
    git(tmp_path / "given" / "unit-0-bob", "init", "-q")
    done = collect(assignment, [tmp_path / "given"])
    assert done.placed == {"placed": ["ada", "bob"]}
    assert "notes.txt" in "".join(done.notes)
    assert "1 clones whose last commit's time cannot be read: unit-0-bob" in done.notes


def test_a_name_that_ends_like_anothers_is_not_theirs(assignment, tmp_path):
    for name in ("x-ada", "bob"):
        repository(tmp_path / "given" / f"unit-0-{name}")
    done = collect(assignment, [tmp_path / "given"])
    assert done.placed == {"placed": ["bob"]} and done.unknown == ["unit-0-x-ada"]


@pytest.mark.parametrize("packed", ["loose", "packed", "a clone", "refs by name"])
def test_the_time_of_the_last_commit_is_read_however_it_is_kept(tmp_path, packed):
    home = repository(tmp_path / "one", commits=12)
    if packed in ("packed", "refs by name"):
        git(home, "gc", "-q", "--aggressive", "--prune=now")
    if packed == "refs by name":
        git(home, "checkout", "-q", "--detach")
    if packed == "a clone":
        git(tmp_path, "clone", "-q", f"file://{home}", "two")
        home = tmp_path / "two"
    assert commits.committed(home / ".git") == NIGHT


def test_a_commit_kept_as_a_difference_is_read_too(tmp_path):
    """All commits of a pack are read as Git reads them, and some of them are kept as a difference."""
    home = repository(tmp_path / "one", commits=12)
    git(home, "gc", "-q", "--aggressive", "--prune=now")
    listing = subprocess.run(["git", "-C", str(home), "log", "--format=%H %ct"], capture_output=True, text=True)
    git(home, "checkout", "-q", "--detach")
    for line in listing.stdout.splitlines():
        name, time = line.split()
        (home / ".git/HEAD").write_text(name)
        assert commits.committed(home / ".git") == datetime.fromtimestamp(int(time), UTC)
    (index,) = (home / ".git/objects/pack").glob("*.idx")
    told = subprocess.run(["git", "verify-pack", "-v", str(index)], capture_output=True, text=True).stdout
    assert any(len(line.split()) == 7 and " commit " in line for line in told.splitlines())


@pytest.mark.parametrize("spoil", ["HEAD", "objects", "a branch outside", "a loop of nothing", ".git is a file"])
def test_what_is_odd_has_no_time(tmp_path, spoil):
    home = repository(tmp_path / "one")
    head = home / ".git" / "HEAD"
    if spoil == "HEAD":
        head.write_bytes(b"\xff\xfe")
    elif spoil == "objects":
        for path in [path for path in (home / ".git/objects").rglob("*") if path.is_file()]:
            path.chmod(0o600)
            path.write_bytes(b"x")
    elif spoil == "a branch outside":
        head.write_text("ref: refs/../../../one/.git/refs/heads/master")
    elif spoil == "a loop of nothing":
        head.write_text("ref: refs/heads/none")
    else:
        (home / ".git").rename(tmp_path / "elsewhere")
        (home / ".git").write_text(f"gitdir: {tmp_path / 'elsewhere'}")
    assert commits.committed(home / ".git") is None
    assert github.clones(tmp_path) == ([home] if spoil != ".git is a file" else [])
