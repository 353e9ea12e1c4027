"""What lies where grading never looks: each has its line, what is in its place has none."""

import shutil
import zipfile

import little_course
import pytest
from little_course import NOTEBOOK, RIGHT, UNIT

from autograder import grade as grading
from autograder.course import Trouble
from autograder.receiving.strays import MOST, strays
from autograder.recording import gradebook


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    assignment = little_course.make_released(tmp_path_factory.mktemp("strays"))
    return assignment


@pytest.fixture
def assignment(released):
    """Nobody has submitted anything yet; a gradebook takes a second to make, so there is one."""
    shutil.rmtree(released.course.root / "submitted", ignore_errors=True)
    return released


def put(assignment, *names):
    top = assignment.course.root / "submitted"
    for name in names:
        little_course.hand_in_content(top / name, b"{}")


@pytest.mark.parametrize("folder", ["dice", "0", "00", "00-dice", "00 Dice", "00_DICE", "00_dise", "unit00_dice"])
def test_a_folder_near_a_units_name_asks_and_moves_nothing(assignment, folder):
    put(assignment, f"emil/{folder}/{NOTEBOOK}")
    assert strays(assignment) == [f"submitted/emil/{folder}: there is no unit of that name; is 00_dice meant?"]
    assert (assignment.course.root / "submitted" / "emil" / folder / NOTEBOOK).exists()
    assert not assignment.submitted("emil").exists()


def test_a_folder_unlike_every_unit_suggests_none(assignment):
    put(assignment, "emil/holiday pictures/beach.png")
    assert strays(assignment) == ["submitted/emil/holiday pictures: there is no unit of that name."]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("hugo.ipynb", "hugo.ipynb lies in no student's folder: put it into submitted/hugo/00_dice/"),
        ("hugo.ipynb.zip", "hugo.ipynb.zip lies in no student's folder: put it into submitted/hugo/00_dice/"),
        ("dice.ipynb", "dice.ipynb lies in no student's folder: put it into submitted/STUDENT/00_dice/"),
        ("hugo/dice.ipynb", "hugo/dice.ipynb lies in no unit's folder: put it into submitted/hugo/00_dice/"),
        (
            "00_dice/hugo/dice.ipynb",
            "00_dice is called like a unit, not like a student: put its files into submitted/STUDENT/00_dice/",
        ),
    ],
)
def test_a_loose_notebook_is_told_its_place(assignment, name, line):
    put(assignment, name)
    assert strays(assignment) == [f"submitted/{line}"]


def test_what_is_in_its_place_or_no_submission_is_passed_over(assignment):
    with gradebook.gradebook(assignment.course) as book:
        book.update_or_create_assignment("essay")
    put(
        assignment,
        f"ada/{UNIT}/{NOTEBOOK}",
        "ada/essay/essay.ipynb",
        "ada/notes.txt",
        "readme.md",
        ".cache/dice/x.ipynb",
    )
    assert strays(assignment) == []


def test_a_whole_classs_archive_is_no_students(assignment):
    put(assignment, "moodle.zip")
    with zipfile.ZipFile(assignment.course.root / "submitted" / "moodle.zip", "w") as archive:
        for name in ("Ada Lovelace_1_assignsubmission_file/dice.ipynb", "Emil Post_2_assignsubmission_file/dice.ipynb"):
            archive.writestr(name, "{}")
    told = "holds 2 notebooks, perhaps a whole class's: unpack it and put each into submitted/STUDENT/00_dice/"
    assert strays(assignment) == [f"submitted/moodle.zip {told}"]


def test_a_course_in_whose_path_formgrader_finds_nothing_is_told(tmp_path):
    assignment = little_course.make_released(tmp_path / "class [b]")
    put(assignment, f"ada/{UNIT}/{NOTEBOOK}")
    (told,) = strays(assignment)
    assert told == f"{assignment.course.root} has one of * ? [ in its path: formgrader counts no submissions there."


def test_a_hidden_folder_is_no_student(assignment):
    put(assignment, f".old/{UNIT}/{NOTEBOOK}", f"ada/{UNIT}/{NOTEBOOK}")
    assert assignment.students() == ["ada"]


def test_one_students_strays_only(assignment):
    put(assignment, "emil/dice/x.ipynb", "ida/dice/x.ipynb", "hugo.ipynb")
    assert strays(assignment, "ida") == ["submitted/ida/dice: there is no unit of that name; is 00_dice meant?"]


def test_a_whole_class_in_the_wrong_place_is_counted(assignment):
    put(assignment, *(f"student{number:02}.ipynb" for number in range(MOST + 5)))
    lines = strays(assignment)
    assert len(lines) == MOST + 1 and lines[-1] == "… and 5 more."


def test_names_that_no_terminal_can_show_stay_one_line(assignment):
    put(assignment, "a\nb/di\tce\x1b[31m/x.ipynb")
    (line,) = strays(assignment)
    assert line.isprintable()


def test_where_nobody_can_be_graded_the_stray_is_named(assignment):
    put(assignment, "hugo.ipynb")
    with pytest.raises(Trouble, match="no submissions: .* submitted/hugo.ipynb lies in no student's folder"):
        grading.grade(assignment)


@pytest.mark.slow
def test_grading_goes_on_and_tells_the_strays_below_the_table(assignment):
    little_course.hand_in(assignment, "ada", RIGHT)
    put(assignment, "emil/dice/dice.ipynb")
    run = little_course.autograder(assignment, "grade", "dice", "--engine", "nbgrader")
    assert run.returncode == 1, run.stderr
    assert run.stdout.rstrip().endswith("submitted/emil/dice: there is no unit of that name; is 00_dice meant?")
    assert run.stdout.index("ada") < run.stdout.index("emil")
