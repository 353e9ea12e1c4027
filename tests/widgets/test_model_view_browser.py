"""Model view in Chromium, on a page without a kernel: walked through, opened, looked at dot by dot."""

import numpy as np
import pytest
from head_weights import SOURCE, TARGET, drawn
from test_model_view import view
from unrolled.widgets.model_view import ModelView
from widget_browser import THEMES, assert_readable, background, luminance, tab_stops, violations

pytestmark = [pytest.mark.browser, pytest.mark.unit("attention")]

STATE = ("kind", "layer", "head", "shade")
DOTS = """(kind) => [...document.querySelectorAll(`.mdv canvas.mdv-${kind}`)].map((canvas) => {
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  return { shape: [canvas.height, canvas.width], dots: [...data].filter((_, n) => n % 4 === 3) };
})"""


def trait(page, name: str):
    return page.evaluate(f"model.get('{name}')")


def pictures(page, kind: str = "sharp") -> list[np.ndarray]:
    """How full each dot of each picture is, 0 to 1."""
    return [np.reshape(one["dots"], one["shape"]) / 255 for one in page.evaluate(DOTS, kind)]


def opened(page):
    return page.locator(".mdv [role=gridcell][aria-selected=true]")


def check_against_python(page, widget: ModelView) -> None:
    """Every dot of every picture, the opened matrix and the sentence have the numbers that Python was given."""
    widget.set_state({name: trait(page, name) for name in STATE})
    weights = widget._set.weights
    most = weights.max(-1, keepdims=True)
    full = weights / np.where(most > 0, most, 1) if widget.shade == "row" else weights
    for picture, wanted in zip(pictures(page), full.reshape(-1, *full.shape[2:]), strict=True):
        np.testing.assert_allclose(picture, wanted, atol=0.008)
    cells = page.locator(".unr-cell").all_text_contents()
    given = widget.weights().ravel()
    np.testing.assert_allclose([0 if cell == "·" else int(cell) for cell in cells], 100 * given, atol=0.7001)
    assert [cell == "·" for cell in cells] == (given == 0).tolist()
    assert page.locator(".unr-matrix thead th").all_text_contents() == widget.rows()[1]
    assert page.locator(".unr-matrix tbody th").all_text_contents() == widget.rows()[0]
    place = f"ayer {widget.layer}, head {widget.head}"
    assert f"l{place}: " in opened(page).get_attribute("aria-label")
    habits = widget.habits()[widget.layer, widget.head]
    said = page.locator(".unr-status").text_content()
    assert said.startswith(f"L{place}, {widget.kind}: on average a token puts ")
    assert f"Entropy {habits[4]:.2f} of at most {np.log2(len(widget.rows()[1])):.2f} bits." in said
    assert f"{100 * habits[3]:.1f} % on the first token" in said


def test_keys_walk_from_head_to_head_and_from_layer_to_layer(show):
    widget = view(kind="decoder")
    page = show(widget)
    check_against_python(page, widget)
    opened(page).focus()
    walk = [("ArrowRight", 0, 1), ("ArrowRight", 0, 1), ("ArrowDown", 1, 1), ("Home", 1, 0), ("ArrowDown", 2, 0)]
    for key, layer, head in [*walk, ("ArrowDown", 2, 0), ("End", 2, 1), ("ArrowUp", 1, 1), ("ArrowLeft", 1, 0)]:
        page.keyboard.press(key)
        assert (trait(page, "layer"), trait(page, "head")) == (layer, head), key
        name = page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert name.startswith(f"layer {layer}, head {head}: "), "the focus goes along"
        check_against_python(page, widget)


def test_a_click_opens_a_head_and_another_shade_paints_all_again(show):
    widget = view(kind="encoder")
    page = show(widget)
    page.locator("[role=gridcell]").nth(6).click()
    assert (trait(page, "layer"), trait(page, "head")) == (1, 2)
    check_against_python(page, widget)
    page.get_by_role("radio", name="100 %").check()
    assert trait(page, "shade") == "weight"
    check_against_python(page, widget)


def test_another_set_brings_its_own_pictures(show):
    widget = view(kind="decoder", layer=2)
    page = show(widget)
    page.get_by_role("radio", name="encoder").check()
    assert (trait(page, "layer"), page.locator("[role=gridcell]").count()) == (1, 8)
    check_against_python(page, widget)
    page.get_by_role("radio", name="cross").check()
    assert [picture.shape for picture in pictures(page)] == [(len(TARGET), len(SOURCE))] * 6
    check_against_python(page, widget)


def test_a_narrow_view_of_many_tokens_is_coarse_and_loses_no_line(show):
    words = [f"t{n}" for n in range(66)]
    widget = ModelView(words, np.stack([np.eye(66), np.eye(66)[::-1]]))
    for width, kind, hidden in ((390, "coarse", "fine"), (900, "fine", "coarse")):
        page = show(widget, width=width)
        assert page.locator(f".mdv-{kind}").first.is_visible()
        assert not page.locator(f".mdv-{hidden}").first.is_visible()
        one, other = pictures(page, kind)
        np.testing.assert_array_equal(one, np.eye(len(one)))
        np.testing.assert_array_equal(other, np.eye(len(one))[::-1])


def test_one_set_needs_no_choice(show):
    page = show(ModelView(TARGET, drawn(2, 2, 7, 7)))
    assert page.get_by_role("radio").count() == 2, "the shades"


def test_the_keyboard_reaches_every_control_and_shows_where_it_is(show):
    assert len(tab_stops(show(view()))) == 4  # set, shade, pictures, matrix


def test_two_views_stay_in_step_until_one_is_taken_away(show):
    page = show(view(), views=2)
    page.locator("[role=gridcell]").nth(5).click()
    assert opened(page).count() == 2
    page.evaluate("cleanups[0]()")
    assert page.locator(".mdv").count() == 1
    assert page.evaluate("Object.values(heard).every((answers) => answers.size === 1)")


@pytest.mark.parametrize("width", [390, 900])
def test_nothing_moves_when_another_head_is_opened(show, width):
    page = show(view(kind="decoder"), width=width)
    found = set()
    for layer, head in [(0, 0), (2, 1), (1, 0)]:
        page.evaluate(f"model.set('layer', {layer}), model.set('head', {head})")
        found.add(str([page.locator(name).bounding_box() for name in (".mdv-grid", ".unr-matrix", ".unr-foot")]))
    assert len(found) == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_twelve_by_twelve_heads_fit_a_phone_and_can_be_hit(show):
    words = [f"t{n}" for n in range(12)]
    page = show(ModelView(words, drawn(12, 12, 12, 12)), width=390)
    assert page.locator(".mdv-box").evaluate("box => box.scrollWidth <= box.clientWidth")
    box = page.locator("[role=gridcell]").last.bounding_box()
    assert min(box["width"], box["height"]) >= 24


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(show, theme):
    for width in (390, 900):
        assert violations(show(view(kind="cross", layer=1), theme=theme, width=width)) == []


@pytest.mark.parametrize(("theme", "scheme", "dark"), THEMES)
def test_light_and_dark_can_be_read(show, theme, scheme, dark):
    page = show(view(kind="decoder"), theme=theme, scheme=scheme)
    assert (luminance(background(page, ".mdv")) < 0.1) is dark
    assert_readable(page, ".mdv :is(p, caption span, th span, .mdv-heading, .mdv-shade > span)")
