"""The checks of unit 7: the library's parts against torch's layers, the models of the diagnosis, what messages say.

What all units share is in `test_verify_units.py`.
"""

import random
from functools import partial

import pytest
import torch
import tried
from torch import nn
from unrolled.checking import LocalAnswer, Mismatch, registry, run
from unrolled.checking.registry import checks_of
from unrolled.checks.helpers import ailing, blocks
from unrolled.checks.helpers.attending import sees
from unrolled.checks.helpers.recurrent import numbers, symbol_ids
from unrolled.checks.helpers.teaching import leaves_of, nested
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads
from unrolled.experiments.transformer.sick_transformers import SIZES, sicknesses, suspects
from unrolled.transformer_lm import TransformerLM, parameter_count

import autograder.hidden.transformer  # noqa: F401  (registers the hidden checks)
from autograder.releasing.references import solution

UNIT = ("layer_norm", "feed_forward", "encoder_block", "cross_attention", "decoder_block", "causal_lm_loss")
UNIT += ("cached_step", "parameter_count", "symptoms")


specimen = partial(tried.specimen, "transformer")


# --- the checks as a whole -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("exercise", UNIT)
def test_each_exercise_has_three_to_eight_public_checks(exercise):
    public = [check for check in checks_of(exercise) if not check.hidden]
    assert 3 <= len(public) <= 8
    assert all(check.hint.endswith((".", "?", "!")) for check in public)


@pytest.mark.parametrize("exercise", UNIT)
def test_inputs_drawn_anew_refuse_no_right_answer(exercise, monkeypatch):
    for seed in range(1 if exercise == "symptoms" else 4):
        monkeypatch.setenv(registry.SEED_VARIABLE, str(seed + 10))
        report = run(exercise, LocalAnswer(solution("transformer", exercise)))
        assert report.all_held, (seed, [c.name for c in report.checks if c.outcome != "held"])


@pytest.mark.parametrize(
    ("exercise", "name", "called"),
    [
        ("layer_norm", "librarys_norm", "layer_norm"),
        ("layer_norm", "groups_of_one", "group_norm"),
        ("encoder_block", "librarys_block", "TransformerEncoderLayer"),
        ("cross_attention", "librarys_layer", "MultiheadAttention"),
        ("decoder_block", "librarys_block", "TransformerDecoderLayer"),
    ],
)
def test_a_short_cut_is_named(exercise, name, called):
    report = run(exercise, specimen(exercise, name))
    assert report.earned == 0
    assert any("the finished implementation" in (c.message or "") and called in c.message for c in report.checks)


def test_hidden_checks_of_the_diagnosis_tell_no_symptom():
    said = tried.told("symptoms", LocalAnswer(lambda model, sizes: ["pads"]), hidden=True)
    lines = [line for lines in said.values() for line in lines]
    assert lines and not any("came" in line or "'pads'" in line for line in lines)


# --- the library's parts ---------------------------------------------------------------------------------------------


def copied(layer, params, cross=False):
    """The numbers of a block in torch's layer."""
    pairs = [(layer.self_attn, params["attention"])] + ([(layer.multihead_attn, params["cross"])] if cross else [])
    with torch.no_grad():
        for own, given in pairs:
            own.in_proj_weight.copy_(torch.cat([given[f"W{role}"] for role in "qkv"]))
            own.in_proj_bias.copy_(torch.cat([given[f"b{role}"] for role in "qkv"]))
            own.out_proj.weight.copy_(given["Wo"])
            own.out_proj.bias.copy_(given["bo"])
        for number, own in ((1, layer.linear1), (2, layer.linear2)):
            own.weight.copy_(params["forward"][f"W{number}"])
            own.bias.copy_(params["forward"][f"b{number}"])
        for name in ("norm1", "norm2", "norm3")[: 2 + cross]:
            getattr(layer, name).weight.copy_(params[name]["gamma"])
            getattr(layer, name).bias.copy_(params[name]["beta"])
    return layer


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_a_block_is_torchs_encoder_layer(norm):
    rng = random.Random(1)
    params, x, real = blocks.block_of(rng, (6, 6, 5)), numbers(rng, 2, 4, 6), sees("1111 1100")
    theirs = copied(nn.TransformerEncoderLayer(6, 3, 5, 0.0, norm_first=norm == "pre", batch_first=True), params)
    ours = blocks.library_block(x, params, 3, real[:, None, None], norm)
    torch.testing.assert_close(ours[real], theirs(x, src_key_padding_mask=~real)[real], rtol=1e-4, atol=1e-5)


def test_a_decoders_block_is_torchs_decoder_layer():
    rng = random.Random(2)
    params, y, memory, real = (
        *(blocks.decoder_of(rng, (6, 6, 5)), numbers(rng, 2, 3, 6), numbers(rng, 2, 4, 6)),
        sees("1111 1100"),
    )
    layer = nn.TransformerDecoderLayer(6, 3, 5, 0.0, norm_first=True, batch_first=True)
    theirs = copied(layer, params, cross=True)(y, memory, tgt_mask=~blocks.so_far(3), memory_key_padding_mask=~real)
    torch.testing.assert_close(blocks.library_decoder(y, memory, params, 3, real), theirs, rtol=1e-4, atol=1e-5)


def test_what_is_asked_of_nothing_is_the_bias():
    rng = random.Random(3)
    params, x = blocks.layer_of(rng, 4, 6), numbers(rng, 2, 3, 4)
    got = blocks.library_cross(x, x, params, 2, sees("000 101"))
    torch.testing.assert_close(got[0], params["bo"].expand(3, 4))


