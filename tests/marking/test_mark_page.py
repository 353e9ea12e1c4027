"""The page on which a person marks, in Chromium: by keys alone, two at once, over the server's end, for everybody."""

import re
import socket
import time

import marking_class
import pytest
from marking_class import standing
from widget_browser import AXE, contrast

from autograder.recording import gradebook
from autograder.returning.feedback import feedback

pytestmark = [pytest.mark.browser, pytest.mark.slow]
expect = pytest.importorskip("playwright.sync_api", reason="needs Playwright").expect

WRITTEN = {f"student-{name}": f"**{name}** says $p = \\frac{{1}}{{6}}$." for name in "abcdefgh"}
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
PICTURE = {"source": "![a die](attachment:die.png)", "attachments": {"die.png": {"image/png": PIXEL}}}
PATIENCE = 180_000  # milliseconds, on a machine with other work, too


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    return marking_class.made(tmp_path_factory.mktemp("mark_page"), WRITTEN | {"student-picture": PICTURE})


@pytest.fixture(scope="module")
def address(assignment, tmp_path_factory):
    with marking_class.served(assignment, tmp_path_factory.mktemp("log") / "log", f"--port={free_port()}") as found:
        yield found


@pytest.fixture
def opened(chromium, address):
    """opened(…) is a new teacher's page, in a browser that knows nothing of the others; all of it stays silent."""
    contexts, noise = [], []

    def open_page(query="", to=address, **about):
        contexts.append(chromium.new_context(**about))
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: noise.append(str(error)))
        page.on(
            "console", lambda said: said.type == "error" and "Failed to load" not in said.text and noise.append(said)
        )
        page.goto(to)
        if query:
            ready(page)  # the unit's page has led on to its question
            page.goto(page.url.partition("?")[0] + query)
        ready(page)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert noise == []


def ready(page):
    page.wait_for_selector("#mark-count:not(:empty)")


def whose(assignment, page) -> str:
    """The student whose answer is looked at: the page does not know."""
    its = page.get_attribute(".mark-current", "data-id")
    with gradebook.gradebook(assignment.course) as book:
        return book.find_grade_by_id(its).student.id


def saved(page):
    """Waits until everything is in the gradebook."""
    expect(page.locator(".mark-state:not(:empty)")).to_have_count(0, timeout=PATIENCE)


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def test_keys_alone_mark_comment_undo_and_lead_to_the_next(assignment, opened):
    page = opened()
    first = whose(assignment, page)
    assert page.inner_text("#mark-count") == "0 of 9 marked"
    press(page, "3", "c")
    page.keyboard.type("Say why. (c, n and 1 are letters here)")
    press(page, "Escape")
    saved(page)
    assert standing(assignment, first) == (3, False, "Say why. (c, n and 1 are letters here)")
    page.get_by_role("button", name="Save this comment").locator("visible=true").click()
    page.wait_for_selector(".mark-current .mark-one-saved")
    press(page, "n", "1", "a")
    second = whose(assignment, page)
    saved(page)
    assert second != first and standing(assignment, second) == (1, False, "Say why. (c, n and 1 are letters here)")
    assert page.inner_text("#mark-count") == "2 of 9 marked"
    press(page, "u", "u")
    saved(page)
    assert standing(assignment, second) == (None, True, None)
    assert "Undone" in page.inner_text("#mark-news") and page.inner_text("#mark-count") == "1 of 9 marked"
    press(page, "5", "9", ".", "j", "k", "b")
    assert page.locator(".mark-answer:visible").count() == 9
    press(page, "?")
    assert page.locator("#mark-keys").is_visible()
    press(page, "2", "Escape")
    assert standing(assignment, second)[0] is None, "a key gives no points below an open list of keys"


def test_what_is_marked_is_on_the_students_page(assignment, opened):
    page = opened()
    press(page, "n", "2", "c")
    page.keyboard.type("Think of *two* dice.")
    press(page, "Control+Enter")
    saved(page)
    with gradebook.gradebook(assignment.course) as book:
        notebooks = [each.notebooks[0] for each in book.find_assignment(assignment.name).submissions]
        (student,) = [
            notebook.student.id
            for notebook in notebooks
            for comment in notebook.comments
            if comment.manual_comment == "Think of *two* dice."
        ]
    (its,) = feedback(assignment, student)
    text = its.path.read_text(encoding="utf-8")
    assert "Think of <em>two</em> dice." in text and "2 of 4 points" in text and "not marked yet" not in text


