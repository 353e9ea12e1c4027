"""What a page of the book weighs and how soon it shows on a slow phone, beside the same page as Jupyter Book left it.

    python benchmarks/book_pages.py [--book _build/book] [--pages 01_ngrams 06_attention] [--rounds 3] [--json FILE]

Each round opens every page anew in Chromium, in Lighthouse's mobile profile: 412 pixels, a processor slowed down four
times, 1.6 Mbit/s with 150 ms a round trip, nothing cached. Bytes are those that went over the line until the page was
quiet, compressed; paint is the first contentful one, the median over the rounds; shift is the cumulative layout shift
while loading. The peer is the page before `book.finish`: MathJax and icons by script, all of the theme's styles. Its
widgets are not drawn, which is in its favour. Other work on the machine makes both later.

Exit codes: 0 done, 1 a page of ours is over a limit, 2 there is no book, or no Chromium.
"""

import argparse
import json
import statistics
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from tqdm import tqdm

from book import browser
from book.serving import served
from book.verify import HEAVIEST_PAGE, LARGEST_SHIFT, SLOWEST_PAINT

ROOT = Path(__file__).parents[1]


@dataclass
class Row:
    """One page of one book: kB over the line, first paint in ms (median of the rounds), layout shift (the largest)."""

    page: str
    book: str
    kB: float
    paint: float
    shift: float


def main(arguments: list[str] | None = None) -> int:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--book", type=Path, default=ROOT / "_build" / "book", help="where `make book` built")
    parser.add_argument("--pages", nargs="+", help="names of pages, without .html (default: all)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, help="write the rows to this file, too")
    options = parser.parse_args(arguments)
    books = {"ours": options.book / "html", "as Jupyter Book left it": options.book / "work" / "_build" / "html"}
    if fault := cannot(books["ours"], options):
        print(f"benchmarks/book_pages.py: {fault}", file=sys.stderr)
        return 2
    pages = options.pages or sorted(path.stem for path in books["ours"].glob("*.html"))
    rows = measured({name: folder for name, folder in books.items() if folder.is_dir()}, pages, options.rounds)
    print_rows(rows)
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n", "utf-8")
    return 1 if any(over_a_limit(row) for row in rows if row.book == "ours") else 0


def cannot(html: Path, options) -> str | None:
    """Why nothing can be measured, in a line, or None."""
    if not html.is_dir():
        return f"there is no book in {options.book}: `make book` builds one"
    if options.rounds < 1:
        return f"--rounds is {options.rounds}: give 1 or more"
    lacking = [name for name in options.pages or [] if not (html / f"{name}.html").is_file()]
    return f"the book has no page {', '.join(lacking)}" if lacking else browser.missing()


def measured(books: dict[str, Path], pages: list[str], rounds: int) -> list[Row]:
    """A row for each page and book, in that order."""
    seen = {(page, book): [] for page in pages for book in books if (books[book] / f"{page}.html").is_file()}
    with browser.chromium() as running:
        for page, book in tqdm([*seen] * rounds, unit="page"):
            with served(books[book]) as address:
                seen[page, book].append(browser.visit(running, f"{address}/{page}.html"))
    return [row_of(page, book, visits) for (page, book), visits in seen.items()]


def row_of(page: str, book: str, visits: list[browser.Visit]) -> Row:
    """The rounds of a page in one row."""
    paint = statistics.median(visit.first_paint for visit in visits)
    return Row(page, book, max(visit.bytes for visit in visits) / 1000, paint, max(visit.shift for visit in visits))


def over_a_limit(row: Row) -> bool:
    """Whether a page is too heavy, too late or restless."""
    return row.kB > HEAVIEST_PAGE / 1000 or not 0 <= row.paint <= SLOWEST_PAINT or row.shift > LARGEST_SHIFT


def print_rows(rows: list[Row]) -> None:
    """All rows as a table."""
    table = Table("page", "book", "kB, compressed", "first paint, ms", "layout shift", box=None)
    for column in table.columns[2:]:
        column.justify = "right"
    for row in rows:
        table.add_row(row.page, row.book, f"{row.kB:.0f}", f"{row.paint:.0f}", f"{row.shift:.3f}")
    Console(width=110).print(table)


if __name__ == "__main__":
    sys.exit(main())
