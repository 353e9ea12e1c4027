"""Graded cells that come or go while the gradebook has submissions, which nbgrader refuses.

Its gradebook has a place for each graded cell in each submission. Such places are made and removed here; what was
marked elsewhere stays as it is, and the next run of `autograder grade` fills the new ones.
"""

from dataclasses import dataclass

from nbgrader.api import Comment, Grade, GradeCell, MissingEntry, SolutionCell, SourceCell, TaskCell
from nbgrader.utils import is_grade, is_locked, is_solution, is_task
from sqlalchemy import delete, func, select

from autograder.course import Assignment
from autograder.recording.gradebook import gradebook
from autograder.words import listed

IS = {
    GradeCell: is_grade,
    SolutionCell: is_solution,
    TaskCell: is_task,
    SourceCell: lambda cell: any(kind(cell) for kind in (is_grade, is_solution, is_task, is_locked)),
}


@dataclass(frozen=True)
class Changes:
    """Names of cells that come and go, and how many marks by hand go with them."""

    submissions: int
    new: list[str]
    gone: list[str]
    marks: int

    def told(self, unit: str) -> str:
        """For whoever asked for the release, in one line."""
        lost = f" ({self.marks} mark{'s' * (self.marks != 1)} by hand would go with them)" if self.marks else ""
        which = [f"{listed(self.new)} {'are' if len(self.new) > 1 else 'is'} new"] if self.new else []
        which += [f"{listed(self.gone)} {'are' if len(self.gone) > 1 else 'is'} gone{lost}"] if self.gone else []
        count = f"{self.submissions} submission{'s' * (self.submissions != 1)}"
        return (
            f"{unit}: the gradebook has {count}, and the source has other graded cells: {', '.join(which)}. "
            f"Nothing was written. `autograder release {unit} --change-cells` makes room in the gradebook; all other "
            "marks stay."
        )


def changes(assignment: Assignment, cells: list) -> Changes | None:
    """What the gradebook would have to make room for, if `cells` were released; None where nothing has to be done."""
    with gradebook(assignment.course) as book:
        notebook = _notebook(assignment, book)
        if notebook is None or not notebook.submissions:
            return None
        new, gone = set(), set()
        for kind, wanted in IS.items():
            known, asked = _known(book, notebook, kind), {_name(cell) for cell in cells if wanted(cell)}
            new |= asked - known.keys()
            gone |= known.keys() - asked
        if not new | gone:
            return None
        lost = select(func.count()).select_from(Grade).where(Grade.manual_score.is_not(None))
        ids = [cell for kind in (GradeCell, TaskCell) for name, cell in _known(book, notebook, kind).items()
               if name in gone]  # fmt: skip
        marks = book.db.execute(lost.where(Grade.cell_id.in_(ids))).scalar_one()
        return Changes(len(notebook.submissions), sorted(new), sorted(gone), marks)


def make_room(assignment: Assignment, cells: list) -> None:
    """Gives the unit the gradebook cells that `cells` ask for, and each submission a place for each of them."""
    with gradebook(assignment.course) as book:
        notebook = _notebook(assignment, book)
        for kind, wanted in IS.items():
            known = _known(book, notebook, kind)
            asked = {_name(cell): cell for cell in cells if wanted(cell)}
            _remove(book, kind, [known[name] for name in known.keys() - asked.keys()])
            for name in asked.keys() - known.keys():
                _add(book, notebook, kind, asked[name])
        book.db.commit()


def _remove(book, kind, ids: list[str]) -> None:
    if kind is not SourceCell:
        for places in (Grade, Comment):
            book.db.execute(delete(places).where(places.cell_id.in_(ids)))
    for each in ids:
        book.db.delete(book.db.get(kind, each))
    book.db.flush()


def _add(book, notebook, kind, cell) -> None:
    about, more = cell.metadata["nbgrader"], {}
    if kind in (GradeCell, TaskCell):
        more = {"max_score": float(about["points"]), "cell_type": cell.cell_type}
    elif kind is SourceCell:
        more = {"cell_type": cell.cell_type, "locked": is_locked(cell), "source": cell.source}
    made = kind(name=_name(cell), notebook=notebook, **more)
    book.db.add(made)
    book.db.flush()
    for submission in notebook.submissions if kind is not SourceCell else ():
        if kind is not SolutionCell:
            book.db.add(Grade(cell_id=made.id, notebook_id=submission.id, auto_score=0.0, needs_manual_grade=False))
        if kind is not GradeCell:
            book.db.add(Comment(cell_id=made.id, notebook_id=submission.id))


def _notebook(assignment: Assignment, book):
    try:
        return book.find_notebook(assignment.notebook, assignment.name)
    except MissingEntry:
        return None


def _known(book, notebook, kind) -> dict[str, str]:
    """The ids of the notebook's cells of one kind, by name."""
    return dict(book.db.execute(select(kind.name, kind.id).where(kind.notebook_id == notebook.id)).tuples().all())


def _name(cell) -> str:
    return cell.metadata["nbgrader"]["grade_id"]
