"""An exercise is called with what the notebook's names meant where its check stands, whatever later cells do."""

import pytest
from graded_units import answers, filled, grade, lost, place, scratch

from autograder.judging.boundary.space import Spaces

HELPED = """
FIRST = 0
def total(row):
    return sum(row.values()) + FIRST
def mle(counts, context):
    row = counts.get(context, {})
    return {symbol: count / total(row) for symbol, count in row.items()}
"""

LATER = {
    "a builtin shadowed": "sum = 0\nlen = 3\nmax = min = range = list = None",
    "a helper redefined": "def total(row):\n    return 10**6",
    "a constant": "FIRST = 5",
    "a helper deleted": "del total, FIRST",
    "a module's name": "math = torch = Counter = None",
    "another exercise's name": "mle = ngram_counts = perplexity = 0",
    "all names": "for name in list(globals()):\n    if not name.startswith('_'): globals()[name] = None",
}


@pytest.mark.parametrize("name", LATER)
def test_a_later_cell_takes_no_points(name):
    """On the student's screen all of them are there."""
    assert lost(grade("ngrams", scratch(filled("ngrams", mle=HELPED), LATER[name]))) == {}


def test_a_later_exercise_takes_no_points_of_an_earlier_one():
    later = "FIRST = 1\ndef total(row):\n    return 0\n" + answers("ngrams")["backoff"]
    assert lost(grade("ngrams", filled("ngrams", mle=HELPED, backoff=later))) == {}


def test_a_cell_between_the_answer_and_its_check_counts():
    notebook = filled("ngrams", mle=HELPED)
    scratch(notebook, "FIRST = 5", place(notebook, "mle-check"))
    assert set(lost(grade("ngrams", notebook))) == {"mle"}


def test_a_helper_that_stands_below_the_check_is_found():
    """A student may run the cells in any order, and has then seen all points."""
    above, below = HELPED.replace("FIRST = 0\n", ""), "FIRST = 0"
    assert lost(grade("ngrams", scratch(filled("ngrams", mle=above), below))) == {}


def test_an_exercise_without_its_check_cell_is_called_with_what_holds_at_the_end():
    notebook = filled("ngrams", mle=HELPED)
    del notebook["cells"][place(notebook, "mle-check")]
    assert lost(grade("ngrams", notebook)) == {}
    assert set(lost(grade("ngrams", scratch(notebook, "FIRST = 5")))) == {"mle"}


def test_what_an_answer_keeps_from_call_to_call_is_its_own():
    """A counter in a global goes on within an exercise, and another exercise's calls do not move it."""
    row = "    row = counts.get(context, {})\n    return {s: c / sum(row.values()) for s, c in row.items()}"
    counted = f"calls = 0\ndef mle(counts, context):\n    global calls\n    calls += 1\n    assert calls < 10**6\n{row}"
    first = "(log_probs):\n"
    spoilt = answers("ngrams")["perplexity"].replace(first, f"{first}    global calls; calls = 10**7\n")
    assert "global calls" in spoilt
    assert lost(grade("ngrams", filled("ngrams", mle=counted, perplexity=spoilt))) == {}


def test_names_come_and_go_in_one_dict():
    names = {"a": 1, "gone": 2}
    spaces = Spaces(names)
    spaces.keep("first")
    del names["gone"]
    names.update(a=3, late=4, sum=5)
    spaces.keep("second")
    spaces.enter("first")
    assert names == {"a": 1, "gone": 2, "late": 4}
    names["a"] = 7
    spaces.enter("first")
    assert names["a"] == 7
    spaces.enter("second")
    assert names == {"a": 3, "late": 4, "sum": 5}
    spaces.enter("unknown")
    assert names == {"a": 3, "late": 4, "sum": 5}
