"""`autograder`: from `new` and `release` to `feedback` and `marks`. Thin: it parses, calls and prints."""

import os
import sys
from collections import Counter
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from autograder.course import Assignment, Course, Trouble
from autograder.words import printable

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="The instructor's side of Unrolled: release, grade, return.",
)
console = Console()
COLUMNS = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())

Root = Annotated[Path | None, typer.Option(help="The course's folder; left out: the one you are in.")]
Unit = Annotated[str, typer.Argument(help="A unit: 01_ngrams, ngrams or 1.")]
Units = Annotated[list[str] | None, typer.Argument(help="Units; left out: all.")]
Student = Annotated[str | None, typer.Option(help="Only this student.")]
Workers = Annotated[int, typer.Option(min=1, help="How many submissions at a time.", show_default="the cores here")]
Pages = Annotated[int, typer.Option("--workers", min=1, help="How many pages at once.", show_default="the cores here")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would change, and change nothing.")]
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class EngineName(StrEnum):
    jail = "jail"
    nbgrader = "nbgrader"


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="The unit's number and word: 04_tagging.")],
    exercise: Annotated[list[str] | None, typer.Option(help="NAME:POINTS; once for each exercise.")] = None,
    ladder: Annotated[bool, typer.Option("--ladder", help="A rung of the ladder, too.")] = False,
) -> None:
    """Make every file that a new unit consists of, each with an example to replace."""
    from autograder.releasing import scaffold

    for line in scaffold.make(Course.find(), name, exercise or [], ladder).told():
        _say(line)


@app.command()
def release(
    units: Units = None,
    check: Annotated[bool, typer.Option(help="Write nothing; exit 1 if a committed file is stale.")] = False,
    change_cells: Annotated[
        bool, typer.Option("--change-cells", help="Graded cells may come and go though there are submissions.")
    ] = False,
    root: Root = None,
) -> None:
    """Make the students' notebooks in course/ from solutions/."""
    from autograder.releasing.release import first_difference
    from autograder.releasing.release import release as release_unit

    course, stale = Course.find(root), 0
    for assignment in [course.assignment(name) for name in units] if units else course.assignments():
        if check:
            difference = first_difference(assignment)
            _say(difference or f"{assignment.name}: up to date.")
            stale += difference is not None
        else:
            for line in release_unit(assignment, change_cells).told():
                _say(line)
    if not course.assignments():
        raise Trouble(f"There are no units in {course.solutions}.")
    raise typer.Exit(1 if stale else 0)


@app.command()
def bundle(
    units: Annotated[list[str], typer.Argument(help="The units that students get.")],
    out: Annotated[Path, typer.Option(help="The folder for the zip.")] = Path("bundles"),
    root: Root = None,
) -> None:
    """Make the zip for students: the released notebooks and all that they need."""
    from autograder.releasing.bundle import bundle as make

    course = Course.find(root)
    path = make(course, [course.assignment(name) for name in units], course.root / out, date.today())
    _say(f"{path} ({path.stat().st_size / 1e6:.1f} MB)")


@app.command()
def students(
    file: Annotated[Path, typer.Argument(help="The class list: a CSV file of a spreadsheet or a learning platform.")],
    id_column: Annotated[str | None, typer.Option(help="The heading of the ids, if it is not found.")] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Take out who is no longer on it.")] = False,
    dry_run: DryRun = False,
    root: Root = None,
) -> None:
    """Read the class list into students.csv and the gradebook; a second time it changes nothing."""
    from autograder.receiving import class_list
    from autograder.recording import students

    course = Course.find(root)
    read, before = class_list.read(file, id_column), class_list.kept(course)
    changes = students.changes(course, before, read.students)
    _say(f"{len(read.students)} students, with their ids under {read.column!r}.")
    for line in [*read.passed_over, *students.told(changes, remove, dry_run)]:
        _say(line)
    if not dry_run:
        stay = before if not remove else {name: before[name] for name in before if name not in changes.gone}
        class_list.keep(course, stay | read.students)
        students.enter(course, (read.students[name] for name in [*changes.new, *changes.changed]))
        students.remove(course, changes.gone if remove else [])


