"""When are two values close, and where do they first differ?

`close` looks at kind, shape and dtype, then at finiteness, then at values, and stops at the first thing that differs:
a student mends one thing at a time. `holds` states a property that is no comparison.
What is left out on purpose: no operator of a student's object is ever run; compare plain data only (see `plain`).
"""

import math
from typing import Any

import torch

from .plain import describe, short

# Answers of another kind or shape: their numbers were not looked at.
FORM = ("of the wrong kind", "not a number", "not a tensor", "of an unusual kind", "of the wrong shape")
FORM += ("of the wrong dtype",)


class Mismatch(AssertionError):
    """A property that does not hold, as data: what was looked at, where, what was expected, what came.

    `form` says that what came has another form than was asked for, so that a hint about its content would mislead.
    `hint` speaks of this mistake; without it the hint of the check stands.
    """

    def __init__(
        self,
        message: str,
        what: str = "",
        where: str = "",
        expected: str = "",
        got: str = "",
        form: bool = False,
        hint: str = "",
    ):
        super().__init__(message)
        self.message, self.what, self.where, self.expected, self.got = message, what, where, expected, got
        self.form, self.hint = form, hint


def holds(condition: bool, message: str, hint: str = "") -> None:
    """State a property: `message` is what the student reads when `condition` is false, and `hint`, if there is one."""
    if not condition:
        raise Mismatch(message, hint=hint)


def close(
    got: Any,
    expected: Any,
    what: str,
    rtol: float = 1e-5,
    atol: float = 1e-7,
    same_dtype: bool = False,
    hint: str = "",
) -> None:
    """Raise `Mismatch` unless `got` equals `expected`, numbers to |got − expected| ≤ atol + rtol·|expected|.

    Works on numbers, strings, None, lists, tuples, dictionaries, sets and tensors, nested at will. An int passes
    for a float of the same value, a tensor of one number passes for that number. Of a tensor's dtype only the kind
    (floating, integer, bool) must agree, unless `same_dtype` asks for the very same.
    NaN equals nothing but NaN, an infinity only itself. `hint` is for what differs here; the check's own is for all.
    """
    try:
        _close(got, expected, what, "", (rtol, atol, same_dtype))
    except Mismatch as wrong:
        wrong.hint = hint
        raise


def _close(got: Any, expected: Any, what: str, where: str, options: tuple[float, float, bool]) -> None:
    if isinstance(expected, torch.Tensor):
        _close_tensors(got, expected, what, where, options)
    elif isinstance(expected, bool) or expected is None or isinstance(expected, str | bytes):
        if type(got) is not type(expected):
            _fail("of the wrong kind", what, where, describe(expected), describe(got))
        if got != expected:
            _fail("different", what, where, short(expected), short(got))
    elif isinstance(expected, int | float):
        _close_numbers(got, expected, what, where, options)
    elif isinstance(expected, dict):
        _close_dicts(got, expected, what, where, options)
    elif isinstance(expected, set):
        _close_sets(got, expected, what, where)
    else:
        _close_sequences(got, expected, what, where, options)


def _said(how: str, what: str, where: str) -> str:
    return f"{what}{f' at {where}' if where else ''}: {how}"


def _fail(how: str, what: str, where: str, expected: str, got: str, said: str = "") -> None:
    raise Mismatch(said or _said(how, what, where), what, where, expected, got, how in FORM)


def _close_numbers(got: Any, expected: float, what: str, where: str, options: tuple) -> None:
    rtol, atol, _ = options
    if isinstance(got, torch.Tensor) and got.numel() == 1 and got.dim() == 0:
        got = got.item()
    if isinstance(got, bool) or not isinstance(got, int | float):
        how = "of the wrong shape" if isinstance(got, torch.Tensor) and got.dim() else "not a number"
        _fail(how, what, where, f"the number {short(expected)}", describe(got))
    if _same_number(got, expected, rtol, atol):
        return
    stray = got != got or got in (math.inf, -math.inf)
    how = _not_finite(got) if stray and math.isfinite(expected) else "different"
    _fail(how, what, where, short(expected), short(got))


