"""The class on one page: what it says is right, and what students wrote cannot act there."""

import json
from datetime import UTC, datetime, timedelta

import little_course
import pytest
from bs4 import BeautifulSoup
from little_course import RIGHT, UNIT, cell_called, released

from autograder.course import Assignment, Course, Trouble
from autograder.outcome import Exercise, Judged, Outcome
from autograder.receiving import class_list
from autograder.receiving.class_list import Student
from autograder.recording.recorder import recording
from autograder.returning.class_report import look, write
from autograder.returning.class_report.drawing import bins
from autograder.returning.class_report.gathering import Answer, Result, Submission
from autograder.returning.class_report.mistakes import grouped
from autograder.returning.class_report.properties import failing
from autograder.returning.class_report.timing import Point, spans

BLANK = {"weight": 1, "hint": "", "printed": "", "cause": "", "where": "", "points": 1}
HOSTILE = "</pre></summary><script>window.acted=1</script><img src=x onerror='window.acted=1'>\u202e{{ 7*7 }}&amp;<!--"
DUE = datetime(2026, 11, 2, 12, tzinfo=UTC)


def check(name, outcome="failed", expected="3", got="4", hidden=False, **more):
    said = {"name": name, "sentence": f"Property {name}.", "outcome": outcome, "hidden": hidden, "message": "different"}
    return BLANK | said | {"what": "the sum", "expected": expected, "got": got} | more


def record(assignment, student, checks=(), answers=(), status="graded", **more):
    """A graded notebook as the jail would leave it. `more`: reason, repairs, time."""
    notebook, answers = released(assignment), RIGHT | dict(answers)
    for name, source in answers.items():
        cell_called(notebook, name)["source"] = source
    earned = 2.0 * (not any(each["outcome"] == "failed" for each in checks))
    exercises = [
        Exercise("throw_sum", 2, earned, "" if earned else "Property."),
        Exercise("surprise", 3, 3.0),
        Exercise("written-question", 4, None),
    ]
    report = {"exercise": "throw_sum", "points": 2, "earned": earned, "mend_first": "", "checks": list(checks)}
    outcome = Outcome(student, status, more.get("reason", ""), exercises, more.get("repairs", []))
    scores = {"throw_sum-check": earned, "surprise-check": 3.0, "written-question": None}
    content = json.dumps(notebook).encode() if status in ("graded", "graded with repairs") else b""
    with recording(assignment) as book:
        book.record(Judged(outcome, content, [report], scores, timestamp=more.get("time")), "key")


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    assignment = little_course.make_released(tmp_path_factory.mktemp("report"))
    (assignment.course.root / "class.toml").write_text("[due]\ndice = 2026-11-02T12:00:00Z\n", encoding="utf-8")
    names = {"ada": Student("ada", "<b>Ada</b>", HOSTILE), "absent": Student("absent", "No", "Body")}
    class_list.keep(assignment.course, names)
    record(assignment, "ada", [check("adds", "held")], time=DUE - timedelta(hours=30))
    record(assignment, "bo", [check("adds", got=HOSTILE)], {"throw_sum": f"x = 1\n# {HOSTILE}"}, time=DUE)
    record(assignment, "cy", status="crashed", reason=HOSTILE, time=DUE + timedelta(hours=3))
    record(assignment, f"dee {HOSTILE[9:40]}".replace("/", "|"), [check("adds")], repairs=[f"mended 3 {HOSTILE}"],
           status="graded with repairs", time=DUE - timedelta(minutes=30))  # fmt: skip
    return assignment