def test_nobodys_name_is_there_until_somebody_asks(assignment, opened):
    page = opened()
    assert not re.search("student-", page.content())
    page.get_by_role("link", name="Show names").click()
    ready(page)
    assert set(page.locator(".mark-name").all_inner_texts()) == {*WRITTEN, "student-picture"}
    assert page.locator(".mark-wrote math").count() == 8, "formulas are set"
    assert page.locator(".mark-wrote img").evaluate("(e) => [e.complete, e.naturalWidth, e.alt]") == [True, 1, "a die"]
    assert "Because no throw tells" in page.inner_text(".mark-rubric")


def test_two_at_once_do_not_overwrite_each_other(assignment, opened):
    one, other = opened(), opened()
    for page in (one, other):
        press(page, "b")
        page.locator(".mark-answer").last.focus()
    student = whose(assignment, one)
    assert student == whose(assignment, other)
    press(one, "4")
    saved(one)
    press(other, "0")
    other.wait_for_selector(".mark-conflict:visible")
    assert "meanwhile: 4" in other.inner_text(".mark-conflict:visible")
    assert standing(assignment, student)[0] == 4
    other.get_by_role("button", name="Keep theirs").click()
    saved(other)
    assert standing(assignment, student)[0] == 4 and "4 of 4" in other.locator(".mark-stand").last.inner_text()
    one.wait_for_timeout(100)
    press(other, "1")
    saved(other)
    press(one, "2")
    one.wait_for_selector(".mark-conflict:visible")
    one.get_by_role("button", name="Put mine").click()
    saved(one)
    assert standing(assignment, student)[0] == 2


def test_nothing_is_lost_when_the_server_ends_in_between(assignment, opened, tmp_path):
    port = f"--port={free_port()}"
    with marking_class.served(assignment, tmp_path / "first", port) as address:
        page = opened(to=address)
        page.locator(".mark-answer").nth(5).evaluate("(e) => e.scrollIntoView()")
        press(page, "j", "j", "j", "1")
        saved(page)
        student = whose(assignment, page)
        assert standing(assignment, student)[0] == 1
    press(page, "4", "c")  # nobody hears it
    page.keyboard.type("Typed into the void.")
    press(page, "Escape")
    expect(page.locator("#mark-news")).to_contain_text("Nothing is lost", timeout=PATIENCE)
    assert standing(assignment, student)[0] == 1
    with marking_class.served(assignment, tmp_path / "second", port) as address:
        if page.evaluate("localStorage.length"):  # else it was sent already
            page.on("dialog", lambda dialog: dialog.accept())
            page.goto(address)  # what was kept is there after a reload, too
            ready(page)
        saved(page)
        deadline = time.monotonic() + 60
        while standing(assignment, student)[0] != 4 and time.monotonic() < deadline:
            page.wait_for_timeout(500)
        assert standing(assignment, student) == (4, False, "Typed into the void.")


@pytest.mark.parametrize(("scheme", "width"), [("light", 1100), ("dark", 1100), ("dark", 390)])
def test_everybody_can_use_it(opened, scheme, width):
    if not AXE.exists():
        pytest.skip("needs axe-core (npm ci)")
    page = opened(bypass_csp=True, color_scheme=scheme, viewport={"width": width, "height": 844})
    page.add_script_tag(path=AXE)
    for keys in ((), ("b",), ("?",)):
        press(page, *keys)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then((report) => report.violations)")
        assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    paint = "(e) => [getComputedStyle(e).color, getComputedStyle(document.body).backgroundColor]"
    assert contrast(*page.locator("h1").evaluate(paint)) >= 7


def test_single_keys_can_be_switched_off(assignment, opened):
    page = opened()
    press(page, "j", "?")
    page.get_by_label("Single keys do this").uncheck()
    press(page, "Escape", "3")
    page.wait_for_timeout(300)
    assert page.locator(".mark-current input:checked").count() == standing_points(assignment, page)


def standing_points(assignment, page) -> int:
    """1 where the answer that is looked at has points."""
    return int(standing(assignment, whose(assignment, page))[0] is not None)
