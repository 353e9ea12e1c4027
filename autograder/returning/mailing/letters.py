"""One message: a page, to one student. Header fields are set by the standard library, which takes no line break."""

from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, localtime, make_msgid

from autograder.words import one_line

from .addresses import Address
from .settings import Settings


def letter(said: Settings, to: Address, unit: str, file: str, page: bytes) -> bytes:
    """The message as it goes out, with CRLF. `file`: the page's name; `page`: its HTML."""
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
    return message.as_bytes()