@pytest.fixture(scope="module")
def path(assignment, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    write(look(assignment), path)
    return path


@pytest.fixture
def page(path):
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def test_what_students_wrote_is_text_and_nothing_else(page, path):
    tags = {tag.name for tag in page.find_all(True)}
    assert not tags & {"script", "img", "iframe", "form", "input", "object", "embed", "link", "base", "b"}
    attributes = {(name, str(value)) for tag in page.find_all(True) for name, value in tag.attrs.items()}
    assert not [name for name, _ in attributes if name.startswith("on") or name in ("src", "srcset", "action", "style")]
    assert all(value.startswith("#") for name, value in attributes if name == "href")
    assert "\u202e" not in path.read_text(encoding="utf-8")
    source = next(each.text for each in page.find_all("pre") if "x = 1" in each.text)
    assert "<script>window.acted=1</script>" in source and "{{ 7*7 }}&amp;<!--" in source
    policy = page.find("meta", attrs={"http-equiv": "Content-Security-Policy"})["content"]
    assert "default-src 'none'" in policy and "script-src" not in policy


def test_the_page_tells_of_every_submission(page):
    text = " ".join(page.text.split())
    assert "4 submissions, 2 on the class list" in text
    assert "2 of 3" in text and "Property adds." in text
    assert "crashed1" in text.replace(" ", "") and "1 × mended 3" in text
    assert "A lead, not a verdict." in text


def test_each_figure_has_a_name_and_its_numbers_as_a_table(page):
    figures = page.find_all("svg")
    assert len(figures) == 3 and all(each["role"] == "img" and each["aria-label"] for each in figures)
    assert all(each.find_parent("figure").find_next_sibling("details").find("table") for each in figures)
    assert page.html["lang"] == "en" and len(page.find_all("h1")) == 1
    ids = [tag["id"] for tag in page.find_all(id=True)]
    assert len(ids) == len(set(ids)) and {link["href"][1:] for link in page.find_all("a")} <= set(ids)


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1100, 390])
def test_in_a_browser_nothing_runs_nothing_is_asked_for_and_nothing_is_cut(path, browser_path, width, scheme):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        view = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        asked, said = [], []
        view.on("request", lambda request: asked.append(request.url))
        view.on("console", lambda message: said.append(message.text))
        view.goto(path.as_uri())
        view.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert view.evaluate("window.acted") is None and asked == [path.as_uri()] and said == []
        assert view.evaluate("document.documentElement.scrollWidth") <= width
        ink, paper = view.evaluate("(s => [s.color, s.backgroundColor])(getComputedStyle(document.body))")
        assert (sum(_rgb(ink)) > sum(_rgb(paper))) == (scheme == "dark")
        browser.close()


def _rgb(text: str) -> list[int]:
    return [int(part) for part in text.removeprefix("rgb(").removesuffix(")").split(",")]


# --- what is counted --------------------------------------------------------------------------------------------------


def submission(student, **exercises):
    """Answers by exercise: names of properties that hold, or with a `-` fail; `name=got` says what came."""
    answers = {}
    for exercise, said in exercises.items():
        results = []
        for each in said:
            name, _, got = each.lstrip("-").partition("=")
            outcome = "failed" if each.startswith("-") else "held"
            results.append(Result(name, f"{name}.", outcome, False, "different", got and "3", got, "the sum"))
        answers[exercise] = Answer(exercise, "x", 1, 0, "", tuple(results))
    return Submission(student, "", Outcome(student, "graded"), None, None, False, answers)


def test_properties_that_fail_together_are_told_beside_chance():
    """a fails in 4 of 8, b in 4 of 8, both in 3: by chance 4·4/8 = 2. c fails where a holds."""
    fails = {"a": "0123", "b": "1234", "c": "4567"}
    those = [
        submission(str(n), one=["-a" if str(n) in fails["a"] else "a"],
                   two=["-b" if str(n) in fails["b"] else "b", "-c" if str(n) in fails["c"] else "c"])
        for n in range(8)
    ]  # fmt: skip
    found = {each.name: each for each in failing(those)}
    assert (found["a"].failed, found["a"].tried) == (4, 8)
    assert (found["a"].other.sentence, found["a"].other.both, found["a"].other.chance) == ("b.", 3, 2.0)
    assert found["a"].same is None and found["c"].other is None and found["c"].same is None


def test_what_was_not_tried_counts_on_neither_side():
    those = [submission("0", one=["-a"]), submission("1", one=["a"]), submission("2", one=[]), submission("3")]
    (only,) = failing(those)
    assert (only.failed, only.tried) == (1, 2)


