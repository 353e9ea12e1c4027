"""Write all pages of the book that are no unit, into the folder that Jupyter Book reads.

Each page is a Markdown text beside this file. What stands in it between double braces is made when the book is built,
from what the course itself keeps: results, registry, guides, start page. So a page cannot say what is no longer true.
"""

import re
import tomllib
from importlib.metadata import metadata
from pathlib import Path

import jinja2
import nbformat
from nbformat import NotebookNode

from autograder.course import Course
from book.pages import drawings, guides, words
from book.pages import ladder as results
from book.pages.front import front_page
from book.pages.unit_map import drawn, stops

HERE = Path(__file__).parent
TEXTS = ("begin", "map", "ladder", "notation", "glossary", "teaching", "authoring")
GUIDES = {"teaching": "TEACHING.md", "authoring": "CONTRIBUTING.md"}  # pages, and what they are made of
OF_AN_AUTHOR = ["How a unit is made", "How a unit is proved", "The house and its words", "Rules"]
HEADINGS = {"shakespeare": "Shakespeare", "names": "Names", "distinct names": "Names, each once"}
PHRASES = {"num2words": "Numbers in words, in several languages", "babel": "Dates, from Unicode's locale data"}
TRAINED = {
    "assets/tagging/vectors.npz": "Word vectors, by skip-gram with negative sampling",
    "assets/bert/small/model.safetensors": "A small BERT; its card says what it reached. Licence: CC BY 4.0",
}
WITH_CURVES = "shakespeare"  # the text of which models were trained on ever more


def write_pages(course: Course, notebooks: dict[str, NotebookNode], folder: Path) -> None:
    """The front page and TEXTS, each a file in `folder`, and their figures in `folder`/figures."""
    nbformat.write(front_page(notebooks), folder / "index.ipynb")
    for name in TEXTS:
        (folder / f"{name}.md").write_text(written(name, course, folder), "utf-8")


def data_tail(course: Course) -> str:
    """What stands below the registry's data sets on their page: what is made, what was trained, our own licence."""
    return written("data_tail", course, course.root)


def written(name: str, course: Course, folder: Path) -> str:
    """The finished Markdown of one page; its figures are drawn into `folder`."""
    loader = jinja2.FileSystemLoader(HERE)
    pages = jinja2.Environment(loader=loader, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    units = Units(course)
    known = {"unit": units.link, **MADE.get(name, lambda *given: {})(course, units, folder)}
    return pages.get_template(f"{name}.md").render(known) + "\n"


class Units:
    """The book's units by their short names."""

    def __init__(self, course: Course):
        self.stops = {stop.name: stop for stop in stops(course)}

    def link(self, name: str) -> str:
        """`[unit 1](01_ngrams)`, or the bare name where the book lacks the unit."""
        stop = self.stops.get(name)
        return f"[unit {int(stop.page[:2])}]({stop.page}.ipynb)" if stop else name

    def title(self, name: str) -> str:
        """The same with the unit's title."""
        stop = self.stops.get(name)
        return f"[{stop.title}]({stop.page}.ipynb)" if stop else name


# --- what each page is told ------------------------------------------------------------------------------------------


def _begin(course: Course, units: Units, folder: Path) -> dict:
    project = tomllib.loads((course.root / "course" / "pyproject.toml").read_text("utf-8"))["project"]
    lowest = re.search(r">=\s*([\d.]+)", project["requires-python"])
    return {"python": f"{lowest[1]} or newer"}


def _map(course: Course, units: Units, folder: Path) -> dict:
    return {"map": drawn(list(units.stops.values()))}


def _ladder(course: Course, units: Units, folder: Path) -> dict:
    ladder = results.read(course.root / "assets" / "ladder", list(units.stops))
    texts = [_text(ladder, name, about, units, folder) for name, about in ladder.texts.items() if ladder.of(name)]
    elsewhere = results.elsewhere_table(ladder) if ladder.elsewhere() else ""
    told = {"texts": texts, "elsewhere": elsewhere, "devices": "; ".join(ladder.devices), "headings": HEADINGS}
    return told | {"number": results.number}


def _text(ladder: results.Ladder, name: str, about: dict, units: Units, folder: Path) -> dict:
    """What the page is told of one text: its figures are drawn here."""
    rungs = ladder.of(name)
    leaks = (f"{100 * share:.1f} % of {part}" for part, share in about.get("leak", {}).items() if share)
    told = {"name": name, **about, "leak": " and ".join(leaks)}
    told |= {"part": results.PARTS[rungs[-1].part], "best": rungs[-1]}
    told |= {"best_net": next((rung for rung in rungs[::-1] if rung.is_net), rungs[-1])}
    told |= {"rung_table": results.rung_table(ladder, name, units.link), "sizes": "", "times": ""}
    told["rungs"] = _figure(
        drawings.draw_rungs,
        ladder,
        name,
        folder,
        "A dot a rung; its form says which unit made it, hollow ones are published.",
    )
    if name == WITH_CURVES and ladder.by_size(name):
        told["sizes"] = _figure(
            drawings.draw_sizes, ladder, name, folder, "The same models on more and more of the text."
        )
        told["size_table"] = results.size_table(ladder, name)
    if name == WITH_CURVES and any(rung.processor for rung in rungs):
        told["times"] = _figure(
            drawings.draw_times, ladder, name, folder, "What a training costs, and what it reaches."
        )
        told["time_table"] = results.time_table(ladder, name)
    return told


def _figure(draw, ladder: results.Ladder, text: str, folder: Path, caption: str) -> str:
    """Draw a figure into the folder; the directive that shows it."""
    file = folder / "figures" / f"{draw.__name__.removeprefix('draw_')}-{text.replace(' ', '-')}.png"
    alt = draw(ladder, text, file)
    return f"```{{figure}} figures/{file.name}\n:alt: {alt}\n\n{caption}\n```\n"


def _notation(course: Course, units: Units, folder: Path) -> dict:
    groups = [{**group, "table": words.symbol_table(group, units.link)} for group in words.notation()]
    return {"groups": groups}


def _glossary(course: Course, units: Units, folder: Path) -> dict:
    return {"terms": words.term_list(units.link)}


def _teaching(course: Course, units: Units, folder: Path) -> dict:
    file = course.root / GUIDES["teaching"]
    return {"commands": guides.commands(file), "guide": guides.guide(file)}


def _authoring(course: Course, units: Units, folder: Path) -> dict:
    return {"guide": guides.guide(course.root / GUIDES["authoring"], OF_AN_AUTHOR)}


def _data_tail(course: Course, units: Units, folder: Path) -> dict:
    licence = (course.root / "LICENSE").read_text("utf-8").partition("\n---")[0]
    packages = [{"name": name, "what": what, **_about(name)} for name, what in PHRASES.items()]
    trained = [
        {"file": name, "what": what, "size": f"{(course.root / name).stat().st_size / 1e6:.1f} MB"}
        for name, what in TRAINED.items()
        if (course.root / name).exists()
    ]
    return {"packages": packages, "trained": trained, "licence": licence.strip()}


def _about(package: str) -> dict:
    """Version and licence, as the installed package states them."""
    found = metadata(package)
    return {"version": found["Version"], "licence": found.get("License-Expression") or found.get("License")}


MADE = {
    "data_tail": _data_tail,
    "begin": _begin,
    "map": _map,
    "ladder": _ladder,
    "notation": _notation,
    "glossary": _glossary,
    "teaching": _teaching,
    "authoring": _authoring,
}
