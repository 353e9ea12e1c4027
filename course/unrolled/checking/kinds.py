"""Look at what came back before computing with it.

`close` compares a whole value. A property ("the shares add up to one") has to compute first, and must not trip over
an answer of another kind: these functions give the value back if it is what its check needs, and otherwise
raise the `Mismatch` that says what came instead.
"""

import math
from typing import Any, NoReturn

import torch

from .compare import Mismatch
from .plain import describe


def refuse(what: str, wanted: str, got: Any, how: str = "of the wrong kind") -> NoReturn:
    """Raise the `Mismatch` of an answer that has another form than `wanted`."""
    raise Mismatch(f"{what}: {how}", what, "", wanted, describe(got), form=True)


def number(got: Any, what: str) -> float:
    """`got` as a float, if it is one number (an int, a float, a tensor of no dimension); infinity and NaN included."""
    if isinstance(got, torch.Tensor) and got.dim() == 0 and got.layout == torch.strided:
        got = got.item()
    if isinstance(got, bool) or not isinstance(got, int | float):
        refuse(what, "one number", got, "of the wrong shape" if readable(got) and got.dim() else "of the wrong kind")
    try:
        return float(got)
    except OverflowError:
        return math.inf if got > 0 else -math.inf


def mapping(got: Any, what: str) -> dict:
    """`got`, if it is a dict."""
    if not isinstance(got, dict):
        refuse(what, "a dict", got)
    return got


def symbols(got: Any, length: int, vocab_size: int, what: str) -> list[int]:
    """`got`, if it is a list of `length` whole numbers from 0 to `vocab_size` - 1."""
    if not isinstance(got, list) or len(got) != length:
        how = "of the wrong length" if isinstance(got, list) else "of the wrong kind"
        refuse(what, f"a list of {length} symbols", got, how)
    for place, symbol in enumerate(got):
        if isinstance(symbol, bool) or not isinstance(symbol, int) or not 0 <= symbol < vocab_size:
            wanted = f"a whole number from 0 to {vocab_size - 1}"
            raise Mismatch(f"{what}[{place}]: not a symbol", what, f"[{place}]", wanted, describe(symbol))
    return got


def floats(got: Any, shape: tuple[int, ...], what: str) -> torch.Tensor:
    """`got`, if it is a dense tensor of floating numbers of this shape; infinity and NaN included."""
    floating = readable(got) and got.is_floating_point()
    _dense(got, shape, floating, f"a tensor of floating numbers of shape {shape}", what)
    return got


def integers(got: Any, shape: tuple[int, ...], what: str) -> torch.Tensor:
    """`got`, if it is a dense tensor of whole numbers of this shape."""
    whole = readable(got) and not (got.is_floating_point() or got.is_complex() or got.dtype == torch.bool)
    _dense(got, shape, whole, f"a tensor of whole numbers of shape {shape}", what)
    return got


def readable(got: Any) -> bool:
    """Whether `got` is a tensor whose numbers can be read: dense, and on the CPU."""
    return isinstance(got, torch.Tensor) and got.layout == torch.strided and got.device.type == "cpu"


def _dense(got: Any, shape: tuple[int, ...], fits: bool, wanted: str, what: str) -> None:
    """Refuse `got` unless it is a dense tensor whose dtype `fits` and that has this shape, and say which it is not."""
    if not readable(got):
        refuse(what, wanted, got)
    if tuple(got.shape) != shape:
        refuse(what, wanted, got, "of the wrong shape")
    if not fits:
        refuse(what, wanted, got, "of the wrong dtype")


def pair(got: Any, what: str) -> tuple[Any, Any]:
    """`got`, if it is a tuple (or a list) of two things."""
    if not isinstance(got, tuple | list) or len(got) != 2:
        refuse(what, "a pair", got, f"of the wrong {'length' if isinstance(got, tuple | list) else 'kind'}")
    return got[0], got[1]
