"""All that the page tells, as lines for a terminal and as plain data."""

from dataclasses import asdict, dataclass
from statistics import fmean, median

from autograder.words import CHECK, amount, listed, one_line

from . import mistakes, properties, similarity, timing
from .gathering import Gathered, Submission


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
        waiting = sum(bool(one.mark.open) for one in self.marked)
        waits = f"; in {waiting} some points wait for a person, and count as 0 here" if waiting else ""
        middle = f", median {amount(median(marks))} points{waits}" if marks else ""
        lines = [f"{count} submission{'s' * (count != 1)}{middle}"]
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


def exercise_rows(gathered: Gathered) -> list[tuple]:
    """Name, heading, mean, most, and how many have all, some, nothing, and have not begun or wait for a person."""
    rows = []
    for name, most in gathered.points.items():
        earned, begun, waiting = [], 0, 0
        for one in gathered.submissions:
            answer = one.answers.get(name)
            given = one.mark.given if one.mark else {}
            points = next((value[0] for key, value in given.items() if key.removesuffix(CHECK) == name), None)
            points = points if points is not None else answer.earned if answer else 0.0
            waiting += points is None
            begun += bool(answer) and answer.why not in ("not started", "no answer")
            earned += [points] if points is not None else []
        counts = sum(each >= most for each in earned), sum(0 < each < most for each in earned)
        mean = fmean(earned) if earned else None  # while all of them wait for a person
        rows.append((name, gathered.titles[name], mean, most, *counts, len(gathered.submissions) - begun, waiting))
    return rows
