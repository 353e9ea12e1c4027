"""What a cell's text is as Python: whether it parses, what it defines. Nothing of it is ever run.

IPython's magics, shell lines and questions are taken for `pass`. Texts beyond `MAX_SOURCE` characters are not parsed:
they count as no Python.
"""

import ast
import re
import warnings
from collections.abc import Iterator

MAX_SOURCE = 100_000
MAGIC = re.compile(r"^([ \t]*)(?:(?:[\w, \t]+=[ \t]*)?[%!?](?:.*\\\n)*.*|.*\?[ \t]*)$", re.MULTILINE)
DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
BLOCKS = ("body", "orelse", "finalbody", "handlers")


def tree(source: str) -> ast.Module | None:
    """The syntax tree, or None for what is no Python."""
    if len(source) > MAX_SOURCE:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a student's odd escape sequence is no concern of ours
        return _parse(source) or _parse(MAGIC.sub(r"\1pass", source))


def parses(source: str) -> bool:
    return tree(source) is not None


def mentions(source: str, name: str, as_value: bool = True) -> bool:
    """Whether a line looks like the definition of `name`: quick, and right also for a text that does not parse.

    `as_value`: an assignment will do; otherwise only that of a `lambda`.
    """
    if name not in source or not name.isidentifier():
        return False
    value = "" if as_value else r"[ \t]*lambda\b"
    pattern = rf"^(?:(?:async[ \t]+)?def[ \t]+{name}\b|class[ \t]+{name}\b|{name}[ \t]*(?::[^=\n]+)?=(?!=){value})"
    return re.search(pattern, source, re.MULTILINE) is not None


def defines(source: str, name: str) -> bool:
    """Whether running `source` would bind `name` to a function, a class or a value."""
    if name not in source:
        return False
    found = tree(source)
    return found is not None and any(name in _bound(statement) for statement in _statements(found))


def adds_definitions(source: str, known: str) -> bool:
    """Whether `source` imports, defines or assigns anything that `known` does not."""
    found, old = tree(source), tree(known)
    if found is None:
        return False
    have = {ast.dump(statement) for statement in old.body} if old else set()
    new = [statement for statement in found.body if not isinstance(statement, ast.Expr | ast.Pass | ast.Raise)]
    return any(ast.dump(statement) not in have for statement in new)


def _parse(source: str) -> ast.Module | None:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last two: nested without measure
        return None


def _statements(node: ast.AST, depth: int = 0) -> Iterator[ast.stmt]:
    """The statements that run with the cell: also those inside `if`, `try`, `with` and loops."""
    for block in BLOCKS:
        for statement in getattr(node, block, ()):
            yield statement
            if not isinstance(statement, DEFINING) and depth < 20:
                yield from _statements(statement, depth + 1)


def _bound(statement: ast.stmt) -> set[str]:
    if isinstance(statement, DEFINING):
        return {statement.name}
    targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
    return {target.id for target in targets if isinstance(target, ast.Name)}
