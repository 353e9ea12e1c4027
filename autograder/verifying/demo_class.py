"""A made-up class, so that grading can be seen before there are students.

Everybody starts from the released notebook. One hands in the reference's answers, one nothing, one the specimens
that are right but written differently; then comes one student for each exercise, with a classic mistake in it and
the rest right; then the accidents: a duplicated cell, an endless loop, a torn file. All of them use the specimens
that also test the checks, so the class shows what the checks really catch.
"""

import shutil
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import nbformat

from autograder.course import CONFIG_NAME, Assignment, Course, Trouble
from autograder.recording import gradebook
from autograder.releasing.release import release
from autograder.releasing.source import grade_id, read_source, to_bytes

NAMES = """Ada Lindqvist, Bruno Çelik, Chiara Núñez, Dmitri Øster, Élodie Marchand, Farid Hosseini, Greta Weiß,
Hana Kováčová, Iñigo Arrieta, Jun Watanabe, Kofi Mensah, Łucja Zielińska, Mei-Lin 陳, Noor Rahman, Óscar Ferreira,
Priya Raman, Quentin Lefèvre, Rūta Kalniņa, Søren Dahl, Teodora Ivanić"""

WRITTEN = (  # answers to unit 1's written question, of different worth, so that there is something to mark
    "A count model sees only what stood together before; a longer context makes the counts thinner, not wiser.",
    "The first number is so low because nearly every context of seven words stands in the novel once: the model knows "
    "it by heart. I would measure on text that was not counted, interpolate with shorter contexts, and take a lower "
    "order. None of that sees further back, or knows that two words are alike.",
    "Kneser–Ney. It is the best smoothing method that we had, so the perplexity on the other novel gets better.",
    "He needs more data. With ten novels the order 8 would work, since then all contexts have been seen.",
)
LOOP = "def {name}(*arguments):\n    while True:\n        pass"
MARK = "# Written by `autograder class`."

CONFIG = (
    MARK
    + '''
"""The demonstration class: the course's own settings, with folders and a gradebook beside this file."""

from pathlib import Path

load_subconfig({config!r}, path={home!r})
c = get_config()
c.CourseDirectory.root = str(Path(__file__).resolve().parent)
c.CourseDirectory.db_url = f"sqlite:///{{c.CourseDirectory.root}}/gradebook.db"
c.CourseDirectory.source_directory = "source"
c.CourseDirectory.release_directory = "release"
c.Execute.timeout = {timeout}
'''
)


@dataclass(frozen=True)
class Member:
    """A student of the class: what is handed in, told in a few words, and the notebook's bytes."""

    student: str
    name: tuple[str, str]
    told: str
    content: bytes


def make(model: Assignment, root: Path, every: bool = False, timeout: int = 20) -> tuple[Assignment, list[Member]]:
    """Makes a class of the unit `model` at `root`, released and handed in. `every`: all wrong specimens."""
    assignment = Assignment(empty(model.course, root, timeout), model.name)
    release(assignment)
    everybody = members(assignment, every)
    for member in everybody:
        path = assignment.submitted(member.student) / f"{assignment.notebook}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(member.content)
    gradebook.name_students(assignment.course, {member.student: member.name for member in everybody})
    return assignment, everybody


def what_next(assignment: Assignment, pages: int) -> str:
    """Where the results lie and how to open formgrader on them."""
    return (
        f"{pages} feedback pages: {assignment.feedback('STUDENT').parent}\n"
        f"To see the class in formgrader: cd {assignment.course.root} && jupyter lab, "
        "then Nbgrader > Formgrader in the menu."
    )


