"""The suspects are sick of what is said, and of nothing else: each is asked by moving one thing alone."""

import pytest
import torch
from unrolled.experiments.transformer.sick_transformers import FAULTS, SICKNESSES, SIZES, sicknesses, suspects

MOVED, SAME = 1e-3, 5e-6  # by how much a logit moves that does, and that does not


def drawn(rows=8, n=8, m=6):
    """A batch as the exercise draws it: rows of 1 to n real words."""
    source, words = torch.randint(4, SIZES["V"], (rows, n)), torch.randint(4, SIZES["U"], (rows, m))
    return source, torch.arange(n) < torch.randint(1, n + 1, (rows, 1)), words


def anew(ids, top, where):
    return torch.where(where, torch.randint(4, top, ids.shape), ids)


def moves(model, sickness):
    """By how much each row moves, or each row at one position, when one thing alone moves."""
    source, real, words = drawn()
    before, row = model(source, real, words), int(torch.randint(len(source), ()))
    if sickness == "future":
        t = int(torch.randint(words.shape[1] - 1, ()))
        behind = torch.arange(words.shape[1]) > t
        return (model(source, real, anew(words, SIZES["U"], behind)) - before)[:, : t + 1].abs().amax((1, 2))
    if sickness == "pads":
        return (model(anew(source, SIZES["V"], ~real), real, words) - before).abs().amax((1, 2))
    if sickness == "order":
        turned = source.gather(1, (torch.rand(source.shape) + ~real).argsort(1))
        return (model(turned, real, words) - before).abs().amax((1, 2))
    others = drawn()
    for part, kept in zip(others, (source, real, words), strict=True):
        part[row] = kept[row]
    alone = [part[row : row + 1] for part in (source, real, words)]
    return torch.stack([(said - before[row]).abs().max() for said in (model(*others)[row], model(*alone)[0])])


@pytest.mark.parametrize("name", suspects())
def test_what_is_said_of_each_is_true(name):
    model = suspects()[name]
    for sickness in SICKNESSES:
        found = torch.cat([moves(model, sickness) for _ in range(25)])
        shown = (found > MOVED).float().mean()
        if (sickness in sicknesses(name)) != (sickness == "order"):
            assert shown > 0.3, (sickness, shown)  # the unit promises one case of ten, and of four for rows
        else:
            assert found.max() <= SAME, (sickness, found.max())


def test_the_faults_that_are_told_are_those_of_the_sick():
    assert set(FAULTS) == {name for name in suspects() if sicknesses(name)}
    assert {sickness for name in suspects() for sickness in sicknesses(name)} == set(SICKNESSES)
    assert sum(len(sicknesses(name)) == 0 for name in suspects()) >= 3


def test_they_answer_all_sizes_and_the_same_again_and_change_nothing():
    for rows, n, m in ((1, 1, 1), (2, 5, 3), (7, 30, 20)):
        given = drawn(rows, n, m)
        kept = [part.clone() for part in given]
        for model in suspects().values():
            first = model(*given)
            assert first.shape == (rows, m, SIZES["U"]) and first.isfinite().all() and not first.requires_grad
            assert torch.equal(model(*given), first)
        assert all(torch.equal(*pair) for pair in zip(given, kept, strict=True))
    assert torch.equal(suspects()["Greta"](*given), suspects()["Greta"](*given))
