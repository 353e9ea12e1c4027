"""A net's numbers by name are all of it: what they compute on paper is what the net says."""

import pytest
import torch
from torch import nn
from unrolled.attention import Config, MultiHeadAttention, SelfAttention, attention, causal_mask, sinusoids
from unrolled.experiments.attention.parts import layer_parts, net_parts
from unrolled.tagging import Words


def by_hand(x, parts, heads, mask=None):
    def of_heads(name):
        return (x @ parts["W" + name].T + parts["b" + name]).unflatten(2, (heads, -1)).transpose(1, 2)

    found, _ = attention(of_heads("q"), of_heads("k"), of_heads("v"), mask)
    return found.transpose(1, 2).flatten(2) @ parts["Wo"].T + parts["bo"]


@pytest.mark.parametrize("bias", [True, False])
def test_parts_of_a_layer_compute_what_it_computes(bias):
    x = torch.randn(2, 4, 6)
    for layer in (MultiHeadAttention(6, 3, bias), nn.MultiheadAttention(6, 3, bias=bias, batch_first=True)):
        wanted = layer(x) if isinstance(layer, MultiHeadAttention) else layer(x, x, x)[0]
        torch.testing.assert_close(by_hand(x, layer_parts(layer), heads=3), wanted)


def test_parts_of_a_net_compute_what_it_computes():
    net, ids = SelfAttention(Config(9, 4, width=6, heads=2, causal=True)), torch.tensor([[3, 1, 4, 1], [5, 2, 6, 5]])
    parts = net_parts(net)
    x = by_hand(parts["E"][ids] + sinusoids(4, 6), parts, 2, causal_mask(4))
    logits = net(Words(ids, torch.ones_like(ids, dtype=torch.bool))).logits
    torch.testing.assert_close(x @ parts["W"].T + parts["b"], logits)
    assert not any(part.requires_grad for part in parts.values())
    parts["Wq"].zero_()
    assert net.layers[0].query.weight.abs().sum() > 0


def test_a_net_of_more_layers_has_no_such_names():
    with pytest.raises(ValueError, match="the net has 2 layers, residual=False: wanted is one, False"):
        net_parts(SelfAttention(Config(9, 4, layers=2)))
