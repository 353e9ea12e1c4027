"""Set the formulas of finished pages with MathJax, once, in node, instead of in every reader's browser.

A page with formulas would load 1.2 MB of script; set here, it loads a small style sheet and the fonts it uses.
Without node the pages stay as they are and MathJax (a local copy) sets them in the browser.

Left out on purpose: formulas in widgets and in HTML outputs.
"""

import json
import re
import subprocess
from pathlib import Path

from bs4 import BeautifulSoup, NavigableString, Tag

from autograder.course import Trouble

FONTS = "mathjax/output/chtml/fonts/woff-v2"
STYLE_SHEET = "formulas.css"
TEX = re.compile(r"\\\((?P<inline>.*)\\\)|\\\[(?P<display>.*)\\\]", re.DOTALL)


def set_formulas(pages: dict[str, BeautifulSoup], mathjax: Path) -> str:
    """Replace the TeX on every page, in place; return the style sheet that all of them need.

    Raises Trouble with the page and the TeX of each formula MathJax does not understand.
    """
    places = [(name, node) for name, page in pages.items() for node in page.select(".math")]
    texts = [_tex_in(node) for _, node in places]
    formulas = [{"tex": tex, "display": display} for _, tex, display in texts]
    answer = _ask_mathjax(formulas, mathjax)
    faults = []
    for (name, node), (text, tex, _), html in zip(places, texts, answer["set"], strict=True):
        if isinstance(html, dict):
            faults.append(f"{name}: {html['error']} in {' '.join(tex.split())}")
        else:
            _put(node, text, html)
    if faults:
        raise Trouble("MathJax does not understand " + "; ".join(faults))
    return answer["css"]


def load_style_sheet(page: BeautifulSoup) -> None:
    """Let a page that has formulas load their style sheet, and no script."""
    for script in page.find_all("script"):
        if "mathjax/" in script.get("src", "") or (script.string or "").startswith("window.MathJax"):
            script.decompose()
    if page.find("mjx-container"):
        page.head.append(page.new_tag("link", rel="stylesheet", href=f"_static/{STYLE_SHEET}"))


def _tex_in(node: Tag) -> tuple[NavigableString, str, bool]:
    """The text node that holds the TeX (an equation number may stand before it), the TeX, and whether displayed."""
    for text in node.find_all(string=TEX):
        found = TEX.search(text)
        display = found["display"] is not None
        return text, found["display"] if display else found["inline"], display
    raise Trouble(f"a formula without delimiters: {node.get_text(' ', strip=True)}")


def _put(node: Tag, text: NavigableString, html: str) -> None:
    text.replace_with(BeautifulSoup(html, "html.parser"))
    node["class"] = [name for name in node["class"] if name != "nohighlight"]


def _ask_mathjax(formulas: list[dict], mathjax: Path) -> dict:
    command = ["node", Path(__file__).with_name("formulas.js"), mathjax.resolve(), FONTS]
    done = subprocess.run(command, input=json.dumps({"formulas": formulas}), text=True, capture_output=True)
    if done.returncode:
        last_line = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise Trouble(f"node could not set the formulas: {last_line}")
    return json.loads(done.stdout)
