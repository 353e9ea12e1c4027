"""TEACHING.md and CONTRIBUTING.md as pages of the book: written once, for whoever reads the repository or the book.

Markdown as it stands there is nearly what the book needs. Code that is indented gets a fence, so that it is coloured as
what it is, and a link to a file of the repository becomes its name, since a page has no such file beside it.
"""

import re
from pathlib import Path

from autograder.course import Trouble

FILE_LINK = re.compile(r"\[([^]]+)\]\((?!https?:|#)([^)]+)\)")
INDENTED = re.compile(r"(?:(?<=\n\n)|\A)((?: {4}[^\n]*\n|\n(?= {4}))+)")
SETTING = re.compile(r"^(\[\w+\]|\w+ = )", re.MULTILINE)
ASIDE = re.compile(r" {2,}#")  # set in columns, for a wide window
COMMAND = re.compile(r"^ {4}((?:autograder|jupyter|make) .+)$", re.MULTILINE)
SECTION = re.compile(r"^## (.+)\n", re.MULTILINE)


def guide(file: Path, sections: list[str] | None = None) -> str:
    """The text of a Markdown file below its title, all of it or these sections, ready for a page."""
    text = _read(file)
    if sections is not None:
        found = parts(text)
        if missing := [name for name in sections if name not in found]:
            raise Trouble(f"{file.name} has no section “{missing[0]}”: book/pages/writing.py asks for it")
        text = "\n".join(f"## {name}\n{found[name]}" for name in sections)
    else:
        text = text.partition("\n")[2]
    return FILE_LINK.sub(r"\1", INDENTED.sub(_fenced, text)).strip()


def commands(file: Path) -> str:
    """Every command of a guide with what is said of it, by section: the whole way at a glance."""
    found = {name: COMMAND.findall(text) for name, text in parts(_read(file)).items()}
    blocks = [f"**{name}**\n\n```bash\n{chr(10).join(lines)}\n```" for name, lines in found.items() if lines]
    return ASIDE.sub("  #", "\n\n".join(blocks))


def parts(text: str) -> dict[str, str]:
    """A Markdown text by its sections of the second level."""
    _, *rest = SECTION.split(text)
    return dict(zip(rest[::2], rest[1::2], strict=True))


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except OSError as error:
        raise Trouble(f"{file} cannot be read: a page of the book is made of it") from error


def _fenced(found: re.Match) -> str:
    """An indented block with a fence around it; settings are TOML, all else is for a terminal."""
    code = ASIDE.sub("  #", re.sub(r"^ {4}", "", found[0].rstrip("\n"), flags=re.MULTILINE))
    language = "toml" if SETTING.search(code) else "bash"
    return f"```{language}\n{code}\n```\n\n"
