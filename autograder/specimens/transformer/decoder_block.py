# Answers to 7.5, a decoder's block. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: written_out — One function for both attentions, with a softmax of its own
import torch
import torch.nn.functional as F


def decoder_block(y, memory, params, heads, real):
    (B, M, D), N = y.shape, memory.shape[1]

    def normed(x, name):
        return F.layer_norm(x, (D,), params[name]["gamma"], params[name]["beta"], 1e-5)

    def looks(x, at, own, seen):
        q, k, v = (
            F.linear(z, own["W" + r], own["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2)
            for z, r in ((x, "q"), (at, "k"), (at, "v"))
        )
        scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(x.dtype).min)
        return F.linear(((scores.softmax(-1) * seen) @ v).transpose(1, 2).flatten(2), own["Wo"], own["bo"])

    x = normed(y, "norm1")
    y = y + looks(x, x, params["attention"], torch.ones(M, M).tril().bool())
    y = y + looks(normed(y, "norm2"), memory, params["cross"], real.reshape(B, 1, 1, N))
    own = params["forward"]
    return y + F.linear(F.linear(normed(y, "norm3"), own["W1"], own["b1"]).relu(), own["W2"], own["b2"])


# %% right: three_in_a_loop — Three layers, three norms
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    M = y.shape[1]
    layers = [
        lambda x: self_attention(x, params["attention"], heads, torch.arange(M) <= torch.arange(M)[:, None]),
        lambda x: cross(x, memory, params["cross"], heads, real),
        lambda x: work(x, params["forward"]),
    ]
    for n, layer in enumerate(layers, 1):
        y = torch.add(y, layer(norm_of(y, params[f"norm{n}"])))
    return y


# %% right: a_mask_for_each_text — The causal mask as large as the weights
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    (B, M, _), own = y.shape, params
    seen = torch.tril(torch.ones(B, heads, M, M)) > 0
    one = self_attention(norm_of(y, own["norm1"]), own["attention"], heads, seen) + y
    two = cross(norm_of(one, own["norm2"]), memory, own["cross"], heads, real) + one
    return work(norm_of(two, own["norm3"]), own["forward"]) + two


# %% wrong: not_masked — All words of its own text are seen
# fails: it_is_the_librarys_decoder, words_to_come_change_nothing
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    seen = causal_mask(y.shape[1])
    y = y + self_attention(norm_of(y, params["norm1"]), params["attention"], heads)
    y = y + cross(norm_of(y, params["norm2"]), memory, params["cross"], heads, real)
    return y + work(norm_of(y, params["norm3"]), params["forward"])


# %% wrong: mask_off_by_one — The next word is seen, too
# fails: it_is_the_librarys_decoder, words_to_come_change_nothing
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    seen = torch.ones(y.shape[1], y.shape[1], dtype=torch.bool).tril(1)
    y = y + self_attention(norm_of(y, params["norm1"]), params["attention"], heads, seen)
    y = y + cross(norm_of(y, params["norm2"]), memory, params["cross"], heads, real)
    return y + work(norm_of(y, params["norm3"]), params["forward"])


# %% wrong: mask_without_itself — A word does not see itself
# fails: it_is_the_librarys_decoder
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    seen = torch.ones(y.shape[1], y.shape[1], dtype=torch.bool).tril(-1)
    y = y + self_attention(norm_of(y, params["norm1"]), params["attention"], heads, seen)
    y = y + cross(norm_of(y, params["norm2"]), memory, params["cross"], heads, real)
    return y + work(norm_of(y, params["norm3"]), params["forward"])


# %% wrong: mask_transposed — The future alone
# fails: it_is_the_librarys_decoder, words_to_come_change_nothing
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    seen = causal_mask(y.shape[1]).mT
    y = y + self_attention(norm_of(y, params["norm1"]), params["attention"], heads, seen)
    y = y + cross(norm_of(y, params["norm2"]), memory, params["cross"], heads, real)
    return y + work(norm_of(y, params["norm3"]), params["forward"])


# %% wrong: memory_masked_causally — Cross-attention with the causal mask, too
# fails: it_is_the_librarys_decoder, all_of_the_memory_is_seen_but_its_pads
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None] & torch.ones(y.shape[1], m.shape[1], dtype=torch.bool).tril(),
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    seen = causal_mask(y.shape[1])
    y = y + self_attention(norm_of(y, params["norm1"]), params["attention"], heads, seen)
    y = y + cross(norm_of(y, params["norm2"]), memory, params["cross"], heads, real)
    return y + work(norm_of(y, params["norm3"]), params["forward"])


# %% wrong: memory_unmasked — Pads of the memory are seen
# fails: it_is_the_librarys_decoder, all_of_the_memory_is_seen_but_its_pads
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    seen = causal_mask(y.shape[1])
    y = y + self_attention(norm_of(y, params["norm1"]), params["attention"], heads, seen)
    y = y + cross(norm_of(y, params["norm2"]), memory, params["cross"], heads, real)
    return y + work(norm_of(y, params["norm3"]), params["forward"])


