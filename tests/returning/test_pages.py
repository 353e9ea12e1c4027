"""Which pages are written: those that say something else than the gradebook; and one that fails stops nobody."""

import contextlib
import json
import shutil
import time
import zipfile

import little_course
import pytest
from little_course import RIGHT, UNIT, cell_called, released

from autograder.outcome import Exercise, Judged, Outcome
from autograder.recording import gradebook
from autograder.recording.recorder import recording
from autograder.returning import pages
from autograder.returning.feedback import feedback, outdated

SCORES = {"throw_sum-check": 2.0, "surprise-check": 3.0, "written-question": None}
PICTURE = "iVBORw0KGgo="


def record(assignment, student, written="Throws do not know each other.", attachments=None, status="graded"):
    """A graded notebook as the jail would leave it."""
    notebook = released(assignment)
    for name, source in (RIGHT | {"written-question": written}).items():
        cell_called(notebook, name)["source"] = source
    if attachments is not None:
        cell_called(notebook, "written-question")["attachments"] = attachments
    exercises = [Exercise(name.removesuffix("-check"), 4, score) for name, score in SCORES.items()]
    judged = Judged(Outcome(student, status, exercises=exercises), json.dumps(notebook).encode(), scores=SCORES)
    with recording(assignment) as book:
        book.record(judged, "key")


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    assignment = little_course.make_released(tmp_path_factory.mktemp("a course [2026]"))
    return assignment


@pytest.fixture
def assignment(course):
    yield course
    with gradebook.gradebook(course.course) as book:
        for student in list(book.students):
            book.remove_student(student.id)
    course.record.unlink()
    for folder in ("autograded", "feedback"):
        shutil.rmtree(course.folder(folder, "x").parents[1])


def page(assignment, student) -> str:
    return assignment.feedback(student).read_text(encoding="utf-8")


def change(assignment, what):
    """Something that no file shows."""
    with gradebook.gradebook(assignment.course) as book:
        if what == "a mark":
            book.find_grade("written-question", "dice", UNIT, "ada").manual_score = 3
        elif what == "a comment":
            book.find_comment("written-question", "dice", UNIT, "ada").manual_comment = "Well said."
        elif what == "a penalty":
            book.find_submission(UNIT, "ada").notebooks[0].late_submission_penalty = 1
        else:
            book.update_or_create_student("ada", first_name="Ada", last_name="Lee")
        book.db.commit()


@pytest.mark.parametrize("what", ["a mark", "a comment", "a penalty", "a name"])
def test_only_pages_that_would_say_something_else_are_written(assignment, what):
    for student in ("ada", "bo"):
        record(assignment, student)
    assert all(page.written for page in feedback(assignment))
    assert outdated(assignment) == [] and not any(page.written for page in feedback(assignment))
    change(assignment, what)
    assert outdated(assignment) == ["ada"]
    if what != "a penalty":  # which is renewed, and gone
        assert [page.student for page in feedback(assignment) if page.written] == ["ada"]
        assert all(page.written for page in feedback(assignment, force=True))


def test_a_page_that_was_copied_back_is_old(assignment, tmp_path):
    record(assignment, "ada")
    feedback(assignment)
    shutil.copy2(assignment.feedback("ada"), tmp_path / "kept.html")
    change(assignment, "a mark")
    feedback(assignment)
    assert outdated(assignment) == []
    shutil.copy2(tmp_path / "kept.html", assignment.feedback("ada"))
    assert outdated(assignment) == ["ada"]


def test_ids_and_paths_may_have_brackets(assignment):
    record(assignment, "bo [2nd try]")
    (written,) = feedback(assignment)
    assert written.problem == "" and "Throws do not know" in page(assignment, "bo [2nd try]")


