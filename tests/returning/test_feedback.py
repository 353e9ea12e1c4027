"""What a feedback page must show, and what it must not: pages of our own making are looked at."""

import html
import re
from importlib.util import find_spec
from pathlib import Path

import little_course
import pytest

from autograder.course import Trouble
from autograder.outcome import Outcome
from autograder.recording import ledger
from autograder.releasing.leaks import bare
from autograder.returning.feedback import feedback
from autograder.returning.pages import REPORT, TABLE, hidden_lines, look_at

CHECK = {"source": ["check(mle, points=1)"], "outputs": [{"data": {REPORT: {}}}]}


def seen(tmp_path, body: str, cells: list) -> int:
    return look_at(f"<html>{body}</html>", tmp_path / "ngrams.html", cells)


def test_a_page_with_its_tables_passes(tmp_path):
    assert seen(tmp_path, f"<table {TABLE}></table>", [CHECK]) == 1


def test_a_page_without_a_table_is_refused(tmp_path):
    with pytest.raises(Trouble, match="shows 0 of 1 check tables"):
        seen(tmp_path, "<pre>held</pre>", [CHECK])


def test_a_page_that_shows_a_hidden_check_is_withheld(tmp_path):
    secret = max(hidden_lines("ngrams").values(), key=len)
    with pytest.raises(Trouble, match="would show a hidden check's code"):
        seen(tmp_path, f"<pre>{html.escape(secret)}</pre>", [])
    assert [path.name for path in tmp_path.iterdir()] == ["ngrams.withheld"]


def test_code_that_the_student_wrote_is_no_secret(tmp_path):
    line = max(hidden_lines("ngrams").values(), key=len)
    assert seen(tmp_path, f"<pre>{html.escape(line)}</pre>", [{"source": [line]}]) == 0


def test_the_sentences_of_a_hidden_check_and_code_that_students_have_are_no_secrets():
    told, source = hidden_lines("ngrams"), Path(find_spec("autograder.hidden.ngrams").origin).read_text("utf-8")
    (sentence, *_) = re.findall(r'^    """(.*)"""$', source, re.MULTILINE)
    assert bare(sentence) not in told and bare("from unrolled.checking import check, close, holds, seeded") not in told
    assert len(told) > 50


def test_a_unit_without_hidden_checks_has_no_secrets():
    assert hidden_lines("dice") == {}


@pytest.fixture
def assignment(tmp_path):
    assignment = little_course.make_released(tmp_path)
    ledger.write(assignment, {"ada": Outcome("ada", "graded")})
    return assignment


def test_nobody_of_that_name_is_graded(assignment):
    with pytest.raises(Trouble, match="Nothing of bo is graded in 00_dice yet"):
        feedback(assignment, "bo")


def test_a_run_notebook_that_nbgrader_cannot_read_is_named(assignment):
    run = assignment.autograded("ada")
    run.parent.mkdir(parents=True)
    run.write_text("{", encoding="utf-8")
    old = assignment.feedback("ada")
    old.parent.mkdir(parents=True)
    old.write_text("an old page")
    (page,) = feedback(assignment)
    assert page.problem.startswith("nbgrader could not write ada's feedback: Notebook does not appear to be JSON")
    assert not old.exists(), "it would be taken for the new one"


def test_what_a_student_named_is_shown_as_text(assignment):
    ledger.write(assignment, {"ada": Outcome("ada", "missing", "the folder holds <b>x.ipynb")})
    (written,) = feedback(assignment)
    assert "&lt;b&gt;x.ipynb" in written.path.read_text(encoding="utf-8")


def test_a_removed_gradebook_is_told(assignment):
    (assignment.course.root / "gradebook.db").unlink()
    with pytest.raises(Trouble, match="The gradebook knows no 00_dice: run `autograder release 00_dice` and"):
        feedback(assignment)
