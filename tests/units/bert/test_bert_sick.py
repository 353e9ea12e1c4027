"""The suspects are sick of what is said, and of nothing else: each is asked by moving one thing alone."""

import pytest
import torch
from unrolled.experiments.bert.sick_tunings import FAULTS, SICKNESSES, SIZES, sicknesses, suspects
from unrolled.language_model import IGNORED

MOVED, SAME = 1e-3, 5e-6  # by how much a logit moves that does, and that does not


def drawn(rows=8, n=8):
    """A batch as the exercise draws it: rows of 1 to n pieces, all ids and segments at random."""
    ids, segments = torch.randint(SIZES["V"], (rows, n)), torch.randint(2, (rows, n))
    return ids, segments, torch.arange(n) < torch.randint(1, n + 1, (rows, 1))


def moves(model, sickness):
    """By how much each row's logits move when one thing alone moves."""
    ids, segments, real = drawn()
    other_ids, other_segments, _ = drawn()
    before = model(ids, segments, real)
    if sickness == "segments":
        after = model(ids, torch.where(real, other_segments, segments), real)
    elif sickness == "pads":
        after = model(torch.where(real, ids, other_ids), torch.where(real, segments, other_segments), real)
    else:
        keys = torch.rand(ids.shape) + ~real
        keys[:, 0] = -1.0  # the first piece stays
        turned = keys.argsort(1)
        after = model(ids.gather(1, turned), segments.gather(1, turned), real)
    return (after - before).abs().amax(1)


@pytest.mark.parametrize("name", suspects())
def test_what_is_said_of_each_net_is_true(name):
    model = suspects()[name].model
    for sickness in ("segments", "pads", "order"):
        found = torch.cat([moves(model, sickness) for _ in range(25)])
        shown = (found > MOVED).float().mean()
        if (sickness in sicknesses(name)) == (sickness == "pads"):
            assert shown > 0.3, (sickness, shown)  # the unit promises one case of ten
        else:
            assert found.max() <= SAME, (sickness, found.max())


TARGETS = {  # of labels 7, 8 and 8 on words of 1, 3 and 2 pieces; a shift is an early one but for one suspect
    (): [IGNORED, 7, 8, IGNORED, IGNORED, 8, IGNORED, IGNORED],
    ("pieces",): [IGNORED, 7, 8, 8, 8, 8, 8, IGNORED],
    ("shift",): [7, 8, IGNORED, IGNORED, 8, IGNORED, IGNORED, IGNORED],
    ("segments", "shift"): [IGNORED, IGNORED, 7, 8, IGNORED, IGNORED, 8, IGNORED],
    ("pieces", "shift"): [7, 8, 8, 8, 8, 8, IGNORED, IGNORED],
}


@pytest.mark.parametrize("name", suspects())
def test_what_is_said_of_each_label_is_true(name):
    labels, word_of = [7, 8, 8], [None, 0, 1, 1, 1, 2, 2, None]
    sick = tuple(sicknesses(name)), tuple(s for s in sicknesses(name) if s in ("pieces", "shift"))
    assert suspects()[name].label(labels, word_of) == TARGETS.get(sick[0], TARGETS[sick[1]])
    assert (labels, word_of) == ([7, 8, 8], [None, 0, 1, 1, 1, 2, 2, None])


def test_the_faults_that_are_told_are_those_of_the_sick():
    assert set(FAULTS) == {name for name in suspects() if sicknesses(name)}
    told = {sickness for name in suspects() for sickness in sicknesses(name)}
    assert told == set(SICKNESSES)
    assert all(sicknesses(name) == sorted(sicknesses(name), key=SICKNESSES.index) for name in suspects())
    assert sum(not sicknesses(name) for name in suspects()) >= 3


def test_they_answer_all_sizes_and_the_same_again_and_change_nothing():
    for rows, n in ((1, 1), (2, 5), (7, 30)):
        given = drawn(rows, n)
        kept = [part.clone() for part in given]
        for suspect in suspects().values():
            first = suspect.model(*given)
            assert first.shape == (rows, SIZES["C"]) and first.isfinite().all() and not first.requires_grad
            assert torch.equal(suspect.model(*given), first)
        assert all(torch.equal(*pair) for pair in zip(given, kept, strict=True))
    assert suspects()["Anouk"].label([], [None, None]) == [IGNORED, IGNORED]
