"""When submissions were handed in, seen from the due date, beside their marks."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from statistics import fmean

from .gathering import Submission

HOUR = 3600.0
SPANS = (  # seconds before the due date, from the earliest on
    ("more than 7 days before", float("inf")),
    ("3 to 7 days before", 168 * HOUR),
    ("1 to 3 days before", 72 * HOUR),
    ("6 to 24 hours before", 24 * HOUR),
    ("1 to 6 hours before", 6 * HOUR),
    ("in the last hour", HOUR),
)
AFTER = "after it"


@dataclass(frozen=True)
class Point:
    """A submission: when (UTC) and with how many points; `late` counts from the due date, extensions taken off."""

    time: datetime
    points: float
    late: bool


@dataclass(frozen=True)
class Span:
    """How many came in a span, and their mean; None where nobody came."""

    told: str
    count: int
    mean: float | None


def points(submissions: Iterable[Submission]) -> list[Point]:
    """Of those with a mark and a time, the earliest first."""
    timed = (one for one in submissions if one.time and one.mark)
    found = [Point(one.time, one.mark.settled + one.mark.late, one.late) for one in timed]
    return sorted(found, key=lambda point: (point.time, point.points))


def spans(those: list[Point], due: datetime | None) -> list[Span]:
    """Counts and means by how long before the due date; by day where there is none."""
    if due is None:
        by_day: dict[str, list[float]] = {}
        for point in those:
            by_day.setdefault(f"{point.time:%Y-%m-%d}", []).append(point.points)
        return [Span(day, len(marks), fmean(marks)) for day, marks in by_day.items()]
    found: dict[str, list[float]] = {told: [] for told in (*dict(SPANS), AFTER)}
    for point in those:
        before = (due - point.time).total_seconds()
        told = next(told for told, most in reversed(SPANS) if before <= most)
        found[told if before >= 0 else AFTER].append(point.points)
    return [Span(told, len(marks), fmean(marks) if marks else None) for told, marks in found.items()]
