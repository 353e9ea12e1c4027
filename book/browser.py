"""Open a page in Chromium with everything outside blocked, and say what it weighed and how soon it showed.

Playwright is a test dependency and Chromium a system package, so both may be missing: then nothing is measured.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
INSIDE = ("file:", "blob:", "data:")
FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
PATIENCE = 20_000  # milliseconds: on a busy machine a page is quiet before it is painted


@dataclass
class Visit:
    """What happened while a page was open."""

    bytes: int = 0  # of the page and all the files it loaded, not compressed
    first_paint: float = -1.0  # milliseconds; -1 if nothing was painted
    outside: list[str] = field(default_factory=list)  # addresses it asked for that are not its own files
    errors: list[str] = field(default_factory=list)  # of its scripts, and files it asked for in vain


def missing() -> str | None:
    """What is lacking to measure, in one line, or None."""
    try:
        import playwright  # noqa: F401
    except ModuleNotFoundError:
        return "first paint not measured: the Python package playwright is not installed"
    if not _program():
        return f"first paint not measured: none of {', '.join(PROGRAMS)} is installed"
    return None


@contextmanager
def chromium() -> Iterator:
    """A running Chromium, as Playwright's browser object; None where `missing` says why not."""
    if missing():
        yield None
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_program(), args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


def watch(page) -> Visit:
    """Block and record outside requests of a Playwright page, from now on; note its errors and its weight."""
    visit, counted = Visit(), set()

    def count(request) -> None:
        if request.url.startswith("file:"):
            path = Path(unquote(urlsplit(request.url).path))
            if path.is_file() and path not in counted:
                counted.add(path)
                visit.bytes += path.stat().st_size

    def block(route) -> None:
        visit.outside.append(route.request.url)
        route.abort()

    page.route(lambda address: not address.startswith(INSIDE), block)
    page.on("request", count)
    page.on("requestfailed", lambda request: visit.errors.append(f"could not load {request.url}"))
    page.on("pageerror", lambda error: visit.errors.append(str(error)))
    page.on("console", lambda said: visit.errors.append(said.text) if said.type == "error" else None)
    return visit


def visit(browser, path: Path) -> Visit:
    """Open a page from its file, wait until it is quiet, and close it."""
    from playwright.sync_api import TimeoutError

    page = browser.new_page()
    result = watch(page)
    page.goto(path.resolve().as_uri(), wait_until="networkidle")
    with suppress(TimeoutError):  # where nothing is ever painted
        result.first_paint = page.wait_for_function(FIRST_PAINT, timeout=PATIENCE).json_value()
    page.close()
    return result


def _program() -> str | None:
    return next(filter(None, map(shutil.which, PROGRAMS)), None)
