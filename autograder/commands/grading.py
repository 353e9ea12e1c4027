"""Marks: by the checks, and by hand."""

import sys
from collections import Counter
from enum import StrEnum
from typing import Annotated

import typer
from rich.progress import Progress

from autograder.commands.telling import (
    COLUMNS,
    CORES,
    DryRun,
    Json,
    Root,
    Student,
    Unit,
    Workers,
    app,
    console,
    example,
    say,
    show,
)
from autograder.course import Assignment, Course, Trouble
from autograder.words import printable


class EngineName(StrEnum):
    jail = "jail"
    nbgrader = "nbgrader"


@app.command(epilog=example("grade ngrams --student ada"))
def grade(
    unit: Unit,
    student: Student = None,
    workers: Workers = CORES,
    scheduler: Annotated[str | None, typer.Option(help="Judge on the Dask cluster of this address.")] = None,
    force: Annotated[bool, typer.Option(help="Grade unchanged submissions again.")] = False,
    require_jail: Annotated[bool, typer.Option(help="Stop where a layer of the jail is missing.")] = False,
    brief: Annotated[bool, typer.Option("--brief", help="The closing line alone, and what needs somebody.")] = False,
    engine: Annotated[EngineName, typer.Option(help="jail, or nbgrader's own run, without walls.")] = EngineName.jail,
    as_json: Json = False,
    dry_run: DryRun = False,
    root: Root = None,
) -> None:
    """Grade a unit's submissions into nbgrader's gradebook. Exit code 1: one was not graded, or lies elsewhere."""
    if dry_run:
        return _would_grade(Course.find(root).assignment(unit), student, force, as_json)
    from autograder.judging import pool

    assignment, options = Course.find(root).assignment(unit), {"scheduler": scheduler, "require_jail": require_jail}
    if engine is EngineName.jail and not scheduler:
        pool.start_ahead(1 if student else workers)  # before what follows imports nbgrader
    from autograder.receiving.roll_call import roll_call
    from autograder.receiving.strays import strays
    from autograder.recording import gradebook
    from autograder.returning.feedback import outdated
    from autograder.returning.report import GOOD, as_dicts, closing_line, marks_table

    if engine is EngineName.nbgrader:
        if scheduler or require_jail:
            raise Trouble("--engine nbgrader has no jail: leave out the other option.")
        from autograder.judging.plain.nbgrader_run import grade_one

        options = {"grade_one": grade_one}
    outcomes = grade_with_bar(assignment, as_json, student=student, workers=workers, force=force, **options)
    marks, elsewhere = gradebook.marks(assignment), strays(assignment, student)
    code = 1 if elsewhere or any(outcome.status not in GOOD for outcome in outcomes) else 0
    if as_json:
        show([], as_dicts(outcomes, marks), as_json)
        raise typer.Exit(code)
    if not brief:
        console.print(marks_table(assignment.name, outcomes, marks, gradebook.full_names(assignment.course)))
    say(closing_line(outcomes, marks))
    if old := len(outdated(assignment, student)):
        pages = "1 page in feedback/ is" if old == 1 else f"{old} pages in feedback/ are"
        say(f"{pages} older than the marks: run `autograder feedback {assignment.name}`.")
    for line in [*elsewhere, *([] if student else roll_call(assignment))]:
        say(line)
    raise typer.Exit(code)


@app.command(epilog=example("mark ngrams"))
def mark(
    unit: Unit,
    port: Annotated[int, typer.Option(min=1, max=65535, help="Where it is served; the next free one if taken.")] = 8899,
    browser: Annotated[bool, typer.Option(help="Open it in the browser.")] = True,
    root: Root = None,
) -> None:
    """Mark written answers in the browser, question by question, with the rubric beside each.

    In JupyterLab, started in the top folder, the same pages are at /autograder/mark. The server listens on this machine
    only and asks for the token in its address.
    """
    from autograder.marking import serving

    serving.serve(Course.find(root).assignment(unit), port, browser, say)


def _would_grade(assignment: Assignment, student: str | None, force: bool, as_json: bool) -> None:
    from autograder.grade import submissions_to_grade

    names = sorted(submissions_to_grade(assignment, student, force))
    lines = [f"Would grade {name}" for name in names] or ["Nothing new; --force grades again."]
    show(lines, names, as_json)


def grade_with_bar(assignment: Assignment, quiet: bool = False, **options) -> list:
    from autograder.grade import grade as grade_unit
    from autograder.grade import submissions_to_grade

    student, force, engine = (options.get(name) for name in ("student", "force", "grade_one"))
    total = len(submissions_to_grade(assignment, student, bool(force), engine))
    tell = (lambda line: print(printable(line), file=sys.stderr)) if quiet else say
    if not total:
        tell("Nothing new; --force grades again.")
    counts: Counter[str] = Counter()
    with Progress(*COLUMNS, console=console, disable=quiet or not total) as bar:
        task = bar.add_task(f"Grading {assignment.name}", total=total)

        def advance(outcome) -> None:
            counts[outcome.status] += 1
            told = ", ".join(f"{count} {status}" for status, count in counts.most_common())
            bar.update(task, advance=1, description=f"Grading {assignment.name}: {told}")

        return grade_unit(assignment, progress=advance, say=tell, **options)