@app.command()
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
    as_json: Annotated[bool, typer.Option("--json", help="Print what became of everything as JSON.")] = False,
    dry_run: DryRun = False,
    root: Root = None,
) -> None:
    """Put what students handed in on a learning platform where grading looks; a second time it changes nothing."""
    import json
    from dataclasses import asdict

    from autograder.receiving.collecting import collect as take_in
    from autograder.receiving.collecting import inbound

    assignment = Course.find(root).assignment(unit)
    given = [*(sources or []), *([inbound(assignment.course)] if exchange else [])]
    if not given:
        raise Trouble("Name what the platform gave, a zip archive or a folder, or say --exchange.")
    with Progress(*COLUMNS, console=console, disable=as_json) as bar:
        task = bar.add_task(f"Collecting {assignment.name}", total=None)
        how = {"moodle": moodle, "who": who, "replace": replace, "dry_run": dry_run}
        done = take_in(assignment, given, **how, progress=lambda n, m: bar.update(task, completed=n, total=m))
    for line in [json.dumps(asdict(done), ensure_ascii=False)] if as_json else done.told(dry_run):
        _say(line)
    raise typer.Exit(0 if done.is_whole else 1)


@app.command()
def forget(student: Annotated[str, typer.Argument(help="An id.")], dry_run: DryRun = False, root: Root = None) -> None:
    """Remove what grading made of a student who never was, such as a misspelt folder's; files handed in stay."""
    from autograder.recording import students

    for line in students.forget(Course.find(root), student, dry_run):
        _say(f"{'Would remove' if dry_run else 'Removed'}: {line}")


@app.command()
def grade(
    unit: Unit,
    student: Student = None,
    workers: Workers = CORES,
    scheduler: Annotated[str | None, typer.Option(help="Judge on the Dask cluster of this address.")] = None,
    force: Annotated[bool, typer.Option(help="Grade unchanged submissions again.")] = False,
    require_jail: Annotated[bool, typer.Option(help="Stop where a layer of the jail is missing.")] = False,
    brief: Annotated[bool, typer.Option("--brief", help="The closing line alone, and what needs somebody.")] = False,
    engine: Annotated[EngineName, typer.Option(help="jail, or nbgrader's own run, without walls.")] = EngineName.jail,
    root: Root = None,
) -> None:
    """Grade a unit's submissions into nbgrader's gradebook."""
    from autograder.judging import pool

    assignment, options = Course.find(root).assignment(unit), {"scheduler": scheduler, "require_jail": require_jail}
    if engine is EngineName.jail and not scheduler:
        pool.start_ahead(1 if student else workers)  # before what follows imports nbgrader
    from autograder.receiving.roll_call import roll_call
    from autograder.receiving.strays import strays
    from autograder.recording import gradebook
    from autograder.returning.feedback import outdated
    from autograder.returning.report import closing_line, marks_table

    if engine is EngineName.nbgrader:
        if scheduler or require_jail:
            raise Trouble("--engine nbgrader has no jail: leave out the other option.")
        from autograder.judging.plain.nbgrader_run import grade_one

        options = {"grade_one": grade_one}
    outcomes = _grade_with_bar(assignment, student=student, workers=workers, force=force, **options)
    marks = gradebook.marks(assignment)
    if not brief:
        console.print(marks_table(assignment.name, outcomes, marks, gradebook.full_names(assignment.course)))
    _say(closing_line(outcomes, marks))
    if old := len(outdated(assignment, student)):
        pages = "1 page in feedback/ is" if old == 1 else f"{old} pages in feedback/ are"
        _say(f"{pages} older than the marks: run `autograder feedback {assignment.name}`.")
    for line in [*strays(assignment, student), *([] if student else roll_call(assignment))]:
        _say(line)


@app.command()
def feedback(
    unit: Unit,
    student: Student = None,
    workers: Annotated[int, typer.Option(min=1, help="How many pages at once.", show_default="the cores here")] = CORES,
    force: Annotated[bool, typer.Option(help="Write pages that are up to date, too.")] = False,
    root: Root = None,
) -> None:
    """Write a feedback page for every graded submission whose page is not up to date."""
    from autograder.returning.waiting import summary

    pages = _feedback_with_bar(Course.find(root).assignment(unit), student=student, workers=workers, force=force)
    if told := summary(page.waiting for page in pages):
        _say(told)
    failed = [page for page in pages if page.problem]
    for page in pages:
        if page.written and not page.problem:
            _say(f"{page.path}  ({f'{page.tables} tables' if page.graded else 'could not be graded'})")
    if same := sum(not page.written for page in pages):
        _say(f"{same} page{'s are' if same > 1 else ' is'} up to date already; --force writes all of them.")
    for page in failed:
        _say(f"No page for {page.student}: {page.problem}")
    raise typer.Exit(1 if failed else 0)


