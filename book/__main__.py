"""``python -m book``: build the web book, check it, and say where it is.

    python -m book              the students' edition, in _build/book/html
    python -m book --answers    the instructor's edition, in _build/book-answers/html
    python -m book --check      check what is built, without building

UNROLLED_SCALE (smoke, cpu, gpu; default cpu) says how large the experiments are.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from autograder.course import Course, Trouble
from book import browser
from book.execute import executed, scale_from_environment
from book.finish import finish
from book.leaks import leaks
from book.pages import PAGES
from book.shown import instructors_edition, students_edition
from book.site import build_site
from book.source import MATHJAX, missing, write_source, write_toc
from book.verify import PageReport, check_book

console = Console(highlight=False)


def main(arguments: list[str] | None = None) -> int:
    """0 if the book is built and in order, 1 if something is wrong with it, 2 if it could not be built."""
    options = parse(arguments)
    try:
        course = Course.find()
        if options.solutions:
            course = replace(course, solutions=options.solutions.resolve())
        if not course.assignments():
            raise Trouble(f"no unit found: {course.solutions} has no file named like 01_ngrams.md")
        default = "book-answers" if options.answers else "book"
        folder = options.to or course.root / "_build" / default
        if not options.check:
            build(course, folder, options.answers)
        return report(course, folder, options.answers)
    except Trouble as trouble:
        print(f"book: {trouble}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("book: interrupted; the units that had been run are kept, and the next build goes on", file=sys.stderr)
        return 2


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m book", description="Build and check the web book.")
    parser.add_argument("--answers", action="store_true", help="build the instructor's edition")
    parser.add_argument("--check", action="store_true", help="check what is built, without building")
    parser.add_argument("--solutions", type=Path, help="folder of sources (default: solutions/)")
    parser.add_argument("--to", type=Path, help="folder to build in (default: _build/book)")
    return parser.parse_args(arguments)


def build(course: Course, folder: Path, answers: bool) -> None:
    """All steps up to the finished pages in `folder`/html."""
    if lack := missing(course.root):
        console.print(f"[yellow]{lack}[/]", soft_wrap=True)
    settings, toc, source = course.root / "jupyter_book.yml", folder / "toc.yml", folder / "source"
    runs = run_units(course, course.root / "_build" / "executed")
    notebooks = {
        assignment.name: instructors_edition(run) if answers else students_edition(run, assignment)
        for assignment, run in runs.items()
    }
    write_source(course, notebooks, source)
    write_toc(settings, toc)
    with console.status("Jupyter Book writes the pages"):
        made = build_site(settings, toc, source, folder / "work")
    with console.status("Formulas are set and pages finished"):
        finish(made, folder / "html", course.root / MATHJAX)


def run_units(course: Course, store: Path) -> dict:
    """Every unit's executed notebook, with a bar that counts cells; in a log a line a unit, when it is there."""
    scale = scale_from_environment()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        runs = {}
        for assignment in course.assignments():
            task = progress.add_task(f"{assignment.name} at scale {scale}", total=1)

            def show(number: int, total: int, task=task) -> None:
                progress.update(task, completed=number, total=total)

            runs[assignment] = executed(assignment, store, scale, show)
            progress.update(task, completed=progress.tasks[-1].total)
            if not console.is_terminal:
                console.print(f"{assignment.name} at scale {scale}: {round(progress.tasks[-1].elapsed or 0)} s")
    return runs


def report(course: Course, folder: Path, answers: bool) -> int:
    """Check the pages, print what was found and where the book is; 1 if anything is wrong."""
    html = folder / "html"
    with browser.chromium() as running:
        pages = check_book(html, [*PAGES, *(each.name for each in course.assignments())], running)
    print_table(pages)
    problems = [f"{page.name}.html {problem}" for page in pages for problem in page.problems]
    if not answers:
        files = sorted(html.glob("*.html"))
        problems += [found for each in course.assignments() for found in leaks(each, files)]
    if lack := browser.missing():
        console.print(f"[yellow]{lack}[/]", soft_wrap=True)
    for problem in problems:
        print(f"book: {problem}", file=sys.stderr)
    console.print(f"The book: {(html / 'index.html').resolve().as_uri()}", soft_wrap=True)
    return 1 if problems else 0


def print_table(pages: list[PageReport]) -> None:
    """Pages with weight and first paint."""
    table = Table("page", "kB", "first paint, ms", box=None)
    for column in table.columns[1:]:
        column.justify = "right"
    for page in pages:
        paint = "-" if page.first_paint is None else f"{page.first_paint:.0f}"
        table.add_row(page.name, f"{page.bytes / 1000:.0f}", paint)
    console.print(table)


if __name__ == "__main__":
    sys.exit(main())
