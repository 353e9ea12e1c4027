"""What a platform calls each student's submission: kept beside the attempts, since it takes pages back by these names.

`collected/01_ngrams.json` (schema 1) has for each student, by platform, the name of the attempt that counts: Moodle's
folder, or Canvas's file.
"""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

from autograder.course import Assignment, Trouble

from .keeping import Kept, last
from .shapes import Attempt, Who

SCHEMA = 1
FORMS = {  # where an account's number stands in a platform's name
    "Moodle": re.compile(r"[^/]+_(\d+)_assignsubmission_file_$"),
    "Canvas": re.compile(r"[^_/]+(?:_LATE)?_(\d+)_\d+_"),
}
Names = dict[str, dict[str, str]]  # by student, then by platform


def record(assignment: Assignment) -> Path:
    """Where the names are kept."""
    return assignment.course.root / "collected" / f"{assignment.name}.json"


def name_of(platform: str, attempt: Attempt) -> str:
    """The platform's name of an attempt; nothing where it takes no pages back by name."""
    if platform == "Moodle":
        return moodle_folder(attempt.who)
    if platform == "Canvas":
        files = sorted(attempt.files.items(), key=lambda each: each[0].suffix.casefold() != ".ipynb")
        return files[0][1].path.name if files else ""
    return ""


def moodle_folder(who: Who) -> str:
    """The folder in Moodle's archive. It reads the parts between the first `_`, so the name itself has none."""
    return f"{' '.join(who.name.replace('_', ' ').split())}_{who.number}_assignsubmission_file_"


def last_names(those: list[tuple[Kept, str, str]]) -> dict[str, str]:
    """By platform, what it calls the attempt that counts."""
    found = {}
    for platform in sorted({platform for _, platform, name in those if name}):
        theirs = [(kept, name) for kept, where, name in those if where == platform and name]
        found[platform] = last(theirs, key=lambda each: each[0].order)[1]
    return found


def accounts(assignment: Assignment) -> Iterator[tuple[str, str, str]]:
    """(student, platform, account) of all names that are kept. Raises Trouble."""
    for student, names in read(assignment).items():
        for platform, name in names.items():
            if (form := FORMS.get(platform)) and (match := form.match(name)):
                yield student, platform, match[1]


def read(assignment: Assignment) -> Names:
    """What is kept; empty if nothing was collected. Raises Trouble."""
    path = record(assignment)
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        if said["schema"] != SCHEMA:
            raise ValueError(f"schema {said['schema']} where {SCHEMA} was expected")
        return {student: dict(names) for student, names in said["students"].items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Trouble(f"{path} is damaged ({error}): remove it and run `autograder collect` again.") from None


def keep(assignment: Assignment, found: Names) -> None:
    """Adds names, in one step; what says the same already is not touched."""
    before = read(assignment)
    students = before | {student: before.get(student, {}) | names for student, names in found.items()}
    if students == before:
        return
    path = record(assignment)
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".json.new")
    text = json.dumps({"schema": SCHEMA, "students": students}, ensure_ascii=False, indent=1, sort_keys=True)
    new.write_text(text + "\n", encoding="utf-8", errors="surrogateescape")
    os.replace(new, path)
