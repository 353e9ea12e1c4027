"""Refuses a source with mistakes before it is released, and tells them all at once, each with its line.

Beside what is wrong with the source alone (`declared`), that is an import of what the course's package lacks, an
exercise for which the unit's checks declare nothing, and one whose name another unit has: a name is one exercise's in
the whole course. The checks are read, not imported, unless one seems to be missing; importing them takes as long as
all the rest.
"""

import ast
import importlib
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from autograder.course import Assignment, Trouble
from autograder.releasing import check_call
from autograder.releasing.declared import Fault
from autograder.releasing.source import Source, open_source, parsed
from autograder.words import first_line


def proofread(assignment: Assignment) -> None:
    """Raises Trouble with a line for each mistake in the unit's source; reads the names in all others, too."""
    source = open_source(assignment)
    unchecked = _unchecked(source, assignment.notebook)
    source.refuse([*source.faults, *_missing(source, assignment), *unchecked, *_taken(source, assignment)])


def _missing(source: Source, assignment: Assignment) -> Iterator[Fault]:
    """Cells that import from the course's package what no file of it is, or has."""
    homes = [assignment.course.root / "course" / "unrolled", Path(find_spec("unrolled").origin).parent]
    for index, cell in enumerate(source.notebook.cells):
        for module, names in _imported(cell.source) if cell.cell_type == "code" else ():
            file = _file_of(module, homes)
            if file is None:
                yield Fault(index, f"there is no module {module}")
                continue
            words = set(re.findall(r"\w+", file.read_text(encoding="utf-8")))
            for name in names:
                if name not in words and name != "*" and _file_of(f"{module}.{name}", homes) is None:
                    yield Fault(index, f"there is no {name} in {module}")


def _imported(text: str) -> Iterator[tuple[str, list[str]]]:
    """The modules of the course's package that a cell imports, with the names that it takes from each."""
    lines = ("" if line.lstrip().startswith(("%", "!")) else line for line in text.splitlines())
    with suppress(SyntaxError):  # which is told elsewhere
        for node in ast.walk(ast.parse("\n".join(lines))):
            if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith("unrolled."):
                yield node.module, [alias.name for alias in node.names]
            elif isinstance(node, ast.Import):
                yield from ((alias.name, []) for alias in node.names if f"{alias.name}.".startswith("unrolled."))


def _file_of(module: str, homes: list[Path]) -> Path | None:
    """Where a module lies: in the course's own copy of the package, or in the one that is installed."""
    places = [home.joinpath(*module.split(".")[1:]) for home in homes]
    files = [file for place in places for file in (place / "__init__.py", place.parent / f"{place.name}.py")]
    return next((file for file in files if file.is_file()), None)


def _unchecked(source: Source, name: str) -> Iterator[Fault]:
    """Cells that call `check` for what the unit's checks do not know. A unit may have no module of checks."""
    module = f"unrolled.checks.{name}"
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        return
    declared = _declared_in(Path(spec.origin))
    for each in source.told:
        asks = each.kind == "check" and not each.slips and check_call.call_by_name(each.cell.source)
        if asks and each.name not in declared and not _declares(module, each.name):
            yield Fault(each.index, f"{module} declares no check of {each.name}")


def _declared_in(origin: Path) -> set[str]:
    """The exercises that stand as `check("viterbi", …)` in a module's file, or in the files of its folder."""
    files = origin.parent.rglob("*.py") if origin.name == "__init__.py" else [origin]
    try:
        nodes = [node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))]
    except SyntaxError as error:
        raise Trouble(f"{origin} cannot be read: {first_line(error)}") from error
    calls = [node for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func) == "check" and node.args]
    return {call.args[0].value for call in calls if isinstance(call.args[0], ast.Constant)}


def _declares(module: str, exercise: str) -> bool:
    """Whether the module declares a check of the exercise when it is run, by a name that is not written out."""
    from unrolled.checking.registry import checks_of

    try:
        importlib.import_module(module)
        return any(check.function.__module__.startswith(module) for check in checks_of(exercise))
    except LookupError:
        return False
    except Exception as error:  # whatever an author's module raises while it is written
        raise Trouble(f"{module} cannot be imported: {first_line(error)}") from error


def _taken(source: Source, assignment: Assignment) -> Iterator[Fault]:
    """Exercises whose name is one of another unit's, too."""
    for path in [other.source for other in assignment.course.assignments() if other != assignment]:
        places = _exercises(path, path.read_bytes())
        for each in source.told:
            if each.kind == "exercise" and each.name in places:
                yield Fault(each.index, f"{each.name} is an exercise in {places[each.name]}, too: give it another name")


@cache
def _exercises(path: Path, content: bytes) -> dict[str, str]:
    """The exercises of a source and where each stands; none of one that is no notebook yet."""
    with suppress(Trouble):
        other = parsed(path, content)
        return {each.name: other.place(each.index) for each in other.told if each.kind == "exercise" and each.name}
    return {}
