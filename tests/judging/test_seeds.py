"""The inputs that grading tries: drawn from the class's secret and the submission, equal for equal code only."""

import json
import os

import nbformat
import pytest
import unrolled.checks.ngrams  # noqa: F401
from jailed_course import TWO, hand_in, make
from one_judge import code, notebook
from unrolled.checking import LocalAnswer, run
from unrolled.checking.registry import SEED_VARIABLE

from autograder import grade as grading
from autograder.judging.seeds import in_environment, seed_of
from autograder.releasing.references import solution


def seed(*sources, secret="salt"):
    return seed_of(nbformat.from_dict(notebook(*map(code, sources))), secret)


def test_equal_code_gets_equal_inputs_and_another_letter_others():
    assert seed("a", "b") == seed("a", "b") and 0 <= seed("a") < 2**64
    assert len({seed("a", "b"), seed("ab"), seed("b", "a"), seed("a", "b "), seed("a", "b", secret="pepper")}) == 5
    assert seed("\udc80") >= 0, "any text at all"


def test_what_nobody_may_change_and_text_count_for_nothing():
    locked = code("check(mle, points=2)", "mle-check", 2)
    locked["metadata"]["nbgrader"]["locked"] = True
    text = {"cell_type": "markdown", "source": "Hm.", "metadata": {}}
    assert seed_of(nbformat.from_dict(notebook(code("a"), locked, text)), "salt") == seed("a")


def test_processes_that_begin_meanwhile_draw_from_the_seed(monkeypatch):
    monkeypatch.setenv(SEED_VARIABLE, "3")
    with in_environment(7):
        assert os.environ[SEED_VARIABLE] == "7"
    assert os.environ[SEED_VARIABLE] == "3"
    monkeypatch.delenv(SEED_VARIABLE)
    with in_environment(7):
        pass
    assert SEED_VARIABLE not in os.environ


@pytest.mark.slow
def test_neither_equal_files_nor_a_second_grading_get_other_marks_but_another_secret_other_inputs(tmp_path):
    assignment = make(tmp_path)
    guess = {"mle": "def mle(counts, context):\n    raise ValueError(f'SEEN {sorted(counts.items())} SEEN')"}
    for student, answers in {"ada": guess, "bo": guess, "cy": TWO}.items():
        hand_in(assignment, student, answers)
    grading.grade(assignment)
    first = [inputs(assignment, student) for student in ("ada", "bo")]
    assert first[0] == first[1] and any(first[0])
    assert grading.submissions_to_grade(assignment, None, force=False) == {}
    (tmp_path / "class.secret").write_text("another")
    del assignment.course.__dict__["secret"]
    grading.grade(assignment, student="ada")
    assert inputs(assignment, "ada") != first[0], "what one run shows is of no use to the next"


def inputs(assignment, student) -> list[str]:
    """What hidden checks of mle asked, by the teacher's record."""
    record = json.loads(assignment.autograded(student).with_suffix(".grading.json").read_text(encoding="utf-8"))
    (mle,) = [report for report in record["reports"] if report["exercise"] == "mle"]
    return [check["message"] for check in mle["checks"] if check["hidden"]]


def table_of(exercise, monkeypatch):
    """An answer without an idea: what the public checks ask with the notebook's seed, and the right results."""
    right, known = solution("ngrams", exercise), {}

    def learn(*args):
        known[said(args)] = right(*args)
        return known[said(args)]

    monkeypatch.setenv(SEED_VARIABLE, "0")
    run(exercise, LocalAnswer(learn))
    return lambda *args: known[said(args)]


def said(args) -> str:
    return repr(["a function" if callable(arg) else arg for arg in args])


@pytest.mark.parametrize("exercise", ["ngram_counts", "mle", "perplexity", "add_k", "kneser_ney", "sample", "backoff"])
def test_a_table_of_what_the_notebook_asks_earns_less_in_grading(exercise, monkeypatch):
    answer = table_of(exercise, monkeypatch)
    in_the_notebook = held(exercise, answer)
    monkeypatch.setenv(SEED_VARIABLE, str(seed("any code")))
    assert held(exercise, answer) < in_the_notebook


def held(exercise, answer) -> set[str]:
    return {check.name for check in run(exercise, LocalAnswer(answer)).checks if check.outcome == "held"}