# %% wrong: pads_in_the_wrong_place — The memory's mask for the words, none for the memory
# fails: it_is_the_librarys_decoder
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    seen = causal_mask(y.shape[1])
    seen = seen & real[:, None, None] if real.shape[1] == y.shape[1] else seen
    y = y + self_attention(norm_of(y, params["norm1"]), params["attention"], heads, seen)
    y = y + cross(norm_of(y, params["norm2"]), memory, params["cross"], heads, real)
    return y + work(norm_of(y, params["norm3"]), params["forward"])


# %% wrong: cross_first — Cross-attention before self-attention
# fails: two_words_through_a_decoder_by_hand, it_is_the_librarys_decoder
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    seen = causal_mask(y.shape[1])
    y = y + cross(norm_of(y, params["norm2"]), memory, params["cross"], heads, real)
    y = y + self_attention(norm_of(y, params["norm1"]), params["attention"], heads, seen)
    return y + work(norm_of(y, params["norm3"]), params["forward"])


# %% wrong: feed_forward_between — Feed-forward between the two attentions
# fails: it_is_the_librarys_decoder
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    seen = causal_mask(y.shape[1])
    y = y + self_attention(norm_of(y, params["norm1"]), params["attention"], heads, seen)
    y = y + work(norm_of(y, params["norm3"]), params["forward"])
    return y + cross(norm_of(y, params["norm2"]), memory, params["cross"], heads, real)


# %% wrong: no_cross_attention — A language model's block
# fails: it_is_the_librarys_decoder, all_of_the_memory_is_seen_but_its_pads
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    seen = causal_mask(y.shape[1])
    y = y + self_attention(norm_of(y, params["norm1"]), params["attention"], heads, seen)
    return y + work(norm_of(y, params["norm3"]), params["forward"])


# %% wrong: self_attention_twice — Cross-attention that asks its own text
# fails: it_is_the_librarys_decoder, all_of_the_memory_is_seen_but_its_pads
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    seen = causal_mask(y.shape[1])
    y = y + self_attention(norm_of(y, params["norm1"]), params["attention"], heads, seen)
    y = y + self_attention(norm_of(y, params["norm2"]), params["cross"], heads, seen)
    return y + work(norm_of(y, params["norm3"]), params["forward"])


# %% wrong: no_self_attention — The words do not see each other
# fails: it_is_the_librarys_decoder
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    seen = causal_mask(y.shape[1])
    y = y + cross(norm_of(y, params["norm2"]), memory, params["cross"], heads, real)
    return y + work(norm_of(y, params["norm3"]), params["forward"])


# %% wrong: no_way_past_cross — What was found in the place of the words
# fails: it_is_the_librarys_decoder
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    seen = causal_mask(y.shape[1])
    y = y + self_attention(norm_of(y, params["norm1"]), params["attention"], heads, seen)
    y = cross(norm_of(y, params["norm2"]), memory, params["cross"], heads, real)
    return y + work(norm_of(y, params["norm3"]), params["forward"])


# %% wrong: no_way_past_self — The same for the first part
# fails: it_is_the_librarys_decoder
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    seen = causal_mask(y.shape[1])
    y = self_attention(norm_of(y, params["norm1"]), params["attention"], heads, seen)
    y = y + cross(norm_of(y, params["norm2"]), memory, params["cross"], heads, real)
    return y + work(norm_of(y, params["norm3"]), params["forward"])


# %% wrong: no_way_past_forward — The same for the last part
# fails: it_is_the_librarys_decoder
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    seen = causal_mask(y.shape[1])
    y = y + self_attention(norm_of(y, params["norm1"]), params["attention"], heads, seen)
    y = y + cross(norm_of(y, params["norm2"]), memory, params["cross"], heads, real)
    return work(norm_of(y, params["norm3"]), params["forward"])


# %% wrong: side_by_side — All three read the words as they came
# fails: it_is_the_librarys_decoder
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    x = y
    seen = causal_mask(y.shape[1])
    y = y + self_attention(norm_of(y, params["norm1"]), params["attention"], heads, seen)
    return (
        y
        + cross(norm_of(x, params["norm2"]), memory, params["cross"], heads, real)
        + work(norm_of(x, params["norm3"]), params["forward"])
    )


# %% wrong: post_norm — The norms behind the sums
# fails: it_is_the_librarys_decoder
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    seen = causal_mask(y.shape[1])
    y = norm_of(y + self_attention(y, params["attention"], heads, seen), params["norm1"])
    y = norm_of(y + cross(y, memory, params["cross"], heads, real), params["norm2"])
    return norm_of(y + work(y, params["forward"]), params["norm3"])


# %% wrong: memory_normed — The memory goes through the second norm, too
# fails: two_words_through_a_decoder_by_hand, it_is_the_librarys_decoder
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    seen = causal_mask(y.shape[1])
    y = y + self_attention(norm_of(y, params["norm1"]), params["attention"], heads, seen)
    y = y + cross(norm_of(y, params["norm2"]), norm_of(memory, params["norm2"]), params["cross"], heads, real)
    return y + work(norm_of(y, params["norm3"]), params["forward"])


