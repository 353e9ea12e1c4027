"""A name that students choose themselves never makes them somebody else, and feedback goes where the file came from."""

import json
import zipfile

import little_course
import pytest

from autograder.receiving import class_list
from autograder.receiving.class_list import Student
from autograder.receiving.collecting import Who, called, collect, whom

ADA, EVE = Student("ada", "Ada", "Lee", "ada@x.edu"), Student("eve", "Eve", "Fox", "eve@x.edu")
STUDENTS = {"ada": ADA, "eve": EVE}
A, B, C = b'{"cells": ["a"]}', b'{"cells": ["b"]}', b'{"cells": ["c"]}'

CLAIMS = {  # by platform: Ada's file, Eve's under Ada's name, and what a teacher writes to tell them apart
    "Moodle": ("Ada Lee_100_assignsubmission_file_/dice.ipynb", "Ada Lee_101_assignsubmission_file_/dice.ipynb", "100"),
    "Canvas": ("leeada_11_900_dice.ipynb", "leeada_12_901_dice.ipynb", "leeada, 11"),
    "Brightspace": (
        "71-1 - Ada Lee - Nov 2, 2026 1230 PM/dice.ipynb",
        "72-2 - Ada Lee - Nov 2, 2026 1230 PM/dice.ipynb",
        "Ada Lee, 71",
    ),
    "Blackboard": (
        "dice_ada_attempt_2026-11-02-14-30-00_dice.ipynb",
        "dice_x_ada_attempt_2026-11-02-14-31-00_dice.ipynb",
        "dice_ada",
    ),
    "names": ("ada/dice.ipynb", "Ada Lee/dice.ipynb", "ada"),
}


@pytest.fixture
def assignment(tmp_path):
    assignment = little_course.make(tmp_path / "course")
    class_list.keep(assignment.course, STUDENTS)
    return assignment


def zipped(path, files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def placed(assignment, student="ada"):
    return (assignment.submitted(student) / "dice.ipynb").read_bytes()


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("platform", CLAIMS)
def test_two_accounts_that_would_be_one_student_are_told_and_neither_is_placed(assignment, tmp_path, platform, first):
    mine, others, said = CLAIMS[platform]
    files = {mine: A, others: B} if first else {others: B, mine: A}
    source = zipped(tmp_path / "given.zip", files)
    done = collect(assignment, [source])
    assert done.platforms == [platform]
    assert not done.placed and len(done.ambiguous) == 2 and len(set(done.ambiguous)) == 2 and not done.is_whole
    assert all("one of several that would be ada" in told for told in done.ambiguous)
    assert called.read(assignment) == {}
    (tmp_path / "who.csv").write_text(f'"{said}",ada\n')
    done = collect(assignment, [source], who=tmp_path / "who.csv")
    assert done.placed == {"placed": ["ada"]} and len(done.ambiguous) == 1 and placed(assignment) == A


@pytest.mark.parametrize("platform", ["Moodle", "Canvas"])
def test_nor_is_a_second_account_that_comes_later(assignment, tmp_path, platform):
    mine, others, _ = CLAIMS[platform]
    collect(assignment, [zipped(tmp_path / "one.zip", {mine: A})])
    before = called.read(assignment)
    done = collect(assignment, [zipped(tmp_path / "two.zip", {others: B})])
    assert not done.placed and len(done.ambiguous) == 1
    assert "another account was collected before for ada" in done.ambiguous[0]
    assert placed(assignment) == A and called.read(assignment) == before


def test_a_name_alone_in_the_teachers_list_tells_no_two_accounts_apart(assignment, tmp_path):
    mine, others, _ = CLAIMS["Moodle"]
    (tmp_path / "who.csv").write_text("Ada Lee,ada\n")
    done = collect(assignment, [zipped(tmp_path / "m.zip", {mine: A, others: B})], who=tmp_path / "who.csv")
    assert not done.placed and len(done.ambiguous) == 2


def test_the_name_for_feedback_and_the_file_are_one_attempts(assignment, tmp_path):
    """Two archives without times: the later in the list counts, for both."""
    for number, content in ((900, A), (902, B), (901, C)):
        zipped(tmp_path / f"{number}.zip", {f"leeada_11_{number}_dice.ipynb": content})
    for order in ((900, 902, 901), (901, 900, 902)):
        collect(assignment, [tmp_path / f"{number}.zip" for number in order], replace=True)
        assert called.read(assignment) == {"ada": {"Canvas": f"leeada_11_{order[-1]}_dice.ipynb"}}
        assert placed(assignment) == {900: A, 901: C, 902: B}[order[-1]]


@pytest.mark.parametrize(
    ("ids", "student"),
    [
        (("ada.lee2@other.edu",), None),
        (("al2",), None),
        (("al2", "ada.lee2@other.edu"), None),
        (("al2", "ADA@x.edu"), "ada"),
        (("eve@x.edu",), "eve"),
        ((), "ada"),
    ],
)
def test_a_namesakes_ids_speak_against_the_name(ids, student):
    found = whom(Who("Ada Lee", ids, "Ada Lee"), STUDENTS, {}, {})
    assert found.id == student and found.among == (() if student else ("ada",))


def test_an_address_says_nothing_where_the_list_has_none():
    assert whom(Who("Ada Lee", ("a@b.edu",), "Ada Lee"), {"ada": Student("ada", "Ada", "Lee")}, {}, {}).id == "ada"


def test_moodles_worksheet_tells_a_namesake_from_a_student(assignment, tmp_path):
    sheet = tmp_path / "grades.csv"
    sheet.write_text("Identifier,Full name,Email address\nParticipant 100,Ada Lee,other@x.edu\n")
    source = zipped(tmp_path / "m.zip", {CLAIMS["Moodle"][0]: A})
    done = collect(assignment, [source], moodle=sheet)
    assert not done.placed and done.ambiguous == ["Ada Lee (ada?)"]


def test_moodles_numbers_are_not_canvass(assignment, tmp_path):
    """Canvas's user 11 is not Moodle's participant 11."""
    sheet = tmp_path / "grades.csv"
    sheet.write_text("Identifier,Full name,Email address\nParticipant 11,Eve Fox,eve@x.edu\n")
    collect(assignment, [zipped(tmp_path / "c.zip", {CLAIMS["Canvas"][0]: A})], moodle=sheet)
    assert assignment.students() == ["ada"]


def test_the_command_answers_that_there_is_something_to_look_at(assignment, tmp_path, monkeypatch, capsys):
    mine, others, _ = CLAIMS["Moodle"]
    source = zipped(tmp_path / "m.zip", {mine: A, others: B})
    code, said, _ = little_course.in_process(monkeypatch, capsys, assignment, "collect", "0", str(source), "--json")
    assert code == 1 and len(json.loads(said)["ambiguous"]) == 2
