"""The LSTM cell's diagram in Chromium, on a page without a kernel: walked through, pulled, looked at."""

import re

import numpy as np
import pytest
from test_lstm_cell import diagram
from unrolled.widgets.lstm_cell import PARTS, LSTMCellDiagram
from widget_browser import THEMES, assert_readable, background, contrast, luminance, tab_stops, violations

pytestmark = [pytest.mark.browser, pytest.mark.unit("lstm")]

ORDER = ["f", "i", "g", "o", "k", "j", "c", "tanh", "h"]
COMPUTED = {"gates": 4, "k": 5, "j": 6, "c": 7, "tanh": 8, "h": 9}
KEEP = "keep: forget gate open, input gate closed"


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def trait(page, name: str):
    return page.evaluate(f"model.get('{name}')")


def stacks(page) -> dict[str, list[str]]:
    """What stands in the diagram, by the name beside each stack of numbers."""
    found = {}
    for group in page.locator("svg > g:has(.lcell-label)").all():
        name = "".join(group.locator(".lcell-label tspan").all_text_contents())
        found[name] = group.locator(".lcell-chip text").all_text_contents()
    return found


def check_against_python(page, widget: LSTMCellDiagram) -> None:
    """The diagram and the equations show Python's numbers as far as they are computed, and none beyond."""
    shown, found = stacks(page), widget.step()
    names = dict(zip(ORDER, ["ft", "it", "gt", "ot", "kt", "jt", "ct", "tanh(ct)", "ht"], strict=True))
    for n, name in enumerate(ORDER):
        texts = shown[names[name]]
        if n < COMPUTED[widget.part]:
            np.testing.assert_allclose([number(text) for text in texts], found[name], atol=0.0051)
        else:
            assert texts == [""] * widget.hidden
    for name, values in (("xt", widget.x), ("ht−1", widget.h), ("ct−1", widget.c)):
        np.testing.assert_allclose([number(text) for text in shown[name]], values, atol=0.0051)
    figures = page.locator(".lcell-figures").all_text_contents()
    for text, name in zip(figures, ORDER, strict=True):
        if text:
            assert number(text.rpartition("= ")[2]) == pytest.approx(found[name][widget.unit], abs=0.0051)
    assert [text != "" for text in figures] == [n < COMPUTED[widget.part] for n in range(len(ORDER))]


@pytest.mark.parametrize(("hidden", "width"), [(1, 1), (2, 3), (4, 4)])
@pytest.mark.parametrize("part", PARTS)
def test_the_page_shows_pythons_numbers(show, hidden, width, part):
    widget = diagram(hidden, width, part=part, unit=hidden - 1)
    check_against_python(show(widget), widget)


def test_buttons_and_keys_walk_through_the_step(show):
    widget = diagram()
    page = show(widget)
    back, on = (page.get_by_role("button", name=name) for name in ("back", "next"))
    assert back.is_disabled()
    for n, part in enumerate(PARTS[1:], start=2):
        on.click()
        widget.part = part
        check_against_python(page, widget)
        assert page.locator(".unr-status").text_content().startswith(f"{n} of 6. ")
        assert page.locator(f'input[value="{part}"]').is_checked()
    assert on.is_disabled()
    back.click()
    assert trait(page, "part") == "tanh"
    page.locator('input[value="tanh"]').press("ArrowLeft")
    assert trait(page, "part") == "c"
    box = page.locator(".lcell-box")
    for key, part in (
        ("ArrowLeft", "j"),
        ("ArrowRight", "c"),
        *[("ArrowLeft", p) for p in ("j", "k", "gates", "gates")],
    ):
        box.press(key)
        assert trait(page, "part") == part


def test_what_is_computed_now_is_lit_and_what_comes_later_is_not(show):
    page = show(diagram(part="j"))
    lit = page.locator("svg > g.lcell-now:has(.lcell-label)")
    assert lit.locator(".lcell-label").all_text_contents() == ["jt"]
    assert page.locator("path.lcell-now").count() == 3  # from i, from g, to j
    assert page.locator(".lcell-node.lcell-now text").all_text_contents() == ["×"]
    assert sorted(page.locator(".lcell-node.lcell-later text").all_text_contents()) == ["+", "tanh", "×"]
    assert page.locator(".lcell-equations .lcell-now .lcell-name").all_text_contents() == ["written"]


def test_the_sliders_move_the_chosen_unit_and_all_is_computed_again(show):
    widget = diagram(part="h")
    page = show(widget)
    page.get_by_role("radio", name="unit 2").check()
    page.get_by_role("radio", name="x 1").check()
    for name, value in (("input xt, number 1", "-4.5"), ("state before ht−1, unit 2", "0.25"), ("cell before", "3.75")):
        page.get_by_role("slider", name=name).fill(value)
    widget.x, widget.h, widget.c = [widget.x[0], -4.5], [*widget.h[:2], 0.25], [*widget.c[:2], 3.75]
    widget.unit, widget.entry = 2, 1
    assert [trait(page, name) for name in "xhc"] == [widget.x, widget.h, widget.c]
    check_against_python(page, widget)


