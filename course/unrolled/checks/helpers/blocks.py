"""Parameters of a transformer's blocks, and the library's parts for them, for the checks of unit 7.

A layer of attention is unit 6's dictionary of eight; a norm {"gamma", "beta"}; a feed-forward layer {"W1", "b1", "W2",
"b2"}; an encoder's block {"attention", "norm1", "forward", "norm2"}, a decoder's has "cross" and "norm3" besides; a
language model {"E", "blocks", "norm"}. The twins are torch's: F.layer_norm, F.linear, and its fused attention one
head after another, so that E = H·K need not be D. Those for E = D are held to nn.TransformerEncoderLayer and
nn.TransformerDecoderLayer by a test. Left out on purpose: what an exercise asks to be written.

Shapes: B texts, N words, M words that ask, D numbers in a word's vector, H heads, K in each, E = H·K, F in the middle
of a feed-forward layer, V symbols.
"""

import random
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from unrolled.checking.kinds import floats, refuse

from .heads import layer_of, library_attend, table_by_formula
from .recurrent import numbers
from .translators import Params, parts_of

EPS = 1e-5

# --- parameters ------------------------------------------------------------------------------------------------------


def norm_of(rng: random.Random, D: int, dtype: torch.dtype = torch.float32) -> Params:
    """Of a norm: no γ is near 0."""
    return {"gamma": 1.2 + numbers(rng, D, spread=0.7, dtype=dtype), "beta": numbers(rng, D, dtype=dtype)}


def forward_of(rng: random.Random, D: int, inner: int, dtype: torch.dtype = torch.float32) -> Params:
    """Of a feed-forward layer of F = `inner`."""
    shapes = {"W1": (inner, D), "b1": (inner,), "W2": (D, inner), "b2": (D,)}
    return {name: numbers(rng, *shape, dtype=dtype) for name, shape in shapes.items()}


def block_of(rng: random.Random, sizes: tuple[int, int, int], dtype: torch.dtype = torch.float32) -> Params:
    """Of an encoder's block, for sizes (D, E, F)."""
    D, E, inner = sizes
    own = {"attention": layer_of(rng, D, E, dtype), "norm1": norm_of(rng, D, dtype)}
    return own | {"forward": forward_of(rng, D, inner, dtype), "norm2": norm_of(rng, D, dtype)}


def decoder_of(rng: random.Random, sizes: tuple[int, int, int], dtype: torch.dtype = torch.float32) -> Params:
    """Of a decoder's block."""
    D, E, _ = sizes
    return block_of(rng, sizes, dtype) | {"cross": layer_of(rng, D, E, dtype), "norm3": norm_of(rng, D, dtype)}


def model_of(
    rng: random.Random, V: int, sizes: tuple[int, int, int], blocks: int, dtype: torch.dtype = torch.float32
) -> Params:
    """Of a language model."""
    own = {"E": numbers(rng, V, sizes[0], dtype=dtype), "norm": norm_of(rng, sizes[0], dtype)}
    return own | {"blocks": [block_of(rng, sizes, dtype) for _ in range(blocks)]}


def more_names(params: Any) -> Any:
    """The same numbers, each dictionary in another order and with a name that nobody asks for."""
    if isinstance(params, list):
        return [more_names(one) for one in params]
    if not isinstance(params, dict):
        return params
    return {"step": torch.tensor(7)} | {name: more_names(one) for name, one in reversed(params.items())}


# --- the library's parts ---------------------------------------------------------------------------------------------


def library_norm(x: Tensor, params: Params, eps: float = EPS) -> Tensor:
    return F.layer_norm(x, x.shape[-1:], params["gamma"], params["beta"], eps)


def library_forward(x: Tensor, params: Params) -> Tensor:
    return F.linear(F.relu(F.linear(x, params["W1"], params["b1"])), params["W2"], params["b2"])


def library_asked(x: Tensor, memory: Tensor, params: Params, heads: int, mask: Tensor | None) -> Tensor:
    """What x (B, M, D) finds in a memory (B, N, D), as a sum over heads; `mask` broadcasts to (B, H, M, N)."""
    (B, M, _), N, K = x.shape, memory.shape[1], params["bq"].numel() // heads
    seen = torch.ones(B, heads, M, N, dtype=torch.bool) if mask is None else mask.expand(B, heads, M, N)
    total, somewhere = params["bo"].expand(B, M, -1), seen.any(-1, keepdim=True)
    for h in range(heads):
        own = slice(h * K, (h + 1) * K)
        sources = zip((x, memory, memory), "qkv", strict=True)
        q, k, v = (F.linear(one, params[f"W{role}"][own], params[f"b{role}"][own]) for one, role in sources)
        found, _ = library_attend(q, k, v, seen[:, h] | ~somewhere[:, h])
        total = total + F.linear(found * somewhere[:, h], params["Wo"][:, own])
    return total


