"""Turn an executed notebook into what a reader may see.

The students' edition shows every output, but in place of each solution the stub that students start from.
The instructor's edition keeps the solutions and drops only the markers around them.
Both drop widgets that the page could not draw: the core ones (progress bars), which need a kernel's front end; and
outputs that are empty, as a finished training leaves one in place of its progress.
"""

import re
from copy import deepcopy

from nbformat import NotebookNode
from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions, NbGraderPreprocessor
from unrolled.widgets.tables import AGAIN

from autograder.course import Assignment, Trouble

WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
TABLE = "_table"  # among a model's state: the table that a page shows in a widget's place, as HTML
BETWEEN_WORDS = " ⁂ "  # between the words of a cell's pictures, on their way through the page
MARKER = re.compile(r"^[ \t]*### (BEGIN|END) SOLUTION[ \t]*\n?", re.MULTILINE)


def without_hidden_tests(notebook: NotebookNode, assignment: Assignment) -> NotebookNode:
    """A copy without the hidden tests, as students get it. Raises Trouble as `students_edition` does."""
    return _preprocessed(ClearHiddenTests(config=assignment.course.config), notebook, assignment.name)


def students_edition(executed: NotebookNode, assignment: Assignment) -> NotebookNode:
    """A copy with the stubs that nbgrader_config.py names in place of solutions, outputs kept.

    Raises Trouble if markers do not pair up, or stand in a cell of another kind.
    """
    return drawable(_preprocessed(ClearSolutions(config=assignment.course.config), executed, assignment.name))


def _preprocessed(step: NbGraderPreprocessor, notebook: NotebookNode, unit: str) -> NotebookNode:
    step.log.disabled = True  # it would print the whole cell, answer included; the error says enough
    try:
        return step.preprocess(deepcopy(notebook), {})[0]
    except (RuntimeError, ValueError) as error:
        raise Trouble(f"{unit}.md: {error}") from error
    finally:
        step.log.disabled = False


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
        kept = widgets["state"]  # nbformat has made it another object
    for cell in notebook.cells:
        if "outputs" in cell:
            _keep_tables(cell, kept)
            cell.outputs = [output for output in cell.outputs if _has_view(output, kept) and not _is_empty(output)]
            for output in cell.outputs:
                _drop_data_for_programs(output)
            _drop_points(cell)
            _describe_pictures(cell)
    return notebook


def _keep_tables(cell: NotebookNode, models: dict) -> None:
    """Hand a view's table to its model, since a page takes one of a view's forms only."""
    for data in (output.get("data", {}) for output in cell.outputs):
        name = data.get(WIDGET_VIEW, {}).get("model_id")
        if name in models and "text/html" in data:
            models[name]["state"][TABLE] = data["text/html"]


def _has_view(output: NotebookNode, kept: dict) -> bool:
    view = output.get("data", {}).get(WIDGET_VIEW)
    return view is None or view["model_id"] in kept


def _is_empty(output: NotebookNode) -> bool:
    """Nothing to see, or the sentence for notebooks whose kernel is gone: a page draws its pictures without one."""
    return output.get("data") == {"text/plain": ""} or output.get("data", {}).get("text/html") == AGAIN


def _drop_data_for_programs(output: NotebookNode) -> None:
    for kind in list(output.get("data", {})):
        if kind.startswith("application/vnd.") and kind != WIDGET_VIEW:
            del output.data[kind]


def _drop_points(cell: NotebookNode) -> None:
    """A check cell's value is the points, for nbgrader; its table has told the reader already."""
    if "check" in cell.metadata.get("tags", []):
        cell.outputs = [output for output in cell.outputs if set(output.get("data", {})) != {"text/plain"}]


def _describe_pictures(cell: NotebookNode) -> None:
    """Hand the words that came with pictures (their outputs' metadata) to myst-nb, which looks in the cell's."""
    pictures = [output for output in cell.outputs if "image/png" in output.get("data", {})]
    words = [output.get("metadata", {}).get("image/png", {}).get("alt", "") for output in pictures]
    if any(words):
        options = cell.metadata.setdefault("mystnb", {})
        options.setdefault("image", {})["alt"] = BETWEEN_WORDS.join(words)
