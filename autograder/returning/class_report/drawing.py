"""Figures as SVG in the page: drawn by its colours, readable on a telephone, each with a title that says what it shows.

All lengths are in a picture of 360 units across, which a page shows between 360 and 560 pixels wide. No text comes from
a student.
"""

import math
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from markupsafe import Markup, escape

from .timing import Point

WIDTH, LEFT, RIGHT, BOTTOM = 360, 34, 10, 34
STEPS = (0.25, 0.5, 1, 2, 2.5, 5, 10, 20, 25, 50, 100)
MOST_BARS, TICKS = 13, 5


def bins(marks: Sequence[float], most: float) -> list[tuple[float, float, int]]:
    """From, to and how many: bars of a round width from 0 to `most`; the last one includes its end."""
    width = next((step for step in STEPS if most / step <= MOST_BARS), most or 1.0)
    number = max(1, math.ceil(round(most / width, 9)))
    found = [0] * number
    for mark in marks:
        found[min(number - 1, max(0, int(mark / width + 1e-9)))] += 1
    return [(place * width, min(most, (place + 1) * width), count) for place, count in enumerate(found)]


def histogram(those: list[tuple[float, float, int]], title: str, across: str) -> Markup:
    """Bars side by side; a number stands on each that is not empty."""
    height, top = 190, 18
    low, tallest = height - BOTTOM, max(1, *(count for *_, count in those))
    wide = (WIDTH - LEFT - RIGHT) / len(those)
    parts = _rungs(tallest, low, top)
    for place, (begin, end, count) in enumerate(those):
        x, tall = LEFT + place * wide, (low - top) * count / tallest
        if count:
            parts.append(
                f'<rect class="bar" x="{x + 1:.1f}" y="{low - tall:.1f}" width="{wide - 2:.1f}" height="{tall:.1f}"/>'
            )
            parts.append(_text(x + wide / 2, low - tall - 3, str(count), "middle"))
        parts.append(_text(x, low + 12, f"{begin:g}", "middle"))
        if place == len(those) - 1:
            parts.append(_text(x + wide, low + 12, f"{end:g}", "middle"))
    parts += [_line(LEFT, low, WIDTH - RIGHT, low, "axis"), _text((WIDTH + LEFT) / 2, height - 4, across, "middle")]
    parts.append(_text(2, 10, "submissions", "start"))
    return _svg(height, title, parts)


def bars(rows: Iterable[tuple[str, float | None, float]], title: str) -> Markup:
    """A bar a row across the picture: name, mean (None: nobody is marked yet) and most; the name stands above it."""
    rows, each = list(rows), 31
    parts = []
    for place, (name, mean, most) in enumerate(rows):
        y, full = place * each, WIDTH - 2
        share = mean / most if mean and most else 0
        told = "not marked yet" if mean is None else f"{mean:.2f} of {most:g} ({share:.0%})"
        parts.append(_text(1, y + 11, name if len(name) < 49 else f"{name[:47]}…", "start"))
        parts.append(_text(full, y + 11, told, "end"))
        parts.append(f'<rect class="rest" x="1" y="{y + 15}" width="{full - 1}" height="9"/>')
        parts.append(f'<rect class="bar" x="1" y="{y + 15}" width="{(full - 1) * share:.1f}" height="9"/>')
    return _svg(each * len(rows), title, parts)


def scatter(those: list[Point], most: float, due: datetime | None, title: str) -> Markup:
    """A mark for each submission: time across, points up; a triangle is late; the due date is a dashed line."""
    height, top = 230, 18
    low = height - BOTTOM
    begin, end = min(point.time for point in those), max(point.time for point in those)
    begin, end = (min(begin, due), max(end, due)) if due else (begin, end)
    begin, span = begin - (end - begin) * 0.02, max((end - begin).total_seconds() * 1.04, 1.0)

    def across(time: datetime) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (time - begin).total_seconds() / span

    parts = _rungs(most, low, top)
    for time in _days(begin, begin + timedelta(seconds=span)):
        parts += [_line(across(time), low, across(time), low + 4, "axis"),
                  _text(across(time), low + 14, f"{time.day} {time:%b}", "middle")]  # fmt: skip
    if due:
        right = across(due) > WIDTH / 2
        parts.append(_line(across(due), top - 6, across(due), low, "due"))
        parts.append(_text(across(due) + (-3 if right else 3), top - 2, "due", "end" if right else "start"))
    for point in those:
        x, y = across(point.time), low - (low - top) * min(1.0, point.points / most if most else 0)
        parts.append(_triangle(x, y) if point.late else f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="2.6"/>')
    parts += [_line(LEFT, low, WIDTH - RIGHT, low, "axis"), _text(2, 10, "points", "start")]
    parts.append(_text((WIDTH + LEFT) / 2, height - 4, "handed in (UTC)", "middle"))
    return _svg(height, title, parts)


def _days(begin: datetime, end: datetime) -> Iterable[datetime]:
    """Midnights, a few of them."""
    first = begin.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    every = max(1, math.ceil((end - begin).days / TICKS))
    while first <= end:
        yield first
        first += timedelta(days=every)


def _rungs(most: float, low: float, top: float) -> list[str]:
    """Lines across at round heights, with their numbers."""
    step = next((step for step in STEPS if step >= 1 and most / step <= TICKS), most or 1)
    parts, at = [], 0.0
    while at <= most + 1e-9:
        y = low - (low - top) * at / (most or 1)
        parts += [_line(LEFT, y, WIDTH - RIGHT, y, "rung"), _text(LEFT - 4, y + 3.5, f"{at:g}", "end")]
        at += step
    return parts


def _triangle(x: float, y: float) -> str:
    return f'<path class="late" d="M{x - 3.4:.1f},{y + 2.6:.1f} h6.8 l-3.4,-6 z"/>'


def _line(x: float, y: float, to: float, down: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x:.1f}" y1="{y:.1f}" x2="{to:.1f}" y2="{down:.1f}"/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(height: float, title: str, parts: list[str]) -> Markup:
    head = f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{escape(title)}">'
    return Markup(f"{head}{''.join(parts)}</svg>")
