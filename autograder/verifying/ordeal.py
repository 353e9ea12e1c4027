"""What no answer may do to a check, whatever it returns: break it, pass it without knowing, or make it tell a secret.

All of this is one trial an exercise: a hundred useless answers, none of which needs a text of its own.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from unrolled.checking import LocalAnswer, run, table

from autograder.verifying.trial import Job


class Odd:
    """An object that is no plain data, and of no help."""

    def __eq__(self, other: object) -> bool:
        return True

    def __len__(self) -> int:
        raise RuntimeError("no length")

    __hash__ = None


GARBAGE: dict[str, Any] = {
    "none": None,
    "true": True,
    "zero": 0,
    "one": 1,
    "half": 0.5,
    "nan": math.nan,
    "infinity": math.inf,
    "minus infinity": -math.inf,
    "huge": 10**5000,
    "complex": 1j,
    "empty string": "",
    "text": "the cat",
    "bytes": b"0",
    "empty list": [],
    "ids": [0] * 40,
    "huge ids": [10**5000] * 20,
    "strings": ["a"] * 20,
    "nested": [[[{}]], ({1: [None]},)],
    "empty tuple": (),
    "empty set": set(),
    "empty dict": {},
    "dict of none": {("the",): None, (): None},
    "dict of lists": {("the",): [1, 2]},
    "dict with odd keys": {1: {}, None: {math.nan: 1}, "the": {"cat": "1"}, (): {"a": -1}},
    "dict of tensors": {("the",): torch.ones(3), ("b",): torch.tensor(math.nan)},
    "gradients of none": dict.fromkeys("UWbVc"),
    "gradients of nan": dict.fromkeys("UWbVc", torch.tensor(math.nan)),
    "gradients of meta": dict.fromkeys("UWbVc", torch.empty(3, device="meta")),
    "pair of none": (None, None),
    "pair of tensors": (torch.ones(2, 3), torch.zeros(3)),
    "pair of ids": (torch.zeros(2, 5, dtype=torch.int64), torch.zeros(2, 5, dtype=torch.bool)),
    "pair of sparse": (torch.eye(3).to_sparse(), torch.eye(3).to_sparse()),
    "list of one": [torch.ones(2, 3)],
    "scalar tensor": torch.tensor(0.5),
    "nan tensor": torch.tensor(math.nan),
    "empty tensor": torch.empty(0),
    "empty rows": torch.empty(2, 0, 5),
    "matrix": torch.ones(2, 3),
    "batch": torch.ones(2, 5, 6),
    "bools": torch.ones(2, 5, dtype=torch.bool),
    "ids tensor": torch.zeros(40, dtype=torch.int64),
    "complex tensor": torch.ones(3) * 1j,
    "sparse tensor": torch.eye(3).to_sparse(),
    "meta tensor": torch.empty(3, device="meta"),
    "object": Odd(),
    "class": Odd,
    "function": len,
    "generator": (i for i in range(3)),
}

# What a function that is passed in gets asked with.
CALLS: list[tuple] = [
    (),
    (None,),
    ("a", ["<s>"]),
    (("<s>",), "a"),
    ("a", ()),
    ([],),
    ([10**5000],),
    (torch.ones(1),),
    ("a", "b", "c"),
    (1, None),
    (10**5000, torch.zeros(1)),
    (0, (None, None)),
    (0, torch.zeros(2)),
    (torch.tensor(0), torch.tensor([math.nan])),
]
SHOWN = (0.123, torch.full((2, 3), 0.123), (0.123, 0.123))  # answers whose number would be known again
LATE = (None, [], {}, Odd(), torch.ones(2))


@dataclass(frozen=True)
class Ordeal(Job):
    """A trial of the checks themselves; its report has, under "lines", a line for each rule that an answer broke."""

    source: str = ""
    limit: int = 60

    def carry_out(self, seed: int) -> dict[str, Any]:
        return {"lines": list(dict.fromkeys(_lines(self.exercise)))}


def _lines(exercise: str) -> Iterator[str]:
    for name, value in GARBAGE.items():
        yield from _verdicts(exercise, f"an answer that always returns {name}", _constant(value))
    for number, arguments in enumerate(CALLS):
        yield from _verdicts(exercise, f"a wrong call (number {number}) of what it is given", _calling(arguments))
    for value in LATE:
        what = f"{type(value).__name__} from every second call"
        yield from _faults(_checks(exercise, _late(value)), what)
    if any(check["outcome"] == "held" for check in _checks(exercise, _unwritten)):
        yield "an answer that is not written earns points: each check must call the answer"
    for value in SHOWN:
        yield from _told(_checks(exercise, _constant(value)))


def _checks(exercise: str, answer: Callable) -> list[dict[str, Any]]:
    return run(exercise, LocalAnswer(answer)).to_dict()["checks"]


def _verdicts(exercise: str, what: str, answer: Callable) -> Iterator[str]:
    """A line for each check that a useless answer breaks or holds."""
    checks = _checks(exercise, answer)
    yield from _faults(checks, what)
    for check in checks:
        if check["outcome"] == "held":
            yield f"the check {check['name']} holds for {what}: let it ask for more"


def _faults(checks: list[dict], what: str) -> Iterator[str]:
    for check in checks:
        if check["outcome"] == "fault":
            yield f"the check {check['name']} breaks on {what}: read results with unrolled.checking.kinds"


def _told(checks: list[dict]) -> Iterator[str]:
    """A hidden failure is shown with its message: it may hold names of things, but no numbers."""
    for check in checks:
        told = "".join(table.details(check))
        if check["hidden"] and check["outcome"] == "failed" and ("0.123" in told or "expected" in told):
            yield f"the hidden check {check['name']} shows values when it fails: leave them out of its messages"


# --- useless answers -------------------------------------------------------------------------------------------------


def _constant(value: Any) -> Callable:
    return lambda *arguments, **named: value


def _calling(arguments: tuple) -> Callable:
    """An answer that calls every function it gets in its own way and returns what came."""

    def answer(*given: Any) -> list:
        return [function(*arguments) for function in given if callable(function)]

    return answer


def _late(value: Any) -> Callable:
    """Garbage that comes late: the checks that compare two calls meet it in the second."""
    calls: list[None] = []

    def answer(*arguments: Any) -> Any:
        calls.append(None)
        return 0.5 if len(calls) % 2 else value

    return answer


def _unwritten(*arguments: Any) -> Any:
    raise NotImplementedError
