"""`autograder verify`, without its options: run, show or print JSON, and say whether all is well."""

import json
import os
import sys

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from autograder.judging.quick import import_jsonschema

# Before torch is loaded: the trials fork, and must not meet threads (see `trial`).
os.environ.setdefault("OMP_NUM_THREADS", "1")


def run_verify(
    units: list[str] | None = None,
    exercises: list[str] | None = None,
    as_json: bool = False,
    fresh: bool = False,
    quick: bool = False,
) -> int:
    """Verify these units and exercises (default: all). Prints tables, or with `as_json` a list of objects alone.

    `fresh` tries again what earlier runs have tried; `quick` stops at the first trouble and prints no tables.
    Returns the exit code: 0 if all is well, 1 if there is trouble (a line each), 2 if there is nothing to verify.
    """
    import_jsonschema()
    from autograder.course import Trouble
    from autograder.specimens import MalformedSpecimen
    from autograder.verifying.report import show, troubles
    from autograder.verifying.unwritten import unwritten
    from autograder.verifying.verify import verify

    talk = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    try:
        with Progress(*columns, console=talk, transient=True, disable=not talk.is_terminal) as bar:
            task = bar.add_task("Reading answers", total=None)

            def progress(done: int, total: int, exercise: str) -> None:
                bar.update(task, completed=done, total=total, description=exercise)

            findings = verify(units or None, exercises or None, 0, progress, fresh, quick)
    except (Trouble, MalformedSpecimen) as error:
        print(error, file=sys.stderr)
        return 2
    if as_json:
        print(json.dumps([found.to_dict() for found in findings], ensure_ascii=False, indent=1))
    elif quick:
        print("\n".join(troubles(findings)) or "All is well.")
    else:
        show(findings, Console())
    if places := [place for unit in dict.fromkeys(found.unit for found in findings) for place in unwritten(unit)]:
        first, more = places[0], f" and {len(places) - 1} more" if places[1:] else ""
        print(f"Still as `autograder new` wrote it, in square brackets: {first}{more}.", file=sys.stderr)
    return 0 if all(found.good for found in findings) else 1
