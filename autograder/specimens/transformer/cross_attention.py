# Answers to 7.4, cross-attention. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: written_out — A softmax of one's own; rows without a word mended
import torch


def cross_attention(y, memory, params, heads, real):
    B, M, _ = y.shape
    N = memory.shape[1]
    q = (y @ params["Wq"].T + params["bq"]).reshape(B, M, heads, -1)
    k = (memory @ params["Wk"].T + params["bk"]).reshape(B, N, heads, -1)
    v = (memory @ params["Wv"].T + params["bv"]).reshape(B, N, heads, -1)
    scores = torch.einsum("bmhk,bnhk->bhmn", q, k) / q.shape[-1] ** 0.5
    seen = real[:, None, None, :].expand_as(scores)
    weights = scores.masked_fill(~seen, torch.finfo(scores.dtype).min).softmax(-1) * seen
    found = torch.einsum("bhmn,bnhk->bmhk", weights, v).flatten(2)
    return found @ params["Wo"].T + params["bo"]


# %% right: text_by_text — A loop over texts, over their real words alone
import torch


def cross_attention(y, memory, params, heads, real):
    K, out = params["bq"].numel() // heads, []
    for text, stored, there in zip(y, memory, real):
        words = stored[there]
        total = params["bo"].expand(len(text), -1)
        for h in range(heads if len(words) else 0):
            own = slice(h * K, (h + 1) * K)
            q = text @ params["Wq"][own].T + params["bq"][own]
            k = words @ params["Wk"][own].T + params["bk"][own]
            v = words @ params["Wv"][own].T + params["bv"][own]
            total = total + ((q @ k.T / K**0.5).softmax(1) @ v) @ params["Wo"][:, own].T
        out.append(total)
    return torch.stack(out)


# %% right: fused — torch's fused function; a large mask, and empty memories apart
import torch
import torch.nn.functional as F


def cross_attention(y, memory, params, heads, real):
    (B, M, _), N = y.shape, memory.shape[1]

    def heads_of(x, role):
        return F.linear(x, params["W" + role], params["b" + role]).unflatten(-1, (heads, -1)).transpose(1, 2)

    empty = ~real.any(1)
    seen = (real | empty[:, None])[:, None, None].expand(B, heads, M, N)
    q, k, v = heads_of(y, "q"), heads_of(memory, "k"), heads_of(memory, "v")
    found = F.scaled_dot_product_attention(q, k, v, attn_mask=seen)
    found = found.masked_fill(empty[:, None, None, None], 0.0)
    return F.linear(found.transpose(1, 2).flatten(2), params["Wo"], params["bo"])


# %% wrong: roles_exchanged — Queries from the memory, keys from y
# fails: two_words_of_a_memory_by_hand, it_is_the_librarys_attention_to_a_memory
import torch

from unrolled.attention import attention
from unrolled.experiments.transformer.parts import join_heads, split_heads


def cross_attention(y, memory, params, heads, real):
    q = split_heads(memory @ params["Wq"].T + params["bq"], heads)
    k = split_heads(y @ params["Wk"].T + params["bk"], heads)
    v = split_heads(memory @ params["Wv"].T + params["bv"], heads)
    weights = attention(q, k, k)[1].mT
    found = weights.masked_fill(~real[:, None, None], 0.0) @ v
    return join_heads(found) @ params["Wo"].T + params["bo"]


# %% wrong: matrices_exchanged — W^K makes the queries and W^Q the keys
# fails: it_is_the_librarys_attention_to_a_memory
import torch

from unrolled.attention import attention
from unrolled.experiments.transformer.parts import join_heads, split_heads


def cross_attention(y, memory, params, heads, real):
    q = split_heads(y @ params["Wk"].T + params["bk"], heads)
    k = split_heads(memory @ params["Wq"].T + params["bq"], heads)
    v = split_heads(memory @ params["Wv"].T + params["bv"], heads)
    found, _ = attention(q, k, v, real[:, None, None])
    return join_heads(found) @ params["Wo"].T + params["bo"]


# %% wrong: memory_asks — Everything from the memory
# fails: it_is_the_librarys_attention_to_a_memory
import torch

