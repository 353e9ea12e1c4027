"""The pages under /autograder/mark, and the requests that they make. Jupyter's server knows who may see them.

Jupyter checks the login, the name of the host and, where something is written, the token against forged requests. Here
a request that writes has to come from a page of this server as well. No script runs in a page but its own, which a
nonce names, and that one may not turn text into HTML.
"""

import json
import secrets
from functools import cached_property
from pathlib import Path
from urllib.parse import urlparse

from jinja2 import Environment, FileSystemLoader
from jupyter_server.base.handlers import APIHandler, JupyterHandler
from jupyter_server.utils import url_path_join
from markupsafe import Markup
from tornado import web

from autograder.course import Assignment, Course, Trouble
from autograder.marking import giving, saved
from autograder.marking.drawing import Drawer
from autograder.marking.questions import Answer, Question, answers, question, questions
from autograder.recording.gradebook import full_names, is_released
from autograder.words import amount

HERE = Path(__file__).parent
ROOT = r"/autograder/mark"
PART = r"/([^/]+)"
DRAWER, COURSE = "autograder_drawer", "autograder_course"  # in the server's settings
POLICY = (
    "default-src 'none'; script-src 'nonce-{0}'; style-src 'nonce-{0}'; img-src data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS = {"Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "Cross-Origin-Opener-Policy": "same-origin"}
MOST_STEPS = 41  # numbers of points that are shown as a row to choose from

templates = Environment(loader=FileSystemLoader(HERE / "templates"), autoescape=True, trim_blocks=True)
templates.filters["amount"] = amount


def add_to(serverapp) -> None:
    """Adds the pages to a Jupyter server, for the course that its folder lies in."""
    application = serverapp.web_app
    application.settings |= {COURSE: Path(serverapp.root_dir), DRAWER: Drawer()}
    base = application.settings["base_url"]
    pages = [
        (ROOT, Overview),
        (ROOT + PART, Overview),
        (ROOT + PART + PART, Page),
        (ROOT + PART + PART + "/state", State),
        (ROOT + PART + PART + "/saved", Saved),
        (ROOT + PART + PART + "/answer" + PART, Mark),
    ]
    application.add_handlers(".*$", [(url_path_join(base, pattern) + "/?", handler) for pattern, handler in pages])


class OfCourse:
    """What all requests need: the course, and one line where something cannot be done."""

    @cached_property
    def course(self) -> Course:
        """Read anew for each request: a teacher may change it meanwhile."""
        return Course.find(self.settings[COURSE])

    @cached_property
    def nonce(self) -> str:
        return secrets.token_urlsafe(16)

    @property
    def content_security_policy(self) -> str:
        return POLICY.format(self.nonce)

    def set_default_headers(self) -> None:
        super().set_default_headers()
        for name, value in HEADERS.items():
            self.set_header(name, value)

    def asked(self, unit: str, name: str) -> tuple[Assignment, Question]:
        assignment = self.course.assignment(unit)
        return assignment, question(assignment, name)


class HtmlHandler(OfCourse, JupyterHandler):
    """A page, or the line that says why there is none."""

    def show(self, template: str, **about) -> None:
        text = {name: Markup((HERE / "static" / f"mark.{name}").read_text(encoding="utf-8")) for name in ("css", "js")}
        home = url_path_join(self.base_url, ROOT)
        self.xsrf_token  # noqa: B018  (sets the cookie)
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(templates.get_template(template).render(nonce=self.nonce, home=home, **text, **about))

    def write_error(self, status_code: int, **kwargs) -> None:
        error = kwargs.get("exc_info", (None, None))[1]
        line = str(error) if isinstance(error, Trouble) else f"{status_code}: {self._reason}"
        self.set_status(404 if isinstance(error, Trouble) else status_code)
        self.show("trouble.html.j2", line=line)

    def log_exception(self, kind, value, traceback) -> None:
        if not isinstance(value, Trouble):
            super().log_exception(kind, value, traceback)


class Overview(HtmlHandler):
    """The units that have something to mark, or one of them, with how much of it is done."""

    @web.authenticated
    def get(self, unit: str = "") -> None:
        chosen = [self.course.assignment(unit)] if unit else self.course.assignments()
        found = {each: questions(each) for each in chosen if unit or is_released(each)}
        if unit and len(one := found[chosen[0]]) == 1:
            self.redirect(url_path_join(self.base_url, ROOT, chosen[0].name, one[0].name))
            return
        rows = [(each.name, asked) for each, those in found.items() for asked in those]
        self.show("overview.html.j2", rows=rows, unit=chosen[0].name if unit else "")


