"""Heads, scores and positions: what is measured of them against sums by hand and against nets that are known."""

import math

import pytest
import torch
from unrolled.attention import Config, MultiHeadAttention, SelfAttention, attention, sinusoids
from unrolled.experiments.attention import counting, heads, orders, scale


def counter(task="both", **settings):
    torch.manual_seed(0)
    net = SelfAttention(Config(counting.SYMBOLS, counting.TASKS[task].classes, positions="sinusoid", **settings))
    return counting.Counter(net, None, task)


# --- heads -----------------------------------------------------------------------------------------------------------


def test_a_layer_is_the_sum_of_its_heads_each_kept_alone():
    layer, x = MultiHeadAttention(12, 4), torch.randn(2, 5, 12)
    alone = sum(heads.keep_heads(layer, [h])(x) for h in range(4))
    torch.testing.assert_close(alone - 3 * layer.output.bias, layer(x))
    torch.testing.assert_close(heads.keep_heads(layer, range(4))(x), layer(x))
    nothing = heads.keep_heads(layer, [])(x)
    torch.testing.assert_close(nothing, layer.output.bias.expand_as(nothing))
    with pytest.raises(ValueError, match="there is no head 4: the layer has heads 0 to 3"):
        heads.keep_heads(layer, [0, 4])


def test_taking_a_head_away_leaves_the_net_as_it_was():
    whole = counter()
    before = whole.model.layers[0].output.weight.clone()
    found = heads.pruning(whole)
    assert torch.equal(whole.model.layers[0].output.weight, before)
    assert found.whole == whole.accuracy(20) and len(found.without) == len(found.alone) == 4
    assert found.without[1] == heads.without(whole, 1).accuracy(20)


def test_halves_are_the_two_parts_of_an_answer():
    class Known(torch.nn.Module):
        """Always right about the vowel, and says 0 of every count."""

        device = torch.device("cpu")

        def forward(self, words):
            said = counting.counts_and_vowels(words.ids[:, 1:]).clamp(min=0) % 2
            said = torch.cat([said[:, :1], said], dim=1)
            return type("Said", (), {"logits": torch.nn.functional.one_hot(said, 6).float()})

    found = heads.halves(counting.Counter(Known(), None, "both"))
    assert found.vowel == 1.0 and 0.2 < found.count < 0.5
    with pytest.raises(ValueError, match="the task 'count' has no halves"):
        heads.halves(counter("count"))


def test_habits_share_out_all_weight_and_twins_are_alike():
    for causal in (True, False):
        whole = counter(causal=causal)
        found = heads.habits(whole)
        assert [sum(of.values()) for of in found] == pytest.approx([1.0] * 4, abs=1e-5)
    with torch.no_grad():
        layer = whole.model.layers[0]
        for part in (layer.query, layer.key):  # head 1 asks and answers as head 0 does
            part.weight[8:16], part.bias[8:16] = part.weight[:8].clone(), part.bias[:8].clone()
    apart = heads.diversity(whole)
    torch.testing.assert_close(apart, apart.T)
    assert apart[0, 1] < 1e-6 < apart[0, 2] < 1 and apart.diagonal().eq(0).all()


def test_one_head_finds_the_vowel_and_others_count():
    trained = counting.train_counter(steps=600, task="both", positions="sinusoid", rate=2e-2)
    assert trained.accuracy(20) > 0.99
    found = [heads.halves(heads.without(trained, h)) for h in range(4)]
    assert any(of.vowel < 0.9 < of.count for of in found) and any(of.count < 0.9 < of.vowel for of in found)


# --- the scale -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [4, 64])
def test_scores_vary_by_d_and_scaled_ones_by_one(d):
    found = scale.variance(d)
    assert found.raw == pytest.approx(d, rel=0.05) and found.scaled == pytest.approx(1, rel=0.05)


