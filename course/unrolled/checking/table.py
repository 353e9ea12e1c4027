"""From a report to something to look at: an HTML table for notebooks, a plain one for terminals.

Both render `Report.to_dict()` and nothing else. Colours carry no meaning alone: each row has a word.
"""

import html
import textwrap
from typing import Any

COLOURS = {  # background of the word; white text on each has a contrast of at least 4.5
    "held": "#00664b",
    "failed": "#a33b00",
    "skipped": "#5a5f66",
    "not started": "#5a5f66",
    "fault": "#6a3d9a",
}
NUMBERS = "text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums"
NOTE = "Grading tries the same properties on other inputs, too, and shares the points among all of them."


def headline(report: dict[str, Any]) -> str:
    """One line on the whole: how many properties hold, and what that earns."""
    checks = report["checks"]
    good = sum(check["outcome"] == "held" for check in checks)
    if any(check["outcome"] == "not started" for check in checks):
        return f"{report['exercise']}: not written yet (0 of {report['points']:g} points)"
    points = f"{report['earned']:g} of {report['points']:g} points"
    return f"{report['exercise']}: {good} of {len(checks)} properties hold ({points})"


def elsewhere(report: dict[str, Any]) -> str:
    """The line that names another exercise to mend first, or nothing."""
    first = report["mend_first"]
    return f"{first}, which it calls, does not hold yet: mend that first." if first else ""


def borrowed(report: dict[str, Any]) -> str:
    """The line that names what is from experiment cells, or nothing."""
    names = report.get("borrowed", [])
    if not names:
        return ""
    (are, them) = ("is", "it") if len(names) == 1 else ("are", "them")
    named = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    return f"{named} {are} from an experiment cell, which grading does not run: define {them} in your own cell, too."


def details(check: dict[str, Any]) -> list[str]:
    """The lines under a property that did not hold: what differs, expected and got, the hint."""
    if check["outcome"] in ("held", "not started"):
        return []
    lines = [check["message"]]
    if check["expected"] and not check["hidden"]:
        lines.append(f"expected {check['expected']}, got {check['got']}")
    if check["outcome"] == "failed" and check["hint"]:
        lines.append(f"Hint: {check['hint']}")
    if check["printed"] and not check["hidden"]:
        lines.append(f"Your code printed: {check['printed'].strip()}")
    return lines


def counts(report: dict[str, Any]) -> list[str]:
    """What each property weighs beside the lightest: "counts double", or nothing where that is once."""
    weights = [check["weight"] for check in report["checks"]]
    words = {2: "counts double", 3: "counts triple"}
    shares = [weight / min(weights) for weight in weights]
    return ["" if share == 1 else words.get(share, f"counts {share:.3g} times") for share in shares]


def worth(check: dict[str, Any]) -> str:
    """The points of a property; nothing for a faulty one, which does not count."""
    points = f"{check['points']:g}"
    return "" if check["outcome"] == "fault" else f"{points} point" if points == "1" else f"{points} points"


def text(report: dict[str, Any], width: int = 100) -> str:
    """The table in plain text."""
    rows = [headline(report), *(f"  {line}" for line in (elsewhere(report), borrowed(report)) if line)]
    for check, share in zip(report["checks"], counts(report), strict=True):
        mark = {"held": "+", "failed": "x", "fault": "!"}.get(check["outcome"], "-")
        head, told = f"  {mark} {check['outcome']:<12}", ", ".join(filter(None, (worth(check), share)))
        sentence = check["sentence"] + (f" ({told})" if told else "")
        rows += textwrap.wrap(sentence, width, initial_indent=head, subsequent_indent=" " * 17)
        for line in details(check):
            rows += textwrap.wrap(line, width, initial_indent=" " * 17, subsequent_indent=" " * 19)
    return "\n".join(rows)


def to_html(report: dict[str, Any]) -> str:
    """The table in HTML, with its style inline so that it looks the same in every notebook program."""
    cell = "padding:.35em .7em;text-align:left;vertical-align:top;border-top:1px solid rgba(128,128,128,.35)"
    rows = "".join(_row(check, share, cell) for check, share in zip(report["checks"], counts(report), strict=True))
    return (
        '<table class="unrolled-check" style="border-collapse:collapse;width:100%;max-width:60em;margin:.3em 0">'
        '<caption style="caption-side:top;text-align:left;font-weight:600;padding:.3em .7em;color:inherit">'
        f"{html.escape(headline(report))}{_second(elsewhere(report))}{_second(borrowed(report))}</caption>"
        f'<thead><tr><th scope="col" style="{cell};width:7em">Outcome</th>'
        f'<th scope="col" style="{cell}">Property</th>'
        f'<th scope="col" style="{cell};width:5.5em;{NUMBERS}">Points</th></tr></thead>'
        f'<tbody>{rows}</tbody></table><p style="font-size:.85em;margin:.2em .7em">{NOTE}</p>'
    )


def _row(check: dict[str, Any], share: str, cell: str) -> str:
    badge = (
        f'<span style="background:{COLOURS[check["outcome"]]};color:#fff;border-radius:.3em;padding:.1em .5em;'
        f'white-space:nowrap">{check["outcome"]}</span>'
    )
    lines = "".join(
        f'<div style="margin-top:.25em;font-size:.93em;overflow-wrap:anywhere">{_marked(line)}</div>'
        for line in details(check)
    )
    said = html.escape(check["sentence"])
    said += f' <span style="font-size:.85em;font-style:italic;white-space:nowrap">({share})</span>' if share else ""
    return f'<tr><td style="{cell}">{badge}</td><td style="{cell}">{said}{lines}</td>{_points(check, cell)}</tr>'


def _points(check: dict[str, Any], cell: str) -> str:
    """The last cell of a row: what came of the property's points."""
    points = f"{check['points']:g}"
    came = {"held": points, "fault": "–"}.get(check["outcome"], f"0 of {points}")
    return f'<td style="{cell};{NUMBERS}">{came}</td>'


def _second(line: str) -> str:
    """A further line of the caption, if there is one."""
    return f'<div style="font-weight:400;margin-top:.2em">{html.escape(line)}</div>' if line else ""


def _marked(line: str) -> str:
    """A line, escaped; a hint is found by its bold first word."""
    escaped = html.escape(line)
    return f"<strong>Hint:</strong>{escaped.removeprefix('Hint:')}" if escaped.startswith("Hint:") else escaped
