"""Query and keys in Chromium, on a page without a kernel: walked through, divided or not, looked at."""

import numpy as np
import pytest
from test_qk_view import MASK, SEEN, TOKENS, vectors, view
from unrolled.widgets.qk_view import QKView
from widget_browser import (
    THEMES,
    assert_readable,
    assert_shades_readable,
    background,
    luminance,
    tab_stops,
    violations,
)

pytestmark = [pytest.mark.browser, pytest.mark.unit("attention")]

STATE = ("head", "query", "key", "scaled")


def trait(page, name: str):
    return page.evaluate(f"model.get('{name}')")


def selected(page):
    return page.locator(".qkv [role=option][aria-selected=true]")


def numbers(page, selector: str) -> list[float]:
    texts = page.locator(selector).all_text_contents()
    return [float(text.replace("−∞", "nan").replace("−", "-").removesuffix(" %").lstrip("<> ")) for text in texts]


def check_against_python(page, widget: QKView) -> None:
    """The three rows of numbers, the row of each key and the sentence have Python's numbers."""
    widget.set_state({name: trait(page, name) for name in STATE})
    head, query, key = widget.head, widget.query, widget.key
    products, scores, weights = widget.products(), widget.scores()[query], widget.weights()[query]
    bench = np.reshape(numbers(page, ".qkv-number"), (3, -1))
    np.testing.assert_allclose(bench, [widget._q[head, query], widget._k[head, key], products[key]], atol=0.0051)
    negative = page.locator(".qkv-number").evaluate_all("all => all.map((e) => e.matches('.qkv-minus'))")
    assert np.reshape(negative, (3, -1))[2].tolist() == (products[key] < 0).tolist()
    np.testing.assert_allclose(numbers(page, "td.qkv-sum"), products.sum(1), atol=0.0051)
    np.testing.assert_allclose(numbers(page, "td.qkv-score"), np.where(MASK[query], scores, np.nan), atol=0.0051)
    np.testing.assert_allclose(numbers(page, "td.qkv-weight"), 100 * weights, atol=0.1)
    wide = page.locator(".qkv-bar").evaluate_all("all => all.map((e) => parseFloat(e.style.width))")
    np.testing.assert_allclose(wide, 100 * weights, atol=1e-3)
    assert selected(page).text_content() == TOKENS[query]
    assert page.locator("tr.unr-now th").text_content() == SEEN[key]
    said = page.locator(".unr-status").text_content()
    assert said.startswith(f"Head {head}: “{TOKENS[query]}” (place {query + 1} of 4) ")
    assert ("may see nothing" in said) is not MASK[query].any()
    assert f"With “{SEEN[key]}” (place {key + 1} of 5) q·k is " in said
    assert ("not divided" in said) is not widget.scaled


def test_keys_walk_along_queries_keys_and_heads(show):
    widget = view()
    page = show(widget)
    check_against_python(page, widget)
    selected(page).focus()
    walk = [("ArrowRight", 1, 0, 0), ("ArrowDown", 1, 1, 0), ("PageDown", 1, 1, 1), ("ArrowRight", 2, 1, 1)]
    walk += [("End", 3, 1, 1), ("ArrowUp", 3, 0, 1), ("PageUp", 3, 0, 0), ("ArrowLeft", 2, 0, 0), ("Home", 0, 0, 0)]
    for pressed, query, key, head in walk:
        page.keyboard.press(pressed)
        assert tuple(trait(page, name) for name in ("query", "key", "head")) == (query, key, head), pressed
        name = page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert name == f"{TOKENS[query]}, {query + 1} of 4", "the focus goes along"
        check_against_python(page, widget)


def test_pointing_clicking_and_not_dividing(show):
    widget = view()
    page = show(widget)
    page.locator("[role=option]").nth(1).hover()
    page.locator(".qkv-keys tbody tr").nth(4).click()
    assert (trait(page, "query"), trait(page, "key")) == (1, 4)
    page.get_by_role("checkbox", name="divide by √6").uncheck()
    check_against_python(page, widget)
    page.get_by_role("combobox", name="head").select_option("2")
    check_against_python(page, widget)


def test_bars_are_as_high_as_the_products_are_large(show):
    widget = view(query=1)
    page = show(widget)
    heights = page.locator(".qkv-keys tbody tr").evaluate_all(
        "rows => rows.map((row) => ['up', 'down'].map((side) => row.querySelector('.qkv-' + side).getBBox()).map("
        "({ x, y, width, height }) => [x, y, width, height]))"
    )
    products = widget.products()
    for row, (up, down) in zip(products, heights, strict=True):
        for box, most in ((up, row.max()), (down, -row.min())):
            assert box[3] == pytest.approx(max(most, 0) / abs(products).max(), abs=1e-3)


def test_one_head_needs_no_choice(show):
    page = show(QKView(TOKENS, vectors(4, 6), vectors(4, 6)))
    assert page.locator("select").count() == 0


def test_the_keyboard_reaches_every_control_and_shows_where_it_is(show):
    assert len(tab_stops(show(view()))) == 5  # head, checkbox, queries, numbers, keys


def test_two_views_stay_in_step_until_one_is_taken_away(show):
    page = show(view(), views=2)
    page.locator("[role=option]").nth(2).click()
    assert selected(page).all_text_contents() == [TOKENS[2]] * 2
    page.evaluate("cleanups[0]()")
    assert page.locator(".qkv").count() == 1
    assert page.evaluate("Object.values(heard).every((answers) => answers.size === 1)")


@pytest.mark.parametrize("width", [390, 900])
def test_nothing_moves_when_query_key_or_head_changes(show, width):
    page = show(view(), width=width)
    found = set()
    for query, key, head in [(0, 0, 0), (2, 4, 1), (3, 2, 2), (1, 1, 0)]:
        page.evaluate(f"model.set('query', {query}), model.set('key', {key}), model.set('head', {head})")
        found.add(str([page.locator(name).bounding_box() for name in (".qkv-bench", ".qkv-keys", ".unr-foot")]))
    assert len(found) == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_chosen_key_is_brought_into_sight(show):
    words = [f"word{n}" for n in range(40)]
    page = show(QKView(words, vectors(40, 6), vectors(40, 6), key=30))
    selected(page).focus()
    for pressed in [None] + ["ArrowDown"] * 5 + ["ArrowUp"] * 34:
        if pressed:
            page.keyboard.press(pressed)
        row, box = page.locator("tr.unr-now").bounding_box(), page.locator(".qkv-keys").bounding_box()
        head = page.locator(".qkv-keys thead").bounding_box()
        assert box["y"] + head["height"] <= row["y"] + 1, "below the titles"
        assert row["y"] + row["height"] <= box["y"] + box["height"] + 1


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(show, theme):
    for width in (390, 900):
        assert violations(show(view(query=1, key=1), theme=theme, width=width)) == []


@pytest.mark.parametrize(("theme", "scheme", "dark"), THEMES)
def test_light_and_dark_can_be_read(show, theme, scheme, dark):
    page = show(view(query=1, key=1), theme=theme, scheme=scheme)
    assert (luminance(background(page, ".qkv")) < 0.1) is dark
    assert_readable(page, ".qkv :is(p, caption, th, [role=option], td.qkv-sum, td.qkv-score, td.qkv-weight)")
    shades = np.linspace(-1, 1, 41)  # every shade that there is
    page = show(QKView(["a"], shades[None], np.ones((1, 41))), theme=theme, scheme=scheme)
    assert_shades_readable(page, ".qkv-number")
