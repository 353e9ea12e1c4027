"""Grade the checks: do they accept right answers, refuse wrong ones, and notice small mistakes?

For each exercise these answers are tried (see `trial`): the right specimens and the reference, which must
hold every check, on the inputs of three seeds; the wrong specimens, which must lose points and fail the checks they
name; the reference with each generic mistake that makes sense (`generic`), and the mutants of the
reference, which must lose points. What lives and is right all the same (`c > 0` for `c != 0` of a count) is explained
in `specimens/UNIT/survivors.toml`, by exercise and by its name. Then the rules hold that need no answers
(`rules`), and what no answer should be able to do to a check (`ordeal`).
Left out on purpose: the time that answers take, and mutants of specimens.
"""

import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from autograder.course import Assignment, Course, Trouble
from autograder.releasing.references import Reference, references
from autograder.specimens import HOME, Specimen, load
from autograder.verifying import fingerprint, rules
from autograder.verifying.findings import Findings
from autograder.verifying.generic import generic
from autograder.verifying.kept import Kept
from autograder.verifying.mutants import mutants
from autograder.verifying.ordeal import Ordeal
from autograder.verifying.seen import Look
from autograder.verifying.trial import Doubtful, Job, Trial, prepare
from autograder.words import word_of

MUTANT_LIMIT = 3  # seconds of the processor; the slowest reference takes half a second
OTHER_SEEDS = (1, 2)  # right answers hold on the inputs of these, too
Progress = Callable[[int, int, str], None]  # trials done, trials in all so far, the exercise of the last one


def verify(
    units: Sequence[str] | None = None,
    exercises: Sequence[str] | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    fresh: bool = False,
    quick: bool = False,
    course: Course | None = None,
) -> list[Findings]:
    """Try everything for these units and exercises (default: all) on the checks' inputs for `seed`.

    Trials of earlier runs are taken for made unless `fresh`; `quick` stops at the first trouble. Raises
    autograder.course.Trouble for a unit or an exercise that does not exist, and for a unit without checks.
    """
    course = course or Course.find(Path(__file__).parent)
    chosen = [course.assignment(unit) for unit in units] if units else course.assignments()
    sources = {each.name: references(each) for each in course.assignments()}
    for each in chosen:
        rules.has_checks(each.name, sources[each.name])
        prepare(each.name)
    plans = _chosen([_Plan(each, one, seed, fresh) for each in chosen for one in sources[each.name]], exercises)
    for plan in plans:
        plan.found.broken += rules.of_exercise(plan.found.unit, plan.reference, sources)
    _carry_out(plans, progress, quick)
    if exercises is None and not (quick and any(plan.found.troubled for plan in plans)):
        for each in chosen:
            of_unit = [plan.found for plan in plans if plan.found.unit == each.name]
            of_unit[0].broken += rules.of_unit(each, of_unit)
    return [plan.found for plan in plans]


def _chosen(plans: list["_Plan"], exercises: Sequence[str] | None) -> list["_Plan"]:
    known = [plan.found.exercise for plan in plans]
    for exercise in exercises or ():
        if exercise not in known:
            raise Trouble(f"There is no exercise {exercise!r}; the exercises are: {', '.join(known)}.")
    return [plan for plan in plans if exercises is None or plan.found.exercise in exercises]


def explanations(unit: str) -> dict[str, dict[str, str]]:
    """Why some mutants may live: {exercise: {mutant: reason}}, from `specimens/UNIT/survivors.toml`."""
    path = HOME / word_of(unit) / "survivors.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


