"""Wrong answers that are made, not written: the reference with one of `mistakes` around it.

Which mistakes make sense is decided by the answer's parameters and by the kinds of values that the checks give it
(see `seen`): two arguments are exchanged where they are neighbours of one kind, only lists, dictionaries,
sets and tensors are changed, gradients are cut where they flow. Never by what comes out: a mistake that changes
nothing in the eyes of the checks survives, and must be explained as a mutant must.

Left out on purpose, since the course's own rules allow it: single precision where an exercise returns plain numbers
(the checks ask for five digits of them), and double precision where single came (see `unrolled.checking.compare`).
"""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from autograder.releasing.references import Reference, used
from autograder.verifying import mistakes
from autograder.verifying.mutants import Mutant

HELPERS = {name: inspect.getsource(value) for name, value in vars(mistakes).items() if inspect.isfunction(value)}
IMPORTS = "\n".join(line for line in inspect.getsource(mistakes).splitlines() if line.startswith(("import ", "from ")))
CHANGEABLE = ("list", "dict", "set")


def generic(reference: Reference, seen: list[dict[str, Any]], module: Path | None) -> list[Mutant]:
    """The generic wrong answers to an exercise; `module` is the file of its finished module, if it has one."""
    made = []
    for name, call in _mistakes(reference.exercise, seen, module):
        line = f"{reference.exercise} = {call}"
        made.append(Mutant(name, f"{reference.source}\n\n{IMPORTS}\n\n\n{used(line, HELPERS)}\n\n{line}\n"))
    return made


def _mistakes(exercise: str, seen: list[dict], module: Path | None) -> Iterator[tuple[str, str]]:
    """The name of each mistake, and the expression that plants it."""
    if not seen:
        return
    yield "returns a constant", f"returns_a_constant({exercise})"
    if module is not None and (finished := _callable_of(module)):
        what = f"{_dotted(module)!r}, {finished[0]!r}, {finished[1]}"
        yield "calls the finished model", f"calls_the_finished_model({exercise}, {what})"
    if any(_has_a_size(kind) for call in seen for kind in call["arguments"].values()):
        yield "remembers by size", f"remembers_by_size({exercise})"
    if _grows(_unique(call["result"] for call in seen)):
        yield "adds to the last result", f"adds_to_the_last_result({exercise})"
    yield from _of_arguments(exercise, _kinds(seen))
    yield from _of_precision(exercise, seen)
    yield from _of_gradients(exercise, seen)


def _of_arguments(exercise: str, kinds: dict[str, list]) -> Iterator[tuple[str, str]]:
    """Arguments that are ignored, exchanged or changed."""
    for name, its in kinds.items():
        verb = "keeps the first" if any(_holds_tensors(kind) for kind in its) else "ignores"
        yield f"{verb} {name}", f"ignores({exercise}, {name!r})"
    names = list(kinds)
    for one, other in zip(names, names[1:], strict=False):
        if any(kind in kinds[other] for kind in kinds[one]):
            yield f"exchanges {one} and {other}", f"exchanges({exercise}, {one!r}, {other!r})"
    for name, its in kinds.items():
        if any(_changeable(kind) for kind in its):
            yield f"changes {name}", f"changes({exercise}, {name!r})"
        if any(_changeable(item) for kind in its for item in _items(kind)):
            yield f"changes what {name} holds", f"changes({exercise}, {name!r}, inside=True)"


def _of_precision(exercise: str, seen: list[dict]) -> Iterator[tuple[str, str]]:
    given = any(_floating(kind) for call in seen for kind in call["arguments"].values())
    if given and any(_floating(call["result"]) for call in seen):
        yield "computes in float32", f"computes_in_float32({exercise}, and_returns_it=False)"
        yield "computes in float32 and returns it", f"computes_in_float32({exercise}, and_returns_it=True)"


def _of_gradients(exercise: str, seen: list[dict]) -> Iterator[tuple[str, str]]:
    """Each way of a gradient that is cut; all at once where no check asks for gradients at all."""
    ways = _unique(way for call in seen for way in call["flows"])
    if ways and not any(call["differentiated"] for call in seen):
        yield "detaches the result", f"detaches_the_result({exercise})"
        return
    for name, *path in ways:
        place = "".join(f"[{step}]" for step in path)
        yield f"detaches {name}{place}", f"detaches({exercise}, {name!r}, {tuple(path)!r})"


# --- kinds -----------------------------------------------------------------------------------------------------------


def _kinds(seen: list[dict]) -> dict[str, list]:
    """All kinds that each argument had."""
    names = seen[0]["arguments"]
    return {name: _unique(call["arguments"][name] for call in seen) for name in names}


def _unique(values: Any) -> list:
    found: list = []
    for value in values:
        if value not in found:
            found.append(value)
    return found


def _items(kind: Any) -> list:
    return list(kind[1].values()) if isinstance(kind, list) else []


def _has_a_size(kind: Any) -> bool:
    """Whether two different values of a kind may look alike to who remembers results by sizes."""
    return isinstance(kind, list) or "tensor" in kind or kind in ("set", "function")


def _grows(results: list) -> bool:
    """Whether one result can be added to another: lists, or dictionaries, unless all have the same names."""
    lists, dicts = ([kind for kind in results if kind[0] == form] for form in ("list", "dict"))
    return bool(lists) or any("*" in kind[1] or kind[1].keys() != dicts[0][1].keys() for kind in dicts)


def _changeable(kind: Any) -> bool:
    return kind[0] in CHANGEABLE if isinstance(kind, list) else kind == "set" or "tensor" in kind


def _floating(kind: Any) -> bool:
    return any(map(_floating, _items(kind))) if isinstance(kind, list) else kind.startswith("floating")


def _holds_tensors(kind: Any) -> bool:
    return isinstance(kind, list) and _floating(kind)


# --- the finished model ----------------------------------------------------------------------------------------------


def _dotted(module: Path) -> str:
    return f"{module.parent.name}.{module.stem}"


def _callable_of(module: Path) -> tuple[str, int] | None:
    """A public class or function of a module that takes whole numbers alone, and how many; else its first one."""
    found = []
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        is_class = isinstance(node, ast.ClassDef)
        own = [part for part in node.body if getattr(part, "name", "") == "__init__"] if is_class else [node]
        if getattr(node, "name", "_").startswith("_") or not own or not isinstance(own[0], ast.FunctionDef):
            continue
        arguments = own[0].args.args[is_class:]
        needed = arguments[: len(arguments) - len(own[0].args.defaults)]
        whole = all(argument.annotation and ast.unparse(argument.annotation) == "int" for argument in needed)
        found.append((not whole, len(found), node.name, len(needed)))
    return min(found)[2:] if found else None
