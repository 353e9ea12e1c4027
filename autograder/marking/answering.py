"""What every page and request under /autograder/mark has: who may see it, what may run in it, how trouble is told.

Jupyter checks the login, the name of the host and, where something is written, the token against forged requests. Here
a request that writes has to come from a page of this server as well. No script runs in a page but its own, which a
nonce names, and that one may not turn text into HTML.
"""

import json
import re
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
from autograder.marking.giving import Refused
from autograder.marking.questions import Question, question
from autograder.words import amount

HERE = Path(__file__).parent
ROOT = "/autograder/mark"
COURSE = "autograder_course"  # in the server's settings: a folder of the course
POLICY = (
    "default-src 'none'; script-src 'nonce-{0}'; style-src 'nonce-{0}'; img-src data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS = {"Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "Cross-Origin-Opener-Policy": "same-origin"}
SCRIPTS = ("marks", "changing", "sending", "comments", "keys")  # in this order: one page's script

templates = Environment(loader=FileSystemLoader(HERE / "templates"), autoescape=True, trim_blocks=True)
templates.filters["amount"] = amount


def _joined(kind: str) -> Markup:
    """All of the page's style, or of its script."""
    parts = [HERE / "static" / f"{name}.{kind}" for name in (SCRIPTS if kind == "js" else ("mark",))]
    return Markup("\n".join(part.read_text(encoding="utf-8") for part in parts))


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
        text = {kind: _joined(kind) for kind in ("css", "js")}
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


class Requests(OfCourse, APIHandler):
    """What the page's script asks for. All of it is JSON, and what goes wrong is one line in it."""

    def prepare_to_write(self) -> object:
        """The request's content, if it comes from a page of this server."""
        origin, site = self.request.headers.get("Origin"), self.request.headers.get("Sec-Fetch-Site")
        if (origin and urlparse(origin).netloc != self.request.host) or site not in (None, "same-origin"):
            raise web.HTTPError(403, "A request from another page.")
        if self.request.headers.get("Content-Type", "").partition(";")[0].strip() != "application/json":
            raise web.HTTPError(415, "Not JSON.")
        body = self.get_json_body()
        if re.search("[\ud800-\udfff]", json.dumps(body, ensure_ascii=False)):
            raise Refused("Half a letter is no text: type it again.")  # no file and no gradebook takes it
        return body

    def say(self, content: object, status: int = 200) -> None:
        self.set_status(status)
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps(content))

    def write_error(self, status_code: int, **kwargs) -> None:
        error = kwargs.get("exc_info", (None, None))[1]
        if isinstance(error, Trouble):
            status_code = 400 if isinstance(error, Refused) else 503
        self.say({"message": str(error) if isinstance(error, Trouble) else self._reason}, status_code)

    def log_exception(self, kind, value, traceback) -> None:
        if not isinstance(value, Trouble):
            super().log_exception(kind, value, traceback)
