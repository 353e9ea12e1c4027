"""One message: a page, to one student. The standard library writes it, and reads it again before it goes out.

Names and addresses are what somebody typed, and how they are folded and encoded differs between Pythons: a message in
which a mail program would find another header or another recipient is not sent.
"""

from email import message_from_bytes
from email.message import EmailMessage, Message
from email.policy import SMTP, compat32
from email.utils import format_datetime, getaddresses, localtime, make_msgid

from autograder.words import one_line

from .addresses import Address
from .settings import Settings


class Garbled(ValueError):
    """What was written is not what a mail program would read."""


def letter(said: Settings, to: Address, unit: str, file: str, page: bytes) -> bytes:
    """The message as it goes out, with CRLF. `file`: the page's name; `page`: its HTML. Raises Garbled."""
    name = to.display_name or to.addr_spec
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"] = said.sender, to
    if said.reply_to:
        message["Reply-To"] = said.reply_to
    message["Subject"] = one_line(said.subject.format(unit=unit, name=name), 200)
    message["Date"], message["Message-ID"] = format_datetime(localtime()), make_msgid(domain=said.sender.domain)
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(said.text.format(unit=unit, name=name))
    message.add_attachment(page, maintype="text", subtype="html", filename=file, params={"charset": "utf-8"})
    content = message.as_bytes()
    _read_again(content, message, to)
    return content


def _read_again(content: bytes, message: EmailMessage, to: Address) -> None:
    """Raises Garbled, unless the recipient and all headers are read as they were meant, by new programs and by old."""
    read, old = message_from_bytes(content, policy=SMTP), message_from_bytes(content, policy=compat32)
    if [each.addr_spec for each in read["To"].addresses] != [to.addr_spec]:
        raise Garbled("its To is not the student's address alone")
    if [bare for _, bare in getaddresses([old["To"]])] != [to.addr_spec]:
        raise Garbled("its To is not the student's address alone")
    if not _headers(message) == _headers(read) == _headers(old):
        raise Garbled("a header would be read in it that nobody wrote")


def _headers(message: Message) -> list[list[str]]:
    """The names of the headers of each part."""
    return [sorted(part.keys()) for part in message.walk()]
