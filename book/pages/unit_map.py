"""The units as a road: each with its question, what breaks, and so the next. It is a list, drawn by the style sheet.

A list needs no text alternative of its own: read aloud it says all that it shows. The little drawings are for the eye
alone.
"""

import json
import re
import tomllib
from dataclasses import dataclass
from html import escape
from pathlib import Path

from autograder.course import Assignment, Course

HERE = Path(__file__).parent
ROW = re.compile(r"^\| \[(?P<title>[^]]+)\]\((?P<folder>[^/]+)/[^)]+\) \| [^|]+ \| (?P<asks>[^|]+) \|$")
TITLE = re.compile(r"^# (?:Unit \d+: )?(.+)$", re.MULTILINE)
EMPHASIS = re.compile(r"\*([^*]+)\*")


@dataclass(frozen=True)
class Stop:
    """One unit on the map; `breaks` is None, and `question` empty, where nobody has said it."""

    name: str  # `ngrams`
    page: str  # `01_ngrams`
    title: str
    question: str
    breaks: str | None


def stops(course: Course) -> list[Stop]:
    """The units of the students' start page that the book has, and others that it has, in the course's order."""
    breaks = {name: unit["breaks"] for name, unit in tomllib.loads((HERE / "units.toml").read_text("utf-8")).items()}
    rows = dict(start_rows(course.root / "course" / "start.ipynb"))
    return [_stop(assignment, rows, breaks) for assignment in course.assignments()]


def start_rows(start: Path) -> list[tuple[str, tuple[str, str]]]:
    """(`01_ngrams`, (title, question)) for each unit that the start page links; none without a start page."""
    if not start.exists():
        return []
    cells = json.loads(start.read_text("utf-8"))["cells"]
    lines = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown").splitlines()
    found = filter(None, map(ROW.match, lines))
    return [(row["folder"], (row["title"], row["asks"])) for row in found]


def _stop(assignment: Assignment, rows: dict, breaks: dict) -> Stop:
    title, question = rows.get(assignment.name, (None, ""))
    if title is None:
        first = TITLE.search(assignment.source.read_text("utf-8"))
        title = f"{int(assignment.name[:2])} · {first[1] if first else assignment.notebook}"
    return Stop(assignment.notebook, assignment.name, title, question, breaks.get(assignment.notebook))


def drawn(units: list[Stop]) -> str:
    """The list, as a block of HTML in Markdown."""
    items = "\n".join(_item(unit, last=unit is units[-1]) for unit in units)
    return f'```{{raw}} html\n<ol class="unit-map">\n{items}\n</ol>\n```'


def _item(unit: Stop, last: bool) -> str:
    picture = HERE / "pictograms" / f"{unit.name}.svg"
    drawing = picture.read_text("utf-8").strip() if picture.exists() else ""
    lines = [f'<li class="stop"><div class="asks">{drawing}']
    lines.append(f'<p class="title"><a href="{unit.page}.html">{escape(unit.title)}</a></p>')
    lines.append(f'<p class="question">{_text(unit.question)}</p></div>')
    if unit.breaks:
        label = "And then?" if last else "What breaks"
        lines.append(f'<p class="breaks"><strong>{label}</strong> {_text(unit.breaks)}</p>')
    return "\n".join([*lines, "</li>"])


def _text(words: str) -> str:
    return EMPHASIS.sub(r"<em>\1</em>", escape(words, quote=False))
