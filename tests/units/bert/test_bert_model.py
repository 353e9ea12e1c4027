"""BERT's parts, the whole, its heads and its checkpoints: against torch's own layers, `transformers` and arithmetic."""

import json
import math
import struct
import subprocess
import sys

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from unrolled import data
from unrolled.bert import (
    BASE,
    LARGE,
    Bert,
    BertConfig,
    Classifier,
    Embeddings,
    Pieces,
    PretrainedBert,
    SpanFinder,
    Tagger,
    parameter_count,
)
from unrolled.bert_checkpoints import (
    TYPES,
    WeightsError,
    load,
    load_pretrained,
    read_config,
    read_safetensors,
    renamed,
    write_safetensors,
)
from unrolled.language_model import IGNORED
from unrolled.wordpiece import WordPiece

TINY = BertConfig(pieces=40, width=12, heads=3, layers=2, inner=20, longest=16, dropout=0.0)
BATCH = Pieces.of([[2, 7, 8, 3, 9, 3], [2, 11, 3]], [[0, 0, 0, 0, 1, 1], [0, 0, 0]])


def shaken(model):
    """Every parameter away from where it begins, so that a shift of 0 or a factor of 1 hides nothing."""
    torch.manual_seed(3)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return model.eval()


# --- counting --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("config, count", [(BASE, 109_482_240), (LARGE, 335_141_888)])
def test_the_two_of_the_paper_have_so_many_parameters(config, count):
    with torch.device("meta"):
        model = Bert(config)
    assert parameter_count(config) == count == sum(parameter.numel() for parameter in model.parameters())


@pytest.mark.parametrize("pooler", [True, False])
@pytest.mark.parametrize("config", [TINY, BertConfig(7, 4, 2, 3, 5, 6, 3), BertConfig(9, 4, 1, 0, 5, 6, 1)])
def test_the_formula_counts_what_is_built(config, pooler):
    built = sum(parameter.numel() for parameter in Bert(config, pooler).parameters())
    assert parameter_count(config, pooler) == built


# --- what is read ----------------------------------------------------------------------------------------------------


def test_sequences_side_by_side():
    assert BATCH.ids.tolist() == [[2, 7, 8, 3, 9, 3], [2, 11, 3, 0, 0, 0]]
    assert BATCH.segments.tolist() == [[0, 0, 0, 0, 1, 1], [0] * 6]
    assert BATCH.mask.tolist() == [[True] * 6, [True] * 3 + [False] * 3]
    alone = Pieces.of([[5]], pad=9)
    assert (alone.ids.tolist(), alone.segments.tolist(), len(alone)) == ([[5]], [[0]], 1)


def test_embeddings_by_hand():
    """E[1] = (1, 0), P[0] = (2, 0), P[1] = (0, 4), S[0] = 0, S[1] = (0, 2): sums (3, 0) and (1, 6), each normalised to
    (1, −1) and (−1, 1), but for ε."""
    layer = Embeddings(BertConfig(pieces=2, width=2, longest=2, dropout=0.0)).eval()
    for part, rows in (
        (layer.pieces, [[9.0, 9.0], [1.0, 0.0]]),
        (layer.positions, [[2.0, 0.0], [0.0, 4.0]]),
        (layer.segments, [[0.0, 0.0], [0.0, 2.0]]),
    ):
        part.weight.data = torch.tensor(rows)
    found = layer(torch.tensor([[1, 1]]), torch.tensor([[0, 1]]))
    torch.testing.assert_close(found, torch.tensor([[[1.0, -1.0], [-1.0, 1.0]]]))


def test_longer_than_the_positions_is_refused():
    with pytest.raises(ValueError, match="17 pieces are more than the 16 positions"):
        Bert(TINY)(Pieces.of([[1] * 17]))


# --- the encoder -----------------------------------------------------------------------------------------------------