def test_wrong_answers_are_grouped_by_the_first_property_and_the_value_of_a_case_by_hand():
    those = [submission(name, one=[first, "-later=9"]) for name, first in
             {"ada": "-a=4", "bo": "-a=4", "cy": "-a=5", "dee": "a", "eve": "-b=4"}.items()]  # fmt: skip
    groups = grouped(those)["one"]
    assert [(each.sentence, each.students) for each in groups] == [
        ("a.", ["ada", "bo"]),
        ("a.", ["cy"]),
        ("b.", ["eve"]),
        ("later.", ["dee"]),
    ]
    assert groups[0].came == "the sum: expected 3, got 4"


def test_where_inputs_are_drawn_numbers_do_not_part_a_group():
    those = []
    for number in range(3):
        result = Result("a", "a.", "failed", True, "different", str(number), f"{number}.5 of None", "the sum")
        answer = Answer("one", "x" * (5 - number), 1, 0, "", (result,))
        those.append(Submission(str(number), "", Outcome(str(number), "graded"), None, None, False, {"one": answer}))
    (group,) = grouped(those)["one"]
    assert group.students == ["0", "1", "2"] and (group.example, group.source) == ("2", "xxx")


@pytest.mark.parametrize("most", [0.0, 1.0, 5.0, 9.0, 24.0, 26.5, 100.0])
def test_every_mark_is_in_one_bar(most):
    marks = [most * share for share in (0, 0, 0.1, 0.25, 0.5, 0.75, 0.999, 1)]
    found = bins(marks, most)
    assert sum(count for *_, count in found) == len(marks) and len(found) <= 13
    assert found[0][0] == 0 and found[-1][1] == most
    assert all(one[1] == other[0] for one, other in zip(found, found[1:], strict=False))
    for begin, end, count in found[:-1]:
        assert count == sum(begin <= mark < end for mark in marks)


def test_spans_from_the_due_date():
    hours = {"more than 7 days before": 200, "1 to 3 days before": 25, "in the last hour": 0, "after it": -0.01}
    those = [Point(DUE - timedelta(hours=h), float(n), h < 0) for n, h in enumerate(hours.values())]
    found = {each.told: each for each in spans(those, DUE)}
    assert {told: each.mean for told, each in found.items() if each.count} == dict(zip(hours, range(4), strict=True))
    assert [each.count for each in spans(those, None)] == [1, 1, 2]


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_command(assignment, monkeypatch, capsys):
    def command(*arguments):
        return little_course.in_process(monkeypatch, capsys, assignment, "report", "dice", *arguments)

    path = assignment.course.root / f"report-{UNIT}.html"
    code, said, _ = command("--dry-run")
    assert code == 0 and f"Would write {path}" in said and not path.exists()
    code, said, _ = command("--json")
    told = json.loads(said)
    assert code == 0 and len(told["submissions"]) == 4 and told["failing"][0]["failed"] == 2 and not path.exists()
    code, said, _ = command()
    assert code == 0 and path.is_file() and "Fails most, in 2 of 3" in said


def test_class_toml_says_who_is_late_before_the_gradebook_knows(assignment):
    path = assignment.course.root / "class.toml"
    before = path.read_text(encoding="utf-8")
    try:
        path.write_text(before + '[extensions]\ncy = { dice = "4 hours" }\n', encoding="utf-8")
        extended = look(Assignment(Course.find(assignment.course.root), UNIT))
    finally:
        path.write_text(before, encoding="utf-8")
    known = {one.student: one.late for one in look(assignment).gathered.submissions}
    assert known["cy"] and not known["bo"] and not known["ada"]
    assert not any(one.late for one in extended.gathered.submissions)


def test_nothing_graded_is_one_line(tmp_path):
    with pytest.raises(Trouble, match="Nothing is graded in 00_dice yet: run `autograder grade 00_dice` first"):
        look(little_course.make_released(tmp_path))
