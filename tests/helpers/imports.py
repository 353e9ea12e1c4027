"""Who imports whom, read from the source without running it: whole files, functions' own imports among them."""

import ast
from collections.abc import Iterator
from pathlib import Path


def modules(package: Path, without: tuple[str, ...] = ()) -> dict[str, Path]:
    """Every module of a package by its dotted name; `without` names folders at its top that are left out."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        if len(parts) > 2 and parts[1] in without:
            continue
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(name: str, path: Path) -> Iterator[str]:
    """The dotted names that a module imports: `from a.b import c` gives a.b.c, be that a module or a name in one."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def graph(found: dict[str, Path]) -> dict[str, set[str]]:
    """For each module the others that it imports."""
    edges = {}
    for name, path in found.items():
        wanted = {each if each in found else each.rpartition(".")[0] for each in imported(name, path)}
        edges[name] = {each for each in wanted if each in found and each != name}
    return edges


def circles(edges: dict[str, set[str]]) -> list[list[str]]:
    """Modules that can be reached from themselves, a list for each circle."""
    reach = {name: _reachable(name, edges) for name in edges}
    inside = [name for name in edges if name in reach[name]]
    return [list(group) for group in {tuple(o for o in inside if o in reach[n] and n in reach[o]) for n in inside}]


def _reachable(name: str, edges: dict[str, set[str]]) -> set[str]:
    seen, waiting = set(), list(edges[name])
    while waiting:
        other = waiting.pop()
        if other not in seen:
            seen.add(other)
            waiting += edges[other]
    return seen
