"""The page: one file, without a script and without a request, in which what students wrote is text and nothing else.

Its head forbids scripts, forms and every address, so that not even a mistake in here lets a student's text act.
"""

import os
from collections.abc import Callable
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from autograder.course import Assignment
from autograder.specimens import load
from autograder.words import amount, listed, one_line

from . import mistakes, properties, similarity, timing
from .found import Found
from .gathering import Gathered, gather
from .telling import shown, told

TEMPLATES = Path(__file__).parents[1] / "templates"
MOST_NAMES = 12  # of students, in a line
STEPS = 5  # of the way to a page, after the submissions are read


def look(assignment: Assignment, progress: Callable[[int, int], None] = lambda done, total: None) -> Found:
    """Everything, found out anew. Raises Trouble where nothing is graded."""
    total = 0

    def read(done: int, of: int) -> None:
        nonlocal total
        total = of + STEPS
        progress(done, total)

    gathered = gather(assignment, read)
    failing = properties.failing(gathered.submissions)
    progress(total - 4, total)
    groups = mistakes.grouped(gathered.submissions)
    times = timing.points(gathered.submissions)
    progress(total - 3, total)
    leads = similarity.leads(_sources(gathered), gathered.given, _specimens(assignment))
    progress(total, total)
    return Found(gathered, failing, groups, times, timing.spans(times, gathered.due), leads)


def write(found: Found, path: Path) -> None:
    """The page, in one step."""
    page = _environment().get_template("class_report.html.j2").render(told(found))
    new = path.with_name(path.name + ".new")
    new.write_text(page, encoding="utf-8", errors="replace")
    os.replace(new, path)


def _sources(gathered: Gathered) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for one in gathered.submissions:
        for name, answer in one.answers.items():
            if answer.source.strip() and answer.why != "not started":
                found.setdefault(name, {})[one.student] = answer.source
    return found


def _specimens(assignment: Assignment) -> dict[str, list[str]]:
    """Answers that were written for the checks, by exercise; a unit of one's own may have none."""
    found: dict[str, list[str]] = {}
    for specimen in load(assignment.name):
        found.setdefault(specimen.exercise, []).append(specimen.source)
    return found


def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "amount": amount,
        "line": one_line,
        "code": shown,
        "names": lambda names: listed(names, 40, MOST_NAMES),
    }
    return made
