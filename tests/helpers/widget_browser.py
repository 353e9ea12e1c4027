"""What every widget's browser test needs: Chromium, a page with the widget on it, axe, and the contrast of colours.

conftest.py makes the fixtures known to all tests.
"""

import re
from pathlib import Path

import pytest
from widget_page import page_of

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync", "--no-first-run"]
AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"

THEMES = [("light", "light", False), ("dark", "light", True), ("light", "dark", False)]  # theme, system's, is it dark


@pytest.fixture(scope="module")  # not longer: while it lives, no other test can run an event loop
def chromium(browser_path):
    playwright = pytest.importorskip("playwright.sync_api", reason="needs Playwright")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=browser_path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def tabs(chromium) -> list:
    """Empty pages, which one test leaves to the next: a new one is a new process, and dearer than most tests."""
    return []


@pytest.fixture
def show(chromium, tabs, tmp_path):
    """show(widget, …) opens a page; after the test it must have been silent and have asked nobody for anything."""
    pages, noise, asked = [], [], []
    hear = {
        "console": lambda message: noise.append(message.text),
        "pageerror": lambda error: noise.append(str(error)),
        "request": lambda request: asked.append(request.url),
    }

    def show(widget, theme="light", views=1, width=900, scheme="light"):
        page = tabs.pop() if tabs else chromium.new_page()
        pages.append(page)
        page.set_default_timeout(5000)
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        for event, heard in hear.items():
            page.on(event, heard)
        file = tmp_path / f"page{len(pages)}.html"
        file.write_text(page_of(widget, theme, views), encoding="utf-8")
        page.goto(file.as_uri())
        page.wait_for_function("window.ready")
        return page

    yield show
    for page in pages:
        for event, heard in hear.items():
            page.remove_listener(event, heard)
        _empty(page)
    tabs += pages
    assert noise == []
    assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []


def _empty(page) -> None:
    """As a new page is: nothing on it, and the mouse over nothing."""
    page.goto("about:blank")
    page.mouse.move(0, 0)


def violations(page) -> list[tuple[str, str]]:
    """What axe finds wrong in the widget: rule and first element of each."""
    if not AXE.exists():
        pytest.skip("needs axe-core (npm ci)")
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run('.unr', {resultTypes: ['violations']}).then((report) => report.violations)")
    return [(rule["id"], rule["nodes"][0]["html"]) for rule in found]


def tab_stops(page) -> list[str]:
    """The names of what the Tab key reaches inside the widget, from the focus on; each must show its focus."""
    names = []
    while True:
        page.keyboard.press("Tab")
        if not page.evaluate("document.activeElement.closest('.unr') !== null"):
            return names
        ringed = "e => [e, e.parentElement].some(x => getComputedStyle(x).outlineStyle === 'solid')"
        assert page.evaluate(f"({ringed})(document.activeElement)"), page.evaluate("document.activeElement.outerHTML")
        names.append(page.evaluate("document.activeElement.getAttribute('aria-label')"))


# --- colours


def luminance(colour: str) -> float:
    parts = [int(x) / 255 for x in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def background(page, selector: str) -> str:
    return page.locator(selector).first.evaluate("(e) => getComputedStyle(e).backgroundColor")


PAINT = """(e) => {
  let at = e;
  while (getComputedStyle(at).backgroundColor === "rgba(0, 0, 0, 0)") at = at.parentElement;
  return [getComputedStyle(e).color, getComputedStyle(at).backgroundColor, e.textContent];
}"""


def assert_readable(page, selector: str) -> None:
    """Every text that the selector finds stands out from what is behind it (4.5 : 1)."""
    texts = page.locator(selector)
    assert texts.count() > 0
    for i in range(texts.count()):
        colour, behind, text = texts.nth(i).evaluate(PAINT)
        assert contrast(colour, behind) >= 4.5, f"{text!r}: {colour} on {behind}"


def assert_shades_readable(page, selector: str) -> None:
    """The same for many cells, each with a ground of its own; a mixed colour comes as shares of 1, not of 255."""
    pairs = page.locator(selector).evaluate_all(
        "all => all.map((e) => [getComputedStyle(e).color, getComputedStyle(e).backgroundColor])"
    )
    assert pairs
    for pair in pairs:
        assert contrast(*map(_eight_bit, pair)) >= 4.5, pair


def _eight_bit(colour: str) -> str:
    if not colour.startswith("color(srgb"):
        return colour
    return " ".join(str(round(255 * float(part))) for part in colour[11:-1].split()[:3])
