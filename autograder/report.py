"""Tables for the terminal. Each renders outcomes, marks or verify's list, and decides nothing."""

from collections.abc import Iterable

from rich.table import Table

from autograder.gradebook import Mark
from autograder.outcome import CRASHED, GRADED, MISSING, REPAIRED, TIMED_OUT, UNREADABLE, Outcome

STYLES = {GRADED: "green", REPAIRED: "cyan", TIMED_OUT: "yellow"} | dict.fromkeys((CRASHED, UNREADABLE, MISSING), "red")


def marks_table(unit: str, outcomes: Iterable[Outcome], marks: dict[str, Mark], told: dict[str, str] | None = None):
    """One row a submission. `told`, in a demonstration, says what each submission is."""
    table = Table(title=f"{unit}: marks", title_justify="left", pad_edge=False)
    table.add_column("Student", no_wrap=True)
    if told:
        table.add_column("Hands in", min_width=14)
    table.add_column("Mark", justify="right", no_wrap=True)
    table.add_column("Status", no_wrap=True)
    table.add_column("What was lost, and why", ratio=1)
    for outcome in outcomes:
        status = f"[{STYLES[outcome.status]}]{outcome.status}[/]"
        cells = [outcome.student, mark_text(marks.get(outcome.student)), status, losses(outcome)]
        table.add_row(*(cells[:1] + [told.get(outcome.student, "")] + cells[1:] if told else cells))
    return table


def mark_text(mark: Mark | None) -> str:
    """`17.5 / 20`, and `+ 4?` while four points wait for a person."""
    if mark is None:
        return "–"
    settled = mark.max_score - mark.open
    return f"{mark.score:g} / {settled:g}" + (f" + {mark.open:g}?" if mark.open else "")


def losses(outcome: Outcome) -> str:
    """One line for each exercise that lost points, after the reason of the status."""
    lines = [outcome.reason] if outcome.reason else []
    missed = [exercise for exercise in outcome.exercises if exercise.why]
    if missed and len({exercise.why for exercise in missed}) == 1 and len(missed) > 2:
        total = sum(exercise.points - (exercise.earned or 0) for exercise in missed)
        return "\n".join([*lines, f"−{total:g} in {len(missed)} exercises: {missed[0].why}"])
    lines += [f"−{exercise.points - exercise.earned:g} {exercise.name}: {exercise.why}" for exercise in missed]
    return "\n".join(lines)


def verify_table(rows: list[dict]) -> Table:
    """verify's findings, one row an exercise."""
    table = Table(title="The checks, checked", title_justify="left", pad_edge=False)
    for name in ("Unit", "Exercise", "Right", "Refused", "Wrong", "Let through", "Mutants", "Survived"):
        table.add_column(name, justify="left" if name in ("Unit", "Exercise") else "right")
    for row in rows:
        lists = {key: ", ".join(row[key]) or "0" for key in ("refused", "let_through", "survived")}
        table.add_row(
            row["unit"],
            row["exercise"],
            str(row["right"]),
            lists["refused"],
            str(row["wrong"]),
            lists["let_through"],
            str(row["mutants"]),
            lists["survived"],
        )
    return table
