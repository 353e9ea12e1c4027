"""What the tables say of a mark and of what was lost."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from autograder.outcome import Exercise, Outcome
from autograder.recording.gradebook import Mark
from autograder.returning.report import closing_line, losses, mark_text, marks_table, span


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


HOSTILE = "\x1b[2J\x1b]0;X\x07[bold]red[/bold]" + "\nforged row" * 100 + "\u202egnp.exe\r\x9b2J\udc80"


def shown(outcome, mark, told=None) -> list[str]:
    paper = io.StringIO()
    console = Console(file=paper, width=2_000, force_terminal=False)
    console.print(marks_table("01_ngrams", [outcome], {outcome.student: mark}, told))
    paper.getvalue().encode()
    return paper.getvalue().splitlines()


HARMLESS = Outcome("ada", "crashed", "it", [Exercise("mle", 2, 0, "why")], by_hand=[])
PLACES = {
    "student": replace(HARMLESS, student=HOSTILE),
    "reason": replace(HARMLESS, reason=HOSTILE),
    "why": replace(HARMLESS, exercises=[Exercise("mle", 2, 0, HOSTILE)]),
}


@pytest.mark.parametrize("place", [*PLACES, "name"])
def test_what_others_wrote_is_one_printable_line_of_the_table(place):
    """A row of its own, a cleared screen, another colour: none of what a terminal makes of a text."""
    mark = Mark(0, 2, 0)
    plain, outcome = shown(HARMLESS, mark, {"ada": "Ada"}), PLACES.get(place, HARMLESS)
    hostile = shown(outcome, mark, {outcome.student: HOSTILE if place == "name" else "Ada"})
    assert len(hostile) == len(plain)
    assert all(letter.isprintable() for line in hostile for letter in line)
    assert "[bold]red[/bold]" in "".join(hostile), "it is no markup"
    assert max(map(len, hostile)) < 1_500
