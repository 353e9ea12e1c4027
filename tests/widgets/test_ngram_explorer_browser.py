"""The n-gram explorer in Chromium, on a page without a kernel: typed into, clicked, walked by keyboard, listened to."""

import re

import pytest
from test_ngram_explorer import TEXT, WORDS
from unrolled.widgets.ngram_explorer import NGramExplorer
from widget_browser import THEMES, assert_readable, background, contrast, luminance, tab_stops, violations

pytestmark = [pytest.mark.browser, pytest.mark.unit("ngrams")]

NAMES = {"mle": "maximum likelihood", "add_k": "add-k", "kneser_ney": "Kneser–Ney"}


def box(page):
    return page.get_by_role("textbox", name="Context")


def radio(page, name: str):
    return page.get_by_role("radio", name=name)


def context_of(page) -> str:
    return page.evaluate("model.get('context')")


def shows(said: str, p: float) -> bool:
    """Is this the percentage of p, to the one digit that is shown? Exact 0 and 1 are told from nearly so."""
    if p in (0, 1):
        return said == f"{100 * p:.0f}%"
    if said in ("<0.1%", ">99.9%"):
        return p < 0.0005 if said[0] == "<" else p >= 0.9995
    return abs(float(said.removesuffix("%")) - 100 * p) <= 0.0500001


