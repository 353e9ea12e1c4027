"""Grading by nbgrader's own engine, end to end: every submission ends with a status, and no mark is an old one."""

import json
import os
import time

import little_course
import psutil
import pytest
from little_course import RIGHT, SUM, SURPRISE, UNIT

from autograder import grade as grading
from autograder.course import Assignment, Trouble
from autograder.judging.plain import runner
from autograder.judging.plain.nbgrader_run import grade_one
from autograder.outcome import Exercise, Outcome
from autograder.receiving.repair import Unrecognisable, repair
from autograder.recording import gradebook, ledger
from autograder.releasing.release import release
from autograder.returning.feedback import feedback, outdated

pytestmark = pytest.mark.slow

LOOP = "def throw_sum(first, second):\n    while True:\n        pass"
DEAF = """def throw_sum(first, second):
    import time
    while True:
        try:
            time.sleep(1)
        except KeyboardInterrupt:
            pass"""
EXIT = "def surprise(sides):\n    import os\n    os._exit(0)"
HALF = "def surprise(sides):\n    return math.log2(sides)"


def hand_everything_in(assignment):
    """A class in which everything happens that can happen."""
    put = little_course.hand_in
    put(assignment, "right", RIGHT)
    put(assignment, "åsa_nyholm", RIGHT)
    put(assignment, "half", RIGHT | {"surprise": HALF})
    put(assignment, "blank", {})
    put(assignment, "endless", RIGHT | {"throw_sum": LOOP})
    put(assignment, "deaf", RIGHT | {"throw_sum": DEAF})
    put(assignment, "exits", RIGHT | {"surprise": EXIT})
    put(assignment, "twice", RIGHT | {"surprise": HALF}, little_course.copied("surprise", SURPRISE, 1))
    put(assignment, "twice_below", RIGHT | {"surprise": HALF}, little_course.copied("surprise", SURPRISE))
    put(assignment, "no_check", RIGHT, little_course.without("throw_sum-check"))
    whole = put(assignment, "torn", RIGHT)
    whole.write_bytes(whole.read_bytes()[:900])
    little_course.hand_in_bytes(assignment, "web_page", b"<html>Log in</html>")
    little_course.hand_in_bytes(
        assignment, "other", b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
    )
    assignment.submitted("missing").mkdir(parents=True)
    (assignment.submitted("renamed")).mkdir(parents=True)
    (assignment.submitted("renamed") / "dice (1).ipynb").write_text("{}")


