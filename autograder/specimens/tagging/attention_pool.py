# Answers to 4.9, a weighted mean. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: exponentials_by_hand — Largest real score off, e to it, the mask, the sum
import torch


def attention_pool(states, mask, query):
    scores = torch.einsum("bth,h->bt", states, query)
    scores = torch.where(mask, scores, torch.full_like(scores, float("-inf")))
    e = torch.exp(scores - scores.max(dim=1, keepdim=True).values)
    weights = e / e.sum(1, keepdim=True)
    return torch.einsum("bt,bth->bh", weights, states), weights


# %% right: row_by_row — A softmax of each row's real scores, zeros behind it
import torch


def attention_pool(states, mask, query):
    weights = []
    for row, real in zip(states, mask):
        n = int(real.sum())
        some = torch.softmax(row[:n] @ query, dim=0)
        weights.append(torch.cat([some, some.new_zeros(len(row) - n)]))
    weights = torch.stack(weights)
    return torch.bmm(weights.unsqueeze(1), states).squeeze(1), weights


# %% right: log_softmax_filled — masked_fill, log_softmax, exp, matmul
import torch


def attention_pool(states, mask, query):
    scores = states.matmul(query.unsqueeze(-1)).squeeze(-1).masked_fill(mask.logical_not(), -torch.inf)
    weights = torch.log_softmax(scores, dim=-1).exp()
    return [(weights.unsqueeze(2) * states).sum(dim=1), weights]


# %% right: finite_and_wiped — A finite low score, and zeros afterwards, renormalised
import torch


def attention_pool(states, mask, query):
    scores = (states * query).sum(-1)
    low = torch.finfo(scores.dtype).min
    weights = torch.softmax(torch.where(mask, scores, torch.tensor(low, dtype=scores.dtype)), 1) * mask
    weights = weights / weights.sum(1, keepdim=True)
    return (weights[..., None] * states).sum(1), weights


# %% wrong: the_mask_is_not_looked_at — Pads are weighed, too
# fails: a_quarter_and_three_quarters_by_hand, weights_are_zero_at_pads_and_sum_to_one
def attention_pool(states, mask, query):
    weights = (states @ query).softmax(1)
    return (weights[..., None] * states).sum(1), weights


# %% wrong: masked_after_the_softmax — Weights of pads put to zero, the others left as they are
# fails: a_quarter_and_three_quarters_by_hand, weights_are_zero_at_pads_and_sum_to_one
def attention_pool(states, mask, query):
    weights = (states @ query).softmax(1) * mask
    return (weights[..., None] * states).sum(1), weights


# %% wrong: renormalised_afterwards — A loud pad leaves 0/0 for the real steps
# fails: a_silent_question_takes_the_mean_and_a_loud_one_a_step, questions_to_other_batches
def attention_pool(states, mask, query):
    weights = (states @ query).softmax(1) * mask
    weights = weights / weights.sum(1, keepdim=True)
    return (weights[..., None] * states).sum(1), weights


# %% wrong: scores_times_mask — Pads have the score 0, which is no small one
# fails: a_quarter_and_three_quarters_by_hand, weights_are_zero_at_pads_and_sum_to_one
def attention_pool(states, mask, query):
    weights = ((states @ query) * mask).softmax(1)
    return (weights[..., None] * states).sum(1), weights


# %% wrong: mask_inverted — Attends to the pads
# fails: a_quarter_and_three_quarters_by_hand, weights_are_zero_at_pads_and_sum_to_one
import torch


def attention_pool(states, mask, query):
    weights = (states @ query).masked_fill(mask, -1e9).softmax(1)
    return (weights[..., None] * states).sum(1), weights


# %% wrong: minus_ten_for_pads — A low score that is not low enough
# fails: weights_are_zero_at_pads_and_sum_to_one
def attention_pool(states, mask, query):
    weights = (states @ query).masked_fill(~mask, -10.0).softmax(1)
    return (weights[..., None] * states).sum(1), weights


# %% wrong: scaled — Divides the scores by the root of H
# fails: a_quarter_and_three_quarters_by_hand, it_is_the_librarys_attention
import torch


def attention_pool(states, mask, query):
    scores = states @ query / len(query) ** 0.5
    weights = scores.masked_fill(~mask, -torch.inf).softmax(1)
    return (weights[..., None] * states).sum(1), weights


