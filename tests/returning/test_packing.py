"""A zip goes back under the names that the platform itself gave, and to nobody else."""

import json
import re
import zipfile

import little_course
import pytest
from little_course import UNIT

from autograder.receiving import class_list
from autograder.receiving.class_list import Student
from autograder.receiving.collecting import called, collect
from autograder.returning.packing import pack

STUDENTS = [
    Student("ada", "Ada", "Lövgren", "ada@school.edu"),
    Student("bo", "Bo", "Ek_Berg", "bo@school.edu"),
    Student("cy", "نورة", "الفارسي", "cy@school.edu"),
]
A, B, C = (json.dumps({"cells": [name]}).encode() for name in "abc")
MOODLE = {
    "Ada Lövgren_4711_assignsubmission_file_/dice.ipynb": A,
    "Bo Ek Berg_4712_assignsubmission_file/dice.ipynb": B,  # Moodle 4.1 and later
    "نورة الفارسي_4713_assignsubmission_file_dice.ipynb": C,  # without folders
}
CANVAS = {
    "lovgrenada_98765_4455_dice.ipynb": A,
    "ekbergbo_LATE_98766_9999_dice.ipynb": A,
    "ekbergbo_LATE_98766_10001_dice-1.ipynb": B,
    "ekbergbo_LATE_98766_10002_notes.pdf": b"%PDF",
}
WORKSHEET = (
    "Identifier,Full name,Email address,Status\n"
    "Participant 88,Ada Lövgren,ada@school.edu,Submitted\n"
    "Participant 89,Bo Ek_Berg,bo@school.edu,Submitted\n"
)


@pytest.fixture
def assignment(tmp_path):
    assignment = little_course.make(tmp_path / "course")
    class_list.keep(assignment.course, {student.id: student for student in STUDENTS})
    return assignment


@pytest.fixture
def pages(assignment):
    found = {}
    for student in STUDENTS:
        path = assignment.feedback(student.id)
        path.parent.mkdir(parents=True)
        path.write_text(f"<p>{student.id}'s page", encoding="utf-8")
        found[student.id] = path
    return found


def zipped(path, files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def inside(packed):
    with zipfile.ZipFile(packed.path) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def moodle_reads(name: str) -> str:
    """The participant that Moodle's importer takes a file for: the second part of a folder of four or more."""
    for part in name.split("/"):
        found = part.split("_", 4)
        if len(found) >= 4 and found[1].isdigit() and found[2:4] == ["assignsubmission", "file"]:
            return found[1]
    return ""


def canvas_reads(name: str) -> list[str]:
    """User and attachment as Canvas reads them: the first two parts that are numbers."""
    return [part for part in name.split("_") if re.fullmatch(r"\d+", part)][:2]


def test_moodle_finds_each_participant_whatever_its_version(assignment, pages, tmp_path):
    collect(assignment, [zipped(tmp_path / "m.zip", MOODLE)])
    packed = pack(assignment, pages, "moodle")
    found = inside(packed)
    assert {moodle_reads(name): text for name, text in found.items()} == {
        "4711": "<p>ada's page",
        "4712": "<p>bo's page",
        "4713": "<p>cy's page",
    }
    assert f"Ada Lövgren_4711_assignsubmission_file_/{UNIT}-ada.html" in found and packed.unnamed == []


def test_canvas_finds_user_and_the_attachment_that_counts(assignment, pages, tmp_path):
    collect(assignment, [zipped(tmp_path / "c.zip", CANVAS)])
    packed = pack(assignment, pages, "canvas")
    found = {tuple(canvas_reads(name)): text for name, text in inside(packed).items()}
    assert found == {("98765", "4455"): "<p>ada's page", ("98766", "10001"): "<p>bo's page"}
    (_, left, note) = packed.told("canvas", UNIT)
    assert packed.unnamed == ["cy"] and "cy" in left and f"`autograder collect {UNIT} ARCHIVE`" in left
    assert "web page" in note


def test_what_one_platform_calls_them_is_no_name_for_another(assignment, pages, tmp_path):
    collect(assignment, [zipped(tmp_path / "c.zip", CANVAS)])
    packed = pack(assignment, pages, "moodle")
    assert packed.names == {} and packed.unnamed == ["ada", "bo", "cy"] and not packed.path.exists()
    assert "--moodle" in packed.told("moodle", UNIT)[1]
    collect(assignment, [zipped(tmp_path / "m.zip", MOODLE)], replace=True)
    assert set(called.read(assignment)["ada"]) == {"Moodle", "Canvas"}


def test_a_worksheet_is_enough_where_submissions_came_by_hand(assignment, pages, tmp_path):
    sheet = tmp_path / "worksheet.csv"
    sheet.write_text(WORKSHEET, encoding="utf-8")
    packed = pack(assignment, pages, "moodle", sheet)
    assert {moodle_reads(name): text[3:5] for name, text in inside(packed).items()} == {"88": "ad", "89": "bo"}
    assert packed.unnamed == ["cy"]


def test_by_name_each_page_is_called_as_its_student_is(assignment, pages):
    odd = assignment.feedback('.. "x" <b>:?*|\n')
    odd.parent.mkdir(parents=True)
    odd.write_text("odd", encoding="utf-8")
    found = inside(pack(assignment, pages | {'.. "x" <b>:?*|\n': odd}, "names"))
    assert set(found) == {"ada.html", "bo.html", "cy.html", ".. _x_ _b_____.html"}


def test_equal_pages_make_an_equal_zip_and_a_dry_run_none(assignment, pages):
    assert not pack(assignment, pages, "names", dry_run=True).path.exists()
    path = pack(assignment, pages, "names").path
    before = path.read_bytes()
    for page in pages.values():
        page.touch()
    assert pack(assignment, pages, "names").path.read_bytes() == before


def test_collecting_again_leaves_the_names_untouched(assignment, tmp_path):
    source = zipped(tmp_path / "m.zip", MOODLE)
    collect(assignment, [source], dry_run=True)
    assert not called.record(assignment).exists()
    collect(assignment, [source])
    before = called.record(assignment).stat().st_mtime_ns
    collect(assignment, [source])
    assert called.record(assignment).stat().st_mtime_ns == before
    called.record(assignment).write_text("{", encoding="utf-8")
    with pytest.raises(Exception, match="is damaged .*run `autograder collect` again"):
        called.read(assignment)
