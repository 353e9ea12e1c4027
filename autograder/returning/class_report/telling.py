"""What the page's template draws from: numbers, figures, and students' code as lines of text."""

import math
import re
from collections import Counter
from datetime import UTC, datetime
from statistics import fmean, median

from rapidfuzz import __version__ as rapidfuzz

from autograder.outcome import STATUSES
from autograder.returning.report import span

from . import drawing, mistakes, similarity
from .found import Found, exercise_rows
from .gathering import Gathered

MOST_LEADS, MOST_OF_ONE = 20, 3  # pairs that are shown, pairs of one student
NUMBER = re.compile(r"\d+")


def told(found: Found) -> dict:
    """All of it, by the template's names."""
    gathered, marks = found.gathered, [one.mark.settled for one in found.marked]
    most = sum(gathered.points.values())
    bars = drawing.bins(marks, most)
    rows = exercise_rows(gathered)
    timed = len(found.times)
    return {
        "unit": gathered.title or gathered.unit,
        "count": len(gathered.submissions),
        "on_list": gathered.on_list,
        "made": datetime.now(UTC),
        "most": most,
        "marks": _summary(marks),
        "waiting": sum(bool(one.mark.open) for one in found.marked),
        "bins": bars,
        "histogram": drawing.histogram(bars, f"Points of {len(marks)} submissions", "points") if marks else "",
        "rows": rows,
        "bars": drawing.bars([(title, mean, of) for _, title, mean, of, *_ in rows], "Mean points by exercise"),
        "titles": gathered.titles,
        "failing": found.failing,
        "groups": {name: found.groups[name] for name in gathered.points if name in found.groups},
        "most_groups": mistakes.MOST,
        "timed": timed,
        "due": gathered.due,
        "scatter": drawing.scatter(found.times, most, gathered.due, f"When {timed} submissions came, and their points")
        if timed > 1 else "",
        "spans": found.spans,
        "statuses": _statuses(gathered),
        "repairs": _repairs(gathered),
        "leads": [_lead(lead, gathered) for lead in _varied(found.leads)],
        "all_leads": len(found.leads),
        "rarest": math.log2(max(similarity.FEW, len(gathered.submissions)) / 2),
        "library": f"RapidFuzz {rapidfuzz}",
    }  # fmt: skip


def _summary(marks: list[float]) -> dict[str, float]:
    if not marks:
        return {}
    ordered = sorted(marks)
    lower, upper = ordered[: (len(ordered) + 1) // 2], ordered[len(ordered) // 2 :]
    return {"mean": fmean(marks), "lower": median(lower), "median": median(ordered), "upper": median(upper)}


def _statuses(gathered: Gathered) -> list[tuple[str, list[tuple[str, str]]]]:
    """Each status with who ended so, and why where there is a reason."""
    return [
        (status, [(one.student, one.outcome.reason) for one in gathered.submissions if one.outcome.status == status])
        for status in STATUSES
        if any(one.outcome.status == status for one in gathered.submissions)
    ]


def _repairs(gathered: Gathered) -> list[tuple[str, int, str]]:
    """What was mended, how often, and in whose file for example; numbers do not make another repair."""
    counts, example = Counter(), {}
    for one in gathered.submissions:
        for line in one.outcome.repairs:
            kind = NUMBER.sub("#", line)
            counts[kind] += 1
            example.setdefault(kind, (line, one.student))
    return [(example[kind][0], number, example[kind][1]) for kind, number in counts.most_common()]


def _varied(leads: list[similarity.Lead]) -> list[similarity.Lead]:
    """The weightiest pairs, without those of two students who both stand there often enough."""
    chosen, times = [], Counter()
    for lead in leads:
        if len(chosen) < MOST_LEADS and min(times[student] for student in lead.students) < MOST_OF_ONE:
            chosen.append(lead)
            times.update(lead.students)
    return chosen


def _lead(lead: similarity.Lead, gathered: Gathered) -> dict:
    """A pair with its passages, each as two lists of (line, whether it is shared)."""
    by_name = {one.student: one for one in gathered.submissions}
    passages = []
    for passage in lead.passages:
        answers = [by_name[student].answers[passage.exercise] for student in lead.students]
        sides = [_lines(answer.source, marked)
                 for answer, marked in zip(answers, (passage.left, passage.right), strict=True)]  # fmt: skip
        first = [mistakes.came(answer.failed[0]) if answer.failed else "" for answer in answers]
        passages.append({"about": passage, "sides": sides, "wrong": first[0] if first[0] == first[1] else ""})
    times = [by_name[student].time for student in lead.students]
    apart = span(abs((times[0] - times[1]).total_seconds())) if all(times) else ""
    return {"students": lead.students, "bits": lead.bits, "passages": passages, "apart": apart}


def _lines(source: str, marked: frozenset[int]) -> list[tuple[str, bool]]:
    return [(shown(line), number in marked) for number, line in enumerate(source.rstrip().split("\n"), 1)]


def shown(text: str) -> str:
    """Code as it is shown: what nobody sees, or what turns a line around, is a sign of its own."""
    return "".join(letter if letter.isprintable() or letter in "\n\t" else "�" for letter in text)
