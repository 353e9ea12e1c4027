"""What a student wrote cannot act on the page that marks it, and no other page can ask its server for anything."""

import re
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar

import marking_class
import pytest
from marking_class import QUESTION, standing

HARM = {
    "script": "<script>owned()</script>",
    "handler": '<img src="x" onerror="owned()">',
    "svg": '<svg onload="owned()"><script>owned()</script><a xlink:href="javascript:owned()">x</a></svg>',
    "frame": '<iframe srcdoc="<script>parent.owned()</script>"></iframe><object data="x"></object><embed src="x">',
    "address": '<a href="javascript:owned()">mark me</a> [mark me](javascript:owned())',
    "hidden address": '<a href="&#106;ava&#9;script:owned()">mark me</a>',
    "data address": '<a href="data:text/html,<script>opener.owned()</script>">mark me</a>',
    "form": '<form action="../answer/1"><input name="points" value="4"><button autofocus>4</button></form>',
    "refresh": '<meta http-equiv="refresh" content="0;url=http://elsewhere.invalid/"><base href="//elsewhere.invalid">',
    "style": "<style>* { display: none !important }</style><link rel=stylesheet href=http://elsewhere.invalid/a.css>",
    "overlay": '<div style="position:fixed;inset:0;background:white;z-index:9">nothing to see</div>',
    "picture elsewhere": '<img src="http://elsewhere.invalid/seen.png"> ![x](http://elsewhere.invalid/seen.png)',
    "picture by style": '<p style="background:url(http://elsewhere.invalid/seen.png)">x</p>',
    "picture as svg": '<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9Im93bmVkKCkiLz4=">',
    "the page's own parts": '<p id="mark-news" class="mark-conflict" data-do="undo">x</p><h1 id="mark-bar">x</h1>',
    "clobbering": '<a id="page" name="marks">x</a><img name="fetch"><h2 id="most">x</h2>',
    "formula with an address": r"$\mmlToken{mi}[href='javascript:owned()' style='position:fixed' id='mark-news']{x}$",
    "formula with a link": r"$\href{javascript:owned()}{x}$ $\require{html}\style{position:fixed}{x}$",
    "formula for others": r"$\def\frac{\beta}\let\alpha=\omega \alpha$",
    "huge formula": r"$$\rule{5000em}{5000em}\kern-9000em x$$",
    "templates": "{{ constructor.constructor('owned()')() }} ${owned()} {% raw %}",
    "close the box": '</div></article></main><p data-do="all">out</p><!-- --!><script>owned()</script>',
    "close the attribute": "\" onfocus=owned() autofocus x=\"' onfocus=owned() autofocus '",
    "right to left": "\u202e\u2066 4 of 4 \u202e",
    "long word": "x" * 50_000,
    "attachment that is a page": "![x](attachment:a)",
}
CELLS = {
    "attachment that is a page": {
        "source": HARM["attachment that is a page"],
        "attachments": {"a": {"text/html": "PHNjcmlwdD5vd25lZCgpPC9zY3JpcHQ+"}},
    }
}
PATIENCE = 180_000  # milliseconds, on a machine with other work, too
LOOK = "window.owned = () => { window.stolen = true };"


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    answers = {f"s{number}": CELLS.get(name, text) for number, (name, text) in enumerate(HARM.items())}
    return marking_class.made(tmp_path_factory.mktemp("attacks"), answers | {"honest": r"$\frac{1}{6}$ and $\alpha$"})


@pytest.fixture(scope="module")
def address(assignment, tmp_path_factory):
    with marking_class.served(assignment, tmp_path_factory.mktemp("log") / "log", "--port=8931") as found:
        yield found


