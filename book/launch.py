"""Buttons that open a unit's notebook elsewhere: links, so that nothing is loaded before one is pressed.

The `launch` section of jupyter_book.yml is the one place that says where; without it there are no buttons:

    launch:
      repository: https://github.com/OWNER/NAME     # where this repository is published
      branch: main
      hub: https://hub.example.org                   # a JupyterHub with nbgitpuller; left out: no such button

Colab opens what lies on GitHub only. Each opens what students get, the released notebook in course/.
"""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

import yaml
from bs4 import BeautifulSoup

from autograder.course import Assignment, Trouble

KEYS = {"repository": True, "branch": True, "hub": False}  # whether it must be there
COLAB, BINDER = "https://colab.research.google.com", "https://mybinder.org"


@dataclass(frozen=True)
class Launch:
    """Where the repository is published, and the hub that a class may have."""

    repository: str
    branch: str
    hub: str | None = None

    @classmethod
    def read(cls, settings: Path) -> "Launch | None":
        """What the settings file says; None without a `launch` section. Trouble, in a line, for a wrong one."""
        section = (yaml.safe_load(settings.read_text("utf-8")) or {}).get("launch")
        if section is None:
            return None
        if fault := _fault(section):
            raise Trouble(f"{settings.name}, launch: {fault}")
        cleaned = {name: str(value).strip().rstrip("/") for name, value in section.items() if value}
        return cls(**cleaned | {"repository": cleaned["repository"].removesuffix(".git")})

    def links(self, assignment: Assignment) -> dict[str, str]:
        """{words on the button: address} for a unit's released notebook."""
        notebook = assignment.released.relative_to(assignment.course.root).as_posix()
        host, path = urlsplit(self.repository).hostname, urlsplit(self.repository).path.strip("/")
        links = {}
        if host == "github.com":
            links["Colab"] = f"{COLAB}/github/{path}/blob/{quote(self.branch, safe='/')}/{quote(notebook)}"
        opened = urlencode({"urlpath": f"lab/tree/{notebook}"})
        links["Binder"] = f"{BINDER}/v2/{self._for_binder(host, path)}/{_whole(self.branch)}?{opened}"
        if self.hub:
            pull = {"repo": self.repository, "branch": self.branch}
            pull["urlpath"] = f"lab/tree/{path.rpartition('/')[2]}/{notebook}"
            links["JupyterHub"] = f"{self.hub}/hub/user-redirect/git-pull?{urlencode(pull)}"
        return links

    def _for_binder(self, host: str, path: str) -> str:
        """Binder's own words for a repository: gh/OWNER/NAME, gl/GROUP%2FNAME, git/ADDRESS."""
        if host == "github.com":
            return f"gh/{path}"
        return f"gl/{_whole(path)}" if host == "gitlab.com" else f"git/{_whole(self.repository)}"


def add_buttons(page: BeautifulSoup, links: dict[str, str]) -> None:
    """Put buttons below the title of a page; none without links."""
    if not links:
        return
    line = page.new_tag("p", attrs={"class": "unrolled-launch"})
    line.append("Open the notebook in ")
    for words, address in links.items():
        link = page.new_tag("a", href=address, rel="noopener noreferrer")
        link.string = words
        line.append(link)
    page.select_one("article h1").insert_after(line)


def _whole(text: str) -> str:
    return quote(text, safe="")


def _fault(section) -> str | None:
    """What is wrong with the section, or None."""
    if not isinstance(section, dict):
        return f"give {', '.join(KEYS)}, each on a line of its own"
    if unknown := [str(name) for name in section if name not in KEYS]:
        return f"there is no {', '.join(unknown)}: give {', '.join(KEYS)}"
    if lacking := [name for name, needed in KEYS.items() if needed and not section.get(name)]:
        return f"{', '.join(lacking)} is missing"
    bad = [name for name in ("repository", "hub") if not _is_address(section.get(name) or "https://x.y/z")]
    return f"{bad[0]} is {section[bad[0]]!r}: give an address that begins with https://" if bad else None


def _is_address(value) -> bool:
    return isinstance(value, str) and value.startswith(("https://", "http://")) and bool(urlsplit(value).hostname)
