"""A look at the source for calls of finished implementations, without running it.

The student's process notices such calls while they happen, but student code runs there, too, and can look away. Here
the grader reads: does an exercise's function, or a function of the notebook that it uses, name one of the course's
lesson modules? Names are followed through imports and plain assignments. Left out on purpose: strings put together
at run time. Those are noticed at run time, or not at all.
"""

import ast
import contextlib
import functools
import warnings
from collections.abc import Iterable
from pathlib import Path

from unrolled.checking.answer import PACKAGE

MAX_SOURCE = 1_000_000  # characters of a notebook
OFTEN = 10_000  # characters of a cell that is worth remembering


class Look:
    """A notebook's code, read once."""

    def __init__(self, sources: Iterable[str]):
        self._notebook, sources = _Notebook(), list(sources)
        if sum(map(len, sources)) > MAX_SOURCE:
            return
        with warnings.catch_warnings(action="ignore"):  # of the student's code: an odd escape in a string, say
            for source in sources:
                self._notebook.read(source)

    def find(self, exercise: str) -> str | None:
        """What the exercise's definition uses of a lesson module ("unrolled.ngrams.perplexity"), or None."""
        try:
            return self._notebook.uses(exercise, set())
        except RecursionError:  # nobody writes such code by hand; it is noticed at run time, or not at all
            return None


@functools.cache
def lessons() -> frozenset[str]:
    """The lesson modules: those of the package that have a file of checks with the same name."""
    return frozenset(f"unrolled.{path.stem}" for path in Path(PACKAGE, "checks").glob("[a-z]*.py"))


@functools.lru_cache(512)
def _parsed(source: str) -> list[ast.stmt]:
    """A cell's statements, to be read only: most cells are the same in all submissions."""
    return ast.parse(_without_magics(source)).body


class _Notebook:
    """What each global name last meant: a definition, or something of a lesson module."""

    def __init__(self) -> None:
        self._definitions: dict[str, ast.AST] = {}
        self._finished: dict[str, str] = {}

    def read(self, source: str) -> None:
        try:
            statements = _parsed(source) if len(source) < OFTEN else _parsed.__wrapped__(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        for statement in statements:
            with contextlib.suppress(RecursionError):
                self._note(statement)

    def _note(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self._define(statement.name, statement)
        elif isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            for name in (target.id for target in targets if isinstance(target, ast.Name)):
                self._define(name, statement.value)
        else:
            self._finished |= _imports(statement)

    def _define(self, name: str, meaning: ast.AST) -> None:
        self._finished.pop(name, None)
        self._definitions[name] = meaning

    def uses(self, name: str, seen: set[str]) -> str | None:
        """What `name` stands for, or uses, of a lesson module."""
        if name in self._finished:
            return self._finished[name]
        if name in seen or name not in self._definitions:
            return None
        seen.add(name)
        return self._inside(self._definitions[name], seen)

    def _inside(self, tree: ast.AST, seen: set[str]) -> str | None:
        own = _imports(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and node.value in lessons():
                return str(node.value)
            if isinstance(node, ast.Attribute) and (whole := _dotted(node)) and _module_of(whole):
                return whole
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                found = own.get(node.id) or self.uses(node.id, seen)
                if found:
                    return found
        return next(iter(own.values()), None)


def _imports(tree: ast.AST) -> dict[str, str]:
    """The names that import statements anywhere in `tree` bind to something of a lesson module."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            pairs = [(alias.asname, alias.name) for alias in node.names if alias.asname]  # else: see `_dotted`
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            pairs = [(alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names]
        else:
            continue
        found |= {name: whole for name, whole in pairs if _module_of(whole)}
    return found


def _module_of(name: str) -> str | None:
    """The lesson module that a dotted name lies in."""
    return next((lesson for lesson in lessons() if name == lesson or name.startswith(f"{lesson}.")), None)


def _dotted(node: ast.AST) -> str | None:
    """`unrolled.ngrams.perplexity` as text, if the expression is nothing but names and dots."""
    if isinstance(node, ast.Name):
        return node.id
    before = _dotted(node.value) if isinstance(node, ast.Attribute) else None
    return f"{before}.{node.attr}" if before else None


def _without_magics(source: str) -> str:
    lines = source.split("\n")
    return "\n".join("pass" if line.lstrip().startswith(("%", "!")) else line for line in lines)