@pytest.mark.browser
def test_nothing_of_it_acts(assignment, chromium, address):
    context = chromium.new_context()
    context.add_init_script(LOOK)
    page, asked, noise = context.new_page(), [], []
    page.set_default_timeout(PATIENCE)
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda said: said.type == "error" and noise.append(said.text))
    page.on("pageerror", lambda error: noise.append(str(error)))
    page.goto(address)
    page.wait_for_selector("#mark-count:not(:empty)")
    page.keyboard.press("b")
    inside = page.locator(".mark-wrote")
    assert inside.count() == len(HARM) + 1
    for wrong in ("script, style, iframe, form, input, button, svg, object, embed, base, meta, link", "[id], [name]"):
        assert page.locator(f":is({', '.join(f'.mark-wrote {one}' for one in wrong.split(', '))})").count() == 0
    assert page.locator(".mark-wrote [style], .mark-wrote [class], .mark-wrote [data-do]").count() == 0
    own_page = address.partition("?")[0].rsplit("/autograder", 1)[0]
    for box in inside.all():
        for link in box.locator("a").all():
            assert re.match(r"https?:|mailto:", link.get_attribute("href") or "http:")
        width, height = box.evaluate("(e) => [e.getBoundingClientRect().width, e.getBoundingClientRect().height]")
        assert width <= 1280 and height <= 0.56 * 720, "it stays in its box"
    assert page.evaluate("window.stolen") is None
    assert [url for url in asked if not url.startswith((own_page, "data:"))] == []
    assert noise == []
    assert page.inner_text("#mark-count") == f"0 of {len(HARM) + 1} marked", "no mark was given"
    assert {standing(assignment, f"s{number}") for number in range(len(HARM))} == {(None, True, None)}
    context.close()


@pytest.mark.browser
def test_what_would_slip_through_the_cleaning_does_not_run_either(chromium, address):
    """The same page with harm put past the filter: the browser was told what may run there."""
    context = chromium.new_context()
    context.add_init_script(LOOK)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    harm = (
        "<script>owned()</script><img src=x onerror=owned()><a id=go href='javascript:owned()' target=_self>go</a>"
        "<iframe srcdoc='<script>parent.owned()</script>'></iframe><p id=over style='position:fixed'>x</p>"
        "<img src='http://elsewhere.invalid/a.png'>"
        "<form action='http://elsewhere.invalid/'><button id=send>x</button></form>"
    )
    asked, stopped = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("requestfailed", lambda request: stopped.append((request.url, request.failure)))

    def unclean(route):
        answer = route.fetch(timeout=PATIENCE)
        body = answer.text().replace('<div class="mark-text mark-wrote"', f'{harm}<div class="mark-text mark-wrote"', 1)
        route.fulfill(response=answer, body=body)

    page.route(re.compile(rf"{QUESTION}\?"), unclean)
    page.goto(address.replace("?", f"/{QUESTION}?"))
    page.wait_for_selector("#mark-count:not(:empty)")
    page.keyboard.press("b")
    assert page.locator("#go").count() == 1, "the harm is there"
    page.click("#go")
    page.click("#send")
    page.wait_for_timeout(500)
    assert page.evaluate("window.stolen") is None
    blocked = [url for url, why in stopped if "csp" in why.lower()]
    assert [url for url in asked if "elsewhere" in url and url not in blocked] == [], (
        "it was stopped before it was sent"
    )
    assert page.locator("#over").evaluate("(e) => getComputedStyle(e).position") == "static"
    with pytest.raises(Exception, match="TrustedHTML|Trusted"):
        page.evaluate("document.body.insertAdjacentHTML('beforeend', '<b>x</b>')")
    context.close()


# --- requests ---------------------------------------------------------------------------------------------------------


class Client:
    """A browser without a window."""

    def __init__(self, address):
        self.url, self.cookies = address.partition("?")[0], CookieJar()
        self._open = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies), Stay())
        self.token = urllib.parse.urlparse(address).query

    def ask(self, path="", method="GET", body=None, **headers):
        """Status, headers and text."""
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(self.url + path, body, headers, method=method)
        try:
            with self._open.open(request, timeout=180) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as answer:
            return answer.code, answer.headers, answer.read().decode()

    def log_in(self):
        assert self.ask(f"/{QUESTION}?{self.token}")[0] == 200
        return next(cookie.value for cookie in self.cookies if cookie.name == "_xsrf")


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


@pytest.fixture
def client(address):
    return Client(address)


def target(client) -> str:
    its = re.search(r'data-id="(\w+)"', client.ask(f"/{QUESTION}")[2])[1]
    return f"/{QUESTION}/answer/{its}"


JSON = {"Content_Type": "application/json"}
GOOD = b'{"version": "x", "points": 4, "comment": ""}'


