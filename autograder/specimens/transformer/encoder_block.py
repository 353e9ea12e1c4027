# Answers to 7.3, an encoder's block. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: one_loop — Both layers in one loop
import torch
import torch.nn.functional as F

from unrolled.experiments.transformer.parts import self_attention


def norm_of(x, own):
    return F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)


def work(x, own):
    return F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    layers = (
        lambda z: self_attention(z, params["attention"], heads, mask),
        lambda z: work(z, params["forward"]),
    )
    for layer, name in zip(layers, ("norm1", "norm2")):
        before = norm_of(x, params[name]) if norm == "pre" else x
        x = x + layer(before)
        if norm == "post":
            x = norm_of(x, params[name])
    return x


# %% right: attention_written_out — Attention head by head
import torch
import torch.nn.functional as F

from unrolled.attention import attention


def encoder_block(x, params, heads, mask, norm):
    def normed(z, name):
        z = z - z.mean(-1, keepdim=True)
        z = z / (z.square().mean(-1, keepdim=True) + 1e-5).sqrt()
        return params[name]["gamma"] * z + params[name]["beta"]

    def looks(z):
        own, (B, N, _) = params["attention"], z.shape
        K = own["Wq"].shape[0] // heads
        q, k, v = ((z @ own[f"W{r}"].T + own[f"b{r}"]).view(B, N, heads, K).transpose(1, 2) for r in "qkv")
        found, _ = attention(q, k, v, mask)
        return found.transpose(1, 2).reshape(B, N, heads * K) @ own["Wo"].T + own["bo"]

    def works(z):
        own = params["forward"]
        return torch.clamp_min(F.linear(z, own["W1"], own["b1"]), 0) @ own["W2"].T + own["b2"]

    post = norm == "post"
    x = normed(x + looks(x), "norm1") if post else x + looks(normed(x, "norm1"))
    return normed(x + works(x), "norm2") if post else x + works(normed(x, "norm2"))


# %% right: mask_made_large — The mask is made as large as the weights
import torch
import torch.nn.functional as F

from unrolled.experiments.transformer.parts import self_attention


def norm_of(x, own):
    return F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)


def work(x, own):
    return F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    B, N, D = x.shape
    if mask is not None:
        mask = torch.broadcast_to(mask, (B, heads, N, N))
    if norm == "post":
        y = norm_of(self_attention(x, params["attention"], heads, mask) + x, params["norm1"])
        return norm_of(work(y, params["forward"]) + y, params["norm2"])
    residue = x
    y = self_attention(norm_of(x, params["norm1"]), params["attention"], heads, mask).add(residue)
    residue = y
    return work(norm_of(y, params["norm2"]), params["forward"]).add(residue)


# %% right: one_sum_at_the_end — Pre-norm as one sum of three
import torch
import torch.nn.functional as F

from unrolled.experiments.transformer.parts import self_attention


def norm_of(x, own):
    return F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)


def work(x, own):
    return F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    if norm == "pre":
        found = self_attention(norm_of(x, params["norm1"]), params["attention"], heads, mask)
        made = work(norm_of(x + found, params["norm2"]), params["forward"])
        return torch.stack([x, found, made]).sum(0)
    middle = norm_of(torch.add(x, self_attention(x, params["attention"], heads, mask)), params["norm1"])
    return norm_of(torch.add(middle, work(middle, params["forward"])), params["norm2"])


# %% wrong: no_way_past — Both layers in the place of what was there
# fails: two_words_through_a_block_by_hand, it_is_the_librarys_block
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one, two = params["norm1"], params["norm2"]
    if norm == "pre":
        x = self_attention(norm_of(x, one), params["attention"], heads, mask)
        x = work(norm_of(x, two), params["forward"])
        return x
    x = norm_of(self_attention(x, params["attention"], heads, mask), one)
    x = norm_of(work(x, params["forward"]), two)
    return x


# %% wrong: no_way_past_attention — Attention in the place of the words
# fails: two_words_through_a_block_by_hand, it_is_the_librarys_block
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one, two = params["norm1"], params["norm2"]
    if norm == "pre":
        x = self_attention(norm_of(x, one), params["attention"], heads, mask)
        x = x + work(norm_of(x, two), params["forward"])
        return x
    x = norm_of(self_attention(x, params["attention"], heads, mask), one)
    x = norm_of(x + work(x, params["forward"]), two)
    return x


# %% wrong: no_way_past_the_feed_forward — The second sum is missing
# fails: two_words_through_a_block_by_hand, it_is_the_librarys_block
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one, two = params["norm1"], params["norm2"]
    if norm == "pre":
        x = x + self_attention(norm_of(x, one), params["attention"], heads, mask)
        x = work(norm_of(x, two), params["forward"])
        return x
    x = norm_of(x + self_attention(x, params["attention"], heads, mask), one)
    x = norm_of(work(x, params["forward"]), two)
    return x