def test_a_preset_opens_and_closes_gates_until_reset(show):
    widget = diagram(part="h")
    page = show(widget)
    page.get_by_role("combobox", name="gates").select_option(KEEP)
    widget.preset = KEEP
    check_against_python(page, widget)
    np.testing.assert_allclose([number(text) for text in stacks(page)["ct"]], widget.c, atol=0.02)
    page.get_by_role("slider", name="cell before").fill("-5")
    page.get_by_role("button", name="reset").click()
    check_against_python(page, diagram(part="h"))
    assert trait(page, "preset") == "as computed"


def test_one_unit_and_one_input_need_no_choice(show):
    page = show(diagram(1, 1))
    assert page.get_by_role("radio").count() == len(PARTS)
    assert page.locator(".lcell-chosen").count() == 0
    page.get_by_role("slider", name="input").fill("2")
    assert trait(page, "x") == [2]


def test_the_diagram_is_told_as_far_as_it_is_computed(show):
    page = show(diagram(part="k"))
    told = page.get_by_role("img").get_attribute("aria-label")
    assert re.search(r"input x .*; forget gate .*; output gate .*; kept .*", told)
    assert "written" not in told
    assert page.locator("[aria-live=polite]").count() == 1


def test_on_a_narrow_page_the_diagram_scrolls_to_what_is_computed(show):
    page = show(diagram(part="gates"), width=390)
    for part in PARTS:
        page.locator(f'input[value="{part}"]').check()
        here = page.locator("svg > g.lcell-now:has(.lcell-label) .lcell-chip").first.bounding_box()
        box = page.locator(".lcell-box").bounding_box()
        if part != "gates":  # these are wider than the page
            assert box["x"] <= here["x"] and here["x"] + here["width"] <= box["x"] + box["width"], part
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_keyboard_reaches_every_control_and_shows_where_it_is(show):
    page = show(diagram(part="k"))
    names = tab_stops(page)
    assert len(names) == 11  # back, next, part, diagram, preset, reset, unit, entry, three sliders
    assert names[-3:] == ["input xt, number 0", "state before ht−1, unit 0", "cell before ct−1, unit 0"]


def test_two_views_stay_in_step_until_one_is_taken_away(show):
    page = show(diagram(), views=2)
    page.get_by_role("button", name="next").first.click()
    assert page.locator('input[value="k"]').last.is_checked()
    page.evaluate("cleanups[0]()")
    assert page.locator(".lcell").count() == 1
    assert page.evaluate("Object.values(heard).every((answers) => answers.size === 1)")


@pytest.mark.parametrize("width", [390, 560, 700, 900, 1200])
def test_nothing_above_the_equations_moves_when_the_picture_changes(show, width):
    page = show(diagram(4, 4), width=width)
    found = set()
    for changes in (
        *(dict(part=part) for part in PARTS),
        dict(part="gates", unit=3, entry=3, x=[-5.0] * 4, h=[-1.0] * 4, c=[-5.0] * 4),
        dict(part="h", preset=KEEP),
    ):
        page.evaluate(
            "(changes) => Object.entries(changes).forEach(([name, value]) => model.set(name, value))", changes
        )
        found.add(page.locator(".lcell-equations").bounding_box()["y"])
    assert len(found) == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("part", ["gates", "c", "h"])
def test_axe_finds_nothing(show, theme, part):
    assert violations(show(diagram(part=part), theme=theme)) == []
    assert violations(show(diagram(part=part), theme=theme, width=390)) == []


MIXED = """(e) => {
  const { fill, fillOpacity } = getComputedStyle(e.querySelector("rect"));
  return [fill, Number(fillOpacity), getComputedStyle(e.querySelector("text")).fill];
}"""


@pytest.mark.parametrize(("theme", "scheme", "dark"), THEMES)
def test_light_and_dark_can_be_read(show, theme, scheme, dark):
    widget = diagram(4, 4, part="h", x=[5.0, -5.0, 0.0, 1.0], c=[5.0, -5.0, 0.0, 1.0])
    page = show(widget, theme=theme, scheme=scheme)
    back = background(page, ".lcell")
    assert (luminance(back) < 0.1) is dark
    assert_readable(page, ".lcell :is(p, label, select, output, .lcell-name, .lcell-formula, .lcell-figures)")
    behind = [int(part) for part in re.findall(r"\d+", back)[:3]]
    for chip in page.locator(".lcell-chip").all():
        fill, opacity, text = chip.evaluate(MIXED)
        mixed = [opacity * int(f) + (1 - opacity) * b for f, b in zip(re.findall(r"\d+", fill), behind, strict=False)]
        assert contrast(text, f"rgb({', '.join(str(round(part)) for part in mixed)})") >= 4.5
    for kind in (".lcell-wire", ".lcell-wire.lcell-now", ".lcell-chip rect"):
        stroke = page.locator(kind).first.evaluate("(e) => getComputedStyle(e).stroke")
        assert contrast(stroke, back) >= 3, kind
    for kind in (".lcell-label", ".lcell-title"):
        assert contrast(page.locator(kind).first.evaluate("(e) => getComputedStyle(e).fill"), back) >= 4.5
