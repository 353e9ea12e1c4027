"""What goes out: a new unit's files, the students' notebooks, their zip."""

import tempfile
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.telling import (
    DryRun,
    Root,
    Units,
    app,
    example,
    say,
)
from autograder.course import Course, Trouble


@app.command(epilog=example("new 04_tagging --exercise pad_batch:2 --exercise viterbi:3"))
def new(
    name: Annotated[str, typer.Argument(help="The unit's number and word: 04_tagging.")],
    exercise: Annotated[list[str] | None, typer.Option(help="NAME:POINTS; once for each exercise.")] = None,
    ladder: Annotated[bool, typer.Option("--ladder", help="A rung of the ladder, too.")] = False,
    dry_run: DryRun = False,
) -> None:
    """Make every file that a new unit consists of, each with an example to replace."""
    from autograder.releasing import scaffold

    for line in scaffold.make(Course.find(), name, exercise or [], ladder, dry_run).told(dry_run):
        say(line)


@app.command(epilog=example("release ngrams --check"))
def release(
    units: Units = None,
    check: Annotated[bool, typer.Option(help="Write nothing; exit 1 if a committed file is stale.")] = False,
    change_cells: Annotated[
        bool, typer.Option("--change-cells", help="Graded cells may come and go though there are submissions.")
    ] = False,
    root: Root = None,
) -> None:
    """Make the students' notebooks in course/ from solutions/, and AGENTS.md from assistants.md."""
    from autograder.releasing import assistants
    from autograder.releasing.release import first_difference
    from autograder.releasing.release import release as release_unit

    course, stale = Course.find(root), 0
    for assignment in [course.assignment(name) for name in units] if units else course.assignments():
        if check:
            difference = first_difference(assignment)
            say(difference or f"{assignment.name}: up to date.")
            stale += difference is not None
        else:
            for line in release_unit(assignment, change_cells).told():
                say(line)
    if not course.assignments():
        raise Trouble(f"There are no units in {course.solutions}.")
    if not check:
        for line in assistants.release(course):
            say(line)
    elif line := assistants.first_stale(course):
        say(line)
        stale += 1
    raise typer.Exit(1 if stale else 0)


@app.command(epilog=example("bundle ngrams lstm"))
def bundle(
    units: Annotated[list[str], typer.Argument(help="The units that students get.")],
    out: Annotated[Path, typer.Option(help="The folder for the zip.")] = Path("bundles"),
    dry_run: DryRun = False,
    root: Root = None,
) -> None:
    """Make the zip for students: the released notebooks and all that they need."""
    from autograder.releasing.bundle import bundle as make

    course = Course.find(root)
    chosen = [course.assignment(name) for name in units]
    with tempfile.TemporaryDirectory() as nowhere:
        path = make(course, chosen, Path(nowhere) if dry_run else course.root / out, date.today())
        say(f"{'Would write ' * dry_run}{course.root / out / path.name} ({path.stat().st_size / 1e6:.1f} MB)")
