"""The book as a reader has it: opened from files in Chromium, which reaches nothing outside.

The course's own pages come out of the book's zip. Each is opened once, and the tests on it stand in the order in which
they change it: as it comes, scrolled through, looked at by axe, made dark and narrow.
"""

import json
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from axe_reading import violations
from book_built import ROOT, needs_mathjax, real_book, small_book

from book import browser, leaks, shown, verify

pytestmark = [pytest.mark.slow, pytest.mark.browser, needs_mathjax]

WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
LOADER = ROOT / "assets" / "book" / "widget_loader.js"
UNITS = sorted(path.stem for path in (ROOT / "solutions").glob("[0-9][0-9]_*.md"))
CHAPTERS = [part["chapters"] for part in yaml.safe_load((ROOT / "jupyter_book.yml").read_text("utf-8"))["toc"]["parts"]]
PAGES = ["index", "search", *(chapter["file"] for part in CHAPTERS for chapter in part if "file" in chapter), *UNITS]
SCROLLED = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight / 2) {
    scrollTo({ top, behavior: "instant" });
    await frame();
    for (const place of document.querySelectorAll(".unrolled-widget:not([data-drawn])"))
      while (!place.dataset.drawn && place.getBoundingClientRect().top < innerHeight) await frame();
  }
}"""
ROOM = """places => places.map((place) => {
  const drawn = place.querySelector(".unrolled-drawn");
  const kept = parseFloat(getComputedStyle(drawn).minHeight);
  const needed = [...drawn.children].reduce((sum, child) => sum + child.getBoundingClientRect().height, 0);
  return [place.dataset.widget, kept, needed];
})"""


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


def assert_formulas_are_drawn(page):
    sizes = page.evaluate(
        "[...document.querySelectorAll('mjx-container')].filter(f => !f.closest('details:not([open])'))"
        ".map(f => [f.querySelector('mjx-math').getBoundingClientRect().width, f.getBoundingClientRect().height])"
    )
    assert all(width > 3 and height > 3 for width, height in sizes)
    assert not sizes or page.evaluate("document.fonts.check('16px MJXTEX-I')"), "the formulas' font is not there"
    assert "\\(" not in page.inner_text("body") and "\\[" not in page.inner_text("body")
    return len(sizes)


# --- the course's own book


@dataclass
class Opened:
    """A page of the book, and what happened on it."""

    name: str
    page: object
    visit: browser.Visit


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory) -> Path:
    """The folder of pages, out of the book's zip."""
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(real_book().zip) as archive:
        archive.extractall(folder)
    (top,) = folder.iterdir()
    return top


@pytest.fixture(scope="module", params=PAGES)
def opened(request, chromium, unpacked):
    name = request.param
    if not (unpacked / f"{name}.html").exists():
        pytest.skip("the book of one unit lacks this page")
    context = chromium.new_context(viewport=WIDE, color_scheme="light")
    page = context.new_page()
    visit = browser.watch(page)
    page.add_init_script(browser.NOTE_SHIFTS)
    page.goto((unpacked / f"{name}.html").as_uri(), wait_until="networkidle")
    yield Opened(name, page, visit)
    context.close()


def test_a_page_is_whole_offline(opened):
    count = assert_formulas_are_drawn(opened.page)
    if opened.name in UNITS:
        assert count > 20
        assert opened.page.locator(".unrolled-widget").count() > 0
        assert opened.page.locator(".tag_exercise", has_text="NotImplementedError").count() > 0
    assert (opened.visit.outside, opened.visit.errors) == ([], [])


