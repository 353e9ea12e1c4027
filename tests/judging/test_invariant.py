"""The grader takes nothing that the student's own check gave, but for a hidden property that is named.

Right and wrong answers are shown, by the visible checks in a process like a notebook's, and judged, by all checks
across the boundary of the jail. Tried are right answers of odd forms, and a sample of specimens, mutants and generic
mistakes: UNROLLED_INVARIANT chooses another sample by a number, or takes `all` (many minutes).
"""

import itertools
import linecache
import os
import random
from dataclasses import dataclass

import pytest
from conftest import UNITS
from graded_units import assignment, engine, rubric
from odd_forms import FORMS
from unrolled.checking import Report, run, running
from unrolled.checking.running import Result

from autograder import specimens
from autograder.judging.boundary.channel import Kind
from autograder.judging.boundary.session import Ended, TookTooLong
from autograder.judging.boundary.standin import RemoteAnswer
from autograder.judging.jail.limits import Limits
from autograder.releasing.references import references
from autograder.verifying import fingerprint, trial
from autograder.verifying.generic import generic
from autograder.verifying.mutants import mutants
from autograder.verifying.seen import Look
from autograder.verifying.trial import FINISHED, Job, run_all

pytestmark = pytest.mark.slow
CHOSEN = os.environ.get("UNROLLED_INVARIANT", "0")
SAMPLE, LOOKED_AT, FORMS_EACH = 20, 2, 2  # answers of a unit, exercises of it with generic mistakes, forms of each
LIMIT = 5  # seconds of the processor, for an answer that does not end

# Right answers that are no plain function, or no plain one any more; NAME stands for the exercise.
ODD = {
    "a lambda": "_f = NAME\nNAME = lambda *given, **named: _f(*given, **named)",
    "a partial": "import functools\nNAME = functools.partial(NAME)",
    "an object": "class _A:\n    f = staticmethod(NAME)\n    def __call__(self, *given, **named):\n"
    "        return self.f(*given, **named)\nNAME = _A()",
    "a module": "import torch\nclass _A(torch.nn.Module):\n    f = staticmethod(NAME)\n"
    "    def forward(self, *given, **named):\n        return self.f(*given, **named)\nNAME = _A()",
    "a bound method": "class _A:\n    f = staticmethod(NAME)\n    def g(self, *given, **named):\n"
    "        return self.f(*given, **named)\nNAME = _A().g",
    "a wrapper": "def _w(f):\n    def g(*given, **named):\n        return f(*given, **named)\n    return g\n"
    "NAME = _w(NAME)",
    "a name of its own": "NAME.__name__ = NAME.__qualname__ = 'answer'",
    "no source": "exec('_f = NAME\\ndef NAME(*given, **named):\\n    return _f(*given, **named)')",
    "one that prints": "_f = NAME\ndef NAME(*given, **named):\n    print('called')\n    return _f(*given, **named)",
    "one that draws": "import random, torch\n_f = NAME\ndef NAME(*given, **named):\n"
    "    random.random(), torch.rand(1)\n    return _f(*given, **named)",
    "a static method": "NAME = staticmethod(NAME)",
    "a class's instance of its own call": "class _A:\n    def __init__(self, f):\n        self.f = f\n"
    "    def __getattr__(self, name):\n        return getattr(self.f, name)\n"
    "    def __call__(self, *given, **named):\n        return self.f(*given, **named)\nNAME = _A(NAME)",
}


@dataclass(frozen=True)
class Shown(Job):
    """A trial by what a student's notebook has: the visible checks."""

    name: str = ""
    limit: int = LIMIT

    def carry_out(self, seed):
        cell = f"<{self.exercise}>"  # a notebook keeps the source of its cells, which torch.jit.script reads
        linecache.cache[cell] = len(self.source), None, self.source.splitlines(keepends=True), cell
        every = running.checks_of
        running.checks_of = lambda exercise: [check for check in every(exercise) if not check.hidden]
        return super().carry_out(seed)


def odd_answers(unit):
    """Each exercise's solution in two of the forms, or in all, and the odd forms that were found by students."""
    forms = itertools.cycle(ODD)
    for reference in references(assignment(unit)):
        for form in ODD if CHOSEN == "all" else itertools.islice(forms, FORMS_EACH):
            source = f"{reference.source}\n{ODD[form].replace('NAME', reference.exercise)}\n"
            yield Shown(reference.exercise, source, reference.prelude, name=form)
    for form, (its, exercise, source) in FORMS.items():
        if its == unit:
            yield Shown(exercise, source, "import torch", name=form)


