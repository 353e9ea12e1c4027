"""`autograder students` and `autograder forget`: nothing changes twice, and nothing goes without being asked for."""

import little_course
import pytest
from little_course import autograder
from test_by_hand import grade

from autograder.receiving import class_list
from autograder.recording import gradebook, ledger

FIRST = "ID,Name\nada,Ada Lee\nbo,Bo Ek\ncy,Cy Wu\n"


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    assignment = little_course.make_released(tmp_path_factory.mktemp("students"))
    return assignment


def take(assignment, text, *options):
    path = assignment.course.root / "export.csv"
    path.write_text(text, encoding="utf-8")
    return autograder(assignment, "students", str(path), *options)


def known(assignment):
    return gradebook.full_names(assignment.course)


def test_a_list_comes_changes_and_goes(assignment):
    dry = take(assignment, FIRST, "--dry-run")
    assert "3 students, with their ids under 'ID'.\n3 would be added: ada, bo, cy" in dry.stdout
    assert known(assignment) == {} and class_list.kept(assignment.course) == {}
    assert "3 added: ada, bo, cy" in take(assignment, FIRST).stdout
    assert known(assignment) == {"ada": "Ada Lee", "bo": "Bo Ek", "cy": "Cy Wu"}
    again = (assignment.course.root / "students.csv").read_bytes()
    assert "Nothing changed." in take(assignment, FIRST).stdout
    assert (assignment.course.root / "students.csv").read_bytes() == again
    grade(assignment, "cy", {})
    told = take(assignment, "ID,Name\nada,Ada Lind\n").stdout
    assert "1 changed: ada" in told and "1 no longer on it; --remove takes them out: bo" in told
    assert "1 no longer on it, kept since they have marks: cy" in told
    assert known(assignment) == {"ada": "Ada Lind", "bo": "Bo Ek", "cy": "Cy Wu"}
    assert "1 removed: bo" in take(assignment, "ID,Name\nada,Ada Lind\n", "--remove").stdout
    assert set(known(assignment)) == {"ada", "cy"} == set(class_list.kept(assignment.course))


def test_a_ghost_is_forgotten_but_not_what_was_handed_in(assignment):
    grade(assignment, "adda", {})
    path = little_course.hand_in_bytes(assignment, "adda", b"{}")
    refused = autograder(assignment, "forget", "adda")
    assert refused.returncode == 2 and "move it to the right student first" in refused.stderr and path.exists()
    path.unlink()
    path.parent.rmdir()
    dry = autograder(assignment, "forget", "adda", "--dry-run").stdout
    assert "Would remove: adda in the gradebook, with all marks" in dry and "adda" in ledger.read(assignment)
    assert autograder(assignment, "forget", "adda").returncode == 0
    assert "adda" not in ledger.read(assignment) and "adda" not in gradebook.marks(assignment)
    assert not assignment.autograded("adda").parent.exists()
    nobody = autograder(assignment, "forget", "adda")
    assert nobody.returncode == 2 and "Nothing is known of 'adda'." in nobody.stderr
