"""The record of a unit's grading: `autograded/01_ngrams.json`, one object a student.

nbgrader's gradebook has no place for a status or a reason, so they stand beside it. Written by one process, whole
and in one step, after every submission: whoever stops `autograder grade` loses at most what was running.
"""

import hashlib
import json
import os
from pathlib import Path

from autograder.course import Course, Trouble, notebook_name
from autograder.outcome import Outcome

SCHEMA = 1


def ledger_path(course: Course, unit: str) -> Path:
    return course.path("autograded", unit, "x").parent.parent / f"{unit}.json"


def read(course: Course, unit: str) -> dict[str, Outcome]:
    """All recorded outcomes by student; empty if nothing was graded yet."""
    path = ledger_path(course, unit)
    if not path.exists():
        return {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return {name: Outcome.from_dict(record) for name, record in data["submissions"].items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Trouble(f"{path} is damaged ({error}); delete it and grade again with --force.") from error


def write(course: Course, unit: str, outcomes: dict[str, Outcome]) -> None:
    """Replaces the record in one step."""
    path = ledger_path(course, unit)
    path.parent.mkdir(parents=True, exist_ok=True)
    records = {name: outcomes[name].to_dict() for name in sorted(outcomes)}
    text = json.dumps({"schema": SCHEMA, "unit": unit, "submissions": records}, ensure_ascii=False, indent=1)
    new = path.with_suffix(".json.new")
    new.write_text(text + "\n", encoding="utf-8")
    os.replace(new, path)


def key(course: Course, unit: str, student: str) -> str:
    """A hash of all that a submission's marks depend on: its files, the unit's source, the checks."""
    digest = hashlib.sha256()
    for path in [*_files(course.path("submitted", unit, student)), *_graders_files(course, unit)]:
        digest.update(f"{path.name}\0{path.stat().st_size}\0".encode("utf-8", "surrogateescape"))
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _graders_files(course: Course, unit: str) -> list[Path]:
    import unrolled

    import autograder

    library, grader, name = Path(unrolled.__file__).parent, Path(autograder.__file__).parent, notebook_name(unit)
    return [
        *_files(course.path("source", unit)),
        course.root / "nbgrader_config.py",
        *sorted((library / "checking").glob("*.py")),
        *(path for path in (library / "checks" / f"{name}.py", grader / "hidden" / f"{name}.py") if path.exists()),
    ]


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
