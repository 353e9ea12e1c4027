"""A tuned net with fewer heads and fewer bits, and what of a long document is read."""

from dataclasses import replace

import pytest
import torch
from unrolled.bert import Bert, BertConfig, Classifier, Pieces
from unrolled.experiments.bert import compressing, cuts
from unrolled.experiments.bert.cuts import Chapter
from unrolled.wordpiece import SPECIALS, WordPiece

PIECES = WordPiece([*SPECIALS, *(f"w{i}" for i in range(95))])
CONFIG = BertConfig(pieces=100, width=24, heads=4, layers=2, inner=48, longest=32, dropout=0.0)


def made_net(classes=3, seed=0):
    torch.manual_seed(seed)
    model = Classifier(Bert(CONFIG), classes)
    for parameter in model.parameters():
        parameter.data += 0.2 * torch.randn_like(parameter)
    return model.eval()


def drawn(rows=4, n=11):
    return Pieces.of(torch.randint(5, 100, (rows, n)).tolist())


# --- heads -----------------------------------------------------------------------------------------------------------


def test_a_head_that_is_gone_says_nothing():
    model, pieces, gone = made_net(), drawn(), [(0, 1), (0, 3), (1, 0)]
    silent = made_net()
    for layer, h in gone:
        silent.bert.blocks[layer].attention.output.weight.data[:, 6 * h : 6 * (h + 1)] = 0.0
    before = model(pieces).logits
    found = compressing.without(model, gone)(pieces).logits
    assert torch.allclose(found, silent(pieces).logits, atol=1e-5) and not torch.allclose(found, before, atol=1e-3)
    assert torch.equal(model(pieces).logits, before)


def test_less_is_stored_and_all_of_it_counts():
    model = made_net()
    light = compressing.without(model, [(0, 0), (1, 2)])
    lost = sum(p.numel() for p in model.parameters()) - sum(p.numel() for p in light.parameters())
    assert lost == 2 * (4 * 6 * 24 + 3 * 6)  # a head's part of four matrices, and of three shifts
    again = compressing.without(light, [(0, 0)])  # the first that is left: head 1
    pieces = drawn()
    both = compressing.without(model, [(0, 0), (0, 1), (1, 2)])(pieces).logits
    assert torch.allclose(again(pieces).logits, both, atol=1e-5)


def test_a_layer_keeps_a_head():
    with pytest.raises(ValueError, match="layer 1 would have no head left"):
        compressing.without(made_net(), [(1, h) for h in range(4)])
    with pytest.raises(ValueError, match="no head 4 in layer 0: the net has 8 heads"):
        compressing.without(made_net(), [(0, 4)])


# --- bits ------------------------------------------------------------------------------------------------------------


def test_rounding_by_hand():
    matrix = torch.tensor([[7.0, -3.4, 0.4], [0.07, 0.0, -0.036], [0.0, 0.0, 0.0]])
    wanted = torch.tensor([[7.0, -3.0, 0.0], [0.07, 0.0, -0.04], [0.0, 0.0, 0.0]])
    assert torch.allclose(compressing.rounded(matrix, 4), wanted, atol=1e-6)  # seven steps each way


def test_matrices_are_rounded_and_vectors_are_not():
    model = made_net()
    light = compressing.of_bits(model, 3)
    for (name, old), new in zip(model.named_parameters(), light.parameters(), strict=True):
        if old.ndim == 2:
            assert max(len(row.unique()) for row in new) <= 7 and not torch.equal(old, new), name
        else:
            assert torch.equal(old, new), name
    with pytest.raises(ValueError, match="bits is 9"):
        compressing.of_bits(model, 9)


def test_bytes_by_hand():
    layer = torch.nn.Linear(10, 4)
    assert compressing.stored_bytes(layer) == 4 * 44
    assert compressing.stored_bytes(layer, 8) == 40 + 4 * 4 + 4 * 4  # numbers, a step for each row, shifts


def test_a_net_of_more_layers_takes_more_time():
    one, four = (Classifier(Bert(replace(CONFIG, layers=layers)), 2).eval() for layers in (1, 4))
    assert compressing.ratio(one, four, drawn(16, 32), times=10) < 0.7


# --- long documents --------------------------------------------------------------------------------------------------


def test_what_is_read_of_a_chapter():
    ids = list(range(5, 95))
    around = [PIECES.cls], [PIECES.sep]
    inside = {cut: cuts.seen(ids, cut, PIECES) for cut in cuts.WAYS}
    assert all(row[:1] == around[0] and row[-1:] == around[1] for rows in inside.values() for row in rows)
    bare = {cut: [row[1:-1] for row in rows] for cut, rows in inside.items()}
    assert bare["head"] == [ids[:30]] and bare["tail"] == [ids[-30:]]
    assert bare["head and tail"] == [ids[:7] + ids[-23:]]
    assert bare["windows"] == [ids[at : at + 30] for at in (0, 15, 30, 45, 60)]
    many = cuts.seen(ids * 20, "windows", PIECES)
    assert len(many) == cuts.MOST and many[0][1] == ids[0] and many[-1][-2] == ids[-1]


def test_a_book_is_found_by_the_part_that_tells_it():
    """Each book has a piece of its own, in the last ten of the chapter: who reads the head alone cannot know."""
    chance = torch.Generator().manual_seed(0)
    chapters = [
        Chapter([*torch.randint(20, 100, (70,), generator=chance).tolist(), *[5 + i % 3] * 10], i % 3)
        for i in range(60)
    ]
    parts, bert = {"train": chapters[:45], "test": chapters[45:]}, made_net().bert
    found = {
        cut: cuts.right(cuts.trained(bert, PIECES, parts, cut, steps=60), PIECES, parts["test"], cut)
        for cut in ("head", "tail", "head and tail")
    }
    assert found["tail"] > 0.9 and found["head and tail"] > 0.9 and found["head"] < 0.8
