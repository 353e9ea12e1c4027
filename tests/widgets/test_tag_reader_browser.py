"""The tag reader in Chromium, on a page without a kernel and with one that the test plays: walked, asked, looked at."""

import numpy as np
import pytest
from test_tag_reader import LINES, reader, tagger
from unrolled.widgets.tag_reader import TagReader
from widget_browser import THEMES, assert_readable, background, contrast, luminance, tab_stops, violations

pytestmark = [pytest.mark.browser, pytest.mark.unit("tagging")]


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def shows(said: str, p: float) -> bool:
    """Is this the percentage of p, to the one digit that is shown? What is nearly 0 or 1 is told from the rest."""
    if said in ("< 0.1 %", "> 99.9 %"):
        return p < 0.0005 if said[0] == "<" else p >= 0.9995
    return abs(float(said.removesuffix(" %")) - 100 * p) <= 0.0500001


def trait(page, name: str):
    return page.evaluate(f"model.get('{name}')")


def words_of(page):
    return page.locator(".trd-words [role=option]")


def selected(page):
    return page.locator(".trd-words [aria-selected=true]")


def check_against_python(page, widget: TagReader) -> None:
    """Every word has Python's tag, and every row of the word looked at Python's numbers."""
    widget.set_state({name: trait(page, name) for name in ("sentence", "word")})
    words, t = widget._parts[widget.sentence].words, widget.word
    assert page.locator(".trd-word").all_text_contents() == words
    assert page.locator(".trd-tag").all_text_contents() == widget.answers()
    assert selected(page).count() == 1
    assert selected(page).get_attribute("aria-label").startswith(f"{words[t]} {widget.answers()[t]}, ")
    assert page.locator("caption").text_content() == f"“{words[t]}”, word {t + 1} of {len(words)}"
    probs = widget.probabilities()[t]
    parts = [widget.contributions()[0][t], widget.contributions()[1][t], np.array(widget.bias)]
    rows = page.locator("tbody tr:has(th)")
    order = np.argsort(-probs, kind="stable")[: rows.count()]
    for i, k in enumerate(order):
        assert rows.nth(i).locator("th").text_content() == widget.tags[k]
        p, *numbers = rows.nth(i).locator(".trd-number").all_text_contents()
        assert shows(p, probs[k])
        wanted = [part[k] for part in parts]
        np.testing.assert_allclose([number(text) for text in numbers], [*wanted, sum(wanted)], atol=0.0051)
    assert page.locator(".unr-status").text_content().startswith(f"“{words[t]}” is tagged {widget.answers()[t]} ")


WIDTHS = """() => [...document.querySelectorAll("tbody tr:has(th)")].map((row) =>
  ["left", "right", "bias"].map((side) => row.querySelector(`.trd-${side}`).getBoundingClientRect().width))"""


@pytest.mark.parametrize("kind", [{}, {"layers": 2}, {"directions": 1}], ids=str)
def test_the_page_shows_pythons_numbers(show, kind):
    widget = reader(net=tagger(**kind))
    page = show(widget)
    check_against_python(page, widget)
    said = page.locator(".unr-status").text_content()
    assert ("this net does not read from the right" in said) == (kind == {"directions": 1})


def test_the_bars_are_as_long_as_their_numbers(show):
    widget = reader(sentence=1, word=1)
    page = show(widget)
    numbers = [
        [abs(number(text)) for text in row.locator(".trd-number").all_text_contents()[1:4]]
        for row in page.locator("tbody tr:has(th)").all()
    ]
    widths = np.array(page.evaluate(WIDTHS))
    scale = widths.sum() / np.sum(numbers)
    np.testing.assert_allclose(widths, scale * np.array(numbers), atol=1.0)


def test_keys_walk_along_words_and_sentences(show):
    widget = reader()
    page = show(widget)
    words_of(page).first.focus()
    walk = [("ArrowRight", 0, 1), ("End", 0, 4), ("ArrowRight", 0, 4), ("ArrowDown", 1, 4), ("End", 1, 6)]
    walk += [("ArrowUp", 0, 4), ("ArrowUp", 0, 4), ("Home", 0, 0), ("ArrowLeft", 0, 0)]
    for key, sentence, word in walk:
        page.keyboard.press(key)
        assert (trait(page, "sentence"), trait(page, "word")) == (sentence, word), key
        name = page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert name.startswith(LINES[sentence].split()[word] + " "), "the focus goes along"
        check_against_python(page, widget)


def test_pointing_at_a_word_looks_at_it_and_the_menu_changes_the_sentence(show):
    widget = reader()
    page = show(widget)
    words_of(page).nth(3).hover()
    assert trait(page, "word") == 3
    check_against_python(page, widget)
    page.mouse.move(0, 0)  # a mouse that rests there would point at a word of the new sentence
    page.get_by_role("combobox", name="sentence").select_option(LINES[1])
    assert (trait(page, "sentence"), trait(page, "word")) == (1, 0)
    check_against_python(page, widget)


