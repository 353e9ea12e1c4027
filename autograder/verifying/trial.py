"""Run an answer through all checks of its exercise, in a child process that may loop, crash or eat memory.

The child is a fork, so it has torch and the checks loaded already and starts in milliseconds. That is safe as long
as this process has never run torch on several threads: `prepare` sets one thread. The report comes back as JSON
through a pipe. The answers are our own (specimens, mutants), so there is no jail here: only limits.
"""

import contextlib
import faulthandler
import importlib
import json
import os
import resource
import select
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from autograder.course import Trouble
from autograder.words import word_of

MEMORY = 2 * 2**30  # bytes that a child may take beyond what it starts with
PATIENCE = 20  # seconds on the clock for each second of the processor's time
FINISHED, TIMED_OUT, DIED = "finished", "timed out", "died"


@dataclass(frozen=True)
class Job:
    """An answer to try: the exercise's name and the source that defines it.

    `prelude` is run before the source (a notebook's imports). `limit` is in whole seconds of the processor's time,
    so that a busy machine changes no verdict; what sleeps is stopped after `PATIENCE` times as long. `seed` is for the
    checks' inputs, if it is not to be that of the whole run.
    """

    exercise: str
    source: str
    prelude: str = ""
    limit: int = 20
    seed: int | None = None
    until_failure: ClassVar[bool] = False

    def carry_out(self, seed: int) -> dict[str, Any]:
        """The report on the answer; one that cannot even be defined has an empty one. Called in the child."""
        from unrolled.checking import LocalAnswer, run
        from unrolled.checking.registry import SEED_VARIABLE, forbidden

        os.environ[SEED_VARIABLE] = str(seed if self.seed is None else self.seed)
        notes: dict[str, Any] = {}
        try:
            answer = self.wrapped(self.defined(), notes)
        except Exception:
            return {}
        heard = LocalAnswer(answer, forbidden(self.exercise))
        return run(self.exercise, heard, points=1.0, until_failure=self.until_failure).to_dict() | notes

    def defined(self) -> Any:
        """The answer itself. Raises whatever its source raises."""
        space: dict[str, Any] = {"__name__": "__main__"}
        exec(self.prelude, space)
        exec(compile(self.source, f"<{self.exercise}>", "exec"), space)
        return space[self.exercise]

    def wrapped(self, answer: Any, notes: dict[str, Any]) -> Any:
        """What the checks call in the answer's place; it may leave notes, which join the report."""
        return answer


class Doubtful(Job):
    """Of a job only whether it loses points is asked: the first check that fails ends it."""

    until_failure = True


@dataclass(frozen=True)
class Trial:
    """What became of an answer. `report` is `Report.to_dict()` of a finished one, {} otherwise."""

    job: Job
    outcome: str
    seconds: float = 0.0
    report: dict[str, Any] = field(default_factory=dict)

    @property
    def earned(self) -> float:
        """The share of the points, 0 to 1; an answer that did not come to an end has none."""
        return self.report.get("earned", 0.0)

    @property
    def failed(self) -> list[str]:
        """The checks that failed, by name; a check skipped for another's sake is not among them."""
        return [check["name"] for check in self.report.get("checks", ()) if check["outcome"] == "failed"]

    @property
    def all_held(self) -> bool:
        checks = self.report.get("checks")
        return bool(checks) and all(check["outcome"] == "held" for check in checks)


def prepare(unit: str) -> None:
    """Load the unit's checks, its lesson module and its solutions, and make this process safe to fork."""
    import torch

    from autograder.releasing.references import of_unit

    torch.set_num_threads(1)
    name = word_of(unit)
    importlib.import_module(f"unrolled.checks.{name}")
    for module in (f"autograder.hidden.{name}", f"unrolled.{name}"):
        with contextlib.suppress(ModuleNotFoundError):
            importlib.import_module(module)
    with contextlib.suppress(Trouble):  # a unit without a source has no hidden check that needs one
        of_unit(unit)


def run_all(jobs: Iterable[Job], workers: int = 2, seed: int = 0) -> Iterator[Trial]:
    """Try each job, `workers` at a time; yield the trials as they end. Call `prepare` first."""
    waiting, running = iter(jobs), {}
    try:
        while True:
            while len(running) < workers and (job := next(waiting, None)) is not None:
                child = _Child(job, seed)
                running[child.pipe] = child
            if not running:
                return
            ready, _, _ = select.select(list(running), [], [], max(0.0, min(c.left for c in running.values())))
            for pipe, child in list(running.items()):
                if (pipe in ready and child.read()) or child.left <= 0:
                    del running[pipe]
                    yield child.end()
    finally:
        for child in running.values():
            child.end()


class _Child:
    """A forked process that tries one job, seen from the parent."""

    def __init__(self, job: Job, seed: int):
        self.job, self.start, self.received, self.closed = job, time.monotonic(), b"", False
        self.pipe, inlet = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            os.close(self.pipe)
            _live(inlet, job.limit, lambda: job.carry_out(seed))
        os.close(inlet)

    @property
    def left(self) -> float:
        """Seconds on the clock until our patience ends."""
        return self.start + PATIENCE * self.job.limit - time.monotonic()

    def read(self) -> bool:
        """Take what has come; True when the child has closed its end."""
        piece = os.read(self.pipe, 1 << 20)
        self.received += piece
        self.closed = not piece
        return self.closed

    def end(self) -> Trial:
        """Stop the child if it still runs, clean up, and say what became of it."""
        if not self.closed:
            os.kill(self.process, signal.SIGKILL)
        _, status = os.waitpid(self.process, 0)
        os.close(self.pipe)
        seconds = time.monotonic() - self.start
        if not self.closed or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU):
            return Trial(self.job, TIMED_OUT, seconds)
        try:
            return Trial(self.job, FINISHED, seconds, json.loads(self.received))
        except ValueError:
            return Trial(self.job, DIED, seconds)


def _live(inlet: int, seconds: int, work: Callable[[], dict]) -> None:
    """The child's whole life: limits, silence, work, the result into the pipe; it never returns."""
    try:
        taken = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (taken + MEMORY, taken + MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 (for the rest of this process's life)
        warnings.simplefilter("ignore")
        faulthandler.disable()
        message = json.dumps(work()).encode()
        while message:
            message = message[os.write(inlet, message) :]
    finally:
        os._exit(0)
