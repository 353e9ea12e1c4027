"""Turn an executed notebook into what a reader may see.

The students' edition shows every output, but in place of each solution the stub that students start from.
The instructor's edition keeps the solutions and drops only the markers around them.
Both drop widgets that the page could not draw: the core ones (progress bars), which need a kernel's front end.
"""

import re
from copy import deepcopy

from nbformat import NotebookNode
from nbgrader.preprocessors import ClearSolutions

from autograder.course import Course, Trouble

WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
MARKER = re.compile(r"^[ \t]*### (BEGIN|END) SOLUTION[ \t]*\n?", re.MULTILINE)


def students_edition(executed: NotebookNode, course: Course, unit: str) -> NotebookNode:
    """A copy with the stubs that nbgrader_config.py names in place of solutions, outputs kept.

    Raises Trouble if solution markers do not pair up, or stand in a cell not marked as a solution.
    """
    clear = ClearSolutions(config=course.config)
    clear.log.disabled = True  # it would print the whole cell, answer included; the error says enough
    try:
        shown, _ = clear.preprocess(deepcopy(executed), {})
    except (RuntimeError, ValueError) as error:
        raise Trouble(f"{unit}.md: {error}") from error
    return drawable(shown)


def instructors_edition(executed: NotebookNode) -> NotebookNode:
    """A copy with the solutions, without the markers around them."""
    shown = deepcopy(executed)
    for cell in shown.cells:
        cell.source = MARKER.sub("", cell.source).rstrip("\n")
    return drawable(shown)


def drawable(notebook: NotebookNode) -> NotebookNode:
    """Keep what the page can show: anywidget models and views, pictures with their words. Changes `notebook`."""
    widgets = notebook.metadata.get("widgets", {}).get(WIDGET_STATE, {})
    models = widgets.get("state", {})
    kept = {name: model for name, model in models.items() if model["model_module"] == "anywidget"}
    if widgets:
        widgets["state"] = kept
    for cell in notebook.cells:
        if "outputs" in cell:
            cell.outputs = [output for output in cell.outputs if _has_view(output, kept)]
            for output in cell.outputs:
                _drop_data_for_programs(output)
            _describe_pictures(cell)
    return notebook


def _has_view(output: NotebookNode, kept: dict) -> bool:
    view = output.get("data", {}).get(WIDGET_VIEW)
    return view is None or view["model_id"] in kept


def _drop_data_for_programs(output: NotebookNode) -> None:
    for kind in list(output.get("data", {})):
        if kind.startswith("application/vnd.") and kind != WIDGET_VIEW:
            del output.data[kind]


def _describe_pictures(cell: NotebookNode) -> None:
    """Hand the words that came with a picture (its output's metadata) to myst-nb, which looks in the cell's."""
    words = [output.get("metadata", {}).get("image/png", {}).get("alt") for output in cell.outputs]
    if any(words):
        options = cell.metadata.setdefault("mystnb", {})
        options.setdefault("image", {})["alt"] = " ".join(filter(None, words))
