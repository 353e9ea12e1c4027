"""Mutants: small mistakes planted in a right answer, one at a time.

A check that no mutant can fail tests nothing; a mutant that all checks let live shows what they do not look at.
Each operator below takes a node of the answer's syntax tree and yields replacements. After DeMillo, Lipton and
Sayward, "Hints on test data selection" (1978). Left out on purpose: mutants with two mistakes, and mutants of
imports, docstrings and annotations.
"""

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Replacements = Iterator[ast.AST]


@dataclass(frozen=True)
class Mutant:
    """One changed answer. `name` is "old statement → new statement", unique within the answer."""

    name: str
    source: str


def mutants(source: str) -> list[Mutant]:
    """All mutants of a source that differ from it and from one another, in the order of its lines."""
    tree = _without_docstrings(ast.parse(source))
    original, found = ast.unparse(tree), {}
    for place, node in enumerate(list(ast.walk(tree))):
        for replacement in _replacements(node):
            changed = _planted(tree, place, replacement)
            text = ast.unparse(changed)
            if text != original and text not in found:
                found[text] = (getattr(node, "lineno", 0), f"{_statement(tree, place)} → {_statement(changed, place)}")
    ordered = sorted(found.items(), key=lambda item: item[1][0])
    return _numbered([Mutant(name, text) for text, (_, name) in ordered])


