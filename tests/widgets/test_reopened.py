"""A notebook that is opened again with a new kernel: where a picture was stands a sentence, and no error."""

import lab_server
import nbformat
import pytest
from nbformat.sign import NotebookNotary
from unrolled.widgets import tables
from unrolled.widgets.ngram_explorer import NGramExplorer

VIEW = "application/vnd.jupyter.widget-view+json"
PATIENCE = 60  # seconds, on a machine with other work, too


@pytest.fixture(scope="module")
def outputs() -> list[dict]:
    """What a cell shows that ends in a widget, as it is saved."""
    shown = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tables, "publish_display_data", lambda data, metadata=None: shown.append(data))
        NGramExplorer("a b a b a c")._ipython_display_()
    return [nbformat.v4.new_output("display_data", data) for data in shown]


def test_a_widget_is_shown_with_its_table_and_then_the_sentence(outputs):
    shown, again = [output.data for output in outputs]
    assert VIEW in shown and "<table" in shown["text/html"]
    assert set(again) == {"text/html", "text/plain"} and "run this cell again" in again["text/html"]


@pytest.fixture(scope="module")
def lab(tmp_path_factory, outputs):
    """JupyterLab with two notebooks of one saved cell, one of them trusted; its address."""
    folder = tmp_path_factory.mktemp("reopened")
    data = folder / "data"
    cell = nbformat.v4.new_code_cell("explorer", outputs=outputs, execution_count=1)
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=[cell], metadata={"kernelspec": kernel})
    (folder / "seen").mkdir()
    for name in ("strange", "trusted"):
        notebook.cells[0].id = name
        nbformat.write(notebook, folder / "seen" / f"{name}.ipynb")
    data.mkdir()
    NotebookNotary(data_dir=str(data)).sign(nbformat.read(folder / "seen" / "trusted.ipynb", as_version=4))
    with lab_server.served(folder / "seen", folder / "log.txt", f"--NotebookNotary.data_dir={data}") as address:
        yield address


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize(("name", "table"), [("trusted", False), ("strange", True)])
def test_reopened_it_says_what_to_do_and_names_no_error(lab, chromium, name, table):
    page = chromium.new_page(viewport={"width": 1200, "height": 1000})
    page.set_default_timeout(PATIENCE * 1000)
    page.goto(f"{lab}/doc/tree/{name}.ipynb")
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']", state="attached")
    again = page.get_by_text("run this cell again")
    again.wait_for(state="visible")
    if name == "trusted":
        page.wait_for_selector(".jupyter-widgets", state="attached")  # JupyterLab has given up looking for the model
    shown = page.locator(".jp-OutputArea").inner_text()
    page.close()
    assert "not found" not in shown and "Loading" not in shown, shown
    assert ("order 1" in shown) == table, shown
