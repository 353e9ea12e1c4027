"""The front page: a notebook of its own, since a page shows a widget where a notebook has one.

Its widget is one of the course's, taken as it stands out of a unit's run, so that the front page shows nothing that no
unit explains. The text is `index.md`; the widget comes in the place of its line `<!-- widget -->`.
"""

from copy import deepcopy
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from book.shown import WIDGET_STATE, WIDGET_VIEW

TEXT = Path(__file__).parent.parent / "index.md"
PLACE = "<!-- widget -->"
CHOSEN = {  # the first of these that a unit of the book has, and what stands above it
    "FillMask": "**Hide a word.** Click one: a small BERT, trained by this course, says what may have stood there.",
    "NGramExplorer": "**Guess the next letter.** Type, or click a bar: every column has counted a longer context.",
    "LSTMCellDiagram": "**Open a gate.** Move a slider, and see what the cell keeps.",
}
ANOTHER = "**Touch it.** It answers right here."
WITHOUT_CONTENTS = {"html_theme.sidebar_secondary.remove": True}  # it would list one line


def front_page(notebooks: dict[str, NotebookNode]) -> NotebookNode:
    """The notebook of the front page. Without any widget in the book it has its text alone."""
    before, _, after = TEXT.read_text("utf-8").partition(PLACE)
    found = chosen_widget(notebooks)
    shown, state = _cells(*found) if found else ([], {})
    cells = [new_markdown_cell(before.strip()), *shown, new_markdown_cell(after.strip())]
    for number, cell in enumerate(cells):
        cell.id = f"front-{number}"  # drawn at random, they would make every build another one
    return new_notebook(cells=cells, metadata={**_kernel(), **WITHOUT_CONTENTS, **state})


def chosen_widget(notebooks: dict[str, NotebookNode]) -> tuple[str, dict, NotebookNode] | None:
    """A widget's kind, its saved state, {model id: model}, and the output that shows it; of CHOSEN, or the first."""
    seen, wanted = [], list(CHOSEN)
    for notebook in notebooks.values():
        models = notebook.metadata.get("widgets", {}).get(WIDGET_STATE, {}).get("state", {})
        for output in _views(notebook):
            name = output.data[WIDGET_VIEW]["model_id"]
            kind = models[name]["state"]["_anywidget_id"].rpartition(".")[2]
            seen.append((kind, {name: models[name]}, output))
    seen.sort(key=lambda one: wanted.index(one[0]) if one[0] in wanted else len(wanted))
    return seen[0] if seen else None


def _views(notebook: NotebookNode) -> list[NotebookNode]:
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return [output for output in outputs if WIDGET_VIEW in output.get("data", {})]


def _cells(kind: str, models: dict, output: NotebookNode) -> tuple[list[NotebookNode], dict]:
    """What stands above the widget and the cell that shows it, with the notebook's widget state."""
    state = {"version_major": 2, "version_minor": 0, "state": deepcopy(models)}
    cell = new_code_cell("shown", metadata={"tags": ["remove-input", "front"]}, execution_count=1)  # or it is left out
    cell.outputs = [new_output("display_data", deepcopy(output.data))]
    return [new_markdown_cell(CHOSEN.get(kind, ANOTHER)), cell], {"widgets": {WIDGET_STATE: state}}


def _kernel() -> dict:
    return {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
