"""A small SMTP server on loopback, of asyncio: enough to see what a client really says, and to answer it badly."""

import asyncio
import base64
import contextlib
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass
class Mailbox:
    """What arrived: (sender, recipients, content). `refuse`: addresses that get a 550."""

    port: int = 0
    letters: list[tuple[str, list[str], bytes]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)  # every command, the password apart
    logins: list[tuple[str, str]] = field(default_factory=list)
    refuse: set[str] = field(default_factory=set)
    cut_after: int | None = None  # letters, then the connection is dropped instead of an answer
    password: str | None = None
    hang: threading.Event | None = None  # the answer to every letter but the first waits for this


@contextlib.contextmanager
def serving(context: ssl.SSLContext | None = None) -> Iterator[Mailbox]:
    """A server in a thread; with `context` it offers STARTTLS, and takes a password only then."""
    box, loop, ready = Mailbox(), asyncio.new_event_loop(), threading.Event()

    async def serve() -> None:
        server = await asyncio.start_server(lambda r, w: _talk(box, context, r, w), "127.0.0.1", 0)
        box.port = server.sockets[0].getsockname()[1]
        ready.set()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        server.close()

    def run() -> None:
        asyncio.set_event_loop(loop)
        with contextlib.suppress(asyncio.CancelledError):
            loop.run_until_complete(main)
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0.05))
        loop.close()

    main = loop.create_task(serve())
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield box
    finally:
        if box.hang:
            box.hang.set()
        loop.call_soon_threadsafe(main.cancel)
        thread.join(10)


async def _talk(box: Mailbox, context: ssl.SSLContext | None, reader, writer) -> None:
    async def answer(*lines: str) -> None:
        writer.write("".join(f"{line}\r\n" for line in lines).encode())
        await writer.drain()

    secure, greeted, sender, recipients = False, False, "", []
    with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
        await answer("220 loopback")
        while line := (await reader.readline()).decode().rstrip("\r\n"):
            word = line.split()[0].upper()
            box.said.append(line if word != "AUTH" else "AUTH")
            if word == "EHLO":
                greeted = True
                more = ["250-AUTH PLAIN"] if secure or not context else ["250-STARTTLS"]
                await answer("250-loopback", *more, "250 8BITMIME")
            elif word == "STARTTLS":
                await answer("220 go on")
                await writer.start_tls(context)
                secure, greeted = True, False
            elif word == "AUTH":
                _, user, password = base64.b64decode(line.split()[2]).decode().split("\0")
                box.logins.append((user, password))
                await answer("235 welcome" if password == box.password else "535 wrong password")
            elif not greeted:
                await answer("503 polite people say hello first")
            elif word == "MAIL":
                sender, recipients = line[line.index("<") + 1 : line.index(">")], []
                await answer("250 ok")
            elif word == "RCPT":
                address = line[line.index("<") + 1 : line.index(">")]
                if address in box.refuse:
                    await answer("550 no such user here")
                else:
                    recipients.append(address)
                    await answer("250 ok")
            elif word == "DATA":
                await answer("354 go on")
                content = await reader.readuntil(b"\r\n.\r\n")
                box.letters.append((sender, recipients, content[:-5].replace(b"\r\n..", b"\r\n.")))
                if box.hang and len(box.letters) > 1:
                    await asyncio.to_thread(box.hang.wait, 60)
                if box.cut_after is not None and len(box.letters) >= box.cut_after:
                    break
                await answer("250 taken")
            elif word == "QUIT":
                await answer("221 bye")
                break
            else:
                await answer("250 ok")
    writer.close()
