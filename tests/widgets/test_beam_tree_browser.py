"""The beam tree in Chromium, on a page without a kernel: walked through, ranked, looked at."""

import re

import pytest
from test_beam_tree import LISTED, found, tree
from unrolled.widgets.beam_tree import BeamTree
from widget_browser import THEMES, assert_readable, background, luminance, tab_stops, violations

pytestmark = [pytest.mark.browser, pytest.mark.unit("seq2seq")]


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def state(page) -> tuple[int, int]:
    return tuple(page.evaluate("[model.get('step'), model.get('candidate')]"))


def wide(**changes) -> BeamTree:
    return tree(found(seed=4, width=4, limit=10)[0], **changes)


CHIPS = """() => [...document.querySelectorAll(".btr-chip")].map((chip) => [
  chip.querySelector(".btr-word").textContent, chip.querySelector(".btr-low span").textContent,
  chip.matches(".btr-kept"), chip.querySelector(".btr-end") !== null, chip.matches(".btr-path")])"""


def check_against_python(page, widget: BeamTree) -> None:
    """Every chip, the thick path, the sentence and the ranking are Python's."""
    widget.step, widget.candidate = state(page)
    widget.alpha = page.evaluate("model.get('alpha')")
    path, n = set(), widget.candidate
    for t in range(widget.step, -1, -1):
        path.add((t, n))
        n = widget.steps[t][n]["parent"]
    chips = iter(page.evaluate(CHIPS))
    for t, candidates in enumerate(widget.steps):
        for n, one in enumerate(candidates):
            word, log_prob, *marks = next(chips)
            assert word == (one["word"] or "stays")
            assert number(log_prob) == pytest.approx(one["log_prob"], abs=0.0051)
            assert marks == [one["kept"], one["ended"], (t, n) in path]
    assert next(chips, None) is None
    assert page.locator("path.btr-path").count() == len(path)
    words = " ".join(widget.words())
    said = page.locator(".unr-status").text_content()
    assert said.startswith(f"Step {widget.step + 1} of {len(widget.steps)} keeps ")
    assert f"; the beam’s width is {widget.width}. " in said
    assert f"“{words}”: log probability " in said
    check_ranking(page, widget)


def check_ranking(page, widget: BeamTree) -> None:
    rows = page.locator("tbody tr")
    for n, ranked in enumerate(widget.ranking()):
        rank, nats, words, score, text = rows.nth(n).locator("th, td").all_text_contents()
        assert (rank, words) == (str(n + 1), str(len(ranked.words)))
        assert (number(nats), number(score)) == pytest.approx((ranked.log_prob, ranked.score), abs=0.0051)
        assert text == f"{' '.join(ranked.words)} {'■' if ranked.ended else '… (not ended)'}"
        begins = ranked.words[: len(widget.words())] == widget.words()
        assert not rows.nth(n).evaluate("row => row.matches('.btr-path')") or begins
    assert rows.count() == len(widget.finals)
    ranks = page.locator(".btr-rank:not(:empty)").all_text_contents()
    assert sorted(ranks) == sorted(f"#{n + 1}" for n in range(len(widget.finals)))


def test_keys_and_buttons_walk_along_hypotheses_and_candidates(show):
    widget = wide()
    page = show(widget)
    check_against_python(page, widget)
    first, back, on, last = (page.get_by_role("button", name=name) for name in ("first", "back", "next", "last"))
    assert (first.is_disabled(), back.is_disabled()) == (True, True)
    box = page.locator(".btr-box")
    box.focus()
    end = len(widget.steps) - 1
    for key in ("End", "ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp", "Home"):
        before = state(page)
        page.keyboard.press(key)
        step, candidate = state(page)
        moved = {"End": end - before[0], "Home": -before[0], "ArrowLeft": -1, "ArrowRight": 1}.get(key, 0)
        assert step == before[0] + moved, key
        if key == "ArrowLeft":
            assert candidate == widget.steps[before[0]][before[1]]["parent"]
        check_against_python(page, widget)
    last.click()
    assert (state(page), on.is_disabled(), last.is_disabled()) == ((end, 0), True, True)
    back.click()
    check_against_python(page, widget)


