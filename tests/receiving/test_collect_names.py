"""However a student calls files, they come in, each of them, and nobody else's collection is stopped."""

import os
from pathlib import PurePosixPath

import little_course
import pytest
from test_collect import zipped

from autograder.receiving import class_list
from autograder.receiving.class_list import Student
from autograder.receiving.collecting import collect, keeping, naming

NAMES = {
    "100 letters of three bytes": ["日" * 100 + ".ipynb"],
    "400 letters": ["x" * 400 + ".ipynb"],
    "a long ending": ["a." + "x" * 400],
    "unseen letters": ["di\u200bce.ipynb", "di\u200cce.ipynb", "dice.ipynb"],
    "great and small": ["Dice.ipynb", "dice.ipynb", "DICE.IPYNB"],
    "cut alike": ["x" * 300 + "1.ipynb", "x" * 300 + "2.ipynb"],
    "a file and a folder": ["x\u200b/a.ipynb", "x\u200c"],
    "spaces": ["a b.ipynb", "a  b.ipynb", " a b .ipynb"],
    "one as others are numbered": ["a\u200b.ipynb", "a\u200c.ipynb", "a�-2.ipynb"],
    "a folder called as the time is": ["timestamp.txt/a.ipynb"],
    "no letters": ["\u200b.ipynb", "\x01"],
}


@pytest.fixture
def assignment(tmp_path):
    assignment = little_course.make(tmp_path / "course")
    class_list.keep(assignment.course, {name: Student(name) for name in ("ada", "bob", "zoe")})
    return assignment


def given(tmp_path, names):
    """An archive of Ada's files, of Bob's and of Zoe's."""
    files = {f"ada/{name}": name.encode() for name in names}
    return zipped(tmp_path / "given.zip", files | {f"{other}/dice.ipynb": b"x" for other in ("bob", "zoe")})


@pytest.mark.parametrize("what", NAMES)
def test_every_file_comes_in(assignment, tmp_path, what):
    done = collect(assignment, [given(tmp_path, NAMES[what])])
    assert done.placed == {"placed": ["ada", "bob", "zoe"]} and done.is_whole
    files = [path for path in assignment.submitted("ada").rglob("*") if path.is_file()]
    assert sorted(path.read_bytes() for path in files) == sorted(name.encode() for name in NAMES[what])
    notebooks = sum(path.suffix.casefold() == ".ipynb" for path in files)
    assert notebooks == sum(name.casefold().endswith(".ipynb") for name in NAMES[what])
    assert all(path.name.isprintable() and len(os.fsencode(path.name)) < 240 for path in files)
    assert len({str(path).casefold() for path in files}) == len(files)
    again = collect(assignment, [tmp_path / "given.zip"])
    assert again.placed == {"unchanged": ["ada", "bob", "zoe"]}


def test_ordinary_names_stay_as_they_are():
    paths = [PurePosixPath(name) for name in ("dice.ipynb", "data/a b.csv", "Lösung.ipynb", "timestamp.txt", "x.tar")]
    assert naming.named(paths) == {path: path for path in paths}


def test_what_cannot_be_written_is_one_students_and_the_rest_come_in(assignment, tmp_path, monkeypatch, capsys):
    source = given(tmp_path, ["/".join(["d" * 100] * 50) + "/a.ipynb"])
    code, said, _ = little_course.in_process(monkeypatch, capsys, assignment, "collect", "0", str(source))
    assert code == 1 and "ada: File name too long" in " ".join(said.split())
    assert assignment.students() == ["bob", "zoe"]
    shelf = keeping.shelf(assignment, "ada")
    assert not shelf.exists() or not list(shelf.iterdir()), "nothing half written is left"


def test_what_stood_there_stays_when_nothing_can_be_written(assignment, tmp_path):
    collect(assignment, [zipped(tmp_path / "one.zip", {"ada/dice.ipynb": b"first"})])
    source = given(tmp_path, ["/".join(["d" * 100] * 50) + "/a.ipynb"])
    done = collect(assignment, [source])
    assert len(done.failed) == 1 and done.placed == {"placed": ["bob", "zoe"]}
    assert (assignment.submitted("ada") / "dice.ipynb").read_bytes() == b"first"
