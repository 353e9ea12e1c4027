"""When a submission was handed in: nbgrader's timestamp.txt, read with patience.

nbgrader loses a whole submission whose timestamp it cannot read. Here such a one counts as none, so nobody is late
by it, and the repair is told.
"""

import re
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

from .errors import Unreadable
from .files import read_file

NAME = "timestamp.txt"
STAMP = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)\s*(\S*)")
OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)")
YEARS = range(2000, 2101)


def handed_in(folder: Path) -> tuple[datetime | None, list[str]]:
    """The time in UTC, or None where there is none; and what is to be told."""
    path = folder / NAME
    if not path.is_symlink() and not path.exists():
        return None, []
    try:
        text = read_file(path, 1000).decode("utf-8-sig", "replace").replace("\0", "").strip("\ufffd \t\r\n")
        return _time(text), []
    except (Unreadable, ValueError, OverflowError, OSError) as error:
        return None, [f"{NAME} could not be read ({error}), so the submission counts as in time"]


def _time(text: str) -> datetime:
    match = STAMP.fullmatch(text)
    if match is None:
        raise ValueError("it is empty" if not text else "it holds no date")
    date, clock, zone = match.groups()
    time = datetime.fromisoformat(f"{date}T{clock.replace(',', '.')[:15]}")
    if time.year not in YEARS:
        raise ValueError(f"the year is {time.year}")
    return time.replace(tzinfo=_zone(zone)).astimezone(UTC)


def _zone(name: str) -> timezone | ZoneInfo:
    if name in ("", "Z", "UTC", "GMT"):
        return UTC
    if offset := OFFSET.fullmatch(name):
        sign, hours, minutes = offset.groups()
        return timezone(timedelta(hours=int(hours), minutes=int(minutes)) * (1 if sign == "+" else -1))
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValueError(f"there is no time zone {name[:40]}") from None
