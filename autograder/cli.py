"""`autograder`: from `new` and `release` to `feedback` and `marks`. Thin: it parses, calls and prints.

Exit codes: 0 done, 1 done, and something is to be looked at, 2 could not be done, which one line says.
"""

import json
import os
import sys
import tempfile
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
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of lines and tables.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would change, and change nothing.")]
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _example(line: str) -> str:
    """What stands at the end of a command's help."""
    return f"Example: autograder {line}"


class ZipName(StrEnum):
    moodle = "moodle"
    canvas = "canvas"
    names = "names"


class EngineName(StrEnum):
    jail = "jail"
    nbgrader = "nbgrader"


@app.command(epilog=_example("new 04_tagging --exercise pad_batch:2 --exercise viterbi:3"))
def new(
    name: Annotated[str, typer.Argument(help="The unit's number and word: 04_tagging.")],
    exercise: Annotated[list[str] | None, typer.Option(help="NAME:POINTS; once for each exercise.")] = None,
    ladder: Annotated[bool, typer.Option("--ladder", help="A rung of the ladder, too.")] = False,
    dry_run: DryRun = False,
) -> None:
    """Make every file that a new unit consists of, each with an example to replace."""
    from autograder.releasing import scaffold

    for line in scaffold.make(Course.find(), name, exercise or [], ladder, dry_run).told(dry_run):
        _say(line)


@app.command(epilog=_example("release ngrams --check"))
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
            _say(difference or f"{assignment.name}: up to date.")
            stale += difference is not None
        else:
            for line in release_unit(assignment, change_cells).told():
                _say(line)
    if not course.assignments():
        raise Trouble(f"There are no units in {course.solutions}.")
    if not check:
        for line in assistants.release(course):
            _say(line)
    elif line := assistants.first_stale(course):
        _say(line)
        stale += 1
    raise typer.Exit(1 if stale else 0)


@app.command(epilog=_example("bundle ngrams lstm"))
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
        _say(f"{'Would write ' * dry_run}{course.root / out / path.name} ({path.stat().st_size / 1e6:.1f} MB)")


