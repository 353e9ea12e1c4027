"""The row of a unit in the table of course/start.ipynb: linked to its notebook, or added in its place.

The page is read and written as JSON, in the one form in which Jupyter writes it, so that nothing but the row changes.
"""

import json
import re
from itertools import takewhile

from autograder.course import Assignment, Trouble

ROW = re.compile(r"\| \[?(\d+) · ")
PLACE = "course/start.ipynb"


def linked(page: str, assignment: Assignment, title: str) -> str:
    """The page's text with a link to the unit's notebook. Raises Trouble if it has no table of units."""
    content, number = read(page), int(assignment.name[:2])
    for cell in content["cells"]:
        lines = "".join(cell["source"]).splitlines(keepends=True)
        if any(map(ROW.match, lines)):
            cell["source"] = _with_row(lines, number, f"{assignment.name}/{assignment.released.name}", title)
            return json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    raise Trouble(f"{PLACE} has no table with rows like `| 4 · tagging | …`: the unit's row has no place.")


def read(page: str) -> dict:
    """The page as a dict; Trouble where it is no notebook."""
    try:
        content = json.loads(page)
        content["cells"]
    except (ValueError, KeyError, TypeError):
        raise Trouble(f"{PLACE} is no notebook: mend it first.") from None
    return content


def _with_row(lines: list[str], number: int, link: str, title: str) -> list[str]:
    """The lines with the unit's row linked, whatever it links to now; a new row stands before those that follow."""
    numbers = [int(row[1]) if (row := ROW.match(line)) else None for line in lines]
    if number in numbers:
        place = numbers.index(number)
        row = re.sub(r"^\| \[?(\d+ · [^]|]*?)(?:\]\([^)]*\))? \|", rf"| [\1]({link}) |", lines[place])
        return [*lines[:place], row, *lines[place + 1 :]]
    rows = [place for place, found in enumerate(numbers) if found is not None]
    before = list(takewhile(lambda place: numbers[place] < number, rows))
    place = before[-1] + 1 if before else rows[0]
    row = f"| [{number} · {title}]({link}) | [the model, in a few words] | [Its question?] |\n"
    return [*lines[:place], row, *lines[place:]]
