"""Frames on a socket, each with a deadline.

A frame is a header of eight bytes (two that say "unrolled", the kind, one of zero, the length) and one encoded value.
Kinds are the whole protocol. The grader asks; the student's process answers each request with RETURN or RAISE and may,
before it does, ask back with CALLBACK.
"""

import enum
import socket
import struct
import time
from typing import Any

from .decoding import decode
from .encoding import encode
from .wire import MAX_BYTES, FrameError

_HEADER, _MAGIC = struct.Struct("<2sBBI"), b"un"
AHEAD = 2**16  # bytes to ask for at least: most frames come whole in one go


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


class Closed(Exception):
    """The other side is gone."""


class TimeUp(Exception):
    """No whole frame came before the deadline."""


class Channel:
    """One end of the socket. Not for use by several threads."""

    def __init__(self, end: socket.socket):
        self._socket, self._read = end, bytearray()

    def send(self, kind: Kind, *content: Any, deadline: float | None = None) -> None:
        """Raises Unsendable before anything is sent, Closed, or TimeUp if the other side does not read."""
        body = encode(content)
        try:
            self._wait_until(deadline)
            self._socket.sendall(_HEADER.pack(_MAGIC, kind, 0, len(body)) + body)
        except TimeoutError:
            raise TimeUp from None
        except OSError:
            raise Closed from None

    def receive(self, deadline: float | None = None) -> tuple[Kind, memoryview]:
        """The next frame's kind and its bytes, unread. Raises FrameError, Closed or TimeUp."""
        magic, kind, zero, length = _HEADER.unpack(self._bytes(_HEADER.size, deadline))
        if magic != _MAGIC or zero or length > MAX_BYTES or kind not in Kind._value2member_map_:
            raise FrameError("no header of ours")
        return Kind(kind), self._bytes(length, deadline)

    def close(self) -> None:
        self._socket.close()

    def _bytes(self, count: int, deadline: float | None) -> memoryview:
        while len(self._read) < count:  # memory grows with what has come, not with what was announced
            try:
                self._wait_until(deadline)
                part = self._socket.recv(min(max(count - len(self._read), AHEAD), 2**20))
            except TimeoutError:
                raise TimeUp from None
            except OSError:
                raise Closed from None
            if not part:
                raise Closed
            self._read += part
        data = bytes(self._read[:count])
        del self._read[:count]
        return memoryview(data)

    def _wait_until(self, deadline: float | None) -> None:
        """Let the next operation on the socket take until then. Raises TimeoutError if it has come."""
        if deadline is None:
            self._socket.settimeout(None)
        elif (left := deadline - time.monotonic()) > 0:
            self._socket.settimeout(left)
        else:
            raise TimeoutError


def content(data: memoryview, shape: tuple[type, ...], **hooks: Any) -> tuple:
    """A frame's content, which must be a tuple of values of exactly these types (`object`: any)."""
    values = decode(data, **hooks)
    fits = type(values) is tuple and len(values) == len(shape)
    if not fits or not all(kind in (object, type(value)) for value, kind in zip(values, shape, strict=True)):
        raise FrameError("a content that does not belong to this kind of frame")
    return values
