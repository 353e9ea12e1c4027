"""What nbgrader's exchange wants beside a page comes from the graded submission, and only from one of the exchange."""

import little_course
import pytest

from autograder.returning.for_exchange import accompany


@pytest.fixture
def assignment(tmp_path):
    assignment = little_course.make(tmp_path)
    for path in (assignment.autograded("ada"), assignment.feedback("ada")):
        path.parent.mkdir(parents=True)
        path.write_text("graded")
    return assignment


def beside(assignment):
    page = assignment.feedback("ada")
    return {path.name: path.read_text() for path in page.parent.iterdir() if path != page}


def put(folder, secret, time="2026-11-02 14:30:00 UTC"):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "submission_secret.txt").write_text(secret)
    (folder / "timestamp.txt").write_text(time)


def test_secret_and_time_are_those_of_the_graded_submission(assignment):
    put(assignment.autograded("ada").parent, "graded's")
    put(assignment.submitted("ada"), "a later one's")
    accompany(assignment, "ada")
    assert beside(assignment) == {"submission_secret.txt": "graded's", "timestamp.txt": "2026-11-02 14:30:00 UTC"}


def test_what_could_not_be_graded_has_its_page_too(assignment):
    assignment.autograded("ada").unlink()
    put(assignment.submitted("ada"), "the torn one's")
    accompany(assignment, "ada")
    assert beside(assignment)["submission_secret.txt"] == "the torn one's"


def test_nothing_lies_beside_a_page_of_another_platforms(assignment):
    accompany(assignment, "ada")
    assert beside(assignment) == {}


def test_a_link_is_not_followed_and_a_long_file_is_cut(assignment, tmp_path):
    put(assignment.autograded("ada").parent, "x" * 5000)
    (assignment.autograded("ada").parent / "timestamp.txt").unlink()
    (tmp_path / "far").write_text("far")
    (assignment.autograded("ada").parent / "timestamp.txt").symlink_to(tmp_path / "far")
    accompany(assignment, "ada")
    assert beside(assignment) == {"submission_secret.txt": "x" * 1000}
