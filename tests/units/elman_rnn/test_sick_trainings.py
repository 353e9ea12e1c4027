"""The two faulty trainings show what the notebook says of them."""

import math
from collections import Counter

import pytest
import torch
from unrolled.experiments.elman_rnn.sick_trainings import sick_training

LETTERS = 4


@pytest.fixture(scope="module")
def text():
    """Letters that follow each other by rule (the next is one more, or with probability 0.2 a zero)."""
    generator, ids = torch.Generator().manual_seed(0), [0]
    for fresh in (torch.rand(20_000, generator=generator) < 0.2).tolist():
        ids.append(0 if fresh else (ids[-1] + 1) % LETTERS)
    return torch.tensor(ids)


def test_a_learns_to_copy_and_writes_one_letter(text):
    sick = sick_training("A", text, LETTERS, steps=60)
    assert sick.history.losses[-1] < 0.05  # less than the 0.5 nats that a fresh draw costs anybody
    assert len(sick.sample) == 80
    assert sum(a == b for a, b in zip(sick.sample, sick.sample[1:], strict=False)) > 70


def test_b_learns_frequencies_and_no_more(text):
    sick = sick_training("B", text, LETTERS, steps=80)
    shares = [count / len(text) for count in Counter(text.tolist()).values()]
    entropy = -sum(share * math.log(share) for share in shares)
    late = sick.history.losses[-30:]
    assert sum(late) / len(late) == pytest.approx(entropy, abs=0.03)
    assert max(sick.history.losses[-30:]) < math.log(LETTERS) + 0.05
    assert len(set(sick.sample)) == LETTERS


def test_the_same_each_time(text):
    one, two = (sick_training("B", text, LETTERS, steps=3) for _ in range(2))
    assert one.history.losses == two.history.losses
    assert one.sample == two.sample


@pytest.mark.parametrize(
    "name, size, message", [("C", 500, "there is no classmate 'C'"), ("A", 128, "has 128 symbols")]
)
def test_bad_input_gets_one_clear_line(text, name, size, message):
    with pytest.raises(ValueError, match=message):
        sick_training(name, text[:size], LETTERS, steps=1)


def test_the_shortest_text_that_is_taken_is_enough(text):
    for name in "AB":
        assert len(sick_training(name, text[:129], LETTERS, steps=2).history.losses) == 2
