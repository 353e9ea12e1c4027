"""A page with a widget on it and no kernel behind it: what the book's loader does, as small as a test needs it."""

import base64
import json

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
