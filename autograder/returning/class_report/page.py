"""The page: one file, without a script and without a request, in which what students wrote is text and nothing else.

Its head forbids scripts, forms and every address, so that not even a mistake in here lets a student's text act.
"""

import math
import os
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean, median

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from rapidfuzz import __version__ as rapidfuzz

from autograder.course import Assignment
from autograder.outcome import STATUSES
from autograder.specimens import load
from autograder.words import amount, listed, one_line

from . import drawing, mistakes, properties, similarity, timing
from .gathering import Gathered, Submission, gather

TEMPLATES = Path(__file__).parents[1] / "templates"
MOST_LEADS, MOST_NAMES = 20, 12
STEPS = 5  # of the way to a page, after the submissions are read
NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class Found:
    """All that the page tells."""

    gathered: Gathered
    failing: list[properties.Property]
    groups: dict[str, list[mistakes.Group]]
    times: list[timing.Point]
    spans: list[timing.Span]
    leads: list[similarity.Lead]

    @property
    def marked(self) -> list[Submission]:
        return [one for one in self.gathered.submissions if one.mark]

    def told(self) -> list[str]:
        """Lines for a terminal."""
        count, marks = len(self.gathered.submissions), [one.mark.settled for one in self.marked]
        lines = [
            f"{count} submission{'s' * (count != 1)}" + (f", median {amount(median(marks))} points" if marks else "")
        ]
        if self.failing:
            worst = self.failing[0]
            lines.append(
                f"Fails most, in {worst.failed} of {worst.tried}: {worst.exercise}: {one_line(worst.sentence)}"
            )
        pairs = listed((" and ".join(lead.students) for lead in self.leads), most=6)
        return lines + ([f"Alike, to look at ({len(self.leads)}): {pairs}"] if self.leads else [])

    def to_dict(self) -> dict:
        """The same as plain data."""
        submissions = [
            {"student": one.student, "status": one.outcome.status, "points": one.mark and one.mark.settled,
             "time": one.time and one.time.isoformat()}
            for one in self.gathered.submissions
        ]  # fmt: skip
        leads = [asdict(lead) for lead in self.leads]
        for passage in (passage for lead in leads for passage in lead["passages"]):
            passage |= {side: sorted(passage[side]) for side in ("left", "right")}
        return {
            "unit": self.gathered.unit,
            "submissions": submissions,
            "exercises": [
                {"name": name, "of": most, "mean": mean} for name, _, mean, most, *_ in exercise_rows(self.gathered)
            ],
            "failing": [asdict(each) for each in self.failing],
            "mistakes": {name: [asdict(each) for each in groups] for name, groups in self.groups.items()},
            "times": [asdict(each) for each in self.spans],
            "alike": leads,
        }


def look(assignment: Assignment, progress: Callable[[int, int], None] = lambda done, total: None) -> Found:
    """Everything, found out anew. Raises Trouble where nothing is graded."""
    total = 0

    def read(done: int, of: int) -> None:
        nonlocal total
        total = of + STEPS
        progress(done, total)

    gathered = gather(assignment, read)
    failing = properties.failing(gathered.submissions)
    progress(total - 4, total)
    groups = mistakes.grouped(gathered.submissions)
    times = timing.points(gathered.submissions)
    progress(total - 3, total)
    leads = similarity.leads(_sources(gathered), gathered.given, _specimens(assignment))
    progress(total, total)
    return Found(gathered, failing, groups, times, timing.spans(times, gathered.due), leads)


def write(found: Found, path: Path) -> None:
    """The page, in one step."""
    page = _environment().get_template("class_report.html.j2").render(_told(found))
    new = path.with_name(path.name + ".new")
    new.write_text(page, encoding="utf-8", errors="replace")
    os.replace(new, path)


def shown(text: str) -> str:
    """Code as it is shown: what nobody sees, or what turns a line around, is a sign of its own."""
    return "".join(letter if letter.isprintable() or letter in "\n\t" else "�" for letter in text)


def exercise_rows(gathered: Gathered) -> list[tuple]:
    """Name, heading, mean, most, and how many have all, some, nothing, and have not begun or wait for a person."""
    rows = []
    for name, most in gathered.points.items():
        earned, begun, waiting = [], 0, 0
        for one in gathered.submissions:
            answer = one.answers.get(name)
            given = one.mark.given if one.mark else {}
            points = next((value[0] for key, value in given.items() if key.removesuffix("-check") == name), None)
            points = points if points is not None else answer.earned if answer else 0.0
            waiting += points is None
            begun += bool(answer) and answer.why not in ("not started", "no answer")
            earned += [points] if points is not None else []
        counts = sum(each >= most for each in earned), sum(0 < each < most for each in earned)
        mean = fmean(earned) if earned else 0.0
        rows.append((name, gathered.titles[name], mean, most, *counts, len(gathered.submissions) - begun, waiting))
    return rows


def _sources(gathered: Gathered) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for one in gathered.submissions:
        for name, answer in one.answers.items():
            if answer.source.strip() and answer.why != "not started":
                found.setdefault(name, {})[one.student] = answer.source
    return found


def _specimens(assignment: Assignment) -> dict[str, list[str]]:
    """Answers that were written for the checks, by exercise; a unit of one's own may have none."""
    found: dict[str, list[str]] = {}
    for specimen in load(assignment.name):
        found.setdefault(specimen.exercise, []).append(specimen.source)
    return found


def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "amount": amount,
        "line": one_line,
        "code": shown,
        "names": lambda names: listed(names, 40, MOST_NAMES),
    }
    return made


def _told(found: Found) -> dict:
    """What the template draws from."""
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
        "leads": [_lead(lead, gathered) for lead in found.leads[:MOST_LEADS]],
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
    apart = abs((times[0] - times[1]).total_seconds()) if all(times) else None
    return {"students": lead.students, "bits": lead.bits, "passages": passages, "apart": apart}


def _lines(source: str, marked: frozenset[int]) -> list[tuple[str, bool]]:
    return [(shown(line), number in marked) for number, line in enumerate(source.rstrip().split("\n"), 1)]
