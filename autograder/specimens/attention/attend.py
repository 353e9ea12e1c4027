# Answers to 6.2, scaled dot-product attention. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: nan_to_zero — Minus infinity, and rows without a softmax mended
import torch


def attend(q, k, v, mask):
    scores = torch.matmul(q, k.transpose(-1, -2)) * k.size(-1) ** -0.5
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), float("-inf"))
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1), nan=0.0)
    return torch.matmul(weights, v), weights


# %% right: einsum_and_lowest — Sums by letters; the lowest number, wiped afterwards
import torch


def attend(q, k, v, mask):
    scores = torch.einsum("...mk,...nk->...mn", q / q.shape[-1] ** 0.5, k)
    if mask is None:
        mask = torch.ones((), dtype=torch.bool)
    low = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(~mask, low).softmax(-1).masked_fill(~mask, 0.0)
    return torch.einsum("...mn,...nw->...mw", weights, v), weights


# %% right: query_by_query — A softmax over the keys that each query may look at
import torch


def attend(q, k, v, mask):
    *lead, M, K = q.shape
    N, W = v.shape[-2:]
    seen = torch.ones(*lead, M, N, dtype=torch.bool) if mask is None else mask.expand(*lead, M, N)
    Q, KEYS, V, S = q.reshape(-1, M, K), k.reshape(-1, N, K), v.reshape(-1, N, W), seen.reshape(-1, M, N)
    outs, all_weights = [], []
    for a in range(len(Q)):
        for m in range(M):
            own = S[a, m].nonzero()[:, 0]
            weights = q.new_zeros(N)
            if len(own):
                weights = weights.index_put((own,), torch.softmax(KEYS[a][own] @ Q[a, m] / K**0.5, 0))
            outs.append(weights @ V[a])
            all_weights.append(weights)
    return torch.stack(outs).reshape(*lead, M, W), torch.stack(all_weights).reshape(*lead, M, N)


# %% right: exponentials — The largest allowed score off, e to it, the sum; nothing is divided by 0
import math
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / math.sqrt(q.size(-1))
    seen = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand(scores.shape)
    low = torch.where(seen, scores, scores.new_tensor(-math.inf))
    top = low.detach().amax(-1, keepdim=True).clamp(min=torch.finfo(scores.dtype).min)
    e = torch.exp(low - top)
    total = e.sum(-1, keepdim=True)
    weights = e / torch.where(total > 0, total, torch.ones_like(total))
    return [weights @ v, weights]


# %% right: in_double — Computed in double precision, returned in the type that came
import torch


def attend(q, k, v, mask):
    a, b, c = q.double(), k.double(), v.double()
    scores = a @ b.transpose(-2, -1) / float(k.shape[-1]) ** 0.5
    if mask is not None:
        empty = ~mask.any(dim=-1, keepdim=True)
        scores = scores.masked_fill(~(mask | empty), -torch.inf)
        weights = scores.softmax(-1).masked_fill(empty, 0)
    else:
        weights = scores.softmax(-1)
    return (weights @ c).to(v.dtype), weights.to(q.dtype)


# %% right: divided_and_mended — 0/0 in rows that no gradient comes back to
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    low = torch.where(mask, scores, -torch.inf)
    e = torch.exp(low - low.amax(-1, keepdim=True))
    weights = torch.where(mask, e / e.sum(-1, keepdim=True), 0.0)
    return torch.matmul(weights, v), weights


# %% wrong: root_missing — Scores as they are
# fails: two_keys_by_hand, it_is_the_librarys
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    weights = weights if mask is None else weights * mask
    return torch.matmul(weights, v), weights


# %% wrong: scaled_by_k — K in the place of its root
# fails: two_keys_by_hand, it_is_the_librarys
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1]
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    weights = weights if mask is None else weights * mask
    return torch.matmul(weights, v), weights


# %% wrong: multiplied_by_the_root — Scores made larger
# fails: two_keys_by_hand, it_is_the_librarys
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT * k.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    weights = weights if mask is None else weights * mask
    return torch.matmul(weights, v), weights


# %% wrong: root_of_the_values — Divided by the root of W
# fails: two_keys_by_hand, it_is_the_librarys
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / v.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    weights = weights if mask is None else weights * mask
    return torch.matmul(weights, v), weights


