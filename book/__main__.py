"""``python -m book``: build the web book, check it, and say where it is.

    python -m book                          the public edition, without answers: _build/book/html and _build/book.zip
    python -m book --edition instructor     with answers: _build/book-instructor/html and _build/book-instructor.zip
    python -m book --check                  check what is built, without building

UNROLLED_SCALE (smoke, cpu, gpu; default cpu) says how large the experiments are.
"""

import argparse
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from autograder.course import Assignment, Course, Trouble
from book import browser
from book.execute import executed, scale_from_environment
from book.finish import finish
from book.launch import Launch
from book.leaks import leaks
from book.packed import pack
from book.pages import PAGES
from book.places import keep_heights
from book.shown import instructors_edition, students_edition
from book.site import build_site
from book.source import MATHJAX, missing, write_source, write_toc
from book.verify import PageReport, check_book

EDITIONS = ("public", "instructor")
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
        answers = options.edition == "instructor"
        folder = options.to or course.root / "_build" / ("book-instructor" if answers else "book")
        if not options.check:
            build(course, folder, answers)
        return report(course, folder, answers)
    except Trouble as trouble:
        print(f"book: {trouble}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("book: interrupted; the units that had been run are kept, and the next build goes on", file=sys.stderr)
        return 2


def parse(arguments: list[str] | None) -> argparse.Namespace:
    raw = argparse.RawDescriptionHelpFormatter
    ends = "0: the book is built and in order; 1: something is wrong with it; 2: it could not be built"
    parser = argparse.ArgumentParser(prog="python -m book", description=__doc__, epilog=ends, formatter_class=raw)
    parser.add_argument("--edition", choices=EDITIONS, default=EDITIONS[0], help="instructor: with answers")
    parser.add_argument("--check", action="store_true", help="check what is built, without building")
    parser.add_argument("--solutions", type=Path, help="folder of sources (default: solutions/)")
    parser.add_argument("--to", type=Path, help="folder to build in (default: _build/book)")
    return parser.parse_args(arguments)


def build(course: Course, folder: Path, answers: bool, settings: Path | None = None) -> None:
    """All steps up to the finished pages in `folder`/html, and their zip beside `folder`."""
    settings = settings or course.root / "jupyter_book.yml"
    if lack := missing(course.root):
        console.print(f"[yellow]{lack}[/]", soft_wrap=True)
    toc, source = folder / "toc.yml", folder / "source"
    write_toc(settings, toc)
    launch = Launch.read(settings)
    runs = run_units(course, course.root / "_build" / "executed")
    notebooks = {
        assignment.name: instructors_edition(run) if answers else students_edition(run, assignment)
        for assignment, run in runs.items()
    }
    write_source(course, notebooks, source)
    with console.status("Jupyter Book writes the pages"):
        made = build_site(settings, toc, source, folder / "work")
    with console.status("Formulas are set and pages finished"):
        finish(made, folder / "html", course.root / MATHJAX, buttons(launch, runs))
    with console.status("The widgets' places are measured"), ThreadPoolExecutor(1) as apart:
        apart.submit(measure, folder / "html").result()  # a thread has one Playwright, and the caller may have it
    pack(folder / "html", zip_of(folder))


def measure(html: Path) -> None:
    """Write the widgets' heights into the pages, if there is a Chromium."""
    with browser.chromium() as running:
        keep_heights(html, running)


def buttons(launch: Launch | None, units: Iterable[Assignment]) -> dict[str, dict[str, str]]:
    """{page: {words on a button: address}} for the units; empty without a `launch` section."""
    return {f"{unit.name}.html": launch.links(unit) for unit in units} if launch else {}


def zip_of(folder: Path) -> Path:
    """Where the zip of a book goes that is built in `folder`: beside it."""
    return folder.with_name(f"{folder.name}.zip")


def run_units(course: Course, store: Path) -> dict:
    """Every unit's executed notebook, with a bar that counts cells, and a line that stays for each unit."""
    scale, runs = scale_from_environment(), {}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        for assignment in course.assignments():
            task, began, cells = progress.add_task(assignment.name, total=None), time.monotonic(), 0

            def show(number: int, total: int, task=task) -> None:
                nonlocal cells
                cells = total
                progress.update(task, completed=number, total=total)

            runs[assignment] = executed(assignment, store, scale, show)
            progress.remove_task(task)
            told = f"{cells} cells run in {time.monotonic() - began:.0f} s" if cells else "unchanged, not run again"
            progress.console.print(f"{assignment.name} at scale {scale}: {told}", soft_wrap=True)
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
    console.print(f"As one file: {zip_of(folder)}", soft_wrap=True)
    return 1 if problems else 0


def print_table(pages: list[PageReport]) -> None:
    """Pages with their weight, and how soon and how quietly they come on a slow phone."""
    table = Table("page", "kB, compressed", "first paint, ms", "layout shift", box=None)
    for column in table.columns[1:]:
        column.justify = "right"
    for page in pages:
        paint = "-" if page.first_paint is None else f"{page.first_paint:.0f}"
        shift = "-" if page.shift is None else f"{page.shift:.3f}"
        table.add_row(page.name, f"{page.bytes / 1000:.0f}", paint, shift)
    console.print(table)


if __name__ == "__main__":
    sys.exit(main())
