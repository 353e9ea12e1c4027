"""What the tables say of a mark and of what was lost."""

from autograder.outcome import Exercise, Outcome
from autograder.recording.gradebook import Mark
from autograder.returning.report import closing_line, losses, mark_text, span


def test_marks_say_what_still_waits_for_a_person():
    assert mark_text(Mark(17.5, 24, 4)) == "17.5 / 20 + 4?"
    assert mark_text(Mark(21, 24, 0)) == "21 / 24"
    assert mark_text(None) == "–"


def test_a_penalty_for_lateness_is_told_and_off_the_mark():
    late = Mark(23, 24, 0, late=23)
    assert mark_text(late) == "0 / 24"
    assert losses(Outcome("ada", "graded"), late) == "late: −23"
    assert Mark(2, 24, 0, late=3).counted == 0, "as nbgrader exports it"


def test_losses_are_grouped_by_reason():
    exercises = [Exercise(name, 2, 0, "not started") for name in "abcd"]
    exercises += [Exercise("e", 3, 1.5, "Rows sum to one."), Exercise("f", 4, None), Exercise("g", 1, 1)]
    told = losses(Outcome("ada", "graded with repairs", "2 cells were called e", exercises)).splitlines()
    assert told == ["2 cells were called e", "−8 in 4 exercises: not started", "−1.5 e: Rows sum to one."]


def test_lateness_is_told_whether_it_costs_something_or_not():
    said = losses(Outcome("ada", "graded"), Mark(2, 2, 0, overdue=97_500))
    assert said == "late by 1 day 3 h, which costs nothing"
    assert losses(Outcome("ada", "graded"), Mark(2, 2, 0, late=2, overdue=3_900)) == "late by 1 h 5 min: −2"
    assert [span(each) for each in (5, 65, 3600, 172_800 + 3600, 86_400)] == [
        "5 s",
        "1 min",
        "1 h",
        "2 days 1 h",
        "1 day",
    ]


def test_the_closing_line_counts_and_averages_what_is_settled():
    outcomes = [Outcome("ada", "graded"), Outcome("bo", "graded"), Outcome("cy", "missing")]
    marks = {"ada": Mark(15, 20, 0), "bo": Mark(10, 20, 4), "cy": Mark(0, 20, 0)}
    assert closing_line(outcomes, marks) == (
        "3 submissions: 2 graded, 1 missing. Mean 7.50 of 20 over the 2 that are settled. 1 waits for a person."
    )
    assert closing_line(outcomes[:1], {"ada": Mark(15, 20, 0)}) == "1 submission: 1 graded. Mean 15.00 of 20."
    assert closing_line(outcomes[:1], {}) == "1 submission: 1 graded."