@app.command(epilog=_example("students class.csv --dry-run"))
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
    _show(
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


@app.command(epilog=_example("collect ngrams submissions.zip --dry-run"))
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
    _show(done.told(dry_run), asdict(done), as_json)
    raise typer.Exit(0 if done.is_whole else 1)


@app.command(epilog=_example("forget adda --dry-run"))
def forget(student: Annotated[str, typer.Argument(help="An id.")], dry_run: DryRun = False, root: Root = None) -> None:
    """Remove what grading made of a student who never was, such as a misspelt folder's; files handed in stay."""
    from autograder.recording import students

    for line in students.forget(Course.find(root), student, dry_run):
        _say(f"{'Would remove' if dry_run else 'Removed'}: {line}")


@app.command(epilog=_example("grade ngrams --student ada"))
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
    outcomes = _grade_with_bar(assignment, as_json, student=student, workers=workers, force=force, **options)
    marks, elsewhere = gradebook.marks(assignment), strays(assignment, student)
    code = 1 if elsewhere or any(outcome.status not in GOOD for outcome in outcomes) else 0
    if as_json:
        _show([], as_dicts(outcomes, marks), as_json)
        raise typer.Exit(code)
    if not brief:
        console.print(marks_table(assignment.name, outcomes, marks, gradebook.full_names(assignment.course)))
    _say(closing_line(outcomes, marks))
    if old := len(outdated(assignment, student)):
        pages = "1 page in feedback/ is" if old == 1 else f"{old} pages in feedback/ are"
        _say(f"{pages} older than the marks: run `autograder feedback {assignment.name}`.")
    for line in [*elsewhere, *([] if student else roll_call(assignment))]:
        _say(line)
    raise typer.Exit(code)


@app.command(epilog=_example("mark ngrams"))
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

    serving.serve(Course.find(root).assignment(unit), port, browser, _say)


@app.command(epilog=_example("feedback ngrams --zip moodle"))
def feedback(
    unit: Unit,
    student: Student = None,
    workers: Annotated[int, typer.Option(min=1, help="How many pages at once.", show_default="the cores here")] = CORES,
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
        pages = _feedback_with_bar(assignment, as_json, workers=workers, **options)
    failed, lines = [page for page in pages if page.problem], feedback.told(pages, dry_run)
    packed = None
    if into:
        ready = {page.student: page.path for page in pages if not page.problem}
        packed = packing.pack(assignment, ready, into.value, moodle, dry_run)
        lines += packed.told(into.value, assignment.name, dry_run)
    told = {"pages": [page.to_dict() for page in pages], "zip": packed and packed.to_dict()}
    _show(lines, told, as_json)
    raise typer.Exit(1 if failed or (packed and packed.unnamed) else 0)


@app.command(epilog=_example("mail ngrams --send"))
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
    """Mail each student's feedback page to that student, once; class.toml's [mail] says how. Lists unless --send.

    Exit code 1: somebody gets nothing, and a line says why.
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
    _show(lines, told, as_json)
    raise typer.Exit(1 if plan.held or refused else 0)


@app.command(epilog=_example("report ngrams"))
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
    _show([*found.told(), f"{'Would write ' * dry_run}{path}"], found.to_dict(), as_json)


@app.command(epilog=_example('marks ngrams --into canvas.csv --column "ngrams=Unit 1 (777)"'))
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
            _say(line)
    if not dry_run:
        path.write_bytes(content)
    final = sum(bool(one.text) for each in columns for one in each.standings.values())
    _say(f"{'Would write ' * dry_run}{path}: {final} marks that are final.")
    raise typer.Exit(1 if odd else 0)


@app.command(epilog=_example("verify tagging --exercise viterbi --quick"))
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


@app.command("class", epilog=_example("class ngrams --every"))
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
            _say(line)
        return
    assignment, members = demo_class.make(home.assignment(unit), home.root / root, every)
    outcomes = _grade_with_bar(assignment, as_json, workers=workers, force=True)
    pages = _feedback_with_bar(assignment, as_json, workers=workers)
    told = {member.student: member.told for member in members}
    outcomes.sort(key=lambda outcome: list(told).index(outcome.student))
    if as_json:
        return _show([], as_dicts(outcomes, gradebook.marks(assignment)), as_json)
    console.print(marks_table(assignment.name, outcomes, gradebook.marks(assignment), told))
    for line in demo_class.what_next(assignment, len(pages)).splitlines():
        _say(line)


def _would_grade(assignment: Assignment, student: str | None, force: bool, as_json: bool) -> None:
    from autograder.grade import submissions_to_grade

    names = sorted(submissions_to_grade(assignment, student, force))
    lines = [f"Would grade {name}" for name in names] or ["Nothing new; --force grades again."]
    _show(lines, names, as_json)


def _grade_with_bar(assignment: Assignment, quiet: bool = False, **options) -> list:
    from autograder.grade import grade as grade_unit
    from autograder.grade import submissions_to_grade

    student, force, engine = (options.get(name) for name in ("student", "force", "grade_one"))
    total = len(submissions_to_grade(assignment, student, bool(force), engine))
    say = (lambda line: print(printable(line), file=sys.stderr)) if quiet else _say
    if not total:
        say("Nothing new; --force grades again.")
    counts: Counter[str] = Counter()
    with Progress(*COLUMNS, console=console, disable=quiet or not total) as bar:
        task = bar.add_task(f"Grading {assignment.name}", total=total)

        def advance(outcome) -> None:
            counts[outcome.status] += 1
            told = ", ".join(f"{count} {status}" for status, count in counts.most_common())
            bar.update(task, advance=1, description=f"Grading {assignment.name}: {told}")

        return grade_unit(assignment, progress=advance, say=say, **options)


def _feedback_with_bar(assignment: Assignment, quiet: bool = False, **options) -> list:
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


def _show(lines: list[str], data: object, as_json: bool) -> None:
    """Lines for a person, or the same as JSON for a program."""
    if as_json:
        print(json.dumps(data, ensure_ascii=False, indent=1).encode("utf-8", "replace").decode())
        return
    for line in lines:
        _say(line)


def _say(line: str) -> None:
    """A line as it is: no markup, no colours, not wrapped, so that a path can be copied; nothing for the terminal."""
    console.print(printable(line), markup=False, highlight=False, soft_wrap=True, emoji=False)


def main() -> None:
    """The console script: trouble becomes one line on standard error and exit code 2."""
    try:
        app()
    except Trouble as trouble:
        first, *more = trouble.lines
        print("\n".join(map(printable, [f"autograder: {first}", *more])), file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("autograder: stopped; what was done so far is kept.", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
