"""Submissions a minute: this engine with one and two workers, plain `nbgrader autograde`, and `otter run`.

    python benchmarks/grading.py [--size 12] [--peers 4] [--class 1000] [--json FILE]

All grade the same notebooks of the same class (see `made_class`) with the same checks in one run, and their marks are
compared, exercise by exercise. The time is that of the whole command, start and record included; the engine has its
jail on.
The peers are slow and get the first `--peers` submissions. A large class would not feel the start: "once started" is
the pace from the first notebook written to the last. Cells tagged `experiment` are run by none. `--class` grades a
larger class with this engine alone and tells its peak memory. A peer that is missing is named and left out.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import made_class
import otter_peer
import psutil
from rich.console import Console
from rich.table import Table
from tqdm import tqdm

from autograder.course import Assignment, Course, Trouble
from autograder.judging.judge import Judge
from autograder.judging.rubric import Rubric
from autograder.judging.sitting import Sitting
from autograder.judging.warm.worker import Worker
from autograder.recording.gradebook import gradebook

ROOT = Path(__file__).parent.parent
UNIT = "01_ngrams"
BIN = Path(sys.executable).parent
QUIET = {"UNROLLED_SCALE": "smoke", "UNROLLED_OFFLINE": "1", "OMP_NUM_THREADS": "1", "MPLBACKEND": "agg"}
PATIENCE = 600.0  # seconds a command may take; --class has no limit
Marks = dict[str, dict[str, float]]  # by student and exercise

PLAIN = """
from pathlib import Path

c = get_config()
c.CourseDirectory.course_id = "unrolled"
c.CourseDirectory.root = str(Path(__file__).resolve().parent)
c.CourseDirectory.db_url = f"sqlite:///{c.CourseDirectory.root}/gradebook.db"
c.Execute.skip_cells_with_tag = "experiment"
"""


@dataclass
class Row:
    """One system's figures. `seconds` is the whole command; `peak` is bytes of memory, all its processes together."""

    system: str
    submissions: int
    seconds: float
    peak: int = 0
    once_started: float | None = None  # a minute
    marks: Marks = field(default_factory=dict, repr=False)

    @property
    def a_minute(self) -> float:
        return 60 * self.submissions / self.seconds


# --- running ---------------------------------------------------------------------------------------------------------


def timed(command: list, folder: Path, patience: float | None = PATIENCE, fine: tuple = (0,)) -> tuple[float, int]:
    """Seconds on the clock and peak memory (of the whole family, shared pages once) of a command.

    Raises RuntimeError with its last line if it takes too long, or ends with another code than the `fine` ones.
    """
    begin, peak = time.monotonic(), 0
    environment = os.environ | QUIET | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    with tempfile.TemporaryFile("w+") as told:
        process = subprocess.Popen([*map(str, command)], cwd=folder, env=environment, stdout=told, stderr=told)
        while process.poll() is None:
            peak = max(peak, memory_of(process.pid))
            if patience and time.monotonic() - begin > patience:
                process.kill()
            time.sleep(0.3)
        seconds = time.monotonic() - begin
        told.seek(0)
        last = told.read().strip().splitlines()[-1:]
    if process.returncode not in fine:
        raise RuntimeError(f"{Path(command[0]).name} ended with {process.returncode}: {''.join(last)[:200]}")
    return seconds, peak


def memory_of(pid: int) -> int:
    """Proportional set size of a process and all below it, in bytes: what they share counts once."""
    total = 0
    try:
        for process in [(top := psutil.Process(pid)), *top.children(recursive=True)]:
            total += _pss(process.pid)
    except psutil.Error:
        pass
    return total