def test_widgets_are_drawn_when_the_reader_comes_near_and_nothing_moves(opened):
    drawn = ".unrolled-widget[data-drawn]"
    far = "e => e.getBoundingClientRect().top > 3 * innerHeight && !e.dataset.drawn"
    if opened.name in UNITS:
        assert opened.page.locator(drawn).count() < opened.page.locator(".unrolled-widget").count()
        assert opened.page.locator(".unrolled-widget").last.evaluate(far)
    opened.page.evaluate(SCROLLED)
    places = opened.page.locator(".unrolled-widget").all()
    assert [place.get_attribute("data-drawn") for place in places] == ["yes"] * len(places)
    assert all(place.bounding_box()["height"] > 50 for place in places)
    assert opened.page.evaluate(browser.SHIFT) < 0.0005
    assert (opened.visit.outside, opened.visit.errors) == ([], [])


def test_axe_finds_nothing_wide_and_light(opened):
    assert violations(opened.page) == []
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= WIDE["width"]


def test_the_room_kept_for_a_widget_is_the_room_it_needs(opened):
    for size in (WIDE, PHONE):
        opened.page.set_viewport_size(size)
        for widget, kept, needed in opened.page.locator(".unrolled-widget").evaluate_all(ROOM):
            assert needed - 1 <= kept <= 1.35 * needed + 30, (widget, size["width"])


def test_axe_finds_nothing_narrow_and_dark(opened):
    opened.page.set_viewport_size(PHONE)
    opened.page.emulate_media(color_scheme="dark")
    opened.page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    assert violations(opened.page) == []
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_in_print_a_table_stands_where_a_widget_was(opened):
    opened.page.emulate_media(media="print")
    for place in opened.page.locator(".unrolled-widget").all():
        assert not place.locator(".unrolled-drawn").is_visible()
        table = place.locator(".unrolled-instead table").first
        assert table.is_visible() and table.locator("caption").inner_text()


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_gives_no_answer_away(unit):
    built = real_book()
    assert len(leaks.secret_lines(built.course.assignment(unit))) > 20
    assert leaks.leaks(built.course.assignment(unit), sorted(built.html.glob("*.html"))) == []


def test_the_courses_pages_are_light_and_come_quietly(chromium):
    """How soon they show depends on what else the machine does: `make book` and benchmarks/book_pages.py tell that."""
    reports = verify.check_book(real_book().html, [], chromium)
    late = [problem for report in reports for problem in report.problems if problem.startswith("shows after")]
    assert [problem for report in reports for problem in report.problems if problem not in late] == []
    assert all(report.first_paint > 0 for report in reports)


@pytest.mark.skipif("01_ngrams" not in UNITS, reason="needs unit 1")
def test_the_ngram_explorer_answers_mouse_and_keyboard(open_page, unpacked):
    page, visit = open_page(unpacked / "01_ngrams.html", viewport=PHONE)
    place = page.locator(".unrolled-widget[data-widget=NGramExplorer]").first
    place.scroll_into_view_if_needed()
    place.get_by_role("button", name="Clear").click()
    cleared = place.inner_text()
    place.locator("textarea").focus()
    page.keyboard.type("the")
    page.wait_for_function(
        "text => document.querySelector('[data-widget=NGramExplorer]').innerText !== text", arg=cleared
    )
    assert (visit.outside, visit.errors) == ([], [])


# --- the small book


def test_formulas_and_pictures_are_drawn_without_an_outside_request_or_error(open_page):
    page, visit = open_page(small_book().html / "01_coins.html")
    assert assert_formulas_are_drawn(page) > 0
    widths = page.evaluate("[...document.querySelectorAll('article img')].map(picture => picture.naturalWidth)")
    assert widths and min(widths) > 100
    assert (visit.outside, visit.errors) == ([], [])


def test_a_widget_answers_mouse_and_keyboard_and_its_views_share_one_model(open_page):
    page, visit = open_page(small_book().html / "01_coins.html")
    page.locator(".unrolled-widget").last.scroll_into_view_if_needed()
    page.locator(".toss-counter").nth(1).wait_for(timeout=5000)
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


