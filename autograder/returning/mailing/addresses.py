"""Which address mail can go to. What somebody typed into a class list never becomes a second address or a header.

An address is one local part of plain letters, an `@` and a host's name; quoted local parts, comments and groups, which
the standard allows and nobody has, are refused. A host's name of another script is written as mail servers know it.
"""

import re
from email.headerregistry import Address
from email.utils import parseaddr

from autograder.words import one_line

LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
LABEL = r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
HOST = re.compile(rf"(?=.{{1,253}}\Z){LABEL}(\.{LABEL})*")

__all__ = ["Address", "address", "mailbox"]


def address(text: str, name: str = "") -> Address | None:
    """An address with a display name, which is made one line; None for what is no single address."""
    local, _, host = text.strip(" ").rpartition("@")
    try:
        host = host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        return None
    if not (LOCAL.fullmatch(local) and HOST.fullmatch(host) and len(local) <= 64):
        return None
    return Address(one_line(name, 100), local, host)


def mailbox(text: str) -> Address | None:
    """`Name <you@school.edu>` or the address alone."""
    if not text.isprintable():
        return None
    name, bare = parseaddr(text)
    return address(bare, name)