WANTED = {  # student: status, points in the gradebook
    "right": ("graded", 5),
    "åsa_nyholm": ("graded", 5),
    "half": ("graded", 3.5),
    "blank": ("graded", 0),
    "endless": ("timed out", 3),
    "deaf": ("timed out", 0),
    "exits": ("crashed", 2),
    "twice": ("graded with repairs", 5),
    "twice_below": ("graded with repairs", 5),
    "no_check": ("graded with repairs", 5),
    "torn": ("unreadable", 0),
    "web_page": ("unreadable", 0),
    "other": ("unreadable", 0),
    "missing": ("missing", 0),
    "renamed": ("missing", 0),
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The class, graded through the command line."""
    assignment = little_course.make_released(tmp_path_factory.mktemp("grade"))
    hand_everything_in(assignment)
    run = little_course.autograder(assignment, "grade", "dice", "--workers", "2", "--engine", "nbgrader")
    assert run.returncode == 1, run.stderr
    return assignment, run


@pytest.mark.parametrize("student", WANTED)
def test_status_and_mark(graded, student):
    assignment, _ = graded
    status, points = WANTED[student]
    outcome = ledger.read(assignment)[student]
    assert outcome.status == status, outcome.reason
    assert gradebook.marks(assignment)[student].score == points


def test_nobody_is_lost_and_the_table_names_everybody(graded):
    assignment, run = graded
    assert set(ledger.read(assignment)) == set(gradebook.marks(assignment)) == set(WANTED)
    assert all(student in run.stdout for student in WANTED)
    assert "Traceback" not in run.stdout + run.stderr


@pytest.mark.parametrize(
    ("student", "reason"),
    [
        ("endless", "no end within 4 seconds: throw_sum-check"),
        ("deaf", "no end, and no interrupt could stop it: throw_sum-check"),
        ("exits", "the code ended the Python process: surprise-check"),
        ("twice", "2 cells were called surprise; the last one counts"),
        ("no_check", "throw_sum-check was missing and was put back as released"),
        (
            "web_page",
            "This is not a Jupyter notebook; please hand in dice.ipynb again "
            "(Expecting value: line 1 column 1 (char 0))",
        ),
        ("other", "no cell carries the id of an exercise: was it made from the released notebook?"),
        ("missing", "There is no dice.ipynb; please hand it in (the folder is empty)"),
        ("renamed", "There is no dice.ipynb; please hand it in (the folder holds dice (1).ipynb)"),
    ],
)
def test_the_reason_is_one_plain_line(graded, student, reason):
    assert ledger.read(graded[0])[student].reason == reason


def test_what_was_lost_is_told_by_exercise(graded):
    half = ledger.read(graded[0])["half"]
    assert half.exercises == [
        Exercise("throw_sum", 2, 2),
        Exercise("surprise", 3, 1.5, "the check gave fewer points"),
        Exercise("written-question", 4, None),
    ]


def test_a_written_answer_waits_for_a_person_and_a_blank_one_does_not(graded):
    marks = gradebook.marks(graded[0])
    assert (marks["right"].open, marks["blank"].open, marks["right"].max_score) == (4, 0, 9)


def test_experiments_are_not_run_and_repairs_are_shown(graded):
    assignment, _ = graded
    notebook = json.loads(assignment.autograded("twice").read_text(encoding="utf-8"))
    experiment = next(cell for cell in notebook["cells"] if "experiment" in cell["metadata"].get("tags", []))
    assert experiment["outputs"] == []
    assert "2 cells were called surprise" in "".join(notebook["cells"][0]["source"])


def test_no_process_is_left(graded):
    assignment, _ = graded
    folders = [process.info["cwd"] or "" for process in psutil.process_iter(["cwd"])]
    assert [folder for folder in folders if folder.startswith(str(assignment.folder("autograded").parent))] == []


def test_unchanged_submissions_are_not_graded_again(graded):
    assignment, _ = graded
    seen = []
    outcomes = grading.grade(assignment, progress=seen.append, grade_one=_never)
    assert seen == [] and {outcome.student for outcome in outcomes} == set(WANTED)


def test_feedback_for_everybody_without_hidden_code(graded):
    assignment, _ = graded
    pages = {page.student: page.path.read_text(encoding="utf-8") for page in feedback(assignment)}
    assert set(pages) == set(WANTED)
    assert "could not be graded" in pages["torn"] and "unreadable" in pages["torn"]
    assert "This notebook was mended" in pages["twice"] and "This notebook was mended" not in pages["right"]
    assert "KeyboardInterrupt" not in pages["endless"], "its traceback would show the lines of the check"
    assert "CellTimeoutError: no end within 4 seconds" in pages["endless"]


def test_a_page_says_what_is_not_marked_yet_until_it_is(graded):
    assignment, _ = graded
    (before,) = feedback(assignment, "right")
    text = before.path.read_text(encoding="utf-8")
    assert before.waiting == {"written-question": 4}
    assert text.count("not marked yet") == 4 and "Score: 0.0 / 4.0" not in text
    with gradebook.gradebook(assignment.course) as book:
        book.find_grade("written-question", "dice", UNIT, "right").manual_score = 0
        book.db.commit()
    (after,) = feedback(assignment, "right")
    text = after.path.read_text(encoding="utf-8")
    assert after.waiting == {} and "not marked yet" not in text and "Marked by hand." in text
    assert (text.count("0 of 4 points"), text.count("Score: 0.0 / 4.0")) == (2, 1)
    with gradebook.gradebook(assignment.course) as book:
        book.find_grade("written-question", "dice", UNIT, "right").manual_score = None
        book.db.commit()


def test_pages_that_say_something_else_than_the_gradebook_are_counted(graded):
    assignment, _ = graded
    for student in ("right", "torn"):
        feedback(assignment, student)
    assert outdated(assignment, "right") == outdated(assignment, "torn") == []
    path = assignment.feedback("torn")
    path.write_text(path.read_text(encoding="utf-8").rsplit("<!--", 1)[0], encoding="utf-8")
    assert outdated(assignment, "torn") == ["torn"]
    told = little_course.autograder(assignment, "grade", "dice", "--engine", "nbgrader", "--student", "torn").stdout
    assert "1 page in feedback/ is older than the marks: run `autograder feedback 00_dice`." in told
    assert "Nothing new; --force grades again." in told


# --- grading again


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    assignment = little_course.make_released(tmp_path_factory.mktemp("again"))
    return assignment


def mark_after(assignment, student, **options) -> float:
    grading.grade(assignment, student=student, grade_one=grade_one, **options)
    return gradebook.marks(assignment)[student].score


def test_a_worse_resubmission_lowers_the_mark(assignment):
    little_course.hand_in(assignment, "kim", RIGHT)
    assert mark_after(assignment, "kim") == 5
    little_course.hand_in(assignment, "kim", RIGHT | {"surprise": HALF})
    assert mark_after(assignment, "kim") == 3.5
    path = little_course.hand_in(assignment, "kim", RIGHT)
    path.write_bytes(path.read_bytes()[:500])
    assert mark_after(assignment, "kim") == 0
    assert not assignment.folder("autograded", "kim").exists(), "the old run would be taken for the new one's"


def test_a_withdrawn_submission_keeps_no_mark(assignment):
    path = little_course.hand_in(assignment, "lee", RIGHT)
    assert mark_after(assignment, "lee") == 5
    path.unlink()
    path.parent.rmdir()
    assert mark_after(assignment, "lee") == 0
    assert ledger.read(assignment)["lee"].status == "missing"


def test_a_persons_marks_survive_regrading(assignment):
    little_course.hand_in(assignment, "noa", RIGHT)
    mark_after(assignment, "noa")
    with gradebook.gradebook(assignment.course) as book:
        book.find_grade("written-question", "dice", UNIT, "noa").manual_score = 3
        book.find_comment("written-question", "dice", UNIT, "noa").manual_comment = "Well said."
        book.db.commit()
    assert mark_after(assignment, "noa", force=True) == 8
    with gradebook.gradebook(assignment.course) as book:
        assert book.find_comment("written-question", "dice", UNIT, "noa").comment == "Well said."


def test_one_student_only(assignment):
    little_course.hand_in(assignment, "one", RIGHT)
    little_course.hand_in(assignment, "two", RIGHT)
    outcomes = grading.grade(assignment, student="one", grade_one=_instant)
    assert [outcome.student for outcome in outcomes] == ["one"] and "two" not in ledger.read(assignment)
    with pytest.raises(Trouble, match="'nobody' has not submitted 00_dice"):
        grading.grade(assignment, student="nobody")


# --- another engine in the same place, and what happens if it fails


def _instant(assignment: Assignment, student: str) -> Outcome:
    return Outcome(student, "graded")


def _never(assignment: Assignment, student: str) -> Outcome:
    raise AssertionError("graded although nothing changed")


def _breaks(assignment: Assignment, student: str) -> Outcome:
    raise OSError("the disk\nis full")


def _vanishes(assignment: Assignment, student: str) -> Outcome:
    os._exit(7)


def _sleeps(assignment: Assignment, student: str) -> Outcome:
    import subprocess

    subprocess.Popen(["sleep", "321.5"], start_new_session=True)
    time.sleep(600)


@pytest.mark.parametrize(
    ("engine", "status", "reason"),
    [
        (_breaks, "crashed", "the grader could not go on: OSError: the disk is full"),
        (_vanishes, "crashed", "the grader could not go on: the process ended with code 7"),
        (_sleeps, "timed out", "stopped after 3 s: it ignored every interrupt"),
    ],
)
def test_a_failing_engine_becomes_a_status(assignment, monkeypatch, engine, status, reason):
    monkeypatch.setattr(grading, "_hard_limit", lambda assignment: 3)
    little_course.hand_in(assignment, "eve", RIGHT)
    (outcome,) = grading.grade(assignment, student="eve", force=True, grade_one=engine)
    assert (outcome.status, outcome.reason) == (status, reason)
    assert not [p for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"] == ["sleep", "321.5"]]


def test_the_graders_own_fault_is_tried_again(assignment):
    little_course.hand_in(assignment, "fay", RIGHT)
    grading.grade(assignment, student="fay", grade_one=_breaks)
    assert "fay" in grading.submissions_to_grade(assignment, "fay", False, _instant)
    grading.grade(assignment, student="fay", grade_one=_instant)
    with gradebook.gradebook(assignment.course) as book:  # which that engine left as it was
        book.update_or_create_student("fay")
        book.update_or_create_submission(UNIT, "fay")
    assert "fay" not in grading.submissions_to_grade(assignment, "fay", False, _instant)


def test_a_call_gives_back_what_the_function_returns():
    assert runner.call(sorted, [3, 1, 2], seconds=60) == [1, 2, 3]


# --- trouble, and the rules of repair


def test_a_damaged_record_is_named(assignment, tmp_path):
    other = little_course.make(tmp_path)
    path = other.record
    path.parent.mkdir(parents=True)
    path.write_text("{")
    with pytest.raises(Trouble, match="is damaged .* delete it and grade again"):
        ledger.read(other)


def test_a_gradebook_that_is_none_is_named(tmp_path):
    other = little_course.make(tmp_path)
    (tmp_path / "gradebook.db").write_text("these are not the marks you are looking for, " * 100)
    with pytest.raises(Trouble, match="gradebook.db cannot be used: file is not a database"):
        gradebook.marks(other)


def test_a_hidden_module_that_does_not_exist_stops_grading_before_marks_are_wrong(tmp_path):
    other = little_course.make(tmp_path)
    source = other.course.solutions / f"{UNIT}.md"
    text = source.read_text(encoding="utf-8")
    source.write_text(text.replace("assert throw_sum(6, 6)", "import autograder.hidden.dice\nassert throw_sum(6, 6)"))
    release(other)
    little_course.hand_in(other, "gus", RIGHT)
    with pytest.raises(Trouble, match="import autograder.hidden.dice, which does not exist"):
        grading.grade(other)


def test_no_submissions_says_where_they_belong(tmp_path, monkeypatch, capsys):
    other = little_course.make(tmp_path)
    release(other)
    code, _, complaint = little_course.in_process(monkeypatch, capsys, other, "grade", "dice")
    assert code == 2 and complaint.startswith("autograder: There are no submissions: put them into ")


def test_repair_keeps_the_last_of_several_and_the_others_as_plain_cells():
    released = _notebook(("a", "stub"), ("a-check", "check"))
    notebook = _notebook(("a", "first"), ("a-check", "check"), ("a", "second"), ("a", "third"))
    notes = repair(notebook, released)
    assert [(cell.source, "nbgrader" in cell.metadata) for cell in notebook.cells] == [
        ("first", False),
        ("third", True),
        ("check", True),
        ("second", False),
    ]
    assert len(notes) == 2


def test_repair_leaves_a_sound_notebook_alone():
    notebook = _notebook(("a", "answer"), ("a-check", "check"))
    assert repair(notebook, _notebook(("a", "stub"), ("a-check", "check"))) == []
    assert [cell.source for cell in notebook.cells] == ["answer", "check"]


def test_repair_puts_missing_cells_where_they_belong():
    released = _notebook(("a", "stub"), ("a-check", "check a"), ("b", "stub b"), ("b-check", "check b"))
    notebook = _notebook(("a", "answer"), ("b-check", "check b"))
    repair(notebook, released)
    assert [cell.source for cell in notebook.cells] == ["answer", "check a", "stub b", "check b"]


def test_repair_refuses_a_stranger():
    with pytest.raises(Unrecognisable):
        repair(_notebook(("z", "1")), _notebook(("a", "stub")))


def _notebook(*cells):
    from nbformat.v4 import new_code_cell, new_notebook

    return new_notebook(
        cells=[new_code_cell(source, metadata={"nbgrader": {"grade_id": name}}) for name, source in cells]
    )


def test_the_engine_never_raises_for_what_a_student_wrote(assignment):
    """Odd nbgrader metadata ends nbgrader's whole batch; here it is mended."""

    def future(notebook):
        little_course.cell_called(notebook, "throw_sum")["metadata"]["nbgrader"]["schema_version"] = 99

    little_course.hand_in(assignment, "odd", RIGHT | {"throw_sum": SUM}, future)
    outcome = runner.call(grade_one, assignment, "odd", seconds=120)
    assert outcome.status == "graded with repairs"
    assert outcome.reason == "nbgrader's settings of throw_sum had been changed (schema_version)"