def other_answers(unit):
    """Specimens, mutants and generic mistakes: a sample, which depends on the unit and on what is chosen."""
    every, chance = references(assignment(unit)), random.Random(f"{unit} {CHOSEN}")
    found = [Shown(one.exercise, one.source, name=f"{one.kind}/{one.name}") for one in specimens.load(unit)]
    found += [Shown(r.exercise, m.source, r.prelude, name=m.name) for r in every for m in mutants(r.source)]
    for reference in every if CHOSEN == "all" else chance.sample(every, LOOKED_AT):
        found += mistakes(unit, reference)
    return found if CHOSEN == "all" else chance.sample(found, SAMPLE)


def mistakes(unit, reference):
    look = next(run_all([Look(reference.exercise, reference.source, reference.prelude)]))
    made = generic(reference, look.report["seen"], fingerprint.path_of(f"unrolled.{unit}"))
    return [Shown(reference.exercise, one.source, reference.prelude, name=one.name) for one in made]


def judged(unit, job):
    """The grader's report on an answer, without running the notebook around it."""

    def standing_in(session, handle):
        return RemoteAnswer(lambda: (session, handle), lambda: 10.0)

    points = next(one.points for one in rubric(unit).exercises if one.name == job.exercise)
    session = engine(unit)._worker.fork(Limits(), standing_in)
    try:
        session.cell(f"{job.prelude}\n{job.source}", 30)
        answer = session.request(Kind.PIN, job.exercise, job.exercise, seconds=10)
        return run(job.exercise, answer, points)
    except (Ended, TookTooLong):
        return Report(job.exercise, points)
    finally:
        session.end()


def broken(shown, report):
    """How a judgement breaks the invariant, given the report that the student saw."""
    outcomes = {check["name"]: check["outcome"] for check in shown["checks"]}
    theirs = {check.name: check for check in report.checks}
    yield from (f"{name} breaks" for name, outcome in outcomes.items() if outcome == "fault")
    for name, outcome in outcomes.items():
        if name not in theirs or theirs[name].outcome != outcome:
            yield f"{name}: {outcome} in the notebook, {theirs[name].outcome if name in theirs else 'not tried'} by us"
    hidden = [check for check in report.checks if check.hidden]
    yield from (f"{one.name} breaks across the boundary" for one in hidden if one.outcome == "fault")
    yield from (
        f"{one.name} is not named" for one in hidden if one.outcome != "held" and not (one.sentence and one.message)
    )
    expected = [Result(one.name, "", outcomes.get(one.name, one.outcome), one.weight) for one in report.checks]
    if Report(report.exercise, report.points, expected).earned != report.earned:
        yield f"{report.earned} points come from something else than properties"


def differences(unit, jobs):
    trial.prepare(unit)
    found, compared = [], 0
    for done in run_all(jobs):
        if done.outcome == FINISHED and done.report:
            compared += 1
            lines = broken(done.report, judged(unit, done.job))
            found += [f"{done.job.exercise}, {done.job.name}: {line}" for line in lines]
    return found, compared


@pytest.mark.parametrize("unit", UNITS)
def test_a_right_answer_of_any_form_is_judged_as_it_was_shown(unit):
    jobs = list(odd_answers(unit))
    found, compared = differences(unit, jobs)
    assert found == [] and compared == len(jobs)


@pytest.mark.parametrize("unit", UNITS)
def test_any_answer_is_judged_as_it_was_shown(unit):
    trial.prepare(unit)
    found, compared = differences(unit, other_answers(unit))
    assert found == [] and compared > SAMPLE / 2


def test_a_difference_would_be_found():
    shown = {"checks": [{"name": "a", "outcome": "held"}, {"name": "b", "outcome": "failed"}]}
    right = [
        Result("a", "A.", "held"),
        Result("b", "B.", "failed"),
        Result("c", "C.", "failed", hidden=True, message="m"),
    ]
    assert list(broken(shown, Report("e", 3, right))) == []
    lost = [Result("a", "A.", "failed"), *right[1:]]
    assert any("a: held in the notebook, failed by us" in line for line in broken(shown, Report("e", 3, lost)))
    assert any("something else" in line for line in broken(shown, Report("e", 3, lost)))
    unnamed = [*right[:2], Result("c", "C.", "failed", hidden=True)]
    assert list(broken(shown, Report("e", 3, unnamed))) == ["c is not named"]
    outcomes = [*right[:2], Result("c", "C.", "fault", hidden=True, message="m")]
    assert list(broken(shown, Report("e", 3, outcomes))) == ["c breaks across the boundary"]
    assert list(broken({"checks": [{"name": "a", "outcome": "fault"}]}, Report("e", 1, [Result("a", "A.", "fault")])))
