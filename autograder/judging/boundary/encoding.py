"""From plain data to bytes; see `wire` for what may cross."""

import functools
import struct
from collections.abc import Callable
from typing import Any

import torch

from .wire import (
    COUNT,
    DTYPES,
    FLOAT,
    MAX_BYTES,
    MAX_DEPTH,
    MAX_DIMENSIONS,
    MAX_INT_BYTES,
    MAX_ITEMS,
    TURNED,
    Callback,
    Handle,
    Unsendable,
    is_turned,
    packed,
)


def encode(value: Any) -> bytes:
    """The bytes of plain data, handles and callbacks. Raises Unsendable, with one line, for anything else."""
    out = _Out()
    _write(out, value, 0)
    if len(out) > MAX_BYTES:
        raise Unsendable(f"a value of {len(out) / 2**20:.0f} MiB is too large to be graded")
    return bytes(out)


class _Out(bytearray):
    """The bytes so far, and how many items of containers they hold."""

    items = 0

    def count(self, value: Any) -> bytes:
        self.items += len(value)
        if self.items > MAX_ITEMS:
            raise Unsendable(f"a value of more than {MAX_ITEMS:,} items is too large to be graded")
        return COUNT.pack(len(value))


def _write(out: _Out, value: Any, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise Unsendable(f"a value nested more than {MAX_DEPTH} deep cannot be graded")
    kind = type(value)
    if kind is str and len(value) < SHORT:  # with small integers by far the most frequent
        out += _short(value)
        return
    if kind is int and -128 < value < 128:
        out += _SMALL[value]
        return
    if len(out) > MAX_BYTES:
        raise Unsendable(f"a value of more than {MAX_BYTES // 2**20} MiB is too large to be graded")
    writer = _WRITERS.get(kind)
    if writer is None:
        raise Unsendable(f"an object of class {kind.__name__} is no plain data")
    writer(out, value, depth)


def _write_int(out: _Out, value: int, depth: int) -> None:
    size = value.bit_length() // 8 + 1
    if size > MAX_INT_BYTES:
        raise Unsendable(f"an int of {value.bit_length()} bits is too large to be graded")
    out += b"i" + bytes([size]) + value.to_bytes(size, "little", signed=True)


_SMALL = {value: b"i\x01" + value.to_bytes(1, "little", signed=True) for value in range(-127, 128)}


def _spelled(value: str) -> bytes:
    try:
        raw = value.encode("utf-8")
    except UnicodeEncodeError:
        raise Unsendable("a string with half a character (a lone surrogate) cannot be graded") from None
    return b"s" + COUNT.pack(len(raw)) + raw


SHORT = 64  # characters of a string that is worth remembering: words come again and again
_short = functools.lru_cache(4096)(_spelled)


def _write_dict(out: _Out, value: dict, depth: int) -> None:
    out += b"d" + out.count(value)
    for key, item in value.items():
        if type(key) is not str and not may_be_key(key):
            raise Unsendable(f"a dict with {type(key).__name__} keys like this one cannot be graded")
        _write(out, key, depth + 1)
        _write(out, item, depth + 1)


def _write_set(out: _Out, value: set, depth: int) -> None:
    out += b"e" + out.count(value)
    for item in value:
        if not may_be_key(item):
            raise Unsendable(f"a set with a {type(item).__name__} like this one cannot be graded")
        _write(out, item, depth + 1)


def _write_tensor(out: _Out, value: torch.Tensor, depth: int) -> None:
    if value.layout != torch.strided or value.dtype not in DTYPES or value.device.type != "cpu":
        kind = f"{value.dtype}, {value.layout}, {value.device}".replace("torch.", "")
        raise Unsendable(f"a tensor of this kind ({kind}) cannot be graded")
    if value.numel() * value.itemsize > MAX_BYTES or value.dim() > MAX_DIMENSIONS:
        raise Unsendable(f"a tensor of shape {tuple(value.shape)} is too large to be graded")
    plain, turned = value.detach().resolve_neg(), is_turned(value)
    if turned:
        plain = plain.movedim(-1, 0)
    if value.dtype == torch.bfloat16:  # which numpy does not know
        plain = plain.contiguous().view(torch.int16)
    code = DTYPES.index(value.dtype) | TURNED * turned
    out += b"x" + bytes([code, value.dim()]) + struct.pack(f"<{value.dim()}I", *value.shape)
    out += plain.numpy().tobytes()


def _write_handle(out: _Out, value: Handle, depth: int) -> None:
    out += b"h" + COUNT.pack(value.number)
    out += _spelled(value.name[:100])


def _write_callback(out: _Out, value: Callback, depth: int) -> None:
    out += b"c" + COUNT.pack(value.number)
    _write(out, value.known, depth + 1)


def _write_list(out: _Out, value: list, depth: int) -> None:
    count = out.count(value)
    if whole := packed(value):
        out += whole[0] + count + whole[1]
        return
    out += b"l" + count
    for item in value:
        _write(out, item, depth + 1)


def _write_tuple(out: _Out, value: tuple, depth: int) -> None:
    out += b"t" + out.count(value)
    for item in value:
        _write(out, item, depth + 1)


def may_be_key(value: Any) -> bool:
    """Whether a dict's key or a set's item of this value may cross: immutable, and hard to make collide."""
    if type(value) is tuple:
        return all(map(may_be_key, value))
    if type(value) is int:
        return value.bit_length() < 64
    return value is None or type(value) in (bool, float, str, bytes)


_WRITERS: dict[type, Callable[[_Out, Any, int], None]] = {
    type(None): lambda out, value, depth: out.extend(b"N"),
    bool: lambda out, value, depth: out.extend(b"T" if value else b"F"),
    int: _write_int,
    float: lambda out, value, depth: out.extend(b"f" + FLOAT.pack(value)),
    str: lambda out, value, depth: out.extend(_spelled(value)),
    bytes: lambda out, value, depth: out.extend(b"b" + COUNT.pack(len(value)) + value),
    list: _write_list,
    tuple: _write_tuple,
    set: _write_set,
    dict: _write_dict,
    torch.Tensor: _write_tensor,
    Handle: _write_handle,
    Callback: _write_callback,
}
