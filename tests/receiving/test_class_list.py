"""The class list as spreadsheets and learning platforms write it, and who is missing or unknown after grading."""

import little_course
import pytest

from autograder.course import Trouble
from autograder.receiving import class_list
from autograder.receiving.class_list import Student, read
from autograder.receiving.roll_call import likely, roll_call

ADA, BO = Student("ada", "Ada", "Lövgren"), Student("bo", "Bo", "Ek")
PLAIN = "ID,First name,Last name\nada,Ada,Lövgren\nbo,Bo,Ek\n"

FILES = {
    "UTF-8": PLAIN.encode(),
    "with a mark": PLAIN.encode("utf-8-sig"),
    "UTF-16": PLAIN.encode("utf-16"),
    "UTF-16 without a mark": PLAIN.encode("utf-16-le"),
    "UTF-16 the other way": PLAIN.encode("utf-16-be"),
    "Windows-1252": PLAIN.encode("cp1252"),
    "semicolons": PLAIN.replace(",", ";").encode(),
    "tabs": PLAIN.replace(",", "\t").encode("utf-16"),
    "Excel's own": ("sep=;\r\n" + PLAIN.replace(",", ";").replace("\n", "\r\n")).encode("utf-8-sig"),
    "quotes": b'"Student ID","Surname","Given name"\n"ada","L\xc3\xb6vgren","Ada"\n"bo","Ek","Bo"\n',
    "Canvas": (
        "Student,ID,SIS User ID,SIS Login ID,Section,Unit 1 (12)\n"
        "    Points Possible,,,,,20\n"
        '"Lövgren, Ada",9001,77,ada,A,\n"Ek, Bo",9002,78,bo,A,18\n"Student, Test",9003,,x,A,\n'
    ).encode("utf-8-sig"),
    "Moodle": "First name;Surname;Username;ID number\nAda;Lövgren;ada;1\nBo;Ek;bo;2\n".encode(),
    "one name": "Username,Full name\nada,Ada Lövgren\nbo,Bo Ek\n".encode(),
    "decomposed": PLAIN.replace("ö", "o\u0308").encode(),
    "spaces and empty rows": "\n ID , First name,Last name\n\n ada , Ada ,Lövgren\n,,\nbo,Bo,Ek".encode(),
}


@pytest.mark.parametrize("name", FILES)
def test_the_same_students_from_every_make_of_file(tmp_path, name):
    path = tmp_path / "list.csv"
    path.write_bytes(FILES[name])
    found = read(path)
    assert found.students == {"ada": ADA, "bo": BO} and found.passed_over == []


def test_what_was_taken_and_passed_over_is_told(tmp_path):
    path = tmp_path / "list.csv"
    path.write_text("Number,Login ID,Name\n1,ada,Ada\n2,,Bo Ek\n3,ada,Cy\n")
    found = read(path)
    assert found.column == "Login ID" and list(found.students) == ["ada"]
    assert found.passed_over == ["row 3 (Bo Ek) has no id", "row 4 has the id ada again"]
    assert list(read(path, "Number").students) == ["1", "2", "3"]


ODD_IDS = {
    "above": "..",
    "here": ".",
    "hidden": ".ada",
    "elsewhere": "../../../tmp/ada",
    "from the top": "/tmp/ada",
    "Windows": "a\\b",
    "a drive": "c:ada",
    "two lines": "a\nb",
    "backwards": "\u202eada",
    "unseen": "ad\u200ba",
    "everybody": "*",
    "too long": "x" * 129,
    "long in bytes": "日" * 50,
}


@pytest.mark.parametrize("what", ODD_IDS)
def test_an_id_is_one_part_of_a_path(tmp_path, what):
    path = tmp_path / "list.csv"
    path.write_text(f'ID,First name\n"{ODD_IDS[what]}",Eve\nbo,Bo\n', encoding="utf-8")
    found = read(path)
    assert list(found.students) == ["bo"] and len(found.passed_over) == 1
    assert "by which no folder can be called" in found.passed_over[0] and found.passed_over[0].isprintable()


@pytest.mark.parametrize("name", ["ada", "s_17", "ada.l@school.edu", "Ada Lövgren", "نورة", "a-b+c", "O'Neil", "17"])
def test_ids_as_schools_have_them_are_ids(name):
    assert class_list.is_id(name)


@pytest.mark.parametrize(
    ("content", "column", "says"),
    [
        (b"", None, "is empty"),
        (
            b"Colour,Size\nred,3\n",
            None,
            "no column of ids that is known; name it with --id-column. Its columns: Col",
        ),
        (b"ID\nada\n", "Id", "no column 'Id'; it has: ID"),
        (b"ID,Name\n,Ada\n", None, "names no student under 'ID': row 2 (Ada) has no id"),
        (None, None, "cannot be read"),
    ],
)
def test_a_list_that_is_none_is_refused_in_one_line(tmp_path, content, column, says):
    path = tmp_path / "list.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(Trouble) as trouble:
        read(path, column)
    assert says in str(trouble.value) and "\n" not in str(trouble.value)


CLASS = [
    Student("ada", "Ada", "Lövgren", "ada.l@school.edu"),
    Student("Bo17", "Bo", "Ek"),
    Student("josé", "José", "Núñez"),
    Student("an1", "An", "Li"),
    Student("an2", "An", "Li"),
]


@pytest.mark.parametrize(
    ("folder", "student"),
    [
        ("Ada", "ada"),
        ("ada ", "ada"),
        ("Lövgren, Ada", "ada"),
        ("ada_lovgren", "ada"),
        ("ada.l@school.edu", "ada"),
        ("bo-17", "Bo17"),
        ("jose\u0301", "josé"),
        ("jose", "josé"),
        ("Nunez Jose", "josé"),
        ("An Li", None),  # two of that name
        ("an", None),
        ("zoe", None),
    ],
)
def test_whom_a_folder_may_belong_to(folder, student):
    found = likely(folder, CLASS)
    assert (found and found.id) == student


def test_after_grading_two_lines_say_who_is_missing_and_who_is_unknown(tmp_path):
    assignment = little_course.make(tmp_path)
    for name in ("ada", "jose\u0301", "BO17", "zoe"):
        little_course.hand_in_bytes(assignment, name, b"")
    assert roll_call(assignment) == [], "without a list nobody is missing"
    class_list.keep(assignment.course, {each.id: each for each in CLASS})
    assert roll_call(assignment) == [
        "On the list and nothing handed in, 3 of 5: Bo17 (Bo Ek), an1 (An Li), an2 (An Li)",
        "Handed in and not on the list, 2: BO17 (is Bo17 meant?), zoe",
    ]
