"""Which address mail can go to. What somebody typed into a class list never becomes a second address or a header.

An address is one local part of plain letters, an `@` and a host's name; quoted local parts, comments and groups, which
the standard allows and nobody has, are refused. A host's name of another script is written as mail servers know it.
A name that a mail program might read as something else than a name is left out: the address is enough.
"""

import re
from email.headerregistry import Address
from email.utils import parseaddr

ENCODED = "=?"  # begins an encoded word, which may hold a line break: no part of a plain name or address
LONGEST_NAME = 60  # letters; a longer one is folded over lines, where quotes get lost
LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
LABEL = r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
HOST = re.compile(rf"(?=.{{1,253}}\Z){LABEL}(\.{LABEL})*")

__all__ = ["Address", "address", "mailbox"]


def address(text: str, name: str = "") -> Address | None:
    """An address with a display name, if that is plain; None for what is no single address."""
    local, _, host = text.strip(" ").rpartition("@")
    try:
        host = host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        return None
    if not (LOCAL.fullmatch(local) and HOST.fullmatch(host) and len(local) <= 64) or ENCODED in local:
        return None
    return Address(_plain(name), local, host)


def _plain(name: str) -> str:
    """The name in one line, or nothing."""
    line = " ".join(name.split())
    return line if line.isprintable() and ENCODED not in line and len(line) <= LONGEST_NAME else ""


def mailbox(text: str) -> Address | None:
    """`Name <you@school.edu>` or the address alone."""
    if not text.isprintable():
        return None
    name, bare = parseaddr(text)
    return address(bare, name)
