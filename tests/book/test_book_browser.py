"""The book as a reader has it: opened from files in Chromium, with every outside request blocked and recorded."""

import contextlib
import json
from pathlib import Path

import pytest
from book_built import ROOT, needs_mathjax, real_book, small_book

from book import browser, leaks, shown, verify
from book.pages import PAGES

pytestmark = [pytest.mark.slow, pytest.mark.browser, needs_mathjax]

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
VIEWS = [pytest.param(WIDE, "light", id="wide-light"), pytest.param(PHONE, "dark", id="phone-dark")]
LOADER = ROOT / "assets" / "book" / "widget_loader.js"
LOOK = (  # the report on what is right is many megabytes, and stays in the browser
    "axe.run({exclude: ['mjx-math']}, {preload: false, resultTypes: ['violations']})"
    ".then((report) => report.violations)"
)
REACHABLE = "[...document.querySelectorAll('pre')].every(e => e.scrollWidth <= e.clientWidth || e.tabIndex >= 0)"
UNITS = sorted(path.stem for path in (ROOT / "solutions").glob("[0-9][0-9]_*.md"))


@pytest.fixture(scope="module")
def chromium(browser_path):
    with browser.chromium() as running:
        yield running


@pytest.fixture
def open_page(chromium):
    """Opens a file; gives the page and what happened on it."""
    contexts = []

    def opener(path: Path, **options):
        context = chromium.new_context(**{"viewport": WIDE, **options})
        contexts.append(context)
        page = context.new_page()
        visit = browser.watch(page)
        page.goto(path.resolve().as_uri(), wait_until="networkidle")
        return page, visit

    yield opener
    for context in contexts:
        context.close()


def violations(page) -> list[str]:
    """What axe finds, with the place of the first of each kind. Set formulas are thousands of empty boxes, hidden
    from screen readers, which get the MathML beside them: only the latter is looked at. The theme makes what scrolls
    reachable by keyboard a moment after the page is there, on a busy machine a long one.
    """
    from playwright.sync_api import TimeoutError as TookTooLong

    with contextlib.suppress(TookTooLong):
        page.wait_for_function(REACHABLE, timeout=10_000)
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate(LOOK)
    return [f"{one['id']}: {one['nodes'][0]['target']}" for one in found]


def assert_formulas_are_drawn(page):
    sizes = page.evaluate(
        "[...document.querySelectorAll('mjx-container')].filter(f => !f.closest('details:not([open])'))"
        ".map(f => [f.querySelector('mjx-math').getBoundingClientRect().width, f.getBoundingClientRect().height])"
    )
    assert sizes and all(width > 3 and height > 3 for width, height in sizes)
    assert page.evaluate("document.fonts.check('16px MJXTEX-I')"), "the formulas' font is not there"
    assert "\\(" not in page.inner_text("article") and "\\[" not in page.inner_text("article")


# --- the small book


def test_formulas_and_pictures_are_drawn_without_an_outside_request_or_error(open_page):
    page, visit = open_page(small_book().html / "01_coins.html")
    assert_formulas_are_drawn(page)
    widths = page.evaluate("[...document.querySelectorAll('article img')].map(picture => picture.naturalWidth)")
    assert widths and min(widths) > 100
    assert (visit.outside, visit.errors) == ([], [])


def test_a_widget_answers_mouse_and_keyboard_and_its_views_share_one_model(open_page):
    page, visit = open_page(small_book().html / "01_coins.html")
    first, second = page.locator(".toss-counter").all()
    assert first.inner_text() == "tosses: 0 (of 7)"  # 7 is the last of three bytes
    first.click()
    assert [first.inner_text(), second.inner_text()] == ["tosses: 1 (of 7)"] * 2
    second.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    assert first.inner_text() == "tosses: 3 (of 7)"
    assert first.evaluate("button => getComputedStyle(button).borderTopStyle") == "solid"
    assert visit.errors == []


@pytest.mark.parametrize(("size", "scheme"), VIEWS)
@pytest.mark.parametrize("name", [*PAGES, "01_coins"])
def test_axe_finds_nothing(open_page, name, size, scheme):
    page, _ = open_page(small_book().html / f"{name}.html", viewport=size, color_scheme=scheme)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_pages_are_light_and_show_soon(chromium):
    reports = verify.check_book(small_book().html, [*PAGES, "01_coins"], chromium)
    assert [report.problems for report in reports] == [[]] * len(reports)
    assert all(0 < report.first_paint <= verify.SLOWEST_PAINT for report in reports)
    assert all(20_000 < report.bytes <= verify.HEAVIEST_PAGE for report in reports)