from unrolled.attention import attention
from unrolled.experiments.transformer.parts import join_heads, split_heads


def cross_attention(y, memory, params, heads, real):
    q = split_heads(memory @ params["Wq"].T + params["bq"], heads)
    k = split_heads(memory @ params["Wk"].T + params["bk"], heads)
    v = split_heads(memory @ params["Wv"].T + params["bv"], heads)
    found, _ = attention(q, k, v, real[:, None, None])
    return join_heads(found) @ params["Wo"].T + params["bo"]


# %% wrong: y_asks_itself — Everything from y
# fails: it_is_the_librarys_attention_to_a_memory
import torch

from unrolled.attention import attention
from unrolled.experiments.transformer.parts import join_heads, split_heads


def cross_attention(y, memory, params, heads, real):
    q = split_heads(y @ params["Wq"].T + params["bq"], heads)
    k = split_heads(y @ params["Wk"].T + params["bk"], heads)
    v = split_heads(y @ params["Wv"].T + params["bv"], heads)
    found, _ = attention(q, k, v, real[:, None, None])
    return join_heads(found) @ params["Wo"].T + params["bo"]


# %% wrong: values_of_y — Keys from the memory, values from y
# fails: two_words_of_a_memory_by_hand, it_is_the_librarys_attention_to_a_memory
import torch

from unrolled.attention import attention
from unrolled.experiments.transformer.parts import join_heads, split_heads


def cross_attention(y, memory, params, heads, real):
    q = split_heads(y @ params["Wq"].T + params["bq"], heads)
    k = split_heads(memory @ params["Wk"].T + params["bk"], heads)
    v = split_heads(y @ params["Wv"].T + params["bv"], heads)
    found, _ = attention(q, k, v, real[:, None, None])
    return join_heads(found) @ params["Wo"].T + params["bo"]


# %% wrong: keys_for_values — One projection for both
# fails: two_words_of_a_memory_by_hand, it_is_the_librarys_attention_to_a_memory
import torch

from unrolled.attention import attention
from unrolled.experiments.transformer.parts import join_heads, split_heads


def cross_attention(y, memory, params, heads, real):
    q = split_heads(y @ params["Wq"].T + params["bq"], heads)
    k = split_heads(memory @ params["Wk"].T + params["bk"], heads)
    v = split_heads(memory @ params["Wk"].T + params["bk"], heads)
    found, _ = attention(q, k, v, real[:, None, None])
    return join_heads(found) @ params["Wo"].T + params["bo"]


# %% wrong: no_mask — Pads are looked at
# fails: two_words_of_a_memory_by_hand, it_is_the_librarys_attention_to_a_memory, pads_of_the_memory_are_not_seen
import torch

from unrolled.attention import attention
from unrolled.experiments.transformer.parts import join_heads, split_heads


def cross_attention(y, memory, params, heads, real):
    q = split_heads(y @ params["Wq"].T + params["bq"], heads)
    k = split_heads(memory @ params["Wk"].T + params["bk"], heads)
    v = split_heads(memory @ params["Wv"].T + params["bv"], heads)
    found, _ = attention(q, k, v)
    return join_heads(found) @ params["Wo"].T + params["bo"]


# %% wrong: mask_inverted — Only pads are looked at
# fails: two_words_of_a_memory_by_hand, it_is_the_librarys_attention_to_a_memory
import torch

from unrolled.attention import attention
from unrolled.experiments.transformer.parts import join_heads, split_heads


def cross_attention(y, memory, params, heads, real):
    q = split_heads(y @ params["Wq"].T + params["bq"], heads)
    k = split_heads(memory @ params["Wk"].T + params["bk"], heads)
    v = split_heads(memory @ params["Wv"].T + params["bv"], heads)
    found, _ = attention(q, k, v, ~real[:, None, None])
    return join_heads(found) @ params["Wo"].T + params["bo"]


# %% wrong: mask_of_rows — The mask along those who ask
# fails: pads_of_the_memory_are_not_seen
import torch

from unrolled.attention import attention
from unrolled.experiments.transformer.parts import join_heads, split_heads


