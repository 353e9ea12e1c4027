"""What a feedback page begins with: each exercise with its answer, what does not hold, what it costs, links to it."""

import copy
import json
import re

import little_course
import nbformat
import pytest
from little_course import RIGHT, cell_called
from unrolled.checking.table import to_html

from autograder.outcome import Exercise, Judged, Outcome
from autograder.recording import gradebook
from autograder.recording.recorder import recording
from autograder.returning.digest import Titles, sections, top
from autograder.returning.feedback import feedback
from autograder.returning.pages import REPORT

WRONG = "def surprise(sides):\n    return sides  # 1 < 2 & so on"
MARK = gradebook.Mark(2.5, 9, 4)
GRADED = Outcome("ada", "graded")


def check(sentence, outcome="failed", points=0.5, **more) -> dict:
    about = {"name": sentence, "message": "", "hint": "", "expected": "", "got": "", "what": "", "where": ""}
    about |= {"printed": "", "weight": 1.0, "hidden": False, "cause": "answer"}
    return about | {"sentence": sentence, "outcome": outcome, "points": points} | more


REPORT_OF_SURPRISE = {
    "exercise": "surprise",
    "points": 3.0,
    "earned": 1 / 3,
    "mend_first": "",
    "checks": [
        check(
            "Six sides surprise by ln 6.", message="different", expected="1.79176", got="6", hint="Take a logarithm."
        ),
        check("One side surprises nobody.", "held", 1 / 3),
        *(check(f"Property {number} <b>.", points=2 / 3) for number in range(3)),
        check("It builds on the first.", "skipped", 1 / 6),
    ],
}


def notebook(answers=RIGHT | {"surprise": WRONG}, report=REPORT_OF_SURPRISE, scores=(2.0, 1 / 3, None)):
    """A graded notebook with nbgrader's scores in it, as a page's cells are."""
    found = released_once()
    for name, source in answers.items():
        cell_called(found, name).source = source
    if report:
        output = {"output_type": "display_data", "metadata": {}, "data": {REPORT: report, "text/html": to_html(report)}}
        cell_called(found, "surprise-check").outputs = [nbformat.from_dict(output)]
    for name, score in zip(("throw_sum-check", "surprise-check", "written-question"), scores, strict=True):
        cell_called(found, name).metadata.nbgrader.score = score
    return found


_release = {}


def released_once():
    return copy.deepcopy(_release["notebook"])


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    assignment = little_course.make_released(tmp_path_factory.mktemp("digest"))
    _release["notebook"] = nbformat.read(assignment.released, as_version=4)
    return assignment


@pytest.fixture
def titles(assignment):
    return Titles(assignment)


def of(titles, cells, outcome=GRADED, mark=MARK, waiting=None):
    return {each.name: each for each in sections(cells.cells, titles, outcome, mark, waiting or {})}


def test_a_section_has_title_mark_answer_and_the_way_to_it(titles):
    found = of(titles, notebook())
    assert list(found) == ["throw_sum-check", "surprise-check", "written-question"]
    assert found["written-question"].title == "Written question", "it stands below the same heading"
    lost = found["surprise-check"]
    assert (lost.title, lost.mark, lost.whole) == ("The surprise of a throw", "0.33 of 3 points", False)
    assert lost.cell.source == WRONG and lost.anchor == "comment-surprise"
    assert found["throw_sum-check"].whole and found["throw_sum-check"].lost == []


def test_what_failed_is_told_with_its_cost_and_the_costs_add_up(titles):
    lost = of(titles, notebook())["surprise-check"].lost
    assert [each.cost for each in lost] == ["−0.5", "−0.67", "−0.67", "−0.83"]
    assert lost[0].sentence == "Six sides surprise by ln 6."
    assert lost[0].details == ["different", "expected 1.79176, got 6", "Hint: Take a logarithm."]
    assert lost[-1].sentence == "2 more properties do not hold or could not be tried."


def test_a_hidden_checks_values_are_not_told(titles):
    hidden = check("Others, too.", hidden=True, message="the answer for 7: different", expected="1.94591", got="7")
    lost = of(titles, notebook(report=REPORT_OF_SURPRISE | {"checks": [hidden]}))["surprise-check"].lost
    assert lost[0].sentence == "Others, too." and "1.94591" not in str(lost) and "for 7" not in str(lost)


def test_another_exercise_to_mend_first_is_named(titles):
    found = of(titles, notebook(report=REPORT_OF_SURPRISE | {"mend_first": "throw_sum"}))
    assert found["surprise-check"].notes == ["throw_sum, which it calls, does not hold yet: mend that first."]


def test_of_a_blank_answer_it_is_said_that_it_is_not_started(titles):
    outcome = Outcome("ada", "graded", exercises=[Exercise("surprise", 3, 0, "not started")])
    blank = notebook(answers={}, report=None, scores=(0.0, 0.0, 0.0))
    cell_called(blank, "surprise").metadata.nbgrader.comment = "No response."
    found = of(titles, blank, outcome)["surprise-check"]
    assert found.cell is None and found.notes == ["Not started"] and found.comment == ""


