"""The record of a unit's grading: `autograded/01_ngrams.jsonl`, one line a graded submission.

nbgrader's gradebook has no place for a status or a reason, so they stand beside it. The first line is
`{"schema": 2, "unit": …}`; every other one is an `Outcome`, and of several of one student the last counts. A line is
added in one write after each submission, so whoever stops `autograder grade` loses at most what was running; a last
line that was torn on the way is passed over. Each run begins by writing the file anew, with one line a student.
"""

import hashlib
import json
import os
from pathlib import Path

from autograder.course import Assignment, Trouble
from autograder.outcome import Outcome
from autograder.receiving.files import walk

SCHEMA = 2


def read(assignment: Assignment) -> dict[str, Outcome]:
    """All recorded outcomes by student; empty if nothing was graded yet."""
    path = assignment.record
    if not path.exists():
        return {}
    try:
        head, *lines = path.read_text(encoding="utf-8").split("\n")[:-1] or [""]  # what follows the last \n was torn
        if json.loads(head)["schema"] != SCHEMA:
            raise ValueError(f"schema {json.loads(head)['schema']} where {SCHEMA} was expected")
        outcomes = [Outcome.from_dict(json.loads(line)) for line in lines if line]
        return {outcome.student: outcome for outcome in outcomes}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Trouble(f"{path} is damaged ({error}); delete it and grade again with --force.") from error


def write(assignment: Assignment, outcomes: dict[str, Outcome]) -> None:
    """Replaces the record in one step."""
    path = assignment.record
    path.parent.mkdir(parents=True, exist_ok=True)
    head = json.dumps({"schema": SCHEMA, "unit": assignment.name})
    lines = [head, *(_line(outcomes[name]) for name in sorted(outcomes))]
    new = path.with_suffix(".jsonl.new")
    new.write_text("\n".join(lines) + "\n", encoding="utf-8")
    os.replace(new, path)


def append(assignment: Assignment, outcome: Outcome) -> None:
    """Adds one outcome to a record that `write` has begun."""
    with open(assignment.record, "ab") as file:
        file.write((_line(outcome) + "\n").encode())


def _line(outcome: Outcome) -> str:
    return json.dumps(outcome.to_dict())  # ASCII: a folder's name need not be valid UTF-8


# --- what marks depend on --------------------------------------------------------------------------------------------


OF_ONE_UNIT = ("hidden", "specimens")  # folders in which each file is a unit's own


def graders_key(assignment: Assignment) -> str:
    """A hash of all that everybody's marks in a unit depend on: its source, the checks, the settings, this engine.

    And the class's secret, which nobody can tell from it.
    """
    digest = _digest(_graders_files(assignment))
    digest.update(assignment.course.secret.encode())
    return digest.hexdigest()


def key(assignment: Assignment, student: str, graders: str = "") -> str:
    """A hash of all that a submission's marks depend on; `graders` is `graders_key`, if it is known."""
    digest = _digest(_files(assignment.submitted(student)))
    digest.update((graders or graders_key(assignment)).encode())
    return digest.hexdigest()


def _digest(paths: list[Path]):
    digest = hashlib.sha256()
    for path in paths:
        try:
            with open(path, "rb") as file:
                content = hashlib.file_digest(file, "sha256").digest()
        except OSError as error:  # what cannot be read now may be readable the next time
            content = str(error).encode("utf-8", "surrogateescape")
        digest.update(path.name.encode("utf-8", "surrogateescape") + b"\0" + content)
    return digest


def _graders_files(assignment: Assignment) -> list[Path]:
    import unrolled

    import autograder

    library, grader, name = Path(unrolled.__file__).parent, Path(autograder.__file__).parent, assignment.notebook
    return [
        *_files(assignment.solved.parent),
        *_files(assignment.released.parent, "*.ipynb"),
        assignment.course.root / "nbgrader_config.py",
        *sorted((library / "checking").glob("*.py")),
        *sorted((library / "checks" / "helpers").glob("*.py")),
        *(path for path in (library / "checks" / f"{name}.py", grader / "hidden" / f"{name}.py") if path.exists()),
        *sorted(path for path in grader.rglob("*.py") if path.relative_to(grader).parts[0] not in OF_ONE_UNIT),
    ]


def _files(folder: Path, pattern: str = "*") -> list[Path]:
    """As far as repair looks: folders within folders without end must not hold up everybody."""
    return sorted(path for path in walk(folder) if path.match(pattern) and not path.is_symlink())
