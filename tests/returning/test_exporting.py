"""Marks for other programs: into their own tables, with all else as it was; never a 0 that nobody gave."""

import csv
import io
import json

import little_course
import pytest

from autograder.course import Trouble
from autograder.receiving.class_list import Student
from autograder.recording import gradebook
from autograder.recording.gradebook import Mark
from autograder.returning.exporting import own, template
from autograder.returning.exporting.standing import Column, Standing, column

STUDENTS = {
    "ada": Student("ada", "Ada", "Lövgren", "ada@school.edu"),
    "bo": Student("bo", "Bo", "Ek", "bo@school.edu"),
    "cy": Student("cy", "Cy", "Ng", "cy@school.edu"),
    "eve": Student("eve", "=1+1", "@Sum", "eve@school.edu"),
}
COLUMN = Column(
    "01_ngrams",
    24.0,
    {"mle": 2.0, "written-question": 4.0},
    {
        "ada": Standing(Mark(20.126, 24, 0), {"mle": 1.333333, "written-question": 4.0}),
        "bo": Standing(Mark(18, 24, 4), {"mle": 2.0, "written-question": None}),  # the question is not marked yet
        "eve": Standing(Mark(10, 24, 0, late=10), {"mle": 0.0, "written-question": 0.0}),
    },
)
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Unit 1: n-grams (777),Unit 2 (778),Final Score\r\n"
    "    Points Possible,,,,,24,20,(read only)\r\n"
    '"Lövgren, Ada",9001,77,ada,"A, early",,18,91\r\n"Ek, Bo",9002,78,bo,A,,,\r\n"Ng, Cy",9003,79,cy,A,,,\r\n'
    '"Sum, Eve",9004,80,eve,A,3,,\r\n"Other, One",9005,81,one,B,,,\r\n"Student, Test",9006,,x,A,,,\r\n'
)
WORKSHEET = (
    '"Identifier","Full name","Email address","Status","Grade","Maximum Grade","Feedback comments"\n'
    '"Participant 1","Ada Lövgren","ada@school.edu","Submitted","","24.00",""\n'
    '"Participant 2","Bo Ek","bo@school.edu","Submitted","","24.00","so, so"\n'
    '"Participant 3","Cy Ng","cy@school.edu","No submission","","24.00",""\n'
)