def test_an_error_of_a_plain_test_is_the_reason(titles):
    plain = notebook(report=None, scores=(2.0, 0.0, None))
    error = {"output_type": "error", "ename": "AssertionError", "evalue": "not ln 6", "traceback": []}
    cell_called(plain, "surprise-check").outputs = [nbformat.from_dict(error)]
    assert of(titles, plain)["surprise-check"].notes == ["AssertionError: not ln 6"]


def test_points_by_hand_and_comments_are_told_and_what_waits(titles):
    cells = notebook(scores=(2.0, 2.5, None))
    cell_called(cells, "surprise").metadata.nbgrader.comment = "Nearly."
    mark = gradebook.Mark(4.5, 9, 4, given={"surprise-check": (2.5, 3.0)})
    found = of(titles, cells, mark=mark, waiting={"written-question": 4.0})
    lost = found["surprise-check"]
    assert (lost.notes, lost.lost, lost.comment) == (["Marked by hand."], [], "Nearly.")
    assert found["written-question"].mark == "not marked yet"


def test_the_top_says_whose_page_it_is_and_the_sum(assignment, titles):
    gradebook.name_students(assignment.course, {"ada": ("Ada", "<Lind>")})
    named = Titles(assignment)
    late = gradebook.Mark(5, 9, 4, late=1.0, overdue=3600)
    told = top(named, Outcome("ada", "graded with repairs", "a; b", repairs=["a", "b"]), late, {"written-question": 4})
    assert told["title"] == "Two dice · Ada <Lind>"
    assert told["total"] == "4 of 9 points; 4 of them not marked yet"
    assert told["told"] == ["a", "b", "Late by 1 h: −1"]
    assert top(titles, Outcome("bo", "timed out", "too long"), MARK, {})["status"] == "Timed out"


@pytest.fixture(scope="module")
def page(assignment):
    """Where ada's page lies."""
    found = notebook()
    for name in ("throw_sum-check", "surprise-check", "written-question"):
        del cell_called(found, name).metadata.nbgrader["score"]
    scores = {"throw_sum-check": 2.0, "surprise-check": 1 / 3, "written-question": None}
    outcome = Outcome("ada", "graded", exercises=[Exercise("surprise", 3, 1 / 3, "Six sides")])
    with recording(assignment) as book:
        book.record(Judged(outcome, json.dumps(found).encode(), scores=scores), "key")
    (written,) = feedback(assignment)
    assert written.problem == ""
    return written.path


def test_no_number_of_the_page_has_more_than_two_decimals(page):
    head, folded, _ = page.read_text(encoding="utf-8").partition('<details class="unrolled-notebook">')
    shown = re.sub(r"<style.*?</style>", "", head, flags=re.DOTALL)
    assert folded and re.findall(r"\d+\.\d{3,}", shown.replace("1.79176", "")) == []
    assert "Property 0 &lt;b&gt;." in head and "1 &lt; 2 &amp; so on" in shown.replace("</span>", "").replace(
        '<span class="c1">', ""
    )


@pytest.fixture
def tab(chromium, page):
    noise = []
    tab = chromium.new_page(viewport={"width": 1280, "height": 900})
    tab.on("console", lambda message: noise.append(message.text))
    tab.on("request", lambda request: noise.append(request.url) if not request.url.startswith("file:") else None)
    tab.goto(page.as_uri())
    yield tab
    tab.close()
    assert noise == []


def test_an_exercise_takes_half_a_screen_and_the_notebook_is_folded(tab):
    for section in tab.locator("main > section").all():
        assert section.bounding_box()["height"] <= 450
    assert not tab.locator("#notebook").is_visible()
    assert tab.locator("h1").first.inner_text().startswith("Two dice · ")
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_links_lead_to_the_answer(tab):
    tab.get_by_role("link", name="The surprise of a throw").click()
    answer = tab.locator("#exercise-surprise-check .unrolled-answer")
    assert "def surprise" in answer.inner_text()
    assert 0 <= answer.bounding_box()["y"] < 900
    tab.locator("#exercise-surprise-check").get_by_role("link", name="In the notebook").click()
    within = tab.locator("#notebook .nbgrader_cell", has_text="def surprise").first
    within.wait_for(state="visible")
    assert 0 <= within.bounding_box()["y"] < 450, "the answer itself, not what stands below it"


def test_the_beginning_has_no_fault_that_axe_finds(tab):
    from widget_browser import AXE

    if not AXE.exists():
        pytest.skip("needs axe-core (npm ci)")
    tab.add_script_tag(path=AXE)
    found = tab.evaluate("axe.run({exclude: ['.unrolled-notebook']}).then((report) => report.violations)")
    assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found] == []
