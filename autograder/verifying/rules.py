"""The rules for a unit's checks and specimens that need no answers, each one line where it does not hold.

They are by exercise and relative, so that a unit of two exercises can be whole. A line names the unit, the exercise,
what is wrong, and what to do. What answers must do is in `verify`, what they must not in
`ordeal`.
"""

import ast
import importlib.util
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from unrolled.checking import registry
from unrolled.checking.registry import Check

from autograder.course import Assignment, Trouble
from autograder.releasing.leaks import leaked, secret_lines
from autograder.releasing.references import Reference
from autograder.specimens import HOME, load
from autograder.verifying.findings import Findings
from autograder.words import word_of

PUBLIC, HIDDEN = 3, 2  # checks that an exercise has at least
RIGHT, WRONG = 3, 4  # specimens that are written for it at least
SENTENCE, HINT = 130, 90  # characters at most
KILLED = 0.95  # of a unit's mutants at least
STUDENTS_FILES = {".py", ".ipynb", ".md", ".js", ".css", ".toml", ".txt"}


def has_checks(unit: str, exercises: Sequence[Reference]) -> None:
    """Raises Trouble for a unit that has no file of checks, or no exercise."""
    name = word_of(unit)
    if importlib.util.find_spec(f"unrolled.checks.{name}") is None:
        raise Trouble(f"{unit} has no checks: write {PUBLIC} for each exercise into course/unrolled/checks/{name}.py.")
    if not exercises:
        raise Trouble(f"{unit} has no exercise: tag a code cell of solutions/{unit}.md `exercise`.")


# --- rules for an exercise -------------------------------------------------------------------------------------------


def of_exercise(unit: str, reference: Reference, sources: Mapping[str, Sequence[Reference]]) -> list[str]:
    """A line for each rule that an exercise breaks; `sources` holds all units' exercises."""
    lines = [*_name(unit, reference, sources)]
    checks = registry.declared().get(reference.exercise, [])
    lines += [*_numbers(checks), *_homes(unit, checks)]
    for check in checks:
        lines += _words(check)
    lines += _specimens(unit, reference.exercise, {check.name for check in checks})
    return [f"{unit} {reference.exercise}: {line}" for line in lines]


def _name(unit: str, reference: Reference, sources: Mapping[str, Sequence[Reference]]) -> Iterator[str]:
    for other, exercises in sources.items():
        if other != unit and any(exercise.exercise == reference.exercise for exercise in exercises):
            yield f"{other} has an exercise of the same name: give one of them another"


def _numbers(checks: list[Check]) -> Iterator[str]:
    for kind, at_least in (("public", PUBLIC), ("hidden", HIDDEN)):
        count = sum(check.hidden == (kind == "hidden") for check in checks)
        if count < at_least:
            yield f"it has {count} {kind} checks: write {at_least} or more"


def _homes(unit: str, checks: list[Check]) -> Iterator[str]:
    name = word_of(unit)
    for check in checks:
        if check.function.__module__ not in (f"unrolled.checks.{name}", f"autograder.hidden.{name}"):
            yield f"the check {check.name} is declared in {check.function.__module__}: it belongs to this unit's files"


def _words(check: Check) -> Iterator[str]:
    if not check.sentence.endswith("."):
        yield f"the sentence of {check.name} does not end with a period: students read it as a sentence"
    if len(check.sentence) > SENTENCE:
        yield f"the sentence of {check.name} has {len(check.sentence)} characters: say it in {SENTENCE}"
    if not check.hint:
        yield f"the check {check.name} has no hint: say where to look when it fails"
    if len(check.hint) > HINT:
        yield f"the hint of {check.name} has {len(check.hint)} characters: say it in {HINT}"


def _specimens(unit: str, exercise: str, checks: set[str]) -> Iterator[str]:
    found, place = load(unit, exercise), f"specimens/{word_of(unit)}/{exercise}.py"
    for kind, at_least in (("right", RIGHT), ("wrong", WRONG)):
        count = sum(specimen.kind == kind for specimen in found)
        if count < at_least:
            yield f"{place} has {count} {kind} answers: write {at_least} or more"
    for specimen in found:
        for name in set(specimen.fails) - checks:
            yield f"the specimen {specimen.name} names a check that does not exist: {name}"


# --- rules for a unit ------------------------------------------------------------------------------------------------


def of_unit(assignment: Assignment, examined: list[Findings]) -> list[str]:
    """A line for each rule that a unit breaks whose exercises were all examined."""
    unit, exercises = assignment.name, {found.exercise for found in examined}
    lines = [*_strangers(unit, exercises), *_public_references(unit), *_killed(examined), *_leaks(assignment)]
    return [f"{unit}: {line}" for line in lines]


def _strangers(unit: str, exercises: set[str]) -> Iterator[str]:
    """Specimens and checks of exercises that the source does not have: nobody would ever try them."""
    for path in sorted((HOME / word_of(unit)).glob("*.py")):
        if path.stem not in exercises:
            yield f"specimens/{word_of(unit)}/{path.name} is about no exercise of the source: rename or remove it"
    own = {f"unrolled.checks.{word_of(unit)}", f"autograder.hidden.{word_of(unit)}"}
    for exercise, checks in registry.declared().items():
        if exercise not in exercises and any(check.function.__module__ in own for check in checks):
            yield f"checks are declared for {exercise!r}, which is no exercise of the source: is the name mistyped?"


def _public_references(unit: str) -> Iterator[str]:
    """A public check calls its answer; nothing else in the file is a function, which could be one."""
    path = Path(importlib.util.find_spec(f"unrolled.checks.{word_of(unit)}").origin)
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            if not node.decorator_list:
                yield f"{path.name} has the function {node.name}, which is no check: students read that file"
            elif [argument.arg for argument in node.args.args] != ["answer"]:
                yield f"the check {node.name} takes something else than `answer`"


def _killed(examined: list[Findings]) -> Iterator[str]:
    killed = sum(found.killed for found in examined)
    tried = killed + sum(len(found.survived) for found in examined)
    if tried and killed / tried < KILLED:
        yield f"of {tried} mutants {killed / tried:.1%} are killed: let the checks look at more, until {KILLED:.0%} are"


def _leaks(assignment: Assignment) -> Iterator[str]:
    secrets = secret_lines(assignment)
    if not secrets:
        yield "no line of its answers and hidden checks is a secret: it has none, or students get them all"
    for path in sorted((assignment.course.root / "course").rglob("*")):
        hidden_folder = {"__pycache__", ".ipynb_checkpoints"} & set(path.parts)
        if path.suffix in STUDENTS_FILES and path.is_file() and not hidden_folder:
            for line in leaked(secrets, path.read_text("utf-8")):
                where = path.relative_to(assignment.course.root)
                yield f"{where} gives away a line of an answer, a hidden check or a specimen: {line}"
