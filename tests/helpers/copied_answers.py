"""What somebody does to code that is not to look like its original: other names, remarks and order."""

import ast
import builtins
import random
import tokenize
from io import StringIO

WORDS = ("alpha", "beta", "total", "result", "current", "item", "value", "entry", "thing", "holder", "first_part")


def disguised(source: str, seed: int) -> str:
    """The same answer with other local names, without its remarks and with others, and in another order where that
    changes nothing."""
    rng = random.Random(seed)
    tree = ast.parse(_bare(source))
    _reorder(tree, rng)
    kept = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)} | set(dir(builtins))
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    names = {name: f"{rng.choice(WORDS)}_{place}" for place, name in enumerate(sorted(bound - kept))}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
        elif isinstance(node, ast.FunctionDef) and rng.random() < 0.7:
            node.body.insert(0, ast.Expr(ast.Constant(f"My own words, number {rng.random():.3f}.")))
    lines = ast.unparse(ast.fix_missing_locations(tree)).split("\n")
    return "\n".join(line + (f"  # step {rng.randrange(99)}" if rng.random() < 0.4 else "") for line in lines)


def _bare(source: str) -> str:
    """Without comments."""
    tokens = tokenize.generate_tokens(StringIO(source).readline)
    return tokenize.untokenize([each for each in tokens if each.type != tokenize.COMMENT])


def _reorder(tree: ast.Module, rng: random.Random) -> None:
    """Neighbours of which neither uses what the other binds change places."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        for place in range(len(body) - 1):
            one, other = body[place], body[place + 1]
            if rng.random() < 0.5 and _plain(one) and _plain(other) and not _touch(one, other):
                body[place], body[place + 1] = other, one


def _plain(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign | ast.AnnAssign | ast.FunctionDef)


def _touch(one: ast.stmt, other: ast.stmt) -> bool:
    return bool(_stored(one) & _named(other) or _stored(other) & _named(one))


def _named(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} | _stored(node)


def _stored(node: ast.AST) -> set[str]:
    found = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    return found | ({node.name} if isinstance(node, ast.FunctionDef) else set())