class _Plan:
    """What is to be tried for one exercise, and where each result goes."""

    def __init__(self, assignment: Assignment, reference: Reference, seed: int, fresh: bool):
        unit, exercise = assignment.name, reference.exercise
        self.found = Findings(unit, exercise, explained=explanations(unit).get(exercise, {}))
        self.kept = Kept.of(assignment, reference, fresh)
        self.reference, self._seed, self._module = reference, seed, fingerprint.path_of(f"unrolled.{word_of(unit)}")
        self.steps: dict[Job, Callable[[Trial], None]] = {}
        self._add(Look(exercise, reference.source, reference.prelude), self._looked, "reference")
        for other in OTHER_SEEDS:
            self._add(Job(exercise, reference.source, reference.prelude, seed=other), self._again, "reference")
        self._add(Ordeal(exercise), self._endured, "")
        for specimen in load(unit, exercise):
            record = self._right if specimen.kind == "right" else self._wrong
            self._add(Job(exercise, specimen.source), record, specimen if specimen.kind == "wrong" else specimen.name)
            for other in OTHER_SEEDS if specimen.kind == "right" else ():
                self._add(Job(exercise, specimen.source, seed=other), self._again, specimen.name)
        for mutant in mutants(reference.source):
            self._add(Doubtful(exercise, mutant.source, reference.prelude, MUTANT_LIMIT), self._mutant, mutant.name)

    def carry_out(self) -> Iterator[Trial]:
        """Try everything; a trial is recorded when it is yielded. The first one, of the reference, may add others."""
        done: set[Job] = set()
        try:
            while waiting := [job for job in self.steps if job not in done]:
                for trial in self.kept.tried(waiting[:1] if not done else waiting, self._seed):
                    done.add(trial.job)
                    self.steps[trial.job](trial)
                    self.found.seconds += trial.seconds
                    yield trial
            self.found.whole = True
        finally:
            self.kept.write(self.found.whole)

    def _add(self, job: Job, record: Callable, subject: str | Specimen) -> None:
        self.steps[job] = lambda trial: record(subject, trial)

    def _looked(self, name: str, trial: Trial) -> None:
        self._right(name, trial)
        exercise, prelude = self.found.exercise, self.reference.prelude
        for made in generic(self.reference, trial.report.get("seen", []), self._module):
            self._add(Job(exercise, made.source, prelude, MUTANT_LIMIT), self._generic, made.name)

    def _endured(self, _: str, trial: Trial) -> None:
        lines = trial.report.get("lines", [f"its checks could not be tried with garbage ({trial.outcome})"])
        self.found.broken += [f"{self.found.unit} {self.found.exercise}: {line}" for line in lines]

    def _right(self, name: str, trial: Trial) -> None:
        if trial.all_held:
            self.found.accepted.append(name)
        else:
            self.found.refused[name] = _why_not(trial)

    def _again(self, name: str, trial: Trial) -> None:
        if not trial.all_held and name in self.found.accepted:
            self.found.accepted.remove(name)
            self.found.refused.setdefault(name, f"with seed {trial.job.seed}, {_why_not(trial)}")

    def _wrong(self, specimen: Specimen, trial: Trial) -> None:
        missed = [check for check in specimen.fails if check not in trial.failed]
        if trial.earned < 1 and not missed:
            self.found.caught[specimen.name] = trial.failed
        elif not trial.report:
            self.found.let_through[specimen.name] = f"did not run ({trial.outcome})"
        else:
            did = "earned all points" if trial.earned == 1 else _not_failed(missed, trial)
            self.found.let_through[specimen.name] = did

    def _generic(self, name: str, trial: Trial) -> None:
        self.found.made.append(name)
        if trial.earned < 1:
            self.found.caught[name] = trial.failed
        elif name in self.found.explained:
            self.found.excused.append(name)
        else:
            self.found.let_through[name] = "earned all points"

    def _mutant(self, name: str, trial: Trial) -> None:
        if trial.earned < 1:
            self.found.killed += 1
        else:
            self.found.survived.append(name)


def _not_failed(missed: list[str], trial: Trial) -> str:
    """Of a wrong answer that lost points: which check it names and did not fail, and why that may be."""
    skipped = [check["name"] for check in trial.report["checks"] if check["outcome"] == "skipped"]
    if name := next((name for name in missed if name in skipped), None):
        return f"{name} was skipped, since {', '.join(trial.failed)} failed, which it needs: name that one"
    return f"did not fail {', '.join(missed)}"


def _why_not(trial: Trial) -> str:
    for check in trial.report.get("checks", ()):
        if check["outcome"] != "held":
            return f"{check['name']} {check['outcome']}: {check['message']}"
    return trial.outcome if trial.outcome != "finished" else "it cannot be defined"


def _carry_out(plans: list[_Plan], progress: Progress | None, quick: bool) -> None:
    """Try everything that was planned, in the order of the plans."""
    done = 0
    for plan in plans:
        if quick and plan.found.troubled:
            return
        for _ in plan.carry_out():
            done += 1
            if progress is not None:
                progress(done, sum(len(other.steps) for other in plans), plan.found.exercise)
            if quick and plan.found.troubled:
                return
