"""Finish the pages Jupyter Book wrote: set formulas, drop what no reader needs, mend the theme's markup.

The theme is written for sites with a server and a product behind it. Each step below takes away one thing that
costs a reader weight or a screen reader sense, and says which.
"""

import re
import shutil
from pathlib import Path

from bs4 import BeautifulSoup

from autograder.returning.formulas import can_set
from book.formulas import STYLE_SHEET, load_style_sheet, set_formulas
from book.launch import add_buttons
from book.places import keep_places
from book.shown import BETWEEN_WORDS, WIDGET_STATE
from book.slim import slim

SKIPPED = (  # files that no page asks for
    "*.map",
    "*.LICENSE.txt",
    ".buildinfo",
    "fontawesome.js",
    "genindex.html",
    "locales",
    "objects.inv",
    "vendor",
)
UNUSED_SCRIPTS = ("fontawesome.js",)  # 1.5 MB of icons that style sheets draw as well
SEARCH_SCRIPTS = ("searchtools.js", "language_data.js", "searchindex.js")  # for the search page alone

MODE_AT_ONCE = """
    if (document.documentElement.dataset.theme === "auto")
      document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
"""  # the theme's own script finds it out after the first paint


def finish(made: Path, target: Path, mathjax: Path, buttons: dict[str, dict[str, str]]) -> list[Path]:
    """Write the finished site to `target`, anew; return its pages. `buttons` are each page's (see `launch`)."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(made, target, ignore=shutil.ignore_patterns(*SKIPPED))
    paths = sorted(target.glob("*.html"))
    pages = {path.name: BeautifulSoup(path.read_text("utf-8"), "html.parser") for path in paths}
    if can_set(mathjax):
        (target / "_static" / STYLE_SHEET).write_text(set_formulas(pages, mathjax), "utf-8")
        (target / "_static" / "mathjax" / "tex-chtml.js").unlink(missing_ok=True)
    for name, page in pages.items():
        mend(page, name)
        add_buttons(page, buttons.get(name, {}))
    slim(target, pages)
    for path in paths:
        path.write_text(str(pages[path.name]), "utf-8")
    return paths


def mend(page: BeautifulSoup, name: str) -> None:
    """All steps on one page, in place."""
    if not page.find(string=lambda text: "\\(" in text or "\\[" in text):
        load_style_sheet(page)
    drop_scripts(page, () if name == "search.html" else SEARCH_SCRIPTS)
    drop_empty_parts(page)
    name_landmarks(page)
    name_buttons(page)
    number_pictures(page, name)
    keep_places(page)
    text_first(page, last=name == "search.html")


def drop_scripts(page: BeautifulSoup, more: tuple[str, ...]) -> None:
    """Remove scripts that are not needed, and the hints to fetch scripts early that would delay the text."""
    for script in page.find_all("script", src=True):
        if Path(script["src"].partition("?")[0]).name in UNUSED_SCRIPTS + more:
            script.decompose()
    for hint in page.select('link[rel="preload"][as="script"], link[rel="index"]'):
        hint.decompose()


def drop_empty_parts(page: BeautifulSoup) -> None:
    """Remove a place for advertisements, a version banner, data for a search service we do not use, a missing icon."""
    useless = "#ethical-ad-placement, .pst-async-banner-revealer, meta[name^=docsearch]"
    for part in page.select(useless):
        part.decompose()
    if header := page.find(id="pst-header"):
        header.clear()  # it repeats other buttons, and the theme's script would listen to its hidden ones
    for repeated in page.select("meta[name=viewport]")[1:]:
        repeated.decompose()
    if page.head:  # an icon that is empty: else browsers ask the server for one that is not there
        page.head.append(page.new_tag("link", rel="icon", href="data:,"))


def name_landmarks(page: BeautifulSoup) -> None:
    """Let a screen reader jump between the named parts of a page, and meet no empty name."""
    for kind, label in (("primary", "Book"), ("secondary", "This page")):
        if sidebar := page.find(id=f"pst-{kind}-sidebar"):
            sidebar["role"], sidebar["aria-label"] = "complementary", label
    for heading in page.select("p.caption[role=heading]"):
        del heading["role"], heading["aria-level"]  # a caption of a list, before the page's own first heading
    for heading in page.select("thead"):
        if not heading.get_text(strip=True):
            heading.decompose()
    for formula in page.select('mjx-container[display="true"]'):
        formula["tabindex"] = "0"  # a long formula scrolls, so a keyboard must reach it
        formula["role"], formula["aria-label"] = "group", "formula"
    for table in page.select(".pst-scrollable-table-container table"):  # so does a wide table, from its first moment:
        table["tabindex"] = "0"  # the theme's script sets the container's, but only after it has measured


def name_buttons(page: BeautifulSoup) -> None:
    """Let a button that shows words be called by those words, without the keys of its shortcut."""
    for button in page.select("button.search-button-field"):
        del button["aria-label"], button["title"]
    for shortcut in page.select(".search-button__kbd-shortcut"):
        shortcut.decompose()
    for kind, words in (("primary", "Contents of the book"), ("secondary", "Contents of this page")):
        for button in page.select(f"button.{kind}-toggle"):
            button["title"] = button["aria-label"] = words


def number_pictures(page: BeautifulSoup, name: str) -> None:
    """Give each picture of a cell its own words, and below it a number and the first of these words."""
    unit = int(name[:2]) if name[:2].isdigit() else None
    for cell in page.select("div.cell_output"):
        pictures = cell.select("img")
        words = (pictures[0].get("alt", "") if pictures else "").split(BETWEEN_WORDS)
        for picture, said in zip(pictures, words, strict=len(words) == len(pictures)):
            picture["alt"] = said
    for number, picture in enumerate(page.select("div.cell_output img"), 1):
        figure = picture.wrap(page.new_tag("figure"))
        caption = page.new_tag("figcaption")
        named = f"Figure {unit}.{number}" if unit else f"Figure {number}"
        caption.string = f"{named}. {caption_of(picture.get('alt', ''))}"
        figure.append(caption)


def caption_of(words: str, at_least: int = 40) -> str:
    """The first sentence of a picture's words, and as many more as make a caption."""
    caption = ""
    for sentence in re.split(r"(?<=[.!?]) (?=[A-Z])", words):
        caption = f"{caption} {sentence}".strip()
        if len(caption) >= at_least:
            break
    return caption


def text_first(page: BeautifulSoup, last: bool) -> None:
    """Let the text be there before what only a touch or a search needs: scripts wait, and widgets' state goes last.

    The body says whether contents stand at its side: they come last, and the style sheet keeps their place.
    """
    if page.find(id="pst-secondary-sidebar"):
        page.body["class"] = [*page.body.get("class", []), "unrolled-contents"]
    if state := page.find("script", type=WIDGET_STATE):
        page.body.append(state.extract())
    for script in page.head.find_all("script") if page.head else []:
        if "dataset.theme" in (script.string or ""):
            script.string += MODE_AT_ONCE
        elif last:
            continue  # the search page has scripts in its text that count on those of the head
        elif script.get("src"):
            script["defer"] = ""
        elif (script.string or "").startswith("DOCUMENTATION_OPTIONS."):
            script.decompose()
