"""Fill the mask in Chromium, on a page without a kernel and with one that the test plays: clicked, walked, asked."""

import pytest
from test_fill_mask import LINES, MASKED, filler
from unrolled.widgets.fill_mask import FillMask
from widget_browser import THEMES, assert_readable, background, contrast, luminance, tab_stops, violations

pytestmark = [pytest.mark.browser, pytest.mark.unit("bert")]


def trait(page, name: str):
    return page.evaluate(f"model.get('{name}')")


def pieces_of(page):
    return page.locator(".fmk-pieces [role=option]")


def shows(said: str, p: float) -> bool:
    """Is this the percentage of p, to the one digit that is shown?"""
    if said in ("< 0.1 %", "> 99.9 %"):
        return p < 0.0005 if said[0] == "<" else p >= 0.9995
    return abs(float(said.removesuffix(" %")) - 100 * p) <= 0.0500001


def check_against_python(page, widget: FillMask) -> None:
    """Every piece, every table and the sentence are Python's."""
    widget.set_state({name: trait(page, name) for name in ("sentence", "place", "masked")})
    found, line = widget.filled(), widget.lines[widget.sentence]
    hidden = {one.place: one for one in found}
    words = ["[MASK]" if i in hidden else piece for i, piece in enumerate(line["pieces"])]
    assert page.locator(".fmk-word").all_text_contents() == words
    guesses = [hidden[i].words[0] if i in hidden else "" for i in range(len(words))]
    assert page.locator(".fmk-guess").all_text_contents() == guesses
    chosen = [piece.get_attribute("aria-selected") == "true" for piece in pieces_of(page).all()]
    assert chosen == [i in widget.masked[widget.sentence] for i in range(len(words))]
    cards = page.locator(".fmk-card")
    assert cards.count() == len(found)
    for n, one in enumerate(found):
        check_card(cards.nth(n), one)
    said = page.locator(".unr-status").text_content()
    if not found:
        assert said.startswith("Nothing is hidden.")
    else:
        one = hidden.get(widget.place, found[0])
        assert said.startswith(f"At place {one.place} the net puts “{one.words[0]}” (")


def check_card(card, one) -> None:
    assert card.locator("caption").text_content().startswith(f"[MASK] at place {one.place}")
    rows = card.locator("tbody tr:not(.fmk-empty)")
    outside = one.stood is not None and one.stood not in one.words
    assert rows.count() == 5 + outside
    for k, (word, p) in enumerate(zip(one.words, one.chances, strict=True)):
        name, said = (rows.nth(k).locator(part).text_content() for part in ("th", "td:last-child"))
        assert name == (f"{word} ✓" if word == one.stood else word)
        assert shows(said, p)
        bar, track = (rows.nth(k).locator(part).bounding_box()["width"] for part in (".fmk-bar", ".fmk-track > div"))
        assert bar == pytest.approx(max(1, p * track), abs=0.6)
    if outside:
        assert rows.nth(5).locator("th").text_content() == f"{one.rank}. {one.stood} ✓"
        assert shows(rows.nth(5).locator("td:last-child").text_content(), one.chance)


def test_a_click_hides_a_piece_and_shows_it_again(show):
    widget = filler()
    page = show(widget)
    check_against_python(page, widget)
    pieces_of(page).nth(5).click()
    assert trait(page, "masked") == [[3, 5], *MASKED[1:]]
    check_against_python(page, widget)
    pieces_of(page).nth(3).click()
    pieces_of(page).nth(5).click()
    assert trait(page, "masked") == [[], *MASKED[1:]]
    check_against_python(page, widget)


def test_special_pieces_stay(show):
    widget = filler(sentence=1)
    page = show(widget)
    for place in (0, 7, 11, 14):
        assert pieces_of(page).nth(place).get_attribute("aria-disabled") == "true"
        pieces_of(page).nth(place).click(force=True)
        assert trait(page, "masked") == MASKED
        check_against_python(page, widget)