def _not_finite(got: float) -> str:
    """For nan, also what makes one: the student has not written it."""
    made_of = " (nan comes of inf/inf, inf − inf, 0/0 or the log of a negative)" if got != got else ""
    return f"not a finite number{made_of}"


def _same_number(got: float, expected: float, rtol: float, atol: float) -> bool:
    if got == expected:
        return True
    try:
        gap = abs(got - expected)
    except OverflowError:  # an int beyond every float, beside a float
        return False
    return gap <= atol + rtol * abs(expected) < math.inf or (got != got and expected != expected)


def _close_sequences(got: Any, expected: Any, what: str, where: str, options: tuple) -> None:
    kind = type(expected).__name__
    if type(got) is not type(expected):
        _fail("of the wrong kind", what, where, f"a {kind} of {len(expected)} items", describe(got))
    for i, (mine, theirs) in enumerate(zip(got, expected, strict=False)):
        _close(mine, theirs, what, f"{where}[{i}]", options)
    if len(got) != len(expected):
        _fail("of the wrong length", what, where, f"{len(expected)} items", f"{len(got)} items")


def _close_dicts(got: Any, expected: dict, what: str, where: str, options: tuple) -> None:
    if not isinstance(got, dict):
        _fail("of the wrong kind", what, where, f"a dict of {len(expected)} items", describe(got))
    for key in expected:
        if key not in got:
            keys = ", ".join(short(k, 30) for k in list(got)[:4]) or "none"
            _fail("missing", what, f"{where}[{short(key)}]", short(expected[key]), f"no such key (keys: {keys})")
        _close(got[key], expected[key], what, f"{where}[{short(key)}]", options)
    for key in got:
        if key not in expected:
            _fail("there and should not be", what, f"{where}[{short(key)}]", "no such key", short(got[key]))


def _close_sets(got: Any, expected: set, what: str, where: str) -> None:
    if not isinstance(got, set):
        _fail("of the wrong kind", what, where, f"a set of {len(expected)} items", describe(got))
    if got != expected:
        missing, extra = sorted(map(repr, expected - got)), sorted(map(repr, got - expected))
        _fail("different", what, where, missing[0] if missing else f"no {extra[0]}", extra[0] if extra else "nothing")


def _kind(tensor: torch.Tensor) -> str:
    if tensor.is_floating_point():
        return "floating"
    return "bool" if tensor.dtype == torch.bool else "integer"


def _close_tensors(got: Any, expected: torch.Tensor, what: str, where: str, options: tuple) -> None:
    rtol, atol, same_dtype = options
    if not isinstance(got, torch.Tensor):
        _fail("missing" if got is None else "not a tensor", what, where, describe(expected), describe(got))
    if got.layout != torch.strided or got.is_complex() or got.is_quantized:
        _fail("of an unusual kind", what, where, describe(expected), f"{describe(got)}, {got.layout}")
    if got.shape != expected.shape:
        _fail("of the wrong shape", what, where, str(tuple(expected.shape)), str(tuple(got.shape)))
    if got.dtype != expected.dtype and (same_dtype or _kind(got) != _kind(expected)):
        _fail("of the wrong dtype", what, where, str(expected.dtype), str(got.dtype))
    mine, theirs = got.to(torch.float64), expected.to(torch.float64)
    stray = ~mine.isfinite() & theirs.isfinite()
    if stray.any():
        _fail_at(stray, _not_finite(mine[stray][0].item()), mine, theirs, what, where)
    off = ~torch.isclose(mine, theirs, rtol=rtol, atol=atol, equal_nan=True)
    if off.any():
        _fail_at(off, "different", mine, theirs, what, where)


def _fail_at(off: torch.Tensor, how: str, got: torch.Tensor, expected: torch.Tensor, what: str, where: str) -> None:
    """Show the first number that is off. How many are is a whole sentence: of a hidden check no values follow it."""
    index = tuple(off.nonzero()[0].tolist())
    first = f"[{', '.join(map(str, index))}]" if index else ""
    count = f"{int(off.sum())} of {off.numel()} numbers differ, the first at {first}"
    said = _said(count, what, where) if how == "different" and off.numel() > 1 else ""
    _fail(how, what, where + first, short(expected[index].item()), short(got[index].item()), said)
