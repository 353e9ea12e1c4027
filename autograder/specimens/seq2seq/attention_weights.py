# Answers to 5.8, weights without pads. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: exponentials — The largest real score off, e to it, the sum
import torch


def attention_weights(scores, mask):
    low = scores.masked_fill(~mask, -torch.inf)
    top = low.amax(1, keepdim=True).detach()
    top = torch.where(mask.any(1, keepdim=True), top, torch.zeros_like(top))
    e = torch.exp(low - top)
    return e / e.sum(1, keepdim=True).clamp(min=1e-30)


# %% right: row_by_row — A softmax of each row's own places, zeros behind it
import torch


def attention_weights(scores, mask):
    out = torch.zeros_like(scores)
    for b in range(scores.shape[0]):
        n = int(mask[b].sum())
        if n:
            out[b, :n] = torch.softmax(scores[b, :n], dim=0)
    return out


# %% right: lowest_and_wiped — The lowest number of the type at the pads, zeros afterwards
import torch


def attention_weights(scores, mask):
    low = torch.finfo(scores.dtype).min
    weights = torch.softmax(scores.masked_fill(~mask, low), dim=-1)
    return weights.masked_fill(~mask, 0.0)


# %% right: log_softmax — By way of logarithms
import torch
import torch.nn.functional as F


def attention_weights(scores, mask):
    safe = torch.where(mask, scores, scores.new_tensor(float("-inf")))
    empty = ~mask.any(dim=1)
    safe = safe.masked_fill(empty[:, None], 0)
    return F.log_softmax(safe, 1).exp().masked_fill(empty[:, None], 0)


# %% right: double_and_back — Computed in double precision, returned in the type that came
import torch


def attention_weights(scores, mask):
    wide = scores.double().masked_fill(mask.logical_not(), -torch.inf)
    nobody = (mask.sum(1) == 0).unsqueeze(1)
    weights = wide.masked_fill(nobody, 1.0).softmax(1)
    return torch.where(mask, weights, 0.0).to(scores.dtype)


# %% wrong: softmax_over_the_wrong_axis — The weights of a place sum to one over the rows
# fails: weights_of_real_places_sum_to_one
import torch


def attention_weights(scores, mask):
    weights = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(0)
    return weights.masked_fill(~mask, 0.0)


# %% wrong: mask_after_softmax — Pads take their share first and lose it then
# fails: a_quarter_three_quarters_and_a_pad, weights_of_real_places_sum_to_one
def attention_weights(scores, mask):
    return scores.softmax(1) * mask


# %% wrong: mask_after_softmax_renormalised — 0/0 where a pad took all
# fails: scores_may_be_of_any_size
def attention_weights(scores, mask):
    weights = scores.softmax(1) * mask
    return weights / weights.sum(1, keepdim=True).clamp(min=1e-30)


# %% wrong: mask_inverted — Looks at pads alone
# fails: a_quarter_three_quarters_and_a_pad
import torch


def attention_weights(scores, mask):
    low = torch.finfo(scores.dtype).min
    return scores.masked_fill(mask, low).softmax(1).masked_fill(mask, 0.0)


# %% wrong: no_mask — Pads are weighed, too
# fails: a_quarter_three_quarters_and_a_pad, weights_of_real_places_sum_to_one
def attention_weights(scores, mask):
    return scores.softmax(1)


# %% wrong: minus_a_thousand — A score that is not low enough
# fails: scores_may_be_of_any_size
def attention_weights(scores, mask):
    return scores.masked_fill(~mask, -1000.0).softmax(1).masked_fill(~mask, 0.0)


# %% wrong: minus_a_milliard — Lower, and still finite
# fails: scores_may_be_of_any_size
def attention_weights(scores, mask):
    return scores.masked_fill(~mask, -1e9).softmax(1).masked_fill(~mask, 0.0)


# %% wrong: minus_a_milliard_added — Added to a pad's score, which may be larger
# fails: scores_may_be_of_any_size
def attention_weights(scores, mask):
    return (scores + ~mask * -1e9).softmax(1).masked_fill(~mask, 0.0)


# %% wrong: rows_of_pads_are_nan — Minus infinity everywhere, and no case for it
# fails: a_row_without_a_place_has_zeros
import torch


def attention_weights(scores, mask):
    return scores.masked_fill(~mask, -torch.inf).softmax(1)


# %% wrong: rows_of_pads_are_uniform — A row without a word looks at all of its pads alike
# fails: a_row_without_a_place_has_zeros
import torch


def attention_weights(scores, mask):
    return scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(1)