def test_the_mode_button_turns_the_page_dark(open_page):
    page, _ = open_page(small_book().html / "01_coins.html", color_scheme="light")
    button = page.locator(".theme-switch-button:visible")
    lightness = []
    for _ in range(3):
        button.click()
        red = "Number(getComputedStyle(document.body).backgroundColor.match(/[0-9]+/)[0])"
        lightness.append(page.evaluate(red))
    assert min(lightness) < 60 and max(lightness) > 240


@pytest.mark.parametrize("part", ["primary", "secondary"])
def test_contents_open_on_a_phone(open_page, part):
    page, _ = open_page(small_book().html / "01_coins.html", viewport=PHONE)
    page.locator(f"button.{part}-toggle:visible").click()
    page.locator(f"#pst-{part}-sidebar-modal a:visible").first.wait_for(timeout=5000)
    assert violations(page) == []


def test_search_finds_a_page_from_the_keyboard(open_page):
    page, visit = open_page(small_book().html / "search.html")
    page.goto((small_book().html / "search.html").resolve().as_uri() + "?q=surprised")
    page.locator("#search-results a", has_text="A coin, tossed").first.wait_for(timeout=5000)
    assert visit.outside == []


def test_search_finds_a_word_of_the_glossary_and_of_a_guide(open_page):
    for word, page_title in (("perplexity", "Glossary"), ("formgrader", "For instructors")):
        page, visit = open_page(small_book().html / "search.html")
        page.goto((small_book().html / "search.html").resolve().as_uri() + f"?q={word}")
        page.locator("#search-results a", has_text=page_title).first.wait_for(timeout=20_000)
        assert visit.outside == []


def test_the_map_of_a_phone_reads_downwards_and_its_links_lead_to_pages(open_page):
    page, _ = open_page(small_book().html / "map.html", viewport=PHONE)
    links = page.locator(".unit-map a").all()
    assert links and all((small_book().html / link.get_attribute("href")).is_file() for link in links)
    assert page.locator("ol.unit-map > li").count() == len(links)


def test_text_and_formulas_are_there_without_javascript(open_page):
    page, _ = open_page(small_book().html / "01_coins.html", java_script_enabled=False)
    assert page.locator("mjx-container").first.bounding_box()["width"] > 3
    assert page.locator(".unrolled-widget").first.inner_text().startswith("This picture needs JavaScript")


# --- the widget loader by itself


def loader_page(tmp_path: Path, modules: dict[str, str], state: dict, buffers: list) -> Path:
    """A page with one view a module, as myst-nb writes them and the builder wraps them."""
    models = {name: {"state": {"_esm": text, **state}, "buffers": buffers} for name, text in modules.items()}
    views = "".join(
        f'<div><script type="{shown.WIDGET_VIEW}">{json.dumps({"model_id": name})}</script></div>' for name in modules
    )
    path = tmp_path / "page.html"
    path.write_text(
        f'<meta charset="utf-8"><script type="{shown.WIDGET_STATE}">{json.dumps({"state": models})}</script>'
        f"{views}<script>{LOADER.read_text('utf-8')}</script>"
    )
    return path


def test_a_widget_that_fails_says_so_and_leaves_the_others_alone(open_page, tmp_path):
    modules = {
        "broken": "export default { render() { throw new Error('no data') } }",
        "whole": "export default { render({ el }) { el.textContent = 'drawn' } }",
    }
    page, visit = open_page(loader_page(tmp_path, modules, {}, []))
    texts = [place.inner_text() for place in page.locator("div").all()]
    assert texts == ["This picture could not be drawn here; it works in the notebook.", "drawn"]
    assert len(visit.errors) == 1 and "no data" in visit.errors[0]