def filled(tmp_path, raw, named=None, each=False, columns=(COLUMN,)):
    path = tmp_path / "given.csv"
    path.write_bytes(raw)
    done = template.fill(path, list(columns), STUDENTS, named or {}, each)
    text = done.content.decode("utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    return done, list(csv.reader(io.StringIO(text), delimiter=";" if ";" in text.splitlines()[0] else ","))


def test_canvas_gets_its_own_file_back_with_one_column_filled(tmp_path):
    raw = CANVAS.encode("utf-8-sig")
    done, rows = filled(tmp_path, raw, {"01_ngrams": "Unit 1: n-grams (777)"})
    before = list(csv.reader(io.StringIO(CANVAS)))
    assert [row[:5] + row[6:] for row in rows] == [row[:5] + row[6:] for row in before]
    assert [row[5] for row in rows] == [before[0][5], "24", "20.13", "", "", "0", "", ""]  # late: 10 of 10 off
    assert done.content.startswith(b"\xef\xbb\xbf") and b"\r\n" in done.content
    told = "\n".join(done.notes)
    assert "1 rows of the file are nobody of the class: Other, One" in told
    assert "empty for 2 (nothing graded, or not final): bo, cy" in told
    expected = CANVAS.replace(',"A, early",,18', ',"A, early",20.13,18').replace("eve,A,3,", "eve,A,0,")
    assert done.content.decode("utf-8-sig") == expected  # byte for byte, but for the marks


def test_the_column_is_found_if_only_one_speaks_of_the_unit(tmp_path):
    _, rows = filled(tmp_path, CANVAS.replace("Unit 1: n-grams", "Ngrams").encode())
    assert rows[2][5] == "20.13"
    two = CANVAS.replace("Unit 1: n-grams", "ngrams").replace("Unit 2", "ngrams, again")
    with pytest.raises(Trouble, match="several columns for 01_ngrams .* say which, with --column 01_ngrams=HEADING"):
        filled(tmp_path, two.encode())
    with pytest.raises(Trouble, match="has no column 'Unit 9'"):
        filled(tmp_path, CANVAS.encode(), {"01_ngrams": "Unit 9"})


def test_without_a_column_one_is_added_with_what_it_is_worth(tmp_path):
    done, rows = filled(tmp_path, CANVAS.replace("Unit 1: n-grams", "Unit 1").encode(), each=True)
    assert rows[0][8:] == ["01_ngrams", "01_ngrams mle", "01_ngrams written-question"]
    assert rows[1][8:] == ["24", "2", "4"] and rows[2][8:] == ["20.13", "1.33", "4"]
    assert rows[3][8:] == ["", "2", ""] and rows[6][8:] == ["", "", ""]
    assert "one was added" in done.notes[0]


def test_moodles_worksheet_keeps_its_quotes_and_its_other_columns(tmp_path):
    done, rows = filled(tmp_path, WORKSHEET.encode())
    assert done.content.decode() == WORKSHEET.replace('"Submitted",""', '"Submitted","20.13"', 1)
    done, _ = filled(tmp_path, WORKSHEET.replace("24.00", "100.00").encode())
    assert any("Maximum Grade is 100.00 there and 24 here" in note for note in done.notes)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_other_tables_by_name_in_their_encoding_and_with_their_delimiter(tmp_path, encoding):
    text = "Surname;First name;01_ngrams\nLövgren;Ada;\nEk;Bo;7\nNobody;Not;\n"
    done, rows = filled(tmp_path, text.encode(encoding))
    assert [row[2] for row in rows] == ["01_ngrams", "20.13", "", ""]  # an old mark of Bo's, who is open, goes
    assert done.content[:3] == text.encode(encoding)[:3]
    assert any("marks have no row in the file: eve" in note for note in done.notes)


def test_two_of_one_name_are_nobody(tmp_path):
    twins = STUDENTS | {"ada2": Student("ada2", "Ada", "Lövgren")}
    path = tmp_path / "given.csv"
    path.write_text("Name,01_ngrams\nAda Lövgren,\n", encoding="utf-8")
    done = template.fill(path, [COLUMN], twins, {}, False)
    assert done.content.decode() == "Name,01_ngrams\nAda Lövgren,\n" and "nobody of the class" in done.notes[0]


CHOSEN = ["Points Possible", "    Points Possible", "Possible, Points Possible", "POINTS POSSIBLE", "Student, Test"]


@pytest.mark.parametrize("chosen", CHOSEN)
@pytest.mark.parametrize("login", ["eve", "bo", "cy"], ids=["marked", "not final", "nothing graded"])
def test_a_row_with_an_id_is_a_person_whatever_the_name_says(tmp_path, chosen, login):
    """The mark is the student's own, and nothing where none is final; what the unit is worth goes into no such row."""
    rest = [row for row in CANVAS.splitlines() if login not in row]
    table = "\n".join([*rest, f'"{chosen}",9009,80,{login},A,,,'])
    _, rows = filled(tmp_path, table.encode(), {"01_ngrams": "Unit 1: n-grams (777)"}, each=True)
    mark = {"eve": ["0", "0", "0"], "bo": ["", "2", ""], "cy": ["", "", ""]}[login]
    assert [rows[-1][5], *rows[-1][8:]] == mark and rows[1][8:] == ["2", "4"]


@pytest.mark.parametrize(
    "table",
    [
        'Student,ID,01_ngrams\n"Lövgren, Ada",ada,\nPoints Possible,,\n',
        "Name,01_ngrams\nPoints Possible,\nAda Lövgren,\n",
    ],
    ids=["below the people", "in a table without ids"],
)
def test_the_row_of_points_stands_above_all_people_where_a_table_has_ids(tmp_path, table):
    _, rows = filled(tmp_path, table.encode())
    assert {row[0]: row[-1] for row in rows[1:]}["Points Possible"] == ""


NAMESAKES = [
    ("Full name,ID number,Grade 01_ngrams\nAda Lövgren,ada,\nAda Lövgren,al2,\n", "al2"),
    ("Full name,Email address,01_ngrams\nAda Lövgren,ada@school.edu,\nAda Lövgren,ada.l@other.edu,\n", "other"),
    ('Student,ID,SIS Login ID,01_ngrams\n"Lövgren, Ada",1,ada,\n"Lövgren, Ada",2,mallory,\n', "mallory"),
]


@pytest.mark.parametrize(("table", "stranger"), NAMESAKES, ids=["id", "address", "login"])
@pytest.mark.parametrize("alone", [False, True], ids=["beside the student", "alone"])
def test_a_namesake_with_another_id_gets_nothing(tmp_path, table, stranger, alone):
    head, own_row, other = table.splitlines()
    done, rows = filled(tmp_path, "\n".join([head, *([] if alone else [own_row]), other]).encode())
    assert stranger in ",".join(rows[-1]) and rows[-1][-1] == ""
    assert done.odd and any("1 rows of the file are nobody of the class" in note for note in done.notes)
    assert alone or rows[1][-1] == "20.13"


def test_an_address_contradicts_nothing_where_the_class_list_has_none(tmp_path):
    path = tmp_path / "given.csv"
    path.write_text("Full name,Email address,01_ngrams\nAda Lövgren,ada@school.edu,\n", encoding="utf-8")
    done = template.fill(path, [COLUMN], {"ada": Student("ada", "Ada", "Lövgren")}, {}, False)
    assert "ada@school.edu,20.13" in done.content.decode()


@pytest.mark.parametrize(
    "table",
    [
        "Username,Email address,01_ngrams\nada,,\n,ada@school.edu,\n",
        "Username,Name,01_ngrams\nada,Ada Lövgren,\n,Ada Lövgren,\n",
    ],
    ids=["id and address", "id and name"],
)
def test_two_rows_for_one_student_are_told_and_get_nothing(tmp_path, table):
    done, rows = filled(tmp_path, table.encode())
    assert [row[-1] for row in rows[1:]] == ["", ""] and done.odd and done.marks == 0
    assert any("Rows 2, 3 are all ada's: none got a mark" in note for note in done.notes)


@pytest.mark.parametrize(
    "raw", [b"", b"\n\n", b"Points,More\n1,2\n", b'"open,\n1'], ids=["empty", "blank", "no names", "torn"]
)
def test_what_is_no_such_table_is_one_line(tmp_path, raw):
    with pytest.raises(Trouble) as caught:
        filled(tmp_path, raw)
    assert "\n" not in str(caught.value)


def test_a_table_of_ones_own_runs_in_no_spreadsheet():
    rows = list(csv.reader(io.StringIO(own.wide([COLUMN], STUDENTS, each=True))))
    assert rows[0] == [
        "id",
        "first name",
        "last name",
        "01_ngrams (24)",
        "01_ngrams mle (2)",
        "01_ngrams written-question (4)",
    ]
    assert rows[1:] == [
        ["ada", "Ada", "Lövgren", "20.13", "1.33", "4"],
        ["bo", "Bo", "Ek", "", "2", ""],
        ["cy", "Cy", "Ng", "", "", ""],
        ["eve", "'=1+1", "'@Sum", "0", "0", "0"],
    ]


SPLIT = [
    "x;=1+1",
    "x\t=1+1",
    "x\n=1+1",
    "x|@S",
    " =1+1",
    "\u00a0-1",
    '";=1',
    'x;"=1"',
    "x;;+1",
    "\uff1d1+1",
    "\ufeff=1",
    "x; =1",
]


@pytest.mark.parametrize("text", SPLIT)
@pytest.mark.parametrize("between", [",", ";", "\t", "|"])
def test_no_sign_between_columns_makes_a_formula(text, between):
    """A spreadsheet splits a table at the sign of its own country, inside quotes, too, where these follow another."""
    table = own.wide([], {"a": Student("a", text, "y")}, each=False).split("\n", 1)[1]
    cells = [cell.strip(' \u00a0\ufeff"') for line in table.splitlines() for cell in line.split(between)]
    assert not [cell for cell in cells if cell[:1] in ("=", "+", "-", "@", "\uff1d")]


@pytest.mark.parametrize("name", ["Ada-Lee", "Lee, Ada", "O'Neil", "a=b", "Ng; Cy", "x + y"])
def test_a_name_that_is_no_formula_stays_as_it_is(name):
    assert own.harmless(name) == name


def test_json_has_null_where_nothing_is_final():
    told = {each["id"]: each["units"]["01_ngrams"] for each in json.loads(own.as_json([COLUMN], STUDENTS))}
    assert [told[name]["mark"] for name in ("ada", "bo", "cy", "eve")] == [20.13, None, None, 0.0]
    assert told["bo"]["waiting"] == 4 and told["cy"]["exercises"] == {"mle": None, "written-question": None}
    assert told["eve"]["late"] == 10


# --- the gradebook and the command -----------------------------------------------------------------------------------


@pytest.fixture
def assignment(tmp_path):
    """Ada: all marked by hand and machine; Bo: the question waits."""
    assignment = little_course.make_released(tmp_path)
    with gradebook.gradebook(assignment.course) as book:
        for student in ("ada", "bo"):
            submission = book.update_or_create_submission(assignment.name, book.update_or_create_student(student).id)
            for grade in (grade for notebook in submission.notebooks for grade in notebook.grades):
                question = grade.name == "written-question"
                grade.auto_score = None if question else 1.5
                grade.manual_score = 0.5 if question and student == "ada" else None
                grade.needs_manual_grade = question and student == "bo"
        book.db.commit()
    return assignment


def test_a_column_of_the_gradebook(assignment):
    found = column(assignment)
    assert found.most == sum(found.exercises.values()) and set(found.exercises) == {
        "throw_sum",
        "surprise",
        "written-question",
    }
    assert found.standings["ada"].text == "3.5" and found.standings["bo"].text == ""
    assert found.standings["ada"].exercise("written-question") == "0.5"
    assert (found.standings["bo"].exercise("surprise"), found.standings["bo"].exercise("written-question")) == (
        "1.5",
        "",
    )


def test_the_command(assignment, tmp_path, monkeypatch, capsys):
    code, said, _ = little_course.in_process(monkeypatch, capsys, assignment, "marks", "0")
    path = assignment.course.root / "marks-00_dice.csv"
    assert code == 0 and "1 marks that are final" in said
    assert path.read_bytes().startswith(b"\xef\xbb\xbf") and "ada,,,3.5" in path.read_text("utf-8-sig")
    given = tmp_path / "platform.csv"
    given.write_text("Username,Dice 1 (5)\nada,\nbo,\n", encoding="utf-8")
    arguments = ("marks", "0", "--into", str(given), "--column", "0=Dice 1 (5)", "--out", str(tmp_path / "new.csv"))
    code, said, _ = little_course.in_process(monkeypatch, capsys, assignment, *arguments)
    assert code == 0 and (tmp_path / "new.csv").read_text() == "Username,Dice 1 (5)\nada,3.5\nbo,\n"
    assert given.read_text() == "Username,Dice 1 (5)\nada,\nbo,\n"
    code, _, told = little_course.in_process(monkeypatch, capsys, assignment, "marks", "0", "--into", "nowhere.csv")
    assert code == 2 and "cannot be read" in told and len(told.splitlines()) == 1
