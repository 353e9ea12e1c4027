"""All sources of a unit, taken in: who handed in what, what was placed, and what somebody must look at."""

from collections.abc import Callable
from pathlib import Path

from autograder.course import Assignment, Trouble
from autograder.receiving import class_list
from autograder.receiving.class_list import plain_id
from autograder.receiving.errors import Unreadable
from autograder.receiving.roll_call import likely
from autograder.words import listed, one_line

from . import called, github, keeping, shapes, sources
from .collected import Collected
from .naming import named
from .shapes import Attempt, Reading
from .whom import Found, disputed, whom
from .worksheet import own_list, worksheet

MOST_FILES = 500  # of an attempt


def collect(
    assignment: Assignment,
    given: list[Path],
    *,
    moodle: Path | None = None,
    who: Path | None = None,
    replace: bool = False,
    dry_run: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Collected:
    """Take sources in. moodle: its grading worksheet; who: a list of names and ids. Raises Trouble."""
    course, done = assignment.course, Collected()
    zone, students = course.class_file.zone, class_list.kept(course)
    rows, own = worksheet(moodle, zone) if moodle else {}, own_list(who) if who else {}
    units = tuple({each.name for each in (assignment, *course.assignments())})
    reading = Reading(assignment.name, units, zone)
    attempts = [(number, one) for number, source in enumerate(given) for one in _attempts(source, reading, done)]
    done.attempts = len(attempts)
    everybody = set(students) or {plain_id(each) for _, attempt in attempts for each in attempt.who.ids}
    known = []  # whose an attempt is, as far as its own name says
    for number, attempt in attempts:
        theirs = rows if done.platforms[number] == "Moodle" else {}
        known.append((number, attempt, _whose(attempt, whom(attempt.who, students, theirs, own), everybody, own, done)))
    by_student: dict[str, list[tuple]] = {}  # the attempt, its platform, and what that calls it
    for number, attempt, found in _undisputed(assignment, known, done):
        shown, platform = one_line(attempt.who.shown, 60), done.platforms[number]
        if found.id is None:
            near = None if found.among else likely(attempt.who.name or attempt.who.shown, students.values())
            among = f" ({' or '.join(found.among)}?)" if found.among else f" (is {near.id} meant?)" if near else ""
            (done.ambiguous if found.among else done.unknown).append(shown + among)
        elif kept := _kept(attempt, number, rows if platform == "Moodle" else {}, done):
            by_student.setdefault(found.id, []).append((kept, platform, called.name_of(platform, attempt)))
            done.late += [found.id] if attempt.late and found.id not in done.late else []
    names = {}
    for number, (student, those) in enumerate(sorted(by_student.items()), 1):
        names[student] = _placed(assignment, student, those, replace, dry_run, done)
        progress(number, len(by_student))
    if not dry_run:
        called.keep(assignment, {student: theirs for student, theirs in names.items() if theirs})
    here = {plain_id(name) for name in (*assignment.students(), *by_student)}
    done.missing = [each for each in students if plain_id(each) not in here]
    done.advise(bool(students))
    return done


def _attempts(source: Path, reading: Reading, done: Collected) -> list[Attempt]:
    if clones := github.clones(source):
        platform, found = "clones", github.attempts(clones)
        others = github.beside(source)
        if untimed := [one_line(each.who.shown, 60) for each in found if each.time is None]:
            done.notes.append(f"{len(untimed)} clones whose last commit's time cannot be read: {listed(untimed)}")
    else:
        platform, found, others = shapes.attempts(sources.entries(source), reading)
        folders, repositories = github.parted(source)
        if repositories and platform == "names":
            done.notes.append(
                f"{source.name} is not read as clones: {len(repositories)} of its {len(folders)} folders "
                f"are repositories, or other files lie there ({listed(path.name for path in repositories)})"
            )
    if not found:
        raise Trouble(f"{source} holds nothing that looks like a submission.")
    done.platforms.append(platform)
    if others:
        done.notes.append(f"{len(others)} files of {source.name} are nobody's submission: {listed(others)}")
    return found


def _whose(attempt: Attempt, found: Found, everybody: set[str], own: dict[str, str], done: Collected) -> Found | None:
    """The same, unless another's account handed it in: then what the teacher says, or None, and it is told."""
    if not found.id or not (other := _anothers(attempt, found.id, everybody, own)):
        return found
    told = f"{one_line(attempt.who.shown, 60)} (handed in by {other}'s account)"
    if plain_id(told) in own:
        return Found(own[plain_id(told)], said=True)
    done.ambiguous.append(told)
    return None


def _undisputed(assignment: Assignment, known: list[tuple], done: Collected) -> list[tuple]:
    """Those that no other account lays claim to, now or when something was collected before; the others are told."""
    where = [done.platforms[number] if attempt.who.number else str(number) for number, attempt, _ in known]
    claims = [(found.id, at, each.who.account) for (_, each, found), at in zip(known, where, strict=True) if found]
    now, ever = disputed(claims), disputed([*claims, *called.accounts(assignment)])
    clear = []
    for (number, attempt, found), at in zip(known, where, strict=True):
        if found and found.id and (found.id, at) in ever and not found.said:
            several = (found.id, at) in now
            why = "one of several that would be" if several else "another account was collected before for"
            done.ambiguous.append(f"{one_line(attempt.who.label, 60)} ({why} {found.id})")
        elif found:
            clear.append((number, attempt, found))
    return clear


def _anothers(attempt: Attempt, student: str, everybody: set[str], own: dict[str, str]) -> str | None:
    """The other student whose account handed it in. On many servers all files are one account's, which is nobody's."""
    account = plain_id(attempt.account)
    names = own.get(account, account), account.removeprefix("jupyter-")  # so begin The Littlest JupyterHub's accounts
    found = next((name for name in names if name in everybody), None)
    return found if found != student else None


def _kept(attempt: Attempt, source: int, rows: dict, done: Collected) -> keeping.Kept | None:
    """The attempt's files, read; None, and told, if one cannot be."""
    row, shown = rows.get(attempt.who.number), one_line(attempt.who.shown, 60)
    if row and row.odd_time:
        done.notes.append(f"{shown}: time not understood ({row.odd_time}): none is written")
    if len(attempt.files) > MOST_FILES:
        done.failed.append(f"{shown}: more than {MOST_FILES} files: is it a whole disk?")
        return None
    names = named(attempt.files)
    try:
        files = {names[path]: entry.read() for path, entry in attempt.files.items()}
    except Unreadable as problem:
        done.failed.append(f"{shown}: {problem}")
        return None
    if not any(path.suffix.casefold() in (".ipynb", ".zip") for path in files):
        done.notes.append(f"{shown}: no notebook among {listed(map(str, files)) or 'no files'}")
    time = attempt.time or (row.time if row else None)
    return keeping.kept(files, time, source, attempt.rank)


def _placed(
    assignment: Assignment, student: str, those: list[tuple], replace: bool, dry: bool, done: Collected
) -> dict:
    """Put a student's attempts where they belong. What the platforms call the one that counts; nothing if it failed."""
    try:
        outcome = keeping.place(assignment, student, [kept for kept, *_ in those], replace, dry)
    except OSError as error:
        done.failed.append(f"{student}: {one_line(error.strerror or str(error))}, so what stood there stays")
        return {}
    done.placed.setdefault(outcome, []).append(student)
    return called.last_names(those)
