"""The gradient laboratory in Chromium, on a page without a kernel: pulled, pressed, walked by keyboard, looked at."""

import re

import pytest
from unrolled.widgets.gradient_lab import GradientLab
from widget_browser import THEMES, assert_readable, background, contrast, luminance, tab_stops, violations

pytestmark = [pytest.mark.browser, pytest.mark.unit("elman_rnn")]

BOX = ".glab-box-gradient"


def slider(page, name: str):
    return page.get_by_role("slider", name=name)


def trait(page, name: str):
    return page.evaluate(f"model.get('{name}')")


def sentence(page) -> str:
    return page.locator("[aria-live=polite]").text_content().replace("\u00a0", " ")


def number(text: str) -> float:
    """The number at the end of what the page writes: 0.0123 or 1.20 × 10⁻⁵."""
    digits, power = re.search(r"([\d.]+)(?:\s×\s10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?\D*$", text).groups()
    return float(digits) * 10.0 ** int((power or "0").translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")))


def heights(page, line: str) -> list[float]:
    """The height of a line at each step, 0 at the bottom of its box and 1 at the top."""
    points = page.locator(f".glab-line.glab-{line}").get_attribute("points").split()
    return [1 - float(point.split(",")[1]) for point in points]


def check_against_python(page, lab: GradientLab) -> None:
    """The lines, the numbers at the step looked at, the end of the way and ∂L/∂U are Python's."""
    curves = lab.curves()
    for line in ("gradient", "reference"):
        exponents = [20 * height - 10 for height in heights(page, line)]
        assert 10 ** exponents[0] == pytest.approx(getattr(curves, line)[0], rel=1e-3), line
        assert len(exponents) == lab.length + 1
    readouts = [text.replace("\u00a0", " ") for text in page.locator(".glab-readout").all_text_contents()]
    assert number(readouts[0].partition(", mean")[0]) == pytest.approx(curves.state[lab.step], rel=6e-3)
    assert number(readouts[1]) == pytest.approx(curves.gradient[lab.step], rel=6e-3)
    assert number(readouts[2].partition(" after")[0]) == pytest.approx(curves.clipped, rel=6e-3)
    assert number(page.locator(".glab-end").text_content().removesuffix(" at step 0")) == pytest.approx(
        curves.gradient[0], rel=6e-3
    )


@pytest.mark.parametrize(
    "settings",
    [
        dict(),
        dict(radius=1.5, nonlinearity="linear", start="orthogonal", clip=1.0, step=20),
        dict(radius=2.0, nonlinearity="relu", length=100, step=100),
    ],
)
def test_the_page_shows_pythons_numbers(show, settings):
    lab = GradientLab(**settings)
    check_against_python(show(lab), lab)


def test_every_control_changes_the_curves(show):
    lab = GradientLab()
    page = show(lab)
    slider(page, "spectral radius").fill("1.1")
    slider(page, "length").fill("80")
    slider(page, "loudness").fill("0.5")
    page.get_by_role("radio", name="ReLU").check()
    page.get_by_role("radio", name="orthogonal U").check()
    page.get_by_role("checkbox", name="clip by norm").check()
    slider(page, "limit").press("Home")
    lab = GradientLab(1.1, 80, "relu", start="orthogonal", loudness=0.5, clip=0.01)
    assert all(trait(page, name) == getattr(lab, name) for name in ("radius", "length", "loudness", "start", "clip"))
    check_against_python(page, lab)
    assert "Clipping shortens ∂L/∂U" in sentence(page)
    page.get_by_role("checkbox", name="clip by norm").uncheck()
    assert trait(page, "clip") is None
    assert slider(page, "limit").is_disabled()
    page.get_by_role("checkbox", name="clip by norm").check()
    assert trait(page, "clip") == 0.01, "the limit is remembered"


def test_clipping_leaves_the_way_back(show):
    page = show(GradientLab(1.5, nonlinearity="linear"))
    before = heights(page, "gradient")
    page.get_by_role("checkbox", name="clip by norm").check()
    assert heights(page, "gradient") == before
    ring, disc = (page.locator(f".glab-{mark}").bounding_box()["x"] for mark in ("ring", "disc"))
    assert disc < ring
    assert "the way back stays as it was" in sentence(page)


def test_a_step_is_looked_at_by_pointer_and_by_key(show):
    lab = GradientLab(step=10)
    page = show(lab)
    box = page.locator(BOX).bounding_box()
    said = sentence(page)
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 50)
    assert trait(page, "step") == 25
    look = slider(page, "step to look at")
    look.press("ArrowRight")
    lab.step = 26
    check_against_python(page, lab)
    assert look.get_attribute("aria-valuetext").startswith("step 26: state ")
    assert sentence(page) == said, "looking is not told again"
    thumb = page.locator(f"{BOX} .glab-cursor").bounding_box()["x"]
    assert thumb == pytest.approx(box["x"] + 1 + 26 / 50 * (box["width"] - 2), abs=1.5)


