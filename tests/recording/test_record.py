"""Grading in the jail, end to end through the command line: statuses, marks, what is written, what survives."""

import csv
import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import jailed_course
import little_course
import nbformat
import pytest
from jailed_course import MLE, NOTEBOOK, PERPLEXITY, SUM, TWO, UNIT, book, hand_in, mark, status
from kept_workers import kept
from one_judge import asks, code, notebook

from autograder import grade as grading
from autograder.course import Trouble
from autograder.judging import grader
from autograder.judging.rubric import Rubric
from autograder.outcome import Judged, Outcome
from autograder.recording import gradebook, ledger, recorder
from autograder.returning.feedback import feedback

pytestmark = pytest.mark.slow

LOOP = "def mle(counts, context):\n    while True:\n        pass"
EXIT = "def mle(counts, context):\n    import os\n    os._exit(0)"
GREEDY = "def mle(counts, context):\n    return bytearray(2**30)"
QUICK = """
c.JudgeInJail.call_seconds = 3
c.JudgeInJail.exercise_seconds = 4
c.JudgeInJail.memory_mib = 400
c.LateSubmissionPlugin.penalty_method = "zero"
"""
WORDS = "Counts grow thin."


def hand_everything_in(assignment):
    hand_in(assignment, "right", TWO | {"written-question": WORDS})
    hand_in(assignment, "åsa_nyholm", TWO)
    hand_in(assignment, "half", TWO | {"perplexity": SUM})
    hand_in(assignment, "blank", {})
    hand_in(assignment, "endless", TWO | {"mle": LOOP})
    hand_in(assignment, "exits", TWO | {"mle": EXIT})
    hand_in(assignment, "greedy", TWO | {"mle": GREEDY})
    hand_in(assignment, "no_check", TWO, little_course.without("perplexity-check"))
    torn = hand_in(assignment, "torn", TWO)
    torn.write_bytes(torn.read_bytes()[: torn.read_bytes().index(b'"kneser_ney"')])
    hand_in(assignment, "no_colon", TWO | {"mle": "def mle(counts, context)\n    return {}", "perplexity": SUM})
    hand_in(assignment, "no_name", TWO | {"mle": "def mle(counts, context, size=sise):\n    return {}"})
    hand_in(assignment, "web_page", {}).write_bytes(b"<html>Log in</html>")
    assignment.submitted("missing").mkdir(parents=True)
    hand_in(assignment, "long" * 40, TWO)


