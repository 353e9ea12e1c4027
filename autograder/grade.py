"""Grades a unit's submissions: which, in what order, with how many workers; what is shown and kept.

The engine grades one submission (see `autograder.outcome`); here each call gets a process and a time limit of
its own, so whatever a submission does, the next one is graded, and every one ends with a status.
"""

import re
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from importlib.util import find_spec

from autograder import engine, gradebook, ledger, runner
from autograder.course import Course, Trouble, notebook_name
from autograder.outcome import CRASHED, TIMED_OUT, Engine, Outcome

NEVER = "the grader's own fault"  # as a key it equals no hash, so the submission is graded again next time
Progress = Callable[[Outcome], None]


def grade(
    course: Course,
    unit: str,
    student: str | None = None,
    workers: int = 1,
    force: bool = False,
    progress: Progress = lambda outcome: None,
    grade_one: Engine = engine.grade_one,
) -> list[Outcome]:
    """Grades a unit; returns the outcome of every submission asked for, graded now or before, by student.

    A submission whose files, unit and checks are unchanged is not graded again unless `force`.
    """
    todo = submissions_to_grade(course, unit, student, force)
    known = ledger.read(course, unit)
    for outcome in _run(course, unit, list(todo), workers, grade_one):
        known[outcome.student] = replace(outcome, key=outcome.key or todo[outcome.student])
        ledger.write(course, unit, known)
        progress(outcome)
    return [known[name] for name in _whom(course, unit, student)]


def submissions_to_grade(course: Course, unit: str, student: str | None, force: bool) -> dict[str, str]:
    """The students whose submissions need grading, each with the hash of all that the marks depend on."""
    known = ledger.read(course, unit)
    keys = {name: ledger.key(course, unit, name) for name in _whom(course, unit, student)}
    return {name: key for name, key in keys.items() if force or name not in known or known[name].key != key}


def _whom(course: Course, unit: str, student: str | None) -> list[str]:
    """The students to grade: those with a folder, and those once graded whose folder is gone."""
    _ready(course, unit)
    everybody = sorted({*course.students(unit), *ledger.read(course, unit)})
    if not everybody:
        place = course.path("submitted", unit, "STUDENT")
        raise Trouble(f"There are no submissions: put them into {place}.")
    if student is None:
        return everybody
    if student not in everybody:
        raise Trouble(f"{student!r} has not submitted {unit}; these have: {', '.join(everybody)}.")
    return [student]


def _ready(course: Course, unit: str) -> None:
    """Refuses to begin where every mark would be wrong by our own fault."""
    source = course.path("source", unit) / f"{notebook_name(unit)}.ipynb"
    if not gradebook.is_released(course, unit) or not source.is_file():
        raise Trouble(f"{unit} is not in the gradebook yet: run `autograder release {unit}` first.")
    for module in sorted(set(re.findall(r"import (autograder\.hidden\.\w+)", source.read_text(encoding="utf-8")))):
        if find_spec(module) is None:
            raise Trouble(f"{unit}'s check cells import {module}, which does not exist: write it, or mend the source.")


def _run(course: Course, unit: str, students: list[str], workers: int, grade_one: Engine) -> Iterable[Outcome]:
    limit = _hard_limit(course)
    with ThreadPoolExecutor(max_workers=max(1, workers)) as pool:
        tasks = [pool.submit(_guarded, grade_one, course, unit, name, limit) for name in students]
        try:
            for task in as_completed(tasks):
                yield task.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _guarded(grade_one: Engine, course: Course, unit: str, student: str, limit: float) -> Outcome:
    """One submission in its own process. Whatever happens there becomes a status."""
    try:
        return runner.call(grade_one, Course(course.root, course.solutions), unit, student, seconds=limit)
    except runner.TookTooLong:
        return Outcome(student, TIMED_OUT, f"stopped after {limit:.0f} s: it ignored every interrupt")
    except (runner.Died, RuntimeError) as error:
        reason = f"the grader could not go on: {' '.join(str(error).split())[:200]}"
        return Outcome(student, CRASHED, reason, key=NEVER)


def _hard_limit(course: Course) -> float:
    """Seconds after which a submission's process is ended: its budget, one last cell, and a minute to spare."""
    from autograder.preprocessors import ExecuteForMarks

    execute = ExecuteForMarks(config=course.config)
    return execute.budget + execute.timeout + 60
