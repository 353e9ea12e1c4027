"""The checks of unit 1: chance refuses no right answer. What all units share is in `test_verify_units.py`."""

import random

from unrolled.checking import LocalAnswer, registry, run

import autograder.hidden.ngrams  # noqa: F401  (registers the hidden checks)


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
