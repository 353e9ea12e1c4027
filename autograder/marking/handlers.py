"""The pages under /autograder/mark, and the requests that they make."""

import json
from pathlib import Path
from urllib.parse import quote

from jupyter_server.utils import url_path_join
from markupsafe import Markup
from tornado import web

from autograder.marking import giving, saved
from autograder.marking.answering import COURSE, ROOT, HtmlHandler, Requests
from autograder.marking.drawing import Drawer
from autograder.marking.questions import Answer, Question, answers, questions
from autograder.recording.gradebook import full_names, is_released

PART = r"/([^/]+)"
DRAWER = "autograder_drawer"  # in the server's settings
MOST_STEPS = 41  # numbers of points that are shown as a row to choose from


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


class Overview(HtmlHandler):
    """The units that have something to mark, or one of them, with how much of it is done."""

    @web.authenticated
    def get(self, unit: str = "") -> None:
        chosen = [self.course.assignment(unit)] if unit else self.course.assignments()
        found = {each: questions(each) for each in chosen if unit or is_released(each)}
        if unit and len(one := found[chosen[0]]) == 1:
            place = url_path_join(self.base_url, ROOT, quote(chosen[0].name), quote(one[0].name, safe=""))
            # A redirect would still be the page's that led here, which may be a file, and a strict cookie stay behind.
            self.set_header("Refresh", f"0; url={place}")
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
