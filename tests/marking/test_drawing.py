"""Answers as HTML: what takes too long, or ends the process that draws it, is shown as its text."""

import asyncio
import time

from autograder.marking import drawing
from autograder.marking.drawing import drawn


def test_what_ends_the_process_or_takes_too_long_is_shown_as_text(monkeypatch):
    monkeypatch.setattr(drawing, "SECONDS", 1.0)
    monkeypatch.setattr(drawing.tame, "render_markdown", lambda *_: time.sleep(60))
    (page,) = drawn([{"cell_type": "markdown", "source": "<b>x</b>"}])
    assert page == "<pre>&lt;b&gt;x&lt;/b&gt;</pre>"


def test_a_cell_that_ends_the_process_is_text_and_the_others_are_drawn(monkeypatch):
    """The other process is a stand-in that ends at the word die."""
    wrapped = (
        "import os, sys, autograder.marking.drawing as drawing; plain = drawing.drawn; "
        "drawing.drawn = lambda cells: os._exit(1) if 'die' in str(cells) else plain(cells); drawing.main()"
    )
    begin = asyncio.create_subprocess_exec
    monkeypatch.setattr(
        drawing.asyncio, "create_subprocess_exec", lambda python, *_, **how: begin(python, "-c", wrapped, **how)
    )
    cells = [{"cell_type": "markdown", "source": text} for text in ("*one*", "<b>die</b>", "*two*")]

    async def twice():
        drawer = drawing.Drawer()
        try:
            return await drawer.draw(cells), await drawer.draw(cells[:1])
        finally:
            await drawer.close()

    (one, gone, two), again = asyncio.run(twice())
    assert "<em>one</em>" in one and "<em>two</em>" in two and again == [one]
    assert gone == "<pre>&lt;b&gt;die&lt;/b&gt;</pre>"


def test_code_is_text_with_what_it_printed_and_drew():
    outputs = [
        {"text": "<b>1</b>"},
        {"data": {"image/png": "AAAA"}},
        {"data": {"text/html": "<script>owned()</script>"}},
    ]
    (page,) = drawn([{"cell_type": "code", "source": "a < b", "outputs": outputs}])
    assert page.startswith("<pre>a &lt; b</pre><pre>&lt;b&gt;1&lt;/b&gt;</pre><img ") and "owned" not in page


def test_who_writes_slow_formulas_keeps_nobody_waiting_and_no_formula_from_the_others(monkeypatch):
    """The setting of formulas is a stand-in that takes a minute for the word slow."""

    def setting(page, known):
        time.sleep(60 if "slow" in page else 0)
        return page.replace("$x$", "<math>")

    monkeypatch.setattr(drawing, "SECONDS", 1.0)
    monkeypatch.setattr(drawing, "ALONE", 1.0, raising=False)
    monkeypatch.setattr(drawing.formulas, "can_set", lambda _: True)
    monkeypatch.setattr(drawing.formulas, "set_formulas", setting)
    begin = time.monotonic()
    pages = drawn([{"cell_type": "markdown", "source": text} for text in ("$x$", "slow $x$", "$x$, too")])
    assert ["<math>" in page for page in pages] == [True, False, True] and "slow $x$" in pages[1]
    assert time.monotonic() - begin < 50


def test_an_answer_with_very_many_formulas_is_shown_as_it_was_written(monkeypatch):
    asked = []
    monkeypatch.setattr(drawing.formulas, "can_set", lambda _: True)
    monkeypatch.setattr(drawing.formulas, "_ask_mathjax", lambda new: asked.extend(new) or ["<math>"] * len(new))
    many = (" ".join(f"$x_{{{number}}}$" for number in range(3_000)), f"${'x' * 3_000}$ " * 20, "$y$")
    pages = drawn([{"cell_type": "markdown", "source": text} for text in many])
    assert ["<math>" in page for page in pages] == [False, False, True] and asked == [("y", False)]
