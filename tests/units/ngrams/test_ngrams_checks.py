"""The checks of unit 1: chance refuses no right answer, and hidden hints speak of the mistake that was made.

What all units share is in `test_verify_units.py`.
"""

import math
import random

import pytest
from tried import told
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


@pytest.mark.parametrize(
    ("log", "says"), [(math.log2, "base 2"), (math.log10, "base 10"), (lambda p: -math.log(p), "sign")]
)
def test_a_hidden_check_names_another_logarithm_as_the_public_one_does(log, says):
    def sentence_log_prob(words, prob, n, vocab):
        padded = ["<s>"] * (n - 1) + [word if word in vocab else "<unk>" for word in words] + ["</s>"]
        factors = [prob(padded[t], tuple(padded[t - n + 1 : t])) for t in range(n - 1, len(padded))]
        return sum(log(p) if p else -math.inf for p in factors)

    for hidden in (False, True):
        said = told("sentence_log_prob", LocalAnswer(sentence_log_prob), hidden=hidden)
        values = {name: lines for name, lines in said.items() if "different" in " ".join(lines)}
        assert len(values) >= 3 and all(says in lines[-1] for lines in values.values()), values


@pytest.mark.parametrize("wrong", [lambda d: d or 0.5, lambda d: min(d, 0.9), lambda d: max(d, 0.1)])
def test_a_discount_that_is_not_taken_as_it_is_is_called_so(wrong):
    def backoff(bigrams, unigram, prev, word, d):
        followers, d = bigrams.get((prev,), {}), wrong(d)
        if not followers:
            return unigram[word]
        total = sum(followers.values())
        if word in followers:
            return (followers[word] - d) / total
        unseen = sum(p for other, p in unigram.items() if other not in followers)
        return d * len(followers) / total * unigram[word] / unseen

    said = told("backoff", LocalAnswer(backoff), hidden=True)
    assert "is d taken as it is" in said["other_texts_back_off"][-1]


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
