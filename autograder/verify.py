"""Grade the checks: do they accept right answers, refuse wrong ones, and notice small mistakes?

For each exercise three kinds of answer are tried (see `autograder.trial`): the right specimens and the reference,
which must hold every check; the wrong specimens, which must lose points and fail the checks they name; and the
mutants of the reference, which must lose points. A mutant that lives and is right all the same (`c > 0` for
`c != 0` of a count) is explained in `specimens/UNIT/survivors.toml`, by exercise and by the mutant's name.
Left out on purpose: the time that answers take, and mutants of specimens.
"""

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from autograder.course import Course, Trouble
from autograder.mutants import mutants
from autograder.references import Reference, references
from autograder.specimens import HOME, Specimen, bare, load
from autograder.trial import Job, Trial, prepare, run_all

MUTANT_LIMIT = 3  # seconds of the processor; the slowest reference takes half a second
Progress = Callable[[int, int, str], None]  # trials done, trials in all, the exercise of the last one


@dataclass
class Examination:
    """All that was found out about the checks of one exercise."""

    unit: str
    exercise: str
    accepted: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)  # a right answer -> why it was refused
    caught: dict[str, list[str]] = field(default_factory=dict)  # a wrong answer -> the checks that it failed
    let_through: dict[str, str] = field(default_factory=dict)  # a wrong answer -> what it got away with
    killed: int = 0
    survived: list[str] = field(default_factory=list)
    explained: dict[str, str] = field(default_factory=dict)  # a mutant -> why it may live
    seconds: float = 0.0

    @property
    def unexplained(self) -> list[str]:
        return [name for name in self.survived if name not in self.explained]

    @property
    def stale(self) -> list[str]:
        """Explanations of mutants that no longer exist or no longer survive."""
        return [name for name in self.explained if name not in self.survived]

    @property
    def good(self) -> bool:
        return not (self.refused or self.let_through or self.unexplained or self.stale)

    def to_dict(self) -> dict:
        """The documented form: counts of what was tried, lists of the names of what went wrong."""
        return {
            "unit": self.unit,
            "exercise": self.exercise,
            "right": len(self.accepted) + len(self.refused),
            "refused": list(self.refused),
            "wrong": len(self.caught) + len(self.let_through),
            "let_through": list(self.let_through),
            "mutants": self.killed + len(self.survived),
            "survived": self.survived,
        }


def verify(
    units: Sequence[str] | None = None,
    exercises: Sequence[str] | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> list[dict]:
    """One object an exercise: unit, exercise, right, refused, wrong, let_through, mutants, survived."""
    return [found.to_dict() for found in examine(units, exercises, seed, progress)]


def examine(
    units: Sequence[str] | None = None,
    exercises: Sequence[str] | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> list[Examination]:
    """Try every specimen and mutant of these units and exercises (default: all) on the checks' inputs for `seed`.

    Raises autograder.course.Trouble for a unit or an exercise that does not exist.
    """
    course = Course.find(Path(__file__).parent)
    names = [course.unit(unit) for unit in units] if units else course.units()
    plans = [_Plan(unit, reference) for unit in names for reference in references(course, unit)]
    if exercises is not None:
        known = [plan.found.exercise for plan in plans]
        for exercise in exercises:
            if exercise not in known:
                raise Trouble(f"There is no exercise {exercise!r}; the exercises are: {', '.join(known)}.")
        plans = [plan for plan in plans if plan.found.exercise in exercises]
    for unit in names:
        prepare(unit)
    return _carry_out(plans, seed, progress)


class _Plan:
    """What is to be tried for one exercise, and where each result goes."""

    def __init__(self, unit: str, reference: Reference):
        exercise = reference.exercise
        self.found = Examination(unit, exercise, explained=explanations(unit).get(exercise, {}))
        self.steps: dict[Job, Callable[[Trial], None]] = {}
        self._add(Job(exercise, reference.source, reference.prelude), self._right, "reference")
        for specimen in load(unit, exercise):
            record = self._right if specimen.kind == "right" else self._wrong
            self._add(Job(exercise, specimen.source), record, specimen if specimen.kind == "wrong" else specimen.name)
        for mutant in mutants(reference.source):
            self._add(Job(exercise, mutant.source, reference.prelude, MUTANT_LIMIT), self._mutant, mutant.name)

    def _add(self, job: Job, record: Callable, subject: str | Specimen) -> None:
        self.steps[job] = lambda trial: record(subject, trial)

    def _right(self, name: str, trial: Trial) -> None:
        if trial.all_held:
            self.found.accepted.append(name)
        else:
            self.found.refused[name] = _why_not(trial)

    def _wrong(self, specimen: Specimen, trial: Trial) -> None:
        missed = [check for check in specimen.fails if check not in trial.failed]
        if trial.earned < 1 and not missed:
            self.found.caught[specimen.name] = trial.failed
        else:
            did = "earned all points" if trial.earned == 1 else f"did not fail {', '.join(missed)}"
            self.found.let_through[specimen.name] = did if trial.report else f"did not run ({trial.outcome})"

    def _mutant(self, name: str, trial: Trial) -> None:
        if trial.earned < 1:
            self.found.killed += 1
        else:
            self.found.survived.append(name)


def _why_not(trial: Trial) -> str:
    for check in trial.report.get("checks", ()):
        if check["outcome"] != "held":
            return f"{check['name']} {check['outcome']}: {check['message']}"
    return trial.outcome if trial.outcome != "finished" else "it cannot be defined"


def explanations(unit: str) -> dict[str, dict[str, str]]:
    """Why some mutants may live: {exercise: {mutant: reason}}, from `specimens/UNIT/survivors.toml`."""
    path = HOME / bare(unit) / "survivors.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _carry_out(plans: list[_Plan], seed: int, progress: Progress | None) -> list[Examination]:
    """Try everything that was planned; results are in the order of the plans, whichever trial ends first."""
    done, total = 0, sum(len(plan.steps) for plan in plans)
    for plan in plans:
        order = {job: place for place, job in enumerate(plan.steps)}
        trials = []
        for trial in run_all(plan.steps, seed=seed):
            trials.append(trial)
            done += 1
            if progress is not None:
                progress(done, total, plan.found.exercise)
        for trial in sorted(trials, key=lambda trial: order[trial.job]):
            plan.steps[trial.job](trial)
            plan.found.seconds += trial.seconds
    return [plan.found for plan in plans]