def cross_attention(y, memory, params, heads, real):
    q = split_heads(y @ params["Wq"].T + params["bq"], heads)
    k = split_heads(memory @ params["Wk"].T + params["bk"], heads)
    v = split_heads(memory @ params["Wv"].T + params["bv"], heads)
    found, _ = attention(
        q, k, v, real[:, None, :, None].expand(-1, 1, -1, k.shape[2])[:, :, :1].expand(-1, 1, q.shape[2], -1)
    )
    return join_heads(found) @ params["Wo"].T + params["bo"]


# %% wrong: causal — A causal mask besides
# fails: it_is_the_librarys_attention_to_a_memory
import torch

from unrolled.attention import attention
from unrolled.experiments.transformer.parts import join_heads, split_heads


def cross_attention(y, memory, params, heads, real):
    q = split_heads(y @ params["Wq"].T + params["bq"], heads)
    k = split_heads(memory @ params["Wk"].T + params["bk"], heads)
    v = split_heads(memory @ params["Wv"].T + params["bv"], heads)
    found, _ = attention(q, k, v, real[:, None, None] & torch.ones(q.shape[2], k.shape[2], dtype=torch.bool).tril())
    return join_heads(found) @ params["Wo"].T + params["bo"]


# %% wrong: pads_zeroed — Pads are set to 0 and looked at
# fails: two_words_of_a_memory_by_hand, pads_of_the_memory_are_not_seen
import torch

from unrolled.attention import attention
from unrolled.experiments.transformer.parts import join_heads, split_heads


def cross_attention(y, memory, params, heads, real):
    memory = memory * real[..., None]
    q = split_heads(y @ params["Wq"].T + params["bq"], heads)
    k = split_heads(memory @ params["Wk"].T + params["bk"], heads)
    v = split_heads(memory @ params["Wv"].T + params["bv"], heads)
    found, _ = attention(q, k, v)
    return join_heads(found) @ params["Wo"].T + params["bo"]


# %% wrong: masked_after_the_softmax — Pads take their share first
# fails: it_is_the_librarys_attention_to_a_memory, pads_of_the_memory_are_not_seen
import torch

from unrolled.attention import attention
from unrolled.experiments.transformer.parts import join_heads, split_heads


def cross_attention(y, memory, params, heads, real):
    q = split_heads(y @ params["Wq"].T + params["bq"], heads)
    k = split_heads(memory @ params["Wk"].T + params["bk"], heads)
    v = split_heads(memory @ params["Wv"].T + params["bv"], heads)
    found = (attention(q, k, v)[1] * real[:, None, None]) @ v
    return join_heads(found) @ params["Wo"].T + params["bo"]


# %% wrong: not_a_number — A softmax of nothing
# fails: pads_of_the_memory_are_not_seen, empty_memories_spoil_nothing
import torch

from unrolled.experiments.transformer.parts import join_heads, split_heads


def cross_attention(y, memory, params, heads, real):
    q = split_heads(y @ params["Wq"].T + params["bq"], heads)
    k = split_heads(memory @ params["Wk"].T + params["bk"], heads)
    v = split_heads(memory @ params["Wv"].T + params["bv"], heads)
    scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~real[:, None, None], -torch.inf)
    return join_heads(scores.softmax(-1) @ v) @ params["Wo"].T + params["bo"]


# %% wrong: minus_a_milliard — A number that is low enough for most scores
# fails: pads_of_the_memory_are_not_seen
import torch

from unrolled.experiments.transformer.parts import join_heads, split_heads


def cross_attention(y, memory, params, heads, real):
    q = split_heads(y @ params["Wq"].T + params["bq"], heads)
    k = split_heads(memory @ params["Wk"].T + params["bk"], heads)
    v = split_heads(memory @ params["Wv"].T + params["bv"], heads)
    scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~real[:, None, None], -1e9)
    return join_heads(scores.softmax(-1) @ v) @ params["Wo"].T + params["bo"]


# %% wrong: empty_is_left_out — Where there is no word, zeros in the place of b^O
# fails: pads_of_the_memory_are_not_seen
import torch