# %% wrong: root_of_the_keys_number — Divided by the root of N
# fails: two_keys_by_hand, it_is_the_librarys
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-2] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    weights = weights if mask is None else weights * mask
    return torch.matmul(weights, v), weights


# %% wrong: softmax_over_queries — The weights of a key sum to one
# fails: two_keys_by_hand, it_is_the_librarys
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-2)
    weights = weights if mask is None else weights * mask
    return torch.matmul(weights, v), weights


# %% wrong: mask_after_softmax — Hidden keys take their share first
# fails: masks_of_all_shapes
import torch


def attend(q, k, v, mask):
    weights = (q @ k.mT / k.shape[-1] ** 0.5).softmax(-1)
    weights = weights if mask is None else weights * mask
    return torch.matmul(weights, v), weights


# %% wrong: mask_after_softmax_renormalised — 0/0 where a hidden key took all
# fails: scores_of_queries_of_any_size
import torch


def attend(q, k, v, mask):
    weights = (q @ k.mT / k.shape[-1] ** 0.5).softmax(-1)
    if mask is not None:
        weights = weights * mask
        weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-30)
    return torch.matmul(weights, v), weights


# %% wrong: mask_inverted — Looks where it may not
# fails: masks_of_all_shapes
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    weights = weights if mask is None else weights * ~mask
    return torch.matmul(weights, v), weights


# %% wrong: mask_multiplied — Hidden scores are 0
# fails: masks_of_all_shapes
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    weights = (scores if mask is None else scores * mask).softmax(-1)
    return torch.matmul(weights, v), weights


# %% wrong: mask_added — Seen scores are larger by one
# fails: masks_of_all_shapes
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    weights = (scores if mask is None else scores + mask).softmax(-1)
    return torch.matmul(weights, v), weights


# %% wrong: minus_a_milliard — A number that is not low enough
# fails: scores_of_queries_of_any_size
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = scores.softmax(-1)
    weights = weights if mask is None else weights * mask
    return torch.matmul(weights, v), weights


# %% wrong: minus_a_thousand — Nor is this
# fails: scores_of_queries_of_any_size
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -1000.0)
    weights = scores.softmax(-1)
    weights = weights if mask is None else weights * mask
    return torch.matmul(weights, v), weights


# %% wrong: minus_a_milliard_added — Added to a hidden score, which may be larger
# fails: scores_of_queries_of_any_size
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is not None:
        scores = scores + ~mask * -1e9
    weights = scores.softmax(-1)
    weights = weights if mask is None else weights * mask
    return torch.matmul(weights, v), weights


# %% wrong: nothing_to_see_is_nan — Minus infinity throughout, and no case for it
# fails: a_query_with_nothing_to_see_finds_zeros
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = scores.softmax(-1)
    return torch.matmul(weights, v), weights


# %% wrong: nothing_to_see_is_everything — A query that may look nowhere looks everywhere
# fails: a_query_with_nothing_to_see_finds_zeros
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    return torch.matmul(weights, v), weights


# %% wrong: nan_in_the_gradient — Minus infinity added, NaN mended too late
# fails: a_query_with_nothing_to_see_finds_zeros
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is not None:
        scores = scores + torch.zeros(mask.shape, dtype=q.dtype).masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0.0)
    return torch.matmul(weights, v), weights


# %% wrong: emptiness_of_the_batch — One query without a key makes all of them zeros
# fails: a_query_with_nothing_to_see_finds_zeros
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
        return torch.matmul(weights, v), weights
    scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1) * mask.any(-1).all()
    return torch.matmul(weights, v), weights


# %% wrong: first_sentences_mask — The first mask of the batch for all
# fails: masks_of_all_shapes
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is not None:
        while mask.dim() > 2:
            mask = mask[0]
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    weights = weights if mask is None else weights * mask
    return torch.matmul(weights, v), weights


# %% wrong: mask_transposed — Rows and columns of the mask exchanged
# fails: masks_of_all_shapes
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is not None:
        mask = mask.expand(*scores.shape).mT
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    weights = weights if mask is None else weights * mask
    return torch.matmul(weights, v), weights


