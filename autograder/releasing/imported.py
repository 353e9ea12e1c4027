"""Which modules of the package `unrolled` some code imports, and these in turn: found by reading, not by running.

Left out on purpose: imports under a computed name.
"""

import ast
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

PACKAGE = "unrolled"


def modules_of(sources: list[ast.AST]) -> set[str]:
    """The dotted names of all modules of the package that some parsed code leads to."""
    found, waiting = set(), {name for tree in sources for name in imported(tree)}
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting |= _imported_by(name)
    return found


def imported(tree: ast.AST, inside: str = "") -> Iterator[str]:
    """The package's modules that parsed code names in an import, each with those above it. inside: its own package."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = ".".join(inside.split(".")[: len(inside.split(".")) + 1 - node.level]) if node.level else ""
            base = ".".join(filter(None, (above, node.module)))
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in names:
            parts = name.split(".")
            yield from (".".join(parts[:n]) for n in range(1, len(parts) + 1) if parts[0] == PACKAGE)


@cache
def parsed(name: str) -> ast.AST | None:
    """A module's code; None if there is no such module: an import may name a function."""
    file = _file(name)
    return ast.parse(file.read_bytes()) if file else None


@cache
def _imported_by(name: str) -> frozenset[str]:
    tree = parsed(name)
    if tree is None:
        return frozenset()
    inside = name if _file(name).name == "__init__.py" else name.rpartition(".")[0]
    return frozenset(imported(tree, inside))


def _file(name: str) -> Path | None:
    home = Path(find_spec(PACKAGE).origin).parents[1]
    place = home.joinpath(*name.split("."))
    return next((file for file in (place.with_suffix(".py"), place / "__init__.py") if file.is_file()), None)