# %% wrong: names_handed_on — Fails if there are other names in a norm's dictionary
# fails: all_of_the_memory_is_seen_but_its_pads, other_decoders
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

normed = lambda x, gamma, beta: F.layer_norm(x, x.shape[-1:], gamma, beta, 1e-5)
norm_of = lambda x, own: normed(x, **own)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    seen = causal_mask(y.shape[1])
    y = y + self_attention(norm_of(y, params["norm1"]), params["attention"], heads, seen)
    y = y + cross(norm_of(y, params["norm2"]), memory, params["cross"], heads, real)
    return y + work(norm_of(y, params["norm3"]), params["forward"])


# %% wrong: cross_not_normed — Cross-attention reads y as it is
# fails: it_is_the_librarys_decoder
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    seen = causal_mask(y.shape[1])
    y = y + self_attention(norm_of(y, params["norm1"]), params["attention"], heads, seen)
    y = y + cross(y, memory, params["cross"], heads, real)
    return y + work(norm_of(y, params["norm3"]), params["forward"])


# %% wrong: norms_exchanged — The second and the third norm exchanged
# fails: it_is_the_librarys_decoder
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    seen = causal_mask(y.shape[1])
    y = y + self_attention(norm_of(y, params["norm1"]), params["attention"], heads, seen)
    y = y + cross(norm_of(y, params["norm3"]), memory, params["cross"], heads, real)
    return y + work(norm_of(y, params["norm2"]), params["forward"])


# %% wrong: one_attention_for_both — Cross-attention with the numbers of self-attention
# fails: it_is_the_librarys_decoder
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    seen = causal_mask(y.shape[1])
    y = y + self_attention(norm_of(y, params["norm1"]), params["attention"], heads, seen)
    y = y + cross(norm_of(y, params["norm2"]), memory, params["attention"], heads, real)
    return y + work(norm_of(y, params["norm3"]), params["forward"])


# %% wrong: attentions_exchanged — Each with the other's numbers
# fails: it_is_the_librarys_decoder
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    seen = causal_mask(y.shape[1])
    y = y + self_attention(norm_of(y, params["norm1"]), params["cross"], heads, seen)
    y = y + cross(norm_of(y, params["norm2"]), memory, params["attention"], heads, real)
    return y + work(norm_of(y, params["norm3"]), params["forward"])


# %% wrong: values_of_the_text — Keys of the memory, values of the text, where they are as many
# fails: it_is_the_librarys_decoder
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(
                split_heads((y if r == "v" and y.shape == m.shape else m) @ own["W" + r].T + own["b" + r], heads)
                for r in "kv"
            ),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    seen = causal_mask(y.shape[1])
    y = y + self_attention(norm_of(y, params["norm1"]), params["attention"], heads, seen)
    y = y + cross(norm_of(y, params["norm2"]), memory, params["cross"], heads, real)
    return y + work(norm_of(y, params["norm3"]), params["forward"])


# %% wrong: memory_detached — The encoder learns nothing
# fails: all_of_the_decoder_is_taught
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


def decoder_block(y, memory, params, heads, real):
    seen = causal_mask(y.shape[1])
    y = y + self_attention(norm_of(y, params["norm1"]), params["attention"], heads, seen)
    y = y + cross(norm_of(y, params["norm2"]), memory.detach(), params["cross"], heads, real)
    return y + work(norm_of(y, params["norm3"]), params["forward"])


# %% wrong: librarys_block — torch's own
# fails: it_is_the_librarys_decoder
import torch


def decoder_block(y, memory, params, heads, real):
    inner = len(params["forward"]["b1"])
    layer = torch.nn.TransformerDecoderLayer(y.shape[-1], heads, inner, 0.0, norm_first=True, batch_first=True)
    return layer.to(y.dtype)(y, memory, memory_key_padding_mask=~real)


# %% wrong: mask_of_a_length — One mask for all texts, which a long one outgrows
# fails: other_decoders
import torch
import torch.nn.functional as F
from unrolled.attention import attention, causal_mask
from unrolled.experiments.transformer.parts import join_heads, self_attention, split_heads

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]
cross = lambda y, m, own, heads, real: (
    join_heads(
        attention(
            split_heads(y @ own["Wq"].T + own["bq"], heads),
            *(split_heads(m @ own["W" + r].T + own["b" + r], heads) for r in "kv"),
            real[:, None, None],
        )[0]
    )
    @ own["Wo"].T
    + own["bo"]
)


seen_before = causal_mask(32)


def decoder_block(y, memory, params, heads, real):
    seen = seen_before[: y.shape[1], : y.shape[1]]
    y = y + self_attention(norm_of(y, params["norm1"]), params["attention"], heads, seen)
    y = y + cross(norm_of(y, params["norm2"]), memory, params["cross"], heads, real)
    return y + work(norm_of(y, params["norm3"]), params["forward"])
