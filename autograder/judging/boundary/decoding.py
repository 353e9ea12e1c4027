"""From bytes to plain data, trusting none of them; see `wire` for what may cross."""

import math
import struct
import time
from collections.abc import Callable
from typing import Any

import torch

from .encoding import may_be_key
from .wire import (
    COUNT,
    DTYPES,
    FLOAT,
    MAX_DEPTH,
    MAX_DIMENSION,
    MAX_DIMENSIONS,
    MAX_HOLLOW,
    MAX_INT_BYTES,
    MAX_ITEMS,
    PACKED,
    TURNED,
    Callback,
    FrameError,
    Handle,
    is_turned,
    packed,
)


def decode(
    data: bytes | memoryview,
    handle: Callable[[Handle], Any] | None = None,
    callback: Callable[[Callback], Any] | None = None,
    seconds: float = 10.0,
) -> Any:
    """The value that `data` spells; `handle` and `callback` say what becomes of those, else they are refused.

    Raises FrameError for every other sequence of bytes, and when reading takes more than `seconds`.
    """
    reader = _Reader(data, handle, callback, time.monotonic() + seconds)
    value = reader.value(0)
    if reader.left():
        raise FrameError(f"{reader.left()} bytes too many")
    return value


class _Reader:
    """Walks once over the bytes; every step is checked."""

    def __init__(self, data: bytes | memoryview, handle: Any, callback: Any, ends: float):
        self._data, self._size = bytes(data), len(data)
        self._at, self._items, self._ends = 0, 0, ends
        self._handle, self._callback = handle, callback

    def left(self) -> int:
        return self._size - self._at

    def value(self, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise FrameError(f"nested more than {MAX_DEPTH} deep")
        tag = self._data[self._past(1)]
        read = _READERS.get(tag)
        if read is None:
            raise FrameError(f"no value begins with the byte {tag}")
        return read(self, depth)

    def _past(self, count: int) -> int:
        """Go past so many bytes, which must be there; returns where they begin."""
        at = self._at
        if count > self._size - at:
            raise FrameError(f"{count} bytes wanted, {self.left()} left")
        self._at = at + count
        return at

    def _take(self, count: int) -> bytes:
        at = self._past(count)
        return self._data[at : at + count]

    def _number(self) -> int:
        return COUNT.unpack_from(self._data, self._past(4))[0]

    def _indices(self, smallest: int) -> range:
        """One index for each item that follows, each of at least `smallest` bytes."""
        count = self._number()
        self._items += count
        if self._items > MAX_ITEMS or count * smallest > self.left():
            raise FrameError(f"{count} items announced, more than can follow")
        return range(count)

    def _look_at_the_clock(self, index: int) -> None:
        if index % 64 == 0 and time.monotonic() > self._ends:
            raise FrameError("reading took too long")

    def read_int(self, depth: int) -> int:
        raw = self._take(self._data[self._past(1)])
        value = int.from_bytes(raw, "little", signed=True)
        if len(raw) > MAX_INT_BYTES or len(raw) != value.bit_length() // 8 + 1:
            raise FrameError("an integer in a spelling that is not ours")
        return value

    def read_float(self, depth: int) -> float:
        return FLOAT.unpack_from(self._data, self._past(8))[0]

    def read_bytes(self, depth: int) -> bytes:
        return self._take(self._number())

    def read_str(self, depth: int) -> str:
        try:
            return str(self._take(self._number()), "utf-8")
        except UnicodeDecodeError:
            raise FrameError("a string that is not UTF-8") from None

    def read_list(self, depth: int) -> list:
        items = self._values(depth)
        if items and type(items[0]) in (int, float) and packed(items):
            raise FrameError("a list in a spelling that is not ours")
        return items

    def read_packed(self, tag: bytes) -> list:
        count = len(self._indices(8))
        items = list(struct.unpack(f"<{count}{PACKED[tag]}", self._take(8 * count)))
        if not items:
            raise FrameError("a list in a spelling that is not ours")
        return items

    def read_tuple(self, depth: int) -> tuple:
        return tuple(self._values(depth))

    def _values(self, depth: int) -> list:
        items = []
        for index in self._indices(1):
            self._look_at_the_clock(index)
            items.append(self.value(depth + 1))
        return items

    def read_set(self, depth: int) -> set:
        items = set()
        for index in (indices := self._indices(1)):
            self._look_at_the_clock(index)
            items.add(self._key(depth + 1))
        return _all_there(items, indices)

    def read_dict(self, depth: int) -> dict:
        items = {}
        for index in (indices := self._indices(2)):
            self._look_at_the_clock(index)
            key = self._key(depth + 1)
            items[key] = self.value(depth + 1)
        return _all_there(items, indices)

    def _key(self, depth: int) -> Any:
        key = self.value(depth)
        if type(key) is not str and not may_be_key(key):
            raise FrameError(f"a {type(key).__name__} as a key")
        return key

    def read_tensor(self, depth: int) -> torch.Tensor:
        code, dimensions = self._take(2)
        code, turned = code & ~TURNED, bool(code & TURNED)
        if code >= len(DTYPES) or dimensions > MAX_DIMENSIONS:
            raise FrameError("a tensor of a kind that is not ours")
        shape = struct.unpack(f"<{dimensions}I", self._take(4 * dimensions))
        if max(shape, default=0) > MAX_DIMENSION or math.prod(size or 1 for size in shape) > MAX_HOLLOW:
            raise FrameError("a tensor too large")
        size = math.prod(shape) * DTYPES[code].itemsize
        at = self._past(size)
        raw = bytearray(memoryview(self._data)[at : at + size])
        if DTYPES[code] == torch.bool and raw.strip(b"\x00\x01"):  # strip stops at the first other byte
            raise FrameError("a tensor of booleans that are neither 0 nor 1")
        flat = torch.frombuffer(raw, dtype=DTYPES[code]) if raw else torch.empty(0, dtype=DTYPES[code])
        return _turned(flat, shape) if turned else flat.reshape(shape)

    def read_handle(self, depth: int) -> Any:
        number = self._number()
        if self._handle is None or self._take(1) != b"s":
            raise FrameError("a handle where none may be")
        return self._handle(Handle(number, self.read_str(depth)[:100]))

    def read_callback(self, depth: int) -> Any:
        if self._callback is None:
            raise FrameError("a callback where none may be")
        return self._callback(Callback(self._number(), self.value(depth + 1)))


def _turned(flat: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    value = flat.reshape(shape[-1:] + shape[:-1])
    value = value.movedim(0, -1) if len(shape) > 1 else value
    if not is_turned(value):
        raise FrameError("a tensor that another spelling has")
    return value


def _all_there(items: Any, indices: range) -> Any:
    if len(items) != len(indices):
        raise FrameError("equal keys")
    return items


_READERS: dict[int, Callable[[_Reader, int], Any]] = {
    ord("N"): lambda reader, depth: None,
    ord("T"): lambda reader, depth: True,
    ord("F"): lambda reader, depth: False,
    ord("i"): _Reader.read_int,
    ord("f"): _Reader.read_float,
    ord("s"): _Reader.read_str,
    ord("b"): _Reader.read_bytes,
    ord("l"): _Reader.read_list,
    ord("L"): lambda reader, depth: reader.read_packed(b"L"),
    ord("D"): lambda reader, depth: reader.read_packed(b"D"),
    ord("t"): _Reader.read_tuple,
    ord("e"): _Reader.read_set,
    ord("d"): _Reader.read_dict,
    ord("x"): _Reader.read_tensor,
    ord("h"): _Reader.read_handle,
    ord("c"): _Reader.read_callback,
}
