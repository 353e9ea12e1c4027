"""Open a page in Chromium with everything but this machine blocked, and say what it weighed and how soon it showed.

The profile is that of Lighthouse for phones: a small screen, a processor slowed down four times, a slow 4G line.
Playwright is a test dependency and Chromium a system package, so both may be missing: then nothing is measured.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",  # nothing but this machine is reached
)
INSIDE = ("file:", "blob:", "data:", "http://127.0.0.1:")
PHONE = {"viewport": {"width": 412, "height": 823}, "device_scale_factor": 1.75, "is_mobile": True, "has_touch": True}
SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}  # bytes/s
SLOWER_PROCESSOR = 4
NOTE_SHIFTS = """
globalThis.shifts = [];
new PerformanceObserver((list) => globalThis.shifts.push(...list.getEntries().map((entry) => entry.value)))
  .observe({ type: "layout-shift", buffered: true });
"""
SHIFT = "globalThis.shifts.reduce((sum, value) => sum + value, 0)"
FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
PATIENCE = 20_000  # milliseconds: on a busy machine a page is quiet before it is painted


@dataclass
class Visit:
    """What happened while a page was open."""

    bytes: int = 0  # that went over the line, compressed
    first_paint: float = -1.0  # milliseconds; -1 if nothing was painted
    shift: float = 0.0  # how much of the page moved while it loaded (cumulative layout shift)
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
    """Record a Playwright page's requests to the outside, which reach nothing, and its errors, from now on."""
    visit = Visit()

    def note(request) -> None:
        if not request.url.startswith(INSIDE):
            visit.outside.append(request.url)

    page.on("request", note)
    page.on("requestfailed", lambda request: visit.errors.append(f"could not load {request.url}"))
    page.on("pageerror", lambda error: visit.errors.append(str(error)))
    page.on("console", lambda said: visit.errors.append(said.text) if said.type == "error" else None)
    return visit


def visit(browser, address: str) -> Visit:
    """Open a served page as a slow phone does, wait until it is quiet, and close it."""
    from playwright.sync_api import TimeoutError

    context = browser.new_context(**PHONE)
    page = context.new_page()
    result = watch(page)
    page.add_init_script(NOTE_SHIFTS)
    slow_down(context.new_cdp_session(page), result)
    page.goto(address, wait_until="networkidle", timeout=3 * PATIENCE)
    with suppress(TimeoutError):  # where nothing is ever painted
        result.first_paint = page.wait_for_function(FIRST_PAINT, timeout=PATIENCE).json_value()
    result.shift = page.evaluate(SHIFT)
    context.close()
    return result


def slow_down(session, visit: Visit) -> None:
    """Give a page the phone's processor and line, and count what comes over it."""

    def count(event: dict) -> None:
        visit.bytes += int(event["encodedDataLength"])

    session.on("Network.loadingFinished", count)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW_4G)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER_PROCESSOR})


def _program() -> str | None:
    return next(filter(None, map(shutil.which, PROGRAMS)), None)
