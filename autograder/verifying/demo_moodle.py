"""The demonstration class as Moodle would give it: an empty course beside a class list, an archive and a worksheet.

For a teacher who tries every step with the commands of a real class. Everybody of the class is there but whoever loops
for ever, and one more who hands nothing in.
"""

import csv
import io
import unicodedata
import zipfile
from pathlib import Path

from autograder.course import Assignment
from autograder.verifying.demo_class import Member, empty, members

FOLDER = "from-moodle"
FIRST_NUMBER = 40_711  # Moodle numbers submissions; no two courses begin alike
IDLE = Member("vera_olsen", ("Vera", "Olsen"), "hands nothing in", b"")
MOMENT = (2026, 1, 9, 18, 0, 0)  # of each file in the archive, so that the same class is the same bytes
HANDED_IN = "Friday, 9 January 2026, {hour}:{minute:02d} PM"
PLAIN = str.maketrans("łøđ", "lod")  # which are no letter with a mark, to Unicode
PEOPLE = ("First name", "Last name", "ID number", "Email address")
WORKSHEET = ("Identifier", "Full name", "ID number", "Email address", "Status", "Grade", "Maximum Grade")
TIMES = ("Last modified (submission)", "Feedback comments")


def lay(model: Assignment, root: Path) -> tuple[Assignment, Path]:
    """Makes the course at `root` and, in a folder of it, what Moodle would give. Both are returned."""
    assignment = Assignment(empty(model.course, root), model.name)
    handed_in = [member for member in members(model) if "endless loop" not in member.told]
    everybody = sorted([*handed_in, IDLE], key=lambda member: member.name)
    folder = assignment.course.root / FOLDER
    folder.mkdir()
    (folder / "class.csv").write_text(_people(everybody), encoding="utf-8-sig")
    (folder / "submissions.zip").write_bytes(_archive(assignment, everybody))
    (folder / "worksheet.csv").write_text(_worksheet(everybody, _points(model)), encoding="utf-8-sig")
    return assignment, folder


def what_next(assignment: Assignment, folder: Path) -> list[str]:
    """Where everything lies, and what to do then."""
    files = ", ".join(sorted(path.name for path in folder.iterdir()))
    return [
        f"An empty course: {assignment.course.root}",
        f"What Moodle would give of {assignment.name}, in {folder.name}/: {files}",
        f"Go on there: cd {assignment.course.root}",
    ]


def _people(everybody: list[Member]) -> str:
    return _table(PEOPLE, ((*member.name, member.student, _address(member)) for member in everybody))


def _archive(assignment: Assignment, everybody: list[Member]) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, member in enumerate(everybody, FIRST_NUMBER):
            if member.content:
                folder = f"{' '.join(member.name)}_{number}_assignsubmission_file_"
                archive.writestr(zipfile.ZipInfo(f"{folder}/{assignment.notebook}.ipynb", MOMENT), member.content)
    return whole.getvalue()


def _worksheet(everybody: list[Member], points: float) -> str:
    rows = []
    for number, member in enumerate(everybody, FIRST_NUMBER):
        status = "Submitted for grading" if member.content else "No submission"
        minutes = 13 * (number - FIRST_NUMBER)
        time = HANDED_IN.format(hour=4 + minutes // 60, minute=minutes % 60) if member.content else "-"
        person = f"Participant {number}", " ".join(member.name), member.student, _address(member)
        rows.append((*person, status, "", f"{points:.2f}", time, ""))
    return _table((*WORKSHEET, *TIMES), rows)


def _table(headings, rows) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([headings, *rows])
    return text.getvalue()


def _address(member: Member) -> str:
    """With the letters that mail servers take: few take others."""
    plain = unicodedata.normalize("NFKD", member.student.translate(PLAIN)).encode("ascii", "ignore").decode()
    return f"{plain.strip('_')}@school.example"


def _points(model: Assignment) -> float:
    """All points of the unit, those of the written question included."""
    from autograder.releasing.source import read_source

    return sum(cell.metadata.get("nbgrader", {}).get("points", 0) for cell in read_source(model).cells)