def empty(home: Course, root: Path, timeout: int = 20) -> Course:
    """An empty course at `root`; refuses a folder that holds anything but an older demonstration."""
    config = root / CONFIG_NAME
    if root.exists() and any(root.iterdir()):
        if not (config.is_file() and config.read_text(encoding="utf-8").startswith(MARK)):
            raise Trouble(f"{root} is not empty and no demonstration class: name another folder with --root.")
        shutil.rmtree(root)
    root.mkdir(parents=True, exist_ok=True)
    config.write_text(CONFIG.format(config=CONFIG_NAME, home=str(home.root), timeout=timeout), encoding="utf-8")
    return Course(root.resolve(), home.solutions)


def members(assignment: Assignment, every: bool = False) -> list[Member]:
    """Every submission, each under the next name of the list."""
    blank = nbformat.read(assignment.released, as_version=4)
    reference = _reference(assignment)
    wrong, right = _specimens(assignment.name, reference)
    works = [
        ("the reference's answers", _with_answers(blank, reference)),
        ("nothing", blank),
        ("right, written differently", _with_answers(blank, reference | right)),
    ]
    for exercise, mistakes in wrong.items():
        for mistake in mistakes if every else mistakes[:1]:
            works.append((f"{exercise}: {mistake.title}", _with_answers(blank, reference | {exercise: mistake.source})))
    first, last = next(iter(reference)), list(reference)[-1]
    works += [
        (f"{first} twice, the first wrong", _doubled(_with_answers(blank, reference), first)),
        (f"an endless loop in {last}", _with_answers(blank, reference | {last: LOOP.format(name=last)})),
    ]
    contents = [(told, to_bytes(notebook)) for told, notebook in works]
    contents.append(("a file torn in half", contents[0][1][: len(contents[0][1]) // 2]))
    return [Member(*_person(number), told, content) for number, (told, content) in enumerate(contents)]


def _reference(assignment: Assignment) -> dict[str, str]:
    """Each exercise's answer in the source, in the notebook's order, without nbgrader's markers."""
    cells = [cell for cell in read_source(assignment).cells if _is_exercise(cell)]
    return {
        grade_id(cell): "\n".join(line for line in cell.source.splitlines() if " SOLUTION" not in line)
        for cell in cells
    }


def _specimens(unit: str, reference: dict[str, str]) -> tuple[dict[str, list], dict[str, str]]:
    """By exercise: the wrong specimens, and the source of the first right one."""
    from autograder.specimens import load

    specimens = [specimen for specimen in load(unit) if specimen.exercise in reference]
    wrong = {name: [s for s in specimens if s.exercise == name and s.kind == "wrong"] for name in reference}
    right = {s.exercise: s.source for s in reversed(specimens) if s.kind == "right"}
    return wrong, right


def _is_exercise(cell) -> bool:
    meta = cell.metadata.get("nbgrader", {})
    return cell.cell_type == "code" and meta.get("solution", False) and not meta.get("grade", False)


def _with_answers(blank, answers: dict[str, str]):
    notebook = deepcopy(blank)
    for cell in notebook.cells:
        if _is_exercise(cell):
            cell.source = answers[grade_id(cell)]
        elif cell.cell_type == "markdown" and grade_id(cell):
            cell.source = WRITTEN[crc32(repr(answers).encode()) % len(WRITTEN)]
    return notebook


def _doubled(notebook, exercise: str):
    """The exercise's cell copied below itself, as copy and paste does; the upper one is a first try."""
    index = next(index for index, cell in enumerate(notebook.cells) if grade_id(cell) == exercise)
    first_try = deepcopy(notebook.cells[index])
    first_try.source = f"def {exercise}(*arguments):\n    return None  # a first try"
    first_try.id = "first-try"
    notebook.cells.insert(index, first_try)
    return notebook


def _person(number: int) -> tuple[str, tuple[str, str]]:
    """The student id and the name of a member; the list begins again with a number when it is used up."""
    names = [name.strip() for name in NAMES.split(",")]
    first, last = names[number % len(names)].split(" ", 1)
    again = f"_{number // len(names) + 1}" if number >= len(names) else ""
    return f"{first}_{last}{again}".lower().replace(" ", "_"), (first, last)