# %% wrong: largest_of_the_batch — The largest score of all is taken off each row
# fails: scores_of_queries_of_any_size
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    e = torch.exp(scores - scores.max())
    weights = e / e.sum(-1, keepdim=True).clamp(min=1e-30)
    return torch.matmul(weights, v), weights


# %% wrong: keys_are_summed — The keys in the place of the values
# fails: two_keys_by_hand
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    weights = weights if mask is None else weights * mask
    return (weights @ k)[..., : v.shape[-1]], weights


# %% wrong: exchanged — The weights first
# fails: two_keys_by_hand, it_is_the_librarys
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    weights = weights if mask is None else weights * mask
    return weights, weights @ v


# %% wrong: scores_returned — Scores in the place of weights
# fails: two_keys_by_hand
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    weights = weights if mask is None else weights * mask
    return weights @ v, scores


# %% wrong: turned_by_t — Two axes only, and those the first
# fails: it_is_the_librarys
import torch


def attend(q, k, v, mask):
    scores = q @ k.transpose(0, -1) / k.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    weights = weights if mask is None else weights * mask
    return torch.matmul(weights, v), weights


# %% wrong: weights_detached — What is found teaches the values alone
# fails: all_three_are_taught
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    weights = weights if mask is None else weights * mask
    return weights.detach() @ v, weights


# %% wrong: reported_weights_detached — The weights that are handed back are a copy
# fails: all_three_are_taught
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    weights = weights if mask is None else weights * mask
    return weights @ v, weights.detach().clone()


# %% wrong: root_in_single_precision — A root with seven digits
# fails: other_questions_and_answers
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / torch.tensor(k.shape[-1]).sqrt()
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    weights = weights if mask is None else weights * mask
    return torch.matmul(weights, v), weights


# %% wrong: mask_changed — The mask is written to
# fails: masks_of_all_shapes
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is not None:
        mask.logical_not_()
        scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    weights = weights if mask is None else weights.masked_fill(mask, 0.0)
    return torch.matmul(weights, v), weights


# %% wrong: mean_of_three_axes — Only (B, N, K) is taken
# fails: it_is_the_librarys
import torch


def attend(q, k, v, mask):
    scores = torch.bmm(q, k.permute(0, 2, 1)) / k.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    weights = weights if mask is None else weights * mask
    return torch.matmul(weights, v), weights


# %% wrong: librarys_attention — torch's own, asked twice
# fails: two_keys_by_hand
import torch
import torch.nn.functional as F


def attend(q, k, v, mask):
    eye = torch.eye(k.shape[-2], dtype=q.dtype).expand(*q.shape[:-2], -1, -1)
    return tuple(F.scaled_dot_product_attention(q, k, x, attn_mask=mask) for x in (v, eye))


# %% wrong: three_axes_are_a_batchs — A mask of three axes is always taken for (B, M, N)
# fails: masks_of_all_shapes
import torch


def attend(q, k, v, mask):
    scores = torch.einsum("...mk,...nk->...mn", q, k) / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
        return torch.matmul(weights, v), weights
    if mask.dim() == 3 and scores.dim() > 3:
        mask = mask.unsqueeze(1)
    nobody = ~mask.any(-1, keepdim=True)
    weights = torch.softmax(scores.masked_fill(~(mask | nobody), float("-inf")), -1)
    weights = weights.masked_fill(nobody, 0.0)
    return torch.matmul(weights, v), weights


# %% wrong: largest_of_the_masked_too — A masked score is the largest, and all others vanish beside it
# fails: scores_of_queries_of_any_size
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    e = torch.exp(scores - scores.max(-1, keepdim=True).values)
    if mask is not None:
        e = torch.where(mask, e, 0.0)
    total = e.sum(-1, keepdim=True)
    weights = e / torch.where(total > 0, total, 1.0)
    return torch.matmul(weights, v), weights


# %% wrong: mean_for_the_blind — Who may look nowhere has weights of zeros, and finds the mean of all
# fails: a_query_with_nothing_to_see_finds_zeros
import torch


def attend(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
        return torch.matmul(weights, v), weights
    some = mask.any(-1, keepdim=True)
    weights = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(-1)
    return torch.matmul(weights, v), weights.masked_fill(~(mask & some), 0.0)
