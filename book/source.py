"""Write everything Jupyter Book needs into one folder: notebooks, the other pages (see `pages`), static files.

The static files are ours (theme, widget loader) and MathJax's, taken from node_modules, so that no page asks
another server for anything.
"""

import shutil
import tomllib
from pathlib import Path

import nbformat
import yaml
from nbformat import NotebookNode

from autograder.course import Course, Trouble
from book.pages import data_tail, write_pages

HERE = Path(__file__).parent
ASSETS = HERE.parent / "assets" / "book"  # the styles, and the script that draws widgets
MATHJAX = Path("node_modules/mathjax/es5")
MATHJAX_FILES = ("tex-chtml.js", "output/chtml/fonts/woff-v2")


def write_source(course: Course, notebooks: dict[str, NotebookNode], folder: Path) -> None:
    """Fill `folder` anew: one notebook a unit (by its page's name), all other pages, static files."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ASSETS, folder / "static")
    write_pages(course, notebooks, folder)
    registry = course.root / "course" / "unrolled" / "data" / "datasets.toml"
    (folder / "data.md").write_text(data_page(registry) + data_tail(course), "utf-8")
    for page, notebook in notebooks.items():
        nbformat.write(notebook, folder / f"{page}.ipynb")
    copy_mathjax(course.root / MATHJAX, folder / "static" / "mathjax")


def write_toc(settings: Path, toc: Path) -> None:
    """Write the `toc` key of jupyter_book.yml to a file of its own, as Jupyter Book wants it."""
    try:
        contents = yaml.safe_load(settings.read_text("utf-8"))["toc"]
    except (yaml.YAMLError, KeyError, TypeError) as error:
        raise Trouble(f"{settings} has no readable `toc:` key") from error
    toc.parent.mkdir(parents=True, exist_ok=True)
    toc.write_text(yaml.safe_dump(contents, sort_keys=False), "utf-8")


def copy_mathjax(installed: Path, target: Path) -> None:
    """Copy the one script and the fonts that formulas need. Nothing to copy is no error here: see `missing`."""
    for name in MATHJAX_FILES:
        found = installed / name
        if found.is_dir():
            shutil.copytree(found, target / name)
        elif found.is_file():
            target.mkdir(parents=True, exist_ok=True)
            shutil.copy(found, target / name)


def missing(root: Path) -> str | None:
    """One line that says what the book will lack, or None."""
    if not all((root / MATHJAX / name).exists() for name in MATHJAX_FILES):
        return "node_modules is missing or incomplete: formulas stay raw TeX. Run `npm ci`, then build again."
    if shutil.which("node") is None:
        return "node is missing: formulas are set in the reader's browser, and their pages weigh 1.2 MB more."
    return None


def data_page(registry: Path) -> str:
    """The page on data sets and their licences, from the registry that the course itself loads them by."""
    data_sets = tomllib.loads(registry.read_text("utf-8"))
    sections = (_section(name, entry) for name, entry in sorted(data_sets.items()))
    return (HERE / "data_head.md").read_text("utf-8") + "".join(f"\n{section}" for section in sections)


def _section(name: str, entry: dict) -> str:
    lines = [f"## {entry['title']}", "", f'`unrolled.data.load("{name}")`', ""]
    lines += [f"- Licence: {entry['licence']}", f"- Attribution: {entry['attribution']}"]
    if wheel := entry.get("wheel"):
        package = f"`{wheel['package']}` {wheel['version']}, SHA-256 `{wheel['sha256']}`"
        lines.append(f"- Taken out of the package {package}; nothing of it is installed")
    lines += [_file_line(file) for file in entry["files"]]
    if made_from := entry.get("made_from"):
        lines.append(f"- Made by hand from {made_from}; never fetched: only the stored word vectors come from it")
    if stand_in := entry.get("stand_in"):
        lines.append(
            f"- Stands in without a network: {stand_in['title']}, from the package `{stand_in['package']}` "
            f"{stand_in['version']} ({stand_in['licence']}; {stand_in['attribution']})"
        )
    return "\n".join(lines) + "\n"


def _file_line(file: dict) -> str:
    name = f"`{file['name']}`"
    if "repository" in file:  # a file of a package has no address of its own
        name = f"[{file['name']}](https://github.com/{file['repository']}/blob/{file['commit']}/{file['path']})"
    return f"- File: {name}, {file['bytes'] / 1000:,.0f} kB, SHA-256 `{file['sha256']}`"
