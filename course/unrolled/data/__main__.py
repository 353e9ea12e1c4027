"""`python -m unrolled.data`: fetch the course's data sets and list what each is and where it came from."""

import argparse
import sys
from collections.abc import Iterable

from . import finding
from .places import DataError


def main(arguments: list[str] | None = None) -> int:
    """Fetch the data sets asked for and list them. Returns 0 if each, or a stand-in for it, is there."""
    parser = argparse.ArgumentParser(
        prog="python -m unrolled.data",
        description="Fetch the course's data sets and list what each is and where it came from.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="the data sets to fetch (default: all)")
    parser.add_argument("--all", action="store_true", help="fetch every data set that has an address")
    asked = parser.parse_args(arguments)
    fetched = [name for name, told in finding.registry().items() if not told.made_from]
    names = fetched if asked.all or not asked.names else asked.names
    try:
        rows = [_fetched(name) for name in names]
    except KeyboardInterrupt:
        print("Interrupted; what was fetched is kept.", file=sys.stderr)
        return 130
    if any(rows):
        print(_table(("name", "title", "licence", "where"), filter(None, rows)))
    return 0 if all(rows) else 1


def _fetched(name: str) -> tuple[str, ...] | None:
    """The table's row for one data set; None, and a line on standard error, if it cannot be had."""
    try:
        data_set = finding.data_set(name)
        found = [finding.source(name, file.name) for file in data_set.files][0]
    except DataError as problem:
        print(problem, file=sys.stderr)
        return None
    return name, data_set.title, found.licence, found.place


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


if __name__ == "__main__":
    sys.exit(main())
