"""Everybody's marks as a CSV file: the plug-in of `nbgrader export` that nbgrader_config.py names.

nbgrader's own writes penalties as they were when a unit was graded last, though a mark given by hand since may change
them; joins fields by bare commas, so that a comma in a name moves all that follows; and takes the system's encoding.
"""

import csv
import os
import sys
from pathlib import Path

from nbgrader.api import MissingEntry
from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import ExportPlugin

from autograder.course import Course, Trouble
from autograder.recording.marks import renew_penalties
from autograder.words import amount

FIELDS = [
    *("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email"),
    *("raw_score", "late_submission_penalty", "score", "max_score"),
]


class Marks(ExportPlugin):
    """One row a student and unit, in nbgrader's columns; UTF-8 with a mark by which Excel knows it."""

    def export(self, gradebook) -> None:
        """`gradebook` is the open one of nbgrader's command."""
        try:
            renewed = self._renewed(gradebook)
        except Trouble as trouble:
            print(f"nbgrader export: {trouble}", file=sys.stderr)
            sys.exit(1)
        path = Path(self.to or "grades.csv")
        new = path.with_name(path.name + ".new")
        with open(new, "w", encoding="utf-8-sig", newline="") as file:
            writer = csv.DictWriter(file, FIELDS)
            writer.writeheader()
            writer.writerows(_row(gradebook, unit, student) for unit in renewed for student in self._asked(gradebook))
        os.replace(new, path)
        self.log.info("Exported grades to %s", path)

    def _renewed(self, gradebook) -> list:
        """The units that are asked for, with penalties as they are now."""
        course = Course.find(Path(CourseDirectory(parent=self).root))
        units = [
            unit for unit in gradebook.assignments if not self.assignment or unit.name in map(str, self.assignment)
        ]
        known = {each.name: each for each in course.assignments()}
        for unit in units:
            if unit.name in known:
                renew_penalties(known[unit.name], [submission.student.id for submission in unit.submissions])
        gradebook.db.expire_all()
        return units

    def _asked(self, gradebook) -> list:
        return [each for each in gradebook.students if not self.student or each.id in map(str, self.student)]


def _row(gradebook, unit, student) -> dict[str, object]:
    row = {
        "assignment": unit.name,
        "duedate": unit.duedate or "",
        "student_id": student.id,
        "last_name": student.last_name or "",
        "first_name": student.first_name or "",
        "email": student.email or "",
        "max_score": amount(unit.max_score),
    }
    try:
        submission = gradebook.find_submission(unit.name, student.id)
    except MissingEntry:
        return row | {"timestamp": "", "raw_score": "0", "late_submission_penalty": "0", "score": "0"}
    penalty = submission.late_submission_penalty or 0
    return row | {
        "timestamp": submission.timestamp or "",
        "raw_score": amount(submission.score),
        "late_submission_penalty": amount(penalty),
        "score": amount(max(0.0, submission.score - penalty)),
    }