def twin_of(bert):
    """torch's own encoder with the same numbers, and its hidden states after each layer."""
    layers = []
    for block in bert.blocks:
        theirs = nn.TransformerEncoderLayer(
            TINY.width, TINY.heads, TINY.inner, 0.0, "gelu", TINY.eps, batch_first=True, dtype=torch.float64
        ).eval()
        ours = block.attention
        parts = ours.query, ours.key, ours.value
        theirs.self_attn.in_proj_weight.data = torch.cat([part.weight.data for part in parts])
        theirs.self_attn.in_proj_bias.data = torch.cat([part.bias.data for part in parts])
        theirs.self_attn.out_proj.load_state_dict(ours.output.state_dict())
        theirs.linear1.load_state_dict(block.feed_forward.first.state_dict())
        theirs.linear2.load_state_dict(block.feed_forward.second.state_dict())
        for norm, other in zip(block.norms, (theirs.norm1, theirs.norm2), strict=True):
            other.load_state_dict({"weight": norm.gamma, "bias": norm.beta})
        layers.append(theirs)
    return layers


def test_hidden_states_are_torchs():
    bert = shaken(Bert(TINY).double())
    found = bert(BATCH)
    e = bert.embeddings
    x = e.pieces.weight[BATCH.ids] + e.positions.weight[torch.arange(6)] + e.segments.weight[BATCH.segments]
    x = F.layer_norm(x, (TINY.width,), e.norm.gamma, e.norm.beta, TINY.eps)
    torch.testing.assert_close(found.hidden[0], x)
    for layer, hidden in zip(twin_of(bert), found.hidden[1:], strict=True):
        x = layer(x, src_key_padding_mask=~BATCH.mask)
        torch.testing.assert_close(hidden[BATCH.mask], x[BATCH.mask])
    torch.testing.assert_close(found.pooled, (x[:, 0] @ bert.pooler.weight.mT + bert.pooler.bias).tanh())


def test_what_a_pad_holds_changes_nothing_and_what_a_segment_is_does():
    bert = shaken(Bert(TINY))
    other = Pieces(BATCH.ids.masked_fill(~BATCH.mask, 33), BATCH.segments.masked_fill(~BATCH.mask, 1), BATCH.mask)
    torch.testing.assert_close(bert(other).hidden[-1][BATCH.mask], bert(BATCH).hidden[-1][BATCH.mask])
    torch.testing.assert_close(bert(other).pooled, bert(BATCH).pooled)
    alone = Pieces.of([[2, 11, 3]])
    torch.testing.assert_close(bert(alone).hidden[-1][0], bert(BATCH).hidden[-1][1, :3])
    turned = Pieces(BATCH.ids, 1 - BATCH.segments, BATCH.mask)
    assert (bert(turned).pooled - bert(BATCH).pooled).abs().max() > 0.01


def test_weights_come_when_asked_for_and_change_nothing():
    bert = shaken(Bert(TINY))
    plain, told = bert(BATCH), bert(BATCH, weights=True)
    assert plain.weights is None and [w.shape for w in told.weights] == [(2, 3, 6, 6)] * 2
    torch.testing.assert_close(told.hidden[-1][BATCH.mask], plain.hidden[-1][BATCH.mask])
    for weights in told.weights:
        torch.testing.assert_close(weights.sum(-1), torch.ones(2, 3, 6))
        assert weights[1, :, :, 3:].abs().max() == 0


def test_it_reads_both_ways():
    bert = shaken(Bert(TINY))
    last = Pieces(BATCH.ids.clone(), BATCH.segments, BATCH.mask)
    last.ids[0, 4] = 30
    assert ((bert(last).hidden[-1] - bert(BATCH).hidden[-1])[0, 0].abs() > 1e-4).any()


WHOLE = """
import torch
from unrolled.bert import Bert, BertConfig, Pieces
bert = Bert(BertConfig(40, 12, 3, 2, 20, 16, dropout=0.0)).eval()
whole = torch.compile(bert, backend="eager", fullgraph=True, dynamic=True)
for rows in ([[2, 7, 8, 3, 9, 3], [2, 11, 3]], [[2, 5, 3]] * 3):
    torch.testing.assert_close(whole(Pieces.of(rows)).pooled, bert(Pieces.of(rows)).pooled)
"""


