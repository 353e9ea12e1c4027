"""Grades a unit's submissions: which, by what engine and how many workers; what is shown and kept.

By default workers judge in the jail (`judging.grader`, `judging.pool`) and this process alone writes
(`recording.recorder`). nbgrader's own run, which writes by itself, gets a process and a time limit for each submission
instead. Either way every submission ends with a status, and who is stopped can start again there.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import replace
from importlib.util import find_spec

from autograder.course import Assignment, Course, Trouble
from autograder.judging import jail, pool
from autograder.judging.place import Place
from autograder.judging.plain import runner
from autograder.judging.settings import JudgeInJail
from autograder.outcome import TIMED_OUT, UNREADABLE, Judged, Outcome, PlainRun, failure
from autograder.receiving.strays import strays
from autograder.recording import gradebook, ledger, recorder
from autograder.recording.marks import renew_penalties, unrecordable
from autograder.releasing import history, release
from autograder.words import CHECK

Progress = Callable[[Outcome], None]


def grade(
    assignment: Assignment,
    student: str | None = None,
    workers: int = 1,
    force: bool = False,
    progress: Progress = lambda outcome: None,
    grade_one: PlainRun | None = None,
    scheduler: str | None = None,
    require_jail: bool = False,
    say: Callable[[str], None] = lambda line: None,
) -> list[Outcome]:
    """Grades a unit; returns the outcome of every submission asked for, graded now or before, by student.

    A submission whose files, unit and checks are unchanged, and whose scores the gradebook has as the unit's record has
    them, is not graded again unless `force`. `workers` processes
    judge, or those of the Dask `scheduler`; `grade_one` is nbgrader's own run, to use instead. `say` gets a line on
    what the jail lacks here; with `require_jail` that is Trouble. Penalties for lateness are reckoned anew each time.
    """
    todo = submissions_to_grade(assignment, student, force, grade_one)
    history.note(assignment)
    if todo and grade_one:
        _with_plain_run(assignment, todo, workers, grade_one, progress)
    elif todo:
        chosen = pool.Cluster(scheduler) if scheduler else pool.Processes(max(1, min(workers, len(todo))))
        place = JudgeInJail(config=assignment.course.config).place(assignment, require_jail)
        _with_workers(place, todo, chosen, progress, say)
    known, names = ledger.read(assignment), _whom(assignment, student)
    if changed := renew_penalties(assignment, names):
        say(f"{changed} late submission{'s' * (changed != 1)} got another penalty: the date or the marks changed.")
    return [known[name] for name in names]


def submissions_to_grade(
    assignment: Assignment, student: str | None, force: bool, grade_one: PlainRun | None = None
) -> dict[str, str]:
    """The students whose submissions need grading, each with the hash of all that the marks depend on."""
    names, known = _whom(assignment, student), ledger.read(assignment)
    graders = ledger.graders_key(assignment) + ("" if grade_one is None else " without walls")
    keys = {name: ledger.key(assignment, name, graders) for name in names}
    if force:
        return keys
    book = gradebook.automatic(assignment)
    return {
        name: key
        for name, key in keys.items()
        if name not in known or known[name].key != key or not _agree(known[name], book.get(name))
    }


def _agree(outcome: Outcome, scores: dict[str, float] | None) -> bool:
    """Whether a gradebook says what the record says; one that was removed or restored does not."""
    if unrecordable(outcome.student):
        return True
    if scores is None:
        return False
    earned = {each.name: each.earned or 0.0 for each in outcome.exercises}
    return all(math.isclose(earned.get(name.removesuffix(CHECK), 0.0), score) for name, score in scores.items())


def _whom(assignment: Assignment, student: str | None) -> list[str]:
    """The students to grade: those with a folder, and those once graded whose folder is gone."""
    _ready(assignment)
    everybody = sorted({*assignment.students(), *ledger.read(assignment)})
    if not everybody:
        place = assignment.folder("submitted", "STUDENT")
        raise Trouble(" ".join([f"There are no submissions: put them into {place}.", *strays(assignment)[:1]]))
    if student is None:
        return everybody
    if student not in everybody:
        raise Trouble(f"{student!r} has not submitted {assignment.name}; these have: {', '.join(everybody)}.")
    return [student]


def _ready(assignment: Assignment) -> None:
    """Refuses to begin where every mark would be wrong by our own fault."""
    unit, solved, released = assignment.name, assignment.solved, assignment.released
    if not gradebook.is_released(assignment) or not solved.is_file() or not released.is_file():
        raise Trouble(f"{unit} is not in the gradebook yet: run `autograder release {unit}` first.")
    if release.worked_in(released.read_bytes()):
        raise Trouble(f"{released} holds somebody's answers: run `autograder release {unit}`, which puts them aside.")
    for module in sorted(set(re.findall(r"import (autograder\.hidden\.\w+)", solved.read_text(encoding="utf-8")))):
        if find_spec(module) is None:
            raise Trouble(f"{unit}'s check cells import {module}, which does not exist: write it, or mend the source.")


# --- workers that judge, one process that writes ---------------------------------------------------------------------


def _with_workers(place: Place, todo: dict[str, str], chosen, progress: Progress, say) -> None:
    said = set()
    with recorder.recording(place.assignment) as book, closing(_judged(place, todo, chosen)) as all_judged:
        for judged in all_judged:
            try:
                outcome = book.record(judged, todo[judged.outcome.student])
            except OSError as error:
                raise Trouble(f"A result cannot be written: {error}. What was graded so far is kept.") from error
            progress(outcome)
            if judged.layers is not None and jail.missing(judged.layers) and judged.layers not in said:
                said.add(judged.layers)
                say(jail.describe(judged.layers))


def _judged(place: Place, todo: Iterable[str], chosen) -> Iterator[Judged]:
    """First those that need no worker."""
    reasons = {name: unrecordable(name) for name in todo}
    for name, reason in reasons.items():
        if reason:
            yield Judged(Outcome(name, UNREADABLE, reason))
    yield from pool.judge_all(chosen, place, [name for name, reason in reasons.items() if not reason])


# --- nbgrader's own run, which writes by itself ----------------------------------------------------------------------


def _with_plain_run(
    assignment: Assignment, todo: dict[str, str], workers: int, grade_one: PlainRun, progress: Progress
) -> None:
    ledger.write(assignment, ledger.read(assignment))
    for outcome in _run(assignment, list(todo), workers, grade_one):
        outcome = replace(outcome, key=outcome.key or todo[outcome.student])
        ledger.append(assignment, outcome)
        progress(outcome)


def _run(assignment: Assignment, students: list[str], workers: int, grade_one: PlainRun) -> Iterable[Outcome]:
    limit = _hard_limit(assignment.course)
    with ThreadPoolExecutor(max_workers=max(1, workers)) as threads:
        tasks = [threads.submit(_guarded, grade_one, assignment, name, limit) for name in students]
        try:
            for task in as_completed(tasks):
                yield task.result()
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            raise


def _guarded(grade_one: PlainRun, assignment: Assignment, student: str, limit: float) -> Outcome:
    """One submission in its own process. Whatever happens there becomes a status."""
    try:
        return runner.call(grade_one, assignment, student, seconds=limit)
    except runner.TookTooLong:
        return Outcome(student, TIMED_OUT, f"stopped after {limit:.0f} s: it ignored every interrupt")
    except (runner.Died, RuntimeError) as error:
        return failure(student, str(error)).outcome


def _hard_limit(course: Course) -> float:
    """Seconds after which a submission's process is ended: its budget, one last cell, and a minute to spare."""
    from autograder.judging.plain.preprocessors import ExecuteForMarks

    execute = ExecuteForMarks(config=course.config)
    return execute.budget + execute.timeout + 60