# %% wrong: softmax_over_the_batch — The weights of a step sum to one over the rows
# fails: weights_are_zero_at_pads_and_sum_to_one
import torch


def attention_pool(states, mask, query):
    weights = (states @ query).masked_fill(~mask, -1e9).softmax(0)
    return (weights[..., None] * states).sum(1), weights


# %% wrong: exp_of_large_scores — e to thousands
# fails: a_silent_question_takes_the_mean_and_a_loud_one_a_step
def attention_pool(states, mask, query):
    e = (states @ query).masked_fill(~mask, -1e9).exp()
    weights = e / e.sum(1, keepdim=True)
    return (weights[..., None] * states).sum(1), weights


# %% wrong: shares_of_scores — Scores divided by their sum, without a softmax
# fails: a_quarter_and_three_quarters_by_hand, weights_are_zero_at_pads_and_sum_to_one
def attention_pool(states, mask, query):
    scores = (states @ query) * mask
    weights = scores / scores.sum(1, keepdim=True)
    return (weights[..., None] * states).sum(1), weights


# %% wrong: the_largest_alone — The best step has all the weight
# fails: a_quarter_and_three_quarters_by_hand, weights_are_zero_at_pads_and_sum_to_one
import torch
import torch.nn.functional as F


def attention_pool(states, mask, query):
    best = (states @ query).masked_fill(~mask, -torch.inf).argmax(1)
    weights = F.one_hot(best, mask.shape[1]).to(states.dtype)
    return (weights[..., None] * states).sum(1), weights


# %% wrong: exchanged_results — Weights first, then what they make
# fails: a_quarter_and_three_quarters_by_hand
import torch


def attention_pool(states, mask, query):
    weights = (states @ query).masked_fill(~mask, -torch.inf).softmax(1)
    return weights, (weights[..., None] * states).sum(1)


# %% wrong: weights_that_are_not_learnt — The weights are detached before the sum
# fails: the_question_can_be_learnt
import torch


def attention_pool(states, mask, query):
    weights = (states @ query).masked_fill(~mask, -torch.inf).softmax(1).detach()
    return (weights[..., None] * states).sum(1), weights


# %% wrong: weights_cut_off_when_returned — The sum learns, the weights that are given back do not
# fails: weights_send_their_gradient_back
import torch


def attention_pool(states, mask, query):
    weights = (states @ query).masked_fill(~mask, -torch.inf).softmax(1)
    return (weights[..., None] * states).sum(1), weights.detach()


# %% wrong: averaged_over_steps — The mean of weighted states instead of their sum
# fails: a_quarter_and_three_quarters_by_hand, it_is_the_librarys_attention
import torch


def attention_pool(states, mask, query):
    weights = (states @ query).masked_fill(~mask, -torch.inf).softmax(1)
    return (weights[..., None] * states).mean(1), weights


# %% wrong: minus_ten_thousand_for_pads — Real scores may be lower than that
# fails: a_silent_question_takes_the_mean_and_a_loud_one_a_step
import torch


def attention_pool(states, mask, query):
    weights = torch.softmax(torch.where(mask, states @ query, -10_000.0), dim=1)
    return torch.einsum("bt,bth->bh", weights, states), weights


# %% wrong: the_largest_of_the_batch — Takes one number off all rows, which leaves nothing of a row far below
# fails: a_silent_question_takes_the_mean_and_a_loud_one_a_step
import torch


def attention_pool(states, mask, query):
    scores = (states @ query).where(mask, -torch.inf)
    e = torch.exp(scores - scores.amax())
    weights = e / e.sum(1, keepdim=True)
    return torch.einsum("bt,bth->bh", weights, states), weights


# %% wrong: a_thousand_million_less_at_pads — Takes that off the scores of pads, which may be larger
# fails: questions_to_other_batches
import torch


def attention_pool(states, mask, query):
    scores = states @ query - 1e9 * (~mask).to(states.dtype)
    weights = torch.softmax(scores, dim=1)
    return torch.einsum("bt,bth->bh", weights, states), weights


# %% wrong: every_axis_of_one_is_gone — squeeze takes the axes of a single step and of a single row, too
# fails: questions_to_other_batches
import torch


def attention_pool(states, mask, query):
    scores = torch.matmul(states, query.unsqueeze(1)).squeeze()
    weights = scores.masked_fill(~mask, -torch.inf).softmax(-1)
    return (weights.unsqueeze(-1) * states).sum(1), weights
