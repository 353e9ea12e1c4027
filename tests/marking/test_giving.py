"""A mark is written as formgrader writes it, or not at all where something else stands there by now."""

import threading

import marking_class
import pytest
from marking_class import QUESTION, record, standing

from autograder.course import Trouble
from autograder.marking import giving, saved
from autograder.marking.giving import Overtaken, Refused, Wish, give
from autograder.marking.questions import answers, question, questions
from autograder.recording import gradebook, marking
from autograder.recording.marks import Marks
from autograder.returning.waiting import waiting

WRITTEN = {name: f"What {name} thinks." for name in ("ada", "bob", "cyd", "dan", "eve", "fay", "gil", "hal")}


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    return marking_class.made(tmp_path_factory.mktemp("giving"), WRITTEN)


def of(assignment, student):
    asked = question(assignment, QUESTION)
    return asked, next(each for each in answers(assignment, asked) if each.place.student == student)


def mark(assignment, student, points, comment="", **more):
    asked, found = of(assignment, student)
    return give(assignment, asked, found.place.id, Wish(found.version, points, comment, **more))


def formgrader(assignment, student, points):
    """What its request does to the gradebook."""
    with gradebook.gradebook(assignment.course) as book:
        grade = book.find_grade(QUESTION, "dice", assignment.name, student)
        grade.manual_score, grade.needs_manual_grade = points, points is None and grade.auto_score is None
        book.db.commit()


def test_it_stands_in_the_gradebook_as_formgraders_would(assignment):
    mark(assignment, "ada", 3, "Say why.")
    formgrader(assignment, "bob", 3)
    assert standing(assignment, "ada") == (3, False, "Say why.")
    assert standing(assignment, "bob") == (3, False, None)
    assert gradebook.marks(assignment)["ada"].score == 8 and "ada" not in waiting(assignment)


def test_what_is_taken_back_waits_again(assignment):
    mark(assignment, "cyd", 2, "Hm.")
    mark(assignment, "cyd", None)
    assert standing(assignment, "cyd") == (None, True, None)
    assert waiting(assignment)["cyd"] == {QUESTION: 4}


def test_a_comment_alone_marks_nothing(assignment):
    mark(assignment, "dan", None, "To look up.")
    assert standing(assignment, "dan") == (None, True, "To look up.")


def test_who_comes_second_writes_nothing_and_sees_the_first(assignment):
    asked, seen = of(assignment, "eve")
    mark(assignment, "eve", 1, "First.")
    with pytest.raises(Overtaken) as overtaken:
        give(assignment, asked, seen.place.id, Wish(seen.version, 4, "Second."))
    assert overtaken.value.answer.place.points == 1 and overtaken.value.answer.place.comment == "First."
    assert standing(assignment, "eve") == (1, False, "First.")


def test_formgrader_in_between_is_not_overwritten(assignment, monkeypatch):
    """After our look, before our writing: the statement itself asks what stands there."""
    asked, seen = of(assignment, "fay")
    at_once = marking.give

    def late(*arguments):
        formgrader(assignment, "fay", 4)
        return at_once(*arguments)

    monkeypatch.setattr(giving.marking, "give", late)
    with pytest.raises(Overtaken):
        give(assignment, asked, seen.place.id, Wish(seen.version, 1, "Mine."))
    assert standing(assignment, "fay") == (4, False, None)


