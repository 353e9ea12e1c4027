"""Names that an answer takes from experiment cells: there in the notebook, where every property holds; not in grading.

Which cells are experiments the notebook's file tells, as it was saved; whatever else was run in this kernel is the
student's own. Left out on purpose: programs that keep the notebook elsewhere, such as Colab, where nothing is said.
"""

import ast
import json
import os
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path


def borrowed(names: Iterable[str], unit: str) -> list[str]:
    """Those of the names that experiment cells of the unit's notebook define and nothing else does, sorted."""
    file = _notebook(unit)
    if file is None:
        return []
    experiments, others = _sources(file)
    others += [source for source in _run_here() if source.strip() not in {one.strip() for one in experiments}]
    theirs = {name for source in experiments for name in bound(tree(source))}
    return sorted(theirs.intersection(names).difference(name for source in others for name in bound(tree(source))))


def _notebook(unit: str) -> Path | None:
    """The file that is being worked in: Jupyter's server names it; others begin in its folder."""
    places = Path(os.environ.get("JPY_SESSION_NAME") or "-"), Path(f"{unit}.ipynb")
    return next((place for place in places if place.suffix == ".ipynb" and place.is_file()), None)


def _sources(file: Path) -> tuple[list[str], list[str]]:
    """The code of its experiment cells, and that of its other cells; none of a file that is no notebook."""
    try:
        cells = [cell for cell in json.loads(file.read_bytes())["cells"] if cell["cell_type"] == "code"]
        told = [("experiment" in cell["metadata"].get("tags", ()), "".join(cell["source"])) for cell in cells]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return [], []
    return [source for is_one, source in told if is_one], [source for is_one, source in told if not is_one]


def _run_here() -> list[str]:
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return [] if shell is None else list(shell.history_manager.input_hist_raw)


def tree(source: str) -> ast.AST | None:
    """A cell's code, magics made Python; None for what is none."""
    from IPython.core.inputtransformer2 import TransformerManager

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(TransformerManager().transform_cell(source))
        except (SyntaxError, ValueError, RecursionError):
            return None


def bound(code: ast.AST | None) -> set[str]:
    """The names that a cell's code binds, but not those within its functions."""
    found: set[str] = set()
    waiting = [code] if code else []
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).split(".")[0])
        if not isinstance(node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            waiting += ast.iter_child_nodes(node)
    return found
