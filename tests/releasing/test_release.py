"""The road from a unit's source to the student's notebook: reproducible, complete, and without a secret."""

import json
import os
import shutil
import subprocess
import sys

import little_course
import pytest
from little_course import NOTEBOOK, ROOT, UNIT

from autograder.course import Assignment, Course, Trouble
from autograder.releasing.release import first_difference, release
from autograder.releasing.source import grade_id, read_source, write_source

HERE = Course.find(ROOT)
UNITS = HERE.assignments()


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    assignment = little_course.make(tmp_path_factory.mktemp("release"))
    release(assignment)
    return assignment


@pytest.fixture
def command(monkeypatch, capsys):
    """Runs the command line in this process, in a course's folder: exit code, standard output, standard error."""
    return lambda assignment, *arguments: little_course.in_process(monkeypatch, capsys, assignment, *arguments)


# --- the little course


def test_releasing_again_changes_no_byte_and_no_time(assignment):
    path = assignment.released
    before, time = path.read_bytes(), path.stat().st_mtime_ns
    again = release(assignment)
    assert not again.changed and again.put_aside is None
    assert path.read_bytes() == before and path.stat().st_mtime_ns == time


def test_the_student_gets_stubs_and_visible_checks_only(assignment):
    notebook = little_course.released(assignment)
    stub = "".join(little_course.cell_called(notebook, "throw_sum")["source"])
    assert (
        stub == 'def throw_sum(first, second):\n    # Your code here.\n    raise NotImplementedError("not started yet")'
    )
    check = "".join(little_course.cell_called(notebook, "throw_sum-check")["source"])
    assert check == "2.0 * (throw_sum(1, 2) == 3)"
    assert "".join(little_course.cell_called(notebook, "written-question")["source"]) == "Your answer here."
    assert all(not cell.get("outputs") for cell in notebook["cells"])


def test_check_cells_are_locked_and_keep_their_tags(assignment):
    check = little_course.cell_called(little_course.released(assignment), "surprise-check")["metadata"]
    assert (check["editable"], check["deletable"], check["tags"]) == (False, False, ["check"])
    assert check["nbgrader"]["points"] == 3


def test_the_instructors_notebook_keeps_answers_and_hidden_checks(assignment):
    source = (assignment.folder("source") / NOTEBOOK).read_text(encoding="utf-8")
    assert "both_eyes_together" in source and "the hidden pair of sixes" in source


def test_a_new_cell_changes_the_ids_of_its_own_section_only(tmp_path):
    assignment = little_course.make(tmp_path)
    before = [cell.id for cell in read_source(assignment).cells]
    source = assignment.course.solutions / f"{UNIT}.md"
    text = source.read_text(encoding="utf-8")
    new = "```{code-cell} ipython3\n1 + 1\n```\n\n## The surprise"
    source.write_text(text.replace("## The surprise", new), encoding="utf-8")
    after = [cell.id for cell in read_source(assignment).cells]
    assert len(after) == len(before) + 1 == len(set(after))
    assert set(after) - set(before) == {"throw_sum-check-02"}


def test_equal_grade_ids_in_a_source_are_refused(tmp_path):
    assignment = little_course.make(tmp_path)
    source = assignment.source
    text = source.read_text(encoding="utf-8")
    again = '+++ {"nbgrader": {"grade_id": "throw_sum", "locked": true}}\n\nRead only.'
    source.write_text(f"{text}\n{again}\n", encoding="utf-8")
    with pytest.raises(Trouble, match="two cells with the id 'throw_sum'"):
        read_source(assignment)


def test_answers_in_a_released_notebook_are_put_aside_not_lost(tmp_path):
    assignment = little_course.make(tmp_path)
    path = release(assignment).path
    notebook = little_course.released(assignment)
    little_course.cell_called(notebook, "throw_sum")["source"] = "def throw_sum(a, b):\n    return 'my evening'"
    worked = json.dumps(notebook)
    path.write_text(worked, encoding="utf-8")
    done = release(assignment)
    assert done.put_aside.read_text(encoding="utf-8") == worked
    assert "my evening" not in path.read_text(encoding="utf-8")


def test_check_names_the_first_difference_and_exits_with_1(tmp_path, command):
    assignment = little_course.make(tmp_path)
    release(assignment)
    assert command(assignment, "release", "--check") == (0, f"{UNIT}: up to date.\n", "")
    source = assignment.course.solutions / f"{UNIT}.md"
    source.write_text(source.read_text(encoding="utf-8").replace("# Two dice", "# Three dice"), encoding="utf-8")
    code, said, _ = command(assignment, "release", "--check")
    assert code == 1
    assert '‘"# Two dice' in said and 'its source gives ‘"# Three dice' in said
    assert "Two dice" in assignment.released.read_text(encoding="utf-8"), "--check must write nothing"


# --- trouble is one line


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["release", "77_dreams"], "no unit '77_dreams'; the units are: 00_dice"),
        (["grade", "dice"], "not in the gradebook yet: run `autograder release 00_dice` first"),
        (["feedback", "dice"], "run `autograder grade 00_dice` first"),
        (["class", "dice", "--root", "."], "is not empty and no demonstration class"),
        (["release", "--root", "/"], "is not inside a course"),
    ],
)
def test_bad_input_gets_one_line(tmp_path, command, arguments, says):
    code, _, complaint = command(little_course.make(tmp_path), *arguments)
    assert code == 2
    assert says in complaint and len(complaint.strip().splitlines()) == 1, complaint


