"""Of a hidden check a student sees its sentence, its hint and where the answer raised; the teacher's record has all."""

import json

import pytest
from jailed_course import MLE, hand_in, make
from unrolled.checking import table
from unrolled.checking.running import Report, Result

from autograder import grade as grading
from autograder.judging.withheld import withheld
from autograder.returning.feedback import feedback

SECRET = "7341"


def report(**changes) -> dict:
    check = Result("sums_to_one", "What comes sums to one.", "failed", hidden=True, hint="Divide by all of it.")
    for name, value in changes.items():
        setattr(check, name, value)
    return Report("mle", 2, [check]).to_dict()


HIDDEN = {
    "values": dict(message=f"the sum: {SECRET} is not 1", expected=SECRET, got=SECRET, what=SECRET, where=SECRET),
    "what it printed": dict(message="the sum", printed=SECRET),
    "an exception's text": dict(message=f"ValueError: SEEN {SECRET} (in mle, line 3: raise)", cause="answer"),
    "an exception's kind": dict(message=f"E{SECRET}: no (in mle, line 3: raise)", cause="answer"),
    "a function's name": dict(message=f"ValueError: no (in f{SECRET}, line 3: raise)", cause="answer"),
    "a line of code": dict(message=f"ValueError: no (in mle, line 3: raise {SECRET})", cause="answer"),
    "a line number": dict(message=f"ValueError: no (in mle, line 1{SECRET})", cause="answer"),
    "a name that it calls": dict(message=f"the answer calls f{SECRET}, the finished implementation", cause="answer"),
    "a broken check": dict(outcome="fault", message=f"The check itself broke (KeyError: {SECRET}, line 3)"),
}


@pytest.mark.parametrize("name", HIDDEN)
def test_no_view_shows_what_a_hidden_check_knows(name):
    shown = withheld(report(**HIDDEN[name]))
    views = (json.dumps(shown), table.text(shown), table.to_html(shown))
    assert not any(SECRET in view for view in views) and all("sums to one" in view for view in views)


def test_what_may_be_told_is_told():
    raised = withheld(report(message="ValueError: SEEN (in mle, line 3: raise ValueError)", cause="answer"))
    assert "ValueError in line 3 of the cell" in table.text(raised) and "Divide by all of it." in table.text(raised)
    late = withheld(report(message="the call was interrupted: it took longer than 3 s", cause="run"))
    assert "longer than 3 s" in table.text(late)
    public = report(message="the sum", expected="1", got="2", hidden=False)
    assert withheld(public) == public


@pytest.mark.slow
def test_neither_page_nor_notebook_nor_table_shows_a_hidden_input(tmp_path):
    """Two answers that try to carry hidden inputs out: by what is expected of a wrong value, and by an exception."""
    assignment = make(tmp_path)
    wrong = MLE + "\n\nright = mle\ndef mle(counts, context):\n    found = right(counts, context)\n    "
    hand_in(assignment, "by value", {"mle": wrong + "return {} if len(counts) > 3 else found"})
    hand_in(assignment, "by error", {"mle": wrong + "raise ValueError(f'SEEN {counts}')"})
    outcomes = grading.grade(assignment)
    pages = {page.student: page.path.read_text(encoding="utf-8") for page in feedback(assignment)}
    for student in ("by value", "by error"):
        details = assignment.autograded(student).with_suffix(".grading.json").read_text(encoding="utf-8")
        checks = [check for each in json.loads(details)["reports"] for check in each["checks"] if check["hidden"]]
        secrets = {check[name] for check in checks for name in ("expected", "got") if len(check[name]) > 3}
        secrets |= {check["message"] for check in checks if "SEEN" in check["message"]}
        assert secrets, "the teacher's record has them"
        public = [check for each in json.loads(details)["reports"] for check in each["checks"] if not check["hidden"]]
        secrets -= {check[name] for check in public for name in ("expected", "got", "message")}
        notebook = assignment.autograded(student).read_text(encoding="utf-8")
        told = json.dumps([outcome.to_dict() for outcome in outcomes])
        assert not [each for each in secrets if each in pages[student] or each in notebook or each in told]