# %% wrong: always_post — Post-norm, whatever is asked for
# fails: two_words_through_a_block_by_hand, it_is_the_librarys_block
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one, two = params["norm1"], params["norm2"]
    if False:
        x = x + self_attention(norm_of(x, one), params["attention"], heads, mask)
        x = x + work(norm_of(x, two), params["forward"])
        return x
    x = norm_of(x + self_attention(x, params["attention"], heads, mask), one)
    x = norm_of(x + work(x, params["forward"]), two)
    return x


# %% wrong: always_pre — Pre-norm, whatever is asked for
# fails: two_words_through_a_block_by_hand, it_is_the_librarys_block
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one, two = params["norm1"], params["norm2"]
    if True:
        x = x + self_attention(norm_of(x, one), params["attention"], heads, mask)
        x = x + work(norm_of(x, two), params["forward"])
        return x
    x = norm_of(x + self_attention(x, params["attention"], heads, mask), one)
    x = norm_of(x + work(x, params["forward"]), two)
    return x


# %% wrong: exchanged — Before for after
# fails: two_words_through_a_block_by_hand, it_is_the_librarys_block
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one, two = params["norm1"], params["norm2"]
    if norm == "post":
        x = x + self_attention(norm_of(x, one), params["attention"], heads, mask)
        x = x + work(norm_of(x, two), params["forward"])
        return x
    x = norm_of(x + self_attention(x, params["attention"], heads, mask), one)
    x = norm_of(x + work(x, params["forward"]), two)
    return x


# %% wrong: pre_with_a_normed_way_past — Pre-norm, whose way past leads through the norm
# fails: two_words_through_a_block_by_hand, it_is_the_librarys_block
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one, two = params["norm1"], params["norm2"]
    if norm == "pre":
        x = norm_of(x, one)
        x = x + self_attention(x, params["attention"], heads, mask)
        x = norm_of(x, two)
        x = x + work(x, params["forward"])
        return x
    x = norm_of(x + self_attention(x, params["attention"], heads, mask), one)
    x = norm_of(x + work(x, params["forward"]), two)
    return x


# %% wrong: pre_normed_after_the_layer — norm(f(x)) for f(norm(x))
# fails: two_words_through_a_block_by_hand, it_is_the_librarys_block
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one, two = params["norm1"], params["norm2"]
    if norm == "pre":
        x = x + norm_of(self_attention(x, params["attention"], heads, mask), one)
        x = x + norm_of(work(x, params["forward"]), two)
        return x
    x = norm_of(x + self_attention(x, params["attention"], heads, mask), one)
    x = norm_of(x + work(x, params["forward"]), two)
    return x


# %% wrong: pre_with_a_last_norm — A norm behind the block
# fails: two_words_through_a_block_by_hand, it_is_the_librarys_block
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one, two = params["norm1"], params["norm2"]
    if norm == "pre":
        x = x + self_attention(norm_of(x, one), params["attention"], heads, mask)
        x = x + work(norm_of(x, two), params["forward"])
        return norm_of(x, two)
    x = norm_of(x + self_attention(x, params["attention"], heads, mask), one)
    x = norm_of(x + work(x, params["forward"]), two)
    return x


# %% wrong: post_reads_normed — Post-norm that norms what attention reads, too
# fails: it_is_the_librarys_block
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one, two = params["norm1"], params["norm2"]
    if norm == "pre":
        x = x + self_attention(norm_of(x, one), params["attention"], heads, mask)
        x = x + work(norm_of(x, two), params["forward"])
        return x
    x = norm_of(x + self_attention(norm_of(x, one), params["attention"], heads, mask), one)
    x = norm_of(x + work(x, params["forward"]), two)
    return x


# %% wrong: post_normed_inside_the_sum — x + norm(f(x)) as post-norm
# fails: two_words_through_a_block_by_hand, it_is_the_librarys_block
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one, two = params["norm1"], params["norm2"]
    if norm == "pre":
        x = x + self_attention(norm_of(x, one), params["attention"], heads, mask)
        x = x + work(norm_of(x, two), params["forward"])
        return x
    x = x + norm_of(self_attention(x, params["attention"], heads, mask), one)
    x = x + norm_of(work(x, params["forward"]), two)
    return x


# %% wrong: one_norm_for_both — The first norm twice
# fails: it_is_the_librarys_block
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one = two = params["norm1"]
    if norm == "pre":
        x = x + self_attention(norm_of(x, one), params["attention"], heads, mask)
        x = x + work(norm_of(x, two), params["forward"])
        return x
    x = norm_of(x + self_attention(x, params["attention"], heads, mask), one)
    x = norm_of(x + work(x, params["forward"]), two)
    return x


