"""Who gets what, and who gets nothing and why. Nothing is sent here."""

import hashlib
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from autograder.course import Assignment
from autograder.receiving import class_list
from autograder.returning import freshness, packing, waiting
from autograder.returning.feedback import outdated
from autograder.words import listed, one_line

from . import sent
from .addresses import Address, address

HELD = {  # why somebody gets nothing, and what to do
    "no address": "have no e-mail address in the class list: `autograder students FILE` reads a new one",
    "odd address": "have an address that no mail can go to: mend the class list",
    "shared address": "share an address with somebody, and would get each other's pages: mend the class list",
    "two pages": "have a page in more than one folder of feedback/: remove the wrong one",
    "old page": "have a page that is older than their marks: run `autograder feedback {unit}` first",
    "not marked yet": "have an answer that nobody marked yet: mark it, run `autograder feedback {unit}`; or --unmarked",
    "unsure": "may have got their page already, since sending was stopped just then: ask, or --again with --student",
}


@dataclass(frozen=True)
class Letter:
    """One page and where it goes; `file` is the name that the student sees, `digest` the page's SHA-256."""

    student: str
    to: Address
    path: Path
    file: str
    digest: str
    again: bool = False  # though it went out


@dataclass
class Plan:
    """What is to be sent, who has it, and who gets nothing, by reason (a key of HELD)."""

    unit: str
    letters: list[Letter] = field(default_factory=list)
    have: list[str] = field(default_factory=list)
    held: dict[str, list[str]] = field(default_factory=dict)

    def told(self) -> list[str]:
        """Lines for a terminal: first a line a letter."""
        lines = [f"{letter.student}: {letter.file} to {letter.to}" for letter in self.letters]
        if self.have:
            lines.append(f"{len(self.have)} have their page already: {listed(self.have)}")
        for why, students in self.held.items():
            lines.append(f"{len(students)} {HELD[why].format(unit=self.unit)}: {listed(students)}")
        return lines

    def to_dict(self) -> dict:
        """The same as plain data."""
        letters = [{"student": one.student, "address": one.to.addr_spec, "page": str(one.path)} for one in self.letters]
        return {"unit": self.unit, "letters": letters, "have": self.have, "held": self.held}


def plan(assignment: Assignment, student: str | None = None, unmarked: bool = False, again: bool = False) -> Plan:
    """Everybody's, or one student's. `unmarked`: pages with open answers, too; `again`: though it was sent."""
    students, known = class_list.kept(assignment.course), sent.read(assignment)
    stale, open_ones = set(outdated(assignment)), waiting.waiting(assignment)
    uses = Counter(_same(to) for each in students.values() if (to := address(each.email.strip())))
    found, pages = Plan(assignment.name), _pages(assignment)
    folders = Counter(map(_id_of, pages))
    for name, path in sorted(pages.items()):
        if student not in (None, name):
            continue
        member = students.get(_id_of(name))
        said = member.email.strip() if member else ""
        to = address(said, member.name if member else "")
        digest = digest_of(path.read_bytes())
        step = None if again else known.get((name, digest))
        why = "two pages" if member and folders[_id_of(name)] > 1 else _why_not(said, to, uses)
        why = why or ("old page" if name in stale else "not marked yet" if name in open_ones and not unmarked else "")
        if step and step.state == sent.SENT:
            found.have.append(name)
        elif step and step.state == sent.BEGUN:
            found.held.setdefault("unsure", []).append(f"{one_line(name, 60)} ({step.address}, {step.time})")
        elif why:
            found.held.setdefault(why, []).append(name)
        else:
            found.letters.append(Letter(name, to, path, packing.page_name(assignment, name), digest, again))
    return found


def digest_of(page: bytes) -> str:
    """The SHA-256 of what a page says, whatever code has made it."""
    return hashlib.sha256(freshness.SIGNATURE.sub(b"", page)).hexdigest()


def _why_not(said: str, to: Address | None, uses: Counter) -> str:
    if not said:
        return "no address"
    if to is None:
        return "odd address"
    return "shared address" if uses[_same(to)] > 1 else ""


def _same(to: Address) -> str:
    """Equal for what is one letter box: in whatever case, and whether the host is written in its script or not."""
    return to.addr_spec.casefold()


def _id_of(folder: str) -> str:
    """Whose folder it is: a file system may have taken an é apart; a space more is somebody else's."""
    return unicodedata.normalize("NFC", folder)


def _pages(assignment: Assignment) -> dict[str, Path]:
    """All pages that lie under feedback/, by student."""
    top = assignment.feedback("x").parents[2]
    return {path.parents[1].name: path for path in top.glob(f"*/{assignment.name}/{assignment.notebook}.html")}
