"""The gate microscope in Chromium, on a page without a kernel: hovered, pressed, walked by keyboard, looked at."""

import re

import numpy as np
import pytest
from test_gate_microscope import DEPTH, QUOTED, TEXT, losses, microscope, traces
from unrolled.widgets.gate_microscope import GateMicroscope
from widget_browser import THEMES, assert_readable, background, contrast, luminance, tab_stops, violations

pytestmark = [pytest.mark.browser, pytest.mark.unit("lstm")]

ABLATED = "cell of unit 7 set to 0"
CELL, ROW = 12, 22


def trait(page, name: str):
    return page.evaluate(f"model.get('{name}')")


def readout(page) -> str:
    return page.locator(".gmic-readout").text_content()


def sentence(page) -> str:
    return page.locator(".unr-status").text_content()


def heads(page) -> list[int]:
    """The units on the page, from the top."""
    return [int(text.split()[1]) for text in page.locator(".gmic-units b").all_text_contents()]


def shades(page, length: int) -> np.ndarray:
    """What is painted, from −1 to 1, one row a unit."""
    painted = np.zeros((12, length))
    for path in page.locator(".gmic-units path").all():
        sign = -1 if path.get_attribute("class") == "gmic-closed" else 1
        for x, y, end in re.findall(r"M(\d+) (\d+)H(\d+)", path.get_attribute("d")):
            painted[int(y), int(x) : int(end)] = sign * float(path.get_attribute("fill-opacity"))
    return painted


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def long_one(**changes) -> GateMicroscope:
    """Ten times the text, so that the box has to scroll."""
    arrays = {letter: np.tile(values, (10, 1)) for letter, values in traces(letters="fc").items()}
    labels = {"in quotes": np.tile(QUOTED, 10), "depth": np.tile(DEPTH, 10)}
    lost = np.tile(losses(), 10)
    variants = {ABLATED: {"losses": lost + 1, "sample": "she " * 99}, "as trained": {"sample": "said"}}
    return GateMicroscope(10 * TEXT, arrays, lost, labels, variants, **changes)


@pytest.mark.parametrize("letter", "figoch")
def test_the_page_paints_pythons_numbers(show, letter):
    widget = microscope(array=letter, order="depth")
    page = show(widget)
    assert heads(page) == widget.in_order()[:12]
    values = widget.values(letter).T[widget.in_order()[:12]]
    expected = {"f": 2 * values - 1, "i": 2 * values - 1, "o": 2 * values - 1}.get(letter, values)
    if letter == "c":
        expected = values / np.abs(values).max(1, keepdims=True)
    np.testing.assert_allclose(shades(page, len(TEXT)), expected, atol=0.051)


@pytest.mark.parametrize(("units", "page"), [(range(30), 2), (range(3), 0)])
def test_a_row_is_as_high_on_a_page_with_few(show, units, page):
    page = show(microscope(units=units, order="", page=page))
    rows = page.locator(".gmic-units path").evaluate_all("(all) => all.map((path) => path.getBoundingClientRect())")
    frame = page.locator(".gmic-units .gmic-body").bounding_box()
    assert max(row["bottom"] for row in rows) - frame["y"] == pytest.approx(len(heads(page)) * ROW, abs=1)


def test_the_choosers_choose(show):
    page = show(microscope())
    page.get_by_role("radio", name="cell").check()
    assert (trait(page, "array"), trait(page, "unit"), heads(page)[0]) == ("c", 7, 7)
    page.get_by_role("combobox", name="sorted by").select_option("depth")
    assert (trait(page, "order"), trait(page, "unit"), heads(page)[0]) == ("depth", 3, 3)
    assert "the cell of unit 3 follows “depth” best: correlation −1.00" in sentence(page)
    page.get_by_role("combobox", name="sorted by").select_option("unit number")
    page.get_by_role("button", name="›").click()
    assert heads(page) == list(range(12, 24))
    assert page.locator(".gmic-range").text_content() == "rows 13–24 of 30"
    page.get_by_role("button", name="›").click()
    assert heads(page) == list(range(24, 30))
    assert page.get_by_role("button", name="›").is_disabled()
    page.get_by_role("button", name="‹").click()
    assert (trait(page, "page"), trait(page, "unit")) == (1, 12)