def test_a_compiler_takes_it_whole():
    """As the training on CUDA does, but for the step that needs a compiler of C++. In a process of its own, where no
    shapes are checked: the checks are nothing that can be compiled."""
    done = subprocess.run([sys.executable, "-c", WHOLE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_beginning_is_small():
    torch.manual_seed(0)
    bert = Bert(BertConfig(pieces=500, width=64, heads=2, layers=2, inner=128))
    for name, parameter in bert.named_parameters():
        if parameter.ndim == 2:
            assert parameter.std().item() == pytest.approx(0.02, rel=0.2), name
        else:
            assert set(parameter.tolist()) == ({1.0} if name.endswith("gamma") else {0.0}), name


# --- pre-training ----------------------------------------------------------------------------------------------------


def test_the_two_losses_are_those_of_the_definition():
    model = shaken(PretrainedBert(TINY))
    targets = torch.full((2, 6), IGNORED)
    targets[0, 1], targets[0, 4], targets[1, 1] = 5, 6, 7
    found = model(BATCH, targets, torch.tensor([0, 1]))
    logs, chosen = model.guesses(BATCH), [(0, 1, 5), (0, 4, 6), (1, 1, 7)]
    assert found.masked.item() == pytest.approx(-sum(logs[b, n, v].item() for b, n, v in chosen) / 3, rel=1e-5)
    assert found.masked_logits.shape == (3, TINY.pieces)
    torch.testing.assert_close(found.masked_logits.log_softmax(1), torch.stack([logs[b, n] for b, n, _ in chosen]))
    right = found.following_logits.log_softmax(1)[[0, 1], [0, 1]]
    assert found.following.item() == pytest.approx(-right.mean().item(), rel=1e-5)


def test_the_output_is_tied_to_the_embeddings():
    model = PretrainedBert(TINY)
    names = dict(model.named_parameters())
    assert "masked.bias" in names and not any(p.shape == (40, 12) for n, p in names.items() if "pieces" not in n)
    extra = sum(p.numel() for p in model.parameters()) - parameter_count(TINY)
    assert extra == (12 * 12 + 12) + 2 * 12 + 40 + (2 * 12 + 2)


# --- tasks -----------------------------------------------------------------------------------------------------------


def test_a_class_comes_from_the_first_piece():
    task = shaken(Classifier(Bert(TINY), 3))
    found = task(BATCH, torch.tensor([2, 0]))
    torch.testing.assert_close(found.logits, task.output(task.bert(BATCH).pooled))
    assert found.loss.item() == pytest.approx(F.cross_entropy(found.logits, torch.tensor([2, 0])).item())
    bare = shaken(Classifier(Bert(TINY, pooler=False), 3))
    torch.testing.assert_close(bare(BATCH).logits, bare.output(bare.bert(BATCH).hidden[-1][:, 0]))


def test_a_tag_for_each_piece_and_a_loss_of_those_that_count():
    task, targets = shaken(Tagger(Bert(TINY), 3)), torch.full((2, 6), IGNORED)
    targets[0, 1] = 2
    found = task(BATCH, targets)
    assert found.logits.shape == (2, 6, 3)
    assert found.loss.item() == pytest.approx(-found.logits[0, 1].log_softmax(0)[2].item(), rel=1e-5)


def test_spans_end_nowhere_in_a_pad():
    task = shaken(SpanFinder(Bert(TINY)))
    found = task(BATCH, torch.tensor([[1, 4], [0, 0]]))
    assert found.logits.shape == (2, 2, 6) and torch.isinf(found.logits[1, :, 3:]).all()
    logs = found.logits.log_softmax(-1)
    wanted = -(logs[0, 0, 1] + logs[0, 1, 4] + logs[1, 0, 0] + logs[1, 1, 0]) / 4
    assert found.loss.item() == pytest.approx(wanted.item(), rel=1e-5)
    found.loss.backward()
    assert all(p.grad is None or p.grad.isfinite().all() for p in task.parameters())


# --- files of numbers ------------------------------------------------------------------------------------------------


def test_numbers_come_back_from_a_file(tmp_path):
    torch.manual_seed(0)
    tensors = {f"a.{name}": (9 * torch.rand(2, 3)).to(dtype) for name, dtype in TYPES.items()}
    tensors |= {"none": torch.zeros(0, 4), "one": torch.tensor(math.pi), "turned": torch.rand(3, 5).T}
    write_safetensors(tensors, tmp_path / "x.safetensors")
    found = read_safetensors(tmp_path / "x.safetensors")
    assert found.keys() == tensors.keys()
    for name, tensor in tensors.items():
        torch.testing.assert_close(found[name], tensor, rtol=0, atol=0)


def test_a_file_is_that_of_the_library(tmp_path):
    library = pytest.importorskip("safetensors.torch", reason="needs the extra `twins` (safetensors)")
    tensors = {"b": torch.rand(3, 4), "a": torch.arange(5), "h": torch.rand(2).half(), "bf": torch.rand(2).bfloat16()}
    write_safetensors(tensors, tmp_path / "ours.safetensors")
    library.save_file(tensors, tmp_path / "theirs.safetensors", {"format": "pt"})
    for found in (library.load_file(tmp_path / "ours.safetensors"), read_safetensors(tmp_path / "theirs.safetensors")):
        assert found.keys() == tensors.keys()
        assert all(torch.equal(found[name], tensor) for name, tensor in tensors.items())


def _damaged():
    table = json.dumps({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}).encode()
    whole = struct.pack("<Q", len(table)) + table + bytes(8)
    yield "empty", b""
    yield "cut off", whole[:-1]
    yield "cut in the table", whole[:20]
    yield "a page", b"<html>not found</html>" * 9
    yield "another type", whole.replace(b"F32", b"F99")
    yield "another shape", whole.replace(b"[2]", b"[3]")
    yield "a place below", whole.replace(b"[0, 8]", b"[-8, 0]")
    yield "a list", struct.pack("<Q", 2) + b"[]"
    yield "a huge table", struct.pack("<Q", 2**63) + b"{}"


@pytest.mark.parametrize("what, raw", list(_damaged()), ids=[what for what, _ in _damaged()])
def test_a_damaged_file_says_so_in_a_line(tmp_path, what, raw):
    (tmp_path / "x.safetensors").write_bytes(raw)
    with pytest.raises(WeightsError, match="no whole safetensors file") as told:
        read_safetensors(tmp_path / "x.safetensors")
    assert "\n" not in str(told.value)
    with pytest.raises(WeightsError, match="cannot be read"):
        read_safetensors(tmp_path / "none.safetensors")


# --- checkpoints -----------------------------------------------------------------------------------------------------

SETTINGS = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "vocab_size": 40,
    "hidden_size": 12,
    "num_attention_heads": 3,
    "num_hidden_layers": 2,
    "intermediate_size": 20,
    "max_position_embeddings": 16,
    "type_vocab_size": 2,
    "hidden_dropout_prob": 0.0,
    "layer_norm_eps": 1e-12,
}


def theirs_of(model):
    """The names of the library, written out for a net of ours: independent of the table in the module."""
    found, bert = {}, model.bert

    def put(name, weight, bias):
        found[f"{name}.weight"], found[f"{name}.bias"] = weight.detach(), bias.detach()

    for kind, part in (("word", "pieces"), ("position", "positions"), ("token_type", "segments")):
        found[f"bert.embeddings.{kind}_embeddings.weight"] = getattr(bert.embeddings, part).weight.detach()
    norm = bert.embeddings.norm
    put("bert.embeddings.LayerNorm", norm.gamma, norm.beta)
    for i, block in enumerate(bert.blocks):
        here, a, f = f"bert.encoder.layer.{i}", block.attention, block.feed_forward
        for name, part in (("query", a.query), ("key", a.key), ("value", a.value)):
            put(f"{here}.attention.self.{name}", part.weight, part.bias)
        put(f"{here}.attention.output.dense", a.output.weight, a.output.bias)
        put(f"{here}.attention.output.LayerNorm", block.norms[0].gamma, block.norms[0].beta)
        put(f"{here}.intermediate.dense", f.first.weight, f.first.bias)
        put(f"{here}.output.dense", f.second.weight, f.second.bias)
        put(f"{here}.output.LayerNorm", block.norms[1].gamma, block.norms[1].beta)
    put("bert.pooler.dense", bert.pooler.weight, bert.pooler.bias)
    put("cls.predictions.transform.dense", model.masked.transform.weight, model.masked.transform.bias)
    put("cls.predictions.transform.LayerNorm", model.masked.norm.gamma, model.masked.norm.beta)
    found["cls.predictions.bias"] = model.masked.bias.detach()
    put("cls.seq_relationship", model.following.weight, model.following.bias)
    found["bert.embeddings.position_ids"] = torch.arange(16)[None]
    found["cls.predictions.decoder.weight"] = bert.embeddings.pieces.weight.detach()
    return found


def written(folder, tensors, settings=SETTINGS, kind="safetensors"):
    (folder / "config.json").write_text(json.dumps(settings))
    if kind == "safetensors":
        write_safetensors(tensors, folder / "model.safetensors")
    else:
        torch.save(tensors, folder / "pytorch_model.bin")
    return folder


@pytest.mark.parametrize("kind", ["safetensors", "bin"])
def test_a_checkpoint_comes_back(tmp_path, kind):
    whole = shaken(PretrainedBert(TINY))
    written(tmp_path, theirs_of(whole), kind=kind)
    for name, tensor in load_pretrained(tmp_path).state_dict().items():
        assert torch.equal(tensor, whole.state_dict()[name]), name
    torch.testing.assert_close(load(tmp_path)(BATCH).pooled, whole.bert(BATCH).pooled)


def test_old_names_bare_names_half_precision_and_no_pooler(tmp_path):
    whole, told = shaken(PretrainedBert(TINY)), {}
    for name, tensor in theirs_of(whole).items():
        if name.startswith("bert.") and "pooler" not in name:
            old = name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta")
            told[old.removeprefix("bert.")] = tensor.half() if tensor.is_floating_point() else tensor
    bert = load(written(tmp_path, told))
    assert bert.pooler is None and bert.embeddings.pieces.weight.dtype == torch.float32
    torch.testing.assert_close(bert(BATCH).hidden[-1], whole.bert(BATCH).hidden[-1], atol=2e-2, rtol=0)


def test_what_does_not_fit_says_so_in_a_line(tmp_path):
    tensors = theirs_of(PretrainedBert(TINY))
    query = "bert.encoder.layer.1.attention.self.query.weight"
    for change, told in (
        ({query: None}, "no numbers for blocks.1.attention.query.weight"),
        ({query: torch.zeros(12, 13)}, r"query.weight has shape \(12, 13\), the settings \(12, 12\)"),
        ({"bert.encoder.layer.2.output.dense.bias": torch.zeros(12)}, "numbers for blocks.2.feed_forward.second.bias"),
    ):
        changed = {name: t for name, t in (tensors | change).items() if t is not None}
        with pytest.raises(WeightsError, match=told) as said:
            load(written(tmp_path, changed))
        assert "\n" not in str(said.value)
    written(tmp_path, {name: t for name, t in tensors.items() if "seq_relationship" not in name})
    with pytest.raises(WeightsError, match="no head for following passages"):
        load_pretrained(tmp_path)
    assert load(tmp_path).pooler is not None


@pytest.mark.parametrize(
    "change, told",
    [
        ({"hidden_act": "relu"}, "hidden_act 'relu'"),
        ({"position_embedding_type": "relative_key"}, "position_embedding_type 'relative_key'"),
        ({"model_type": "roberta"}, "model_type 'roberta'"),
        ({"vocab_size": None}, "does not say 'vocab_size'"),
    ],
)
def test_settings_of_another_net_are_refused(tmp_path, change, told):
    settings = {name: value for name, value in (SETTINGS | change).items() if value is not None}
    (tmp_path / "config.json").write_text(json.dumps(settings))
    with pytest.raises(WeightsError, match=told):
        read_config(tmp_path)


def test_a_folder_without_files_says_which(tmp_path):
    with pytest.raises(WeightsError, match="config.json cannot be read"):
        load(tmp_path)
    (tmp_path / "config.json").write_text("<html>")
    with pytest.raises(WeightsError, match="no settings in JSON"):
        load(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps(SETTINGS))
    with pytest.raises(WeightsError, match="neither model.safetensors nor pytorch_model.bin"):
        load(tmp_path)
    (tmp_path / "pytorch_model.bin").write_bytes(b"nothing")
    with pytest.raises(WeightsError, match="fetch it again"):
        load(tmp_path)


def test_every_name_of_ours_comes_from_one_of_theirs():
    model = PretrainedBert(TINY)
    ours = {name.removeprefix("bert.") for name in model.state_dict()}
    theirs = {name.removeprefix("bert.") for name in theirs_of(model)}
    assert ours <= {renamed(name) for name in theirs}


@pytest.mark.parametrize("kind", ["safetensors", "bin"])
def test_hidden_states_heads_and_losses_are_those_of_transformers(tmp_path, kind):
    transformers = pytest.importorskip("transformers", reason="needs the extra `twins` (transformers)")
    config = transformers.BertConfig(**SETTINGS, attention_probs_dropout_prob=0.0, attn_implementation="eager")
    theirs = shaken(transformers.BertForPreTraining(config))
    if kind == "safetensors":
        theirs.save_pretrained(tmp_path)
    else:
        written(tmp_path, theirs.state_dict(), SETTINGS, "bin")
    targets = torch.full((2, 6), -100)
    targets[0, 2], targets[1, 1] = 4, 9
    told = theirs(
        BATCH.ids,
        BATCH.mask.long(),
        BATCH.segments,
        labels=targets,
        next_sentence_label=torch.tensor([1, 0]),
        output_hidden_states=True,
        output_attentions=True,
    )
    ours = load_pretrained(tmp_path)
    read = ours.bert(BATCH, weights=True)
    for hidden, other in zip(read.hidden, told.hidden_states, strict=True):
        torch.testing.assert_close(hidden[BATCH.mask], other[BATCH.mask], atol=1e-5, rtol=0)
    for weights, other in zip(read.weights, told.attentions, strict=True):
        torch.testing.assert_close(weights, other, atol=1e-5, rtol=0)
    found = ours(BATCH, targets.masked_fill(targets == -100, IGNORED), torch.tensor([1, 0]))
    torch.testing.assert_close(found.masked + found.following, told.loss, atol=1e-5, rtol=0)
    torch.testing.assert_close(found.following_logits, told.seq_relationship_logits, atol=1e-5, rtol=0)
    logits = told.prediction_logits[torch.tensor([0, 1]), torch.tensor([2, 1])]
    torch.testing.assert_close(found.masked_logits, logits, atol=1e-5, rtol=0)
    encoder = transformers.BertModel.from_pretrained(tmp_path).eval()
    pooled = encoder(BATCH.ids, BATCH.mask.long(), BATCH.segments).pooler_output
    torch.testing.assert_close(load(tmp_path)(BATCH).pooled, pooled, atol=1e-5, rtol=0)


@pytest.mark.network
@pytest.mark.slow
def test_minilm_is_read_and_gives_what_transformers_gives():
    transformers = pytest.importorskip("transformers", reason="needs the extra `twins` (transformers)")
    folder = data.path("minilm_l6", "minilm_l6/model.safetensors").parent
    for name in ("config.json", "vocab.txt"):
        data.path("minilm_l6", f"minilm_l6/{name}")
    bert, pieces = load(folder), WordPiece.read(folder / "vocab.txt")
    assert parameter_count(bert.config) == 22_713_216 and len(pieces) == 30_522
    texts = ["The unrolled network remembers.", "A bank of the river, or a bank for money? Naïve café — “hm”."]
    batch = Pieces.of([[pieces.cls, *pieces.encode(text), pieces.sep] for text in texts])
    theirs = transformers.BertModel.from_pretrained(folder, attn_implementation="eager").eval()
    with torch.no_grad():
        told = theirs(batch.ids, batch.mask.long(), output_hidden_states=True)
        for hidden, other in zip(bert(batch).hidden, told.hidden_states, strict=True):
            torch.testing.assert_close(hidden[batch.mask], other[batch.mask], atol=1e-5, rtol=0)
