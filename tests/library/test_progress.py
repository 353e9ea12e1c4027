"""The progress bar: silent in a log, a bar in a terminal, a line that empties itself in a notebook."""

import itertools
import sys
from types import SimpleNamespace

import pytest
from unrolled import progress as module
from unrolled.progress import progress


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(module, "EVERY", -1.0)


def test_every_item_comes_through_and_a_log_stays_clean(capsys):
    assert list(progress("abc", 3, note=lambda: "fine")) == ["a", "b", "c"]
    assert capsys.readouterr() == ("", "")


def test_a_terminal_shows_a_bar_and_wipes_it(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    clock = itertools.count()
    monkeypatch.setattr("tqdm.std.time", lambda: next(clock))
    assert list(progress("abc", 3, note=lambda: "loss 1.5")) == ["a", "b", "c"]
    shown = capsys.readouterr().err
    assert "loss 1.5" in shown and "/3" in shown
    assert not shown.split("\r")[-1].strip()


@pytest.fixture
def notebook(monkeypatch):
    """A notebook whose first cell runs: its shell, and all that was shown in it."""
    shell, shown = SimpleNamespace(kernel=True, execution_count=1), []

    def display(data, raw, display_id):
        shown.append([])
        return SimpleNamespace(update=lambda data, raw, line=shown[-1]: line.append(data["text/plain"]))

    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    monkeypatch.setattr("IPython.display.display", display)
    module._line.cache_clear()
    yield shell, shown
    module._line.cache_clear()


def test_a_notebook_shows_one_line_a_cell_that_is_empty_in_the_end(notebook, capsys):
    shell, shown = notebook
    assert list(progress("abc", 3, note=lambda: "loss 1.5")) == ["a", "b", "c"]
    first = ["step 1 of 3, loss 1.5", "step 2 of 3, loss 1.5", ""]
    assert shown == [first]
    list(progress("ab", 2, note=lambda: "loss 2"))
    assert shown == [first + ["step 1 of 2, loss 2", ""]]
    shell.execution_count = 2
    list(progress("ab", 2, note=lambda: "loss 3"))
    assert shown[1:] == [["step 1 of 2, loss 3", ""]]
    assert capsys.readouterr() == ("", "")


def test_quick_work_leaves_no_trace_in_a_notebook(notebook, monkeypatch):
    monkeypatch.setattr(module, "EVERY", 60.0)
    list(progress("abc", 3, note=lambda: "fine"))
    assert notebook[1] == []


def test_ipython_without_a_notebook_and_no_ipython_at_all_are_no_notebook(monkeypatch):
    monkeypatch.setattr("IPython.get_ipython", lambda: SimpleNamespace())
    assert module._notebook() is None
    monkeypatch.setitem(sys.modules, "IPython", None)
    assert module._notebook() is None
