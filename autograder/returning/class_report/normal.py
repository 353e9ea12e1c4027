"""Code as statements without what is easily changed: names, comments, docstrings, annotations, spaces, line breaks.

Names that the code itself binds become `v`; builtins, modules, attributes and keywords keep theirs, since they say
what is done. Each statement stands for itself, so that another order leaves the same statements. What is no Python is
taken line by line.
"""

import ast
import re
from copy import copy
from dataclasses import dataclass
from functools import lru_cache

from autograder.receiving.repair import python

TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\S")
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


@dataclass(frozen=True)
class Statement:
    """`text` is normalised, `tokens` its parts; `first` and `last` are its lines in the source, from 1."""

    text: str
    tokens: tuple[str, ...]
    first: int
    last: int


@lru_cache(maxsize=20_000)
def statements(source: str) -> tuple[Statement, ...]:
    """The statements of a text, in its order; the heads of functions and what does nothing are left out."""
    tree = python.tree(source)
    try:
        return tuple(_flat(_Plain(_bound(tree)).visit(tree).body)) if tree else _lines(source)
    except (ValueError, RecursionError):  # nested more deeply than it can be written again
        return _lines(source)


def _lines(source: str) -> tuple[Statement, ...]:
    """What is no Python."""
    found = ((number, re.sub(r"#.*", "", line).strip()) for number, line in enumerate(source.split("\n"), 1))
    return tuple(_statement(line, number, number) for number, line in found if line)


def _flat(body: list):
    for node in body:
        if not (_does_nothing(node) or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)):
            yield _head(node)
        for block in BLOCKS:
            yield from _flat(getattr(node, block, None) or [])


def _does_nothing(node: ast.AST) -> bool:
    said = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return said or isinstance(node, ast.Pass | ast.Import | ast.ImportFrom | ast.Global | ast.Nonlocal)


def _head(node: ast.AST) -> Statement:
    """A statement alone, or the head of a block."""
    bare, first = copy(node), node.lineno if hasattr(node, "lineno") else getattr(node.pattern, "lineno", 1)
    inner = [one for block in BLOCKS for one in getattr(node, block, None) or []]
    for block in BLOCKS:
        if hasattr(bare, block):
            setattr(bare, block, [ast.Pass()] if block == "body" else [])
    text = ast.unparse(bare).removesuffix("pass").strip()
    last = getattr(node, "end_lineno", first)
    starts = [one.lineno for one in inner if hasattr(one, "lineno")]
    return _statement(text, first, max(first, min(starts) - 1) if starts else last)


def _statement(text: str, first: int, last: int) -> Statement:
    return Statement(text, tuple(TOKEN.findall(text)), first, last)


def _bound(tree: ast.AST) -> dict[str, str]:
    """What each name that the code binds is called: `v`, or the module that an import names."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found[node.id] = "v"
        elif isinstance(node, ast.arg):
            found[node.arg] = "v"
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or (
            isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name
        ):
            found[node.name] = "v"
    imports = (
        alias for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names
    )
    return found | {alias.asname: alias.name for alias in imports if alias.asname}


class _Plain(ast.NodeTransformer):
    """Renames, and takes out what only people read."""

    def __init__(self, names: dict[str, str]):
        self._names = names

    def visit_Name(self, node):
        node.id = self._names.get(node.id, node.id)
        return node

    def visit_arg(self, node):
        node.arg, node.annotation = "v", None
        return node

    def visit_ExceptHandler(self, node):
        self.generic_visit(node)
        node.name = node.name and "v"
        return node

    def visit_MatchAs(self, node):
        self.generic_visit(node)
        node.name = node.name and "v"
        return node

    def visit_AnnAssign(self, node):
        self.generic_visit(node)
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign([node.target], node.value), node)
