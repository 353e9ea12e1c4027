"""What class.toml says of mail. The password is in no file: it is asked for, or stands in the environment.

[mail]
host = "smtp.school.edu"
from = "Ada Lindqvist <ada.lindqvist@school.edu>"
user = "ada.lindqvist"              # left out: nobody logs in
port = 587                          # left out: the usual one
security = "starttls"               # or "tls", or "none", which takes no password to another machine
reply_to = "sequences@school.edu"
subject = "Feedback on {unit}"      # {unit} and {name} are filled in, here and in the text
text = "Dear {name}, …"
"""

import getpass
import os
import sys
from dataclasses import dataclass
from ipaddress import ip_address

from autograder.class_file import NAME
from autograder.course import Course, Trouble

from .addresses import Address, address, mailbox

PASSWORD = "UNROLLED_MAIL_PASSWORD"
PORTS = {"starttls": 587, "tls": 465, "none": 25}
PARTS = {"host": str, "from": str, "user": str, "port": int, "security": str, "reply_to": str, "subject": str}
PARTS |= {"text": str}
EXAMPLE = 'write [mail] with host = "smtp.school.edu" and from = "Name <you@school.edu>"'
SUBJECT = "Feedback on {unit}"
TEXT = """Dear {name},

your feedback on {unit} is the page that comes with this message. Save it and open it in a browser; it needs no network.
"""


@dataclass(frozen=True)
class Settings:
    """Where messages go and what they say."""

    host: str
    port: int
    security: str
    user: str
    sender: Address
    reply_to: Address | None
    subject: str
    text: str


def settings(course: Course) -> Settings:
    """What class.toml says. Raises Trouble that says what is wrong with it."""
    path, said = course.root / NAME, course.class_file.mail
    if said is None:
        raise Trouble(f"{path} has no [mail]: {EXAMPLE}.")
    try:
        return _understood(said)
    except ValueError as slip:
        raise Trouble(f"{path}, [mail]: {slip}.") from None


def missing(course: Course) -> list[str]:
    """What has to be written or mended before anything can be sent: at most a line."""
    try:
        settings(course)
    except Trouble as trouble:
        return [f"Before you send: {trouble}"]
    return []


def password(said: Settings) -> str:
    """The password: the environment's, or what somebody types. Raises Trouble where there is nobody."""
    if not said.user:
        return ""
    if word := os.environ.get(PASSWORD):
        return word
    if not sys.stdin.isatty():
        raise Trouble(f"The password of {said.user} is needed: set {PASSWORD}, or run this in a terminal, which asks.")
    return getpass.getpass(f"Password of {said.user} at {said.host}: ")


def _understood(said: dict) -> Settings:
    for part, what in said.items():
        if part == "password":
            raise ValueError(f"a password stands in no file: take it out, and set {PASSWORD} or type it when asked")
        if part not in PARTS:
            raise ValueError(f"it may hold {', '.join(PARTS)}, not {part!r}")
        if not isinstance(what, PARTS[part]) or isinstance(what, bool):
            raise ValueError(
                f"{part} is {what!r}: {'a number' if PARTS[part] is int else 'a text in quotes'} is needed"
            )
    if not said.get("host") or not said.get("from"):
        raise ValueError(EXAMPLE)
    security, user = said.get("security", "starttls"), said.get("user", "")
    if security not in PORTS:
        raise ValueError(f"security is {security!r}: say one of {', '.join(PORTS)}")
    if security == "none" and user and not _is_here(said["host"]):
        raise ValueError('with security = "none" the password would be readable on the way: say "starttls" or "tls"')
    port = said.get("port", PORTS[security])
    if not 0 < port < 65536:
        raise ValueError(f"there is no port {port}")
    subject, text = said.get("subject", SUBJECT), said.get("text", TEXT)
    if not subject.isprintable():
        raise ValueError("the subject is one line")
    for what, words in (("subject", subject), ("text", text)):
        _try(what, words)
    sender, reply = mailbox(said["from"]), said.get("reply_to")
    if sender is None:
        raise ValueError(f"from is {said['from']!r}: say it like Name <you@school.edu>")
    if reply is not None and address(reply) is None:
        raise ValueError(f"reply_to is {reply!r}: say it like you@school.edu")
    return Settings(said["host"], port, security, user, sender, address(reply) if reply else None, subject, text)


def _try(what: str, words: str) -> None:
    try:
        words.format(unit="", name="")
    except (KeyError, IndexError, ValueError, AttributeError):
        raise ValueError(
            f"{what}: only {{unit}} and {{name}} are filled in; write a bracket of your own twice"
        ) from None


def _is_here(host: str) -> bool:
    """Whether it is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
