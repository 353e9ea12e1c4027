"""What notebooks read besides data sets: found in a source, copied at release, enough for `course/` alone."""

import os
import shutil
import subprocess
import sys

import little_course
import nbformat
import pytest
from little_course import ROOT, UNIT

from autograder.course import Assignment, Course, Trouble
from autograder.releasing import assets
from autograder.releasing.release import release
from autograder.releasing.source import grade_id

HERE = Course.find(ROOT)
READERS = [unit for unit in HERE.assignments() if assets.read_by(unit)]
CELL = "```{{code-cell}} ipython3\n{code}\n```\n"


@pytest.fixture
def assignment(tmp_path):
    """The little course, whose unit reads two of the three files in its `assets/`."""
    assignment = little_course.make(tmp_path)
    (tmp_path / "assets" / "ladder").mkdir(parents=True)
    for name in ("one", "two", "three"):
        (tmp_path / "assets" / "ladder" / f"{name}.json").write_bytes(f"[{len(name)}]\r\n".encode())
    add(assignment, '%matplotlib inline\nasset("ladder/one.json").read_text()')
    add(assignment, 'for _ in range(2):\n    print(data.asset(name="ladder/two.json"), "asset(\'ladder/three.json\')")')
    return assignment


def add(assignment: Assignment, code: str) -> None:
    path = assignment.source
    path.write_text(f"{path.read_text(encoding='utf-8')}\n{CELL.format(code=code)}", encoding="utf-8")


def copies(assignment: Assignment) -> dict[str, bytes]:
    folder = assignment.folder("release").parent / "assets"
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_release_copies_exactly_what_is_read(assignment):
    done = release(assignment)
    assert copies(assignment) == {"ladder/one.json": b"[3]\r\n", "ladder/two.json": b"[3]\r\n"}
    assert sorted(path.name for path in done.assets) == ["one.json", "two.json"]
    assert release(assignment).assets == ()


def test_the_command_says_what_it_copied(assignment, monkeypatch, capsys):
    _, said, _ = little_course.in_process(monkeypatch, capsys, assignment, "release")
    assert [line for line in said.splitlines() if line.endswith("two.json copied.")]


@pytest.mark.parametrize(("spoil", "fault"), [("unlink", "is missing"), ("write_bytes", "differs from")])
def test_check_notices_a_copy_that_is_stale_or_missing(assignment, monkeypatch, capsys, spoil, fault):
    copy = release(assignment).assets[1]
    assert assets.first_stale(assignment) is None
    getattr(copy, spoil)(*[b"[4]"] * (spoil == "write_bytes"))
    before = copies(assignment)
    code, said, _ = little_course.in_process(monkeypatch, capsys, assignment, "release", "--check")
    assert code == 1 and f"{copy} {fault}" in said and said.endswith(f"run `autograder release {UNIT}`.\n")
    assert copies(assignment) == before, "--check must write nothing"


@pytest.mark.parametrize("call", ["asset(name)", 'asset(f"ladder/{name}.json")', 'asset("a", "b")', "asset()"])
def test_a_name_that_is_not_written_out_names_its_cell(assignment, call):
    add(assignment, f"print({call})")
    with pytest.raises(Trouble, match="the cell 'written-question-03' says `asset") as caught:
        assets.read_by(assignment)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["ladder/none.json", "ladder", "../nbgrader_config.py"])
def test_a_file_that_is_not_among_the_assets_is_named(assignment, name):
    add(assignment, f'asset("{name}")')
    with pytest.raises(Trouble, match=f"{UNIT} reads '{name}', but there is no such file in "):
        release(assignment)
    assert not assignment.folder("release").exists(), "nothing may be released that cannot run"


def test_a_cell_that_is_no_python_reads_nothing(assignment):
    add(assignment, 'asset("ladder/three.json") = (')
    assert assets.read_by(assignment) == ["ladder/one.json", "ladder/two.json"]


# --- the real course


def test_the_courses_folder_holds_what_its_notebooks_read_and_nothing_else():
    wanted = {name for unit in HERE.assignments() for name in assets.read_by(unit)}
    assert "ladder/published.json" in wanted
    folder = ROOT / "course" / "assets"
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} == wanted
    assert [assets.first_stale(unit) for unit in HERE.assignments()] == [None] * len(HERE.assignments())


@pytest.mark.parametrize("unit", READERS, ids=str)
def test_course_alone_runs_the_cells_that_read(unit, tmp_path):
    """The folder copied elsewhere, with no other place to find the package or a file."""
    skip = shutil.ignore_patterns("*.egg-info", "__pycache__", ".ipynb_checkpoints", "build")
    copy = shutil.copytree(ROOT / "course", tmp_path / "handed out" / "course", ignore=skip)
    cells = nbformat.read(copy / unit.name / unit.released.name, as_version=4).cells
    wanted = [cell.source for cell in cells if grade_id(cell) == "setup" or "asset(" in cell.source]
    assert len(wanted) > 1
    name = assets.read_by(unit)[0]
    where = f"import unrolled\nfrom unrolled.data import asset\nprint(unrolled.__file__, asset({name!r}))"
    script = "\n".join([*wanted, where])
    environment = os.environ | {"PYTHONPATH": str(copy)}
    command = [sys.executable, "-c", script]
    run = subprocess.run(command, cwd=copy / unit.name, env=environment, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    package, file = run.stdout.splitlines()[-1].split(" /")
    assert package.startswith(str(copy)) and f"/{file}" == str(copy / "assets" / name)