WANTED = {  # student: status, points in the gradebook
    "right": ("graded", 3),
    "åsa_nyholm": ("graded", 3),
    "half": ("graded", 1),
    "blank": ("graded", 0),
    "endless": ("timed out", 2),
    "exits": ("crashed", 2),
    "greedy": ("out of memory", 2),
    "no_check": ("graded with repairs", 3),
    "no_colon": ("graded", 0),
    "torn": ("graded with repairs", 3),
    "no_name": ("graded", 2),
    "web_page": ("unreadable", 0),
    "missing": ("missing", 0),
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The class, graded through the command line."""
    assignment = jailed_course.make(tmp_path_factory.mktemp("jailed"), QUICK)
    hand_everything_in(assignment)
    run = little_course.autograder(assignment, "grade", "ngrams", "--workers", "2")
    assert run.returncode == 1, run.stderr
    return assignment, run


@pytest.mark.parametrize("student", WANTED)
def test_status_and_mark(graded, student):
    assignment, _ = graded
    wanted, points = WANTED[student]
    assert (status(assignment, student)[0], mark(assignment, student)) == (wanted, points), status(assignment, student)


@pytest.mark.parametrize(
    ("student", "reason"),
    [
        ("endless", "it took longer than 3 s: mle"),
        ("exits", "the code ended the process with exit code 0: mle"),
        ("no_check", "perplexity-check was missing and was put back as released"),
        ("missing", "There is no ngrams.ipynb; please hand it in (the folder is empty)"),
        (
            "web_page",
            "This is not a Jupyter notebook; please hand in ngrams.ipynb again "
            "(a web page, not a notebook: download the notebook itself and hand that in)",
        ),
        ("long" * 40, "the folder's name has more than 128 characters, nbgrader's limit: rename it"),
    ],
)
def test_the_reason_is_one_plain_line(graded, student, reason):
    assert status(graded[0], student)[1] == reason


def test_nobody_is_lost_and_the_table_names_everybody(graded):
    assignment, run = graded
    assert set(ledger.read(assignment)) == {*WANTED, "long" * 40}
    assert set(gradebook.marks(assignment)) == set(WANTED)
    assert all(student in run.stdout for student in WANTED)
    assert "6 graded" in run.stdout and "1 out of memory" in run.stdout, "the bar counts by status"
    assert "Traceback" not in run.stdout + run.stderr


@pytest.mark.parametrize(
    ("student", "error"),
    [
        ("no_colon", "SyntaxError: expected ':' (line 1)"),
        ("no_name", "NameError: name 'sise' is not defined"),
    ],
)
def test_an_answer_whose_cell_did_not_run_lost_its_points_by_that_error(graded, student, error):
    assignment, _ = graded
    why = {exercise.name: exercise.why for exercise in ledger.read(assignment)[student].exercises}
    assert why["mle"] == f"{error} (its cell did not run)"
    notebook = json.loads(assignment.autograded(student).read_text(encoding="utf-8"))
    table = little_course.cell_called(notebook, "mle-check")["outputs"][0]["data"]["text/plain"]
    assert f"the notebook defines no mle: its cell did not run: {error}" in " ".join(table.split())


def test_what_a_torn_file_has_lost_is_not_called_not_started(graded):
    exercises = ledger.read(graded[0])["torn"].exercises
    why = {exercise.name: exercise.why for exercise in exercises}
    assert why["backoff"] == why["written-question"] == "lost with the damaged part of the file"
    assert why["ngram_counts"] == "not started" and why["mle"] == ""


def test_a_lost_property_is_told_with_what_came_out(graded):
    why = {exercise.name: exercise.why for exercise in ledger.read(graded[0])["no_colon"].exercises}
    assert re.search(r"\. \(.*expected 2, got .*\)$", why["perplexity"]) and "\n" not in why["perplexity"]


def test_a_written_answer_waits_for_a_person_and_a_blank_one_does_not(graded):
    found = book(graded[0])
    assert found["right"]["grades"]["written-question"] == (None, None, True)
    assert found["blank"]["grades"]["written-question"] == (0, None, False)
    assert found["blank"]["comments"]["mle"] == ("No response.", None)
    assert found["right"]["comments"]["mle"] == (None, None)


def test_the_notebook_holds_outputs_tables_and_points(graded):
    folder = graded[0].folder("autograded", "half")
    cells = json.loads((folder / NOTEBOOK).read_text(encoding="utf-8"))["cells"]
    table, points = little_course.cell_called({"cells": cells}, "mle-check")["outputs"]
    assert table["output_type"] == "display_data" and "unrolled-check" in table["data"]["text/html"]
    assert points["output_type"] == "execute_result" and points["data"] == {"text/plain": "1.0"}
    printed = [output for cell in cells for output in cell.get("outputs", []) if output["output_type"] == "stream"]
    assert any("ferry" in output["text"] for output in printed)
    assert all(cell["outputs"] == [] for cell in cells if "experiment" in cell["metadata"].get("tags", []))


def test_the_record_beside_it_is_as_documented(graded):
    assignment, _ = graded
    record = json.loads((assignment.folder("autograded", "half") / "ngrams.grading.json").read_text())
    assert set(record) == set(re.findall(r"`(\w+)`[, ]", recorder.__doc__.split("(schema 1)")[1])) | {"schema"}
    assert (record["schema"], record["student"], record["status"]) == (1, "half", "graded")
    assert (record["earned"], record["points"]) == (1, 24), "an untouched written answer has its zero already"
    assert {report["exercise"]: report["earned"] for report in record["reports"]}["mle"] == 1
    assert "seccomp" in record["layers"]


def test_feedback_for_everybody_and_nothing_of_the_record_travels_with_it(graded):
    assignment, _ = graded
    pages = {page.student: page for page in feedback(assignment)}
    assert set(pages) == {*WANTED, "long" * 40}
    assert pages["half"].tables == 9
    assert "unreadable" in pages["web_page"].path.read_text(encoding="utf-8")
    assert not list(assignment.folder("feedback").parent.rglob("*.grading.json"))


def test_unchanged_submissions_are_not_graded_again(graded, monkeypatch):
    assignment, _ = graded
    monkeypatch.setattr(grading.pool, "Processes", None)
    seen = []
    outcomes = grading.grade(assignment, progress=seen.append)
    assert seen == [] and {outcome.student for outcome in outcomes} == {*WANTED, "long" * 40}


def test_nbgrader_exports_the_marks(graded):
    assignment, _ = graded
    run = little_course.nbgrader(assignment, "export")
    assert run.returncode == 0, run.stderr
    with open(assignment.course.root / "grades.csv", encoding="utf-8", newline="") as file:
        scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert scores == {student: points for student, (_, points) in WANTED.items()}


# --- grading again


@pytest.fixture(scope="module")
def kept_workers():
    """One worker for all that follows."""
    with kept():
        yield


@pytest.fixture(scope="module")
def assignment(tmp_path_factory, kept_workers):
    return jailed_course.make(tmp_path_factory.mktemp("again"), QUICK)


def mark_after(assignment, student, **options) -> float:
    grading.grade(assignment, student=student, **options)
    return mark(assignment, student)


def test_a_resubmission_leaves_nothing_of_the_old_mark(assignment):
    hand_in(assignment, "kim", TWO)
    assert mark_after(assignment, "kim") == 3
    hand_in(assignment, "kim", {"mle": MLE}, little_course.without("perplexity-check"))
    assert mark_after(assignment, "kim") == 1
    path = hand_in(assignment, "kim", {})
    path.write_bytes(b"\x00torn")
    assert mark_after(assignment, "kim") == 0 and status(assignment, "kim")[0] == "unreadable"
    assert not assignment.folder("autograded", "kim").exists(), "the old run would be taken for the new one's"
    path.unlink()
    path.parent.rmdir()
    assert mark_after(assignment, "kim") == 0 and status(assignment, "kim")[0] == "missing"


def test_a_persons_marks_comments_and_extension_survive(assignment):
    hand_in(assignment, "noa", TWO | {"written-question": WORDS})
    mark_after(assignment, "noa")
    with gradebook.gradebook(assignment.course) as opened:
        opened.find_grade("written-question", "ngrams", UNIT, "noa").manual_score = 3
        opened.find_grade("mle-check", "ngrams", UNIT, "noa").extra_credit = 0.5
        opened.find_comment("written-question", "ngrams", UNIT, "noa").manual_comment = "Well said."
        opened.db.commit()
    assert mark_after(assignment, "noa", force=True) == 6.5
    found = book(assignment)["noa"]
    assert found["grades"]["written-question"] == (None, 3, False), "the same answer keeps its mark"
    assert found["comments"]["written-question"] == (None, "Well said.")


def test_who_is_late_pays_what_the_plug_in_says_and_an_extension_helps(assignment):
    with gradebook.gradebook(assignment.course) as opened:
        opened.update_or_create_assignment(UNIT, duedate="2026-01-10 12:00:00 UTC")
    path = hand_in(assignment, "lea", {"mle": MLE, "perplexity": PERPLEXITY})
    (path.parent / "timestamp.txt").write_text("2026-01-11 12:00:00 +0000")
    assert mark_after(assignment, "lea") == 3
    with gradebook.gradebook(assignment.course) as opened:
        assert opened.find_submission(UNIT, "lea").late_submission_penalty == 3
        opened.grant_extension(UNIT, "lea", days=2)
    mark_after(assignment, "lea", force=True)
    with gradebook.gradebook(assignment.course) as opened:
        assert opened.find_submission(UNIT, "lea").late_submission_penalty == 0
        opened.update_or_create_assignment(UNIT, duedate=None)
    mark_after(assignment, "lea")  # an extension without a due date


def test_a_changed_due_date_and_marks_by_hand_renew_the_penalty_without_grading_again(assignment, monkeypatch):
    path = hand_in(assignment, "leo", TWO | {"written-question": WORDS})
    (path.parent / "timestamp.txt").write_text("2026-01-11 12:00:00 +0000")
    assert mark_after(assignment, "leo") == 3
    monkeypatch.setattr(grading.pool, "judge_all", lambda *_: 1 / 0)
    for date, late, counted in [("2026-01-10", 3, 0), ("2026-01-12", 0, 3), ("2026-01-09", 3, 0)]:
        with gradebook.gradebook(assignment.course) as opened:
            opened.update_or_create_assignment(UNIT, duedate=f"{date} 12:00:00 UTC")
        said = []
        grading.grade(assignment, student="leo", say=said.append)
        mark = gradebook.marks(assignment)["leo"]
        assert (mark.late, mark.counted, len(said)) == (late, counted, 1)
    with gradebook.gradebook(assignment.course) as opened:
        opened.find_grade("written-question", "ngrams", UNIT, "leo").manual_score = 4
        opened.db.commit()
    grading.grade(assignment, student="leo")
    assert gradebook.marks(assignment)["leo"].counted == 0
    with gradebook.gradebook(assignment.course) as opened:
        opened.update_or_create_assignment(UNIT, duedate=None)
    grading.grade(assignment, student="leo")
    assert gradebook.marks(assignment)["leo"].counted == 7


def test_pictures_beside_the_notebook_come_along_and_links_do_not(assignment, tmp_path):
    path = hand_in(assignment, "pia", {"mle": MLE})
    (path.parent / "proof.png").write_bytes(b"picture")
    (tmp_path / "secret").write_text("secret")
    (path.parent / "link.txt").symlink_to(tmp_path / "secret")
    mark_after(assignment, "pia")
    folder = assignment.folder("autograded", "pia")
    assert {file.name for file in folder.iterdir()} == {NOTEBOOK, "ngrams.grading.json", "proof.png"}


IN_THE_WAY = {
    "our own name": f"{NOTEBOOK}/picture.png",
    "our own name for a moment": f"{NOTEBOOK}.new/picture.png",
    "the record's name": "ngrams.grading.json/picture.png",
    "a long name": "x" * 253,
    "folders without end": "/".join("d" * 1200) + "/f",
}


@pytest.mark.parametrize("name", IN_THE_WAY)
def test_what_lies_beside_a_notebook_can_stop_nobody(assignment, name):
    hand_in(assignment, "pip", {"mle": MLE})
    (assignment.submitted("pip") / NOTEBOOK).rename(assignment.submitted("pip") / "ngrams (1).ipynb")
    _written_deep(assignment.submitted("pip"), IN_THE_WAY[name].split("/"))
    try:
        assert mark_after(assignment, "pip") == 1
        kept = json.loads(assignment.autograded("pip").read_text(encoding="utf-8"))
        assert little_course.cell_called(kept, "mle")["source"] == MLE
    finally:
        subprocess.run(["rm", "-r", assignment.submitted("pip")], check=True)


def _written_deep(folder: Path, parts: list[str]) -> None:
    """Also where the whole path would be too long to be asked for."""
    place = os.open(folder, os.O_RDONLY)
    for part in parts[:-1]:
        os.mkdir(part, dir_fd=place)
        place, above = os.open(part, os.O_RDONLY, dir_fd=place), place
        os.close(above)
    os.close(os.open(parts[-1], os.O_CREAT | os.O_WRONLY, dir_fd=place))
    os.close(place)


# --- trouble


def test_a_release_that_somebody_worked_in_stops_grading(tmp_path):
    other = jailed_course.make(tmp_path)
    path = hand_in(other, "ann", TWO)
    other.released.write_bytes(path.read_bytes())
    with pytest.raises(Trouble, match="holds somebody's answers: run `autograder release 01_ngrams`"):
        grading.grade(other)


def test_a_unit_that_asks_for_checks_which_nothing_declares_is_refused_with_the_way_out():
    unit = nbformat.from_dict(notebook(code("def toss():\n    return 1", "toss"), asks("toss", 2)))
    with pytest.raises(Trouble, match="declares checks for the cell toss-check of dice.*--engine nbgrader"):
        grader._with_checks(Rubric.of(unit, "dice"), unit)


def test_two_at_a_time_would_be_two_writers(assignment):
    with recorder.recording(assignment):
        failures = []

        def second():
            try:
                with recorder.recording(assignment):
                    pass
            except Trouble as trouble:
                failures.append(str(trouble))

        thread = threading.Thread(target=second)
        thread.start()
        thread.join()
    assert failures == ["01_ngrams is being graded by another `autograder grade`: wait for it, or stop it."]


def test_a_failed_write_leaves_the_old_marks_whole(assignment, monkeypatch):
    hand_in(assignment, "una", TWO)
    assert mark_after(assignment, "una") == 3
    with recorder.recording(assignment) as opened:
        monkeypatch.setattr(opened._marks, "_write_comments", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            opened.record(Judged(Outcome("una", "missing", "gone")), "key")
    assert mark(assignment, "una") == 3 and status(assignment, "una")[0] == "graded"


def test_what_the_jail_lacks_is_said_once_and_can_be_refused(tmp_path):
    assignment = jailed_course.make(tmp_path)
    hand_in(assignment, "ann", {"mle": MLE})
    hand_in(assignment, "bea", {})
    poor = {"PATH": str(Path(sys.executable).parent)}  # no bubblewrap on it
    refused = little_course.autograder(assignment, "grade", "ngrams", "--require-jail", **poor)
    assert refused.returncode == 2 and refused.stderr.startswith(
        "autograder: The jail is incomplete; this system lacks:"
    )
    assert refused.stderr.count("\n") == 1 and not ledger.read(assignment)
    run = little_course.autograder(assignment, "grade", "ngrams", **poor)
    assert run.returncode == 0, run.stderr
    assert " ".join(run.stdout.split()).count("The jail is incomplete; this system lacks: a root of its own") == 1
    assert mark(assignment, "ann") == 1


def test_nbgraders_engine_has_no_jail_to_require(assignment, monkeypatch, capsys):
    asked = "grade", "ngrams", "--engine", "nbgrader", "--require-jail"
    code, _, complaint = little_course.in_process(monkeypatch, capsys, assignment, *asked)
    assert code == 2 and complaint == "autograder: --engine nbgrader has no jail: leave out the other option.\n"