def test_a_sharp_softmax_has_little_entropy_and_small_slopes():
    found = scale.saturation(256)
    assert found.entropy.raw < 0.3 < 2 < found.entropy.scaled < math.log(20)
    assert found.slope.raw < 0.5 * found.slope.scaled
    weights, _ = torch.full((1, 4), 0.25), None
    assert scale.entropy(weights).item() == pytest.approx(math.log(4))
    assert scale.entropy(torch.tensor([[1.0, 0.0]])).item() == 0
    slope = torch.autograd.functional.jacobian(lambda s: s.softmax(0), torch.tensor([1.0, 2.0, 0.0]))
    assert scale._sharpness(torch.tensor([[1.0, 2.0, 0.0]]).softmax(1))[1] == pytest.approx(slope.norm().item())


def test_scores_are_divided_as_it_is_said():
    layer, x = scale.Divided(8, 2), torch.randn(2, 5, 8)
    q, (k, v) = layer._split(layer.query(x)), layer.keys_values(x)
    for kind, divisor in (("unscaled", 1), ("scaled", 2), ("by width", 4)):  # K = 4
        layer.power = scale.DIVISORS[kind]
        wanted = (q @ k.mT / divisor).softmax(3)
        torch.testing.assert_close(layer(x, need_weights=True)[1], wanted)
        torch.testing.assert_close(layer(x), layer(x, need_weights=True)[0])
    torch.testing.assert_close(attention(q, k, v)[1], (q @ k.mT / 2).softmax(3))


def test_wide_heads_learn_with_the_root_and_not_without():
    scaled, unscaled = (scale.train_divided(kind, width=64, steps=120) for kind in ("scaled", "unscaled"))
    assert unscaled.counter.accuracy(20) < 0.6 < 0.95 < scaled.counter.accuracy(20)
    assert unscaled.entropy[0] < scaled.entropy[0] and unscaled.entropy[1] < scaled.entropy[1]
    assert all(of.gradient[0] > 0 for of in (scaled, unscaled))
    with pytest.raises(ValueError, match="no divisor 'root': choose one of unscaled, scaled, by width"):
        scale.train_divided("root", 8, 1)


# --- order -----------------------------------------------------------------------------------------------------------


def test_without_positions_and_mask_a_letter_gets_the_same_answer_wherever_it_stands():
    assert orders.exchanged("none") < 1e-6
    for positions, causal in (("none", True), ("sinusoid", False), ("learned", False)):
        assert orders.exchanged(positions, causal) > 1e-3


def test_one_matrix_shifts_every_position():
    for shift, d in ((1, 4), (5, 32), (-3, 8)):
        rows = sinusoids(60, d)
        there = sinusoids(40, d, start=10 + shift)
        torch.testing.assert_close(rows[10:50] @ orders.rotation(shift, d), there, atol=1e-5, rtol=0)


def test_the_slides_variant_by_hand():
    """n = 2, d = 4: rates 1 and 1/10000; position 1 has sin 1, sin 0.0001, cos 1, cos 0.0001."""
    assert orders.slide_sinusoids(2, 4).tolist()[1] == pytest.approx([0.84147, 0.0001, 0.54030, 1.0], abs=1e-5)
    assert orders.slide_sinusoids(2, 4).tolist()[0] == [0, 0, 1, 1]
    with pytest.raises(ValueError, match="d is 5: this variant needs an even number, at least 4"):
        orders.slide_sinusoids(2, 5)


def test_accuracies_by_length_are_those_of_the_counter():
    net = counter("before")
    assert orders.by_length(net, (3, 30), asked=20) == {n: net.accuracy(n, 20) for n in (3, 30)}
    short = counting.train_counter(1, positions="learned", longest=21)
    assert orders.by_length(short, (20, 21), asked=20) == {20: short.accuracy(20, 20), 21: None}
    assert None not in orders.by_length(counting.train_recurrent(1), (20, 21), asked=20).values()