def _pss(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def run_ours(assignment: Assignment, workers: int, size: int) -> Row:
    command = [BIN / "autograder", "grade", UNIT, "--root", assignment.course.root, "--workers", workers, "--force"]
    seconds, peak = timed(command, assignment.course.root, None, fine=(0, 1))  # 1: a submission was not graded
    name = f"unrolled, {workers} worker{'s' if workers > 1 else ''}"
    return Row(name, size, seconds, peak, pace(assignment), recorded(assignment))


def run_nbgrader(assignment: Assignment, size: int) -> Row:
    """Plain nbgrader, with its own settings, on a copy of the course that never saw ours."""
    course = assignment.course
    plain = Course(course.root.parent / "plain", course.solutions)
    for folder in ("source", "release"):
        shutil.copytree(course.root / folder, plain.root / folder)
    (plain.root / "nbgrader_config.py").write_text(PLAIN, encoding="utf-8")
    timed([BIN / "nbgrader", "generate_assignment", UNIT, "--force"], plain.root)
    for student in sorted(assignment.students())[:size]:
        shutil.copytree(assignment.submitted(student), plain.root / "submitted" / student / UNIT)
    seconds, peak = timed([BIN / "nbgrader", "autograde", UNIT], plain.root)
    return Row(
        "nbgrader autograde", size, seconds, peak, pace(Assignment(plain, UNIT)), recorded(Assignment(plain, UNIT))
    )


def run_otter(assignment: Assignment, size: int) -> Row:
    """`otter run`, once a submission, as it is meant to be used."""
    unit = Rubric.of(made_class.read(assignment.solved), assignment.notebook)
    folder = assignment.course.root.parent / "otter"
    otter_peer.write_tests(folder / "tests", unit)
    otter_peer.generate(folder / "tests", folder / "autograder.zip")
    row = Row("otter run", size, 0.0)
    for student in tqdm(sorted(assignment.students())[:size], desc="otter run", leave=False):
        output = folder / student
        output.mkdir()
        handed_in = assignment.submitted(student) / f"{unit.name}.ipynb"
        notebook = output / handed_in.name
        prepared = otter_peer.prepared(json.loads(handed_in.read_text(encoding="utf-8")), unit)
        notebook.write_text(json.dumps(prepared), encoding="utf-8")
        seconds, peak = timed(otter_peer.command(notebook, folder / "autograder.zip", output), output)
        row.seconds, row.peak = row.seconds + seconds, max(row.peak, peak)
        row.marks[student] = otter_peer.marks(output, unit)
    return row


def pace(assignment: Assignment) -> float | None:
    """Notebooks a minute from the first that was written to the last; None for fewer than two."""
    root = assignment.course.root
    written = sorted(path.stat().st_mtime for path in root.glob(str(assignment.autograded("*").relative_to(root))))
    return 60 * (len(written) - 1) / (written[-1] - written[0]) if len(written) > 1 else None


def recorded(assignment: Assignment) -> Marks:
    """The automatic scores in the course's gradebook."""
    marks: Marks = {}
    with gradebook(assignment.course) as book:
        for submission in book.find_assignment(assignment.name).submissions:
            grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
            marks[submission.student.id] = {
                grade.name.removesuffix("-check"): round(grade.auto_score or 0.0, 2)
                for grade in grades
                if grade.name.endswith("-check")
            }
    return marks


# --- comparing, and looking inside -----------------------------------------------------------------------------------


def agreement(ours: Marks, theirs: Marks) -> tuple[int, int]:
    """How many of the marks that both gave are equal to a hundredth, and how many both gave."""
    pairs = [
        (ours[student][name], mark)
        for student in theirs.keys() & ours.keys()
        for name, mark in theirs[student].items()
        if name in ours[student]
    ]
    return sum(abs(one - other) < 0.011 for one, other in pairs), len(pairs)


def profile(assignment: Assignment, size: int) -> dict[str, float]:
    """Mean seconds of one submission in the engine by itself, by what they go to."""
    source = made_class.read(assignment.solved)
    unit = Rubric.of(source, assignment.notebook)
    spent: dict[str, float] = {}
    with Judge(preload=unit.preload) as engine:
        unit = engine.learn(source, unit)
        with watched(spent):
            begin = time.monotonic()
            for student in sorted(assignment.students())[:size]:
                path = assignment.submitted(student) / f"{unit.name}.ipynb"
                engine.grade(json.loads(path.read_text(encoding="utf-8")), unit)
            spent["all of it"] = time.monotonic() - begin
    return {what: seconds / size for what, seconds in spent.items()}


class watched:
    """While it is entered, three steps of the engine add their seconds to `spent`."""

    STEPS = ((Worker, "fork", "fork and jail"), (Sitting, "_run_code", "cells"), (Sitting, "_judge", "checks"))

    def __init__(self, spent: dict[str, float]):
        self._spent, self._kept = spent, [(owner, name, getattr(owner, name)) for owner, name, _ in self.STEPS]

    def __enter__(self) -> None:
        for owner, name, what in self.STEPS:
            setattr(owner, name, self._adding(getattr(owner, name), what))

    def __exit__(self, *error: object) -> None:
        for owner, name, function in self._kept:
            setattr(owner, name, function)

    def _adding(self, function: Callable, what: str) -> Callable:
        def wrapper(*args, **kwargs):
            begin = time.monotonic()
            try:
                return function(*args, **kwargs)
            finally:
                self._spent[what] = self._spent.get(what, 0.0) + time.monotonic() - begin

        return wrapper


# --- the run ---------------------------------------------------------------------------------------------------------


def measure(arguments: argparse.Namespace, folder: Path, console: Console) -> dict:
    assignment = made_class.make(Course.find(ROOT).assignment(UNIT), folder / "class", arguments.size)
    few = min(arguments.peers, arguments.size)
    jobs: list[Callable[[], Row]] = [lambda n=n: run_ours(assignment, n, arguments.size) for n in arguments.workers]
    if few:
        jobs.append(lambda: run_nbgrader(assignment, few))
        if otter_peer.installed():
            jobs.append(lambda: run_otter(assignment, few))
        else:
            console.print("otter-grader is not installed and left out: tools/bench_packages.sh otter")
    rows = []
    for job in tqdm(jobs, desc="systems", leave=False):
        rows.append(row := job())
        console.print(f"{row.system}: {row.submissions} in {row.seconds:.1f} s")
    return summary(rows, profile(assignment, min(8, arguments.size)))


def summary(rows: list[Row], spent: dict[str, float]) -> dict:
    """The figures as --json has them. A ratio is that of submissions a minute to nbgrader's."""
    speed = {row.system: row.a_minute for row in rows}
    base = speed.get("nbgrader autograde")
    ours = next((row.marks for row in rows if row.system.startswith("unrolled")), {})
    return {
        "submissions_a_minute": speed,
        "ratio": {name: value / base for name, value in speed.items()} if base else {},
        "once_started": {row.system: row.once_started for row in rows if row.once_started},
        "marks_equal": {row.system: agreement(ours, row.marks) for row in rows},
        "seconds_a_submission": spent,
        "rows": [{key: value for key, value in asdict(row).items() if key != "marks"} for row in rows],
    }


def show(result: dict, console: Console) -> None:
    table = Table("", "graded", "seconds", "a minute", "× nbgrader", "once started", "peak MiB", "marks equal to ours")
    for row in result["rows"]:
        name = row["system"]
        equal, both = result["marks_equal"][name]
        ratio = f"{result['ratio'][name]:.1f}" if result["ratio"] else ""
        figures = (
            f"{row['seconds']:.1f}",
            f"{result['submissions_a_minute'][name]:.1f}",
            ratio,
            f"{row['once_started'] or 0:.1f}",
            f"{row['peak'] >> 20:,}",
        )
        table.add_row(name, str(row["submissions"]), *figures, f"{equal} of {both}")
    console.print(table)
    steps = Table("one submission in the engine, nothing recorded", "seconds")
    for what, seconds in result["seconds_a_submission"].items():
        steps.add_row(what, f"{seconds:.3f}")
    console.print(steps)


def grade_large(size: int, workers: int, folder: Path, console: Console) -> dict:
    """A large class in one go: seconds, peak memory, the gradebook's size, statuses."""
    assignment = made_class.make(Course.find(ROOT).assignment(UNIT), folder / "large", size)
    row = run_ours(assignment, workers, size)
    statuses: dict[str, int] = {}
    for path in assignment.course.root.glob(f"autograded/*/{UNIT}/*.json"):
        status = json.loads(path.read_text(encoding="utf-8")).get("status", "no status")
        statuses[status] = statuses.get(status, 0) + 1
    result = {
        "submissions": size,
        "workers": workers,
        "seconds": row.seconds,
        "submissions_a_minute": row.a_minute,
        "peak_bytes": row.peak,
        "gradebook_bytes": (assignment.course.root / "gradebook.db").stat().st_size,
        "recorded": len(row.marks),
        "statuses": statuses,
    }
    console.print(
        f"{size:,} submissions, {workers} workers: {row.seconds:.0f} s, {row.a_minute:.0f} a minute, "
        f"peak {row.peak >> 20:,} MiB, gradebook {result['gradebook_bytes'] >> 10:,} KiB, statuses {statuses}"
    )
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=12, help="submissions that this engine grades (12)")
    parser.add_argument(
        "--peers", type=int, default=4, help="of them, those that the peers grade (4); 0 leaves them out"
    )
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2], help="numbers of workers to try (1 2)")
    parser.add_argument("--class", type=int, dest="large", help="grade a class of this size with this engine alone")
    parser.add_argument("--json", type=Path, help="write the figures there, too")
    arguments, console = parser.parse_args(), Console()
    with tempfile.TemporaryDirectory() as folder:
        try:
            if arguments.large:
                result = grade_large(arguments.large, max(arguments.workers), Path(folder), console)
            else:
                result = measure(arguments, Path(folder), console)
                show(result, console)
        except (OSError, RuntimeError, Trouble) as problem:
            sys.exit(str(problem))
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