@app.command()
def marks(
    units: Annotated[list[str], typer.Argument(help="Units.")],
    into: Annotated[Path | None, typer.Option(help="A table that your platform exported: marks are filled in.")] = None,
    column: Annotated[list[str] | None, typer.Option(help="UNIT=HEADING: the column, where it is not found.")] = None,
    exercises: Annotated[bool, typer.Option("--exercises", help="A column an exercise, too.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the marks as JSON.")] = False,
    out: Annotated[Path | None, typer.Option(help="Where the table is written; left out: marks-….csv.")] = None,
    root: Root = None,
) -> None:
    """Write marks for your learning platform, or a table. What is not final stays empty, and is never 0."""
    from autograder.returning.exporting import own, standing, template

    course = Course.find(root)
    chosen = [course.assignment(unit) for unit in units]
    columns, students = [standing.column(unit) for unit in chosen], standing.people(course)
    if as_json:
        print(own.as_json(columns, students))
        return
    path = out or course.root / f"marks-{'-'.join(unit.name for unit in chosen)}.csv"
    if into is None:
        path.write_text(own.wide(columns, students, exercises), encoding="utf-8-sig")
    else:
        headings = template.headings(column or [], course)
        filled = template.fill(into, columns, students, headings, exercises)
        path.write_bytes(filled.content)
        for line in filled.notes:
            _say(line)
    _say(f"{path}: {sum(bool(one.text) for each in columns for one in each.standings.values())} marks that are final.")


@app.command()
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


@app.command("class")
def demo_class(
    unit: Unit = "01_ngrams",
    root: Annotated[Path, typer.Option(help="Where the class is made.")] = Path("_build/class"),
    every: Annotated[bool, typer.Option(help="One student for every wrong specimen, not one an exercise.")] = False,
    moodle: Annotated[
        bool, typer.Option("--moodle", help="Grade nothing: an empty course, and files as Moodle would give them.")
    ] = False,
    workers: Workers = CORES,
) -> None:
    """Make a demonstration class, grade it and show its marks. With --moodle, all steps are left to you."""
    from autograder.recording import gradebook
    from autograder.returning.report import marks_table
    from autograder.verifying import demo_class, demo_moodle

    home = Course.find()
    if moodle:
        for line in demo_moodle.what_next(*demo_moodle.lay(home.assignment(unit), home.root / root)):
            _say(line)
        return
    assignment, members = demo_class.make(home.assignment(unit), home.root / root, every)
    outcomes = _grade_with_bar(assignment, workers=workers, force=True)
    pages = _feedback_with_bar(assignment, workers=workers)
    told = {member.student: member.told for member in members}
    outcomes.sort(key=lambda outcome: list(told).index(outcome.student))
    console.print(marks_table(assignment.name, outcomes, gradebook.marks(assignment), told))
    for line in demo_class.what_next(assignment, len(pages)).splitlines():
        _say(line)


def _grade_with_bar(assignment: Assignment, **options) -> list:
    from autograder.grade import grade as grade_unit
    from autograder.grade import submissions_to_grade

    student, force, engine = (options.get(name) for name in ("student", "force", "grade_one"))
    total = len(submissions_to_grade(assignment, student, bool(force), engine))
    if not total:
        _say("Nothing new; --force grades again.")
    counts: Counter[str] = Counter()
    with Progress(*COLUMNS, console=console, disable=not total) as bar:
        task = bar.add_task(f"Grading {assignment.name}", total=total)

        def advance(outcome) -> None:
            counts[outcome.status] += 1
            told = ", ".join(f"{count} {status}" for status, count in counts.most_common())
            bar.update(task, advance=1, description=f"Grading {assignment.name}: {told}")

        return grade_unit(assignment, progress=advance, say=_say, **options)


def _feedback_with_bar(assignment: Assignment, **options) -> list:
    from autograder.returning import feedback

    with Progress(*COLUMNS, console=console) as bar:
        task = bar.add_task(f"Feedback on {assignment.name}: looking what changed", total=None)

        def advance(page, total) -> None:
            bar.update(task, advance=1, total=total, description=f"Feedback on {assignment.name}")

        pages = feedback.feedback(assignment, progress=advance, **options)
        bar.update(task, visible=any(page.written for page in pages))
        return pages


def _say(line: str) -> None:
    """A line as it is: no markup, no colours, not wrapped, so that a path can be copied; nothing for the terminal."""
    console.print(printable(line), markup=False, highlight=False, soft_wrap=True, emoji=False)


def main() -> None:
    """The console script: trouble becomes one line on standard error and exit code 1."""
    try:
        app()
    except Trouble as trouble:
        first, *more = trouble.lines
        print("\n".join(map(printable, [f"autograder: {first}", *more])), file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print("autograder: stopped; what was graded so far is kept.", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
