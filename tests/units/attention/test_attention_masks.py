"""The suspects leak where it is said, and nowhere else: asked by changing every later word, one by one."""

import pytest
import torch
from unrolled.experiments.attention import counting
from unrolled.experiments.attention.masks import LEAKS, VOCABULARY, sees_ahead, suspects


def seen(model, n, tries=60):
    """(N, N): whether another word at j ever moved the answer at i."""
    found = torch.zeros(n, n, dtype=torch.bool)
    for _ in range(tries):
        ids = torch.randint(VOCABULARY, (1, n))
        changed = ids.repeat(n, 1)
        changed.diagonal().add_(torch.randint(1, VOCABULARY, (n,))).remainder_(VOCABULARY)
        found |= (model(changed) - model(ids)).abs().amax(2).T > 1e-5  # row j was changed at j
    return found


@pytest.mark.parametrize("name", suspects())
def test_what_is_said_of_each_is_true(name):
    n = 10
    ahead = seen(suspects()[name], n).triu(1).any(1)
    assert ahead.tolist() == sees_ahead(name, n)
    assert ahead.any() == (name in LEAKS)


def test_they_answer_any_length_and_the_same_again_and_change_nothing():
    for n in (1, 2, 200):
        ids = torch.randint(VOCABULARY, (3, n))
        before = ids.clone()
        for model in suspects().values():
            first = model(ids)
            assert first.shape == (3, n, VOCABULARY) and first.isfinite().all() and not first.requires_grad
            assert torch.equal(model(ids), first)
        assert torch.equal(ids, before)
        assert torch.equal(suspects()["Bela"](ids), suspects()["Bela"](ids))


def test_who_sees_the_next_letter_knows_it_and_nobody_else_does():
    honest, leaking = (
        counting.train_counter(steps=200, task="next", positions="sinusoid", causal=causal) for causal in (True, False)
    )
    assert honest.accuracy(20) < 0.15 < 0.9 < leaking.accuracy(20)