# %% wrong: norms_exchanged — The second norm first
# fails: it_is_the_librarys_block
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    two, one = params["norm1"], params["norm2"]
    if norm == "pre":
        x = x + self_attention(norm_of(x, one), params["attention"], heads, mask)
        x = x + work(norm_of(x, two), params["forward"])
        return x
    x = norm_of(x + self_attention(x, params["attention"], heads, mask), one)
    x = norm_of(x + work(x, params["forward"]), two)
    return x


# %% wrong: feed_forward_first — The layers in the other order
# fails: it_is_the_librarys_block
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one, two = params["norm1"], params["norm2"]
    if norm == "pre":
        x = x + work(norm_of(x, two), params["forward"])
        x = x + self_attention(norm_of(x, one), params["attention"], heads, mask)
        return x
    x = norm_of(x + self_attention(x, params["attention"], heads, mask), one)
    x = norm_of(x + work(x, params["forward"]), two)
    return x


# %% wrong: side_by_side — Both layers read the same words
# fails: it_is_the_librarys_block
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one, two = params["norm1"], params["norm2"]
    before = x
    if norm == "pre":
        x = x + self_attention(norm_of(x, one), params["attention"], heads, mask)
        x = x + work(norm_of(before, two), params["forward"])
        return x
    x = norm_of(x + self_attention(x, params["attention"], heads, mask), one)
    x = norm_of(x + work(x, params["forward"]), two)
    return x


# %% wrong: mask_forgotten — Everybody sees everything
# fails: words_see_what_the_mask_allows
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one, two = params["norm1"], params["norm2"]
    if norm == "pre":
        x = x + self_attention(norm_of(x, one), params["attention"], heads, None)
        x = x + work(norm_of(x, two), params["forward"])
        return x
    x = norm_of(x + self_attention(x, params["attention"], heads, None), one)
    x = norm_of(x + work(x, params["forward"]), two)
    return x


# %% wrong: mask_inverted — Looks where it may not
# fails: words_see_what_the_mask_allows
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    mask = None if mask is None else ~mask
    one, two = params["norm1"], params["norm2"]
    if norm == "pre":
        x = x + self_attention(norm_of(x, one), params["attention"], heads, mask)
        x = x + work(norm_of(x, two), params["forward"])
        return x
    x = norm_of(x + self_attention(x, params["attention"], heads, mask), one)
    x = norm_of(x + work(x, params["forward"]), two)
    return x


# %% wrong: mask_forgotten_in_post — The mask in one of two cases
# fails: words_see_what_the_mask_allows
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one, two = params["norm1"], params["norm2"]
    if norm == "pre":
        x = x + self_attention(norm_of(x, one), params["attention"], heads, mask)
        x = x + work(norm_of(x, two), params["forward"])
        return x
    x = norm_of(x + self_attention(x, params["attention"], heads, None), one)
    x = norm_of(x + work(x, params["forward"]), two)
    return x


# %% wrong: always_causal — A causal mask, whatever is given
# fails: it_is_the_librarys_block
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    mask = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()
    one, two = params["norm1"], params["norm2"]
    if norm == "pre":
        x = x + self_attention(norm_of(x, one), params["attention"], heads, mask)
        x = x + work(norm_of(x, two), params["forward"])
        return x
    x = norm_of(x + self_attention(x, params["attention"], heads, mask), one)
    x = norm_of(x + work(x, params["forward"]), two)
    return x


# %% wrong: one_head — All heads as one
# fails: it_is_the_librarys_block
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one, two = params["norm1"], params["norm2"]
    if norm == "pre":
        x = x + self_attention(norm_of(x, one), params["attention"], 1, mask)
        x = x + work(norm_of(x, two), params["forward"])
        return x
    x = norm_of(x + self_attention(x, params["attention"], 1, mask), one)
    x = norm_of(x + work(x, params["forward"]), two)
    return x


# %% wrong: another_epsilon — ε of 10⁻³
# fails: it_is_the_librarys_block
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-3)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one, two = params["norm1"], params["norm2"]
    if norm == "pre":
        x = x + self_attention(norm_of(x, one), params["attention"], heads, mask)
        x = x + work(norm_of(x, two), params["forward"])
        return x
    x = norm_of(x + self_attention(x, params["attention"], heads, mask), one)
    x = norm_of(x + work(x, params["forward"]), two)
    return x