def library_cross(y: Tensor, memory: Tensor, params: Params, heads: int, real: Tensor) -> Tensor:
    """What the words of y find in the memory's real words."""
    return library_asked(y, memory, params, heads, real[:, None, None])


def library_block(x: Tensor, params: Params, heads: int, mask: Tensor | None = None, norm: str = "pre") -> Tensor:
    """An encoder's block."""
    one, two = params["norm1"], params["norm2"]
    if norm == "post":
        x = library_norm(x + library_asked(x, x, params["attention"], heads, mask), one)
        return library_norm(x + library_forward(x, params["forward"]), two)
    read = library_norm(x, one)
    x = x + library_asked(read, read, params["attention"], heads, mask)
    return x + library_forward(library_norm(x, two), params["forward"])


def so_far(n: int) -> Tensor:
    """A word sees itself and those before it."""
    return torch.ones(n, n, dtype=torch.bool).tril()


def library_decoder(y: Tensor, memory: Tensor, params: Params, heads: int, real: Tensor) -> Tensor:
    """A decoder's block, pre-norm."""
    read = library_norm(y, params["norm1"])
    y = y + library_asked(read, read, params["attention"], heads, so_far(y.shape[1]))
    y = y + library_cross(library_norm(y, params["norm2"]), memory, params["cross"], heads, real)
    return y + library_forward(library_norm(y, params["norm3"]), params["forward"])


def library_model(ids: Tensor, params: Params, heads: int) -> Tensor:
    """The logits (B, N, V) of a language model."""
    x = F.embedding(ids, params["E"])
    x = x + table_by_formula(ids.shape[1], x.shape[2]).to(x.dtype)
    for block in params["blocks"]:
        x = library_block(x, block, heads, so_far(ids.shape[1]))
    return F.linear(library_norm(x, params["norm"]), params["E"])


# --- what answers return ---------------------------------------------------------------------------------------------


def words_of(got: Any, like: Tensor) -> Tensor:
    """New vectors, held to the shape of those that went in."""
    return floats(got, tuple(like.shape), "the new vectors")


def read_grown(got: Any, ids: Tensor, cache: list, params: Params) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:
    """The logits and the cache of an answer to 7.7, held to their kinds and shapes."""
    logits, grown = parts_of(got, 2)
    floats(logits, (len(ids), len(params["E"])), "the logits")
    if not isinstance(grown, list | tuple):
        refuse("the cache", f"a list of {len(cache)} pairs", grown)
    for n, (pair, (k, _)) in enumerate(zip(parts_of(grown, len(cache), "the cache"), cache, strict=True)):
        B, H, before, K = k.shape
        parts_of(pair, 2, f"the cache of block {n}")
        for part, name in zip(pair, ("keys", "values"), strict=True):
            floats(part, (B, H, before + 1, K), f"the {name} of block {n}")
    return logits, list(grown)


def empty_cache(params: Params, heads: int, batch: int) -> list[tuple[Tensor, Tensor]]:
    """That of no symbol."""
    layer = params["blocks"][0]["attention"]
    none = torch.zeros(batch, heads, 0, len(layer["bq"]) // heads, dtype=layer["bq"].dtype)
    return [(none, none.clone()) for _ in params["blocks"]]


def library_cache(ids: Tensor, params: Params, heads: int) -> list[tuple[Tensor, Tensor]]:
    """The keys and values (B, H, n, K) of each block, for texts (B, n)."""
    x, found = F.embedding(ids, params["E"]), []
    x = x + table_by_formula(ids.shape[1], x.shape[2]).to(x.dtype)
    for block in params["blocks"]:
        read, layer = library_norm(x, block["norm1"]), block["attention"]
        both = (F.linear(read, layer[f"W{role}"], layer[f"b{role}"]).chunk(heads, 2) for role in "kv")
        found.append(tuple(torch.stack(one, 1) for one in both))
        x = library_block(x, block, heads, so_far(ids.shape[1]))
    return found
