"""What AI assistants may do, said once: assistants.md, above the solutions, or in a class's own folder.

Its text is made into two: AGENTS.md, which assistants find in the students' folder, is all of it; the start page has
its first section, which is for students. Without the file there is neither. Left out on purpose: files that single
products look for; AGENTS.md is what most of them read by now.
"""

import json
import re
from pathlib import Path

from autograder.course import Course, Trouble
from autograder.releasing import start_page
from autograder.releasing.source import write_if_changed

NAME, AGENTS, START = "assistants.md", "AGENTS.md", "start.ipynb"
CELL, BEFORE = "assistants", "ready"  # the cell's id on the start page, and that of the cell that it stands before
SECTION = re.compile(r"^## .*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def text(course: Course) -> str | None:
    """The teacher's text, None where there is none: the class's own file goes before the one beside the solutions."""
    for folder in (course.root, course.solutions.parent):
        path = folder / NAME
        if path.is_file():
            return _read(path)
    return None


def _read(path: Path) -> str:
    try:
        found = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise Trouble(f"{path} cannot be read ({error}): save it as UTF-8.") from error
    if not SECTION.search(found):
        raise Trouble(f"{path} has no line that begins with '## ': the first such section is what students read.")
    return found.strip() + "\n"


def on_start_page(page: bytes, said: str | None) -> bytes:
    """The start page with the first section of what is said as a cell of its own, or without that cell."""
    content = start_page.read(page.decode("utf-8", "replace"))
    cells = [cell for cell in content["cells"] if cell.get("id") != CELL]
    if said is not None:
        lines = SECTION.search(said)[0].strip().splitlines(keepends=True)
        place = next((at for at, cell in enumerate(cells) if cell.get("id") == BEFORE), len(cells))
        cells.insert(place, {"cell_type": "markdown", "id": CELL, "metadata": {}, "source": lines})
    content["cells"] = cells
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()


def files(course: Course) -> dict[Path, bytes | None]:
    """What the students' folder should hold, None where a file should not be there; empty if it has no start page."""
    folder = course.directory.format_path(course.directory.release_directory, ".", ".")
    start, agents = (Path(folder).resolve() / name for name in (START, AGENTS))
    if not start.is_file():
        return {}
    said = text(course)
    return {agents: said.encode() if said else None, start: on_start_page(start.read_bytes(), said)}


def first_stale(course: Course) -> str | None:
    """The first file that says something else than assistants.md, in one line, or None."""
    for path, content in files(course).items():
        if (path.read_bytes() if path.is_file() else None) != content:
            return f"{path.name}: it says something else than {NAME}; run `autograder release`."
    return None


def release(course: Course) -> list[str]:
    """Brings both files up to date; a line for each that changed."""
    told = []
    for path, content in files(course).items():
        if content is None and path.is_file():
            path.unlink()
            told.append(f"{path} removed: there is no {NAME}.")
        elif content is not None and write_if_changed(path, content):
            told.append(f"{path} written from {NAME}.")
    return told
