"""A week of a class on a real JupyterHub: fetched, worked in, handed in, collected, graded, returned; and kept apart.

One Hub serves all tests of this file: a teacher and three students, each with a server of their own. The unit is the
little one of two dice, in the teacher's own clone, so that releasing and grading take seconds.
"""

import json
import re
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest
from little_course import NOTEBOOK, RIGHT, UNIT, cell_called

ROOT = Path(__file__).parents[2]
PROXY = ROOT / "node_modules" / "configurable-http-proxy"
missing = [
    *(["JupyterHub (the extra `hub`)"] if find_spec("jupyterhub") is None else []),
    *([] if shutil.which("node") and PROXY.exists() else ["node and npm's configurable-http-proxy"]),
]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing), reason=f"a hub needs {' and '.join(missing)}"),
]

STUDENTS = ("ada", "bruno", "chiara")
LATE = "def throw_sum(first, second):\n    return 7"
RUN = "python -m autograder.cli"


class Week:
    """What came of each step, for the tests to look at."""

    def __init__(self, hub):
        self.hub = hub
        self.clone, self.exchange = hub.folder / "home" / "teacher" / "unrolled", hub.folder / "exchange" / "unrolled"
        self.teacher, *students = hub.servers("teacher", *STUDENTS)
        self.students = dict(zip(STUDENTS, students, strict=True))
        self.released()
        self.fetched = {name: server.assignments("fetch", UNIT) for name, server in self.students.items()}
        self.handed_in()
        self.graded()
        self.returned = {name: server.assignments("fetch_feedback", UNIT) for name, server in self.students.items()}

    def released(self) -> None:
        source = ROOT / "tests" / "fixtures" / "solutions" / f"{UNIT}.md"
        write = f"open('unrolled/solutions/{UNIT}.md', 'w').write({source.read_text(encoding='utf-8')!r})"
        self.teacher.run(write)
        self.teacher.shell(f"{RUN} release dice")
        self.button("release")

    def button(self, action: str) -> None:
        """One of formgrader's."""
        answer = self.teacher.ask("POST", f"formgrader/api/assignment/{UNIT}/{action}").json()
        assert answer["success"], answer

    def handed_in(self) -> None:
        """Ada has all. Bruno's is wrong, then right. Chiara's is wrong, and she hands it in under Ada's name, too."""
        wrong = RIGHT | {"throw_sum": LATE}
        for name, answers in (("bruno", wrong), ("ada", RIGHT), ("chiara", wrong), ("bruno", RIGHT)):
            server = self.students[name]
            notebook = json.loads(server.text(f"{UNIT}/{NOTEBOOK}"))
            for exercise, answer in answers.items():
                cell_called(notebook, exercise)["source"] = answer
            server.save(f"{UNIT}/{NOTEBOOK}", notebook)
            server.assignments("submit", UNIT)
        self.forged = self.students["chiara"].run(FORGE)

    def graded(self) -> None:
        self.collected = self.teacher.shell(f"{RUN} collect dice --exchange || true")
        self.table = self.teacher.shell(f"COLUMNS=160 {RUN} grade dice --workers 1")
        self.teacher.shell(f"{RUN} feedback dice")
        self.button("release_feedback")

    def page(self, name: str) -> str:
        listed = [each for each in self.returned[name] if each["status"] == "submitted" and each["student_id"] == name]
        places = [one["local_feedback_path"] for each in listed for one in each["submissions"]]
        places = [place for place in places if place]
        page = self.students[name].text(f"{places[-1]}/{NOTEBOOK.replace('ipynb', 'html')}")
        return re.sub(r"<[^>]*>", "", page)  # code comes in colours


FORGE = f"""
from nbgrader.apps import SubmitApp
app = SubmitApp()
app.initialize(["{UNIT}", "--student", "ada"])
app.start()
"""


@pytest.fixture(scope="module")
def week():
    import hub_users

    with hub_users.served(*STUDENTS) as hub:
        yield Week(hub)


@pytest.fixture
def apart(week):
    """The same, where everybody has an account of their own."""
    if not week.hub.apart:
        pytest.skip(week.hub.lack)
    return week


