"""class.toml: due dates, extensions and penalties as the teacher said them, or one line that says what is wrong."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import little_course
import pytest
from little_course import UNIT
from test_by_hand import grade

from autograder import class_file
from autograder.class_file import Slip
from autograder.course import Assignment, Course, Trouble
from autograder.recording import gradebook
from autograder.recording.marks import renew_penalties

UNITS = ["01_ngrams", "02_elman_rnn"]
NOON = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)


def read(tmp_path, text):
    (tmp_path / "class.toml").write_text(text, encoding="utf-8")
    return class_file.read(tmp_path, UNITS)


@pytest.mark.parametrize(
    "text",
    [
        "[due]\n01_ngrams = 2026-11-02T12:00:00Z",
        "[due]\nngrams = 2026-11-02T13:00:00+01:00",
        "[due]\n1 = 2026-11-02 17:30:00+05:30",
        'timezone = "Europe/Berlin"\n[due]\nngrams = 2026-11-02T13:00:00',
        'timezone = "America/New_York"\n[due]\n01 = 2026-11-02T07:00:00',
    ],
)
def test_a_due_date_is_the_moment_that_was_said(tmp_path, text):
    assert read(tmp_path, text).due == {"01_ngrams": NOON}


def test_summer_time_counts(tmp_path):
    said = read(tmp_path, 'timezone = "Europe/Berlin"\n[due]\nngrams = 2026-07-02T14:00:00')
    assert said.due["01_ngrams"] == datetime(2026, 7, 2, 12, 0, tzinfo=UTC)


def test_extensions_are_by_unit_and_student(tmp_path):
    said = read(tmp_path, '[extensions]\nada = { ngrams = "2 days", 2 = "36 hours" }\n"bo b" = { 1 = "1 week" }')
    assert said.extensions == {
        "01_ngrams": {"ada": timedelta(days=2), "bo b": timedelta(weeks=1)},
        "02_elman_rnn": {"ada": timedelta(hours=36)},
    }
    assert read(tmp_path, "").extensions is None and class_file.read(tmp_path / "none", UNITS).due == {}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[due]\n09_bert = 2026-11-02T12:00:00", "there is no unit '09_bert'; the units are: 01_ngrams, 02_elman_rnn"),
        ("[due]\nngrams = 2026-11-02", "needs a day and a time, without quotes: ngrams = 2026-11-02T23:59:00"),
        ('[due]\nngrams = "soon"', "needs a day and a time, without quotes"),
        ("due = 3", "due is no table"),
        ("[dew]\n", "it may hold timezone, due, extensions, late, secret, mail, not 'dew'"),
        ('timezone = "Berlin"', "there is no timezone 'Berlin'"),
        ("timezone = 3", "there is no timezone 3"),
        ('[extensions]\nada = "2 days"', "the extension of ada needs a unit"),
        ('[extensions]\nada = { ngrams = "soon" }', "the extension of ada is 'soon': say it like '36 hours'"),
        ("[extensions]\nada = { ngrams = 2 }", "the extension of ada is 2"),
        ('[late]\npenalty = "half"', "the penalty is 'half': say one of none, zero"),
        ("[due\n", "class.toml: "),
    ],
)
def test_a_slip_is_one_line_that_names_the_file(tmp_path, text, says):
    with pytest.raises(Slip) as slip:
        read(tmp_path, text)
    assert says in str(slip.value) and "class.toml" in str(slip.value) and "\n" not in str(slip.value)


def test_the_gradebook_takes_what_the_file_says(tmp_path):
    assignment = little_course.make_released(tmp_path)
    grade(assignment, "ada", {})
    grade(assignment, "bo", {})
    with gradebook.gradebook(assignment.course) as book:
        for student in ("ada", "bo"):
            book.find_submission(UNIT, student).timestamp = datetime(2026, 11, 3, 12, 0)
        book.db.commit()
    says = "[due]\ndice = 2026-11-02T13:00:00+01:00\n[late]\npenalty = 'zero'\n[extensions]\nbo = { dice = '2 days' }\n"
    (tmp_path / "class.toml").write_text(says)
    assignment = Assignment(Course.find(tmp_path), UNIT)  # a new run reads it anew
    assert renew_penalties(assignment, ["ada", "bo"]) == 1
    marks = gradebook.marks(assignment)
    assert (marks["ada"].late, marks["ada"].overdue, marks["bo"].late, marks["bo"].overdue) == (5, 86_400, 0, 0)
    (tmp_path / "class.toml").write_text("[due]\ndice = 2026-11-04T13:00:00+01:00\n[extensions]\n")
    assignment = Assignment(Course.find(tmp_path), UNIT)
    assert renew_penalties(assignment, ["ada", "bo"]) == 1
    assert gradebook.marks(assignment)["ada"].overdue == 0
    (tmp_path / "class.toml").write_text("[due]\ncards = 2026-11-04T13:00:00+01:00\n")
    with pytest.raises(Trouble, match="class.toml: there is no unit 'cards'"):
        renew_penalties(Assignment(Course.find(tmp_path), UNIT), ["ada"])


# --- the secret ------------------------------------------------------------------------------------------------------


def test_a_class_has_a_secret_of_its_own_that_stays(tmp_path):
    (here := tmp_path / "here").mkdir()
    (there := tmp_path / "there").mkdir()
    first = class_file.secret(here, class_file.ClassFile())
    assert len(first) == 32 and first == class_file.secret(here, class_file.ClassFile())
    assert first != class_file.secret(there, class_file.ClassFile())
    assert [path.name for path in here.iterdir()] == ["class.secret"]
    assert (here / "class.secret").stat().st_mode & 0o777 == 0o600


def test_a_teachers_own_secret_counts_and_an_empty_one_is_told(tmp_path):
    said = read(tmp_path, 'secret = "salt"\n[due]\nngrams = 2026-11-02T12:00:00Z')
    assert class_file.secret(tmp_path, said) == "salt" and not (tmp_path / "class.secret").exists()
    for wrong in ('""', "7", "[]"):
        with pytest.raises(Slip, match="the secret is .*say a line of letters"):
            read(tmp_path, f"secret = {wrong}")


def test_a_secret_that_cannot_be_kept_is_one_line(tmp_path):
    with pytest.raises(Slip, match=r'class\.secret cannot be kept .*write secret = "…" into') as slip:
        class_file.secret(tmp_path / "nowhere", class_file.ClassFile())
    assert "\n" not in str(slip.value)


def test_nobody_else_can_read_the_secret_at_any_time(tmp_path, monkeypatch):
    """Whatever the umask, and whatever a process that was stopped has left there."""
    left = tmp_path / f"{class_file.SECRET}.{os.getpid()}"
    left.write_text("old")
    left.chmod(0o666)
    seen, link, before = [], os.link, os.umask(0)
    monkeypatch.setattr(os, "link", lambda new, path: (seen.append(new.stat().st_mode & 0o777), link(new, path)))
    monkeypatch.setattr(Path, "chmod", lambda *_: pytest.fail("it could be read until then"))
    try:
        word = class_file.secret(tmp_path, class_file.ClassFile())
    finally:
        os.umask(before)
    assert len(word) == 32 and seen == [0o600] and (tmp_path / class_file.SECRET).stat().st_mode & 0o777 == 0o600