def test_the_given_attention_is_unit_6s():
    rng = random.Random(4)
    params, x, mask = blocks.layer_of(rng, 5, 6), numbers(rng, 2, 4, 5), blocks.so_far(4)
    for seen in (None, mask, sees("1101 0000")[:, None, None]):
        torch.testing.assert_close(
            self_attention(x, params, 3, seen), blocks.library_asked(x, x, params, 3, seen), rtol=1e-4, atol=1e-5
        )
    heads = numbers(rng, 2, 3, 4, 2)
    torch.testing.assert_close(split_heads(join_heads(heads), 3), heads, rtol=0, atol=0)


def test_a_cache_of_the_library_begins_like_that_of_a_shorter_text():
    rng = random.Random(5)
    params, ids = blocks.model_of(rng, 5, (4, 6, 3), 2), symbol_ids(rng, 5, 2, 4)
    long, short = blocks.library_cache(ids, params, 2), blocks.library_cache(ids[:, :3], params, 2)
    for one, other in zip(long, short, strict=True):
        for a, b in zip(one, other, strict=True):
            torch.testing.assert_close(a[:, :, :3], b)


def test_nests_come_back():
    rng = random.Random(6)
    given = {"x": numbers(rng, 2), "params": blocks.decoder_of(rng, (2, 2, 3)), "heads": 2}
    leaves = leaves_of(given)
    assert "params cross Wq" in leaves and leaves["heads"] == 2
    assert leaves_of(nested(leaves)).keys() == leaves.keys()


def test_the_exercises_count_is_the_modules():
    answer = solution("transformer", "parameter_count")
    for V, D, L in ((65, 128, 3), (7, 4, 1)):
        model = TransformerLM(V, D, heads=2, layers=L, context=8, positions="sinusoid")
        there = sum(p.numel() for p in model.parameters())
        assert answer(V, D, 4 * D, L) == there == parameter_count(V, D, L, 8, positions="sinusoid")


# --- the models of 7.9 -----------------------------------------------------------------------------------------------

PARTS = [("read", name) for name in (*ailing.READ_IN_ORDER, *ailing.READ_AS_A_BAG, *ailing.READ_WITH_PADS)]
PARTS += [("say", name) for name in (*ailing.SAID_FROM_BEFORE, *ailing.SAID_FROM_BEHIND)]
PARTS += [("mix", name) for name in (*ailing.APART, *ailing.TOGETHER)]


def shown(model, sizes, cases=150):
    """By symptom, in which share of cases something moves by 1e-3, as the text draws them; and the most below that."""
    B, N, M = 8, 8, 6
    shares, small = dict.fromkeys(ailing.NAMES, 0.0), dict.fromkeys(ailing.NAMES, 0.0)
    for _ in range(cases):
        source, others = torch.randint(4, sizes["V"], (2, B, N))
        words, later = torch.randint(4, sizes["U"], (2, B, M))
        real = torch.arange(N) < torch.randint(1, N + 1, (B, 1))
        row, t = torch.randint(B, ()).item(), torch.randint(M - 1, ()).item()
        said, own = model(source, real, words), slice(row, row + 1)
        changed = torch.cat([words[:, : t + 1], later[:, t + 1 :]], 1)
        shuffled = source.gather(1, (torch.rand(B, N) + ~real).argsort(1))
        gaps = {
            "future": (model(source, real, changed) - said)[row, t],
            "pads": (model(torch.where(real, source, others), real, words) - said)[row],
            "order": (model(shuffled, real, words) - said)[row],
            "rows": model(source[own], real[own], words[own])[0] - said[row],
        }
        for name, gap in gaps.items():
            most = gap.abs().max().item()
            shares[name] += (most > 1e-3) / cases
            small[name] = max(small[name], most if most <= 1e-3 else 0.0)
    return shares, small


@pytest.mark.parametrize(("part", "name"), PARTS)
def test_models_have_the_symptoms_that_they_are_said_to_have(part, name):
    torch.manual_seed(0)
    sizes = {"V": 9, "U": 8}
    model, symptoms, _ = ailing.model_of(**{part: name}, top=sizes["U"])
    shares, small = shown(model, sizes)
    for symptom in ailing.NAMES:
        moves = (symptom in symptoms) != (symptom == "order")
        assert shares[symptom] > (0.25 if symptom == "rows" else 0.1) if moves else shares[symptom] == 0, symptom
        assert moves or small[symptom] <= 1e-5, symptom


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"source": torch.zeros(2, 3)}, "as source: it takes int64"),
        ({"source": torch.full((2, 3), 3)}, "an id in source that is no word"),
        ({"words": torch.full((2, 3), 9)}, "an id in words that is no word"),
        ({"words": torch.full((1, 3), 5)}, "as real: it takes torch.bool"),
        ({"real": sees("110 010")}, "begins with a pad, or has a word after one"),
        ({"words": torch.full((2, 13), 5)}, "up to 1000 texts of 12"),
    ],
)
def test_a_model_that_is_asked_badly_says_so(change, says):
    given = {"source": torch.full((2, 3), 5), "real": sees("110 111"), "words": torch.full((2, 3), 5)}
    model, _, _ = ailing.model_of()
    with pytest.raises(Mismatch, match=says):
        ailing.held(model, {"V": 9, "U": 9})(*(given | change).values())


def test_a_model_may_be_asked_as_often_as_the_text_says():
    model, given = ailing.held(ailing.model_of()[0], {"V": 9, "U": 9}), (torch.full((1, 2), 5), sees("11"))
    for _ in range(200):
        model(*given, given[0])
    with pytest.raises(Mismatch, match="more than 200 times"):
        model(*given, given[0])


@pytest.mark.parametrize("name", suspects())
def test_the_diagnosis_finds_what_the_suspects_have(name):
    torch.manual_seed(0)
    assert solution("transformer", "symptoms")(suspects()[name], SIZES) == sicknesses(name)