def test_a_click_looks_at_a_candidate_and_what_comes_later_is_paler(show):
    widget = tree(LISTED)
    page = show(widget)
    page.locator(".btr-chip").nth(4).click()
    assert state(page) == (1, 1)
    check_against_python(page, widget)
    later = page.locator(".btr-chip").evaluate_all("all => all.map((chip) => chip.matches('.btr-later'))")
    assert later == [False] * 6 + [True] * 3
    assert page.locator("tbody tr.btr-path").count() == 2
    assert page.locator(".unr-status").text_content().endswith("Kept, 2 of 2. It leads to ranks 2 and 3 of 3.")


def test_length_normalisation_ranks_anew(show):
    widget = tree(LISTED)
    page = show(widget)
    alpha = page.get_by_role("slider", name="length normalisation α")
    for value in (1, 2):
        alpha.fill(str(value))
        check_against_python(page, widget)
    assert page.locator("tbody tr td:last-child").first.text_content() == "b a b … (not ended)"


def test_what_is_not_drawn_is_counted(show):
    widget = wide()
    page = show(widget)
    for column, (more, candidates) in enumerate(zip(widget.more, widget.steps, strict=True)):
        kept = sum(one["kept"] for one in candidates)
        head = page.locator(".btr-head small").nth(column).text_content()
        assert head == f"{kept} of {len(candidates) + more} kept"
        assert page.locator(".btr-more").nth(column).text_content() == (f"+ {more} pruned" if more else "")
    assert max(widget.more) > 0


def test_the_keyboard_reaches_every_control_and_shows_where_it_is(show):
    assert len(tab_stops(show(wide(step=3)))) == 6  # four buttons, tree, α


def test_two_views_stay_in_step_until_one_is_taken_away(show):
    page = show(tree(), views=2)
    page.locator(".btr-box").nth(1).press("ArrowDown")
    assert page.locator(".btr-here").count() == 2
    page.evaluate("cleanups[0]()")
    assert page.locator(".btr").count() == 1
    assert page.evaluate("Object.values(heard).every((answers) => answers.size === 1)")


@pytest.mark.parametrize("width", [390, 560, 700, 900])
def test_the_tree_scrolls_in_its_own_box_and_nothing_else_moves(show, width):
    widget = wide()
    page = show(widget, width=width)
    found = set()
    for step, candidates in enumerate(widget.steps):
        for candidate in (0, len(candidates) - 1):
            page.evaluate(f"model.set('step', {step}), model.set('candidate', {candidate})")
            found.add(page.locator(".btr-ranks").bounding_box()["y"])
    assert len(found) == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for key in ("End", "ArrowLeft", "Home"):
        page.locator(".btr-box").press(key)
        box, here = page.locator(".btr-box").bounding_box(), page.locator(".btr-here").bounding_box()
        assert box["x"] <= here["x"] and here["x"] + here["width"] <= box["x"] + box["width"], "brought into sight"


def test_no_chip_lies_on_another_and_words_are_not_cut(show):
    page = show(wide())
    boxes = [chip.bounding_box() for chip in page.locator(".btr-chip").all()]
    for i, one in enumerate(boxes):
        for other in boxes[:i]:
            apart = abs(one["x"] - other["x"]) >= one["width"] or abs(one["y"] - other["y"]) >= one["height"]
            assert apart
    assert page.locator(".btr-word").evaluate_all("all => all.every((word) => word.scrollWidth <= word.clientWidth)")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(show, theme):
    for width in (390, 900):
        assert violations(show(wide(step=5), theme=theme, width=width)) == []


@pytest.mark.parametrize(("theme", "scheme", "dark"), THEMES)
def test_light_and_dark_can_be_read(show, theme, scheme, dark):
    page = show(tree(step=2, candidate=4), theme=theme, scheme=scheme)
    assert (luminance(background(page, ".btr")) < 0.1) is dark
    assert_readable(page, ".btr :is(p, caption, th, td, .btr-legend, .btr-head, small, .btr-word, .btr-low, .btr-end)")
    assert re.search(r"[1-9]", page.locator("path.btr-path").first.evaluate("e => getComputedStyle(e).strokeWidth"))
