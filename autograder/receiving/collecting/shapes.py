"""What the names in a source say: which platform made it, and who handed in what, when.

Known are the archives of Moodle, Canvas, Blackboard and Brightspace, the inbound folder of nbgrader's exchange, clones
as GitHub Classroom makes them, and folders or files named after students. A name says whom it may be; `whom` decides.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import PurePosixPath
from zoneinfo import ZoneInfo

from autograder.words import one_line, word_of

from .sources import Entry

MOODLE = re.compile(r"(?P<name>[^/]+)_(?P<number>\d+)_assignsubmission_(?P<kind>file|onlinetext)_?/?(?P<file>.*)")
CANVAS = re.compile(r"(?P<name>[^_/]+)(?P<late>_LATE)?_(?P<user>\d+)_(?P<number>\d+)_(?P<file>[^/]+)")
BLACKBOARD = re.compile(r"(?P<who>[^/]+)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<file>[^/]+)|\.txt)")
BRIGHTSPACE = re.compile(
    r"(?P<number>\d+)-\d+ ?- ?(?P<name>[^/]+?) ?- ?(?P<month>[A-Z][a-z]{2})[a-z]* (?P<day>\d{1,2}), (?P<year>\d{4}) "
    r"(?P<hour>\d{1,2}):?(?P<minute>\d\d) ?(?P<half>[AP])M/(?P<file>.+)"
)
EXCHANGE = re.compile(
    r"(?P<id>[^+/]+)\+(?P<unit>[^+/]+)\+(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? UTC)(?:\+[^/]*)?/(?P<file>.+)"
)
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
AGAIN = re.compile(r"-\d+(?=\.[^.]*$)")  # Canvas's mark on a file that was handed in again: ngrams-1.ipynb


@dataclass(frozen=True)
class Who:
    """What a name says of its student: ids that may be theirs, a name as people write it, the platform's number.

    `by_name`: the ids may be of another kind than the class list's, so the name counts where none of them is known.
    """

    shown: str
    ids: tuple[str, ...] = ()
    name: str = ""
    number: str = ""
    by_name: bool = False

    @property
    def account(self) -> str:
        """What is another's for everybody else, whatever they call themselves."""
        return self.number or (self.name if self.by_name else "") or (self.ids[0] if self.ids else self.shown)

    @property
    def label(self) -> str:
        """The same as people read it."""
        return self.shown if self.account in self.shown else f"{self.shown}, {self.account}"


@dataclass
class Attempt:
    """What somebody handed in at one time. `late`: the platform says so, and not by how much."""

    who: Who
    time: datetime | None = None  # in UTC
    late: bool = False
    rank: int = 0  # among attempts without a time the highest is the last
    account: str = ""  # whose files they are, where the name alone may be anybody's
    files: dict[PurePosixPath, Entry] = field(default_factory=dict)


@dataclass(frozen=True)
class Reading:
    """What is needed to read names: the unit's, all units', and the zone of times that name none."""

    unit: str
    units: tuple[str, ...]
    zone: ZoneInfo | None


Shape = Callable[[list[Entry], Reading], Iterator[tuple[tuple, Attempt, PurePosixPath | None, Entry]]]


def attempts(entries: list[Entry], reading: Reading) -> tuple[str, list[Attempt], list[str]]:
    """The platform's name, what was handed in, and the names that do not fit. A folder around all is looked into.

    A platform is recognised if at least half of the names are its own.
    """
    tops = {entry.path.parts[0] for entry in entries}
    deeper = [entry for entry in entries if len(entry.path.parts) > 1]
    inside = [replace(entry, path=PurePosixPath(*entry.path.parts[1:])) for entry in deeper]
    for some in (entries, inside if len(tops) == 1 else []):
        for name, shape in SHAPES.items():
            parts = list(shape(some, reading))
            if len(parts) * 2 >= len(some) > 0:
                return name, _gathered(parts), _others(some, parts)
    if len(tops) == 1 and all(len(entry.path.parts) > 2 for entry in entries):
        entries = inside
    parts = list(_plain(entries, reading))
    return "names", _gathered(parts), _others(entries, parts)


def _others(entries: list[Entry], parts: list) -> list[str]:
    used = {entry.path for *_, entry in parts}
    return [str(entry.path) for entry in entries if entry.path not in used]


def _gathered(parts) -> list[Attempt]:
    found: dict[tuple, Attempt] = {}
    for key, attempt, path, entry in parts:
        here = found.setdefault(key, attempt)
        if path is not None:
            here.files[path] = entry
    return list(found.values())


