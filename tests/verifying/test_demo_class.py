"""The demonstration class: who is in it, what they hand in, and which folders it leaves alone."""

import json

import little_course
import pytest
from little_course import ROOT, cell_called

from autograder.course import Course, Trouble
from autograder.specimens import load
from autograder.verifying import demo_class

UNIT = "01_ngrams"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    root = tmp_path_factory.mktemp("demo") / "class"
    assignment, members = demo_class.make(Course.find(ROOT).assignment(UNIT), root)
    return assignment, members


def handed_in(made, told: str) -> dict:
    (member,) = [member for member in made[1] if member.told == told]
    return json.loads(member.content)


def source(notebook: dict, name: str) -> str:
    return "".join(cell_called(notebook, name)["source"])


def test_at_least_twelve_students_with_names_of_their_own(made):
    assignment, members = made
    assert len(members) >= 12 == len({member.student for member in members[:12]})
    assert set(assignment.students()) == {member.student for member in members}
    assert any(not member.student.isascii() for member in members)


def test_one_classic_mistake_for_each_exercise_and_the_rest_right(made):
    reference = handed_in(made, "the reference's answers")
    wrong = {specimen.exercise: specimen for specimen in reversed(load(UNIT)) if specimen.kind == "wrong"}
    for exercise, specimen in wrong.items():
        notebook = handed_in(made, f"{exercise}: {specimen.title}")
        assert source(notebook, exercise) == specimen.source
        others = [other for other in wrong if other != exercise]
        assert all(source(notebook, other) == source(reference, other) for other in others)


def test_the_blank_one_is_the_release_and_the_reference_has_no_marker(made):
    assignment, _ = made
    released = assignment.folder("release") / "ngrams.ipynb"
    assert handed_in(made, "nothing") == json.loads(released.read_text(encoding="utf-8"))
    assert "SOLUTION" not in json.dumps(handed_in(made, "the reference's answers"))


def test_the_accidents_are_what_they_say(made):
    twice = handed_in(made, "ngram_counts twice, the first wrong")
    names = [little_course.grade_id(cell) for cell in twice["cells"]]
    assert names.count("ngram_counts") == 2
    assert "while True" in source(handed_in(made, "an endless loop in backoff"), "backoff")
    with pytest.raises(json.JSONDecodeError):
        handed_in(made, "a file torn in half")


def test_every_mistake_on_request(tmp_path):
    home = Course.find(ROOT).assignment(UNIT)
    _, members = demo_class.make(home, tmp_path / "class", every=True)
    mistakes = [specimen for specimen in load(UNIT) if specimen.kind == "wrong"]
    assert len(members) == len({member.student for member in members}) == len(mistakes) + 6


def test_making_it_again_replaces_the_old_one_and_nothing_else(made, tmp_path):
    assignment, _ = made
    (assignment.course.root / "left over").write_text("from last time")
    demo_class.make(Course.find(ROOT).assignment(UNIT), assignment.course.root)
    assert not (assignment.course.root / "left over").exists()
    (tmp_path / "thesis.tex").write_text("precious")
    with pytest.raises(Trouble, match="no demonstration class"):
        demo_class.make(Course.find(ROOT).assignment(UNIT), tmp_path)
    assert (tmp_path / "thesis.tex").read_text() == "precious"
