"""Writes the feedback pages that are not up to date, several at a time, and tells which could not be written."""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

from autograder.course import Assignment, Trouble
from autograder.judging import forkserver
from autograder.outcome import Outcome
from autograder.recording import gradebook, ledger
from autograder.recording.marks import renew_penalties
from autograder.returning import formulas, freshness, pages
from autograder.returning import waiting as waits
from autograder.returning.digest import Titles
from autograder.returning.for_exchange import accompany
from autograder.returning.pages import Job, Page

NO_MARK = gradebook.Mark(0, 0, 0)  # of a submission that the gradebook cannot have
FEW = 4  # pages that take less time than another process does to begin


def feedback(
    assignment: Assignment,
    student: str | None = None,
    workers: int = 1,
    force: bool = False,
    progress: Callable[[Page, int], None] = lambda page, total: None,
) -> list[Page]:
    """The pages of a unit's graded submissions, by student; those that say what the gradebook says are left alone.

    Penalties for lateness are renewed first, as points given by hand may change them. A page that cannot be written
    has its `problem`, and the others are written all the same.
    """
    outcomes = _outcomes(assignment, student)
    if not outcomes:
        whose = f" of {student}" if student else ""
        unit = assignment.name
        raise Trouble(f"Nothing{whose} is graded in {unit} yet: run `autograder grade {unit}` first.")
    if not gradebook.is_released(assignment):
        name = assignment.name
        raise Trouble(f"The gradebook knows no {name}: run `autograder release {name}` and `autograder grade {name}`.")
    if not formulas.can_set(formulas.MATHJAX):
        print(formulas.MISSING, file=sys.stderr)
    renew_penalties(assignment, outcomes)
    jobs = _jobs(assignment, outcomes)
    old = {job.outcome.student for job in jobs if force or _is_old(job)}
    found = {job.outcome.student: _unchanged(job) for job in jobs if job.outcome.student not in old}
    for page in _written([job for job in jobs if job.outcome.student in old], workers):
        found[page.student] = page
        progress(page, len(old))
    for name in found:
        if not found[name].problem:
            accompany(assignment, name)
    return [found[name] for name in sorted(found)]


def planned(assignment: Assignment, student: str | None = None, force: bool = False) -> list[Page]:
    """What `feedback` would write or leave alone, with the penalties as they are now; changes nothing."""
    jobs = _jobs(assignment, _outcomes(assignment, student))
    return [Page(job.outcome.student, path, waiting=job.waiting, written=force or _is_old(job))
            for job in jobs for path in [assignment.feedback(job.outcome.student)]]  # fmt: skip


def told(pages: list[Page], dry_run: bool = False) -> list[str]:
    """Lines for a terminal."""
    lines = [line for line in [waits.summary(page.waiting for page in pages)] if line]
    for page in (page for page in pages if page.written and not page.problem):
        what = f"{page.tables} tables" if page.graded else "could not be graded"
        lines.append(f"Would write {page.path}" if dry_run else f"{page.path}  ({what})")
    if same := sum(not page.written for page in pages):
        lines.append(f"{same} page{'s are' if same > 1 else ' is'} up to date already; --force writes all of them.")
    return lines + [f"No page for {page.student}: {page.problem}" for page in pages if page.problem]


def outdated(assignment: Assignment, student: str | None = None) -> list[str]:
    """The students whose page says something else than the gradebook; who has no page yet is none of them."""
    outcomes = _outcomes(assignment, student)
    if not any(assignment.feedback(name).is_file() for name in outcomes):
        return []
    jobs = _jobs(assignment, outcomes)
    return sorted(
        job.outcome.student for job in jobs if assignment.feedback(job.outcome.student).is_file() and _is_old(job)
    )


def _outcomes(assignment: Assignment, student: str | None) -> dict[str, Outcome]:
    return {name: outcome for name, outcome in ledger.read(assignment).items() if student in (None, name)}


def _jobs(assignment: Assignment, outcomes: dict[str, Outcome]) -> list[Job]:
    titles, open_ones, marks = Titles(assignment), waits.waiting(assignment), gradebook.marks(assignment)
    keys = freshness.Keys(assignment, [titles.unit, titles.titles, formulas.can_set(formulas.MATHJAX)])
    jobs = []
    for name, outcome in outcomes.items():
        mark = marks.get(name, NO_MARK)
        jobs.append(Job(assignment, outcome, titles, mark, open_ones.get(name, {}), keys.of(outcome, mark)))
    return jobs


def _is_old(job: Job) -> bool:
    return freshness.signature(job.assignment.feedback(job.outcome.student)) != job.key


def _unchanged(job: Job) -> Page:
    student, path = job.outcome.student, job.assignment.feedback(job.outcome.student)
    graded = job.assignment.autograded(student).is_file()
    tables = path.read_text(encoding="utf-8").count(pages.TABLE) if graded else 0
    return Page(student, path, tables, graded, job.waiting, written=False)


def _written(jobs: list[Job], workers: int) -> Iterator[Page]:
    """Pages as they get ready: in processes of their own where there are more than a few."""
    workers = min(workers, len(jobs) // FEW)
    if workers < 2:
        yield from map(pages.write, jobs)
        return
    with ProcessPoolExecutor(workers, forkserver.context(pages.__name__)) as pool:
        tasks = {pool.submit(pages.write, job): job for job in jobs}
        for task in as_completed(tasks):
            try:
                yield task.result()
            except BrokenProcessPool:  # killed, for want of memory perhaps: that page, and what waited behind it
                yield pages.write(tasks[task])
