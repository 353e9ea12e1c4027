"""A page with a widget on it and no kernel behind it: what the book's loader does, as small as a test needs it.

And what needs no page: the widget's JavaScript, tested in Node with Python's numbers beside it.
"""

import base64
import json
import os
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

_PAGE = """<!doctype html>
<html lang="en" data-theme="{theme}">
<head><meta charset="utf-8"><title>widget</title><link rel="icon" href="data:,">
<style>body {{ margin: 12px; background: {background}; }} {css}</style></head>
<body><main>{places}</main>
<script type="module">
const state = {state};
for (const name of {binary}) {{
  state[name] = new DataView(Uint8Array.from(atob(state[name]), (c) => c.charCodeAt(0)).buffer);
}}
const heard = {{}};
const model = {{
  get: (name) => state[name],
  set(name, value) {{ state[name] = value; for (const answer of [...(heard["change:" + name] ?? [])]) answer(); }},
  on: (name, answer) => (heard[name] ??= new Set()).add(answer),
  off: (name, answer) => heard[name]?.delete(answer),
  save_changes() {{}},
}};
const module = await import(URL.createObjectURL(new Blob([state._esm], {{ type: "text/javascript" }})));
const places = [...document.querySelectorAll(".place")];
const cleanups = places.map((el) => module.default.render({{ model, el }}));
Object.assign(window, {{ model, heard, cleanups, ready: true }});
</script></body></html>
"""


def state_of(widget) -> dict:
    """The widget's synced traits as JSON, bytes in base64."""
    state = widget.get_state(drop_defaults=False)
    state = {name: value for name, value in state.items() if name not in ("layout", "comm")}
    return {
        name: base64.b64encode(value).decode() if isinstance(value, (bytes, memoryview)) else value
        for name, value in state.items()
    }


def page_of(widget, theme: str = "light", views: int = 1) -> str:
    """HTML that draws the widget `views` times, all on one model."""
    state = state_of(widget)
    binary = [name for name, value in widget.get_state().items() if isinstance(value, (bytes, memoryview))]
    return _PAGE.format(
        theme=theme,
        background="#fff" if theme == "light" else "#121212",
        css=state["_css"],
        places='<div class="place"></div>' * views,
        state=json.dumps(state).replace("</", "<\\/"),
        binary=json.dumps(binary),
    )


def assert_node_agrees(name: str, widget, cases: list[dict], folder: Path) -> None:
    """Runs tests/js/<name>.test.mjs: it finds the widget's module and the cases in `folder`. No test may be skipped."""
    if shutil.which("node") is None:
        pytest.skip("needs Node")
    (folder / "widget.mjs").write_text(str(widget._esm), encoding="utf-8")
    (folder / "cases.json").write_text(json.dumps(cases), encoding="utf-8")
    run = subprocess.run(
        ["node", "--test", str(Path(__file__).parents[1] / "js" / f"{name}.test.mjs")],
        env={**os.environ, "UNROLLED_WIDGET_CASES": str(folder)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert re.search(r"skipped 0$", run.stdout, re.MULTILINE), run.stdout


def assert_asks_nobody(widget) -> None:
    """Neither the module nor the styles fetch anything, and the module writes no markup."""
    for word in ("import ", "import(", "http", "fetch", "XMLHttpRequest", "innerHTML", "outerHTML", "eval("):
        assert word not in str(widget._esm).replace("http://www.w3.org/2000/svg", ""), word
    assert not re.search(r"url\(|@import", str(widget._css))


class Table(HTMLParser):
    """The caption of a table, and its rows as lists of texts."""

    def __init__(self, html: str):
        super().__init__()
        self.rows, self.caption, self.inside = [], "", None
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.inside = tag
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data):
        if self.inside in ("td", "th"):
            self.rows[-1][-1] += data
        if self.inside == "caption":
            self.caption += data
