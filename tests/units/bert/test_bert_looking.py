"""Where heads look: the weights are the net's own, habits by hand, and what is stored comes back."""

import json

import pytest
import torch
from unrolled.bert import BertConfig, Pieces, PretrainedBert
from unrolled.data import DataError, asset
from unrolled.experiments.bert.looking import HABITS, Looks, evenly, habits, looks, packed, stored_looks
from unrolled.experiments.bert.stored_looking import EXPERIMENTS, looking
from unrolled.widgets.head_view import HeadView
from unrolled.widgets.model_view import ModelView
from unrolled.wordpiece import SPECIALS, WordPiece

WORDS = "the old man took a boat . un ##lock ##ed"
PIECES = WordPiece([*SPECIALS, *WORDS.split()])
TEXTS = ["the old man took a boat.", ["unlocked", "boat"], "the", "a boat."]


def net(longest=16, spread=0.4) -> PretrainedBert:
    torch.manual_seed(5)
    model = PretrainedBert(BertConfig(len(PIECES), 12, 3, 2, 20, longest, dropout=0.3))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(spread * torch.randn_like(parameter))
    return model


def test_the_weights_are_the_nets_own_and_the_views_show_them():
    model = net()
    found = looks(model, PIECES, "the old man.", "a boat")
    assert " ".join(found.tokens) == "[CLS] the old man . [SEP] a boat [SEP]"
    batch = Pieces.of([[PIECES.ids[token] for token in found.tokens]], [[0] * 6 + [1] * 3])
    expected = model.eval().bert(batch, weights=True).weights
    for layer, theirs in zip(found.weights, expected, strict=True):
        torch.testing.assert_close(layer, theirs)
    shown = HeadView(*found, layer=1, head=2, token=8).weights()
    torch.testing.assert_close(torch.tensor(shown), expected[1][0, 2].double(), atol=1e-6, rtol=0)
    assert ModelView(*found).tokens == found.tokens


def test_dropout_is_off_and_training_goes_on_as_before():
    model = net().train()
    one, other = (looks(model, PIECES, "the old man").weights[0] for _ in range(2))
    torch.testing.assert_close(one, other, rtol=0, atol=0)
    assert model.training and model.bert.training


def shares(row: list[float], i: int) -> list[float]:
    """Of one piece's weights, [CLS] first and [SEP] last: what goes to each of HABITS."""
    found, last = dict.fromkeys(HABITS, 0.0), len(row) - 1
    names = {0: "[CLS]", last: "[SEP]", i: "itself"}
    for j, weight in enumerate(row):
        near = {i - 1: "the piece before", i + 1: "the piece after"}.get(j, "others")
        found[names.get(j, near)] += weight
    return list(found.values())


def test_habits_are_means_over_all_pieces_of_all_texts():
    model = net()
    rows = [PIECES.encode(TEXTS[0]), PIECES.of_words(TEXTS[1])[0], PIECES.encode("the"), PIECES.encode("a boat.")]
    found = torch.zeros(2, 3, len(HABITS), dtype=torch.float64)
    for row in rows:
        ids = [PIECES.cls, *row, PIECES.sep]
        for layer, weights in enumerate(model.eval().bert(Pieces.of([ids]), weights=True).weights):
            for head in range(3):
                for i in range(1, len(ids) - 1):
                    found[layer, head] += torch.tensor(shares(weights[0, head, i].tolist(), i), dtype=torch.float64)
    found /= sum(map(len, rows))
    told = habits(model, PIECES, TEXTS)
    for layer in range(2):
        for head in range(3):
            assert list(told[layer][head]) == list(HABITS)
            assert list(told[layer][head].values()) == pytest.approx(found[layer, head].tolist(), abs=1e-6)
            assert sum(told[layer][head].values()) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("longest", [16, 6])
def test_a_net_that_asks_nothing_looks_evenly(longest):
    model = net(longest)
    with torch.no_grad():
        for block in model.bert.blocks:
            block.attention.query.weight.zero_()
            block.attention.query.bias.zero_()
    told, expected = habits(model.bert, PIECES, TEXTS), evenly(PIECES, TEXTS, longest)
    for layer in told:
        for head in layer:
            assert head == pytest.approx(expected, abs=1e-6)


def test_more_texts_than_are_read_at_once():
    model = net()
    many = TEXTS * 9
    for one, other in zip(habits(model, PIECES, many), habits(model, PIECES, TEXTS), strict=True):
        for head, alike in zip(one, other, strict=True):
            assert head == pytest.approx(alike, abs=1e-6)


def test_what_is_stored_comes_back(tmp_path):
    found = looks(net(), PIECES, "the old man")
    file = tmp_path / "looks.json"
    file.write_text(json.dumps({"MiniLM, one text": packed(found)}))
    back = stored_looks(file)
    assert isinstance(back, Looks) and back.tokens == found.tokens
    for one, other in zip(back.weights, found.weights, strict=True):
        assert one.shape == other.shape and one.dtype == torch.float32
        torch.testing.assert_close(one, other, atol=5e-4, rtol=1e-3)
    HeadView(*back)


def test_the_stored_rows_are_those_of_the_script():
    try:
        file = asset("bert/looks.json")
    except DataError:
        pytest.skip("assets/bert/looks.json is not here")
    rows = json.loads(file.read_text())
    assert EXPERIMENTS["looks"] is looking
    assert list(rows) == [name for name, _ in looking()]
    for name, row in rows.items():
        for layer in row.get("layers", []):
            for head in layer:
                assert sum(head.values()) == pytest.approx(1, abs=1e-3), name
    real = stored_looks(file)
    assert len(real.weights) == 6 and real.weights[0].shape == (1, 12, len(real.tokens), len(real.tokens))
    HeadView(*real)
