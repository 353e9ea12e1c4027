"""The head of a feedback page: whose it is, and each exercise by its title, with what was lost first.

nbgrader calls every check there "Test cell" and every written answer "Written response", and says not whose page it
is. Marks and links stay as it wrote them. Left out on purpose: everything below the head.
"""

import html
import re

from autograder.course import Assignment
from autograder.outcome import Outcome
from autograder.recording.gradebook import full_names
from autograder.releasing.source import grade_id, read_source
from autograder.words import CHECK


class Head:
    """What the heads of all pages of a unit need: the unit's title, the exercises' titles, the students' names."""

    def __init__(self, assignment: Assignment):
        self.unit, self.titles = _titles(read_source(assignment).cells)
        self.unit, self.names = self.unit or assignment.name, full_names(assignment.course)

    def write(self, page: str, outcome: Outcome) -> str:
        """The page with its head; one that has none, as of another version of nbgrader, comes back as it was."""
        whose = self.names.get(outcome.student) or outcome.student
        title = f"{html.escape(self.unit)} · {html.escape(whose)}"
        head, end, rest = page.partition("</ol>")  # behind its list of marks stands what students write, links too
        head = re.sub(r"<title>[^<]*</title>", lambda _: f"<title>{title}</title>", head, count=1)
        head = re.sub(r"<h4>[^<]* \(Score: ", lambda _: f"<h4>{title} (Score: ", head, count=1)
        head = re.sub(r'<li><a href="#([^"]+)">[^<]*</a>([^<]*)</li>', lambda found: self._line(found, outcome), head)
        return head + end + rest

    def _line(self, found: re.Match, outcome: Outcome) -> str:
        name, mark = found[1], found[2]
        if name not in self.titles:
            return found[0]
        why = next((each.why for each in outcome.exercises if each.name == name.removesuffix(CHECK)), "")
        lost = f"<br><small>{html.escape(why)}</small>" if why else ""
        return f'<li><a href="#{name}">{html.escape(self.titles[name])}</a>{mark}{lost}</li>'


def _titles(cells: list) -> tuple[str, dict[str, str]]:
    """The unit's title; for each cell with a grade id the heading above it, as far as the first · or bracket."""
    unit, heading, titles = "", "", {}
    for cell in cells:
        if grade_id(cell):
            titles |= {grade_id(cell): heading} if heading else {}
        elif cell.cell_type == "markdown":
            for level, text in re.findall(r"^(#+) (.+)$", cell.source, re.MULTILINE):
                heading = re.split(r" · | \(", text)[0]
                unit = unit or (heading if level == "#" else "")
    return unit, titles
