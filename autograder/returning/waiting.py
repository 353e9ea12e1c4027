"""Written answers that wait for a person: which they are, and what a feedback page says of them meanwhile.

nbgrader counts an unmarked answer as zero, so its page shows "0.0 / 4.0", which a student takes for a mark. Here the
page says "not marked yet" in its place. Left out on purpose: the sum stays nbgrader's; what may still come is told.
"""

import re
from collections.abc import Iterable

from autograder.course import Assignment
from autograder.recording.gradebook import gradebook, open_grades, submissions

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
    """The page with "not marked yet" where nbgrader shows the zero of an answer that waits: on top and at its cell."""
    for name, points in answers.items():
        here, told = re.escape(name), f"not marked yet ({_points(points)})"
        page = re.sub(rf'(<a href="#{here}">[^<]*</a> )\(Score: [^)]*\)', rf"\1{told}", page, count=1)
        top = rf'(<a name="{here}"></a><div class="panel-heading">.*?<span class="pull-right">\s*)'
        page = re.sub(rf"{top}Score: [\d.]+ / [\d.]+", rf"\1{told}", page, count=1, flags=re.DOTALL)
    if answers:
        left = f"; not marked yet: {_points(sum(answers.values()))})"
        page = re.sub(r"(<h4>[^<]*\(Score: [\d.]+ / [\d.]+)\)", rf"\1{left}", page, count=1)
    return page


def summary(those: Iterable[Waiting]) -> str | None:
    """One line on all answers that wait, or None."""
    points = [each for answers in those for each in answers.values()]
    if not points:
        return None
    shown = f"0 of {points[0]:g}" if len(set(points)) == 1 else "0"
    answers, pages, them = f"{len(points)} written answers are", "their pages show", "them"
    if len(points) == 1:
        answers, pages, them = "1 written answer is", "its page shows", "it"
    what = f"{answers} not marked yet: {pages} {shown} points for {them}"
    return f"{what}; mark {them} in formgrader, then run this again."


def _points(number: float) -> str:
    return f"{number:g} point{'s' * (number != 1)}"