# --- with and without a kernel

# The kernel: hears what is asked, and puts Python's answer in its place.
KERNEL = """(answer) => {
  const reply = () => {
    const asked = model.get("asked");
    if (!asked.text) return model.set("answer", { ...model.get("answer"), call: asked.call });
    window.heardLine = asked.text;
    model.set("answer", { ...answer, call: asked.call });
    if (answer.words) model.set("sentence", 3), model.set("word", 0);
  };
  reply();
  model.on("change:asked", () => setTimeout(reply));
}"""


def test_without_a_kernel_the_field_says_so(show):
    page = show(reader(), views=2)
    for view in (0, 1):
        line = page.get_by_role("textbox").nth(view)
        assert line.is_disabled()
        note = page.locator(".trd-note").nth(view)
        assert note.get_attribute("id") == line.get_attribute("aria-describedby")
        assert note.text_content().startswith("Typing a sentence of your own needs a running notebook.")
    assert page.get_by_role("button", name="tag it").first.is_disabled()


def test_a_page_that_was_saved_with_a_kernel_knows_that_it_has_none(show):
    widget = reader()
    widget.asked = {"call": 1, "text": "wolves sleep"}  # answered, and stored in the page with its answer
    page = show(widget)
    assert page.get_by_role("textbox").is_disabled()
    assert page.locator(".unr-menu option").last.text_content() == "yours: wolves sleep"
    check_against_python(page, widget)


def test_with_a_kernel_a_line_of_ones_own_is_tagged(show):
    widget, other = reader(), reader()
    other.asked = {"call": 1, "text": "the wolf sleeps."}
    page = show(widget)
    page.evaluate(KERNEL, other.answer)
    line = page.get_by_role("textbox", name="your sentence")
    line.fill("the wolf sleeps.")
    line.press("Enter")
    page.wait_for_function("window.heardLine === 'the wolf sleeps.'")
    check_against_python(page, other)
    assert page.get_by_role("combobox").input_value() == "3"
    assert page.evaluate("document.activeElement.type") == "text", "the focus stays"


def test_a_line_that_cannot_be_read_is_said(show):
    page = show(reader())
    page.evaluate(KERNEL, {"note": "the sentence has 61 words: from 1 to 60 can be shown"})
    page.get_by_role("textbox").fill("wolf " * 61)
    page.get_by_role("button", name="tag it").click()
    page.wait_for_function("window.heardLine")
    note = page.locator(".trd-note").text_content()
    assert note == "Not read: the sentence has 61 words: from 1 to 60 can be shown."


def test_an_empty_line_is_not_sent(show):
    page = show(reader())
    page.evaluate(KERNEL, {})
    page.get_by_role("textbox").fill("   ")
    page.get_by_role("textbox").press("Enter")
    assert trait(page, "asked")["text"] == ""


# --- for all readers


def test_the_keyboard_reaches_every_control_and_shows_where_it_is(show):
    page = show(reader())
    page.evaluate(KERNEL, {})
    assert len(tab_stops(page)) == 5  # sentence, words, table, line, button


def test_two_views_stay_in_step_until_one_is_taken_away(show):
    page = show(reader(), views=2)
    words_of(page).nth(2).hover()
    assert selected(page).count() == 2
    page.evaluate("cleanups[0]()")
    assert page.locator(".trd").count() == 1
    assert page.evaluate("Object.values(heard).every((answers) => answers.size === 1)")


@pytest.mark.parametrize("width", [390, 560, 700, 900])
def test_nothing_below_the_sentence_moves_when_the_word_changes(show, width):
    page = show(reader(sentence=1), width=width)
    found = set()
    for word in range(7):
        page.evaluate(f"model.set('word', {word})")
        found.add(page.locator(".trd-asking").bounding_box()["y"])
    assert len(found) == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(show, theme):
    assert violations(show(reader(), theme=theme)) == []
    page = show(reader(), theme=theme, width=390)
    page.evaluate(KERNEL, {})
    assert violations(page) == []


@pytest.mark.parametrize(("theme", "scheme", "dark"), THEMES)
def test_light_and_dark_can_be_read(show, theme, scheme, dark):
    page = show(reader(sentence=1), theme=theme, scheme=scheme)
    back = background(page, ".trd")
    assert (luminance(back) < 0.1) is dark
    assert_readable(
        page, ".trd :is(p, select, caption, th, .trd-number, .trd-others, .trd-word, .trd-tag, .trd-legend)"
    )
    for hue in range(6):
        page.evaluate(f"document.querySelector('.trd-key').className = 'trd-key trd-hue{hue} trd-pattern0'")
        assert contrast(background(page, ".trd-key"), back) >= 3, hue
    for part in (".trd-left", ".trd-parts .trd-sum"):
        assert contrast(background(page, part), back) >= 3, part
