"""Every attack, run as a submission: it gains no mark, tells no secret, leaves nothing, hurts no neighbour.

The notebook, its two exercises and the secrets are made here. The secrets are words that stand in the grader's
environment, its gradebook, its expected values and its hidden checks; none may show up anywhere in what a submission
produces. An attack prints GAINED where it got what it should not.
"""

import json
import math
import os
import socket
import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch
import unrolled
from one_judge import IN_THE_END, SHORT, UNHURRIED, asks, code, engine, notebook, patient
from unrolled.checking import check, close, holds

import autograder
from autograder.judging.boundary.outputs import cleaned
from autograder.judging.judge import Judge
from autograder.judging.rubric import Rubric

from . import Attack
from .escape import ESCAPE
from .exhaust import EXHAUST
from .forge import FORGE
from .leave import LEAVE
from .read import READ
from .write import WRITE

KINDS = {"forge": FORGE, "read": READ, "write": WRITE, "escape": ESCAPE, "exhaust": EXHAUST, "leave": LEAVE}
ATTACKS = [attack for attacks in KINDS.values() for attack in attacks]
CANARY = "CANARY-" + os.urandom(8).hex()
HIDDEN_INPUT = 7_654_321.0

HONEST = "def honest(x):\n    return x + 1\n"
RELEASE = notebook(code(HONEST, "honest"), asks("honest"), code("def triple(x): ...", "triple"), asks("triple"))
NEIGHBOUR = notebook(
    code(HONEST, "honest"), asks("honest"), code("def triple(x): return 3 * x", "triple"), asks("triple")
)
TRIPLE = ("triples_a_number", "triples_a_tensor", "works_with_what_comes", "survives_a_function")
UNIT = replace(Rubric.of(RELEASE, "attacked"), sound={"triple": frozenset(TRIPLE)})  # as `learn` would find


@check("honest")
def adds_one(answer):
    """One more."""
    close(answer(1), 2, "1 + 1")


@check("triple")
def triples_a_number(answer):
    """Three times two is six."""
    expected = {CANARY: 6}
    close(answer(2), expected[CANARY], "3 · 2")


@check("triple")
def triples_a_tensor(answer):
    """Three times a tensor."""
    close(answer(torch.tensor([1.0, HIDDEN_INPUT])), torch.tensor([3.0, 3 * HIDDEN_INPUT]), "3 · x")


@check("triple")
def works_with_what_comes(answer):
    """What comes back is a finite number."""
    holds(math.isfinite(answer(5.0) / 1.0) and answer(5.0) == 15.0, "3 · 5 is 15")


@check("triple")
def survives_a_function(answer):
    """Something with a function in it is three times that."""

    class Once:
        def __call__(self, x):
            return float(x)

    if not isinstance(answer(1), int):
        holds(False, "3 · 1 is 3")
    try:
        answer(Once())
    except Exception as error:
        holds("TypeError" in str(error), str(error))
    else:
        holds(False, "a function has no triple")


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    """What an insider would know of the machine."""
    folder = tmp_path_factory.mktemp("grader")
    (folder / "gradebook.db").write_text(CANARY)
    (folder / "submitted" / "neighbour").mkdir(parents=True)
    (folder / "submitted" / "neighbour" / "work.ipynb").write_text(CANARY)
    os.environ["GRADERS_SECRET"] = CANARY
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield {
            "gradebook": str(folder / "gradebook.db"),
            "hidden": str(Path(autograder.__file__).parent / "hidden" / "__init__.py"),
            "course": str(Path(autograder.__file__).parent.parent),
            "package": list(unrolled.__path__)[0],
            "grader": os.getpid(),
            "port": server.getsockname()[1],
        }
    del os.environ["GRADERS_SECRET"]


def submission(source: str, paths: dict) -> dict:
    """A notebook with the honest answer first, then the attack."""
    cells = [code(part) for part in source.split("# %%")]
    return notebook(code(f"PATHS = {paths!r}"), code(HONEST, "honest"), asks("honest"), *cells, asks("triple"))


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name.replace(" ", "-"))
def test_an_attack_gains_nothing(attack, paths):
    hold_that_nothing_is_gained(attack, engine(), paths)


def hold_that_nothing_is_gained(attack: Attack, engine: Judge, paths: dict) -> None:
    """Grade the attack, look for what it could have got, told or left, then grade its neighbour."""
    slow = patient(engine, UNHURRIED)
    before, begin = _traces(paths), time.monotonic()
    judgement = (engine if "timed out" in attack.statuses else slow).grade(submission(attack.source, paths), UNIT)
    took = time.monotonic() - begin
    earned = {report.exercise: report.earned for report in judgement.reports}
    assert earned == {"honest": 1.0, "triple": attack.earns}, [r.message for r in judgement.reports[1].checks]
    assert judgement.status in attack.statuses, judgement.note
    told = json.dumps(judgement.outputs, default=repr)
    for word in (CANARY, "GAINED", str(int(HIDDEN_INPUT))):
        assert word not in told, told[max(0, told.index(word) - 200) : told.index(word) + 200]
    assert took < SHORT.notebook_seconds + IN_THE_END
    assert _traces(paths) == before
    after = slow.grade(NEIGHBOUR, UNIT)
    assert (after.status, after.earned) == ("graded", 2.0), after


REACHING = ("environment of parents", "parent's memory", "signals", "files", "shared memory segments", "writes")


@pytest.mark.parametrize("name", REACHING, ids=lambda name: name.replace(" ", "-"))
def test_a_submission_that_runs_beside_is_neither_seen_nor_ended(name, paths):
    (attack,) = (attack for attack in ATTACKS if attack.name == name)
    sibling = engine()._worker.fork(UNHURRIED, lambda session, handle: None)
    try:
        mine = f"import os\nos.environ['MINE'] = secret = {CANARY!r}\nopen('mine', 'w').write(secret)"
        sibling.cell(mine, 60)
        hold_that_nothing_is_gained(attack, engine(), paths)
        raw, _ = sibling.cell("print(secret == os.environ['MINE'] == open('mine').read(), os.listdir('.'))", 60)
    finally:
        sibling.end()
    assert cleaned(raw)[0]["text"] == "True ['mine']\n"


def _traces(paths: dict) -> dict:
    """What an attack could have left: files beside the gradebook, shared memory, the course's files."""
    places = (os.path.dirname(paths["gradebook"]), "/dev/shm", paths["package"], "/var/tmp")
    left = {place: sorted(name for name in os.listdir(place) if "left" in name) for place in places}
    return left | {"gradebook": Path(paths["gradebook"]).read_text()}


def test_the_reference_holds_every_check():
    learned = engine().learn(NEIGHBOUR, replace(UNIT, sound={}))
    assert learned.sound == UNIT.sound | {"honest": frozenset(["adds_one"])}


def test_every_attack_says_what_it_tries_and_has_a_name_of_its_own():
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS) >= 60
    assert all(len(attack.tries.split()) >= 2 for attack in ATTACKS)
