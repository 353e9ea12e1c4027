"""What a trial depends on, besides the answer: the checks of its exercise and all code that they and answers use.

The checks of one exercise may change without the trials of another being worth less: of the two files of checks that
a unit has, only what belongs to the exercise counts, and what stands there for all. The code is found by following
imports, within `unrolled` and `autograder`, without running any of it.
"""

import ast
import functools
import hashlib
import sys
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

from autograder.releasing.references import Reference
from autograder.words import word_of

TRIED_BY = ("autograder.verifying.trial", "autograder.verifying.seen", "autograder.verifying.ordeal")
PACKAGES = ("unrolled", "autograder")


def of_exercise(unit: str, reference: Reference) -> str:
    """A hash of everything that the trials of an exercise have in common."""
    import torch

    name = word_of(unit)
    own = (f"unrolled.checks.{name}", f"autograder.hidden.{name}")
    texts = [text_for(reference.exercise, path.read_text("utf-8")) for path in filter(None, map(path_of, own))]
    used = {module for text in texts for module in imported(text)} - set(own)
    code = of_modules(frozenset({*used, *TRIED_BY, f"unrolled.{name}"}), frozenset(own))
    return hashed(sys.version, torch.__version__, reference.source, reference.prelude, *texts, code)


def text_for(exercise: str, checks: str) -> str:
    """A file of checks without its comments, and without what is declared for other exercises."""
    tree = ast.parse(checks)
    tree.body = [node for node in tree.body if _declared_for(node) in (None, exercise)]
    return ast.unparse(tree)


def _declared_for(node: ast.stmt) -> str | None:
    """The exercise that a statement of a file of checks names, as in `@check("mle", …)` and `forbid("mle", …)`."""
    calls = node.decorator_list if isinstance(node, ast.FunctionDef) else [getattr(node, "value", None)]
    for call in calls:
        if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Constant):
            return str(call.args[0].value)
    return None


def of_answer(source: str) -> str:
    """A hash of the modules that an answer imports."""
    ours = any(package in source for package in PACKAGES)
    return of_modules(frozenset(imported(source)), frozenset()) if ours else ""


@functools.cache
def of_modules(names: frozenset[str], without: frozenset[str]) -> str:
    """A hash of these modules of ours and of all that they import in turn, but for those in `without`."""
    waiting, found = set(names) - without, {}
    while waiting:
        name = waiting.pop()
        path = path_of(name)
        if path is not None:
            found[name] = path.read_text("utf-8")
            waiting |= set(imported(found[name], name, path.stem == "__init__")) - found.keys() - without
    return hashed(*(f"{name}\n{found[name]}" for name in sorted(found)))


@functools.cache
def path_of(module: str) -> Path | None:
    """The file of a module of ours; None for any other, and for a name that is none."""
    if module.partition(".")[0] not in PACKAGES:
        return None
    top = Path(find_spec(module.partition(".")[0]).origin).parent.parent
    stem = top.joinpath(*module.split("."))
    return next((path for path in (stem.with_suffix(".py"), stem / "__init__.py") if path.is_file()), None)


def imported(source: str, module: str = "", is_package: bool = False) -> Iterator[str]:
    """The names that a source may import as modules; `module` is its own name, for imports that begin with a dot."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except SyntaxError:  # such an answer imports nothing
        return
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _with_parents(alias.name)
        elif isinstance(node, ast.ImportFrom):
            above = module.split(".")[: len(module.split(".")) - node.level + is_package] if node.level else []
            base = ".".join(filter(None, [*above, node.module]))
            yield from _with_parents(base)
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _with_parents(name: str) -> Iterator[str]:
    parts = name.split(".")
    return (".".join(parts[:end]) for end in range(1, len(parts) + 1))


def hashed(*texts: str) -> str:
    return hashlib.sha256("\0".join(_lengths(texts)).encode()).hexdigest()


def _lengths(texts: Iterable[str]) -> Iterator[str]:
    """The texts, each after its length, so that no two lists of texts read alike."""
    return (f"{len(text)} {text}" for text in texts)
