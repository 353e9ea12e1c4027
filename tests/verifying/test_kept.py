"""Trials that are kept: what they depend on, and that a second run makes none of them again."""

import json

import pytest
from unrolled.checking import check, close, registry

from autograder.releasing.references import Reference
from autograder.verifying import fingerprint, kept, trial
from autograder.verifying.kept import Kept
from autograder.verifying.trial import Job

RIGHT, WRONG = Job("double", "def double(x):\n    return 2 * x"), Job("double", "def double(x):\n    return x")
SLEEPS = Job("double", "def double(x):\n    while True: pass", limit=1)
DIES = Job("double", "import os\nos._exit(0)")


@pytest.fixture(autouse=True)
def double(monkeypatch):
    monkeypatch.setattr(registry, "_checks", {})
    monkeypatch.setattr("unrolled.checking.running.checks_of", lambda name: list(registry._checks[name].values()))

    @check("double")
    def two_is_four(answer):
        """Twice two is four."""
        close(answer(2), 4, "double of 2")


@pytest.fixture
def made(monkeypatch):
    """The jobs for which a child was started."""
    jobs, child = [], trial._Child

    def counted(job, seed):
        jobs.append(job)
        return child(job, seed)

    monkeypatch.setattr(trial, "_Child", counted)
    return jobs


def run(path, *jobs, stamp="stamp", seed=0, fresh=False, whole=True):
    known = Kept(path, stamp, fresh)
    found = list(known.tried(jobs, seed))
    known.write(whole)
    return found


def test_a_second_run_makes_nothing_and_says_the_same(tmp_path, made):
    first = run(tmp_path / "double.json", RIGHT, WRONG, SLEEPS)
    assert [one.earned for one in first] == [1, 0, 0] and len(made) == 3
    assert run(tmp_path / "double.json", RIGHT, WRONG, SLEEPS) == first and len(made) == 3


def test_trials_come_in_the_order_of_the_jobs(tmp_path):
    assert [one.job for one in run(tmp_path / "double.json", SLEEPS, RIGHT, WRONG)] == [SLEEPS, RIGHT, WRONG]


@pytest.mark.parametrize("change", [{"stamp": "other"}, {"seed": 1}, {"fresh": True}])
def test_other_checks_another_seed_or_a_fresh_run_try_anew(tmp_path, made, change):
    run(tmp_path / "double.json", RIGHT)
    run(tmp_path / "double.json", RIGHT, **change)
    assert made == [RIGHT, RIGHT]


def test_one_edited_answer_is_tried_alone(tmp_path, made):
    run(tmp_path / "double.json", RIGHT, WRONG)
    edited = Job("double", "def double(x):\n    return x + x")
    run(tmp_path / "double.json", edited, WRONG)
    assert made == [RIGHT, WRONG, edited]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"x": 3}', "\0"])
def test_a_damaged_file_is_as_none(tmp_path, made, text):
    (tmp_path / "double.json").write_text(text)
    assert run(tmp_path / "double.json", RIGHT)[0].earned == 1
    assert run(tmp_path / "double.json", RIGHT)[0].earned == 1 and made == [RIGHT]


def test_a_damaged_entry_is_tried_anew(tmp_path, made):
    run(tmp_path / "double.json", RIGHT)
    entries = dict.fromkeys(json.loads((tmp_path / "double.json").read_text()), ["finished", "long", []])
    (tmp_path / "double.json").write_text(json.dumps(entries))
    assert run(tmp_path / "double.json", RIGHT)[0].earned == 1 and made == [RIGHT, RIGHT]


def test_what_died_is_not_kept(tmp_path, made):
    run(tmp_path / "double.json", DIES)
    run(tmp_path / "double.json", DIES)
    assert made == [DIES, DIES]


def test_a_part_of_a_run_throws_nothing_away_and_a_whole_one_what_it_did_not_use(tmp_path, made):
    path = tmp_path / "double.json"
    run(path, RIGHT, WRONG)
    run(path, RIGHT, whole=False)
    assert len(json.loads(path.read_text())) == 2
    run(path, RIGHT)
    assert len(json.loads(path.read_text())) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["double.json"]


# --- what a trial depends on -----------------------------------------------------------------------------------------

CHECKS = """
from unrolled.checking import check, forbid

def helper(): return 1

forbid("one", len)
forbid("two", sum)

@check("one")
def a(answer): pass

@check("two")
def b(answer): pass

@agrees("two", weight=2)
def c(random): pass
"""


@pytest.mark.parametrize(
    ("old", "new", "one", "two"),
    [
        ("return 1", "return 2", True, True),  # a helper may serve any exercise
        ("def b(answer): pass", "def b(answer): 0", False, True),
        ("weight=2", "weight=3", False, True),
        ('"one", len', '"one", max', True, False),
        ("def a(", "def renamed(", True, False),
        ("forbid\n", "forbid  # a word\n", False, False),
        ("import check,", "import close, check,", True, True),
    ],
)
def test_a_change_of_one_exercises_checks_is_none_for_the_others(old, new, one, two):
    changed = CHECKS.replace(old, new)
    assert changed != CHECKS
    for exercise, differs in (("one", one), ("two", two)):
        assert (fingerprint.text_for(exercise, changed) != fingerprint.text_for(exercise, CHECKS)) == differs


def test_imports_are_followed_whatever_their_form():
    source = "import unrolled.ngrams, os\nfrom unrolled import gru\nfrom .compare import close\nfrom . import plain"
    found = set(fingerprint.imported(source, "unrolled.checking.kinds"))
    wanted = {"unrolled", "unrolled.ngrams", "unrolled.gru", "unrolled.checking.compare", "unrolled.checking.plain"}
    assert wanted <= found
    assert "unrolled.checking.answer" in set(fingerprint.imported("from .answer import x", "unrolled.checking", True))
    assert set(fingerprint.imported("def (")) == set()


def test_the_checking_library_and_the_solution_are_part_of_it(monkeypatch):
    reference = Reference("mle", "def mle(): pass")
    stamp = fingerprint.of_exercise("01_ngrams", reference)
    assert stamp == fingerprint.of_exercise("ngrams", reference)
    assert stamp != fingerprint.of_exercise("01_ngrams", Reference("mle", "def mle(): return 1"))
    read = type(fingerprint.path_of("unrolled.ngrams")).read_text
    for module in (
        "unrolled.checking.compare",
        "unrolled.ngrams",
        "autograder.verifying.trial",
        "unrolled.checks.helpers.toys",
    ):
        path = fingerprint.path_of(module)
        changed = lambda self, *how, path=path: read(self, *how) + "\n# changed" * (self == path)  # noqa: E731
        monkeypatch.setattr("pathlib.Path.read_text", changed)
        fingerprint.of_modules.cache_clear()
        assert fingerprint.of_exercise("01_ngrams", reference) != stamp, module
    monkeypatch.undo()
    fingerprint.of_modules.cache_clear()


def test_an_answer_brings_what_it_imports():
    assert fingerprint.of_answer("import torch") == fingerprint.of_answer("")
    assert fingerprint.of_answer("from unrolled import gru") != fingerprint.of_answer("from unrolled import lstm")
    assert kept.DIED == trial.DIED