# %% wrong: norm_over_the_words — The mean over the words of a text
# fails: two_words_through_a_block_by_hand, it_is_the_librarys_block, other_words_come_in_by_attention_alone
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x.mT, x.shape[1:2], eps=1e-5).mT * own["gamma"] + own["beta"]
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one, two = params["norm1"], params["norm2"]
    if norm == "pre":
        x = x + self_attention(norm_of(x, one), params["attention"], heads, mask)
        x = x + work(norm_of(x, two), params["forward"])
        return x
    x = norm_of(x + self_attention(x, params["attention"], heads, mask), one)
    x = norm_of(x + work(x, params["forward"]), two)
    return x


# %% wrong: no_bend — A feed-forward layer without max(0, ·)
# fails: two_words_through_a_block_by_hand, it_is_the_librarys_block
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: (x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one, two = params["norm1"], params["norm2"]
    if norm == "pre":
        x = x + self_attention(norm_of(x, one), params["attention"], heads, mask)
        x = x + work(norm_of(x, two), params["forward"])
        return x
    x = norm_of(x + self_attention(x, params["attention"], heads, mask), one)
    x = norm_of(x + work(x, params["forward"]), two)
    return x


# %% wrong: way_past_detached — The sum is there, its gradient is not
# fails: all_sixteen_parameters_are_taught
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one, two = params["norm1"], params["norm2"]
    if norm == "pre":
        x = x.detach() + self_attention(norm_of(x, one), params["attention"], heads, mask)
        x = x + work(norm_of(x, two), params["forward"])
        return x
    x = norm_of(x.detach() + self_attention(x, params["attention"], heads, mask), one)
    x = norm_of(x + work(x, params["forward"]), two)
    return x


# %% wrong: written_to — x is written to
# fails: it_is_the_librarys_block
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one, two = params["norm1"], params["norm2"]
    if norm == "pre":
        x += self_attention(norm_of(x, one), params["attention"], heads, mask)
        x = x + work(norm_of(x, two), params["forward"])
        return x
    x = norm_of(x + self_attention(x, params["attention"], heads, mask), one)
    x = norm_of(x + work(x, params["forward"]), two)
    return x


# %% wrong: names_handed_on — Fails if there are other names in a norm's dictionary
# fails: words_see_what_the_mask_allows, other_blocks
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

normed = lambda x, gamma, beta: F.layer_norm(x, x.shape[-1:], gamma, beta, 1e-5)
norm_of = lambda x, own: normed(x, **own)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one, two = params["norm1"], params["norm2"]
    if norm == "pre":
        x = x + self_attention(norm_of(x, one), params["attention"], heads, mask)
        x = x + work(norm_of(x, two), params["forward"])
        return x
    x = norm_of(x + self_attention(x, params["attention"], heads, mask), one)
    x = norm_of(x + work(x, params["forward"]), two)
    return x


# %% wrong: librarys_block — torch's own
# fails: it_is_the_librarys_block
import torch


def encoder_block(x, params, heads, mask, norm):
    D, own = x.shape[-1], params["attention"]
    layer = torch.nn.TransformerEncoderLayer(
        D, heads, len(params["forward"]["b1"]), 0.0, norm_first=norm == "pre", batch_first=True, dtype=x.dtype
    )
    return layer(x)


# %% wrong: two_axes_are_pads — A mask of two axes is taken for one of pads
# fails: words_see_what_the_mask_allows
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one, two = params["norm1"], params["norm2"]
    B, N, _ = x.shape
    if mask is not None and tuple(mask.shape) == (B, N):
        mask = mask.reshape(B, 1, 1, N)
    if norm == "pre":
        x = x + self_attention(norm_of(x, one), params["attention"], heads, mask)
        return x + work(norm_of(x, two), params["forward"])
    x = norm_of(x + self_attention(x, params["attention"], heads, mask), one)
    return norm_of(x + work(x, params["forward"]), two)


# %% wrong: two_axes_at_least — A mask of one axis finds no place
# fails: words_see_what_the_mask_allows
import torch
import torch.nn.functional as F
from unrolled.experiments.transformer.parts import self_attention

norm_of = lambda x, own: F.layer_norm(x, x.shape[-1:], own["gamma"], own["beta"], 1e-5)
work = lambda x, own: F.relu(x @ own["W1"].T + own["b1"]) @ own["W2"].T + own["b2"]


def encoder_block(x, params, heads, mask, norm):
    one, two = params["norm1"], params["norm2"]
    if mask is not None and mask.shape[-2] == 1:
        mask = mask.expand(*mask.shape[:-2], x.shape[1], x.shape[1])
    if norm == "pre":
        x = x + self_attention(norm_of(x, one), params["attention"], heads, mask)
        return x + work(norm_of(x, two), params["forward"])
    x = norm_of(x + self_attention(x, params["attention"], heads, mask), one)
    return norm_of(x + work(x, params["forward"]), two)