def test_who_has_no_token_sees_and_writes_nothing(client):
    for path in ("", f"/{QUESTION}", f"/{QUESTION}/state"):
        status, _, text = client.ask(path)
        assert status in (302, 403) and "Because no throw" not in text
    assert client.ask(f"/{QUESTION}/answer/1", "PUT", GOOD, Content_Type="application/json")[0] == 403
    assert client.ask(f"/{QUESTION}?token=wrong")[0] in (302, 403)


def test_a_forged_request_is_refused(client):
    xsrf, its = client.log_in(), target(client)
    json = {"Content_Type": "application/json"}
    assert client.ask(its, "PUT", GOOD, **json)[0] == 403, "without the token of the page"
    assert client.ask(its, "PUT", GOOD, X_XSRFToken="wrong", **json)[0] == 403
    for foreign in ("http://elsewhere.invalid", "null", "http://127.0.0.1:1"):
        assert client.ask(its, "PUT", GOOD, X_XSRFToken=xsrf, Origin=foreign, **json)[0] in (403, 404)
    assert client.ask(its, "PUT", GOOD, X_XSRFToken=xsrf, Sec_Fetch_Site="same-site", **json)[0] == 403
    assert client.ask(its, "PUT", GOOD, X_XSRFToken=xsrf, Content_Type="text/plain")[0] == 415
    assert client.ask(its, "PUT", GOOD, X_XSRFToken=xsrf, **json)[0] == 409, "what is right arrives"
    assert client.ask(its, "POST", GOOD, X_XSRFToken=xsrf, **json)[0] == 405


def test_another_name_of_this_machine_is_refused(client):
    """A page elsewhere may let its own name mean this machine."""
    client.log_in()
    for path in (f"/{QUESTION}", f"/{QUESTION}/state"):
        assert client.ask(path, Host="elsewhere.invalid")[0] == 403


def test_the_headers_say_what_may_run_and_who_may_frame(client):
    client.log_in()
    policies = []
    for _ in range(2):
        _, headers, text = client.ask(f"/{QUESTION}")
        policy = headers["Content-Security-Policy"]
        nonce = re.search(r"script-src 'nonce-([\w-]+)'", policy)[1]
        assert text.count(f'<script nonce="{nonce}">') == text.count("<script") == 1
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
        assert headers["Referrer-Policy"] == "no-referrer" and headers["X-Content-Type-Options"] == "nosniff"
        policies.append(nonce)
    assert policies[0] != policies[1]


@pytest.mark.parametrize("path", ["/api/contents", "/api/kernels", "/api/terminals", "/lab", "/formgrader", "/tree"])
def test_the_server_serves_nothing_else(client, path):
    client.log_in()
    client.url = client.url.rsplit("/autograder", 1)[0]
    assert client.ask(path)[0] == 404


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b'{"version": 1}', b'{"version": "x", "points": NaN, "comment": ""}']
)
def test_nonsense_is_refused_in_a_line(client, body):
    xsrf, its = client.log_in(), target(client)
    status, _, text = client.ask(its, "PUT", body, X_XSRFToken=xsrf, Content_Type="application/json")
    assert status == 400 and "Traceback" not in text and text.count("\n") == 0


HALF = [
    ("", b'{"version": "x", "points": 4, "comment": "\\ud800"}'),
    ("/saved", b'{"add": "a\\udfff"}'),
    ("/saved", b'{"remove": "\\ud800"}'),
]


@pytest.mark.parametrize(("where", "body"), HALF, ids=["comment", "saved", "taken away"])
def test_half_a_letter_is_refused_in_a_line(client, where, body):
    xsrf, its = client.log_in(), target(client)
    status, _, text = client.ask(f"/{QUESTION}{where}" if where else its, "PUT", body, X_XSRFToken=xsrf, **JSON)
    assert status == 400 and "Half a letter" in text


@pytest.mark.parametrize("path", ["/nothing", "/%3Cscript%3Eowned()", "/..%2f..%2fetc"])
def test_a_question_that_is_not_there_is_told(client, path):
    client.log_in()
    status, headers, text = client.ask(path)
    assert status == 404 and "has no question" in text and "<script>owned" not in text
    assert "script-src 'nonce-" in headers["Content-Security-Policy"]