def test_pages_are_light_and_show_soon(chromium):
    (report,) = [one for one in verify.check_book(small_book().html, [], chromium) if one.name == "01_coins"]
    assert [problem for problem in report.problems if not problem.startswith("shows after")] == []
    assert report.first_paint > browser.SLOW_4G["latency"] and report.shift <= verify.LARGEST_SHIFT
    assert 20_000 < report.bytes <= verify.HEAVIEST_PAGE


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
    place = page.locator(".unrolled-widget").first
    assert "With JavaScript this is a picture" in place.inner_text() and "tosses" in place.inner_text()
    assert not place.locator(".unrolled-drawn").is_visible()


# --- the widget loader by itself


def loader_page(tmp_path: Path, modules: dict[str, str], state: dict, buffers: list, styles=None) -> Path:
    """A page with one view a module, as myst-nb writes them and the builder wraps them."""
    css = {name: {"_css": text} for name, text in (styles or {}).items()}
    models = {
        name: {"state": {"_esm": text, **state, **css.get(name, {})}, "buffers": buffers}
        for name, text in modules.items()
    }
    views = "".join(
        f'<div class="{name}"><script type="{shown.WIDGET_VIEW}">{json.dumps({"model_id": name})}</script>'
        '<p class="unrolled-drawn"></p></div>'
        for name in modules
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
    texts = [place.inner_text() for place in page.locator("p").all()]
    assert texts == ["This picture could not be drawn here; it works in the notebook.", "drawn"]
    assert len(visit.errors) == 1 and "no data" in visit.errors[0]


def test_a_kinds_style_outlives_what_the_next_kind_brings(open_page, tmp_path):
    """Each brings what all share; the second one's copy must not undo what the first has changed of it."""
    module = "export default { render({ el }) { el.innerHTML = '<b class=unr>x</b>' } }"
    shared = "html .unr { display: block; height: 10px }"
    styles = {name: f"{shared} .{name} .unr {{ height: {high}px }}" for name, high in (("first", 20), ("second", 30))}
    page, visit = open_page(loader_page(tmp_path, dict.fromkeys(styles, module), {}, [], styles))
    page.locator("b").nth(1).wait_for()
    assert [round(word.bounding_box()["height"]) for word in page.locator("b").all()] == [20, 30]
    assert visit.errors == []


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
    assert page.locator("p").inner_text() == "started, kept 2, saved; 1,2,3; undefined"
    assert visit.errors == []


def test_axe_finds_what_is_wrong_in_code_that_repeats_and_beside_formulas(open_page, tmp_path):
    """What makes its work short must hide nothing."""
    words = '<span class="k" style="color:#bbb">def</span> ' * 3
    task = words.replace("#bbb", "#333")
    path = tmp_path / "page.html"
    path.write_text(
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>x</title></head><body><main><h1>x</h1>'
        f'<div class="tag_exercise"><div class="cell_input highlight"><pre>{task}</pre></div></div>'
        f'<div class="cell_input highlight"><pre>{words}</pre></div>'
        "<mjx-container><mjx-math><b>x</b></mjx-math></mjx-container><button></button></main></body></html>"
    )
    page, _ = open_page(path)
    assert [found.partition(":")[0] for found in violations(page)] == ["button-name", "color-contrast"]
    assert page.locator("span.k").count() == 2, "one word of a kind, in each kind of cell, is looked at"


@pytest.mark.skipif("08_bert" not in UNITS, reason="its widget is unit 8's")
def test_the_front_page_is_one_screen_and_its_widget_answers_without_a_kernel(open_page, unpacked):
    for size, height in (({"width": 1280, "height": 800}, 800), (PHONE, None)):
        page, visit = open_page(unpacked / "index.html", viewport=size)
        place = page.locator(".unrolled-widget")
        place.scroll_into_view_if_needed()
        place.locator("[role=option]").first.wait_for()
        if height:
            assert page.evaluate("document.querySelector('.doors').getBoundingClientRect().bottom") <= height
        before = place.locator(".unr-status").inner_text()
        place.locator("[role=option]", has_text="ship").click()
        page.wait_for_function("text => document.querySelector('.unr-status').innerText !== text", arg=before)
        assert (visit.outside, visit.errors) == ([], [])
