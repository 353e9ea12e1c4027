"""Head view in Chromium, on a page without a kernel: walked through, arranged otherwise, looked at."""

import re

import numpy as np
import pytest
from head_weights import SOURCE, TARGET, drawn
from test_head_view import view
from unrolled.widgets.head_view import HeadView
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

STATE = ("kind", "layer", "head", "token", "arrangement", "all")


def trait(page, name: str):
    return page.evaluate(f"model.get('{name}')")


def selected(page):
    return page.locator(".hdv [role=option][aria-selected=true]")


LINES = """(kind) => [...document.querySelectorAll(`line.${kind}`)].map((line) =>
  [Number(line.style.getPropertyValue("--weight")), parseFloat(getComputedStyle(line).strokeWidth)])"""


def shares(texts: list[str]) -> np.ndarray:
    """Whole percents as they are written; what is nearly 0 or 100 as those."""
    return np.array([0 if text.startswith("<") else float(re.search(r"[\d.]+", text)[0]) for text in texts])


def check_against_python(page, widget: HeadView) -> None:
    """Shares, lines, sentence and the rows of all heads have the numbers that Python was given."""
    widget.set_state({name: trait(page, name) for name in STATE})
    looking, seen = widget.rows()
    row = widget.weights()[widget.token]
    written = page.locator(".hdv-share").all_text_contents()
    np.testing.assert_allclose(shares(written), 100 * row, atol=0.7001)
    assert [text == "0 %" for text in written] == (row == 0).tolist()
    lines = np.array(page.evaluate(LINES, "hdv-now")).reshape(-1, 2)
    shown = widget._set.shown()[widget.layer, widget.head, widget.token]
    heavy = shown[(shown > 0) & (shown >= min(0.02, shown.max() / 2))]
    np.testing.assert_allclose(lines[:, 0], heavy, atol=1e-6)
    np.testing.assert_allclose(lines[:, 1], 1 + 8 * lines[:, 0], atol=1e-3)
    assert (len(page.evaluate(LINES, "hdv-other")) > 0) is widget.all
    assert selected(page).text_content() == looking[widget.token]
    said = page.locator(".unr-status").text_content()
    assert said.startswith(
        f"Layer {widget.layer}, head {widget.head}, {widget.kind}: “{looking[widget.token]}” (place "
    )
    most = f"looks most at “{seen[row.argmax()]}” (place {row.argmax() + 1} of {len(seen)}), {100 * row.max():.1f} %"
    assert (most if row.any() else "may see nothing: all of its weights are 0.") in said
    cells = page.locator(".unr-cell").all_text_contents()
    heads = np.stack([widget.weights(head=h)[widget.token] for h in range(widget._set.codes.shape[1])])
    np.testing.assert_allclose([0 if cell == "·" else int(cell) for cell in cells], 100 * heads.ravel(), atol=0.7001)
    assert [cell == "·" for cell in cells] == (heads.ravel() == 0).tolist()
    assert page.locator("tr.unr-now th").text_content() == f"head {widget.head}"


def test_keys_walk_along_tokens_heads_and_layers(show):
    widget = view(kind="cross")
    page = show(widget)
    check_against_python(page, widget)
    selected(page).focus()
    walk = [("ArrowDown", 1, 0, 0), ("ArrowRight", 1, 1, 0), ("PageDown", 1, 1, 1), ("ArrowDown", 2, 1, 1)]
    walk += [("ArrowLeft", 2, 0, 1), ("End", 6, 0, 1), ("ArrowDown", 6, 0, 1), ("PageUp", 6, 0, 0), ("Home", 0, 0, 0)]
    for key, token, head, layer in walk:
        page.keyboard.press(key)
        assert tuple(trait(page, name) for name in ("token", "head", "layer")) == (token, head, layer), key
        name = page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert name == f"{TARGET[token]}, {token + 1} of 7", "the focus goes along"
        check_against_python(page, widget)


def test_in_rows_the_arrow_keys_change_their_sense(show):
    widget = view(kind="cross", arrangement="rows")
    page = show(widget)
    selected(page).focus()
    for key, token, head in [("ArrowRight", 1, 0), ("ArrowDown", 1, 1), ("ArrowLeft", 0, 1), ("ArrowUp", 0, 0)]:
        page.keyboard.press(key)
        assert (trait(page, "token"), trait(page, "head")) == (token, head)
        check_against_python(page, widget)


def test_pointing_and_clicking_choose(show):
    widget = view(kind="decoder")
    page = show(widget)
    page.locator("[role=option]").nth(4).hover()
    assert trait(page, "token") == 4
    page.locator(".unr-matrix tbody tr").nth(1).click()
    page.get_by_role("combobox", name="layer").select_option("2")
    assert (trait(page, "head"), trait(page, "layer")) == (1, 2)
    check_against_python(page, widget)
    page.get_by_role("combobox", name="head").select_option("0")
    page.get_by_role("checkbox").uncheck()
    assert (trait(page, "head"), trait(page, "all")) == (0, False)
    check_against_python(page, widget)