def test_of_many_at_once_one_wins(assignment):
    asked, seen = of(assignment, "gil")
    lost, begin = [], threading.Barrier(5)

    def one(points):
        begin.wait()
        try:
            give(assignment, asked, seen.place.id, Wish(seen.version, points, f"By {points}."))
        except Overtaken:
            lost.append(points)

    threads = [threading.Thread(target=one, args=(points,)) for points in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    points, asks, comment = standing(assignment, "gil")
    assert len(lost) == 4 and points not in lost and (asks, comment) == (False, f"By {points:g}.")


def test_another_answer_in_between_takes_no_mark_that_was_meant_for_the_first(assignment):
    asked, seen = of(assignment, "hal")
    record(assignment, {"hal": "I thought again."})
    with pytest.raises(Overtaken):
        give(assignment, asked, seen.place.id, Wish(seen.version, 4, ""))
    assert standing(assignment, "hal")[0] is None


def test_no_mark_is_given_while_an_answer_is_exchanged(assignment, monkeypatch):
    """The recorder has looked what a person gave; a mark that came now would be taken for the new answer's."""
    mark(assignment, "hal", 1)
    asked, seen = of(assignment, "hal")
    outcome, write = [], Marks.write

    def meanwhile():
        try:
            outcome.append(give(assignment, asked, seen.place.id, Wish(seen.version, 4, "")))
        except Overtaken as overtaken:
            outcome.append(overtaken)

    def slow(*arguments):
        thread.start()
        thread.join(0.5)
        write(*arguments)

    thread = threading.Thread(target=meanwhile)
    monkeypatch.setattr(Marks, "write", slow)
    record(assignment, {"hal": "And once more."})
    thread.join()
    assert isinstance(outcome[0], Overtaken) and gradebook.marks(assignment)["hal"].earlier == {QUESTION: 1}


def test_after_grading_again_the_mark_stands_and_for_another_answer_it_waits(assignment):
    mark(assignment, "ada", 2, "Better.")
    record(assignment, {"ada": WRITTEN["ada"]}, surprise=0.0)
    assert standing(assignment, "ada") == (2, False, "Better.")
    record(assignment, {"ada": "Another thought."})
    asked, found = of(assignment, "ada")
    assert found.place.waits and found.place.earlier and found.place.points == 2
    mark(assignment, "ada", 2, "Commented only.", waits=True)
    assert of(assignment, "ada")[1].place.waits, "a comment does not settle it"
    mark(assignment, "ada", 2, "Still right.")
    assert not of(assignment, "ada")[1].place.waits
    record(assignment, {"ada": "Another thought."})
    assert gradebook.marks(assignment)["ada"].earlier == {}


@pytest.mark.parametrize(
    "body",
    [
        *(None, [], {}, {"version": "a", "points": 1}, {"version": 1, "points": 1, "comment": ""}),
        *({"version": "a", "points": points, "comment": ""} for points in (-1, 5, 0.5, "3", True, [], float("nan"))),
        {"version": "a", "points": 1, "comment": "x" * 20_001},
        {"version": "a", "points": float("inf"), "comment": "", "restores": True},
    ],
    ids=str,
)
def test_what_is_no_mark_is_refused(assignment, body):
    with pytest.raises(Refused) as refused:
        Wish.of(body, question(assignment, QUESTION))
    assert len(refused.value.lines) == 1


def test_an_id_of_another_question_or_of_nothing_is_refused(assignment):
    asked, found = of(assignment, "bob")
    other = next(place for place in marking.places(assignment) if place.name != QUESTION)
    for its in (other.id, "nothing", ""):
        with pytest.raises(Refused):
            give(assignment, asked, its, Wish(found.version, 1, ""))


def test_a_question_has_its_rubric_and_its_steps(assignment):
    (asked,) = questions(assignment)
    assert (asked.title, asked.most, asked.step) == ("Written question", 4, 1)
    assert asked.rubric["source"].strip() == "Because no throw tells the next one anything."
    source = assignment.source
    text = source.read_text(encoding="utf-8")
    source.write_text(text.replace('"points": 4}', '"points": 4, "step": 0.5}'), encoding="utf-8")
    assert question(assignment, QUESTION).step == 0.5
    assert Wish.of({"version": "a", "points": 2.5, "comment": ""}, question(assignment, QUESTION)).points == 2.5
    source.write_text(text, encoding="utf-8")


def test_the_order_tells_nothing_and_another_seed_gives_another_one(assignment):
    asked = question(assignment, QUESTION)
    order = [[each.place.student for each in answers(assignment, asked, seed)] for seed in ("", "", "2")]
    assert order[0] == order[1] != order[2] and sorted(order[0]) == sorted(order[2]) == sorted(WRITTEN)
    assert sorted(WRITTEN) not in order


def test_a_point_for_code_that_somebody_complained_about_is_marked_here_too(assignment):
    with gradebook.gradebook(assignment.course) as book:
        grade = book.find_grade("surprise-check", "dice", assignment.name, "bob")
        grade.manual_score, grade.needs_manual_grade = 1.0, False
        book.db.commit()
    asked = question(assignment, "surprise-check")
    (its,) = answers(assignment, asked)
    assert "math.log" in its.cell["source"] and "math.log" in asked.rubric["source"] and asked.marked == 1


def test_a_submission_that_is_gone_is_told(assignment):
    assignment.autograded("bob").unlink()
    assert of(assignment, "bob")[1].cell is None


def test_saved_comments_of_two_teachers_meet(assignment):
    begin = threading.Barrier(6)

    def add(number):
        begin.wait()
        saved.change(assignment, QUESTION, add=f" Comment {number}. ")

    threads = [threading.Thread(target=add, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(saved.of(assignment, QUESTION)) == [f"Comment {number}." for number in range(6)]
    saved.change(assignment, QUESTION, remove="Comment 3.")
    assert "Comment 3." not in saved.of(assignment, QUESTION) and len(saved.of(assignment, QUESTION)) == 5
    for number in range(13):
        saved.change(assignment, QUESTION, add=f"More {number}.")
    with pytest.raises(Trouble, match="one for each key"):
        saved.change(assignment, QUESTION, add="One too many.")
