"""Tables for the terminal. Each renders outcomes or marks, and decides nothing."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from statistics import fmean

from rich.table import Table
from rich.text import Text

from autograder.outcome import GRADED, REPAIRED, STATUSES, TIMED_OUT, Exercise, Outcome
from autograder.recording.gradebook import Mark
from autograder.words import CHECK, amount, one_line

STYLES = dict.fromkeys(STATUSES, "red") | {GRADED: "green", REPAIRED: "cyan", TIMED_OUT: "yellow"}
GOOD = (GRADED, REPAIRED)
LONG, LONG_NAME = 1_000, 200  # characters of a reason, of an id: others may have chosen them


def marks_table(unit: str, outcomes: Iterable[Outcome], marks: dict[str, Mark], told: dict[str, str] | None = None):
    """One row a submission. `told` is a line below a student's id: a name, or what a made-up submission is."""
    table = Table(title=Text(f"{unit}: marks"), title_justify="left", show_lines=True)
    table.add_column("Student")
    table.add_column("Mark", justify="right", no_wrap=True)
    table.add_column("Status", max_width=11)
    table.add_column("What was lost, and why")
    for outcome in outcomes:
        student = Text(one_line(outcome.student, LONG_NAME))
        if more := (told or {}).get(outcome.student):
            student.append(f"\n{one_line(more, LONG_NAME)}", "dim")
        mark, status = marks.get(outcome.student), Text(outcome.status, STYLES[outcome.status])
        table.add_row(student, mark_text(mark), status, Text(losses(outcome, mark)))
    return table


def as_dicts(outcomes: Iterable[Outcome], marks: Mapping[str, Mark]) -> list[dict]:
    """The same as plain data: an object a submission, with numbers, and null where nothing was recorded."""
    found = []
    for outcome in outcomes:
        mark = marks.get(outcome.student)
        told = {"mark": mark and mark.settled, "of": mark and mark.max_score, "waiting": mark and mark.open}
        exercises = [vars(exercise) for exercise in outcome.exercises]
        about = {name: getattr(outcome, name) for name in ("student", "status", "reason", "repairs", "earlier")}
        found.append(about | told | {"late": mark and mark.late, "exercises": exercises})
    return found


def closing_line(outcomes: Iterable[Outcome], marks: Mapping[str, Mark]) -> str:
    """How many submissions ended how, and the mean of the marks that wait for nobody."""
    outcomes = list(outcomes)
    counts = Counter(outcome.status for outcome in outcomes)
    told = ", ".join(f"{count} {status}" for status, count in counts.most_common())
    known = [marks[outcome.student] for outcome in outcomes if outcome.student in marks]
    settled, waiting = [mark for mark in known if not mark.open], sum(bool(mark.open) for mark in known)
    line = f"{len(outcomes)} submission{'s' * (len(outcomes) != 1)}: {told}."
    if settled:
        mean, most = fmean(mark.counted for mark in settled), max(mark.max_score for mark in settled)
        line += f" Mean {mean:.2f} of {most:g}" + (f" over the {len(settled)} that are settled." if waiting else ".")
    return line + (f" {waiting} wait{'s' * (waiting == 1)} for a person." if waiting else "")


def mark_text(mark: Mark | None) -> str:
    """`17.5 / 20`, and `+ 4?` while four points wait for a person. A penalty for lateness is off already."""
    if mark is None:
        return "–"
    settled = mark.max_score - mark.open
    return f"{amount(mark.settled)} / {amount(settled)}" + (f" + {amount(mark.open)}?" if mark.open else "")


def losses(outcome: Outcome, mark: Mark | None = None) -> str:
    """The reason of the status, then what was lost: a line for each reason, naming its exercises.

    Then what a person gave, where that is not all or was given for an earlier answer; last, lateness.
    """
    by_hand = {name.removesuffix(CHECK): points for name, points in mark.given.items()} if mark else {}
    groups: dict[str, list[Exercise]] = {}
    for exercise in outcome.exercises:
        if exercise.why and exercise.name not in by_hand:
            groups.setdefault(exercise.why, []).append(exercise)
    lines = [one_line(line, LONG) for line in (outcome.reason, outcome.earlier) if line]
    for why, exercises in groups.items():
        lost = sum(exercise.points - (exercise.earned or 0) for exercise in exercises)
        names = ", ".join(exercise.name for exercise in exercises)
        where = names if len(exercises) < 4 else f"in {len(exercises)} exercises"
        lines.append(f"−{amount(lost)} {where}: {one_line(why, LONG)}")
    return "\n".join([*lines, *_by_hand(mark)] if mark else lines)


def _by_hand(mark: Mark) -> Iterator[str]:
    for name, (points, most) in mark.given.items():
        shown = name.removesuffix(CHECK)
        if name in mark.earlier:
            yield f"{shown}: marked {amount(points)} for an earlier answer: look again"
        elif points != most:
            yield f"{'−' if points < most else '+'}{amount(abs(points - most))} {shown}: marked by hand"
    if line := lateness(mark):
        yield line


def lateness(mark: Mark) -> str:
    """By how much a submission was late and what that costs; nothing where it was in time."""
    if not (mark.overdue or mark.late):
        return ""
    by = f" by {span(mark.overdue)}" if mark.overdue else ""
    return f"late{by}: −{amount(mark.late)}" if mark.late else f"late{by}, which costs nothing"


def span(seconds: float) -> str:
    """`2 days 3 h`, `3 h 5 min`, `5 min` or `12 s`: a time in its two largest parts."""
    parts = ((86400, "days"), (3600, "h"), (60, "min"), (1, "s"))
    size, at = next(((size, at) for at, (size, _) in enumerate(parts) if seconds >= size), (1, 3))
    whole, rest = divmod(int(seconds), size)
    shown = f"{whole} {'day' if (size, whole) == (86400, 1) else parts[at][1]}"
    more = rest // parts[at + 1][0] if at < 2 else 0
    return f"{shown} {more} {parts[at + 1][1]}" if more else shown
