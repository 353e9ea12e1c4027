"""`python -m unrolled.checking NOTEBOOK`: the tables of a notebook in a terminal, or in a classroom's CI.

Cells tagged `experiment` are left out. Exit code 0: all properties of all exercises hold; 1: some do not;
2: the notebook cannot be read or holds no check.
"""

import argparse
import contextlib
import io
import json
import sys
from pathlib import Path

from . import notebook, table
from .answer import explain


def cells(path: Path) -> list[str]:
    """The code cells to run. Raises ValueError, with one line, for a file that is no notebook."""
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
        found = [cell for cell in data["cells"] if cell["cell_type"] == "code"]
        runs = [cell for cell in found if "experiment" not in cell.get("metadata", {}).get("tags", [])]
        return ["".join(cell["source"]) for cell in runs]
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from error
    except (KeyError, TypeError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} is no notebook: {type(error).__name__}: {error}") from error


def run_cells(sources: list[str]) -> list[str]:
    """Run the cells one after another in a fresh IPython shell; return a line for each cell that raised."""
    from IPython.core.interactiveshell import InteractiveShell

    shell, troubles = InteractiveShell.instance(), []
    for number, source in enumerate(sources, start=1):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            outcome = shell.run_cell(source, store_history=True)
        error = outcome.error_before_exec or outcome.error_in_exec
        if error is not None:
            troubles.append(f"code cell {number} raised {explain(error)}")
    return troubles


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m unrolled.checking", description=__doc__.splitlines()[0])
    parser.add_argument("notebook", type=Path)
    parser.add_argument("--json", action="store_true", help="print the reports as JSON")
    options = parser.parse_args(arguments)
    notebook.reports.clear()
    try:
        troubles = run_cells(cells(options.notebook))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    reports = [report.to_dict() for report in notebook.reports]
    print(json.dumps(reports) if options.json else "\n\n".join(table.text(report) for report in reports))
    for line in troubles:
        print(line, file=sys.stderr)
    if not reports:
        print(f"{options.notebook} runs no check", file=sys.stderr)
        return 2
    if not options.json:
        print(f"\n{summary(options.notebook, reports)}")
    return 0 if all(report.all_held for report in notebook.reports) and not troubles else 1


def summary(path: Path, reports: list[dict]) -> str:
    """One line on the whole notebook; an exercise whose check did not run counts as nothing earned, and is named."""
    asked = {report["exercise"]: report["points"] for report in reports}
    missing = {name: points for name, points in _check_cells(path).items() if name not in asked}
    earned = sum(report["earned"] for report in reports)
    total = sum(asked.values()) + sum(missing.values())
    line = f"{earned:g} of {total:g} points in {len(asked) + len(missing)} exercises"
    return line + (f"; could not be checked: {', '.join(missing)}" if missing else "")


def _check_cells(path: Path) -> dict[str, float]:
    """The exercises that the notebook's own check cells ask for, and their points."""
    marks = [cell.get("metadata", {}).get("nbgrader", {}) for cell in json.loads(path.read_text("utf-8-sig"))["cells"]]
    checks = [mark for mark in marks if str(mark.get("grade_id", "")).endswith("-check")]
    return {mark["grade_id"].removesuffix("-check"): mark.get("points", 0) for mark in checks}


if __name__ == "__main__":
    sys.exit(main())
