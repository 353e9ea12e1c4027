"""Written answers that wait for a person: which they are, and what a feedback page says of them meanwhile.

nbgrader counts an unmarked answer as zero, so its page shows "0.0 / 4.0", which a student takes for a mark. Here the
page says "not marked yet" in its place.
"""

import re
from collections.abc import Iterable

from autograder.course import Assignment
from autograder.recording.gradebook import gradebook, open_grades, submissions
from autograder.words import amount, points

Waiting = dict[str, float]  # the points of each answer that waits, by grade id


def waiting(assignment: Assignment) -> dict[str, Waiting]:
    """By student; who waits for nothing is left out."""
    found: dict[str, Waiting] = {}
    with gradebook(assignment.course) as book:
        for submission, earlier in submissions(assignment, book):
            open_ones = {grade.name: float(grade.max_score) for grade in open_grades(submission, earlier)}
            if open_ones:
                found[submission.student.id] = open_ones
    return found


def say_so(page: str, answers: Waiting) -> str:
    """The page with "not marked yet" at the cell of an answer that waits, where nbgrader shows a zero."""
    for name, most in answers.items():
        top = rf'(<a name="{re.escape(name)}"></a><div class="panel-heading">.*?<span class="pull-right">\s*)'
        told = rf"\1not marked yet ({points(most)})"
        page = re.sub(rf"{top}Score: [\d.]+ / [\d.]+", told, page, count=1, flags=re.DOTALL)
    return page


def summary(those: Iterable[Waiting]) -> str | None:
    """One line on all answers that wait, or None."""
    most = [each for answers in those for each in answers.values()]
    if not most:
        return None
    shown = f"0 of {amount(most[0])}" if len(set(most)) == 1 else "0"
    answers, pages, them = f"{len(most)} written answers are", "their pages show", "them"
    if len(most) == 1:
        answers, pages, them = "1 written answer is", "its page shows", "it"
    what = f"{answers} not marked yet: {pages} {shown} points for {them}"
    return f"{what}; mark {them} by `autograder mark`, then run this again."
