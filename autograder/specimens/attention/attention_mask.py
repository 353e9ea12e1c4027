# Answers to 6.3, who may look where. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: place_by_place — Loops over everything
import math
import torch


def attention_mask(real, causal, kind):
    B, N = real.shape
    out = torch.zeros(B, 1, N, N, dtype=torch.float32 if kind == "add" else torch.bool)
    for b in range(B):
        for i in range(N):
            for j in range(N):
                keep = bool(real[b, j]) and (not causal or j <= i)
                out[b, 0, i, j] = {"keep": keep, "drop": not keep, "add": 0.0 if keep else -math.inf}[kind]
    return out


# %% right: places_compared — Numbers of places, and a mask broadcast
import torch


def attention_mask(real, causal, kind):
    n = real.shape[1]
    keep = real[:, None, None, :].expand(-1, 1, n, -1)
    if causal:
        i = torch.arange(n)
        keep = keep & (i <= i[:, None])
    if kind == "keep":
        return keep
    if kind == "drop":
        return torch.logical_not(keep)
    return torch.zeros(keep.shape).masked_fill(~keep, float("-inf"))


# %% right: logarithm — The logarithm of 1 is 0, and that of 0 is minus infinity
import torch


def attention_mask(real, causal, kind):
    B, N = real.shape
    ones = torch.ones(B, N, N) * real[:, None]
    if causal:
        ones = torch.tril(ones)
    ones = ones.unsqueeze(1)
    if kind == "add":
        return ones.log()
    return ones.bool() if kind == "keep" else ~ones.bool()


# %% right: dropped_first — What may not be, joined by "or"
import torch


def attention_mask(real, causal, kind):
    N = real.size(-1)
    drop = (~real).view(-1, 1, 1, N) | torch.zeros(N, N, dtype=torch.bool)
    if causal:
        drop = drop | torch.triu(torch.ones(N, N, dtype=torch.bool), diagonal=1)
    if kind == "drop":
        return drop
    keep = drop == False
    return keep if kind == "keep" else torch.where(keep, torch.tensor(0.0), torch.tensor(-torch.inf))


# %% wrong: causal_off_by_one — The word behind is seen
# fails: two_sentences_by_hand, causal_words_see_themselves_and_what_was_before
import torch


def attention_mask(real, causal, kind):
    B, N = real.shape
    keep = real[:, None, None].repeat(1, 1, N, 1)
    keep = keep.tril(1) if causal else keep
    return {"keep": keep, "drop": ~keep, "add": torch.where(keep, 0.0, -torch.inf)}[kind]


# %% wrong: itself_unseen — Only words before
# fails: two_sentences_by_hand, causal_words_see_themselves_and_what_was_before
import torch


def attention_mask(real, causal, kind):
    B, N = real.shape
    keep = real[:, None, None].repeat(1, 1, N, 1)
    keep = keep.tril(-1) if causal else keep
    return {"keep": keep, "drop": ~keep, "add": torch.where(keep, 0.0, -torch.inf)}[kind]


# %% wrong: causal_transposed — The words behind are seen
# fails: two_sentences_by_hand, causal_words_see_themselves_and_what_was_before
import torch


def attention_mask(real, causal, kind):
    B, N = real.shape
    keep = real[:, None, None].repeat(1, 1, N, 1)
    keep = keep.triu() if causal else keep
    return {"keep": keep, "drop": ~keep, "add": torch.where(keep, 0.0, -torch.inf)}[kind]


# %% wrong: pads_do_not_look — Rows in the place of columns
# fails: two_sentences_by_hand, pads_are_not_seen
import torch


def attention_mask(real, causal, kind):
    B, N = real.shape
    keep = real[:, None, :, None].repeat(1, 1, 1, N)
    keep = keep.tril() if causal else keep
    return {"keep": keep, "drop": ~keep, "add": torch.where(keep, 0.0, -torch.inf)}[kind]


# %% wrong: both_must_be_real — A pad may not look anywhere
# fails: two_sentences_by_hand, pads_are_not_seen
import torch


def attention_mask(real, causal, kind):
    keep = real[:, None, :, None] & real[:, None, None, :]
    keep = keep.tril() if causal else keep
    return {"keep": keep, "drop": ~keep, "add": torch.where(keep, 0.0, -torch.inf)}[kind]


# %% wrong: first_sentence_for_all — One mask for the batch
# fails: two_sentences_by_hand, pads_are_not_seen
import torch


def attention_mask(real, causal, kind):
    B, N = real.shape
    keep = real[:1, None, None].repeat(B, 1, N, 1)
    keep = keep.tril() if causal else keep
    return {"keep": keep, "drop": ~keep, "add": torch.where(keep, 0.0, -torch.inf)}[kind]


# %% wrong: causal_always — Causal, whether asked for or not
# fails: two_sentences_by_hand, pads_are_not_seen
import torch


def attention_mask(real, causal, kind):
    B, N = real.shape
    keep = real[:, None, None].repeat(1, 1, N, 1).tril()
    return {"keep": keep, "drop": ~keep, "add": torch.where(keep, 0.0, -torch.inf)}[kind]


# %% wrong: causal_alone — Pads are forgotten where it is causal
# fails: two_sentences_by_hand, sentences_without_a_word
import torch


