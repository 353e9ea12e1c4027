"""The arithmetic of the grading benchmarks: speeds, ratios, marks compared, and what an attack's answers mean."""

import json
import sys
from pathlib import Path

import pytest
from attacks import Attack

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import attacks_on_peers  # noqa: E402
import grading  # noqa: E402
import made_class  # noqa: E402

MARKS = {"s0001": {"mle": 1.0, "sample": 2.0}, "s0002": {"mle": 0.5, "sample": 0.0}}
ROWS = [
    grading.Row("unrolled, 2 workers", 12, 6.0, peak=1, marks=MARKS),
    grading.Row(
        "nbgrader autograde", 2, 10.0, once_started=20.0, marks={"s0001": MARKS["s0001"], "s0002": {"mle": 0.0}}
    ),
]


def test_speed_and_ratio_are_by_the_minute_and_of_nbgrader():
    result = json.loads(json.dumps(grading.summary(ROWS, {"cells": 0.1})))
    assert result["submissions_a_minute"] == {"unrolled, 2 workers": 120.0, "nbgrader autograde": 12.0}
    assert result["ratio"] == {"unrolled, 2 workers": 10.0, "nbgrader autograde": 1.0}
    assert result["once_started"] == {"nbgrader autograde": 20.0}
    assert result["marks_equal"]["nbgrader autograde"] == [2, 3]
    assert "marks" not in result["rows"][0]


def test_without_nbgrader_there_is_no_ratio():
    assert grading.summary(ROWS[:1], {})["ratio"] == {}


def test_a_mark_is_compared_to_a_hundredth():
    assert grading.agreement({"s": {"a": 0.5, "b": 1.0}}, {"s": {"a": 0.501, "b": 0.9}, "t": {"a": 1}}) == (1, 2)


def test_a_command_that_fails_says_its_last_line(tmp_path):
    with pytest.raises(RuntimeError, match="ended with 3: out of ink"):
        grading.timed(["/bin/sh", "-c", "echo out of ink; exit 3"], tmp_path)


def test_a_command_that_does_not_end_is_ended(tmp_path):
    with pytest.raises(RuntimeError, match="ended with -9"):
        grading.timed(["sleep", "60"], tmp_path, patience=0.5)


def test_a_class_is_the_same_each_time_and_its_answers_are_of_all_kinds():
    cell = {"cell_type": "code", "metadata": {"nbgrader": {"grade_id": "mle", "solution": True}}, "source": "blank"}
    release, source = {"cells": [cell]}, {"cells": [cell | {"source": "reference"}]}
    answers = made_class.answers_of(source, release, "01_ngrams")["mle"]
    assert (answers["reference"], answers["blank"]) == (["reference"], ["blank"])
    assert answers["right"] and answers["wrong"]
    assert made_class.filled(release, {"mle": "mine"})["cells"][0]["source"] == "mine"
    assert cell["source"] == "blank"


READS = next(attack for attack in attacks_on_peers.chosen(["read"]) if attack.earns == 1)


@pytest.mark.parametrize(
    ("attack", "earned", "told", "well", "yes"),
    [
        (Attack("one", "nothing at all", "", earns=1), 1.0, "", True, set()),
        (Attack("two", "a mark", ""), 0.25, "", True, {"mark"}),
        (Attack("three", "a word", ""), 0.0, f"x {attacks_on_peers.CANARY}", True, {"secret"}),
        (Attack("four", "a way out", ""), 0.0, "GAINED tcp", True, {"out"}),
        (READS, 1.0, "GAINED /etc", True, {"secret"}),
        (Attack("five", "the neighbour", ""), 0.0, "", False, {"batch"}),
    ],
    ids=["nothing", "mark", "secret", "out", "reading", "batch"],
)
def test_each_answer_has_its_evidence(attack, earned, told, well, yes):
    answers = attacks_on_peers.verdict(attack, earned, told, well)
    assert {what for what, answer in answers.items() if answer} == yes


@pytest.mark.parametrize(("broken", "tries"), [([False], 1), ([True, False], 2), ([True, True], 2)])
def test_a_batch_is_broken_if_it_breaks_twice(tmp_path, broken, tries):
    folders = []

    def attempt(attack, folder):
        assert folder.is_dir() and not list(folder.iterdir())
        folders.append(folder)
        return dict.fromkeys(attacks_on_peers.QUESTIONS, False) | {"batch": broken[len(folders) - 1]}

    answers = attacks_on_peers.tried(attempt, READS, tmp_path / "attack")
    assert answers["batch"] == all(broken) and len(folders) == tries


def test_attacks_that_were_not_run_are_not_counted():
    results = {"nbgrader": {"a": dict.fromkeys(attacks_on_peers.QUESTIONS, True), "disk": "would fill the disk"}}
    assert attacks_on_peers.counts(results) == {"nbgrader": {"run": 1, "mark": 1, "secret": 1, "out": 1, "batch": 1}}


def test_what_is_left_out_names_real_attacks():
    names = {attack.name for attack in attacks_on_peers.chosen(None)}
    assert attacks_on_peers.NOT_RUN.keys() | attacks_on_peers.NO_EQUIVALENT.keys() <= names


def test_where_honest_work_is_not_graded_nothing_is_told(tmp_path):
    with pytest.raises(RuntimeError, match="nothing can be told"):
        attacks_on_peers.control(
            lambda attack, folder: dict.fromkeys(attacks_on_peers.QUESTIONS, False), tmp_path / "x"
        )
