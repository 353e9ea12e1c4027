"""An older file that takes the place of a newer one is told, not refused: the teacher may have put it there."""

import json
from datetime import datetime

import little_course
import pytest
from little_course import RIGHT, cell_called, released

from autograder.outcome import Judged, Outcome
from autograder.recording import ledger
from autograder.recording.recorder import recording

EARLY, LATE = datetime(2026, 1, 10, 9, 30), datetime(2026, 1, 11, 12)


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    return little_course.make_released(tmp_path_factory.mktemp("age"))


def reason(assignment, student, time, key) -> str:
    notebook = released(assignment)
    for name, source in RIGHT.items():
        cell_called(notebook, name)["source"] = source
    scores = {"throw_sum-check": 2.0, "surprise-check": 3.0, "written-question": None}
    with recording(assignment) as book:
        book.record(
            Judged(Outcome(student, "graded"), json.dumps(notebook).encode(), scores=scores, timestamp=time), key
        )
    return ledger.read(assignment)[student].reason


def test_an_older_file_in_the_place_of_a_newer_one_is_told(assignment):
    assert reason(assignment, "ada", LATE, "first") == ""
    told = "handed in 2026-01-10 09:30 UTC, before what was graded until now (2026-01-11 12:00 UTC)"
    assert reason(assignment, "ada", EARLY, "second") == told


@pytest.mark.parametrize(("time", "key"), [(LATE, "first"), (LATE, "second"), (None, "second"), (EARLY, "first")])
def test_nothing_is_told_of_the_same_file_a_newer_one_or_one_without_a_time(assignment, time, key):
    student = f"{time}-{key}"
    assert reason(assignment, student, EARLY if key == "first" and time == EARLY else LATE, "first") == ""
    assert reason(assignment, student, time, key) == ""