def attention_mask(real, causal, kind):
    B, N = real.shape
    keep = real[:, None, None].repeat(1, 1, N, 1)
    keep = torch.ones(B, 1, N, N, dtype=torch.bool).tril() if causal else keep
    return {"keep": keep, "drop": ~keep, "add": torch.where(keep, 0.0, -torch.inf)}[kind]


# %% wrong: or_for_and — Real or not to come
# fails: two_sentences_by_hand, sentences_without_a_word
import torch


def attention_mask(real, causal, kind):
    B, N = real.shape
    keep = real[:, None, None].repeat(1, 1, N, 1)
    keep = keep | torch.ones(N, N, dtype=torch.bool).tril() if causal else keep
    return {"keep": keep, "drop": ~keep, "add": torch.where(keep, 0.0, -torch.inf)}[kind]


# %% wrong: conventions_exchanged — Keep and drop exchanged
# fails: two_sentences_by_hand, three_kinds_are_one_mask
import torch


def attention_mask(real, causal, kind):
    B, N = real.shape
    keep = real[:, None, None].repeat(1, 1, N, 1)
    keep = keep.tril() if causal else keep
    return {"drop": keep, "keep": ~keep, "add": torch.where(keep, 0.0, -torch.inf)}[kind]


# %% wrong: added_inverted — Minus infinity where one may look
# fails: three_kinds_are_one_mask
import torch


def attention_mask(real, causal, kind):
    B, N = real.shape
    keep = real[:, None, None].repeat(1, 1, N, 1)
    keep = keep.tril() if causal else keep
    return {"keep": keep, "drop": ~keep, "add": torch.where(keep, -torch.inf, 0.0)}[kind]


# %% wrong: minus_a_milliard — Low, but no minus infinity
# fails: three_kinds_are_one_mask, what_is_added_hides_scores_of_any_size
import torch


def attention_mask(real, causal, kind):
    B, N = real.shape
    keep = real[:, None, None].repeat(1, 1, N, 1)
    keep = keep.tril() if causal else keep
    return {"keep": keep, "drop": ~keep, "add": torch.where(keep, 0.0, -1e9)}[kind]


# %% wrong: zero_times_infinity — No number where one may look
# fails: three_kinds_are_one_mask
import torch


def attention_mask(real, causal, kind):
    B, N = real.shape
    keep = real[:, None, None].repeat(1, 1, N, 1)
    keep = keep.tril() if causal else keep
    return {"keep": keep, "drop": ~keep, "add": (1 - keep.float()) * -torch.inf}[kind]


# %% wrong: ones_and_zeros — 1 and 0 are added
# fails: three_kinds_are_one_mask
import torch


def attention_mask(real, causal, kind):
    B, N = real.shape
    keep = real[:, None, None].repeat(1, 1, N, 1)
    keep = keep.tril() if causal else keep
    return {"keep": keep, "drop": ~keep, "add": keep.float()}[kind]


# %% wrong: not_spread_out — One row for all words
# fails: two_sentences_by_hand
import torch


def attention_mask(real, causal, kind):
    N = real.shape[1]
    keep = real[:, None, None]
    keep = keep & torch.ones(N, N, dtype=torch.bool).tril() if causal else keep
    return {"keep": keep, "drop": ~keep, "add": torch.where(keep, 0.0, -torch.inf)}[kind]


# %% wrong: no_axis_for_heads — (B, N, N)
# fails: two_sentences_by_hand
import torch


def attention_mask(real, causal, kind):
    B, N = real.shape
    keep = real[:, None].repeat(1, N, 1)
    keep = keep.tril() if causal else keep
    return {"keep": keep, "drop": ~keep, "add": torch.where(keep, 0.0, -torch.inf)}[kind]


# %% wrong: lengths_counted — The first words, as many as are real
# fails: three_kinds_are_one_mask, pads_are_not_seen
import torch


def attention_mask(real, causal, kind):
    B, N = real.shape
    keep = (torch.arange(N) < real.sum(1, keepdim=True))[:, None, None].repeat(1, 1, N, 1)
    keep = keep.tril() if causal else keep
    return {"keep": keep, "drop": ~keep, "add": torch.where(keep, 0.0, -torch.inf)}[kind]


# %% wrong: nobody_is_left_blind — Where there is nothing to see everything is
# fails: sentences_without_a_word
import torch


def attention_mask(real, causal, kind):
    B, N = real.shape
    keep = (real | ~real.any(1, keepdim=True))[:, None, None].repeat(1, 1, N, 1)
    keep = keep.tril() if causal else keep
    return {"keep": keep, "drop": ~keep, "add": torch.where(keep, 0.0, -torch.inf)}[kind]


# %% wrong: words_see_themselves_always — Pads too
# fails: two_sentences_by_hand, pads_are_not_seen
import torch


def attention_mask(real, causal, kind):
    B, N = real.shape
    keep = real[:, None, None].repeat(1, 1, N, 1)
    keep = (keep.tril() if causal else keep) | torch.eye(N, dtype=torch.bool)
    return {"keep": keep, "drop": ~keep, "add": torch.where(keep, 0.0, -torch.inf)}[kind]


# %% wrong: double_precision — A mask of another type
# fails: three_kinds_are_one_mask
import torch


def attention_mask(real, causal, kind):
    B, N = real.shape
    keep = real[:, None, None].repeat(1, 1, N, 1)
    keep = keep.tril() if causal else keep
    return {"keep": keep, "drop": ~keep, "add": torch.where(keep, 0.0, -torch.inf).double()}[kind]