def test_keys_walk_along_and_hide(show):
    widget = filler()
    page = show(widget)
    pieces_of(page).first.focus()
    walk = [("ArrowRight", 0, 1), ("End", 0, 8), ("ArrowRight", 0, 8), ("ArrowDown", 1, 8), ("ArrowDown", 2, 4)]
    walk += [("ArrowDown", 2, 4), ("ArrowUp", 1, 4), ("Home", 1, 0), ("ArrowLeft", 1, 0), ("ArrowUp", 0, 0)]
    for key, sentence, place in walk:
        page.keyboard.press(key)
        assert (trait(page, "sentence"), trait(page, "place")) == (sentence, place), key
        name = page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert f", place {place}" in name, "the focus goes along"
        check_against_python(page, widget)
    page.keyboard.press("ArrowRight")
    for key, masked in (("Space", [1, 3]), ("Enter", [3]), ("Shift+Enter", [3]), ("Control+Enter", [3])):
        page.keyboard.press(key)
        assert trait(page, "masked")[0] == masked
        check_against_python(page, widget)


def test_the_menu_changes_the_sentence_and_the_button_shows_all(show):
    widget = filler()
    page = show(widget)
    page.get_by_role("combobox", name="sentence").select_option(
        "she unlocked the door [SEP] the man took [MASK] boat ."
    )
    check_against_python(page, widget)
    assert trait(page, "sentence") == 1
    page.get_by_role("button", name="show all").click()
    assert trait(page, "masked") == [[3], [], []]
    assert page.get_by_role("button", name="show all").is_disabled()
    check_against_python(page, widget)


# --- with and without a kernel

# The kernel: hears what is asked, and puts Python's answer in its place.
KERNEL = """(told) => {
  const reply = () => {
    const asked = model.get("asked");
    if (asked.text) {
      window.heardLine = asked.text;
      for (const [name, value] of Object.entries(told)) model.set(name, value);
    }
    model.set("answer", { call: asked.call, ...(asked.text ? { note: told.note } : {}) });
  };
  reply();
  model.on("change:asked", () => setTimeout(reply));
}"""


def test_without_a_kernel_the_field_and_the_third_hidden_piece_say_so(show):
    widget = filler()
    page = show(widget)
    assert page.get_by_role("textbox").is_disabled()
    assert page.get_by_role("button", name="read it").is_disabled()
    note = page.locator(".fmk-note")
    assert note.get_attribute("id") == page.get_by_role("textbox").get_attribute("aria-describedby")
    assert note.text_content().startswith("A sentence of your own needs a running notebook.")
    for place in (1, 5):
        pieces_of(page).nth(place).click()
    said = page.locator(".unr-status").text_content()
    assert said == "Three hidden pieces at once need a running notebook: stored is what the net says to one or two."
    assert page.locator(".fmk-card").count() == 0
    assert page.locator(".fmk-guess").nth(1).text_content() == "?"


def test_a_page_that_was_saved_with_a_kernel_knows_what_was_said(show):
    widget = filler()
    widget.masked = [[1, 3, 5], *MASKED[1:]]
    widget.asked = {"call": 1, "text": "she took a [MASK]"}  # answered, and stored in the page with its answer
    page = show(widget)
    assert page.get_by_role("textbox").is_disabled()
    assert page.locator(".unr-menu option").last.text_content() == "yours: she took a [MASK]"
    check_against_python(page, widget)
    pieces_of(page).nth(2).click()
    assert page.locator(".unr-status").text_content().startswith("These hidden pieces of your sentence were not looked")
    page.get_by_role("combobox", name="sentence").select_option("0")
    check_against_python(page, widget)


def test_with_a_kernel_a_line_of_ones_own_is_read(show):
    widget, other = filler(), filler()
    other.read("she took a [MASK]")
    page = show(widget)
    names = ("lines", "more", "masked", "sentence", "place")
    page.evaluate(KERNEL, {name: getattr(other, name) for name in names})
    line = page.get_by_role("textbox", name="your sentence")
    line.fill("she took a [MASK]")
    line.press("Enter")
    page.wait_for_function("window.heardLine === 'she took a [MASK]'")
    page.wait_for_function("model.get('answer').call === model.get('asked').call")
    check_against_python(page, other)
    assert page.get_by_role("combobox").input_value() == "3"
    assert page.evaluate("document.activeElement.type") == "text", "the focus stays"