def _matched(pattern: re.Pattern, entries: list[Entry]) -> Iterator[tuple[re.Match, Entry]]:
    for entry in entries:
        if match := pattern.fullmatch(str(entry.path)):
            yield match, entry


def _moodle(entries: list[Entry], reading: Reading):
    for match, entry in _matched(MOODLE, entries):
        if match["kind"] == "file" and match["file"]:
            who = Who(match["name"], (), match["name"], match["number"])
            yield (match["name"], match["number"]), Attempt(who), PurePosixPath(match["file"]), entry


def _canvas(entries: list[Entry], reading: Reading):
    """A file that was handed in again has a higher number: it makes an attempt of its own."""
    found = list(_matched(CANVAS, entries))
    numbers: dict[tuple, list[int]] = {}
    for match, _ in found:
        numbers.setdefault((match["user"], AGAIN.sub("", match["file"])), []).append(int(match["number"]))
    for match, entry in found:
        file = AGAIN.sub("", match["file"])
        rank = sorted(numbers[match["user"], file]).index(int(match["number"]))
        if rank == 0 and len(numbers[match["user"], file]) == 1:
            file = match["file"]  # handed in once: the name is the student's own
        who = Who(f"{match['name']}, {match['user']}", (match["user"],), match["name"], match["user"], True)
        yield (match["user"], rank), Attempt(who, None, bool(match["late"]), rank), PurePosixPath(file), entry


def _blackboard(entries: list[Entry], reading: Reading):
    for match, entry in _matched(BLACKBOARD, entries):
        parts = match["who"].split("_")
        ids = tuple("_".join(parts[at:]) for at in range(len(parts)))  # unit and id may have _ of their own
        time = datetime.strptime(match["time"], "%Y-%m-%d-%H-%M-%S")
        attempt = Attempt(Who(parts[-1], ids), _in_utc(time, reading.zone))
        yield (match["who"], match["time"]), attempt, match["file"] and PurePosixPath(match["file"]), entry


def _brightspace(entries: list[Entry], reading: Reading):
    for match, entry in _matched(BRIGHTSPACE, entries):
        if match["month"] not in MONTHS:
            continue
        hour = int(match["hour"]) % 12 + 12 * (match["half"] == "P")
        day = int(match["year"]), MONTHS.index(match["month"]) + 1, int(match["day"])
        time = _in_utc(datetime(*day, hour, int(match["minute"])), reading.zone)
        path = PurePosixPath(match["file"])
        who = Who(match["name"], (), match["name"], match["number"])
        yield (match["name"], match["number"], time), Attempt(who, time), path, entry


def _exchange(entries: list[Entry], reading: Reading):
    for match, entry in _matched(EXCHANGE, entries):
        form = "%Y-%m-%d %H:%M:%S.%f UTC" if "." in match["time"] else "%Y-%m-%d %H:%M:%S UTC"
        time = datetime.strptime(match["time"], form).replace(tzinfo=UTC)
        if match["unit"] == reading.unit:
            attempt = Attempt(Who(match["id"], (match["id"],)), time, account=entry.account)
            yield (match["id"], time), attempt, PurePosixPath(match["file"]), entry


def _plain(entries: list[Entry], reading: Reading):
    """A folder a student, as nbgrader has them, or a file a student."""
    for entry in entries:
        first, *rest = entry.path.parts
        if len(rest) > 1 and rest[0] in reading.units:
            if rest[0] != reading.unit:
                continue
            rest = rest[1:]
        if rest:
            yield (first,), Attempt(Who(first, (first,), first, by_name=True)), PurePosixPath(*rest), entry
        elif first.casefold().endswith((".ipynb", ".zip")):
            stem = first.rpartition(".")[0]
            short = re.sub(rf"[\W_]*({re.escape(reading.unit)}|{re.escape(word_of(reading.unit))})[\W_]*$", "", stem)
            attempt = Attempt(Who(one_line(first, 60), (stem, short), short, by_name=True))
            yield (first,), attempt, PurePosixPath(first), entry


def _in_utc(time: datetime, zone: ZoneInfo | None) -> datetime:
    """A time that names no zone is that of the class, or of this machine."""
    return (time.replace(tzinfo=zone) if zone else time).astimezone(UTC)


SHAPES: dict[str, Shape] = {
    "Moodle": _moodle,
    "nbgrader's exchange": _exchange,
    "Brightspace": _brightspace,
    "Blackboard": _blackboard,
    "Canvas": _canvas,
}
