"""When a submission was handed in: nbgrader's timestamp.txt, read with patience.

nbgrader loses a whole submission whose timestamp it cannot read. Here such a one is told and counts as none, so nobody
is late by it. Read are dates as nbgrader writes them, ISO 8601 and RFC 2822, with an offset, a zone of the world's list
or one of the short names that its exchange writes. A short name that stands for several zones is not guessed.
"""

import re
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from .errors import Unreadable
from .files import read_file

NAME = "timestamp.txt"
STAMP = re.compile(
    r"(\d{4})-?(\d\d)-?(\d\d)[ T](\d\d?)(?::?(\d\d)(?::?(\d\d)(?:[.,]\d{1,9})?)?)?\s*([AP]\.?M\.?(?=\s|$))?\s*(\S*)",
    re.IGNORECASE,
)
OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)?")
LETTERS = re.compile(r"\s*(Mon|Tue|Wed|Thu|Fri|Sat|Sun|\d)", re.IGNORECASE)  # how a date of RFC 2822 begins
YEARS = range(2000, 2101)
HOURS = {  # east of Greenwich, by names of which each means one zone, or which RFC 2822 defines
    **{"WET": 0, "WEST": 1, "CET": 1, "CEST": 2, "MEZ": 1, "MESZ": 2, "EET": 2, "EEST": 3, "MSK": 3, "SAST": 2},
    **{"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "HST": -10},
    **{"AKST": -9, "AKDT": -8, "JST": 9, "KST": 9, "AWST": 8, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13},
}


def handed_in(folder: Path) -> tuple[datetime | None, list[str]]:
    """The time in UTC, or None where there is none; and what is to be told."""
    path = folder / NAME
    if not path.is_symlink() and not path.exists():
        return None, []
    try:
        text = read_file(path, 1000).decode("utf-8-sig", "replace").replace("\0", "").strip("\ufffd \t\r\n")
        return _time(text), []
    except (Unreadable, ValueError, OverflowError, OSError) as error:
        return None, [f"{NAME}: time not understood ({error}): not counted as late"]


def _time(text: str) -> datetime:
    match = STAMP.fullmatch(text)
    time = _from_stamp(match) if match else _from_letter(text)
    if time.year not in YEARS:
        raise ValueError(f"the year is {time.year}")
    return time.astimezone(UTC)


def _from_stamp(match: re.Match) -> datetime:
    *date, hour, minute, second, half, zone = match.groups()
    hours = int(hour)
    if half:
        if not 1 <= hours <= 12:
            raise ValueError(f"there is no {hours} {half}")
        hours = hours % 12 + 12 * (half[0] in "pP")
    return datetime(*map(int, date), hours, int(minute or 0), int(second or 0), tzinfo=_zone(zone))


def _from_letter(text: str) -> datetime:
    """As mail programs write it: Mon, 02 Nov 2026 15:30:00 +0000."""
    if not text:
        raise ValueError("it is empty")
    try:
        time = parsedate_to_datetime(text) if LETTERS.match(text) else None
    except (ValueError, IndexError, TypeError):
        time = None
    if time is None:
        raise ValueError("it holds no date")
    return time if time.tzinfo else time.replace(tzinfo=_zone(text.split()[-1] if text[-1].isalpha() else ""))


def _zone(name: str) -> timezone | ZoneInfo:
    if name.upper() in ("", "Z", "UTC", "GMT", "UT"):
        return UTC
    if offset := OFFSET.fullmatch(name):
        sign, hours, minutes = offset.groups()
        return timezone(timedelta(hours=int(hours), minutes=int(minutes or 0)) * (1 if sign == "+" else -1))
    if name.upper() in HOURS:
        return timezone(timedelta(hours=HOURS[name.upper()]))
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValueError(f"there is no time zone {name[:40]}, or more than one") from None
