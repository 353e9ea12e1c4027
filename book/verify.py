"""Check the finished book: nothing outside is asked for, nothing is missing, nothing is too heavy or too slow.

A book that is broken offline looks fine where it was built, so this is the last step of every build.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from bs4 import BeautifulSoup

from book import browser
from book.serving import served, weight

HEAVIEST_PAGE = 1_200_000  # bytes, everything it loads at first, compressed
SLOWEST_PAINT = 2000  # milliseconds, in the profile of `browser`
LARGEST_SHIFT = 0.01  # nothing jumps; a formula settles by a pixel or two when its fonts have come
LOADING = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "object": "data",
    "link": "href",
}
NO_TEXT = ["script", "style", "pre", "code"]
NOT_LOADED = {"next", "prev", "search", "canonical"}
ADDRESS_IN_STYLE = re.compile(r"url\(\s*[\"']?([^\"')]+)|@import\s+[\"']([^\"']+)")
OUTSIDE = re.compile(r"(https?:)?//")


@dataclass
class PageReport:
    """What is known of one page. `first_paint` is None if no browser measured it."""

    name: str
    bytes: int
    problems: list[str]
    first_paint: float | None = None
    shift: float | None = None


def check_book(folder: Path, expected: list[str], running=None) -> list[PageReport]:
    """A report for each page, first those that should be there; measured as a phone has it, if a browser is running."""
    names = dict.fromkeys([*expected, *sorted(path.stem for path in folder.glob("*.html"))])
    reports = [check_page(folder / f"{name}.html") for name in names]
    with served(folder) as address:
        for report in reports if running else []:
            if (folder / f"{report.name}.html").exists():
                _measure(running, f"{address}/{report.name}.html", report)
    for report in reports:
        if report.bytes > HEAVIEST_PAGE:
            report.problems.append(f"weighs {report.bytes / 1000:.0f} kB, more than {HEAVIEST_PAGE // 1000}")
    return reports


def check_page(path: Path) -> PageReport:
    """What the page's text alone tells. Its weight is its own and that of the local files it names, compressed."""
    if not path.exists():
        return PageReport(path.stem, 0, ["is missing"])
    page = BeautifulSoup(path.read_text("utf-8"), "html.parser")
    addresses = loaded_addresses(page)
    local = {path.parent / address.partition("?")[0] for address in addresses if not OUTSIDE.match(address)}
    problems = [f"asks another server for {address}" for address in addresses if OUTSIDE.match(address)]
    problems += [f"asks for {file.name}, which is not there" for file in sorted(local) if not file.exists()]
    for sheet in (file for file in sorted(local) if file.suffix == ".css" and file.exists()):
        problems += [f"{sheet.name} asks another server for {found}" for found in outside_in_style(sheet)]
    problems += unset_formulas(page, local) + torn_formulas(page) + pictures_without_words(page)
    heavy = weight(path) + sum(weight(file) for file in local if file.exists())
    return PageReport(path.stem, heavy, problems)


def loaded_addresses(page: BeautifulSoup) -> list[str]:
    """What a browser loads because the page names it. Links to follow are not loaded; data: is in the page."""
    found = []
    for tag in page.find_all(list(LOADING)):
        address = tag.get(LOADING[tag.name])
        if address and not address.startswith("data:") and not NOT_LOADED.intersection(tag.get("rel", [])):
            found.append(address)
    return found


def outside_in_style(sheet: Path) -> list[str]:
    """Outside addresses in a style sheet."""
    matches = ADDRESS_IN_STYLE.findall(sheet.read_text("utf-8"))
    return [first or second for first, second in matches if OUTSIDE.match(first or second)]


def unset_formulas(page: BeautifulSoup, local: set[Path]) -> list[str]:
    """One problem if the page has formulas as raw TeX and no local script that would set them."""
    has_script = any("mathjax" in file.parts and file.exists() for file in local)
    raw = [node for node in page.select(".math") if not node.find("mjx-container")]
    return [f"shows {len(raw)} formulas as raw TeX"] if raw and not has_script else []


def torn_formulas(page: BeautifulSoup) -> list[str]:
    """One problem for each dollar sign in running text: Markdown has made something else of a formula's middle.

    A line that begins with + or - in a formula, for one, begins a list.
    """
    dollars = [text for text in page.find_all(string=re.compile(r"\$")) if not text.find_parent(NO_TEXT)]
    return [f"shows a formula as it was written: {text[max(text.find('$'), 0) :].strip()[:40]}" for text in dollars]


def pictures_without_words(page: BeautifulSoup) -> list[str]:
    """One problem for each picture without a text for those who cannot see it (a file's name is none)."""
    silent = [picture["src"] for picture in page.find_all("img") if _says_nothing(picture.get("alt", ""))]
    advice = "give its cell the metadata `mystnb: {image: {alt: …}}`"
    return [f"has a picture without words ({Path(source).name[:12]}…): {advice}" for source in silent]


def _says_nothing(words: str) -> bool:
    return not words.strip() or words.endswith((".png", ".svg", ".jpg"))


def _measure(running, address: str, report: PageReport) -> None:
    visit = browser.visit(running, address)
    report.bytes, report.first_paint, report.shift = visit.bytes, visit.first_paint, visit.shift
    report.problems += [f"asked another server for {address}" for address in visit.outside]
    report.problems += [f"in the browser: {error}" for error in visit.errors]
    if visit.first_paint < 0:
        report.problems.append("shows nothing")
    if visit.first_paint > SLOWEST_PAINT:
        report.problems.append(f"shows after {visit.first_paint:.0f} ms, later than {SLOWEST_PAINT}")
    if visit.shift > LARGEST_SHIFT:
        report.problems.append(f"moves while it loads: its layout shift is {visit.shift:.3f}")