def test_a_step_beyond_a_shorter_way_is_its_last(show):
    page = show(GradientLab(length=100, step=90))
    slider(page, "length").fill("40")
    assert slider(page, "step to look at").input_value() == "40"
    assert page.locator(".glab-readout").nth(1).text_content() == "‖∂L/∂h40‖ = 1"


def test_what_is_beyond_the_picture_is_an_arrow_at_its_edge(show):
    for radius, kind in ((0.4, "glab-below"), (2.0, "glab-above")):
        page = show(GradientLab(radius, nonlinearity="linear"))
        assert kind in page.locator(".glab-dot.glab-gradient").get_attribute("class")


def test_the_keyboard_reaches_every_control_and_shows_where_it_is(show):
    page = show(GradientLab(clip=1.0))
    assert page.evaluate("document.activeElement === document.body")
    names = tab_stops(page)
    assert len(names) == 8  # non-linearity, start, radius, length, loudness, step, clip, limit
    assert [name for name in names if name] == [
        "spectral radius of U",
        "length T",
        "loudness of the input",
        "step to look at",
        "limit",
    ]


def test_two_views_stay_in_step_until_one_is_taken_away(show):
    page = show(GradientLab(), views=2)
    slider(page, "spectral radius").first.fill("1.3")
    page.get_by_role("radio", name="linear").first.check()
    assert slider(page, "spectral radius").last.input_value() == "1.3"
    assert page.get_by_role("radio", name="linear").last.is_checked()
    page.evaluate("cleanups[0]()")
    assert page.locator(".glab").count() == 1
    assert page.evaluate("Object.values(heard).every((answers) => answers.size === 1)")


@pytest.mark.parametrize("width", [400, 560, 740, 900, 1100])
def test_nothing_moves_when_the_picture_changes(show, width):
    page = show(GradientLab(), width=width)
    found = set()
    for changes in (
        dict(radius=0.2, length=200, nonlinearity="tanh", step=200),
        dict(radius=0.9, length=10, nonlinearity="linear", start="orthogonal", step=0, clip=1000.0),
        dict(radius=2.0, length=200, nonlinearity="relu", loudness=3.0, step=3, clip=0.01),
        dict(radius=2.0, length=200, nonlinearity="tanh", loudness=0.3, step=199),
    ):
        page.evaluate(
            "(changes) => Object.entries(changes).forEach(([name, value]) => model.set(name, value))", changes
        )
        found.add(page.locator(".glab").bounding_box()["height"])
    assert len(found) == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page itself never scrolls sideways"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("settings", [dict(), dict(radius=2.0, nonlinearity="linear", clip=1.0, step=30)])
def test_axe_finds_nothing(show, theme, settings):
    assert violations(show(GradientLab(**settings), theme=theme)) == []


@pytest.mark.parametrize(("theme", "scheme", "dark"), THEMES)
def test_light_and_dark_can_be_read(show, theme, scheme, dark):
    page = show(GradientLab(clip=1.0), theme=theme, scheme=scheme)
    back = background(page, ".glab")
    assert (luminance(back) < 0.1) is dark
    assert_readable(page, ".glab :is(p, label, output, strong, .glab-key, .glab-marks span, .glab-zone, .glab-end)")
    assert_readable(page, ".glab :is(.glab-readout, .glab-from, .glab-ticks span, .glab-scale-marks span)")
    for line in ("state", "gradient", "reference"):
        stroke = page.locator(f".glab-line.glab-{line}").evaluate("(e) => getComputedStyle(e).stroke")
        assert contrast(stroke, back) >= 3, line
