"""A login at the marking server is good for that server alone, and its token stands in no log."""

import http.client
import re
from contextlib import closing
from urllib.parse import urlparse

import marking_class
import pytest
from marking_class import QUESTION

PORT = 8936
PATIENCE = 180_000  # milliseconds, on a machine with other work, too


class Served:
    """A server's address, what it has logged, and the login cookie that it gave as `(name, value, attributes)`."""

    def __init__(self, address, log):
        self.address, self.log = address, log
        self.token = urlparse(address).query.removeprefix("token=")
        _, found = self.ask(f"/{QUESTION}?token={self.token}")
        login = next(each for each in found if not each.startswith("_xsrf"))
        self.name, self.value, self.about = re.fullmatch(r"([^=]+)=([^;]+);(.*)", login).groups()

    def ask(self, path="", cookie=""):
        """Status, and the cookies that the answer sets."""
        headers = {"Cookie": cookie, "Referer": self.address}
        with closing(http.client.HTTPConnection("127.0.0.1", PORT, timeout=180)) as link:
            link.request("GET", urlparse(self.address).path + path, headers=headers)
            with link.getresponse() as answer:
                answer.read()
                return answer.status, answer.msg.get_all("Set-Cookie") or []


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    return marking_class.made(tmp_path_factory.mktemp("login"), {"ada": "honest"})


@pytest.fixture(scope="module")
def ended(assignment, tmp_path_factory):
    log = tmp_path_factory.mktemp("log") / "log"
    with marking_class.served(assignment, log, f"--port={PORT}") as address:
        return Served(address, log)


@pytest.fixture(scope="module")
def running(ended, assignment, tmp_path_factory):
    log = tmp_path_factory.mktemp("log") / "log"
    with marking_class.served(assignment, log, f"--port={PORT}") as address:
        yield Served(address, log)


def test_a_login_ends_with_its_server(ended, running):
    assert running.ask(f"/{QUESTION}", f"{running.name}={running.value}")[0] == 200
    for name in (ended.name, running.name):
        assert running.ask(f"/{QUESTION}", f"{name}={ended.value}")[0] in (302, 403)


def test_the_cookie_is_the_browsers_alone_and_kept_on_no_disk(running):
    about = running.about.lower()
    assert "samesite=strict" in about and "httponly" in about and "expires" not in about and "max-age" not in about


@pytest.mark.parametrize("path", ["/nothing", "/nothing/nowhere/at/all", "/%ff", f"/{QUESTION}/state", ""])
def test_the_token_stands_in_no_line_of_the_log(running, path):
    running.ask(f"{path}?token={running.token}")
    running.ask(f"{path}?token={running.token}&names=%ff&seed=%00")
    lines = running.log.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if running.token in line] == [f"Open {running.address}"]


@pytest.mark.browser
def test_a_page_elsewhere_leads_there_with_the_token_and_takes_the_login_nowhere(chromium, running, tmp_path):
    """As Jupyter opens a browser: by a file that leads on to the address; and then to another port of this machine."""
    context = chromium.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    start = tmp_path / "open.html"
    start.write_text(f"<script>location = '{running.address}'</script>", encoding="utf-8")
    page.goto(start.as_uri())
    page.wait_for_selector("#mark-count:not(:empty)")
    assert page.url.endswith(f"/{QUESTION}"), "it is logged in, with no token in the address"
    sent = []
    page.on("request", lambda asked: asked.is_navigation_request() and sent.append(asked.all_headers()))
    start.write_text(f"<script>location = '{running.address.partition('?')[0]}/{QUESTION}'</script>", encoding="utf-8")
    page.goto(start.as_uri())
    page.wait_for_selector("input[type=password]")
    assert running.name not in str(sent)
    context.close()
