# Answers to 7.7, one step with a cache. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: two_axes — Words without an axis of their own; sums by letters
import torch
import torch.nn.functional as F

from unrolled.attention import sinusoids


def cached_step(ids, cache, params, heads):
    def normed(x, own):
        x = x - x.mean(1, keepdim=True)
        return x * torch.rsqrt((x * x).mean(1, keepdim=True) + 1e-5) * own["gamma"] + own["beta"]

    E, grown = params["E"], []
    n = cache[0][0].size(2)
    x = E[ids] + sinusoids(n + 1, E.shape[1])[n]  # (B, D)
    for number, block in enumerate(params["blocks"]):
        own, z = block["attention"], normed(x, block["norm1"])
        q, k, v = (torch.einsum("bd,ed->be", z, own["W" + r]) + own["b" + r] for r in "qkv")
        q, k, v = (one.reshape(len(ids), heads, -1) for one in (q, k, v))
        keys = torch.cat((cache[number][0], k.unsqueeze(2)), dim=2)
        values = torch.cat((cache[number][1], v.unsqueeze(2)), dim=2)
        weights = torch.softmax(torch.einsum("bhk,bhnk->bhn", q, keys) / q.shape[2] ** 0.5, dim=2)
        found = torch.einsum("bhn,bhnk->bhk", weights, values).reshape(len(ids), -1)
        x = x + found @ own["Wo"].T + own["bo"]
        inner = block["forward"]
        h = (normed(x, block["norm2"]) @ inner["W1"].T + inner["b1"]).clamp(min=0)
        x = x + h @ inner["W2"].T + inner["b2"]
        grown += [[keys, values]]
    return normed(x, params["norm"]) @ E.T, grown


# %% right: a_place_more — A tensor that is one longer, into which both are written
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        wider = [torch.empty(*old.shape[:2], n + 1, old.shape[3], dtype=old.dtype) for old in (k, v)]
        for place, old, new in zip(wider, (k, v), (new_k, new_v)):
            place[:, :, :n], place[:, :, n:] = old, new
        k, v = wider
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% right: fused_and_masked — torch's fused function; a mask that hides nothing; positions by the equation
import torch
import torch.nn.functional as F

from unrolled.experiments.transformer.parts import join_heads, split_heads


def position(n, D):
    angle = n / 10000 ** (torch.arange(0, D, 2) / D)
    return torch.stack([angle.sin(), angle.cos()], 1).flatten()


@torch.no_grad()
def cached_step(ids, cache, params, heads):
    n, D = cache[0][0].shape[2], params["E"].shape[1]
    x, new_cache = F.embedding(ids[:, None], params["E"]) + position(n, D), []
    for layer, (block, old) in enumerate(zip(params["blocks"], cache)):
        own = block["attention"]
        z = F.layer_norm(x, (D,), block["norm1"]["gamma"], block["norm1"]["beta"])
        made = {r: split_heads(F.linear(z, own["W" + r], own["b" + r]), heads) for r in "qkv"}
        k, v = (torch.cat([was, made[r]], dim=-2) for was, r in zip(old, "kv"))
        seen = torch.ones(1, n + 1, dtype=torch.bool)
        x = x + F.linear(
            join_heads(F.scaled_dot_product_attention(made["q"], k, v, attn_mask=seen)), own["Wo"], own["bo"]
        )
        z = F.layer_norm(x, (D,), block["norm2"]["gamma"], block["norm2"]["beta"])
        own = block["forward"]
        x = x + F.linear(F.linear(z, own["W1"], own["b1"]).relu(), own["W2"], own["b2"])
        new_cache.append((k, v))
    return F.linear(F.layer_norm(x, (D,), params["norm"]["gamma"], params["norm"]["beta"]), params["E"])[
        :, 0
    ], new_cache


# %% wrong: along_the_heads — The new key as another head
# fails: the_first_symbol_needs_no_cache, symbol_by_symbol_is_the_plain_way
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 1), torch.cat([v, new_v], 1)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: along_the_batch — The new key as another text
# fails: the_first_symbol_needs_no_cache, symbol_by_symbol_is_the_plain_way
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 0), torch.cat([v, new_v], 0)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: along_the_numbers — The new key behind the numbers of the old one
# fails: the_first_symbol_needs_no_cache, symbol_by_symbol_is_the_plain_way
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 3), torch.cat([v, new_v], 3)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: along_the_wrong_axis_reshaped — Along the heads, and bent into shape
# fails: symbol_by_symbol_is_the_plain_way, the_cache_grows_by_the_newest
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = (
            torch.cat([a.transpose(1, 2), b.transpose(1, 2)], 1).reshape(len(ids), heads, n + 1, -1)
            for a, b in ((k, new_k), (v, new_v))
        )
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: positions_restart — Each new symbol stands at position 0
# fails: symbol_by_symbol_is_the_plain_way, the_cache_grows_by_the_newest
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], 0)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: positions_from_one — Positions are counted from 1
# fails: the_first_symbol_needs_no_cache, symbol_by_symbol_is_the_plain_way
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n + 1)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: positions_late_by_one — The position of the last cached symbol
# fails: symbol_by_symbol_is_the_plain_way
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], max(n - 1, 0))
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: no_positions — Words alone
# fails: the_first_symbol_needs_no_cache, symbol_by_symbol_is_the_plain_way
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None]
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: position_by_the_heads — The number of heads taken for n
# fails: symbol_by_symbol_is_the_plain_way
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[1]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: position_by_the_call — n is counted by the calls
# fails: the_past_is_in_the_cache_alone
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


