"""The talk with a mail server: one message after another, each noted before and after.

A refusal of one message or address concerns that student alone, and is tried again the next time. What cuts the
connection ends the run; the next one goes on with who is left.
"""

import contextlib
import smtplib
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field

from autograder.course import Assignment, Trouble
from autograder.words import one_line

from . import sent
from .letters import letter
from .planning import Letter, digest_of
from .settings import Settings

SECONDS = 60.0  # that a server may take for one answer
CLOSING = 421  # the server's last word


@dataclass
class Sent:
    """Who got their page, and who was refused and why."""

    students: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)


class Stopped(Trouble):
    """The connection ended before everybody was served; `done` is what was done until then."""

    def __init__(self, told: str, done: Sent):
        super().__init__(told)
        self.done = done


class _Refused(Exception):
    """The server does not take this one."""


def send(
    assignment: Assignment,
    letters: list[Letter],
    said: Settings,
    password: str,
    progress: Callable[[str], None] = lambda student: None,
) -> Sent:
    """Sends each letter once. Raises Trouble where there is no connection, Stopped where it ends."""
    done = Sent()
    with sent.writing(assignment) as book:
        known = sent.read(assignment)  # another run may have ended since the plan was made
        with _connected(said, password) as server:
            for one in letters:
                step = known.get((one.student, one.digest))
                if step and step.state != sent.REFUSED and not one.again:
                    continue
                try:
                    _deliver(server, assignment, one, said, book)
                    done.students.append(one.student)
                except _Refused as why:
                    done.refused[one.student] = str(why)
                except (OSError, smtplib.SMTPException) as error:
                    told = f"{said.host} ended the connection ({_short(error)}); {len(done.students)} were sent."
                    raise Stopped(f"{told} Run the same command again for the others.", done) from None
                progress(one.student)
    return done


def _deliver(server: smtplib.SMTP, assignment: Assignment, one: Letter, said: Settings, book: sent.Book) -> None:
    """The three steps of SMTP, with the note just before the last. Raises _Refused."""
    page = one.path.read_bytes()
    if digest_of(page) != one.digest:
        raise _Refused("the page was written anew just now: run this again")
    content = _written(said, one, assignment.name, page)
    _expect(server, server.mail(said.sender.addr_spec), 250)
    _expect(server, server.rcpt(one.to.addr_spec), 250, 251)
    book.note(one.student, one.digest, one.to.addr_spec, sent.BEGUN)
    try:
        answer = server.data(content)
    except smtplib.SMTPDataError as error:  # it did not want to hear it
        answer = error.smtp_code, error.smtp_error
    if answer[0] != 250:
        book.note(one.student, one.digest, one.to.addr_spec, sent.REFUSED)
        _expect(server, answer, 250)
    book.note(one.student, one.digest, one.to.addr_spec, sent.SENT)


def _written(said: Settings, one: Letter, unit: str, page: bytes) -> bytes:
    """The message. Raises _Refused, whatever kind of error a name or an address makes: it is this student's alone."""
    try:
        return letter(said, one.to, unit, one.file, page)
    except Exception as error:
        raise _Refused(
            f"no message can be written ({_short(error)}): mend the name or the address in the class list"
        ) from None


def _expect(server: smtplib.SMTP, answer: tuple[int, bytes], *codes: int) -> None:
    """Raises _Refused; where the server says good-bye, SMTPServerDisconnected."""
    code, text = answer
    if code in codes:
        return
    told = f"{code} {one_line(text.decode('utf-8', 'replace'), 120)}"
    if code == CLOSING:
        raise smtplib.SMTPServerDisconnected(told)
    server.rset()
    raise _Refused(told)


@contextlib.contextmanager
def _connected(said: Settings, password: str):
    """A server that knows us. Certificates are looked at, as a browser does. Raises Trouble."""
    where = f"{said.host}:{said.port}"
    try:
        trusted = ssl.create_default_context()
        if said.security == "tls":
            server = smtplib.SMTP_SSL(said.host, said.port, timeout=SECONDS, context=trusted)
        else:
            server = smtplib.SMTP(said.host, said.port, timeout=SECONDS)
    except (OSError, smtplib.SMTPException) as error:
        raise Trouble(f"No mail server answers at {where} ({_short(error)}): look at [mail] in class.toml.") from None
    try:
        _greet(server, said, password, trusted, where)
        yield server
    finally:
        with contextlib.suppress(OSError, smtplib.SMTPException):
            server.quit()
        server.close()


def _greet(server: smtplib.SMTP, said: Settings, password: str, trusted: ssl.SSLContext, where: str) -> None:
    try:
        if said.security == "starttls":
            server.starttls(context=trusted)
        if said.user:
            server.login(said.user, password)
        server.ehlo_or_helo_if_needed()
    except smtplib.SMTPAuthenticationError as error:
        raise Trouble(f"{where} does not take the password of {said.user} ({_short(error)}).") from None
    except ssl.SSLError as error:
        raise Trouble(f"{where} has no certificate that can be trusted ({_short(error)}); nothing was sent.") from None
    except (OSError, smtplib.SMTPException) as error:
        raise Trouble(
            f"{where} does not do what [mail] in class.toml asks ({_short(error)}); nothing was sent."
        ) from None


def _short(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        said = error.smtp_error
        return (
            f"{error.smtp_code} {one_line(said.decode('utf-8', 'replace') if isinstance(said, bytes) else said, 100)}"
        )
    return one_line(str(error) or type(error).__name__, 120)