def _without_docstrings(tree: ast.Module) -> ast.Module:
    """The tree without statements that are a bare string."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return tree


def _numbered(found: list[Mutant]) -> list[Mutant]:
    """Mutants with the same name get a number, from the second on."""
    seen: dict[str, int] = {}
    result = []
    for mutant in found:
        seen[mutant.name] = seen.get(mutant.name, 0) + 1
        again = seen[mutant.name] > 1
        result.append(Mutant(f"{mutant.name} #{seen[mutant.name]}", mutant.source) if again else mutant)
    return result


def _planted(tree: ast.AST, place: int, replacement: ast.AST) -> ast.AST:
    """A copy of the tree with the node at `place` (in walking order) replaced."""
    changed = copy.deepcopy(tree)
    target = list(ast.walk(changed))[place]
    for parent in ast.walk(changed):
        for name, value in ast.iter_fields(parent):
            if value is target:
                setattr(parent, name, replacement)
            elif isinstance(value, list) and any(item is target for item in value):
                value[next(i for i, item in enumerate(value) if item is target)] = replacement
    return ast.fix_missing_locations(changed)


def _statement(tree: ast.AST, place: int) -> str:
    """The statement around the node at `place`, on one line, without its body: "for i in range(n):"."""
    nodes = list(ast.walk(tree))
    above = {id(child): node for node in nodes for child in ast.iter_child_nodes(node)}
    node = nodes[place]
    while not isinstance(node, ast.stmt):
        node = above[id(node)]
    return ast.unparse(node).splitlines()[0]


# --- operators: from a node to what may stand in its place -----------------------------------------------------------

COMPARISONS = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
ARITHMETIC = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Div, ast.Mult),
    ast.Mod: (ast.Mult,),
    ast.Pow: (ast.Mult, ast.Div),
}
TWINS = {"max": "min", "min": "max", "any": "all", "all": "any", "argmax": "argmin", "log": "log2", "mean": "sum"}
# Not float and item: by the course's own rules a tensor of one number passes for that number.
UNWRAPPED = "max min abs tuple list sorted set int sum exp log double".split()  # noqa: SIM905


def _replacements(node: ast.AST) -> Replacements:
    for kind, operator in OPERATORS:
        if isinstance(node, kind):
            yield from operator(node)


def _with(node: ast.AST, **fields) -> ast.AST:
    """A copy of a node with some fields changed."""
    changed = copy.deepcopy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def compare(node: ast.Compare) -> Replacements:
    """< becomes <= and >=, `in` becomes `not in`, …"""
    for other in COMPARISONS[type(node.ops[0])]:
        yield _with(node, ops=[other(), *node.ops[1:]])


def arithmetic(node: ast.BinOp) -> Replacements:
    """+ becomes - and *, …; and each side alone."""
    for other in ARITHMETIC.get(type(node.op), ()):
        yield _with(node, op=other())
    yield node.left
    yield node.right


def accumulate(node: ast.AugAssign) -> Replacements:
    """`x += 1` becomes `x -= 1`, and `x = 1`."""
    for other in ARITHMETIC.get(type(node.op), ()):
        yield _with(node, op=other())
    yield ast.Assign(targets=[node.target], value=node.value)


def constant(node: ast.Constant) -> Replacements:
    """A number one more and one less (a small one ten times as large and as small); True for False; another string."""
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int | float):
        yield ast.Constant(value + 1)
        yield ast.Constant(value - 1)
        if 0 < abs(value) < 0.1:
            yield ast.Constant(value * 10)
            yield ast.Constant(value / 10)
    elif isinstance(value, str):
        yield ast.Constant(value + "!")
        yield ast.Constant("")


def boolean(node: ast.BoolOp) -> Replacements:
    """`and` becomes `or`, and each part alone."""
    yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    yield from node.values


def unary(node: ast.UnaryOp) -> Replacements:
    """Without its minus or its `not`."""
    yield node.operand


def condition(node: ast.If | ast.IfExp | ast.While) -> Replacements:
    """The other way round, always, and (but for loops) never."""
    yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
    yield _with(node, test=ast.Constant(True))
    if not isinstance(node, ast.While):
        yield _with(node, test=ast.Constant(False))


def filtered(node: ast.comprehension) -> Replacements:
    """A comprehension without its `if`, and with the opposite one."""
    for test in node.ifs:
        others = [other for other in node.ifs if other is not test]
        yield _with(node, ifs=others)
        yield _with(node, ifs=[*others, ast.UnaryOp(ast.Not(), test)])


def removed(node: ast.stmt) -> Replacements:
    """Nothing in place of a statement (not of a function or an import)."""
    if not isinstance(node, ast.FunctionDef | ast.Import | ast.ImportFrom | ast.Pass):
        yield ast.Pass()


def sliced(node: ast.Slice) -> Replacements:
    """Each bound left out, and moved by one."""
    for name in ("lower", "upper", "step"):
        bound = getattr(node, name)
        if bound is not None:
            yield _with(node, **{name: None})
            yield _with(node, **{name: ast.BinOp(bound, ast.Add(), ast.Constant(1))})
            yield _with(node, **{name: ast.BinOp(bound, ast.Sub(), ast.Constant(1))})


def called(node: ast.Call) -> Replacements:
    """Arguments swapped or left out, a twin called instead (max, min), or the argument itself."""
    for i in range(len(node.args) - 1):
        yield _with(node, args=[*node.args[:i], node.args[i + 1], node.args[i], *node.args[i + 2 :]])
    if len(node.args) > 1:
        yield _with(node, args=node.args[:-1])
    for i in range(len(node.keywords)):
        yield _with(node, keywords=node.keywords[:i] + node.keywords[i + 1 :])
    yield from _other_function(node)
    if isinstance(node.func, ast.Name) and node.func.id == "range":
        for step in (ast.Add(), ast.Sub()):
            yield _with(node, args=[*node.args[:-1], ast.BinOp(node.args[-1], step, ast.Constant(1))])


def _other_function(node: ast.Call) -> Replacements:
    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
    field = "id" if isinstance(node.func, ast.Name) else "attr"
    if name in TWINS:
        yield _with(node, func=_with(node.func, **{field: TWINS[name]}))
    if name in UNWRAPPED:
        inside = node.func.value if field == "attr" and not node.args else None
        if inside is not None or node.args:  # set() wraps nothing
            yield inside if inside is not None else node.args[0]


def returned(node: ast.Return) -> Replacements:
    """Another value returned: None, or the negative."""
    yield ast.Return(value=None)
    if node.value is not None:
        yield ast.Return(value=ast.UnaryOp(ast.USub(), node.value))


def swapped_branches(node: ast.IfExp) -> Replacements:
    """The value of each branch, whatever the condition."""
    yield node.body
    yield node.orelse


def jumped(node: ast.Continue | ast.Break) -> Replacements:
    """`continue` for `break`, and the reverse."""
    yield ast.Break() if isinstance(node, ast.Continue) else ast.Continue()


OPERATORS: list[tuple[type | tuple[type, ...], Callable]] = [
    (ast.Compare, compare),
    (ast.BinOp, arithmetic),
    (ast.AugAssign, accumulate),
    (ast.Constant, constant),
    (ast.BoolOp, boolean),
    (ast.UnaryOp, unary),
    ((ast.If, ast.IfExp, ast.While), condition),
    (ast.comprehension, filtered),
    (ast.stmt, removed),
    (ast.Slice, sliced),
    (ast.Call, called),
    (ast.Return, returned),
    (ast.IfExp, swapped_branches),
    ((ast.Continue, ast.Break), jumped),
]