# %% wrong: largest_of_the_batch — The largest score of all rows is taken off each
# fails: scores_may_be_of_any_size, rows_are_weighed_by_themselves
import torch


def attention_weights(scores, mask):
    low = scores.masked_fill(~mask, -torch.inf)
    top = low[mask].max() if mask.any() else 0.0
    e = torch.exp(low - top)
    return e / e.sum(1, keepdim=True).clamp(min=1e-30)


# %% wrong: e_to_large_scores — Without taking the largest off
# fails: scores_may_be_of_any_size
import torch


def attention_weights(scores, mask):
    e = torch.exp(scores.masked_fill(~mask, -torch.inf))
    return e / e.sum(1, keepdim=True).clamp(min=1e-30)


# %% wrong: scores_times_mask — Pads have the score 0, which is no low one
# fails: a_quarter_three_quarters_and_a_pad
def attention_weights(scores, mask):
    return scores.masked_fill(~mask, 0.0).softmax(1)


# %% wrong: pads_taken_to_be_numbers — NaN times 0 is NaN
# fails: scores_may_be_of_any_size
import torch


def attention_weights(scores, mask):
    low = torch.finfo(scores.dtype).min
    weights = (scores * mask + low * ~mask).softmax(1)
    return weights * mask


# %% wrong: weights_detached — Nothing is learnt of where to look
# fails: scores_are_taught_and_pads_are_not
import torch


def attention_weights(scores, mask):
    low = torch.finfo(scores.dtype).min
    return scores.masked_fill(~mask, low).softmax(1).masked_fill(~mask, 0.0).detach()


# %% wrong: first_rows_length — The first row's mask for all
# fails: weights_of_real_places_sum_to_one
import torch


def attention_weights(scores, mask):
    own = mask[:1].expand_as(mask)
    low = torch.finfo(scores.dtype).min
    return scores.masked_fill(~own, low).softmax(1).masked_fill(~own, 0.0)


# %% wrong: sparse — The best place has all the weight
# fails: a_quarter_three_quarters_and_a_pad
import torch
import torch.nn.functional as F


def attention_weights(scores, mask):
    best = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).argmax(1)
    return F.one_hot(best, scores.shape[1]).to(scores.dtype) * mask


# %% wrong: float32_weights — Single precision whatever came
# fails: weights_of_other_batches
import torch


def attention_weights(scores, mask):
    low = torch.finfo(torch.float32).min
    return scores.float().masked_fill(~mask, low).softmax(1).masked_fill(~mask, 0.0)


# %% wrong: unit_4s_function — Asks the pooling of unit 4 for its weights
# fails: a_quarter_three_quarters_and_a_pad
import torch
from unrolled.tagging import attention_pool


def attention_weights(scores, mask):
    return attention_pool(scores[:, :, None], mask, torch.ones(1, dtype=scores.dtype))[1]


# %% wrong: librarys_attention — torch's own, with the identity for values
# fails: a_quarter_three_quarters_and_a_pad
import torch
import torch.nn.functional as F


def attention_weights(scores, mask):
    n = scores.shape[1]
    eye = torch.eye(n, dtype=scores.dtype).expand(len(scores), n, n)
    return F.scaled_dot_product_attention(scores[:, None], eye, eye, attn_mask=mask[:, None], scale=1.0)[:, 0]


# %% wrong: a_little_added_below — No 0/0, and no weights that sum to one
# fails: a_quarter_three_quarters_and_a_pad
import torch


def attention_weights(scores, mask):
    scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    e = torch.exp(scores - scores.amax(1, keepdim=True)) * mask
    return e / (e.sum(1, keepdim=True) + 1e-3)


# %% wrong: a_low_number_at_the_pads — A number that is low, and not lower than every real score may be
# fails: scores_may_be_of_any_size
import torch


def attention_weights(scores, mask):
    weights = torch.softmax(scores.masked_fill(~mask, -1e30), dim=1)
    return weights.masked_fill(~mask, 0.0)


# %% wrong: scores_are_kept_within_bounds — Two large scores become one and the same
# fails: scores_may_be_of_any_size
import torch


def attention_weights(scores, mask):
    nobody = ~mask.any(1, keepdim=True)
    bounded = scores.nan_to_num(0.0).clamp(-1e6, 1e6).masked_fill(scores == -torch.inf, -torch.inf)
    bounded = bounded.masked_fill(~mask, -torch.inf).masked_fill(nobody, 0.0)
    return torch.softmax(bounded, dim=1).masked_fill(~mask, 0.0)
