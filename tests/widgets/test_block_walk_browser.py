"""The block walk in Chromium, without a kernel: walked through by keys and clicks, looked at number by number."""

import numpy as np
import pytest
from test_block_walk import CONTEXT, TOKENS, rows, view
from unrolled.widgets.block_walk import BlockWalk
from widget_browser import (
    THEMES,
    assert_readable,
    assert_shades_readable,
    background,
    luminance,
    tab_stops,
    violations,
)

pytestmark = [pytest.mark.browser, pytest.mark.unit("transformer")]

STATE = ("token", "layer", "part", "own")
STRIPS = """rows => rows.map((row) => [...row.querySelectorAll('.blk-strip rect')].map((cell) =>
  (cell.matches('.blk-down') ? -1 : 1) * cell.style.fillOpacity))"""


def trait(page, name: str):
    return page.evaluate(f"model.get('{name}')")


def selected(page):
    return page.locator(".blk [role=option][aria-selected=true]")


def shown_rows(page):
    return page.locator(".blk-block tbody tr:not(.blk-gone)")


def numbers(locator) -> list[float]:
    return [float(text.replace("−", "-")) for text in locator.all_text_contents()]


def check_block(page, widget: BlockWalk, vectors: list[np.ndarray]) -> None:
    """Each row has the drawing's piece, the vector as shades, its length, mean and spread."""
    found = shown_rows(page)
    assert found.count() == len(vectors)
    assert page.locator(".blk-block tbody tr:not(.blk-gone) th svg").count() == len(vectors)
    largest = max(abs(x).max() for x in vectors)
    for strip, x in zip(found.evaluate_all(STRIPS), vectors, strict=True):
        np.testing.assert_allclose(strip, x / (abs(x).max() if widget.own else largest), atol=1e-3)
    for kind, fact in (("length", np.linalg.norm), ("mean", np.mean), ("spread", np.std)):
        np.testing.assert_allclose(numbers(found.locator(f".blk-{kind}")), [fact(x) for x in vectors], atol=0.0051)


def check_against_python(page, widget: BlockWalk) -> None:
    """The block, the numbers of the chosen part, the heads' weights and the sentences are Python's."""
    widget.set_state({name: trait(page, name) for name in STATE})
    word, places = TOKENS[widget.token], widget.walk()[widget.layer]
    check_block(page, widget, list(places.values()))
    bench = page.locator(".blk-bench tbody tr:not(.blk-gone)")
    last = numbers(bench.last.locator("td"))
    np.testing.assert_allclose(last, places[widget.part], atol=0.0051)
    if widget.part.startswith("add"):
        came, found, total = (np.array(numbers(bench.nth(r).locator("td"))) for r in range(3))
        np.testing.assert_allclose(came + found, total, atol=0.0151)
    assert bench.count() == (1 if widget.part == "input" else 3 if widget.part.startswith("add") else 2)
    for n, part in enumerate(part for part in ("attention", "cross") if part in widget.parts):
        looks = widget.weights(part)
        texts = page.locator(".unr-matrix").nth(n).locator("tbody tr:not(.blk-gone) td").all_text_contents()
        wanted = [] if looks is None else 100 * looks[:, widget.token].ravel()
        np.testing.assert_allclose([0 if text == "·" else float(text) for text in texts], wanted, atol=0.51)
    said = page.locator(".unr-status").text_content()
    assert said.startswith(f"“{word}” (place {widget.token + 1} of 3), layer {widget.layer}, ")
    assert (
        page.locator(".blk-way").text_content().startswith(f"Length of “{word}”: {widget.lengths()[0]:.2f} at first, ")
    )
    assert selected(page).text_content() == word
    assert page.locator(".blk-block tr.unr-now").count() == 1


@pytest.mark.parametrize(("norm", "cross"), [("pre", False), ("post", True)])
def test_buttons_walk_through_all_layers_and_back(show, norm, cross):
    widget = view(norm, cross)
    page = show(widget)
    back, on = page.get_by_role("button", name="‹ back"), page.get_by_role("button", name="next ›")
    assert back.is_disabled()
    way = [(0, "input"), *((n, part) for n in range(2) for part in widget.parts), (1, "final")]
    for n, (layer, part) in enumerate(way):
        assert (trait(page, "layer"), trait(page, "part")) == (layer, part)
        if n % 4 == 0:
            check_against_python(page, widget)
        if n < len(way) - 1:
            on.click()
    assert on.is_disabled()
    for layer, part in reversed(way[:-1]):
        back.click()
        assert (trait(page, "layer"), trait(page, "part")) == (layer, part)


def test_keys_choose_token_part_and_layer(show):
    widget = view()
    page = show(widget)
    selected(page).focus()
    walk = [("ArrowRight", 1, "input", 0), ("ArrowDown", 1, "norm1", 0), ("ArrowDown", 1, "attention", 0)]
    walk += [("PageDown", 1, "attention", 1), ("End", 2, "attention", 1), ("ArrowUp", 2, "norm1", 1)]
    walk += [("ArrowUp", 2, "add2", 0), ("PageUp", 2, "add2", 0), ("ArrowLeft", 1, "add2", 0), ("Home", 0, "add2", 0)]
    for pressed, token, part, layer in walk:
        page.keyboard.press(pressed)
        assert tuple(trait(page, name) for name in ("token", "part", "layer")) == (token, part, layer), pressed
        name = page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert name == f"{TOKENS[token]}, {token + 1} of 3", "the focus goes along"
        check_against_python(page, widget)