def test_the_model_keeps_what_anywidget_promises(open_page, tmp_path):
    module = """
    const log = [];
    export default async () => ({
      initialize({ model }) { log.push("started"); model.set("kept", 1); },
      render({ model, el }) {
        const changed = (event, value) => log.push(`kept ${value}`);
        const saved = () => log.push("saved");
        model.on("change:kept", changed);
        model.on("change", saved);
        model.set("kept", 1);          // the same value: no news
        model.set("kept", 2);
        model.save_changes();
        model.save_changes();          // nothing new to save
        model.off("change:kept", changed);
        model.set("kept", 3);
        const bytes = [...new Uint8Array(model.get("deep").list[1].buffer)];
        el.textContent = `${log.join(", ")}; ${bytes}; ${model.get("absent")}`;
      },
    });
    """
    buffers = [{"path": ["deep", "list", 1], "data": "AQID", "encoding": "base64"}]
    page, visit = open_page(loader_page(tmp_path, {"m": module}, {"deep": {"list": [0, None]}}, buffers))
    assert page.locator("div").inner_text() == "started, kept 2, saved; 1,2,3; undefined"
    assert visit.errors == []


# --- the course's own book


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_is_whole_offline(open_page, unit):
    page, visit = open_page(real_book().html / f"{unit}.html")
    assert_formulas_are_drawn(page)
    for place in page.locator(".unrolled-widget").all():
        assert place.bounding_box()["height"] > 50 and "could not be drawn" not in place.inner_text()
    assert page.locator(".tag_exercise", has_text="NotImplementedError").count() > 0
    assert (visit.outside, visit.errors) == ([], [])


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_gives_no_answer_away(unit):
    built = real_book()
    assert len(leaks.secret_lines(built.course.assignment(unit))) > 20
    assert leaks.leaks(built.course.assignment(unit), sorted(built.html.glob("*.html"))) == []


@pytest.mark.parametrize(("size", "scheme"), VIEWS)
@pytest.mark.parametrize("unit", UNITS)
def test_axe_finds_nothing_in_a_unit(open_page, unit, size, scheme):
    page, _ = open_page(real_book().html / f"{unit}.html", viewport=size, color_scheme=scheme)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_the_courses_pages_are_light_and_show_soon(chromium):
    reports = verify.check_book(real_book().html, [*PAGES, *UNITS], chromium)
    assert [report.problems for report in reports] == [[]] * len(reports)
    assert all(report.first_paint > 0 for report in reports)


@pytest.mark.skipif("08_bert" not in UNITS, reason="its widget is unit 8's")
def test_the_front_page_is_one_screen_and_its_widget_answers_without_a_kernel(open_page):
    for size, height in (({"width": 1280, "height": 800}, 800), (PHONE, None)):
        page, visit = open_page(real_book().html / "index.html", viewport=size)
        place = page.locator(".unrolled-widget")
        place.locator("[role=option]").first.wait_for()
        kept = place.evaluate("place => parseFloat(getComputedStyle(place).minHeight)")
        drawn = place.evaluate("place => place.lastElementChild.getBoundingClientRect().height")
        assert abs(kept - drawn) <= 24, f"drawn {drawn:.0f} px high, {kept:.0f} kept for it in pages.css"
        if height:
            assert page.evaluate("document.querySelector('.doors').getBoundingClientRect().bottom") <= height
        before = place.locator(".unr-status").inner_text()
        place.locator("[role=option]", has_text="ship").click()
        page.wait_for_function("text => document.querySelector('.unr-status').innerText !== text", arg=before)
        assert (visit.outside, visit.errors) == ([], [])


@pytest.mark.skipif("01_ngrams" not in UNITS, reason="needs unit 1")
def test_the_ngram_explorer_answers_mouse_and_keyboard_and_keeps_its_place(open_page):
    for size in (WIDE, PHONE):
        page, visit = open_page(real_book().html / "01_ngrams.html", viewport=size)
        place = page.locator(".unrolled-widget[data-widget=NGramExplorer]").first
        kept = place.evaluate("place => parseFloat(getComputedStyle(place).minHeight)")
        drawn = place.evaluate("place => place.lastElementChild.getBoundingClientRect().height")
        assert abs(kept - drawn) <= 24, f"drawn {drawn:.0f} px high, {kept:.0f} kept for it in unrolled.css"
        assert visit.errors == []
    before = place.inner_text()
    place.get_by_role("button", name="Clear").click()
    cleared = place.inner_text()
    assert cleared != before
    place.locator("textarea").focus()
    page.keyboard.type("the")
    page.wait_for_function("text => document.querySelector('.unrolled-widget').innerText !== text", arg=cleared)
    assert visit.outside == []
