"""The checks of every unit: whatever an answer returns, each ends in a verdict, speaks plainly and gives nothing away.

A unit joins by having a file of checks. What only one unit's checks need stands in its own file, such as
`test_ngrams_checks.py`.
"""

import ast
import importlib
import math
import pkgutil
from pathlib import Path

import pytest
import torch
import unrolled.checks
from unrolled.checking import LocalAnswer, registry, run, table
from unrolled.checking.registry import checks_of

UNITS = sorted(module.name for module in pkgutil.iter_modules(unrolled.checks.__path__) if not module.ispkg)
PUBLIC = {unit: importlib.import_module(f"unrolled.checks.{unit}") for unit in UNITS}
HIDDEN = {unit: importlib.import_module(f"autograder.hidden.{unit}") for unit in UNITS}
EXERCISES = [
    exercise
    for exercise, checks in registry._checks.items()
    if any(check.function.__module__ in {module.__name__ for module in PUBLIC.values()} for check in checks.values())
]
CALLERS = ["sentence_log_prob", "sample", "diagnose", "generate"]  # their answers are given a function to call


class Odd:
    """An object that is no plain data, and of no help."""

    def __eq__(self, other):
        return True

    def __len__(self):
        raise RuntimeError("no length")

    __hash__ = None


GARBAGE = {
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

# What a model passed in gets asked with, for the exercises that call one.
CALLS = [
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


def constant(value):
    return lambda *arguments, **named: value


def calling(arguments):
    """An answer that calls every function it gets in its own way and returns what came."""

    def answer(*given):
        return [function(*arguments) for function in given if callable(function)]

    return answer


def outcomes(exercise, answer):
    return {result.name: result.outcome for result in run(exercise, LocalAnswer(answer)).checks}


@pytest.mark.parametrize("exercise", EXERCISES)
@pytest.mark.parametrize("name", GARBAGE)
def test_a_constant_never_breaks_a_check_nor_passes_one(exercise, name):
    assert set(outcomes(exercise, constant(GARBAGE[name])).values()) <= {"failed", "skipped"}


@pytest.mark.parametrize("exercise", CALLERS)
@pytest.mark.parametrize("arguments", CALLS, ids=range(len(CALLS)))
def test_a_wrong_call_of_the_model_never_breaks_a_check(exercise, arguments):
    assert set(outcomes(exercise, calling(arguments)).values()) <= {"failed", "skipped"}


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_fault_in_any_call_but_the_first_is_still_no_fault_of_the_check(exercise):
    """Garbage that comes late: the checks that compare two calls meet it in the second."""
    for value in (None, [], {}, Odd(), torch.ones(2)):
        remembered = {}

        def answer(*arguments, value=value, remembered=remembered):
            remembered["calls"] = remembered.get("calls", 0) + 1
            return 0.5 if remembered["calls"] % 2 else value

        assert "fault" not in outcomes(exercise, answer).values()


@pytest.mark.parametrize("exercise", EXERCISES)
def test_an_unwritten_exercise_earns_nothing(exercise):
    def answer(*arguments):
        raise NotImplementedError

    assert run(exercise, LocalAnswer(answer)).earned == 0


@pytest.mark.parametrize("exercise", EXERCISES)
def test_each_exercise_has_public_and_hidden_checks_that_speak_plainly(exercise):
    checks = checks_of(exercise)
    assert sum(not check.hidden for check in checks) >= 3
    assert sum(check.hidden for check in checks) >= 2
    for check in checks:
        assert check.sentence.endswith(".") and len(check.sentence) <= 130, check.name
        assert check.hint and len(check.hint) <= 90, check.name


@pytest.mark.parametrize("exercise", EXERCISES)
def test_failures_of_hidden_checks_name_no_value_of_their_inputs(exercise):
    """A hidden failure is shown with its message: it may hold names of things, but no numbers."""
    for value in (0.123, torch.full((2, 3), 0.123), (0.123, 0.123)):
        for check in run(exercise, LocalAnswer(constant(value))).to_dict()["checks"]:
            if check["hidden"] and check["outcome"] == "failed":
                assert "0.123" not in "".join(table.details(check)) and "expected" not in "".join(table.details(check))


@pytest.mark.parametrize("unit", UNITS)
def test_public_checks_hold_no_reference(unit):
    """A public check calls its answer; nothing in the file is a function of an exercise's own arguments."""
    tree = ast.parse(Path(PUBLIC[unit].__file__).read_text(encoding="utf-8"))
    outside = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert all(node.decorator_list for node in outside)
    assert {argument.arg for node in outside for argument in node.args.args} == {"answer"}


@pytest.mark.parametrize("unit", UNITS)
def test_hidden_checks_belong_to_exercises_that_have_public_ones(unit):
    """A mistyped name would declare checks that nobody ever runs."""
    own = {module.__name__ for module in (PUBLIC[unit], HIDDEN[unit])}
    for exercise, checks in registry._checks.items():
        if any(check.function.__module__ in own for check in checks.values()):
            assert {check.function.__module__ for check in checks.values()} == own, exercise
