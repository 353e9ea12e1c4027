"""Who is in the class, and what was handed in."""

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from autograder.commands.telling import (
    COLUMNS,
    DryRun,
    Json,
    Root,
    Unit,
    app,
    console,
    example,
    say,
    show,
)
from autograder.course import Course, Trouble


@app.command(epilog=example("students class.csv --dry-run"))
def students(
    file: Annotated[Path, typer.Argument(help="The class list: a CSV file of a spreadsheet or a learning platform.")],
    id_column: Annotated[str | None, typer.Option(help="The heading of the ids, if it is not found.")] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Take out who is no longer on it.")] = False,
    as_json: Json = False,
    dry_run: DryRun = False,
    root: Root = None,
) -> None:
    """Read the class list into students.csv and the gradebook; a second time it changes nothing."""
    from autograder.receiving import class_list
    from autograder.recording import students

    course = Course.find(root)
    read, before = class_list.read(file, id_column), class_list.kept(course)
    changes = students.changes(course, before, read.students)
    lines = [f"{len(read.students)} students, with their ids under {read.column!r}.", *read.passed_over]
    show(
        [*lines, *students.told(changes, remove, dry_run)],
        {"students": len(read.students), "column": read.column, "passed_over": read.passed_over, **vars(changes)},
        as_json,
    )
    if not dry_run:
        stay = before if not remove else {name: before[name] for name in before if name not in changes.gone}
        class_list.keep(course, stay | read.students)
        students.enter(course, (read.students[name] for name in [*changes.new, *changes.changed]))
        students.remove(course, changes.gone if remove else [])
    raise typer.Exit(1 if read.passed_over else 0)


@app.command(epilog=example("collect ngrams submissions.zip --dry-run"))
def collect(
    unit: Unit,
    sources: Annotated[
        list[Path] | None, typer.Argument(help="What the platform gives: zip archives or folders.")
    ] = None,
    exchange: Annotated[bool, typer.Option("--exchange", help="What lies in nbgrader's exchange.")] = False,
    moodle: Annotated[Path | None, typer.Option(help="Moodle's grading worksheet: whose number, which time.")] = None,
    who: Annotated[Path | None, typer.Option(help="A file of two columns: a name in a source, an id.")] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Put attempts where other files lie; those are kept.")
    ] = False,
    as_json: Json = False,
    dry_run: DryRun = False,
    root: Root = None,
) -> None:
    """Put what students handed in on a learning platform where grading looks; a second time it changes nothing."""
    from dataclasses import asdict

    from autograder.receiving.collecting import collect as take_in
    from autograder.receiving.collecting import inbound

    assignment = Course.find(root).assignment(unit)
    given = [*(sources or []), *([inbound(assignment.course)] if exchange else [])]
    if not given:
        raise Trouble("Name what the platform gave, a zip archive or a folder, or say --exchange.")
    with Progress(*COLUMNS, console=console, disable=as_json, transient=True) as bar:
        task = bar.add_task(f"Collecting {assignment.name}", total=None)
        how = {"moodle": moodle, "who": who, "replace": replace, "dry_run": dry_run}
        done = take_in(assignment, given, **how, progress=lambda n, m: bar.update(task, completed=n, total=m))
    show(done.told(dry_run), asdict(done), as_json)
    raise typer.Exit(0 if done.is_whole else 1)


@app.command(epilog=example("forget adda --dry-run"))
def forget(student: Annotated[str, typer.Argument(help="An id.")], dry_run: DryRun = False, root: Root = None) -> None:
    """Remove what grading made of a student who never was, such as a misspelt folder's; files handed in stay."""
    from autograder.recording import students

    for line in students.forget(Course.find(root), student, dry_run):
        say(f"{'Would remove' if dry_run else 'Removed'}: {line}")
