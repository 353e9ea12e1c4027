"""Costs counted by formula, by walking and by hand; what is measured grows as it must."""

import pytest
import torch
from unrolled.experiments.attention import costs


@pytest.mark.parametrize("kind", costs.LAYERS)
@pytest.mark.parametrize("n", [1, 2, 3, 9, 10, 17])
def test_steps_and_ways_are_those_found_by_walking(kind, n):
    assert costs.counted(kind, n, 8)[2:4] == tuple(reversed(costs.ways(kind, n)))


def test_products_by_hand():
    """n = 3, d = 4. Attention: 4 · 3 · 16 for q, k, v and the output, 9 · 4 for scores and for sums: 192 + 72.

    Recurrent, two directions of width 2: W x is 3 · 2 · 8, U h is 3 · 2 · 4: 48 + 24. A convolution that looks at three
    words needs two layers: 2 · 3 · 3 · 16.
    """
    assert costs.counted("self-attention", 3, 4).products == 264
    assert costs.counted("recurrent", 3, 4).products == 72
    assert costs.counted("convolution", 3, 4).products == 288 and costs.counted("convolution", 3, 4).layers == 2


def test_layers_until_each_word_has_seen_each():
    assert [len(costs.gaps("convolution", n)) for n in (1, 2, 3, 100)] == [1, 1, 2, 99]
    assert [costs.gaps("dilated", n) for n in (2, 3, 4, 5, 9)] == [[1], [1, 2], [1, 2], [1, 2, 4], [1, 2, 4, 8]]


def test_a_convolution_with_doubled_gaps_reaches_every_word():
    layers = [torch.nn.Conv1d(1, 1, 3, padding="same", dilation=gap) for gap in costs.gaps("dilated", 11)]
    x = torch.randn(1, 1, 11, requires_grad=True)
    y = x
    for layer in layers:
        torch.nn.init.ones_(layer.weight)
        y = layer(y)
    reached = torch.stack([torch.autograd.grad(y[0, 0, i], x, retain_graph=True)[0][0, 0] for i in range(11)])
    assert (reached != 0).all()


@pytest.mark.parametrize("kind", costs.MEASURED)
def test_a_layer_is_measured_and_keeps_what_it_must(kind):
    assert 0 < costs.seconds(kind, 8, d=8, heads=2, repeats=1) < 5
    small, large = (costs.kept_bytes(kind, n, d=8, heads=2) for n in (64, 128))
    growth = {"self-attention": (3.0, 4.0), "one convolution": (0, 0)}.get(kind, (1.9, 2.1))
    assert growth[0] * small <= large <= growth[1] * small


def test_plain_attention_keeps_the_weights_and_fused_attention_does_not():
    assert (
        costs.kept_bytes("self-attention", 128, d=8, heads=2) >= 4 * 2 * 128**2 > costs.kept_bytes("fused", 128, 8, 2)
    )


def test_what_is_neither_counted_nor_measured_is_refused():
    with pytest.raises(ValueError, match="no layer 'fused': choose one of recurrent, convolution, dilated, self-att"):
        costs.counted("fused", 3, 4)
    with pytest.raises(ValueError, match="'dilated' is not measured: choose one of recurrent, one convolution, self"):
        costs.seconds("dilated", 3)
