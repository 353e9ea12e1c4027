"""What may cross the boundary, and how much of it.

A value is one tag byte and its content; containers hold a count and their items. Lengths and counts are unsigned
32-bit, all numbers little-endian, and no byte means code. The reader trusts nothing: it checks every length against
what is left before it allocates, bounds depth and number of items, accepts each value in one spelling only and ends
with `FrameError`.

Two limits guard operators that run later, on values that were read without complaint. Integers have at most 127
bytes, so that each has a float; integers in keys fit 64 bits, and reading keeps an eye on the clock, since keys can
be made to collide in a hash table.

Left out on purpose: complex, quantised and sparse tensors, strings with lone surrogates, objects of any other class.
What stays where it is crosses as a number: a `Handle` names an object of the student's, a `Callback` a function of
the grader's.
"""

import struct
from dataclasses import dataclass
from typing import Any

import torch

MAX_BYTES = 64 * 2**20  # of one frame
MAX_ITEMS = 1_000_000  # in all containers of one frame
MAX_DEPTH = 64
MAX_INT_BYTES = 127
MAX_DIMENSIONS = 16
MAX_DIMENSION = 2**31 - 1
MAX_TEXT = 2_000  # characters of one line that is told: an error's text, a name; what was printed
MAX_HOLLOW = 2**40  # product of a tensor's dimensions, those of length 0 left out

DTYPES = (
    torch.bool,
    torch.uint8,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
)  # the index is the code on the wire
TURNED = 0x80  # set in that code where the last axis comes first in memory, as in a transposed matrix

COUNT, FLOAT = struct.Struct("<I"), struct.Struct("<d")
PACKED = {b"L": "q", b"D": "d"}  # tags of lists of nothing but integers or floats, and what `struct` calls these


def packed(items: list) -> tuple[bytes, bytes] | None:
    """A list of nothing but floats, or nothing but integers of 64 bits, as tag and bytes: many times faster."""
    kinds = set(map(type, items))
    if kinds == {float}:
        return b"D", struct.pack(f"<{len(items)}d", *items)
    if kinds == {int}:
        try:
            return b"L", struct.pack(f"<{len(items)}q", *items)
        except struct.error:  # one of them is larger
            return None
    return None


class FrameError(Exception):
    """The other side sent bytes that are no frame of ours."""


class Unsendable(TypeError):
    """A value that cannot cross: of another class, too large, or too deep."""


@dataclass(frozen=True)
class Handle:
    """Names an object that stays in the student's process. `name` is its class, for messages."""

    number: int
    name: str = "object"


@dataclass(frozen=True)
class Callback:
    """Names a function of the grader's that the student's code may call.

    `known` is what it returns whatever it is asked, and by how many arguments, if it is such a one (see
    `unrolled.checking.always.Always`): then nobody has to ask.
    """

    number: int
    known: tuple[int, Any] | None = None


def is_turned(value: torch.Tensor) -> bool:
    """Whether a tensor's last axis comes first in memory, and the others follow in order, which is no other layout."""
    return value.dim() > 1 and not value.is_contiguous() and value.movedim(-1, 0).is_contiguous()