def test_with_a_kernel_what_is_not_stored_comes_when_it_is_said(show):
    widget, other = filler(), filler()
    page = show(widget)
    page.evaluate(KERNEL, {})
    for place in (1, 5):
        pieces_of(page).nth(place).click()
    assert page.locator(".unr-status").text_content().startswith("The kernel was asked")
    other.masked = trait(page, "masked")
    page.evaluate("(more) => model.set('more', more)", other.more)
    check_against_python(page, other)


def test_a_line_that_cannot_be_read_is_said(show):
    page = show(filler())
    page.evaluate(KERNEL, {"note": "write [SEP] at most once"})
    page.get_by_role("textbox").fill("a [SEP] b [SEP] c")
    page.get_by_role("button", name="read it").click()
    page.wait_for_function("model.get('answer').note")
    assert page.locator(".fmk-note").text_content() == "Not read: write [SEP] at most once."


def test_an_empty_line_is_not_sent(show):
    page = show(filler())
    page.evaluate(KERNEL, {})
    page.get_by_role("textbox").fill("   ")
    page.get_by_role("textbox").press("Enter")
    assert trait(page, "asked")["text"] == ""


# --- for all readers


def test_the_keyboard_reaches_every_control_and_shows_where_it_is(show):
    page = show(filler())
    page.evaluate(KERNEL, {})
    assert len(tab_stops(page)) == 5  # sentence, show all, line, button, pieces


def test_two_views_stay_in_step_until_one_is_taken_away(show):
    page = show(filler(), views=2)
    pieces_of(page).nth(5).click()
    assert page.locator(".fmk-card").count() == 4
    page.evaluate("cleanups[0]()")
    assert page.locator(".fmk").count() == 1
    assert page.evaluate("Object.values(heard).every((answers) => answers.size === 1)")


@pytest.mark.parametrize("width", [390, 560, 700, 900])
def test_nothing_moves_when_a_piece_is_hidden(show, width):
    page = show(filler(masked=[[], [], []]), width=width)
    boxes = set()
    for place in range(8):
        page.evaluate(f"model.set('masked', [[{place or ''}], [], []])")
        parts = [page.locator(name).bounding_box() for name in (".fmk-pieces", ".fmk-cards", ".unr-foot")]
        boxes.add(tuple(box["y"] for box in parts))
    assert len(boxes) == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_pieces_of_a_word_touch_and_others_do_not(show):
    page = show(filler(sentence=1))
    boxes = [pieces_of(page).nth(i).bounding_box() for i in range(1, 6)]
    gaps = [round(right["x"] - left["x"] - left["width"]) for left, right in zip(boxes, boxes[1:], strict=False)]
    assert gaps == [6, 0, 0, 6]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(show, theme):
    assert violations(show(filler(sentence=1), theme=theme)) == []
    page = show(filler(masked=[[1, 3, 5], [], []]), theme=theme, width=390)
    page.evaluate(KERNEL, {})
    assert violations(page) == []


@pytest.mark.parametrize(("theme", "scheme", "dark"), THEMES)
def test_light_and_dark_can_be_read(show, theme, scheme, dark):
    page = show(filler(LINES[:1], masked=[[2, 3]], place=2), theme=theme, scheme=scheme)
    back = background(page, ".fmk")
    assert (luminance(back) < 0.1) is dark
    assert_readable(
        page, ".fmk :is(p, select, caption, caption span, th, td:not([aria-hidden]), .fmk-word, .fmk-guess)"
    )
    for part in (".fmk-bar", ".fmk-stood .fmk-bar"):
        assert contrast(background(page, part), back) >= 3, part
