"""Trials that were made before need not be made again: they are kept in `_build/verify`, a JSON file an exercise.

A trial is known by a hash of all that it depends on (see `fingerprint`). A file that is damaged, or that
somebody else wrote, is no more than a file that is not there. Left out on purpose: trials whose child died, since
that may be the machine's doing.
"""

import contextlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import astuple
from pathlib import Path

from autograder.course import Assignment
from autograder.releasing.references import Reference
from autograder.verifying import fingerprint
from autograder.verifying.trial import DIED, FINISHED, TIMED_OUT, Job, Trial, run_all


class Kept:
    """The trials of one exercise. `stamp` is a hash of what they have in common; `fresh`: none is known at first."""

    def __init__(self, path: Path, stamp: str, fresh: bool = False):
        self._path, self._stamp = path, stamp
        self._old = {} if fresh else _read(path)
        self._used: dict[str, list] = {}

    @classmethod
    def of(cls, assignment: Assignment, reference: Reference, fresh: bool = False) -> "Kept":
        """Those of an exercise, where `verify` puts them."""
        path = assignment.course.root / "_build" / "verify" / assignment.name / f"{reference.exercise}.json"
        return cls(path, fingerprint.of_exercise(assignment.name, reference), fresh)

    def tried(self, jobs: Iterable[Job], seed: int) -> Iterator[Trial]:
        """The trial of each job, in their order; those that are not known are made, two at a time."""
        keys = {job: self._key(job, seed) for job in jobs}
        known = {job: self._known(job, key) for job, key in keys.items()}
        made = run_all([job for job, trial in known.items() if trial is None], seed=seed)
        for job, key in keys.items():
            while known[job] is None:
                trial = next(made)
                known[trial.job] = trial
            self._keep(key, known[job])
            yield known[job]

    def write(self, whole: bool) -> None:
        """Put what is known into the file; `whole`: everything was tried, and what is not used any more may go."""
        entries = self._used if whole else self._old | self._used
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=self._path.parent, delete=False, encoding="utf-8") as file:
            json.dump(entries, file)
        os.replace(file.name, self._path)

    def _key(self, job: Job, seed: int) -> str:
        parts = [type(job).__name__, *map(str, astuple(job)), str(seed)]
        return fingerprint.hashed(self._stamp, fingerprint.of_answer(f"{job.prelude}\n{job.source}"), *parts)

    def _known(self, job: Job, key: str) -> Trial | None:
        with contextlib.suppress(KeyError, TypeError, ValueError):
            outcome, seconds, report = self._old[key]
            if outcome in (FINISHED, TIMED_OUT) and isinstance(report, dict):
                return Trial(job, outcome, float(seconds), report)
        return None

    def _keep(self, key: str, trial: Trial) -> None:
        if trial.outcome != DIED:
            self._used[key] = [trial.outcome, trial.seconds, trial.report]


def _read(path: Path) -> dict[str, list]:
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return entries if isinstance(entries, dict) else {}
