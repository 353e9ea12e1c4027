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


def test_a_notebook_shows_one_line_that_is_empty_in_the_end(monkeypatch):
    lines = []
    screen = SimpleNamespace(update=lambda data, raw: lines.append(data["text/plain"]))
    monkeypatch.setattr("IPython.get_ipython", lambda: SimpleNamespace(kernel=True))
    monkeypatch.setattr("IPython.display.display", lambda data, raw, display_id: screen)
    assert list(progress("abc", 3, note=lambda: "loss 1.5")) == ["a", "b", "c"]
    assert lines == ["step 1 of 3, loss 1.5", "step 2 of 3, loss 1.5", ""]


def test_ipython_without_a_notebook_and_no_ipython_at_all_are_no_notebook(monkeypatch):
    monkeypatch.setattr("IPython.get_ipython", lambda: SimpleNamespace())
    assert module._notebook_line() is None
    monkeypatch.setitem(sys.modules, "IPython", None)
    assert module._notebook_line() is None
