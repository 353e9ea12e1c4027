"""Trying things out: the checks themselves, and a class that is made up."""

from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.grading import grade_with_bar
from autograder.commands.returning import feedback_with_bar
from autograder.commands.telling import (
    CORES,
    Json,
    Unit,
    Units,
    Workers,
    app,
    console,
    example,
    say,
    show,
)
from autograder.course import Course


@app.command(epilog=example("verify tagging --exercise viterbi --quick"))
def verify(
    units: Units = None,
    exercise: Annotated[list[str] | None, typer.Option(help="Only this exercise; may be given more than once.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a list with one object an exercise.")] = False,
    fresh: Annotated[bool, typer.Option(help="Try again what an earlier run has tried.")] = False,
    quick: Annotated[bool, typer.Option(help="Stop at the first trouble.")] = False,
) -> None:
    """Grade the checks: right answers accepted, wrong ones and mutants of the reference caught."""
    from autograder.verifying.command import run_verify

    course = Course.find()
    raise typer.Exit(
        run_verify([course.assignment(name).name for name in units or []], exercise, as_json, fresh, quick)
    )


@app.command("class", epilog=example("class ngrams --every"))
def demo_class(
    unit: Unit = "01_ngrams",
    root: Annotated[Path, typer.Option(help="Where the class is made.")] = Path("_build/class"),
    every: Annotated[bool, typer.Option(help="One student for every wrong specimen, not one an exercise.")] = False,
    moodle: Annotated[
        bool, typer.Option("--moodle", help="Grade nothing: an empty course, and files as Moodle would give them.")
    ] = False,
    workers: Workers = CORES,
    as_json: Json = False,
) -> None:
    """Make a demonstration class, grade it and show its marks. With --moodle, all steps are left to you."""
    from autograder.recording import gradebook
    from autograder.returning.report import as_dicts, marks_table
    from autograder.verifying import demo_class, demo_moodle

    home = Course.find()
    if moodle:
        for line in demo_moodle.what_next(*demo_moodle.lay(home.assignment(unit), home.root / root)):
            say(line)
        return
    assignment, members = demo_class.make(home.assignment(unit), home.root / root, every)
    outcomes = grade_with_bar(assignment, as_json, workers=workers, force=True)
    pages = feedback_with_bar(assignment, as_json, workers=workers)
    told = {member.student: member.told for member in members}
    outcomes.sort(key=lambda outcome: list(told).index(outcome.student))
    if as_json:
        return show([], as_dicts(outcomes, gradebook.marks(assignment)), as_json)
    console.print(marks_table(assignment.name, outcomes, gradebook.marks(assignment), told))
    for line in demo_class.what_next(assignment, len(pages)).splitlines():
        say(line)
