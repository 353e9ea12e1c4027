"""Tests that share what they prepared share a process, and a unit's tests are found."""

from collections import Counter
from pathlib import Path

import pytest
import selection

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("test", "group"),
    [
        ("tests/grading/test_grade.py::test_status_and_mark[right]", "grade"),
        ("tests/book/test_book.py::test_a_page", "book"),
        ("tests/book/test_book_pages.py::test_a_page[lstm]", "book"),
        ("tests/releasing/test_release.py::test_the_solved_notebook_runs_whole_at_smoke_scale[03_lstm]", "book"),
        ("tests/releasing/test_release.py::test_regenerating[03_lstm]", "release"),
        (
            "tests/verifying/test_verify_units.py::test_verify_has_nothing_to_say_about_a_unit[03_lstm]",
            "verify_units:lstm",
        ),
        (
            "tests/verifying/test_golden_marks.py::test_every_one[03_lstm]",
            "verify_units:lstm",
        ),
        ("tests/judging/test_invariant.py::test_any_answer_is_judged_as_it_was_shown[lstm]", "invariant:lstm"),
        ("tests/judging/test_invariant.py::test_a_difference_would_be_found", "invariant"),
    ],
)
def test_the_group_of_a_test(test, group):
    assert selection.group_of(test) == group


def test_what_takes_longest_begins_first_and_each_is_there():
    files = {path.stem.removeprefix("test_") for path in (ROOT / "tests").rglob("test_*.py")}
    assert {*selection.LONGEST_FIRST} - {"book"} <= files and {*selection.BY_UNIT} <= files


@pytest.mark.parametrize("time", [1, 2, 3])
def test_this_file_is_handed_out_whole(time, worker_id, tmp_path_factory):
    """In a parallel run, whose processes keep their files in one folder, the same process gets each of these."""
    if worker_id == "master":
        pytest.skip("needs a parallel run: pytest -n 2")
    log = tmp_path_factory.getbasetemp().parent / "processes_of_test_selection"
    with log.open("a", encoding="utf-8") as file:
        file.write(f"{worker_id}\n")
    assert len({*log.read_text(encoding="utf-8").split()}) == 1


def test_each_file_of_tests_has_a_name_of_its_own():
    """pytest cannot import two of one name; those of units begin with the unit's word."""
    names = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert [name for name, times in names.items() if times > 1] == []