def test_pointing_clicking_and_a_scale_for_each_row(show):
    widget = view("pre", cross=True)
    page = show(widget)
    page.locator("[role=option]").nth(2).hover()
    shown_rows(page).nth(5).click()
    assert (trait(page, "token"), trait(page, "part")) == (2, "cross")
    page.get_by_role("checkbox", name="each row on a scale of its own").check()
    check_against_python(page, widget)
    page.get_by_role("radio", name="layer 1").check()
    check_against_python(page, widget)


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_drawing_has_a_sign_for_each_part(show, norm):
    page = show(view(norm, cross=True, layer=1))
    names = [text for text in page.locator(".blk-block th svg").all_text_contents() if text]
    sublayers = ["attention", "cross-att.", "feed-forward"]
    wanted = ["from layer 0"]
    for name in sublayers:
        wanted += ["norm", name, "add"] if norm == "pre" else [name, "add", "norm"]
    assert names == [*wanted, "final norm"]
    assert page.locator(".blk-block svg .blk-seen").count() == 1, "attention alone looks at other tokens"
    assert page.locator(".blk-block svg .blk-memory").count() == 2


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_pieces_of_the_drawing_join(show, norm):
    """The line at the left is drawn from the first row to the last one, without a gap between rows."""
    page = show(view(norm, cross=True, layer=1))
    edges = page.locator(".blk-block tbody tr:not(.blk-gone) th svg").evaluate_all(
        "all => all.map((svg) => svg.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])"
    )
    for (_, bottom), (top, _) in zip(edges, edges[1:], strict=False):
        assert top == pytest.approx(bottom, abs=0.6)


def test_without_weights_there_is_no_table_of_heads(show):
    page = show(view(looks=False, part="attention"))
    assert page.locator(".unr-matrix").count() == 0
    assert "looks hardest" not in page.locator(".unr-status").text_content()


def test_a_place_that_another_layer_lacks_is_left_for_its_end(show):
    page = show(view(layer=1, part="final"))
    page.get_by_role("radio", name="layer 0").check()
    assert page.locator("tr.unr-now th .blk-hidden").text_content() == "add"
    page.get_by_role("button", name="next ›").click()
    assert (trait(page, "layer"), trait(page, "part")) == (1, "norm1")


def test_the_keyboard_reaches_every_control_and_shows_where_it_is(show):
    # back is disabled; next, layer, own, tokens, block, numbers, weights
    assert len(tab_stops(show(view()))) == 7


def test_two_views_stay_in_step_until_one_is_taken_away(show):
    page = show(view(), views=2)
    page.locator("[role=option]").nth(2).click()
    assert selected(page).all_text_contents() == [TOKENS[2]] * 2
    page.evaluate("cleanups[0]()")
    assert page.locator(".blk").count() == 1
    assert page.evaluate("Object.values(heard).every((answers) => answers.size === 1)")


@pytest.mark.parametrize("width", [390, 900])
def test_nothing_moves_when_token_part_or_layer_changes(show, width):
    widget = view("pre", cross=True)
    page = show(widget, width=width)
    found = set()
    for token, layer, part in [(0, 0, "input"), (1, 1, "final"), (2, 0, "cross"), (1, 1, "add2"), (0, 1, "norm3")]:
        page.evaluate(f"model.set('token', {token}), model.set('layer', {layer}), model.set('part', '{part}')")
        found.add(str([page.locator(name).bounding_box() for name in (".blk-block", ".blk-way", ".unr-foot")]))
    assert len(found) == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("width", [390, 900])
def test_many_layers_have_room_for_their_lengths(show, width):
    layer = {part: 30 * rows(n) for n, part in enumerate(["norm1", "attention", "norm2", "feed_forward"])}
    page = show(BlockWalk(TOKENS, rows(9), [layer] * 12, final=rows(0)), width=width)
    way = page.locator(".blk-way")
    reserved = way.evaluate("(e) => parseFloat(getComputedStyle(e).minHeight)")
    assert way.evaluate("(e) => { e.style.minHeight = 0; return e.offsetHeight; }") <= reserved + 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_wide_vector_stays_inside_a_phone(show):
    layer = {part: rows(n, 3, 128) for n, part in enumerate(["norm1", "attention", "norm2", "feed_forward"])}
    page = show(BlockWalk(TOKENS, rows(9, 3, 128), [layer], context=CONTEXT), width=390)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    strip, box = (page.locator(name).first.bounding_box() for name in (".blk-strip svg", ".blk-block"))
    assert strip["width"] > 100 and strip["x"] + strip["width"] < box["x"] + box["width"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(show, theme):
    for width in (390, 900):
        assert violations(show(view("post", cross=True, token=1, part="cross", layer=1), theme, width=width)) == []


def test_two_on_a_page_double_no_landmark(show):
    assert violations(show(view("pre", part="add1"), views=2)) == []


@pytest.mark.parametrize(("theme", "scheme", "dark"), THEMES)
def test_light_and_dark_can_be_read(show, theme, scheme, dark):
    page = show(view(token=1, part="attention"), theme=theme, scheme=scheme)
    assert (luminance(background(page, ".blk")) < 0.1) is dark
    texts = "p, caption, thead th, [role=option], td.blk-length, td.blk-mean, td.blk-spread, .blk-bench th"
    assert_readable(page, f".blk :is({texts})")
    shades = np.linspace(-1, 1, 41)[None]  # every shade that there is
    layer = dict.fromkeys(["norm1", "attention", "norm2", "feed_forward"], shades)
    page = show(BlockWalk(["a"], shades, [layer], part="norm1"), theme=theme, scheme=scheme)
    assert_shades_readable(page, ".blk-bench tbody tr:not(.blk-gone) .blk-number")
