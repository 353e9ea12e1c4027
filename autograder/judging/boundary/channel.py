"""Frames on a socket, each with a deadline.

A frame is a header of eight bytes (two that say "unrolled", the kind, one of zero, the length) and one encoded value.
Kinds are the whole protocol. The grader asks; the student's process answers each request with RETURN or RAISE and may,
before it does, ask back with CALLBACK.
"""

import enum
import socket
import struct
import time
from collections.abc import Callable
from typing import Any

from .decoding import decode
from .encoding import encode
from .wire import MAX_BYTES, FrameError

_HEADER, _MAGIC = struct.Struct("<2sBBI"), b"un"
AHEAD = 2**16  # bytes to ask for at least: most frames come whole in one go
TICK = struct.pack("ll", 0, 50_000)  # a `struct timeval`: seconds and microseconds between two looks at the clock


class Kind(enum.IntEnum):
    """What a frame is. Contents are tuples; a request begins with its number, and its answer repeats that."""

    HELLO = 1  # (the jail's layers in force,)
    CELL = 2  # number, source -> outputs, whether it raised
    PIN = 3  # number, name, exercise -> handle, or None if nothing has that name
    CALL = 4  # number, handle, arguments, named arguments, seed or None
    METHOD = 5  # number, handle, name, arguments, named arguments, seed or None
    ATTRIBUTE = 6  # number, handle, name
    VALUE = 7  # number, handle
    GRADIENTS = 8  # number, handle, arguments, named arguments, upstream or None, seed or None
    CALLBACK = 9  # number, callback, arguments, named arguments
    RETURN = 10  # number, value, what was printed
    RAISE = 11  # number, why (see `standin`), text, what was printed
    USES = 12  # number, handle


_KINDS = {int(kind): kind for kind in Kind}


class Closed(Exception):
    """The other side is gone."""


class TimeUp(Exception):
    """No whole frame came before the deadline."""


class Channel:
    """One end of the socket. Not for use by several threads.

    A frame costs one system call on each side. So the kernel is told once to give up waiting after a moment, and the
    clock is looked at here: a deadline is kept to a `TICK`.
    """

    def __init__(self, end: socket.socket):
        self._socket, self._rest, self._ticks = end, b"", False

    def send(self, kind: Kind, *content: Any, deadline: float | None = None) -> None:
        """Raises Unsendable before anything is sent, Closed, or TimeUp if the other side does not read."""
        body = encode(content)
        left = memoryview(_HEADER.pack(_MAGIC, kind, 0, len(body)) + body)
        while left:
            left = left[self._now(self._socket.send, left, deadline) or 0 :]

    def receive(self, deadline: float | None = None) -> tuple[Kind, bytes]:
        """The next frame's kind and its bytes, unread. Raises FrameError, Closed or TimeUp."""
        data = self._filled(self._rest, _HEADER.size, deadline)
        magic, kind, zero, length = _HEADER.unpack_from(data)
        if magic != _MAGIC or zero or length > MAX_BYTES or kind not in _KINDS:
            raise FrameError("no header of ours")
        end = _HEADER.size + length
        data = self._filled(data, end, deadline)
        self._rest = bytes(data[end:])
        return _KINDS[kind], bytes(data[_HEADER.size : end])

    def close(self) -> None:
        self._socket.close()

    def _filled(self, data: bytes | bytearray, count: int, deadline: float | None) -> bytes | bytearray:
        """What is there already and at least `count` bytes; memory grows with what has come, not what was announced."""
        while len(data) < count:
            part = self._now(self._socket.recv, min(max(count - len(data), AHEAD), 2**20), deadline)
            if part == b"":
                raise Closed
            if not data:
                data = part or b""
            elif part:
                data = data if type(data) is bytearray else bytearray(data)
                data += part
            self._rest = data  # kept if time is up before the frame is whole
        return data

    def _now(self, work: Callable[[Any], Any], what: Any, deadline: float | None) -> Any:
        """One operation on the socket; None if it has to be tried again. Raises Closed or TimeUp."""
        try:
            if deadline is not None:
                self._look_at_the_clock(deadline)
            return work(what)
        except BlockingIOError:
            return None
        except OSError:
            raise Closed from None

    def _look_at_the_clock(self, deadline: float) -> None:
        if time.monotonic() >= deadline:
            raise TimeUp
        if not self._ticks:
            self._socket.settimeout(None)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, TICK)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, TICK)
            self._ticks = True


def content(data: bytes, shape: tuple[type, ...], **hooks: Any) -> tuple:
    """A frame's content, which must be a tuple of values of exactly these types (`object`: any)."""
    values = decode(data, **hooks)
    if type(values) is not tuple or len(values) != len(shape):
        raise FrameError("a content that does not belong to this kind of frame")
    for value, kind in zip(values, shape, strict=True):
        if kind is not object and type(value) is not kind:
            raise FrameError("a content that does not belong to this kind of frame")
    return values
