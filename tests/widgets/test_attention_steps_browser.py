"""Attention step by step in Chromium, on a page without a kernel: walked through, compared, looked at."""

import re

import numpy as np
import pytest
from test_attention_steps import ALIGNED, NAMES, SOURCE, TARGET, steps
from unrolled.widgets.attention_steps import AttentionSteps
from widget_browser import (
    THEMES,
    assert_readable,
    assert_shades_readable,
    background,
    luminance,
    tab_stops,
    violations,
)

pytestmark = [pytest.mark.browser, pytest.mark.unit("seq2seq")]


def trait(page, name: str):
    return page.evaluate(f"model.get('{name}')")


def shown(page):
    return page.locator(".ats-matrix:visible")


def selected(page):
    return page.locator(".ats [role=option][aria-selected=true]")


LINES = """(kind) => [...document.querySelectorAll(`line.${kind}`)].map((line) =>
  [Number(line.style.getPropertyValue("--weight")), parseFloat(getComputedStyle(line).strokeWidth)])"""


def check_against_python(page, widget: AttentionSteps) -> None:
    """Shares, lines, sentence and every matrix that is shown have Python's numbers."""
    widget.set_state({name: trait(page, name) for name in ("step", "score", "beside")})
    row = widget.matrix()[widget.step]
    shares = page.locator(".ats-share").all_text_contents()
    for said, weight in zip(shares, row, strict=True):
        assert float(re.search(r"[\d.]+", said)[0]) == pytest.approx(100 * weight, abs=0.11)
    lines = page.evaluate(LINES, "ats-now")
    np.testing.assert_allclose([weight for weight, _ in lines], row[row >= 0.02], atol=1e-6)
    np.testing.assert_allclose([wide for _, wide in lines], 1 + 8 * row[row >= 0.02], atol=1e-3)
    assert len(page.evaluate(LINES, "ats-before")) == (widget.matrix()[: widget.step] >= 0.02).sum()
    assert selected(page).text_content() == TARGET[widget.step]
    said = page.locator(".unr-status").text_content()
    assert f": “{TARGET[widget.step]}” is written." in said
    assert f"Entropy {widget.entropy()[widget.step]:.2f} of at most {np.log2(len(SOURCE)):.2f} bits." in said
    names = widget.scores if widget.beside else [widget.score]
    assert shown(page).count() == len(names)
    for k, name in enumerate(names):
        check_matrix(shown(page).nth(k), widget, name)


def check_matrix(panel, widget: AttentionSteps, name: str) -> None:
    assert panel.get_attribute("aria-label") == f"weights, {name}"
    cells = panel.locator(".ats-cell").all_text_contents()
    np.testing.assert_allclose([int(cell) for cell in cells], 100 * widget.matrix(name).ravel(), atol=0.5001)
    bits = panel.locator("td.ats-bits").all_text_contents()
    np.testing.assert_allclose([float(cell) for cell in bits], widget.entropy(name), atol=0.0051)
    assert panel.locator("tr.ats-now th").all_text_contents() == [TARGET[widget.step]]
    marks = panel.locator("tbody tr").evaluate_all(
        "rows => rows.map((row) => [...row.querySelectorAll('.ats-cell')].findIndex((c) => c.matches('.ats-true')))"
    )
    assert marks == (widget.aligned or [-1] * len(TARGET))
    right, of = widget.hits(name)
    assert panel.locator("caption span").text_content() == (f"heaviest on the true word: {right} of {of}" if of else "")


def test_keys_and_buttons_walk_along_steps_and_scores(show):
    widget = steps()
    page = show(widget)
    check_against_python(page, widget)
    selected(page).focus()
    walk = [("ArrowRight", 1, 0), ("ArrowDown", 1, 1), ("End", 5, 1), ("ArrowRight", 5, 1), ("ArrowUp", 5, 0)]
    walk += [("ArrowLeft", 4, 0), ("Home", 0, 0), ("ArrowLeft", 0, 0)]
    for key, step, score in walk:
        page.keyboard.press(key)
        assert (trait(page, "step"), trait(page, "score")) == (step, NAMES[score]), key
        name = page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert name == f"{TARGET[step]}, step {step + 1}", "the focus goes along"
        check_against_python(page, widget)
    back, on = (page.get_by_role("button", name=name) for name in ("back", "next"))
    assert back.is_disabled()
    on.click()
    check_against_python(page, widget)
    page.locator(".ats [role=option]").last.click()
    assert (trait(page, "step"), on.is_disabled()) == (5, True)


