"""Parameters of heads, masks, and the library's attention, for the checks of unit 6.

The parameters of a layer are {"Wq", "Wk", "Wv": (E, D); "bq", "bk", "bv": (E,); "Wo": (D, E), "bo": (D,)}, as in the
exercises; those of a net have "E" (V, D), "W" (C, D) and "b" (C,) besides. The twins are torch's own: its fused
attention, which is asked for weights by values that are the identity; nn.MultiheadAttention with copied weights; and
for other widths one head after another. What answers return is read in `attending`. A mask is torch.bool, true where a
query may look. Left out on purpose: what an exercise asks to be written.

Shapes: B sentences, N words (M queries), D numbers in a word's vector, H heads, K in each, E = H·K.
"""

import math
import random
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from .recurrent import numbers
from .translators import Params

INNER = ("Wq", "bq", "Wk", "bk", "Wv", "bv")
LAYER = (*INNER, "Wo", "bo")


# --- masks -----------------------------------------------------------------------------------------------------------


def seen_of(rng: random.Random, *shape: int, share: float = 0.6) -> Tensor:
    """A mask of this shape in which each row has at least one place to look at; rows and batches differ."""
    mask = numbers(rng, *shape) < 2 * share - 1
    first = numbers(rng, *shape).argmax(-1, keepdim=True)
    return mask.scatter(-1, first, torch.ones_like(first, dtype=torch.bool))


def real_of(rng: random.Random, batch: int, places: int) -> Tensor:
    """A padding mask (B, N) with pads anywhere, another number of them in each row as far as can be."""
    counts = [1 + (b * max(1, (places - 1) // max(1, batch - 1))) % places for b in range(batch)]
    rows = [torch.tensor([n < count for n in range(places)]) for count in counts]
    return torch.stack([row[rng.sample(range(places), places)] for row in rows])


def seen_by_loops(real: Tensor, causal: bool) -> Tensor:
    """The keep-mask (B, 1, N, N) of a padding mask, place by place."""
    return torch.tensor(
        [
            [[[is_real and (j <= i or not causal) for j, is_real in enumerate(row)] for i in range(len(row))]]
            for row in real.tolist()
        ],
        dtype=torch.bool,
    ).reshape(len(real), 1, real.shape[1], real.shape[1])


def turned(x: Tensor) -> Tensor:
    """The same numbers, laid out in memory with the last axis first: what `view` cannot cut."""
    return x.movedim(-1, 0).contiguous().movedim(0, -1)


# --- one attention ---------------------------------------------------------------------------------------------------


def library_attend(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Values and weights by torch's attention; each query has somewhere to look."""
    lead, (n, m) = q.shape[:-2], (k.shape[-2], q.shape[-2])
    full = None if mask is None else mask.expand(*lead, m, n)
    own = torch.eye(n, dtype=q.dtype).expand(*lead, n, n)
    return tuple(F.scaled_dot_product_attention(q, k, one, attn_mask=full) for one in (v, own))


def qkv(rng: random.Random, lead: tuple, sizes: tuple, spread: float = 2.0, dtype: Any = torch.float32) -> list:
    """Queries (…, M, K), keys (…, N, K) and values (…, N, W) for sizes (M, N, K, W)."""
    M, N, K, W = sizes
    return [numbers(rng, *lead, *shape, spread=spread, dtype=dtype) for shape in ((M, K), (N, K), (N, W))]


# --- many heads ------------------------------------------------------------------------------------------------------


def layer_of(rng: random.Random, D: int, E: int, dtype: torch.dtype = torch.float32) -> Params:
    """The parameters of one layer, drawn from ±0.8."""
    shapes = {"Wq": (E, D), "bq": (E,), "Wk": (E, D), "bk": (E,), "Wv": (E, D), "bv": (E,), "Wo": (D, E), "bo": (D,)}
    return {name: numbers(rng, *shape, spread=0.8, dtype=dtype) for name, shape in shapes.items()}


def library_heads(x: Tensor, params: Params, heads: int, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """(B, N, D) and the weights (B, H, N, N) by nn.MultiheadAttention with copied weights; E = D, no empty row."""
    B, N, D = x.shape
    twin = torch.nn.MultiheadAttention(D, heads, batch_first=True, dtype=x.dtype)
    with torch.no_grad():
        twin.in_proj_weight.copy_(torch.cat([params[f"W{role}"] for role in "qkv"]))
        twin.in_proj_bias.copy_(torch.cat([params[f"b{role}"] for role in "qkv"]))
        twin.out_proj.weight.copy_(params["Wo"])
        twin.out_proj.bias.copy_(params["bo"])
    closed = None if mask is None else ~mask.expand(B, heads, N, N).flatten(0, 1)
    out, weights = twin(x, x, x, attn_mask=closed, average_attn_weights=False)
    return out.detach(), weights.detach()


def head_by_head(x: Tensor, params: Params, heads: int, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """The same for any E, as a sum over heads: W^O [head_1 ; …] is a sum of one product a head."""
    B, N, _ = x.shape
    K = params["bq"].numel() // heads
    total, weights = params["bo"].expand(B, N, -1), []
    for h in range(heads):
        own = slice(h * K, (h + 1) * K)
        q, k, v = (F.linear(x, params[f"W{role}"][own], params[f"b{role}"][own]) for role in "qkv")
        seen = None if mask is None else mask.expand(B, heads, N, N)[:, h]
        found, where = library_attend(q, k, v, seen)
        total, weights = total + F.linear(found, params["Wo"][:, own]), [*weights, where]
    return total, torch.stack(weights, 1)


# --- positions, and a net --------------------------------------------------------------------------------------------


def table_by_formula(n: int, d: int) -> Tensor:
    """The published sinusoid, number by number, (n, d) in float64."""
    turn = {0: math.sin, 1: math.cos}
    rows = [[turn[c % 2](p / 10000 ** ((c - c % 2) / d)) for c in range(d)] for p in range(n)]
    return torch.tensor(rows, dtype=torch.float64).reshape(n, d)


def net_of(rng: random.Random, sizes: tuple[int, int, int, int], dtype: torch.dtype = torch.float32) -> Params:
    """The parameters of a net for sizes (V, D, E, C): a table of vectors, a layer, an output."""
    V, D, E, C = sizes
    own = {"E": (V, D), "W": (C, D), "b": (C,)}
    return {name: numbers(rng, *shape, dtype=dtype) for name, shape in own.items()} | layer_of(rng, D, E, dtype)


def library_logits(ids: Tensor, real: Tensor, params: Params, heads: int, causal: bool) -> Tensor:
    """Logits (B, N, C) by the twins above; each row's words all have somewhere to look."""
    x = F.embedding(ids, params["E"])
    x = x + table_by_formula(ids.shape[1], x.shape[2]).to(x.dtype)
    found, _ = head_by_head(x, params, heads, seen_by_loops(real, causal))
    return F.linear(found, params["W"], params["b"])
