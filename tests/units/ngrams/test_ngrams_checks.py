"""The checks of unit 1: chance refuses no right answer. What all units share is in `test_verify_units.py`."""

import random

import pytest
from unrolled.checking import LocalAnswer, registry, run

import autograder.hidden.ngrams  # noqa: F401  (registers the hidden checks)
from autograder.releasing.references import solution


def fair(next_probs, start, length, temperature, seed):
    """A right answer to 1.7 in plain Python, quick enough for many seeds."""
    draw, ids = random.Random(seed), list(start)
    for _ in range(length):
        p = next_probs(ids).tolist()
        best = max(p)
        weights = [(x / best) ** (1 / temperature) if temperature else float(x == best) for x in p]
        ids.append(draw.choices(range(len(p)), weights)[0])
    return ids[len(start) :]


def test_chance_refuses_no_right_answer(monkeypatch):
    for seed in range(10):
        monkeypatch.setenv(registry.SEED_VARIABLE, str(seed))
        assert run("sample", LocalAnswer(fair)).all_held, seed


@pytest.mark.parametrize("exercise", ["mle", "perplexity", "diagnose", "add_k", "kneser_ney"])
def test_who_is_right_only_the_first_time_that_something_is_asked_is_found_out(exercise):
    right, asked = solution("ngrams", exercise), set()

    def forgetful(*args):
        said = repr([arg for arg in args if not callable(arg)])
        result, is_new = right(*args), said not in asked
        asked.add(said)
        return result if is_new else type(result)() if isinstance(result, dict) else -1.0

    assert run(exercise, LocalAnswer(right)).all_held
    assert not run(exercise, LocalAnswer(forgetful)).all_held