def test_all_scores_stand_beside_each_other_and_a_row_can_be_clicked(show):
    widget = steps()
    page = show(widget)
    page.get_by_role("checkbox", name="all beside each other").check()
    check_against_python(page, widget)
    shown(page).nth(2).locator("tbody tr").nth(3).click()
    assert (trait(page, "score"), trait(page, "step")) == ("bilinear", 3)
    page.get_by_role("radio", name="additive").check()
    check_against_python(page, widget)


def test_the_true_source_word_is_marked_where_there_is_one(show):
    page = show(steps())
    for step, place in enumerate(ALIGNED):
        page.evaluate(f"model.set('step', {step})")
        marked = page.locator(".ats-read.ats-true").all_text_contents()
        assert marked == ([] if place is None else [SOURCE[place]])
        assert page.locator("line.ats-truth").count() == len(marked)
    page = show(steps(aligned=None))
    assert page.locator(".ats-true, line.ats-truth").count() == 0


def test_one_matrix_needs_no_choice(show):
    widget = steps(steps().matrix("dot"), aligned=None)
    page = show(widget)
    assert page.locator("input").count() == 0
    check_against_python(page, widget)


def test_the_keyboard_reaches_every_control_and_shows_where_it_is(show):
    assert len(tab_stops(show(steps()))) == 5  # next, score, checkbox, words, matrix


def test_two_views_stay_in_step_until_one_is_taken_away(show):
    page = show(steps(), views=2)
    page.locator(".ats [role=option]").nth(2).click()
    assert selected(page).all_text_contents() == [TARGET[2]] * 2
    page.evaluate("cleanups[0]()")
    assert page.locator(".ats").count() == 1
    assert page.evaluate("Object.values(heard).every((answers) => answers.size === 1)")


@pytest.mark.parametrize("width", [390, 560, 700, 900])
def test_nothing_moves_when_step_or_score_changes(show, width):
    page = show(steps(), width=width)
    found = set()
    for step, name in zip(range(6), NAMES * 2, strict=False):
        page.evaluate(f"model.set('step', {step}), model.set('score', '{name}')")
        found.add(str([shown(page).bounding_box(), page.locator(".unr-foot").bounding_box()]))
    assert len(found) == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_on_a_phone_the_word_that_is_written_is_brought_into_sight(show):
    words = [f"word{n}" for n in range(12)]
    page = show(AttentionSteps(words, words, np.eye(12), step=6), width=390)
    for key in ("End", "ArrowLeft", "Home"):
        box, word = page.locator(".ats-box").bounding_box(), selected(page).bounding_box()
        assert box["x"] <= word["x"] and word["x"] + word["width"] <= box["x"] + box["width"]
        selected(page).press(key)
    assert page.locator(".ats-box").evaluate("box => box.scrollWidth > box.clientWidth")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(show, theme):
    for width in (390, 900):
        assert violations(show(steps(step=4, beside=True), theme=theme, width=width)) == []


@pytest.mark.parametrize(("theme", "scheme", "dark"), THEMES)
def test_light_and_dark_can_be_read(show, theme, scheme, dark):
    shades = np.linspace(0, 1, 21)
    weights = np.stack([shades, 1 - shades], 1)  # every shade that there is
    page = show(AttentionSteps(["a", "b"], ["x"] * 21, weights, step=10), theme=theme, scheme=scheme)
    assert (luminance(background(page, ".ats")) < 0.1) is dark
    assert_readable(page, ".ats :is(p, caption, th span, .ats-bits, .ats-share, .ats-legend, [role=option])")
    assert_shades_readable(page, ".ats-cell, .ats-read")