def test_everybody_fetches_what_was_released_and_not_its_solutions(week):
    for name, listed in week.fetched.items():
        (fetched,) = [each for each in listed if each["status"] == "fetched"]
        text = week.students[name].text(f"{fetched['path']}/{NOTEBOOK}")
        assert "throw_sum" in text and "hidden pair of sixes" not in text


def test_the_last_attempt_of_each_counts_and_the_marks_are_right(week):
    assert "placed: ada, bruno, chiara" in week.collected
    for name, mark in (("ada", "5 / 5 + 4?"), ("bruno", "5 / 5 + 4?"), ("chiara", "3 / 5 + 4?")):
        (row,) = [line for line in week.table.splitlines() if name in line]
        assert mark in row


def test_each_student_gets_their_own_page(week):
    pages = {name: week.page(name) for name in STUDENTS}
    assert len(set(pages.values())) == 3
    assert "return 7" in pages["chiara"] and "return 7" not in pages["ada"] + pages["bruno"]
    assert not any("throw_sum(6, 6)" in page for page in pages.values())  # the hidden test's code
    assert [name for name, page in pages.items() if "the hidden pair of sixes" in page] == ["chiara"]  # what it told


def test_a_students_package_is_there_and_the_grader_is_not(apart):
    said = apart.students["bruno"].run("import unrolled\nprint(unrolled.__file__)\nimport autograder.hidden")
    assert f"{apart.hub.folder}/course/unrolled" in said and "ModuleNotFoundError" in said


@pytest.mark.parametrize(
    "place", ["exchange/unrolled/inbound", "exchange/unrolled/feedback", "home/ada", "home/teacher", "hub"]
)
def test_a_student_lists_nobody_elses_folder(apart, place):
    said = apart.students["bruno"].run(f"import os\nprint(os.listdir({str(apart.hub.folder / place)!r}))")
    assert said.startswith("PermissionError")


def test_a_student_moves_nothing_of_the_exchange_away(apart):
    for place in (apart.exchange, apart.exchange / "outbound", apart.exchange / "outbound" / UNIT):
        said = apart.students["bruno"].run(f"import os\nos.rename({str(place)!r}, {str(place) + '-away'!r})")
        assert said.startswith("PermissionError")


def test_no_file_that_a_student_can_read_holds_a_solution(apart):
    """Looked for as a student would, in everything that the Hub's folder and the clone show."""
    line = "both_eyes_together = first + second"
    assert line in (apart.clone / "solutions" / f"{UNIT}.md").read_text(encoding="utf-8")
    search = f"grep -rIl --include='*.md' --include='*.ipynb' '{line}' {apart.hub.folder} {ROOT}"
    assert apart.students["bruno"].shell(f"({search}) 2>/dev/null | cat").strip() == ""
    assert apart.students["bruno"].shell(f"ls {ROOT}/solutions 2>/dev/null | cat").strip() == ""


def test_who_hands_in_for_another_is_told_and_placed_nowhere(apart):
    assert "Submitted as: unrolled" in apart.forged
    assert "ada (handed in by chiara's account)" in apart.collected


def test_a_students_token_opens_no_other_server(week):
    headers = week.students["bruno"].headers
    for other in ("ada", "teacher"):
        assert week.hub.as_stranger(f"user/{other}/api/contents/", headers).status_code in (401, 403)
    assert week.hub.as_stranger("hub/api/users", headers).status_code == 403
    assert week.students["bruno"].ask("GET", f"formgrader/api/submissions/{UNIT}").status_code == 404


def test_other_processes_keep_their_secrets(apart):
    """A server's environment holds the token that opens it."""
    code = """
import psutil
for process in psutil.process_iter():
    try:
        if process.username() in ("ada", "chiara", "teacher") and "singleuser" in " ".join(process.cmdline()):
            print(process.environ().get("JUPYTERHUB_API_TOKEN"))
    except psutil.AccessDenied:
        print("closed")
    except psutil.NoSuchProcess:  # gone, or nobody's any more
        pass
"""
    assert apart.students["bruno"].run(code).split() == ["closed"] * 3