from unrolled.attention import attention
from unrolled.experiments.transformer.parts import join_heads, split_heads


def cross_attention(y, memory, params, heads, real):
    q = split_heads(y @ params["Wq"].T + params["bq"], heads)
    k = split_heads(memory @ params["Wk"].T + params["bk"], heads)
    v = split_heads(memory @ params["Wv"].T + params["bv"], heads)
    found, _ = attention(q, k, v, real[:, None, None])
    out = join_heads(found) @ params["Wo"].T + params["bo"]
    return out * real.any(1)[:, None, None]


# %% wrong: no_output — W^O is left out
# fails: it_is_the_librarys_attention_to_a_memory
import torch

from unrolled.attention import attention
from unrolled.experiments.transformer.parts import join_heads, split_heads


def cross_attention(y, memory, params, heads, real):
    q = split_heads(y @ params["Wq"].T + params["bq"], heads)
    k = split_heads(memory @ params["Wk"].T + params["bk"], heads)
    v = split_heads(memory @ params["Wv"].T + params["bv"], heads)
    found, _ = attention(q, k, v, real[:, None, None])
    return join_heads(found)[..., : y.shape[-1]] + params["bo"]


# %% wrong: with_a_way_past — y is added here
# fails: two_words_of_a_memory_by_hand, it_is_the_librarys_attention_to_a_memory
import torch

from unrolled.attention import attention
from unrolled.experiments.transformer.parts import join_heads, split_heads


def cross_attention(y, memory, params, heads, real):
    q = split_heads(y @ params["Wq"].T + params["bq"], heads)
    k = split_heads(memory @ params["Wk"].T + params["bk"], heads)
    v = split_heads(memory @ params["Wv"].T + params["bv"], heads)
    found, _ = attention(q, k, v, real[:, None, None])
    return y + join_heads(found) @ params["Wo"].T + params["bo"]


# %% wrong: heads_by_reshape — Split without a change of axes
# fails: it_is_the_librarys_attention_to_a_memory
import torch

from unrolled.attention import attention
from unrolled.experiments.transformer.parts import join_heads, split_heads


