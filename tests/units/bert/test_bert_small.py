"""The net that the course brings: written, read back, as its card says, and how it goes on learning."""

import json
from dataclasses import asdict

import pytest
import torch
from unrolled.bert import Pieces
from unrolled.bert_checkpoints import load_pretrained, read_safetensors
from unrolled.data import asset
from unrolled.experiments.bert import ship
from unrolled.experiments.bert import small as course_net
from unrolled.experiments.bert.recipes import RECIPES
from unrolled.experiments.checkpoints import kept
from unrolled.wordpiece import SPECIALS, WordPiece

LETTERS = WordPiece([*SPECIALS, *(mark + c for c in "abcdefghijklmnopqrstuvwxyz',.;:?!-&3" for mark in ("", "##"))])
LINE = {"step": 6, "seconds": 60, "train": {}} | {
    "heldout": dict.fromkeys(
        ("masked", "masked right", "following", "following right", "unigram", "commonest"), 0.1234567
    )
}


def made_net():
    net = ship.Recipe(**(asdict(RECIPES["smoke"]) | {"pieces": len(LETTERS), "width": 16})).net()
    torch.manual_seed(1)
    for parameter in net.parameters():
        parameter.data += 0.1 * torch.randn_like(parameter)
    return net.eval()


def test_a_net_comes_back_from_its_files_as_float16_tells_it(tmp_path):
    net = made_net()
    size = ship.write(net, LETTERS, [LINE], {"data": "letters"}, tmp_path)
    found = course_net.small(tmp_path / "model.safetensors")
    assert found.pieces.pieces == LETTERS.pieces and found.model.bert.config == net.bert.config
    for name, tensor in net.state_dict().items():
        assert torch.equal(found.model.state_dict()[name], tensor.half().float()), name
    assert size == (tmp_path / "model.safetensors").stat().st_size
    assert json.loads((tmp_path / "log.json").read_text()) == [LINE]
    card = (tmp_path / "card.md").read_text()
    assert "data: letters" in card and "0.1235 nats" in card and f"{size:,} bytes" in card


def test_the_names_are_those_of_transformers(tmp_path):
    ship.write(made_net(), LETTERS, [LINE], {}, tmp_path)
    transformers = pytest.importorskip("transformers", reason="transformers is not installed: extra `twins`")
    theirs = transformers.BertForPreTraining.from_pretrained(tmp_path, torch_dtype=torch.float32).eval()
    pieces = Pieces.of([[2, 7, 8, 3, 9, 3], [2, 9, 3]], [[0, 0, 0, 0, 1, 1], [0, 0, 0]])
    told = theirs(input_ids=pieces.ids, token_type_ids=pieces.segments, attention_mask=pieces.mask.long())
    ours = load_pretrained(tmp_path).guesses(pieces)
    real = pieces.mask
    assert (told.prediction_logits.log_softmax(-1)[real] - ours[real]).abs().max() < 1e-5


def test_what_cannot_be_shipped_is_told_in_a_line(tmp_path):
    net = made_net()
    net.following.weight.data[0, 0] = 1e6
    with pytest.raises(ship.ShippingError, match="no finite number"):
        ship.write(net, LETTERS, [LINE], {}, tmp_path)
    with pytest.raises(ship.ShippingError, match="no checkpoint that can be read"):
        ship.read_kept(tmp_path, LETTERS)
    with pytest.raises(ship.ShippingError, match="no name for other"):
        ship.their_name("other.beta")


def test_a_checkpoint_of_the_pretraining_is_shipped(tmp_path, monkeypatch, capsys):
    net = made_net()
    fixed = {"pieces": len(LETTERS), "width": 16, "heads": 2, "layers": 1, "longest": 32, "seed": 0}
    state = {"model": net.state_dict(), "descent": {}, "told": {"log": [LINE], "step": 6}}
    kept(tmp_path / "kept" / "checkpoint.pt", fixed, state)
    LETTERS.write(tmp_path / "list.txt")
    arguments = ["ship", "--kept", str(tmp_path / "kept"), "--pieces", str(tmp_path / "list.txt")]
    monkeypatch.setattr("sys.argv", [*arguments, "--out", str(tmp_path / "out"), "--training", "six steps"])
    ship.main()
    assert "bytes of weights" in capsys.readouterr().out
    assert "training: six steps" in (tmp_path / "out" / "card.md").read_text()
    assert course_net.small(tmp_path / "out" / "config.json").model.bert.config.dropout == 0.0


def test_the_courses_own_net_is_what_its_card_says():
    net, file = course_net.small(), asset("bert/small/model.safetensors")
    assert file.stat().st_size <= ship.MOST and all(t.dtype == torch.float16 for t in read_safetensors(file).values())
    log = json.loads(asset("bert/small/log.json").read_text())
    told = {"data": ship.DATA, "training": None}
    card = asset("bert/small/card.md").read_text(encoding="utf-8")
    told["training"] = next(line for line in card.splitlines() if line.startswith("- training: "))[12:]
    assert ship.card(net.model, log, told, file.stat().st_size) == card
    assert log[-1]["heldout"]["masked"] < log[-1]["heldout"]["unigram"] - 3
    ids = [net.pieces.cls, *net.pieces.encode("he sat [MASK] in the chair.", specials=True), net.pieces.sep]
    logs = net.model.guesses(Pieces.of([ids]))[0, ids.index(net.pieces.mask)]
    assert "down" in [net.pieces.pieces[i] for i in logs.topk(5).indices]


def test_going_on_trains_a_copy_and_a_seed_repeats_it(monkeypatch):
    speeches = [[f"speech {n} of it. it goes on, and on." for n in range(12)] for _ in range(45)]
    monkeypatch.setattr(course_net, "scenes", lambda: speeches)
    net = course_net.Small(made_net(), LETTERS)
    before = [parameter.clone() for parameter in net.model.parameters()]
    more, again = (course_net.continued(net, 12, every=5, rate=3e-3) for _ in range(2))
    assert all(torch.equal(*pair) for pair in zip(before, net.model.parameters(), strict=True))
    assert [found.step for found in more.heldout] == [0, 5, 10, 12] and len(more.losses) == 12
    assert more.heldout[-1].masked < more.heldout[0].masked
    assert (more.losses, more.heldout) == (again.losses, again.heldout)
