"""The course's data sets: what lies here, and what can be had.

python -m unrolled.data                    # a table: each set, its licence, and where it lies, if it does
python -m unrolled.data tiny_shakespeare   # fetches it, or says in a line why not
python -m unrolled.data --all              # fetches all that have an address
"""

import argparse
import sys
from collections.abc import Iterable

from . import finding
from .places import DataError

NOT_HERE = "not here yet"


def main(arguments: list[str] | None = None) -> int:
    """List the data sets, or fetch those asked for. Returns 0 if each that was asked for, or a stand-in, is there."""
    parser = argparse.ArgumentParser(
        prog="python -m unrolled.data",
        description="Without a name: list the course's data sets, and where each lies. With names: fetch those.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="the data sets to fetch")
    parser.add_argument("--all", action="store_true", help="fetch every data set that has an address")
    asked = parser.parse_args(arguments)
    fetched = [name for name, told in finding.registry().items() if not told.made_from]
    try:
        if asked.all or asked.names:
            rows = [_fetched(name) for name in (fetched if asked.all else asked.names)]
        else:
            rows = [_found(name) for name in fetched]
    except KeyboardInterrupt:
        print("Interrupted; what was fetched is kept.", file=sys.stderr)
        return 130
    if any(rows):
        print(_table(("name", "title", "licence", "where"), filter(None, rows)))
    return 0 if all(rows) else 1


def _found(name: str) -> tuple[str, ...]:
    """The table's row for one data set; nothing is fetched."""
    data_set = finding.data_set(name)
    found = finding.lying(name)
    return name, data_set.title, (found or data_set).licence, found.place if found else NOT_HERE


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