def split(x, heads):
    B, N, E = x.shape
    return x.reshape(B, heads, N, E // heads)


def cross_attention(y, memory, params, heads, real):
    q = split(y @ params["Wq"].T + params["bq"], heads)
    k = split(memory @ params["Wk"].T + params["bk"], heads)
    v = split(memory @ params["Wv"].T + params["bv"], heads)
    found, _ = attention(q, k, v, real[:, None, None])
    return join_heads(found) @ params["Wo"].T + params["bo"]


# %% wrong: joined_by_reshape — Joined without a change of axes
# fails: it_is_the_librarys_attention_to_a_memory
import torch

from unrolled.attention import attention
from unrolled.experiments.transformer.parts import join_heads, split_heads


def cross_attention(y, memory, params, heads, real):
    q = split_heads(y @ params["Wq"].T + params["bq"], heads)
    k = split_heads(memory @ params["Wk"].T + params["bk"], heads)
    v = split_heads(memory @ params["Wv"].T + params["bv"], heads)
    found, _ = attention(q, k, v, real[:, None, None])
    return found.reshape(*y.shape[:2], -1) @ params["Wo"].T + params["bo"]


# %% wrong: one_head — All heads as one
# fails: it_is_the_librarys_attention_to_a_memory
import torch

from unrolled.attention import attention
from unrolled.experiments.transformer.parts import join_heads, split_heads


def cross_attention(y, memory, params, heads, real):
    q = split_heads(y @ params["Wq"].T + params["bq"], 1)
    k = split_heads(memory @ params["Wk"].T + params["bk"], 1)
    v = split_heads(memory @ params["Wv"].T + params["bv"], 1)
    found, _ = attention(q, k, v, real[:, None, None])
    return join_heads(found) @ params["Wo"].T + params["bo"]


# %% wrong: first_memory_for_all — Each text asks the first one's memory
# fails: it_is_the_librarys_attention_to_a_memory, each_word_asks_by_itself
import torch

from unrolled.attention import attention
from unrolled.experiments.transformer.parts import join_heads, split_heads


def cross_attention(y, memory, params, heads, real):
    memory = memory[:1].expand_as(memory)
    q = split_heads(y @ params["Wq"].T + params["bq"], heads)
    k = split_heads(memory @ params["Wk"].T + params["bk"], heads)
    v = split_heads(memory @ params["Wv"].T + params["bv"], heads)
    found, _ = attention(q, k, v, real[:, None, None])
    return join_heads(found) @ params["Wo"].T + params["bo"]


# %% wrong: queries_detached — y learns nothing
# fails: both_texts_and_the_eight_are_taught
import torch

from unrolled.attention import attention
from unrolled.experiments.transformer.parts import join_heads, split_heads


def cross_attention(y, memory, params, heads, real):
    q = split_heads(y.detach() @ params["Wq"].T + params["bq"], heads)
    k = split_heads(memory.detach() @ params["Wk"].T + params["bk"], heads)
    v = split_heads(memory.detach() @ params["Wv"].T + params["bv"], heads)
    found, _ = attention(q, k, v, real[:, None, None])
    return join_heads(found) @ params["Wo"].T + params["bo"]


# %% wrong: memory_detached — The encoder learns nothing
# fails: both_texts_and_the_eight_are_taught
import torch

from unrolled.attention import attention
from unrolled.experiments.transformer.parts import join_heads, split_heads


def cross_attention(y, memory, params, heads, real):
    memory = memory.detach()
    q = split_heads(y @ params["Wq"].T + params["bq"], heads)
    k = split_heads(memory @ params["Wk"].T + params["bk"], heads)
    v = split_heads(memory @ params["Wv"].T + params["bv"], heads)
    found, _ = attention(q, k, v, real[:, None, None])
    return join_heads(found) @ params["Wo"].T + params["bo"]


# %% wrong: librarys_layer — torch's own
# fails: two_words_of_a_memory_by_hand
import torch


def cross_attention(y, memory, params, heads, real):
    layer = torch.nn.MultiheadAttention(y.shape[-1], heads, batch_first=True, dtype=y.dtype)
    return layer(y, memory, memory, key_padding_mask=~real)[0]


# %% right: one_text_of_both — Self-attention of both texts behind each other, in which nobody sees the first
import torch

from unrolled.experiments.transformer.parts import self_attention


def cross_attention(y, memory, params, heads, real):
    both = torch.cat([y, memory], 1)
    seen = torch.cat([torch.zeros(y.shape[:2], dtype=torch.bool), real], 1)
    return self_attention(both, params, heads, seen[:, None, None])[:, : y.shape[1]]


# %% wrong: one_mask_if_equally_long — Texts with as many words are given one mask
# fails: each_word_asks_by_itself
import torch

from unrolled.attention import attention
from unrolled.experiments.transformer.parts import join_heads, split_heads


def cross_attention(y, memory, params, heads, real):
    if len(real.sum(1).unique()) == 1:
        real = real[0].repeat(len(real), 1)
    q = split_heads(y @ params["Wq"].T + params["bq"], heads)
    k, v = (split_heads(memory @ params["W" + r].T + params["b" + r], heads) for r in "kv")
    found, _ = attention(q, k, v, real[:, None, None])
    return join_heads(found) @ params["Wo"].T + params["bo"]


# %% wrong: pads_at_minus_ten_thousand — A pad's score is low, and another's may be lower
# fails: empty_memories_spoil_nothing
import torch

from unrolled.attention import attention
from unrolled.experiments.transformer.parts import join_heads, split_heads


def cross_attention(y, memory, params, heads, real):
    q = split_heads(y @ params["Wq"].T + params["bq"], heads)
    k, v = (split_heads(memory @ params["W" + r].T + params["b" + r], heads) for r in "kv")
    scores = torch.where(real[:, None, None], q @ k.mT / q.shape[-1] ** 0.5, -10000.0)
    weights = scores.softmax(-1) * real.any(1)[:, None, None, None]
    return join_heads(weights @ v) @ params["Wo"].T + params["bo"]