def check_against_python(page, widget):
    """Every cell says what Python says, for all orders and all three smoothings."""
    widget.context = context_of(page)
    cells = page.locator(".ngx-row-symbol .ngx-cell")
    labels = [cells.nth(i).get_attribute("aria-label") for i in range(cells.count())]
    heads = page.locator(".ngx-row-symbol .ngx-head")
    symbols = [heads.nth(i).get_attribute("title").split(" ")[0] for i in range(heads.count())]
    ids = [widget.symbols.index({"␣": " ", "⏎": "\n"}.get(symbol, symbol)) for symbol in symbols]
    assert len(labels) == len(ids) * widget.max_order
    for i, label in enumerate(labels):
        id_, order = ids[i // widget.max_order], i % widget.max_order + 1
        assert f"order {order}: " in label
        for method, name in NAMES.items():
            if widget.seen(order) is None:
                assert "more symbols of context" in label
                continue
            probs = widget.next_probs(order, method)
            said = re.search(rf"{name} (no answer|[<>\d.]+%)", label)[1]
            assert said == "no answer" if probs is None else shows(said, probs[id_]), label


@pytest.mark.parametrize("context", ["the mi", "Qthe m", "th", ""])
def test_every_cell_shows_pythons_number(show, context):
    widget = NGramExplorer(TEXT, context=context, k=0.1)
    check_against_python(show(widget), widget)


def test_words_too(show):
    widget = NGramExplorer(WORDS, max_order=4, context="the miller counts", smoothing="mle")
    page = show(widget)
    check_against_python(page, widget)
    page.locator(".ngx-row-symbol").first.locator(".ngx-cell").last.click()
    assert context_of(page) == "the miller counts the"
    page.get_by_role("button", name="Delete").click()
    assert context_of(page) == "the miller counts"


def test_typing_changes_the_distribution_and_keeps_the_box(show):
    widget = NGramExplorer(TEXT)
    page = show(widget)
    box(page).press_sequentially("the cat\na")
    assert context_of(page) == "the cat\na"
    check_against_python(page, widget)
    assert box(page).input_value() == "the cat\na"


def test_a_click_on_a_bar_appends_its_symbol(show):
    widget = NGramExplorer(TEXT, context="the mille")
    page = show(widget)
    assert page.locator(".ngx-row-symbol .ngx-head").first.text_content() == "r"
    page.locator(".ngx-row-symbol").first.locator(".ngx-cell").nth(5).click()
    assert context_of(page) == "the miller"
    assert box(page).input_value() == "the miller"
    check_against_python(page, widget)


def test_the_keyboard_reaches_everything(show):
    widget = NGramExplorer(TEXT, context="the mille")
    page = show(widget)
    page.locator(".ngx-row-order .ngx-cell").first.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert page.evaluate("model.get('order')") == 4
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    assert "order 6" in page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("Enter")
    assert context_of(page) == "the miller"
    assert "order 6" in page.evaluate("document.activeElement.getAttribute('aria-label')"), "the focus stays"
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    assert context_of(page) == "the mill"
    page.keyboard.press("Home")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press(" ")
    assert page.evaluate("model.get('order')") == 1
    assert page.locator(".ngx [tabindex='0']").count() == 1, "the grid is one tab stop"


def test_the_focus_can_be_seen(show):
    page = show(NGramExplorer(TEXT, context="the"))
    box(page).focus()
    assert len(tab_stops(page)) >= 9  # three buttons, smoothing, k, grid, two buttons, temperature, seed


def test_smoothing_and_k(show):
    widget = NGramExplorer(TEXT, context="the mi", order=3)
    page = show(widget)
    radio(page, "Add-k").check()
    assert page.evaluate("model.get('smoothing')") == "add_k"
    page.get_by_role("slider", name="k", exact=True).press("End")
    assert page.evaluate("model.get('k')") == 10
    widget.k, widget.smoothing = 10.0, "add_k"
    check_against_python(page, widget)
    assert "add-k expects" in page.locator("[aria-live]").text_content()


def test_a_context_never_seen_is_said_plainly(show):
    widget = NGramExplorer(TEXT, context="QQQQQ", smoothing="mle")
    page = show(widget)
    assert "never seen. Maximum likelihood has no answer" in page.locator("[aria-live]").text_content()
    assert page.locator(".ngx-row-seen .ngx-cell").last.text_content() == "never"
    assert page.locator(".ngx-row-symbol").first.locator(".ngx-figure").last.text_content() == "–"
    assert page.get_by_role("button", name="Sample", exact=True).is_disabled()
    radio(page, "Kneser–Ney").check()
    assert page.get_by_role("button", name="Sample", exact=True).is_enabled()


def test_sampling_is_seeded_and_temperature_zero_takes_the_best(show):
    widget = NGramExplorer(TEXT, context="the ")
    page = show(widget)
    many = page.get_by_role("button", name="Sample 40")
    many.click()
    first = context_of(page)
    assert len(first) == 44
    page.get_by_role("button", name="Clear").click()
    box(page).fill("the ")
    many.click()
    assert context_of(page) == first
    box(page).fill("the ")
    page.get_by_role("spinbutton", name="seed").fill("9")
    many.click()
    assert context_of(page) != first
    box(page).fill("the mille")
    page.get_by_role("slider", name="temperature").press("Home")
    page.get_by_role("button", name="Sample", exact=True).click()
    assert context_of(page) == "the miller"


def test_a_context_from_the_text_was_seen(show):
    page = show(NGramExplorer(TEXT))
    found = set()
    for _ in range(4):
        page.get_by_role("button", name="From the text").click()
        found.add(context_of(page))
        assert context_of(page) in TEXT
    assert len(found) > 1


def test_two_views_stay_in_step_until_one_is_taken_away(show):
    page = show(NGramExplorer(TEXT, context="the"), views=2)
    box(page).first.fill("the cat")
    radio(page, "Add-k").first.check()
    assert box(page).last.input_value() == "the cat"
    assert radio(page, "Add-k").last.is_checked() and radio(page, "Add-k").first.is_checked()
    page.evaluate("cleanups[0]()")
    assert page.locator(".ngx").count() == 1
    assert page.evaluate("Object.values(heard).every((answers) => answers.size === 1)")


def test_markup_in_the_text_stays_text(show):
    page = show(NGramExplorer("<b>&<i>&" * 20, context="<b>&", max_order=3))
    assert page.locator(".ngx b").count() == 0
    assert page.locator(".ngx-row-context .ngx-cell").last.text_content() == ">&"


@pytest.mark.parametrize("width", [520, 740, 1100])
def test_nothing_moves_when_the_picture_changes(show, width):
    page = show(NGramExplorer(TEXT), width=width)
    heights = set()
    for context in ("", "t", "the miller", "QQQQQ", "the QQQQ", "the cat counts the mice and the cat"):
        box(page).fill(context)
        heights.add(page.locator(".ngx").bounding_box()["height"])
    assert len(heights) == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page itself never scrolls sideways"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("context", ["the miller", "th", "QQQQQ"])
def test_axe_finds_nothing(show, theme, context):
    assert violations(show(NGramExplorer(TEXT, context=context, smoothing="mle"), theme=theme)) == []


@pytest.mark.parametrize(("theme", "scheme", "dark"), THEMES)
def test_light_and_dark_can_be_read(show, theme, scheme, dark):
    page = show(NGramExplorer(TEXT, context="the QQ"), theme=theme, scheme=scheme)
    back = background(page, ".ngx")
    assert (luminance(back) < 0.1) is dark
    assert_readable(page, ".ngx :is(p, button, textarea, .ngx-head, .ngx-figure, .ngx-tile, small, label, .ngx-never)")
    for method in NAMES:
        assert contrast(background(page, f".unr-swatch.ngx-{method}"), back) >= 3, method
