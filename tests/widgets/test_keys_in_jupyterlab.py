"""Keys pressed in a widget, in JupyterLab itself with the notebook in command mode: each stays where it belongs."""

import json
import re

import lab_server
import pytest

pytestmark = [pytest.mark.slow, pytest.mark.browser]

WIDGET = """import torch
from unrolled.lstm import LSTMCell
from unrolled.widgets.lstm_cell import LSTMCellDiagram

small = {name: block.detach() for name, block in LSTMCell(2, 3).named().items()}
LSTMCellDiagram(small, x=[1.0, -0.5], h=[0.5, -0.2, 0.0], c=[2.0, -1.0, 0.5])"""
CELLS = ["1 + 1", WIDGET, "2 + 2"]
PATIENCE = 60  # seconds, on a machine with other work, too


CONTROLS = ["input[type=range]", "input[type=radio]:checked", "button:enabled"]
CELL = ".jp-Notebook .jp-Cell"
LETTERS = [*"xddabmyzcvjk0", "ArrowDown", "ArrowUp", "Enter", "Escape"]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """JupyterLab with a notebook of three cells; its address."""
    folder = tmp_path_factory.mktemp("lab")
    empty = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells = [empty | {"id": f"c{number}", "source": source} for number, source in enumerate(CELLS)]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    (folder / "keys.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    with lab_server.served(folder, folder / "log.txt") as address:
        yield address


@pytest.fixture(scope="module")
def page(lab, chromium):
    """The notebook with its widget, in command mode."""
    page = chromium.new_page(viewport={"width": 1200, "height": 1100})
    page.set_default_timeout(PATIENCE * 1000)
    page.goto(f"{lab}/lab/tree/keys.ipynb")
    page.wait_for_selector(f"{CELL} >> nth=2")
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']", state="attached")
    page.locator(CELL).first.locator(".cm-content").click()
    for _ in CELLS:
        page.keyboard.press("Shift+Enter")
    page.wait_for_selector(".unr, .jp-OutputArea-output[data-mime-type*='error'], .jp-mod-error")
    assert page.locator(".unr").count() == 1, page.locator(".jp-OutputArea").all_inner_texts()
    yield page
    page.close()


def cells(page) -> list[str]:
    """Kind and text of each cell."""
    look = "(all) => all.map((cell) => cell.className + ' ' + (cell.querySelector('.cm-content')?.textContent ?? ''))"
    return [re.sub(r" jp-mod-\w+", "", each) for each in page.eval_on_selector_all(CELL, look)]


def is_in_widget(page) -> bool:
    return page.evaluate("document.activeElement.closest('.unr') !== null")


def test_a_picture_that_lives_hides_the_sentence_on_how_to_bring_it_back(page):
    page.wait_for_timeout(4500)  # it would show after four seconds
    assert page.locator(".unr-again").count() == 1 and not page.locator(".unr-again").is_visible()


@pytest.mark.parametrize("control", CONTROLS)
def test_no_key_in_a_widget_changes_the_notebook(page, control):
    before, controls = cells(page), page.locator(f".unr {control}")
    for key in LETTERS:
        controls.first.focus()
        page.keyboard.press(key)
        assert is_in_widget(page), key
    page.wait_for_timeout(300)
    assert cells(page) == before


@pytest.mark.parametrize("kind", ["range", "radio"])
def test_arrow_keys_move_sliders_and_choose_radio_buttons(page, kind):
    controls, look = f".unr input[type={kind}]", "(all) => all.map((each) => [each.value, each.checked])"
    before = page.eval_on_selector_all(controls, look)
    page.locator(f"{controls}:checked" if kind == "radio" else controls).first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(300)
    assert page.eval_on_selector_all(controls, look) != before and is_in_widget(page)


def test_keys_that_are_meant_for_the_notebook_go_through(page):
    prompt = page.locator(CELL).nth(1).locator(".jp-InputPrompt")
    before = prompt.inner_text()
    page.locator(f".unr {CONTROLS[0]}").first.focus()
    page.keyboard.press("Control+Enter")
    for _ in range(PATIENCE):
        page.wait_for_timeout(1000)
        if prompt.inner_text() not in (before, "[*]:"):
            return
    raise AssertionError(f"the cell still shows {before}")
