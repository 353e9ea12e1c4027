"""The place of each widget on a page: what stands in it before it is drawn, and how much room is kept for it.

Nothing may jump when a widget is drawn, and how high it will be depends on its width and on what it shows. So the
finished page is opened in Chromium, each widget is drawn at the widths that readers have, and its heights are written
into the page as container queries. Without Chromium all keep the style sheet's height, and some text may move.
"""

import json
from pathlib import Path

from bs4 import BeautifulSoup

from book.shown import TABLE, WIDGET_STATE, WIDGET_VIEW

WIDTHS = (280, 310, 328, 343, 358, 361, 380, 398, 440, 520, 600, 680, 760, 864)  # of the text, in pixels: phones first
PATIENCE = 300_000  # milliseconds for a page: long enough for any machine that does other things as well
NO_SCRIPT = "With JavaScript this is a picture that can be touched; nothing is loaded from elsewhere for it."
HEIGHTS = """async (widths) => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const places = [...document.querySelectorAll(".unrolled-widget")];
  for (const place of places) {
    place.querySelector(".unrolled-drawn").style.minHeight = 0;
    place.scrollIntoView({ behavior: "instant" });
    while (!place.dataset.drawn) await frame();
  }
  const redraw = async (place) => {
    place.dispatchEvent(new Event("redraw"));
    while (!place.dataset.drawn) await frame();
  };
  const heights = [];
  for (const width of widths) {
    for (const place of places) place.style.width = `${width}px`;
    await Promise.all(places.map(redraw));
    await frame();
    heights.push(places.map((place) => Math.ceil(place.querySelector(".unrolled-drawn").offsetHeight)));
  }
  return heights[0].map((_, i) => heights.map((row) => row[i]));
}"""


def keep_places(page: BeautifulSoup) -> None:
    """Wrap each widget's view in its place: an element to draw in, and its table for print and without JavaScript."""
    script = page.find("script", type=WIDGET_STATE)
    saved = json.loads(script.string) if script else {"state": {}}
    tables = {name: model["state"].pop(TABLE, None) for name, model in saved["state"].items()}
    for number, view in enumerate(page.find_all("script", type=WIDGET_VIEW), 1):
        name = json.loads(view.string)["model_id"]
        kind = saved["state"][name]["state"]["_anywidget_id"].rpartition(".")[2]  # its class
        about = {"class": "unrolled-widget", "id": f"widget-{number}", "data-widget": kind}
        place = view.wrap(page.new_tag("div", attrs=about))
        place.append(page.new_tag("div", attrs={"class": "unrolled-drawn"}))
        place.append(_instead(page, tables[name]))
    if script:
        script.string = json.dumps(saved, separators=(",", ":"))


def _instead(page: BeautifulSoup, table: str | None):
    instead = page.new_tag("div", attrs={"class": "unrolled-instead"})
    instead.append(BeautifulSoup(table or "", "html.parser"))
    note = page.new_tag("noscript")
    note.string = NO_SCRIPT
    instead.append(note)
    return instead


def keep_heights(html: Path, running) -> None:
    """Write into each page of the folder how high its widgets are; `running` is Playwright's browser, or None."""
    for path in sorted(html.glob("*.html")) if running else []:
        text = path.read_text("utf-8")
        if 'class="unrolled-widget"' in text:
            style = f"<style>\n{rules(_measured(running, path))}\n</style>\n</head>"
            path.write_text(text.replace("</head>", style, 1), "utf-8")


def rules(heights: list[list[int]]) -> str:
    """Style rules, from each widget's heights at WIDTHS: between two widths the greater height is kept."""
    lines = []
    for number, measured in enumerate(heights, 1):
        inside = f"#widget-{number} > .unrolled-drawn"
        lines.append(f"{inside}{{min-height:{measured[0]}px}}")
        for i, width in enumerate(WIDTHS):
            kept = max(measured[i : i + 2])
            lines.append(f"@container (min-width:{width}px){{{inside}{{min-height:{kept}px}}}}")
    return "\n".join(lines)


def _measured(running, path: Path) -> list[list[int]]:
    page = running.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(PATIENCE)
    page.goto(path.resolve().as_uri())
    heights = page.evaluate(HEIGHTS, list(WIDTHS))
    page.close()
    return heights
