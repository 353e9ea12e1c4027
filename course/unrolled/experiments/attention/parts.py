"""A net's numbers as plain tensors, by the names that the unit's exercises have for them.

    layer_parts(net.layers[0])       # of a MultiHeadAttention, or of torch's
    net_parts(net)                   # of a SelfAttention net with one layer

With E numbers for all heads (here E = D) a layer has "Wq", "Wk", "Wv" (E, D), "bq", "bk", "bv" (E,), "Wo" (D, E)
and "bo" (D,): queries are x @ Wq.T + bq, and head h has the rows hK to (h + 1)K of Wq, Wk and Wv, and those columns of
Wo. A net has "E" (V, D) besides, a row for each word, and "W" (C, D) and "b" (C,) of its output. All are copies
on the CPU, without gradients.
"""

from torch import Tensor, nn

from unrolled.attention import MultiHeadAttention, SelfAttention

NAMES = {"query": "q", "key": "k", "value": "v", "output": "o"}


def layer_parts(layer: MultiHeadAttention | nn.MultiheadAttention) -> dict[str, Tensor]:
    """Of one layer; zeros for biases that it does not have."""
    ours = MultiHeadAttention.like(layer) if isinstance(layer, nn.MultiheadAttention) else layer
    found = {}
    for name, letter in NAMES.items():
        part = getattr(ours, name)
        found["W" + letter] = part.weight.detach().cpu().clone()
        found["b" + letter] = (
            found["W" + letter].new_zeros(ours.width) if part.bias is None else part.bias.detach().cpu().clone()
        )
    return found


def net_parts(net: SelfAttention) -> dict[str, Tensor]:
    """Of a net: what it reads by, its one layer, and what it says by."""
    if len(net.layers) != 1 or net.config.residual:
        raise ValueError(f"the net has {len(net.layers)} layers, residual={net.config.residual}: wanted is one, False")
    own = {"E": net.E.weight, "W": net.output.weight, "b": net.output.bias}
    return layer_parts(net.layers[0]) | {name: part.detach().cpu().clone() for name, part in own.items()}
