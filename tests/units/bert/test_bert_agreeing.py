"""Unit 4's question asked by a mask: what is hidden, what is asked, and that a net that knows is found to know."""

from types import SimpleNamespace

import pytest
import torch
from unrolled.experiments.bert.agreeing import FORMS, from_scratch, mask_score, with_being
from unrolled.experiments.bert.small import small
from unrolled.experiments.tagging.grammar import ADJECTIVES, agreement_items, agreement_probe

ITEMS = with_being(agreement_items(60, seed=3))


def test_only_the_verb_and_what_follows_are_exchanged():
    for before, after in zip(agreement_items(60, seed=3), ITEMS, strict=True):
        assert after.words[: after.at] == before.words[: before.at] and after.words[after.at] == FORMS[before.right]
        assert after.words[after.at + 1] in ADJECTIVES and after.words[after.at + 2 :] == ["."]
        assert (after.right, after.distance, after.distractors) == (before.right, before.distance, before.distractors)


class Knowing:
    """In the place of a net: at a [MASK] it says what it was told, or the other one; elsewhere nothing."""

    def __init__(self, net, items, wrong=()):
        self.net, self.read = net, iter(enumerate(items))
        self.wrong, self.bert = set(wrong), SimpleNamespace(device="cpu", config=net.model.bert.config)

    def eval(self):
        return self

    def guesses(self, pieces):
        found = torch.full((*pieces.ids.shape, len(self.net.pieces)), -9.0)
        for row, ids, segments in zip(found, pieces.ids, pieces.segments, strict=True):
            number, item = next(self.read)
            at = (ids == self.net.pieces.mask).nonzero().flatten().tolist()
            text = self.net.pieces.decode(ids[ids != self.net.pieces.pad].tolist())
            assert len(at) == 1 and not segments.any() and f" {FORMS[item.right]} " not in text
            row[at[0], self.net.pieces.encode(FORMS[item.right ^ (number in self.wrong)])] = -0.1
        return found


@pytest.mark.parametrize("wrong", [(), (0, 7, 59)], ids=["all right", "three wrong"])
def test_what_a_net_says_at_the_mask_is_what_counts(wrong):
    net = small()
    told = agreement_probe(mask_score(net._replace(model=Knowing(net, ITEMS, wrong)), together=7), ITEMS)
    assert told["all"][0] == ((60 - len(wrong)) / 60, 60)


def test_the_small_net_knows_the_verb_beside_its_subject():
    found = agreement_probe(mask_score(small()), with_being(agreement_items(100, seed=1, most_between=0)))
    assert found["all"][0][0] > 0.9


def test_a_drawn_net_knows_nothing_and_the_same_seed_draws_the_same():
    one, same, other = (from_scratch(small(), seed) for seed in (0, 0, 1))
    scores = [mask_score(net)(ITEMS) for net in (one, same, other)]
    assert scores[0] == scores[1] != scores[2]
    assert 0.25 < agreement_probe(lambda items: scores[0], ITEMS)["all"][0][0] < 0.75


def test_a_form_of_several_pieces_is_refused():
    with pytest.raises(ValueError, match="s' is 2 pieces: the probe asks for forms of one"):
        mask_score(small())(agreement_items(3, seed=1))
