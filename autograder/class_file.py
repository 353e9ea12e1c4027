"""class.toml: what a teacher says of the class, in one file beside nbgrader_config.py that git does not see.

    timezone = "Europe/Berlin"          # of times without an offset; left out: this machine's

    [due]
    01_ngrams = 2026-11-02T23:59:00     # or with an offset: 2026-11-02T23:59:00+01:00

    [extensions]
    ada = { 01_ngrams = "2 days" }      # minutes, hours, days or weeks after the due date

    [late]
    penalty = "zero"                    # nbgrader's methods: "none" or "zero"

    secret = "a long line of letters"   # what checks' inputs are drawn from; see `secret`

    [mail]                              # for `autograder mail`; see `returning.mailing.settings`
    host = "smtp.school.edu"
    from = "Ada Lindqvist <ada.lindqvist@school.edu>"

What the file does not mention stays as the gradebook has it. Where it has [extensions], nobody else has one.
"""

import contextlib
import os
import re
import secrets
import tomllib
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

NAME = "class.toml"
SECRET = "class.secret"
PARTS = ("timezone", "due", "extensions", "late", "secret", "mail")
PENALTIES = ("none", "zero")
SPAN = re.compile(r"(\d+(?:\.\d+)?)\s*(minute|hour|day|week)s?")


class Slip(ValueError):
    """What is wrong with the file, in one line."""


@dataclass(frozen=True)
class ClassFile:
    """`due` by unit, in UTC; `extensions` by unit and student, None where the file does not speak of them.

    `mail` is as it stands there, since only `returning.mailing` needs it.
    """

    due: dict[str, datetime] = field(default_factory=dict)
    extensions: dict[str, dict[str, timedelta]] | None = None
    penalty: str | None = None
    secret: str | None = None
    mail: dict | None = None
    zone: ZoneInfo | None = None  # of times without an offset; None: this machine's


def secret(root: Path, said: ClassFile) -> str:
    """What the inputs of all checks are drawn from in grading, together with the submission: no student knows it.

    It is the class.toml's, or stands in a file beside it, made when somebody first asks: with another secret everybody
    is graded on other inputs. Raises Slip.
    """
    if said.secret:
        return said.secret
    path = root / SECRET
    try:
        if not path.exists():
            _make(path)
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise Slip(f'{path} cannot be kept ({error}): write secret = "…" into {root / NAME}') from error


def _make(path: Path) -> None:
    """In one step: who grades at the same time finds the same secret. At no time may anybody else read it."""
    new = path.with_name(f"{SECRET}.{os.getpid()}")
    new.unlink(missing_ok=True)  # of a process that ended in between, with whatever rights
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(secrets.token_hex(16) + "\n")
    with contextlib.suppress(FileExistsError):
        os.link(new, path)
    new.unlink()


def read(root: Path, units: list[str]) -> ClassFile:
    """The course's class.toml, or an empty one. Raises Slip. `units` are the names that may be meant."""
    path = root / NAME
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        return _understood(said, units)
    except FileNotFoundError:
        return ClassFile()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, Slip) as error:
        raise Slip(f"{path}: {' '.join(str(error).split())}") from error


def _understood(said: dict, units: list[str]) -> ClassFile:
    for part in said:
        if part not in PARTS:
            raise Slip(f"it may hold {', '.join(PARTS)}, not {part!r}")
    zone, penalty = _zone(said.get("timezone")), _table(said, "late").get("penalty")
    if penalty not in (None, *PENALTIES):
        raise Slip(f"the penalty is {penalty!r}: say one of {', '.join(PENALTIES)}")
    due = {_unit(name, units): _time(time, name, zone) for name, time in _table(said, "due").items()}
    hidden = said.get("secret")
    if hidden is not None and not (isinstance(hidden, str) and hidden.strip()):
        raise Slip(f'the secret is {hidden!r}: say a line of letters, as secret = "…", above all [tables]')
    mail = _table(said, "mail") if "mail" in said else None
    if "extensions" not in said:
        return ClassFile(due, None, penalty, hidden, mail, zone)
    extensions: dict[str, dict[str, timedelta]] = {}
    for student, spans in _table(said, "extensions").items():
        if not isinstance(spans, dict):
            raise Slip(f'the extension of {student} needs a unit: {student} = {{ {units[0]} = "2 days" }}')
        for name, span in spans.items():
            extensions.setdefault(_unit(name, units), {})[student] = _span(span, student)
    return ClassFile(due, extensions, penalty, hidden, mail, zone)


def _table(said: dict, name: str) -> dict:
    table = said.get(name, {})
    if not isinstance(table, dict):
        raise Slip(f"{name} is no table: write [{name}] above its lines")
    return table


def _zone(name) -> ZoneInfo | None:
    try:
        return None if name is None else ZoneInfo(name)
    except (KeyError, ValueError, OSError, TypeError, AttributeError):
        raise Slip(f"there is no timezone {name!r}: say one like Europe/Berlin") from None


def _unit(name: str, units: list[str]) -> str:
    for unit in units:
        number, _, word = unit.partition("_")
        if name in (unit, word, number, number.lstrip("0")):
            return unit
    raise Slip(f"there is no unit {name!r}; the units are: {', '.join(units)}")


def _time(time, name: str, zone: ZoneInfo | None) -> datetime:
    if not isinstance(time, datetime):
        example = f"{name} = {time}T23:59:00" if isinstance(time, date) else f"{name} = 2026-11-02T23:59:00"
        raise Slip(f"the due date of {name} needs a day and a time, without quotes: {example}")
    if time.tzinfo is None:
        time = time.replace(tzinfo=zone) if zone else time.astimezone()
    return time.astimezone(UTC)


def _span(span, student: str) -> timedelta:
    found = SPAN.fullmatch(span.strip()) if isinstance(span, str) else None
    if not found:
        raise Slip(f"the extension of {student} is {span!r}: say it like '36 hours' or '2 days'")
    return timedelta(**{f"{found[2]}s": float(found[1])})