ODD_PICTURES = {
    "missing": ("See ![it](attachment:it.png).", None, "[The picture it.png is missing.]"),
    "other": ("See ![it](attachment:it.png).", {"image.png": {"image/png": PICTURE}}, "picture it.png is missing"),
    "empty": ("See ![it](attachment:it.png).", {"it.png": {}}, "picture it.png is missing"),
    "space": ("See ![it](<attachment:my it.png>).", {"my it.png": {"image/png": PICTURE}}, "data:image/png;base64,"),
    "%20": ("See ![it](attachment:my%20it.png).", {"my it.png": {"image/png": PICTURE}}, "data:image/png;base64,"),
    "Cyrillic": ("See ![it](attachment:рис.png).", {"рис.png": {"image/png": PICTURE}}, "data:image/png;base64,"),
    "decomposed": ("See ![it](attachment:é.png).", {"é.png": {"image/png": PICTURE}}, "data:image/png;base64,"),
}


@pytest.mark.parametrize("name", ODD_PICTURES)
def test_a_picture_is_found_or_said_to_be_missing(assignment, name):
    text, attachments, shows = ODD_PICTURES[name]
    record(assignment, "ada", text, attachments)
    (written,) = feedback(assignment)
    assert written.problem == "" and shows in page(assignment, "ada")


def test_a_page_that_fails_stops_nobody_and_is_told(assignment):
    for student in ("ada", "bo", "cy"):
        record(assignment, student)
    run = assignment.autograded("bo")
    run.chmod(0o644)
    run.write_text("{", encoding="utf-8")
    told = little_course.autograder(assignment, "feedback", "dice")
    assert told.returncode == 1 and "No page for bo: nbgrader could not write bo's feedback" in told.stdout
    assert assignment.feedback("ada").exists() and assignment.feedback("cy").exists()
    assert "Traceback" not in told.stdout + told.stderr


def test_several_processes_write_the_same_pages(assignment):
    students = [f"s{number}" for number in range(8)]
    for student in students:
        record(assignment, student)
    counted = []
    pages = feedback(assignment, workers=2, progress=lambda _, total: counted.append(total))
    assert [each.student for each in pages] == students and counted == [8] * 8
    assert all(each.written and each.problem == "" for each in pages) and outdated(assignment) == []
    before = {student: page(assignment, student) for student in students}
    feedback(assignment, force=True)
    assert before == {student: page(assignment, student) for student in students}


def test_a_page_that_takes_too_long_stops_nobody(assignment, monkeypatch):
    record(assignment, "ada")
    record(assignment, "bo")
    feedback(assignment)
    convert = pages._converted

    def slowly(assignment, student, notebook):
        while student == "ada":
            with contextlib.suppress(Exception):
                time.sleep(60)
        return convert(assignment, student, notebook)

    monkeypatch.setattr(pages, "_converted", slowly)
    monkeypatch.setattr(pages, "SECONDS", 2.0)
    first, second = feedback(assignment, force=True)
    assert "it takes more than 2 s to set" in first.problem and not first.path.exists(), "an old page would mislead"
    assert second.problem == "" and second.path.exists()


def test_the_command_packs_the_pages_and_a_dry_run_writes_nothing(assignment, monkeypatch, capsys):
    for student in ("ada", "bo"):
        record(assignment, student)

    def command(*arguments):
        return little_course.in_process(monkeypatch, capsys, assignment, "feedback", "dice", *arguments)

    path = assignment.course.root / f"feedback-{UNIT}-names.zip"
    code, said, _ = command("--zip", "names", "--dry-run", "--json")
    told = json.loads(said)
    assert code == 0 and [page["written"] for page in told["pages"]] == [True, True]
    assert told["zip"]["names"] == {"ada": "ada.html", "bo": "bo.html"}
    assert not path.exists() and not assignment.feedback("ada").exists()
    code, said, _ = command("--zip", "names")
    with zipfile.ZipFile(path) as archive:
        assert code == 0 and archive.read("bo.html") == assignment.feedback("bo").read_bytes()
    code, said, _ = command("--zip", "moodle")
    assert code == 1 and "2 left out, since it is not known what Moodle calls them: ada, bo." in said
    for wrong in (
        ("--zip", "names", "--student", "ada"),
        ("--zip", "canvas", "--moodle", "x.csv"),
        ("--moodle", "x.csv"),
    ):
        assert command(*wrong)[0] == 2
    path.unlink()