def test_a_variant_shows_its_change_and_what_it_writes(show):
    page = show(microscope())
    plain = page.locator(".gmic-losses .gmic-plain").get_attribute("d")
    assert plain.count("M") == len(TEXT) - 1, "the first character is not predicted"
    page.get_by_role("combobox", name="the net").select_option(ABLATED)
    worse, better = (page.locator(f".gmic-{kind}").get_attribute("d") for kind in ("worse", "better"))
    assert [int(at) for at in re.findall(r"M(\d+)\.", worse)] == [t for t in range(1, len(TEXT)) if QUOTED[t]]
    assert better == ""
    assert page.locator(".gmic-losses .gmic-plain").get_attribute("d") == ""
    before = np.nanmean(losses())
    assert f"from {before:.2f} to {before + 2 * QUOTED.sum() / (len(TEXT) - 1):.2f} nats" in sentence(page)
    assert page.locator(".gmic-sample").all_text_contents() == ["she said", 'she said "']
    assert page.get_by_text(f"With “{ABLATED}” it writes").is_visible()
    page.get_by_role("combobox", name="the net").select_option("input gates open")
    assert page.locator(".gmic-better").get_attribute("d") != ""
    assert page.locator(".gmic-sample").last.text_content() == "(no sample)"


def test_a_number_is_looked_at_by_pointer(show):
    widget = microscope(array="o", order="")
    page = show(widget)
    box = page.locator(".gmic-units .gmic-body").bounding_box()
    page.mouse.move(box["x"] + 11.5 * CELL, box["y"] + 5.5 * ROW)
    value = widget.values("o")[11, 5]
    assert readout(page) == f"character 11 ‘h’, unit 5, output gate {value:.2f}, loss {losses()[11]:.2f} nats"
    cursor = page.locator(".gmic-cursor").bounding_box()
    assert cursor["x"] + cursor["width"] / 2 == pytest.approx(box["x"] + 11.5 * CELL, abs=1)
    assert cursor["y"] + cursor["height"] / 2 == pytest.approx(box["y"] + 5.5 * ROW, abs=2)
    page.mouse.move(box["x"] + 3.5 * CELL, box["y"] - 30)
    assert (trait(page, "character"), trait(page, "unit")) == (3, 5), "over the text the unit stays"
    page.mouse.move(box["x"] - 30, box["y"] + 40)
    assert (trait(page, "character"), trait(page, "unit")) == (3, 5), "the names are no characters"


def test_the_arrow_keys_walk_along_characters_and_rows(show):
    widget = microscope(array="c", order="in quotes")
    page, order = show(widget), widget.in_order()
    box = page.get_by_role("application")
    for key, state in (
        ("ArrowLeft", (0, 0)),
        ("ArrowRight", (1, 0)),
        ("ArrowDown", (1, 1)),
        ("End", (len(TEXT) - 1, 1)),
        ("ArrowRight", (len(TEXT) - 1, 1)),
        ("PageDown", (len(TEXT) - 1, 12)),
        ("ArrowUp", (len(TEXT) - 1, 11)),
        ("Home", (0, 11)),
        ("ArrowDown", (0, 12)),
        ("PageUp", (0, 0)),
        ("PageUp", (0, 0)),
        ("ArrowUp", (0, 0)),
    ):
        box.press(key)
        character, row = state
        assert (trait(page, "character"), trait(page, "unit")) == (character, order[row]), key
        assert order[row] in heads(page)
        assert number(re.search(r"cell (−?[\d.]+)", readout(page))[1]) == pytest.approx(
            widget.values("c")[character, order[row]], abs=0.006
        )