def test_another_set_brings_its_own_tokens_and_numbers(show):
    widget = view(kind="decoder", layer=2, token=6)
    page = show(widget)
    page.get_by_role("radio", name="encoder").check()
    assert page.locator("[role=option]").all_text_contents() == SOURCE
    assert [trait(page, name) for name in ("layer", "head", "token")] == [1, 0, 4]
    assert page.get_by_role("combobox", name="layer").locator("option").count() == 2
    check_against_python(page, widget)
    page.get_by_role("radio", name="cross").check()
    assert page.locator(".hdv-read").all_text_contents() == SOURCE
    assert page.locator("[role=option]").all_text_contents() == TARGET
    check_against_python(page, widget)


ENDS = """() => {
  const [svg, line] = ["svg", "line"].map((name) => document.querySelector(name));
  const [box, own, at] = [svg.getBoundingClientRect(), svg.viewBox.baseVal, (name) => Number(line.getAttribute(name))];
  const scale = [box.width / own.width, box.height / own.height];
  return [1, 2].map((n) => [box.x + at(`x${n}`) * scale[0], box.y + at(`y${n}`) * scale[1]]);
}"""


@pytest.mark.parametrize("arrangement", ["columns", "rows"])
def test_a_line_begins_at_the_token_that_looks_and_ends_at_the_one_that_is_seen(show, arrangement):
    weights = np.eye(7)[[3, 3, 6, 0, 1, 5, 2]]
    page = show(HeadView(TARGET, weights, arrangement=arrangement, all=False))
    axis = 1 if arrangement == "columns" else 0
    for i, j in enumerate(weights.argmax(1).tolist()):
        page.evaluate(f"model.set('token', {i})")
        assert page.locator("line").count() == 1
        for end, box in zip(page.evaluate(ENDS), [selected(page), page.locator(".hdv-read").nth(j)], strict=True):
            place = box.bounding_box()
            start, size = (place["y"], place["height"]) if axis else (place["x"], place["width"])
            assert end[axis] == pytest.approx(start + size / 2, abs=1.5)


def test_one_set_needs_no_choice(show):
    page = show(HeadView(TARGET, drawn(2, 2, 7, 7)))
    assert page.get_by_role("radio").count() == 2, "columns and rows"


def test_the_keyboard_reaches_every_control_and_shows_where_it_is(show):
    assert len(tab_stops(show(view()))) == 7  # set, layer, head, arrangement, checkbox, tokens, table


def test_two_views_stay_in_step_until_one_is_taken_away(show):
    page = show(view(), views=2)
    page.locator(".hdv [role=option]").nth(2).click()
    assert selected(page).all_text_contents() == [SOURCE[2]] * 2
    page.evaluate("cleanups[0]()")
    assert page.locator(".hdv").count() == 1
    assert page.evaluate("Object.values(heard).every((answers) => answers.size === 1)")


@pytest.mark.parametrize("width", [390, 900])
def test_nothing_moves_when_token_head_or_layer_changes(show, width):
    page = show(view(kind="cross"), width=width)
    found = set()
    for token, head, layer in [(0, 0, 0), (2, 0, 1), (6, 1, 2), (3, 1, 0)]:
        page.evaluate(f"model.set('token', {token}), model.set('head', {head}), model.set('layer', {layer})")
        found.add(str([page.locator(name).bounding_box() for name in (".unr-matrix", ".unr-foot")]))
    assert len(found) == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_on_a_phone_the_token_that_looks_is_brought_into_sight(show):
    words = [f"word{n}" for n in range(12)]
    page = show(HeadView(words, np.eye(12), token=6, arrangement="rows"), width=390)
    for key in ("End", "ArrowLeft", "Home"):
        box, word = page.locator(".hdv-box").bounding_box(), selected(page).bounding_box()
        assert box["x"] <= word["x"] and word["x"] + word["width"] <= box["x"] + box["width"]
        selected(page).press(key)
    assert page.locator(".hdv-box").evaluate("box => box.scrollWidth > box.clientWidth")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(show, theme):
    for width, arrangement in ((390, "columns"), (900, "rows")):
        page = show(view(kind="cross", token=2, layer=1, arrangement=arrangement), theme=theme, width=width)
        assert violations(page) == []


@pytest.mark.parametrize(("theme", "scheme", "dark"), THEMES)
def test_light_and_dark_can_be_read(show, theme, scheme, dark):
    page = show(view(kind="decoder", token=4), theme=theme, scheme=scheme)
    assert (luminance(background(page, ".hdv")) < 0.1) is dark
    assert_readable(page, ".hdv :is(p, caption span, th span, .hdv-share, .hdv-head, .hdv-legend, [role=option])")
    shades = np.linspace(0, 1, 21)  # every shade that there is
    heads = np.stack([shades, 1 - shades], 1)[:, None]
    page = show(HeadView(["x"], heads, context=["a", "b"]), theme=theme, scheme=scheme)
    assert_shades_readable(page, ".unr-cell, .hdv-read")
