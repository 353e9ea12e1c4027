"""Data folders that are symbolic links, or hold some, are read in the jail; what lies beside them stays unseen."""

import os

import pytest
from one_judge import UNHURRIED, notebook

from autograder.judging.jail import bubblewrap, visible
from autograder.judging.judge import Judge
from autograder.judging.rubric import Rubric


@pytest.fixture
def data(tmp_path):
    """A folder `data` that leads through two links to where files lie, one of them a link to a third place."""
    disk, far = tmp_path / "disk" / "sets", tmp_path / "far"
    disk.mkdir(parents=True)
    far.mkdir()
    (disk / "near.txt").write_text("near")
    (far / "kept.txt").write_text("far")
    (far / "secret.txt").write_text("secret")
    (disk / "kept.txt").symlink_to(far / "kept.txt")
    (disk / "gone.txt").symlink_to(far / "gone.txt")
    (disk / "up").symlink_to(tmp_path)
    (tmp_path / "mount").symlink_to("disk", target_is_directory=True)
    (tmp_path / "data").symlink_to(tmp_path / "mount" / "sets", target_is_directory=True)
    for folder in (tmp_path, *tmp_path.parents):
        if os.stat(folder).st_uid == os.geteuid() and folder.stat().st_mode & 0o5 != 0o5:
            folder.chmod(0o755)
    return tmp_path / "data"


def test_where_the_links_lead_is_shown_and_no_more(data):
    shown = [path for path in visible.shown([data]) if path.startswith(str(data.parent))]
    assert shown == [str(data.parent / "disk" / "sets"), str(data.parent / "far" / "kept.txt")]


def test_every_name_on_the_way_is_known_in_the_new_root(data):
    root = data.parent
    assert visible.names(data) == [str(root / "data"), str(root / "mount" / "sets")]
    words = bubblewrap.command(["x"], visible.shown([data]), {}, visible.aliases([data]))
    bound = list(zip(words, words[1:], words[2:], strict=False))
    assert ("--ro-bind", str(root / "disk" / "sets"), str(root / "data")) in bound
    assert words.count(str(root / "data")) == 1, "a mount point, not a folder made before"


def test_a_link_in_a_circle_stops_nobody(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert visible.names(tmp_path / "a") == [] and str(tmp_path) not in str(visible.shown([tmp_path / "a"]))


READ = """import os, pathlib
place = pathlib.Path(os.environ["UNROLLED_DATA"])
print(*((place / name).read_text() for name in ("near.txt", "kept.txt")))
for other in ("up/far/secret.txt", "up/disk/sets/near.txt"):
    try:
        print((place / other).read_text())
    except OSError as error:
        print(type(error).__name__)"""


@pytest.mark.slow
@pytest.mark.parametrize("wrapped", [False, True], ids=["in place", "a root of its own"])
def test_they_are_read_in_the_jail(data, wrapped):
    if wrapped and not bubblewrap.available():
        pytest.skip("needs bubblewrap")
    with Judge(UNHURRIED, data=[data], bubblewrapped=wrapped) as judge:
        judgement = judge.grade(notebook(READ), Rubric("links", ()))
    lines = "".join(output.get("text", "") for output in judgement.outputs[0]).splitlines()
    assert lines[0] == "near far", judgement
    assert "secret" not in lines
