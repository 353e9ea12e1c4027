"""What axe finds on a page of the book.

A unit's page has tens of thousands of elements, nearly all of them coloured words of code and boxes of formulas, and
axe takes half a minute for them. Of the words that look alike one is left an element, and the others become plain text
around it: a word's colours follow from its class and from the kind of cell that it stands in, so nothing that axe could
find is lost. Set formulas are boxes without text, hidden from screen readers, which get the MathML beside them: each is
made one box of its size.
"""

import contextlib
from pathlib import Path

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
REACHABLE = "[...document.querySelectorAll('pre')].every(e => e.scrollWidth <= e.clientWidth || e.tabIndex >= 0)"
PLAIN = """() => {
  const seen = new Set();
  for (const word of document.querySelectorAll(".highlight pre span[class]:not(:has(*))")) {
    const kinds = [...(word.closest(".cell_input, .cell_output, .highlight").classList)];
    const task = word.closest(".tag_exercise, .admonition, details") ? "task" : "";
    const key = [word.className, task, ...kinds].join(" ");
    if (seen.has(key)) word.replaceWith(word.textContent);
    seen.add(key);
  }
  document.querySelectorAll(".highlight pre").forEach((code) => code.normalize());
  const formulas = [...document.querySelectorAll("mjx-math")].filter((formula) => formula.firstChild);
  const sizes = formulas.map((formula) => formula.getBoundingClientRect());
  formulas.forEach((formula, i) => {
    formula.replaceChildren();
    formula.style.cssText = `display:inline-block; width:${sizes[i].width}px; height:${sizes[i].height}px`;
  });
}"""
# the report on what is right is many megabytes, and stays in the browser
LOOK = "axe.run(document, {preload: false, resultTypes: ['violations']}).then((report) => report.violations)"


def violations(page) -> list[str]:
    """Each kind that axe finds, with its first place. The theme makes what scrolls reachable by keyboard a moment
    after the page is there, on a busy machine a long one.
    """
    from playwright.sync_api import TimeoutError as TookTooLong

    with contextlib.suppress(TookTooLong):
        page.wait_for_function(REACHABLE, timeout=10_000)
    page.evaluate(PLAIN)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate(LOOK)
    return [f"{one['id']}: {one['nodes'][0]['target']}" for one in found]