def test_looking_repaints_no_rows_and_is_not_told_again(show):
    page = show(microscope())
    page.evaluate("document.querySelector('.gmic-units path').id = 'same'")
    said = sentence(page)
    page.get_by_role("application").press("ArrowRight")
    assert page.locator("#same").count() == 1
    assert sentence(page) == said


@pytest.mark.parametrize("width", [390, 900])
def test_the_box_scrolls_to_what_is_looked_at_and_the_page_does_not(show, width):
    page = show(long_one(character=200), width=width)
    box = page.get_by_role("application")

    def in_sight() -> bool:
        frame, here = box.bounding_box(), page.locator(".gmic-here").bounding_box()
        return frame["x"] + 112 <= here["x"] and here["x"] + CELL <= frame["x"] + frame["width"]

    assert in_sight(), "from the start"
    for key in ("End", "ArrowLeft", "Home", "ArrowRight"):
        box.press(key)
        assert in_sight(), key
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_page_without_labels_and_losses_is_smaller(show):
    page = show(GateMicroscope(TEXT, {"f": traces()["f"]}))
    assert heads(page) == list(range(12))
    assert page.locator(".gmic-losses, .gmic-truth, .gmic-sample").count() == 0
    assert page.get_by_role("combobox").count() == 1
    assert readout(page).startswith("character 0 ‘s’, unit 0, forget gate 0.")
    assert violations(page) == []


def test_the_keyboard_reaches_every_control_and_shows_where_it_is(show):
    page = show(microscope(page=1, variant=ABLATED))
    names = tab_stops(page)
    assert len(names) == 8  # array, order, back, on, the box, the net, two samples
    assert names[4].startswith("units under the text")
    assert names[6:] == ["sample of the net as trained", "sample of the variant"]


def test_two_views_stay_in_step_until_one_is_taken_away(show):
    page = show(microscope(), views=2)
    page.get_by_role("application").first.press("ArrowRight")
    assert [text.split()[1] for text in page.locator(".gmic-readout").all_text_contents()] == ["1", "1"]
    page.evaluate("cleanups[0]()")
    assert page.locator(".gmic").count() == 1
    assert page.evaluate("Object.values(heard).every((answers) => answers.size === 1)")


@pytest.mark.parametrize("width", [390, 560, 740, 900, 1100])
def test_nothing_moves_when_the_picture_changes(show, width):
    page = show(long_one(), width=width)
    found = set()
    for changes in (
        dict(array="f", order="", variant="as trained", character=0),
        dict(array="c", order="depth", variant=ABLATED, character=377, unit=29, page=2),
        dict(array="c", order="in quotes", variant="as trained", character=5, unit=7, page=0),
    ):
        page.evaluate(
            "(changes) => Object.entries(changes).forEach(([name, value]) => model.set(name, value))", changes
        )
        found.add(page.locator(".gmic").bounding_box()["height"])
    assert len(found) == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("settings", [dict(), dict(array="c", variant=ABLATED, order="")])
def test_axe_finds_nothing(show, theme, settings):
    assert violations(show(microscope(**settings), theme=theme)) == []
    assert violations(show(long_one(variant=ABLATED), theme=theme, width=390)) == []


@pytest.mark.parametrize(("theme", "scheme", "dark"), THEMES)
def test_light_and_dark_can_be_read(show, theme, scheme, dark):
    page = show(microscope(variant=ABLATED), theme=theme, scheme=scheme)
    back = background(page, ".gmic")
    assert (luminance(back) < 0.1) is dark
    assert_readable(page, ".gmic :is(p, label, select, strong, .gmic-range, .gmic-legend span:not(.gmic-scale))")
    assert_readable(page, ".gmic :is(.gmic-head b, .gmic-head span, .gmic-ruler span, .gmic-text span, .gmic-sample)")
    for kind in ("open", "closed", "worse", "plain"):
        fill = page.locator(f".gmic-{kind}").first.evaluate("(e) => getComputedStyle(e).fill")
        assert contrast(fill, back) >= 3, kind