calls = [0]


def cached_step(ids, cache, params, heads):
    n = calls[0] if cache[0][0].shape[2] else 0
    calls[0] = n + 1
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: newest_first — The new key in front of the others
# fails: the_cache_grows_by_the_newest
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([new_k, k], 2), torch.cat([new_v, v], 2)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: looks_at_the_past_alone — The new word does not see itself, unless it is the first
# fails: symbol_by_symbol_is_the_plain_way
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = x + join_heads(attention(q, k[:, :, : n or 1], v[:, :, : n or 1])[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: looks_at_itself_alone — The cache is kept and not looked at
# fails: symbol_by_symbol_is_the_plain_way
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = x + join_heads(attention(q, new_k, new_v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: values_not_kept — The keys in the place of the values
# fails: the_first_symbol_needs_no_cache, symbol_by_symbol_is_the_plain_way
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_k], 2)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: exchanged_in_the_pair — The values first
# fails: the_cache_grows_by_the_newest
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((v, k))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: not_normed_keys — Keys and values of words that were not normed
# fails: symbol_by_symbol_is_the_plain_way, the_cache_grows_by_the_newest
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads((z if r == "q" else x) @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: keys_of_the_embedding — All blocks keep the first one's input
# fails: symbol_by_symbol_is_the_plain_way, the_cache_grows_by_the_newest
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown, first = [], norm_of(x, params["blocks"][0]["norm1"])
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (
            split_heads((z if r == "q" else first) @ own["W" + r].T + own["b" + r], heads) for r in "qkv"
        )
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: one_cache_for_all_blocks — Each block has the first one's cache
# fails: symbol_by_symbol_is_the_plain_way, the_cache_grows_by_the_newest
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], [cache[0]] * len(cache)):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: only_the_newest_is_handed_back — The cache does not grow
# fails: symbol_by_symbol_is_the_plain_way, the_cache_grows_by_the_newest
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((new_k, new_v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: old_cache_handed_back — What came is handed back
# fails: symbol_by_symbol_is_the_plain_way, the_cache_grows_by_the_newest
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, cache


# %% wrong: cache_written_to — The list that came is written to
# fails: symbol_by_symbol_is_the_plain_way
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], list(cache)):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        cache[len(grown)] = (k, v)
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: remembered — A cache of its own, between the calls
# fails: symbol_by_symbol_is_the_plain_way
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


kept = []


def cached_step(ids, cache, params, heads):
    if cache[0][0].shape[2] and kept:
        cache = kept[0]
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    kept.append(grown)
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: no_last_norm — The last norm is left out
# fails: the_first_symbol_needs_no_cache, symbol_by_symbol_is_the_plain_way
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = x[:, 0]
    return x @ params["E"].T, grown


# %% wrong: post_norm — Blocks with the norms behind the sums
# fails: the_first_symbol_needs_no_cache, symbol_by_symbol_is_the_plain_way
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], x
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = norm_of(x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"], block["norm1"])
        x = norm_of(x + work(x, block["forward"]), block["norm2"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: no_feed_forward — Attention alone
# fails: the_first_symbol_needs_no_cache, symbol_by_symbol_is_the_plain_way
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: first_block_alone — The other blocks are kept for, not gone through
# fails: symbol_by_symbol_is_the_plain_way
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        done = x if not grown else done
        grown.append((k, v))
    x = norm_of(done[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: joined_by_words — Heads joined for the first text alone
# fails: symbol_by_symbol_is_the_plain_way
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = x + join_heads(attention(q, k, v)[0])[:1] @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: goes_on_with_its_own — The cache that was returned last, whichever is given
# fails: the_past_is_in_the_cache_alone
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


last = []


def cached_step(ids, cache, params, heads):
    if last and cache[0][0].shape[2] and last[-1][0][0].shape == cache[0][0].shape:
        cache = last[-1]
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    last.append(grown)
    return x @ params["E"].T, grown


# %% wrong: keys_in_seven_digits — Keys are kept in float32
# fails: other_models_step_by_step
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        new_k = new_k.float().to(k.dtype)
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: the_last_fifty — What stands far before is not looked at
# fails: a_cache_of_somebody_else
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], n)
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = x + join_heads(attention(q, k[:, :, -50:], v[:, :, -50:])[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown


# %% wrong: position_stops — Behind a context's length positions go no further
# fails: a_cache_of_somebody_else
import torch
import torch.nn.functional as F
from unrolled.attention import attention, sinusoids
from unrolled.experiments.transformer.parts import join_heads, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def cached_step(ids, cache, params, heads):
    n = cache[0][0].shape[2]
    x = params["E"][ids][:, None] + sinusoids(1, params["E"].shape[1], min(n, 63))
    grown = []
    for block, (k, v) in zip(params["blocks"], cache):
        own, z = block["attention"], norm_of(x, block["norm1"])
        q, new_k, new_v = (split_heads(z @ own["W" + r].T + own["b" + r], heads) for r in "qkv")
        k, v = torch.cat([k, new_k], 2), torch.cat([v, new_v], 2)
        x = x + join_heads(attention(q, k, v)[0]) @ own["Wo"].T + own["bo"]
        x = x + work(norm_of(x, block["norm2"]), block["forward"])
        grown.append((k, v))
    x = norm_of(x[:, 0], params["norm"])
    return x @ params["E"].T, grown
