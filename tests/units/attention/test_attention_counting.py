"""The letters' tasks: answers found by counting one by one, and nets that learn them in seconds."""

import pytest
import torch
from unrolled.attention import Config, SelfAttention
from unrolled.experiments.attention import counting
from unrolled.language_model import IGNORED


def of(string):
    return counting.read(string).ids[:, 1:]


def slowly(string, task):
    found = []
    for i, letter in enumerate(string):
        following = string[i + 1 : i + 2]
        times, last = min(string[:i].count(letter), 2), string[i - 1] if i else None
        found.append(
            {
                "count": times,
                "before": counting.LETTERS.index(string[i - 2]) if i >= 2 else IGNORED,
                "next": counting.LETTERS.index(following[0]) if following else IGNORED,
                "both": IGNORED if last is None else 2 * times + (last in counting.VOWELS),
            }[task]
        )
    return found


@pytest.mark.parametrize("task", counting.TASKS)
def test_right_answers_are_those_counted_one_by_one(task):
    batch = counting.strings(20, 12, torch.Generator().manual_seed(0), task)
    for ids, answers in zip(batch.inputs.ids, batch.targets.tolist(), strict=True):
        assert ids[0] == counting.MARK and answers[0] == IGNORED
        assert answers[1:] == slowly([counting.LETTERS[i - 1] for i in ids[1:].tolist()], task)
    assert batch.targets.max() == counting.TASKS[task].classes - 1 and batch.inputs.mask.all()


def test_a_string_is_read_with_the_mark_before_it():
    assert counting.read("abj").ids.tolist() == [[11, 1, 2, 10]]
    assert counting.read("").ids.tolist() == [[11]]
    with pytest.raises(ValueError, match="'x' is not one of the letters abcdefghij"):
        counting.read("abx")


def test_the_commonest_answer_is_right_as_often_as_it_occurs():
    targets = counting.exam(20).targets[:, 1:]
    assert counting.majority(20) == pytest.approx(max((targets == c).float().mean().item() for c in range(3)))


def test_attention_counts_within_seconds_and_says_where_it_looked():
    counter = counting.train_counter(steps=300, seed=0)
    assert counter.accuracy(20) >= 0.99 and counter.accuracy(40) >= 0.99
    assert counter.answers("abcaba") == [0, 0, 0, 1, 1, 2]
    (weights,) = counter.looks("abcaba")
    assert weights.shape == (4, 7, 7)
    torch.testing.assert_close(weights.sum(2), torch.ones(4, 7))


def test_who_cannot_tell_before_from_after_does_not_count():
    counter = counting.train_counter(steps=150, seed=0, causal=False)
    assert counting.majority(20) < counter.accuracy(20) < 0.7


@pytest.mark.parametrize("train", [counting.train_counter, counting.train_recurrent])
def test_the_same_seed_gives_the_same_net_and_settings_reach_it(train):
    found = [train(steps=3, seed=s, task="before", width=8, batch=4, rate=1e-3) for s in (0, 0, 1)]
    same = [[p.tolist() for p in counter.model.parameters()] for counter in found]
    assert same[0] == same[1] != same[2]
    assert found[0].model.config.width == 8 and found[0].task == "before"


def test_what_has_no_answer_is_not_asked():
    counter = counting.Counter(SelfAttention(Config(counting.SYMBOLS, 10)), None, "before")
    assert 0 <= counter.accuracy(3, asked=50) <= 1
    assert counting.share_right(torch.tensor([[1, 2, 0]]), torch.tensor([[IGNORED, 2, 1]])) == 0.5
