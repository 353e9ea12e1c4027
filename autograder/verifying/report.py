"""Show what `verify` found: a line an exercise, then who caught what; or, if there is any, what is to be mended."""

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.verifying.findings import Findings


def show(findings: list[Findings], console: Console) -> None:
    """Print the summary; then each trouble, or if all is well which checks caught what, and the survivors."""
    console.print(summary(findings))
    lines = list(troubles(findings))
    for line in lines:
        console.print(Text(line, style="bold red"), soft_wrap=True)
    if lines:
        return
    console.print(catches(findings))
    if any(found.explained for found in findings):
        console.print(survivors(findings))


def summary(findings: list[Findings]) -> Table:
    """A line an exercise: right answers accepted, wrong ones caught, mutants killed."""
    units = ", ".join(dict.fromkeys(found.unit for found in findings))
    table = Table(title=f"The checks of {units}", caption="Seconds on the clock, of two at a time.")
    table.add_column("Exercise", no_wrap=True)
    for heading in ("Right accepted", "Wrong caught", "Mutants killed", "Explained", "Seconds"):
        table.add_column(heading, justify="right")
    for found in findings:
        table.add_row(found.exercise, *_counts([found]), f"{found.seconds:.1f}")
    table.add_section()
    table.add_row("all", *_counts(findings), f"{sum(found.seconds for found in findings):.1f}")
    return table


def _counts(findings: list[Findings]) -> list[str]:
    """Four fractions: accepted, caught, killed (with its percentage), explained."""

    def count(*names: str) -> int:
        return sum(len(getattr(found, name)) for found in findings for name in names)

    killed, survived = sum(found.killed for found in findings), count("survived")
    lived, unexplained = count("survived", "excused", "let_through"), count("unexplained", "let_through")
    percent = f" ({killed / (killed + survived):.1%})" if killed + survived else ""
    return [
        f"{count('accepted')} of {count('accepted', 'refused')}",
        f"{count('caught')} of {count('caught', 'let_through', 'excused')} ({count('made')} made)",
        f"{killed} of {killed + survived}{percent}",
        f"{lived - unexplained} of {lived}",
    ]


def catches(findings: list[Findings]) -> Table:
    """Each wrong answer that was caught, and the checks that it failed."""
    table = Table(title="Wrong answers, and the checks that caught them")
    for heading in ("Exercise", "Wrong answer", "Failed"):
        table.add_column(heading, overflow="fold")
    for found in findings:
        for name, checks in found.caught.items():
            table.add_row(found.exercise, name, _few(checks))
        table.add_section()
    return table


def _few(names: list[str], limit: int = 3) -> str:
    more = len(names) - limit
    return ", ".join(names[:limit]) + (f" and {more} more" if more > 0 else "")


def survivors(findings: list[Findings]) -> Table:
    """Mutants and generic wrong answers that live for a reason, and the reason."""
    table = Table(title="Wrong answers and mutants that may live", show_lines=True)
    for heading in ("Exercise", "Answer", "Why"):
        table.add_column(heading, overflow="fold")
    for found in findings:
        for name, reason in found.explained.items():
            if name in found.survived or name in found.excused:
                table.add_row(found.exercise, Text(name.replace(" → ", "\n→ ")), reason)
    return table


def troubles(findings: list[Findings]) -> Iterable[str]:
    """A line for everything that someone has to mend."""
    for found in findings:
        place = f"{found.unit} {found.exercise}"
        for name, why in found.refused.items():
            yield f"{place}: the right answer {name} was refused ({why})"
        for name, why in found.let_through.items():
            yield f"{place}: the wrong answer {name} was let through ({why})"
        yield from found.broken
        for name in found.unexplained:
            yield f"{place}: a mutant survived that nobody explained: {name}"
        for name in found.stale:
            yield f"{place}: survivors.toml explains what does not survive: {name}"
