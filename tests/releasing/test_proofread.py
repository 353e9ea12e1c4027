"""What a release finds in a source beyond the source itself: checks that do not exist, names that another unit has."""

import importlib
import pkgutil
import sys

import pytest
import unrolled.checks
from little_course import ROOT
from test_declared import ANSWER, check, check_by_hand, code, exercise, opened
from unrolled.checking import registry

from autograder.course import Course, Trouble
from autograder.releasing.proofread import proofread

UNIT = "04_labelling"
MODULE = "unrolled.checks.labelling"
CHECK = '''from unrolled.checking import check

@check({name}, hint="Which?")
def it_tags(answer):
    """It tags."""
'''


@pytest.fixture
def checks(tmp_path, monkeypatch):
    """Writes the unit's module of checks, for an exercise of this name, where the package finds it."""
    for module in pkgutil.iter_modules(unrolled.checks.__path__):
        importlib.import_module(f"unrolled.checks.{module.name}")  # before the registry is exchanged, or it lacks them
    monkeypatch.setattr(unrolled.checks, "__path__", [*unrolled.checks.__path__, str(tmp_path)])
    monkeypatch.setattr(registry, "_checks", {name: dict(found) for name, found in registry._checks.items()})
    yield lambda text: (tmp_path / "labelling.py").write_text(text, encoding="utf-8")
    sys.modules.pop(MODULE, None)


def test_the_units_of_the_course_have_no_mistake():
    for unit in Course.find(ROOT).assignments():
        proofread(unit)


@pytest.mark.parametrize("name", ['"relabel"', '"rel" + "abel"'])
def test_checks_may_be_declared_in_any_way(tmp_path, checks, name):
    checks(CHECK.format(name=name))
    proofread(opened(tmp_path, exercise(), check()))
    assert (MODULE in sys.modules) == ("+" in name), "checks that stand in the file need no import"


def test_an_exercise_without_checks_is_told_beside_other_mistakes(tmp_path, checks):
    checks(CHECK.format(name='"forward"'))
    assignment = opened(tmp_path, exercise(), check(), exercise("def backward(): ..."))
    with pytest.raises(Trouble) as caught:
        proofread(assignment)
    assert str(caught.value).splitlines() == [
        f"solutions/04_labelling.md:17: {MODULE} declares no check of relabel",
        "solutions/04_labelling.md:24: no check cell asks for this exercise (backward)",
    ]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("import unrolled.tagging_of", "there is no module unrolled.tagging_of"),
        ("from unrolled.widgets.nothing import Nothing", "there is no module unrolled.widgets.nothing"),
        ("%time 1\nfrom unrolled.ngrams import encode, KneserNay", "there is no KneserNay in unrolled.ngrams"),
        ("def f():\n    from unrolled import nothing", "there is no nothing in unrolled"),
    ],
)
def test_an_import_of_what_is_not_there_is_told(tmp_path, line, says):
    with pytest.raises(Trouble) as caught:
        proofread(opened(tmp_path, exercise(), check(), code(line)))
    assert str(caught.value) == f"solutions/04_labelling.md:24: {says}"


def test_an_import_of_what_is_there_is_sound(tmp_path):
    lines = "from unrolled import figures\nfrom unrolled.data import asset, load\nimport torch, unrolled.device"
    proofread(opened(tmp_path, exercise(), check(), code(lines)))


def test_a_unit_without_a_module_and_a_cell_of_plain_assertions_need_no_checks(tmp_path, checks):
    proofread(opened(tmp_path, exercise(), check()))
    checks(CHECK.format(name='"forward"'))
    proofread(opened(tmp_path, exercise(), check_by_hand("assert relabel(1) == 1")))


@pytest.mark.parametrize(("text", "says"), [("def (", "labelling.py cannot be read"), ("1 / 0", "division by zero")])
def test_checks_that_do_not_run_are_one_line(tmp_path, checks, text, says):
    checks(text)
    with pytest.raises(Trouble, match=says) as caught:
        proofread(opened(tmp_path, exercise(), check()))
    assert len(str(caught.value).splitlines()) == 1


def test_a_name_that_another_unit_has_is_told_with_both_places(tmp_path):
    opened(tmp_path, exercise("def other(): ..."), check("check(other, points=1)"), unit="05_attention")
    assignment = opened(
        tmp_path, exercise(), check(), exercise(ANSWER.replace("relabel", "other")), check("check(other, points=1)")
    )
    with pytest.raises(Trouble) as caught:
        proofread(assignment)
    assert str(caught.value) == (
        "solutions/04_labelling.md:24: other is an exercise in solutions/05_attention.md:7, too: give it another name"
    )
    opened(tmp_path, exercise(), check("check(relabel)"), unit="05_attention")
    with pytest.raises(Trouble, match="relabel is an exercise in solutions/05_attention.md:7, too"):
        proofread(assignment)


def test_another_unit_that_is_no_notebook_yet_is_in_nobodys_way(tmp_path):
    assignment = opened(tmp_path, exercise(), check())
    (assignment.course.solutions / "05_attention.md").write_text("---\njupytext: {a: [\n---\n", encoding="utf-8")
    proofread(assignment)
