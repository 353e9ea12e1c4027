"""What goes back to students, and what a teacher sees of the class."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from autograder.commands.telling import (
    COLUMNS,
    CORES,
    DryRun,
    Json,
    Pages,
    Root,
    Student,
    Unit,
    app,
    console,
    example,
    say,
    show,
)
from autograder.course import Assignment, Course, Trouble


class ZipName(StrEnum):
    moodle = "moodle"
    canvas = "canvas"
    names = "names"


@app.command(epilog=example("feedback ngrams --zip moodle"))
def feedback(
    unit: Unit,
    student: Student = None,
    workers: Pages = CORES,
    force: Annotated[bool, typer.Option(help="Write pages that are up to date, too.")] = False,
    into: Annotated[ZipName | None, typer.Option("--zip", help="All pages in one zip for this platform, too.")] = None,
    moodle: Annotated[Path | None, typer.Option(help="Moodle's grading worksheet: whose number, for the zip.")] = None,
    as_json: Json = False,
    dry_run: DryRun = False,
    root: Root = None,
) -> None:
    """Write a feedback page for every graded submission whose page is not up to date. Exit code 1: one has none."""
    from autograder.returning import feedback, packing

    if into and student:
        raise Trouble("--zip packs everybody's pages: leave out --student.")
    if moodle and into is not ZipName.moodle:
        raise Trouble("--moodle goes with --zip moodle.")
    assignment, options = Course.find(root).assignment(unit), {"student": student, "force": force}
    if dry_run:
        pages = feedback.planned(assignment, **options)
    else:
        pages = feedback_with_bar(assignment, as_json, workers=workers, **options)
    failed, lines = [page for page in pages if page.problem], feedback.told(pages, dry_run)
    packed = None
    if into:
        ready = {page.student: page.path for page in pages if not page.problem}
        packed = packing.pack(assignment, ready, into.value, moodle, dry_run)
        lines += packed.told(into.value, assignment.name, dry_run)
    told = {"pages": [page.to_dict() for page in pages], "zip": packed and packed.to_dict()}
    show(lines, told, as_json)
    raise typer.Exit(1 if failed or (packed and packed.unnamed) else 0)


@app.command(epilog=example("mail ngrams --send"))
def mail(
    unit: Unit,
    student: Student = None,
    send: Annotated[bool, typer.Option("--send", help="Send. Without it nothing is sent, only listed.")] = False,
    unmarked: Annotated[bool, typer.Option("--unmarked", help="Pages with answers nobody marked yet, too.")] = False,
    again: Annotated[bool, typer.Option("--again", help="With --student: though the page went out.")] = False,
    most: Annotated[int | None, typer.Option(min=1, help="Send at most so many now.")] = None,
    as_json: Json = False,
    root: Root = None,
) -> None:
    """Mail each student's feedback page to that student, once, and list only unless --send.

    The section mail of class.toml says how. Exit code 1: somebody gets nothing, and a line says why.
    """
    from autograder.returning import mailing

    if again and not student:
        raise Trouble("--again needs --student: one page at a time is sent once more.")
    assignment = Course.find(root).assignment(unit)
    plan = mailing.plan(assignment, student, unmarked, again)
    plan.letters = plan.letters[:most]
    lines, refused, told = plan.told(), {}, plan.to_dict()
    if send and plan.letters:
        done = _send_with_bar(assignment, plan, as_json)
        refused = done.refused
        lines = [f"{len(done.students)} sent.", *lines[len(plan.letters) :]]
        lines += [f"Refused: {name}: {why}" for name, why in refused.items()]
        told |= {"sent": done.students, "refused": refused}
    elif not send:
        lines.append(f"{len(plan.letters)} would be sent. Nothing was: --send sends.")
        lines += mailing.missing(assignment.course)
    show(lines, told, as_json)
    raise typer.Exit(1 if plan.held or refused else 0)


@app.command(epilog=example("report ngrams"))
def report(
    unit: Unit,
    out: Annotated[Path | None, typer.Option(help="Where the page is written; left out: report-UNIT.html.")] = None,
    as_json: Json = False,
    dry_run: DryRun = False,
    root: Root = None,
) -> None:
    """Write one page on what the class has understood: marks, properties, wrong answers, times, similar answers.

    It names students and hidden checks: for teachers only.
    """
    from autograder.returning import class_report

    assignment = Course.find(root).assignment(unit)
    path = out or assignment.course.root / f"report-{assignment.name}.html"
    with Progress(*COLUMNS, console=console, disable=as_json, transient=True) as bar:
        task = bar.add_task(f"Report on {assignment.name}", total=None)
        found = class_report.look(assignment, progress=lambda n, m: bar.update(task, completed=n, total=m))
    if not (as_json or dry_run):
        class_report.write(found, path)
    show([*found.told(), f"{'Would write ' * dry_run}{path}"], found.to_dict(), as_json)


@app.command(epilog=example('marks ngrams --into canvas.csv --column "ngrams=Unit 1 (777)"'))
def marks(
    units: Annotated[list[str], typer.Argument(help="Units.")],
    into: Annotated[Path | None, typer.Option(help="A table that your platform exported: marks are filled in.")] = None,
    column: Annotated[list[str] | None, typer.Option(help="UNIT=HEADING: the column, where it is not found.")] = None,
    exercises: Annotated[bool, typer.Option("--exercises", help="A column an exercise, too.")] = False,
    as_json: Json = False,
    out: Annotated[Path | None, typer.Option(help="Where the table is written; left out: marks-….csv.")] = None,
    dry_run: DryRun = False,
    root: Root = None,
) -> None:
    """Write marks for your learning platform, or a table. What is not final stays empty, and is never 0.

    Exit code 1: a row is nobody's, or a mark has no row.
    """
    from autograder.returning.exporting import own, standing, template

    course = Course.find(root)
    chosen = [course.assignment(unit) for unit in units]
    columns, students = [standing.column(unit) for unit in chosen], standing.people(course)
    if as_json:
        print(own.as_json(columns, students))
        return
    path, odd = out or course.root / f"marks-{'-'.join(unit.name for unit in chosen)}.csv", False
    if into is None:
        content = own.wide(columns, students, exercises).encode("utf-8-sig")
    else:
        headings = template.headings(column or [], course)
        filled = template.fill(into, columns, students, headings, exercises)
        content, odd = filled.content, filled.odd
        for line in filled.notes:
            say(line)
    if not dry_run:
        path.write_bytes(content)
    final = sum(bool(one.text) for each in columns for one in each.standings.values())
    say(f"{'Would write ' * dry_run}{path}: {final} marks that are final.")
    raise typer.Exit(1 if odd else 0)


def feedback_with_bar(assignment: Assignment, quiet: bool = False, **options) -> list:
    from autograder.returning import feedback

    with Progress(*COLUMNS, console=console, disable=quiet) as bar:
        task = bar.add_task(f"Feedback on {assignment.name}: looking what changed", total=None)

        def advance(page, total) -> None:
            bar.update(task, advance=1, total=total, description=f"Feedback on {assignment.name}")

        pages = []
        try:
            pages = feedback.feedback(assignment, progress=advance, **options)
        finally:
            bar.update(task, visible=any(page.written for page in pages))
        return pages


def _send_with_bar(assignment: Assignment, plan, quiet: bool):
    from autograder.returning import mailing

    said = mailing.settings(assignment.course)
    word = mailing.password(said)
    with Progress(*COLUMNS, console=console, disable=quiet, transient=True) as bar:
        task = bar.add_task(f"Mailing {assignment.name}", total=len(plan.letters))
        return mailing.send(assignment, plan.letters, said, word, progress=lambda student: bar.advance(task))
