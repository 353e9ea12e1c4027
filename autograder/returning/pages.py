"""One student's feedback page, by nbgrader's `GenerateFeedback`, looked at before anybody gets it.

A page must show every check's table, and no line of a hidden check, and asks no other server for anything. A submission
that could not be graded gets a page too, which says why; nbgrader alone would leave those students without a word.

nbgrader's command finds notebooks by patterns, in which a `[` of a student's id means something else, and starts anew
for each of them. Here its converter is made once in a process and handed one notebook after another.
"""

import html
import json
import os
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from autograder.course import Assignment, Trouble
from autograder.judging.cells import REPORT
from autograder.outcome import Outcome
from autograder.quiet import nbgrader_quiet
from autograder.recording.gradebook import Mark
from autograder.releasing.leaks import bare, hidden_code, leaked, text_in
from autograder.returning import digest, formulas, freshness
from autograder.returning import waiting as waits
from autograder.returning.in_time import TookTooLong, at_most
from autograder.words import first_line

TABLE = 'class="unrolled-check"'
SECONDS = 60.0  # for one page; most take a third of one
TEMPLATE = Path(__file__).parent / "templates" / "page.html.j2"


@dataclass(frozen=True)
class Page:
    """One feedback page: where it is, how many tables it shows, whether it is of a graded notebook, what waits.

    `problem` says in one line why there is none; `written` is false where it was up to date already.
    """

    student: str
    path: Path
    tables: int = 0
    graded: bool = True
    waiting: waits.Waiting = field(default_factory=dict)
    problem: str = ""
    written: bool = True

    def to_dict(self) -> dict:
        """As plain data."""
        return vars(self) | {"path": str(self.path), "waiting": dict(self.waiting)}


@dataclass(frozen=True)
class Job:
    """All that a page is made of; `key` is the hash of it, which the page carries."""

    assignment: Assignment
    outcome: Outcome
    titles: digest.Titles
    mark: Mark
    waiting: waits.Waiting
    key: str


def write(job: Job) -> Page:
    """Writes the page, whatever the submission is; what goes wrong with it is told and stops nobody else."""
    path = job.assignment.feedback(job.outcome.student)
    try:
        with at_most(SECONDS):
            return _write(job, path)
    except TookTooLong:
        path.unlink(missing_ok=True)
        return Page(job.outcome.student, path, problem=f"it takes more than {SECONDS:g} s to set: look at the notebook")
    except Exception as error:
        path.unlink(missing_ok=True)  # an old page would be taken for a new one
        why = str(error) if isinstance(error, Trouble) else f"{type(error).__name__}: {first_line(error)}"
        return Page(job.outcome.student, path, problem=why)


def _write(job: Job, path: Path) -> Page:
    student, notebook = job.outcome.student, job.assignment.autograded(job.outcome.student)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not notebook.is_file():
        _put(path, freshness.signed(notice(job.assignment.name, job.outcome), job.key))
        return Page(student, path, graded=False)
    text = _converted(job, student, notebook)
    tables = look_at(text, path, json.loads(notebook.read_text(encoding="utf-8"))["cells"])
    text = waits.say_so(text, job.waiting)
    can = formulas.can_set(formulas.MATHJAX)
    text = formulas.set_formulas(text, _known_formulas()) if can else formulas.without_scripts(text)
    _put(path, freshness.signed(text, job.key))
    return Page(student, path, tables, waiting=job.waiting)


def _put(path: Path, text: str) -> None:
    """In one step: a student never gets half a page."""
    new = path.with_suffix(".new")
    new.write_text(text, encoding="utf-8", errors="replace")
    os.replace(new, path)


def _converted(job: Job, student: str, notebook: Path) -> str:
    """The page by nbgrader's converter and our template; pictures beside the notebook are copied beside the page."""
    with nbgrader_quiet() as errors:
        try:
            converter = _converter(job.assignment)
            converter.init_assignment(job.assignment.name, student)
            resources = converter.init_single_notebook_resources(str(notebook))
            page, _ = converter.exporter.from_filename(str(notebook), resources=resources | {"unrolled": job})
            return page
        except Exception as error:
            cause = first_line((errors or [error])[0])
            raise Trouble(f"nbgrader could not write {student}'s feedback: {cause}") from error


@cache
def _converter(assignment: Assignment):
    """nbgrader's converter with its exporter, as `start` makes them for one run, and our template."""
    from nbgrader.converters import GenerateFeedback

    converter = GenerateFeedback(coursedir=assignment.nbgrader_directory("."), config=assignment.course.config)
    converter.exporter = converter.exporter_class(parent=converter, config=converter.config)
    for preprocessor in [*converter.preprocessors, _digested]:
        converter.exporter.register_preprocessor(preprocessor)
    converter.exporter.template_paths = [*converter.exporter.template_paths, str(TEMPLATE.parent)]
    converter.exporter.template_file = TEMPLATE.name
    return converter


def _digested(notebook, resources):
    """The job in `resources` becomes what `digest` makes of it, once the cells carry their scores."""
    job = resources["unrolled"]
    about = (job.titles, job.outcome, job.mark, job.waiting)
    resources["unrolled"] = {"top": digest.top(*about), "sections": digest.sections(notebook.cells, *about)}
    return notebook, resources


@cache
def _known_formulas() -> dict:
    """Formulas that are set already: most are the unit's, the same on every page."""
    return {}


def look_at(text: str, path: Path, cells: list[dict]) -> int:
    """Counts a page's check tables; refuses it if one is missing or a hidden check's code is shown."""
    wanted = sum(REPORT in output.get("data", {}) for cell in cells for output in cell.get("outputs", []))
    if text.count(TABLE) < wanted:
        raise Trouble(f"{path} shows {text.count(TABLE)} of {wanted} check tables; is text/html still preferred?")
    own = bare("\n".join("".join(cell["source"]) for cell in cells))
    secrets = leaked({key: line for key, line in hidden_lines(path.stem).items() if key not in own}, text)
    if secrets:
        path.with_suffix(".withheld").write_text(text, encoding="utf-8", errors="replace")
        raise Trouble(f"{path} would show a hidden check's code ({secrets[0]!r}); it was withheld.")
    return text.count(TABLE)


@cache
def hidden_lines(name: str) -> dict[str, str]:
    """The code of the unit's hidden checks that students do not have, by its bare form; empty if it has none."""
    spec, package = find_spec(f"autograder.hidden.{name}"), find_spec("unrolled")
    return hidden_code(Path(spec.origin), text_in(Path(package.origin).parent)) if spec and spec.origin else {}


def notice(unit: str, outcome: Outcome) -> str:
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        f"<title>{html.escape(unit)}</title><h1>{html.escape(unit)}</h1>"
        f"<p>This submission could not be graded. Status: <strong>{html.escape(outcome.status)}</strong>.</p>"
        f"<p>{html.escape(outcome.reason)}</p></html>\n"
    )
