"""Copies are a lead however they are disguised; answers that people wrote for themselves are none."""

from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from copied_answers import disguised
from graded_units import answers as reference
from graded_units import assignment

from autograder.returning.class_report.gathering import _given, _notebook
from autograder.returning.class_report.normal import statements
from autograder.returning.class_report.similarity import _length, _own, leads
from autograder.specimens import load

UNITS = ("ngrams", "elman_rnn", "lstm", "tagging")
LONG, TOKENS = 4, 45  # an answer's own statements and their tokens, from which on one copy alone is a lead


@cache
def given(unit: str) -> tuple[str, ...]:
    return _given({"cells": []}, _notebook(assignment(unit).released), list(reference(unit).values()))


@cache
def independent(unit: str) -> dict[str, dict[str, str]]:
    """Right answers that were written differently, by exercise."""
    found: dict[str, dict[str, str]] = {}
    for specimen in load(assignment(unit).name):
        if specimen.kind == "right":
            found.setdefault(specimen.exercise, {})[specimen.title] = specimen.source
    return found


def long_ones(unit: str):
    common = {each.text for source in given(unit) for each in statements(source)}
    for exercise, those in independent(unit).items():
        for title, source in those.items():
            own = _own(source, common)
            if len(own) >= LONG and _length(own) >= TOKENS:
                yield exercise, title, source


@pytest.mark.parametrize("unit", UNITS)
def test_independent_right_answers_are_no_lead(unit):
    assert [lead.students for lead in leads(independent(unit), given(unit), {})] == []


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("unit", UNITS)
def test_a_planted_copy_is_found_among_independent_answers(unit, seed):
    planted = list(long_ones(unit))
    assert len(planted) > 5
    for exercise, title, source in planted:
        copy = disguised(source, seed)
        assert copy != source
        found = leads({exercise: independent(unit)[exercise] | {"the copy": copy}}, given(unit), {})
        assert [set(lead.students) for lead in found] == [{title, "the copy"}], (exercise, title)


def test_short_copies_in_several_exercises_add_up():
    """Each alone is too little."""
    short = {
        exercise: next(
            (t, s) for t, s in those.items() if 3 <= len(_own(s, set())) <= 8 and _length(_own(s, set())) > 40
        )
        for exercise, those in independent("ngrams").items()
        if any(3 <= len(_own(s, set())) <= 8 and _length(_own(s, set())) > 40 for s in those.values())
    }
    both = {exercise: {"ada": source, "bo": disguised(source, 5)} for exercise, (_, source) in list(short.items())[:4]}
    (lead,) = leads(both, (), {})
    assert lead.students == ("ada", "bo") and len(lead.passages) > 1
    assert [one.bits for one in lead.passages] == sorted((one.bits for one in lead.passages), reverse=True)


@pytest.mark.parametrize("unit", UNITS)
def test_the_solution_itself_and_the_stub_are_no_lead(unit):
    released = _notebook(assignment(unit).released)
    stubs = {cell["metadata"]["nbgrader"]["grade_id"]: "".join(cell["source"]) for cell in released["cells"]
             if cell["metadata"].get("nbgrader", {}).get("solution")}  # fmt: skip
    for texts in (reference(unit), stubs):
        pairs = {name: {"ada": text, "bo": _copy(text)} for name, text in texts.items() if name in reference(unit)}
        assert leads(pairs, given(unit), {}) == []


def _copy(text: str) -> str:
    return disguised(text, 1) if "def" in text else text


def test_equal_answers_of_a_line_or_two_are_no_lead():
    line = (
        "def f(a, b, c):\n    longer = {key: value / sum(a.values()) for key, value in sorted(a.items()) if key in b}\n"
    )
    line += "    return [longer.get(key, 0.0) + c * 2 ** key for key in reversed(sorted(b)) if longer.get(key)]"
    assert leads({name: {"ada": line, "bo": line} for name in "abcdefgh"}, (), {}) == []


def test_what_the_whole_class_writes_is_no_lead():
    _, _, source = next(long_ones("ngrams"))
    assert leads({"mle": {str(n): disguised(source, n) for n in range(30)}}, (), {}) == []


def test_the_marked_lines_are_those_that_both_have():
    one = "def f(a):\n    # mine\n    first = sorted(a.items(), key=len)\n    second = first[2:9] + [a, a]\n"
    one += "    if second in a or len(a) > 7:\n        own_line = 1\n    return dict(first, **{'x': second[0]})\n"
    other = one.replace("first", "q").replace("own_line = 1", "raise KeyError(a)").replace("    # mine\n", "")
    (lead,) = leads({name: {"ada": one, "bo": other} for name in "ab"}, (), {})
    assert lead.passages[0].left == {3, 4, 5, 7} and lead.passages[0].right == {2, 3, 4, 6}


# --- code without its names -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", UNITS)
def test_a_disguise_changes_no_statement(unit):
    for those in independent(unit).values():
        for source in those.values():
            wanted = sorted(each.text for each in statements(source))
            assert sorted(each.text for each in statements(disguised(source, 3))) == wanted


def test_what_is_done_is_told_apart():
    texts = {statements(f"def f(a, b):\n    return {said}")[0].text for said in
             ("a + b", "a - b", "max(a, b)", "min(a, b)", "a.real", "a.imag", "f'{a}'", "a[1]", "a[2]")}  # fmt: skip
    assert len(texts) == 9


ODD = [
    "",
    "def f(:\n  x = 1 # y",
    "\x00",
    "%matplotlib inline\nx = 1",
    "(" * 9_000,
    "x = " + "-" * 30_000 + "1",
    "match a:\n    case [b, *c]:\n        d = b",
    "try:\n    a = 1\nexcept (E, F) as e:\n    raise\nelse:\n    b = 2\nfinally:\n    c = 3",
    "async def f():\n    async with a as b:\n        await b",
    "lambda: (yield)",
    "x: int",
    "\ud800",
    "def f():\n    'only words'",
    "if a:\n    pass\nelif b:\n    c = 1\nelse:\n    d = 2",
]


@pytest.mark.parametrize("source", ODD, ids=range(len(ODD)))
def test_any_text_has_statements_with_lines_in_order(source):
    found = statements(source)
    lines = source.count("\n") + 1
    assert all(1 <= each.first <= each.last <= lines and each.tokens for each in found)
    assert all(one.first <= other.first for one, other in pairwise(found)) or "finally" in source


def test_the_finder_is_quick_for_a_large_class():
    """300 answers that share nothing but their kind: seconds, with all pairs compared."""
    import time

    source = Path(__file__).read_text(encoding="utf-8")
    answers = {str(n): disguised(source.replace("30_000", str(n)), n)[:3_000].rpartition("\n")[0] for n in range(100)}
    begin = time.process_time()
    leads({"one": answers}, (), {})
    assert time.process_time() - begin < 20
