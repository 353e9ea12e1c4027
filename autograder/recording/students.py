"""The class list in the gradebook: students come, change their names, and go only if somebody says so."""

import shutil
from dataclasses import dataclass, field

from autograder.course import Course, Trouble
from autograder.recording import gradebook, ledger
from autograder.words import listed


@dataclass
class Changes:
    """What a new list changes: ids by what happens to them. `marked` are those who left and have marks."""

    new: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    marked: list[str] = field(default_factory=list)
    same: int = 0


def changes(course: Course, before: dict, listed: dict) -> Changes:
    """What `listed`, students by id, changes of the list until now."""
    found = Changes()
    for name, student in sorted(listed.items()):
        if name not in before:
            found.new.append(name)
        elif before[name] != student:
            found.changed.append(name)
        else:
            found.same += 1
    left = sorted(set(before) - set(listed))
    marked = _with_marks(course)
    found.gone = [name for name in left if name not in marked]
    found.marked = [name for name in left if name in marked]
    return found


def enter(course: Course, students) -> None:
    """Puts names and addresses into the gradebook; whoever is new there gets a place."""
    with gradebook.gradebook(course) as book:
        for each in students:
            names = {"first_name": each.first_name, "last_name": each.last_name, "email": each.email}
            book.update_or_create_student(each.id, **{what: text or None for what, text in names.items()})


def remove(course: Course, names) -> None:
    """Takes students out of the gradebook, of whom it has no marks."""
    with gradebook.gradebook(course) as book:
        known = {student.id for student in book.students}
        for name in names:
            if name in known:
                book.remove_student(name)


def forget(course: Course, name: str, dry_run: bool = False) -> list[str]:
    """Removes all that grading made of a student who never was; returns what that is, a line each. Raises Trouble.

    What was handed in is never removed: it has to be moved away first, or the next run would grade it again.
    """
    units = course.assignments()
    for unit in units:
        if unit.submitted(name).exists():
            raise Trouble(f"{unit.submitted(name)} is there: move it to the right student first, then forget {name}.")
    folders = [place.parent for unit in units for place in (unit.autograded(name), unit.feedback(name))]
    folders = [folder for folder in folders if folder.exists()]
    recorded = [unit for unit in units if name in ledger.read(unit)]
    with gradebook.gradebook(course) as book:
        known = name in {student.id for student in book.students}
        told = [f"{name} in the gradebook, with all marks"] * known
        told += [f"{name} in {unit.record.name}" for unit in recorded] + [str(folder) for folder in folders]
        if known and not dry_run:
            book.remove_student(name)
    if not told:
        raise Trouble(f"Nothing is known of {name!r}.")
    if not dry_run:
        for unit in recorded:
            outcomes = ledger.read(unit)
            ledger.write(unit, {other: outcome for other, outcome in outcomes.items() if other != name})
        for folder in folders:
            shutil.rmtree(folder)
    return told


def _with_marks(course: Course) -> set[str]:
    with gradebook.gradebook(course) as book:
        return {submission.student.id for each in book.assignments for submission in each.submissions}


def told(found: Changes, remove: bool, dry_run: bool) -> list[str]:
    """A line for each kind of change."""
    would = "would be " if dry_run else ""
    lines = [f"{len(found.new)} {would}added: {listed(found.new, 60)}"] if found.new else []
    lines += [f"{len(found.changed)} {would}changed: {listed(found.changed, 60)}"] if found.changed else []
    if found.gone:
        how = f"{would}removed" if remove else "no longer on it; --remove takes them out"
        lines.append(f"{len(found.gone)} {how}: {listed(found.gone, 60)}")
    if found.marked:
        lines.append(f"{len(found.marked)} no longer on it, kept since they have marks: {listed(found.marked, 60)}")
    return lines or ["Nothing changed."]
