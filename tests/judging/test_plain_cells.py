"""A plain nbgrader cell, with asserts, is graded inside the jail: all or nothing, beside declared checks."""

from dataclasses import replace

import pytest
from nbformat import from_dict
from nbgrader.utils import determine_grade
from one_judge import SHORT, UNHURRIED, asks, code, notebook, patient
from unrolled.checking import check, close

from autograder.course import Trouble
from autograder.judging.asserts import Asserts, scored
from autograder.judging.boundary.session import CRASHED, TIMED_OUT
from autograder.judging.judge import GRADED
from autograder.judging.rubric import Rubric


@check("thrice")
def a_number(answer):
    """Three times two is six."""
    close(answer(2), 6, "3 · 2")


THRICE, HALF = "def thrice(x):\n    return 3 * x", "def half(x):\n    return x / 2"
TESTS = 'assert half(4) == 2\nassert half(9) == 4.5, "nine is odd"'
UNIT = replace(
    Rubric.of(notebook(code(THRICE, "thrice"), asks("thrice", 2)), "small"),
    asserts=(Asserts("test_half", 3.0, TESTS), Asserts("test_more", 0.25, "0.25 * (half(1) == 0.5)")),
)


def submitted(half=HALF, thrice=THRICE, test="assert half(4) == 2", more="0.25 * (half(1) == 0.5)"):
    """As it comes back: the hidden half of the test is not in it."""
    return notebook(
        code(thrice, "thrice"), asks("thrice", 2), code(half, "half"), code(test, "test_half", 3),
        code(more, "test_more", 0.25),
    )  # fmt: skip


def grade(judge=None, unit=UNIT, **answers):
    """The judgement; and the points of the plain cells as nbgrader reads them."""
    found = submitted(**answers)
    judgement = (judge or patient(limits=UNHURRIED)).grade(found, unit)
    for index, outputs in judgement.outputs.items():
        found["cells"][index]["outputs"] = outputs
    return judgement, [determine_grade(from_dict(cell))[0] for cell in found["cells"][3:]]


def test_what_holds_has_all_points_beside_a_declared_check():
    judgement, points = grade()
    assert (judgement.status, points) == (GRADED, [3.0, 0.25])
    assert [(report.exercise, report.earned) for report in judgement.reports] == [("thrice", 2.0)]


def test_what_does_not_hold_has_none_and_says_why_without_its_code():
    judgement, points = grade(half="def half(x):\n    return x // 2")
    (error,) = [each for each in judgement.outputs[3] if each["output_type"] == "error"]
    assert points[0] == 0 and error["evalue"] == "nine is odd"
    assert error["traceback"] == ["AssertionError: nine is odd"], "the code of a hidden test stays here"


def test_the_source_decides_and_not_what_was_handed_in():
    assert grade(half="def half(x):\n    return 0", test="pass", more="1.0")[1] == [0, 0]


FAKES = {
    "a result shown early": "def half(x):\n    get_ipython().displayhook(1.0)\n    return 0",
    "a result above the most": "class Big(float):\n    def __eq__(self, other):\n        return 400\n\n"
    "def half(x):\n    return Big(0) if x == 1 else 0",
    "an output of its own": "from IPython.display import display\ndef half(x):\n    display(3.0)\n    return 0",
}


@pytest.mark.parametrize("fake", FAKES)
def test_a_made_up_result_earns_no_more_than_there_is(fake):
    _, (first, second) = grade(half=FAKES[fake])
    assert first == 0 and 0 <= second <= 0.25


def test_a_warning_costs_nothing():
    assert grade(half="import warnings\ndef half(x):\n    warnings.warn('old')\n    return x / 2")[1] == [3.0, 0.25]


def test_what_kills_the_process_costs_its_cell_alone():
    judgement, points = grade(half="import os\ndef half(x):\n    return x / 2 if x < 2 else os._exit(1)")
    assert (judgement.status, points) == (CRASHED, [0, 0.25])
    assert judgement.reports[0].earned == 2.0


def test_what_never_ends_costs_its_cell_alone():
    soon = patient(limits=replace(UNHURRIED, cell_seconds=5))
    judgement, points = grade(soon, half="def half(x):\n    while x > 1: pass\n    return x / 2")
    assert (judgement.status, points) == (TIMED_OUT, [0, 0.25])


def test_a_cell_that_was_never_reached_earns_nothing():
    none = replace(SHORT, notebook_seconds=0.5)
    judgement, points = grade(patient(limits=none), half=HALF + "\nimport time\ntime.sleep(1)")
    assert points == [0, 0]


def test_a_cell_that_was_not_run_is_scored_as_nothing():
    (error,) = scored(None, 3.0)
    assert (error["ename"], error["output_type"]) == ("NotRun", "error")


def test_a_test_that_fails_on_the_sources_own_answer_is_told():
    with pytest.raises(Trouble, match="The cell test_half of small fails on the source's own answer: .*nine is odd"):
        patient(limits=UNHURRIED).learn(submitted(half="def half(x):\n    return x // 2"), UNIT)
    assert patient(limits=UNHURRIED).learn(submitted(), UNIT).sound == {"thrice": frozenset({"a_number"})}