class Page(HtmlHandler):
    """One question with everybody's answers."""

    @web.authenticated
    async def get(self, unit: str, name: str) -> None:
        assignment, asked = self.asked(unit, name)
        seed, named = self.get_argument("seed", ""), self.get_argument("names", "") == "1"
        those = answers(assignment, asked, seed)
        texts = [*asked.asks, *([asked.rubric] if asked.rubric else [])]
        drawn = list(map(Markup, await self.settings[DRAWER].draw([*texts, *(each.cell for each in those)])))
        names = full_names(assignment.course) if named else {}
        self.show(
            "question.html.j2",
            unit=assignment.name,
            question=asked,
            steps=_steps(asked),
            asks=drawn[: len(asked.asks)],
            rubric=drawn[len(asked.asks)] if asked.rubric else None,
            answers=list(zip(those, map(_said, those), drawn[len(texts) :], strict=True)),
            saved=json.dumps(saved.of(assignment, asked.name)),
            who=lambda student: f"{names[student]} ({student})" if student in names else student,
            named=named,
            seed=seed,
        )


def _steps(asked: Question) -> list[float]:
    """The points to choose from; none where a number has to be written."""
    count = int(asked.most / asked.step) + 1
    return [place * asked.step for place in range(count)] if count <= MOST_STEPS else []


def _said(answer: Answer) -> dict:
    """What the page's script knows of an answer's mark."""
    place = answer.place
    return {
        "points": place.points,
        "waits": place.waits,
        "earlier": place.earlier,
        "comment": place.comment,
        "version": answer.version,
        "answer": answer.digest,
    }


class Requests(OfCourse, APIHandler):
    """What the page's script asks for. All of it is JSON, and what goes wrong is one line in it."""

    def prepare_to_write(self) -> object:
        """The request's content, if it comes from a page of this server."""
        origin, site = self.request.headers.get("Origin"), self.request.headers.get("Sec-Fetch-Site")
        if (origin and urlparse(origin).netloc != self.request.host) or site not in (None, "same-origin"):
            raise web.HTTPError(403, "A request from another page.")
        if self.request.headers.get("Content-Type", "").partition(";")[0].strip() != "application/json":
            raise web.HTTPError(415, "Not JSON.")
        return self.get_json_body()

    def say(self, content: object, status: int = 200) -> None:
        self.set_status(status)
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps(content))

    def write_error(self, status_code: int, **kwargs) -> None:
        error = kwargs.get("exc_info", (None, None))[1]
        if isinstance(error, Trouble):
            status_code = 400 if isinstance(error, giving.Refused) else 503
        self.say({"message": str(error) if isinstance(error, Trouble) else self._reason}, status_code)

    def log_exception(self, kind, value, traceback) -> None:
        if not isinstance(value, Trouble):
            super().log_exception(kind, value, traceback)


class State(Requests):
    """Everybody's marks as they stand now: another teacher may give some, too."""

    @web.authenticated
    def get(self, unit: str, name: str) -> None:
        assignment, asked = self.asked(unit, name)
        marks = {each.place.id: _said(each) for each in answers(assignment, asked)}
        self.say({"marks": marks, "saved": saved.of(assignment, asked.name)})


class Mark(Requests):
    """One mark. 409 says that another one stands there than the page had, and which."""

    @web.authenticated
    def put(self, unit: str, name: str, its: str) -> None:
        body = self.prepare_to_write()
        assignment, asked = self.asked(unit, name)
        try:
            self.say(_said(giving.give(assignment, asked, its, giving.Wish.of(body, asked))))
        except giving.Overtaken as overtaken:
            self.say(_said(overtaken.answer), 409)


class Saved(Requests):
    """Comments to use again: one more, or one less."""

    @web.authenticated
    def put(self, unit: str, name: str) -> None:
        body = self.prepare_to_write()
        assignment, asked = self.asked(unit, name)
        add, remove = (body.get(what, "") if isinstance(body, dict) else "" for what in ("add", "remove"))
        if not isinstance(add, str) or not isinstance(remove, str) or not (add.strip() or remove):
            raise giving.Refused("A saved comment is text.")
        self.say(saved.change(assignment, asked.name, add, remove))