def test_the_console_script_shows_no_traceback(tmp_path):
    assignment = little_course.make(tmp_path)
    (assignment.course.solutions / f"{UNIT}.md").write_text("---\njupytext: {a: [\n---\n", encoding="utf-8")
    run = little_course.autograder(assignment, "release")
    assert run.returncode == 2 and "00_dice.md is not a MyST Markdown notebook" in run.stderr
    assert len(run.stderr.strip().splitlines()) == 1, run.stderr


def test_a_source_with_mistakes_is_not_released_and_each_is_told(tmp_path, command):
    assignment = little_course.make(tmp_path)
    before = release(assignment).path.read_bytes()
    source = assignment.source
    text = source.read_text(encoding="utf-8").replace("points: 2", "points: 0")
    source.write_text(text.replace(', "points": 4', ""), encoding="utf-8")
    for arguments in (["release"], ["release", "--check"]):
        code, said, complaint = command(assignment, *arguments)
        assert (code, said) == (2, "")
        assert complaint.splitlines() == [
            "autograder: solutions/00_dice.md:27: the cell throw_sum-check needs points, a positive number",
            "solutions/00_dice.md:63: the question needs points, a positive number",
        ]
    assert assignment.released.read_bytes() == before


def test_a_missing_source_is_named(tmp_path):
    assignment = little_course.make(tmp_path)
    with pytest.raises(Trouble, match="09_none has no source"):
        read_source(Assignment(assignment.course, "09_none"))


def test_a_course_without_units_says_so(tmp_path, command):
    assignment = little_course.make(tmp_path)
    (assignment.course.solutions / f"{UNIT}.md").unlink()
    code, _, complaint = command(assignment, "release")
    assert code == 2 and "There are no units in" in complaint


# --- the real units


@pytest.mark.parametrize("unit", UNITS, ids=str)
def test_the_committed_notebook_is_its_source(unit):
    assert first_difference(unit) is None


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS, ids=str)
def test_the_blank_release_earns_nothing_on_every_item(unit):
    reports = _reports(unit.released)
    assert [report["exercise"] for report in reports] == _exercises(unit)
    assert {report["exercise"]: report["earned"] for report in reports} == dict.fromkeys(_exercises(unit), 0)


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS, ids=str)
def test_the_reference_earns_everything_whatever_the_seed(unit, tmp_path):
    """As a notebook, with one seed; `verify`, which `test_verify_units` runs, holds the reference to three others."""
    reports = _reports(write_source(unit, tmp_path), UNROLLED_CHECK_SEED="20261128")
    lost = {report["exercise"]: report for report in reports if report["earned"] != report["points"]}
    assert lost == {} and [report["exercise"] for report in reports] == _exercises(unit)
    assert any(check["hidden"] for report in reports for check in report["checks"]), "hidden checks did not run"


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS, ids=str)
def test_the_solved_notebook_runs_whole_at_smoke_scale(unit):
    from book.execute import executed

    notebook = executed(
        unit, ROOT / "_build" / "executed", "smoke", lambda *state: None
    )  # the book's tests use it, too
    noise = [out.text for cell in notebook.cells for out in cell.get("outputs", []) if out.get("name") == "stderr"]
    assert [text for text in noise if "Warning" in text] == []  # progress bars are written there, too


@pytest.mark.slow
def test_course_alone_can_be_copied_installed_and_used(tmp_path):
    """A student's way: the folder elsewhere, pip, a notebook; nothing of the repository in reach."""
    skip = shutil.ignore_patterns("*.egg-info", "__pycache__", ".ipynb_checkpoints", "build")
    copy, target = tmp_path / "handed out", tmp_path / "site"
    shutil.copytree(ROOT / "course", copy, ignore=skip)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--target", str(target), str(copy)], check=True, capture_output=True, text=True, timeout=120)
    environment = os.environ | {"PYTHONPATH": str(target)}
    where = "import unrolled, unrolled.checks, unrolled.widgets; print(unrolled.__file__)"
    found = subprocess.run([sys.executable, "-c", where], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert found.stdout.strip().startswith(str(target)), found.stderr
    for path in (ROOT / "course" / "unrolled").rglob("*"):
        if path.suffix in {".py", ".toml", ".js", ".css"} and "__pycache__" not in path.parts:
            assert (target / path.relative_to(ROOT / "course")).is_file(), f"{path.name} is not installed"
    for unit in UNITS:
        reports = _reports(copy / unit.name / unit.released.name, PYTHONPATH=str(target))
        assert {report["exercise"]: report["earned"] for report in reports} == dict.fromkeys(_exercises(unit), 0)


def _reports(path, **environment) -> list[dict]:
    """What `python -m unrolled.checking --json` says of a notebook."""
    command = [sys.executable, "-m", "unrolled.checking", str(path), "--json"]
    run = subprocess.run(
        command, cwd=path.parent, env=os.environ | environment, capture_output=True, text=True, timeout=180
    )
    assert run.returncode in (0, 1), run.stderr
    return json.loads(run.stdout)


def _exercises(unit: Assignment) -> list[str]:
    cells = [cell for cell in read_source(unit).cells if cell.cell_type == "code"]
    return [grade_id(cell).removesuffix("-check") for cell in cells if cell.metadata.get("nbgrader", {}).get("grade")]
