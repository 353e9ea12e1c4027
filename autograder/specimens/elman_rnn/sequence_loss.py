# Answers to 2.4, the loss of a batch. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: cross_entropy_over_rows — F.cross_entropy on flattened batches
import torch.nn.functional as F


def sequence_loss(logits, targets, pad):
    V = logits.shape[-1]
    return F.cross_entropy(logits.reshape(-1, V), targets.reshape(-1), ignore_index=pad)


# %% right: axes_moved — F.cross_entropy with the vocabulary as second axis
import torch.nn.functional as F


def sequence_loss(logits, targets, pad):
    return F.cross_entropy(logits.permute(0, 2, 1), targets, ignore_index=pad)


# %% right: gather_and_mask — Log probabilities gathered at the targets, a mask for the padding
import torch


def sequence_loss(logits, targets, pad):
    real = targets != pad
    picked = logits.log_softmax(-1).gather(-1, targets.where(real, 0)[..., None])[..., 0]
    return -picked.where(real, 0).sum() / real.sum()


# %% right: kept_places — Only the places that count are looked at, with logsumexp
import torch


def sequence_loss(logits, targets, pad):
    keep = targets != pad
    scores, wanted = logits[keep], targets[keep]
    return (scores.logsumexp(1) - scores[torch.arange(len(wanted)), wanted]).mean()


# %% right: one_place_at_a_time — Loops, the largest logit taken off by hand
import torch


def sequence_loss(logits, targets, pad):
    costs = []
    for row, wanted in zip(logits, targets):
        for scores, target in zip(row, wanted):
            if target != pad:
                scores = scores - scores.max()
                costs.append(scores.exp().sum().log() - scores[target])
    return sum(costs) / len(costs)


# %% wrong: sum_for_mean — Adds up all places
# fails: a_half_and_three_quarters, knowing_nothing_costs_ln_v
import torch.nn.functional as F


def sequence_loss(logits, targets, pad):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad, reduction="sum")


# %% wrong: pads_below — Padding costs nothing but is counted
# fails: padding_counts_neither_above_nor_below, other_batches_cost_what_they_should
import torch.nn.functional as F


def sequence_loss(logits, targets, pad):
    costs = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad, reduction="none")
    return costs.mean()


# %% wrong: pads_above — Padding costs as if symbol 0 were its target
# fails: padding_counts_neither_above_nor_below, padding_teaches_nothing
import torch.nn.functional as F


def sequence_loss(logits, targets, pad):
    real = targets != pad
    costs = F.cross_entropy(logits.flatten(0, 1), targets.clamp(min=0).flatten(), reduction="sum")
    return costs / real.sum()


# %% wrong: mean_of_means — Averages each row, then the rows
# fails: padding_counts_neither_above_nor_below, other_batches_cost_what_they_should
import torch


def sequence_loss(logits, targets, pad):
    real = targets != pad
    costs = -logits.log_softmax(-1).gather(-1, targets.where(real, 0)[..., None])[..., 0]
    return ((costs * real).sum(1) / real.sum(1).clamp(min=1)).mean()


# %% wrong: padding_only_at_the_end — Counts a row up to its first padding
# fails: what_stands_at_the_padding_is_of_no_matter
import torch


def sequence_loss(logits, targets, pad):
    real = (targets != pad).cumprod(1).bool()
    costs = -logits.log_softmax(-1).gather(-1, targets.where(real, 0)[..., None])[..., 0]
    return costs[real].mean()


# %% wrong: pad_ignored — Knows no padding but -100
# fails: padding_counts_neither_above_nor_below
import torch.nn.functional as F


def sequence_loss(logits, targets, pad):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


# %% wrong: softmax_over_time — Normalises over the steps
# fails: a_half_and_three_quarters, knowing_nothing_costs_ln_v
import torch


def sequence_loss(logits, targets, pad):
    real = targets != pad
    log_probs = logits.log_softmax(1)
    return -log_probs.gather(-1, targets.where(real, 0)[..., None])[..., 0][real].mean()


# %% wrong: softmax_before_cross_entropy — Gives F.cross_entropy probabilities for logits
# fails: a_half_and_three_quarters, large_logits_are_safe
import torch.nn.functional as F


def sequence_loss(logits, targets, pad):
    return F.cross_entropy(logits.softmax(-1).flatten(0, 1), targets.flatten(), ignore_index=pad)


# %% wrong: log_of_softmax — Probabilities underflow before their logarithm is taken
# fails: large_logits_are_safe
import torch


def sequence_loss(logits, targets, pad):
    real = targets != pad
    probabilities = logits.softmax(-1).gather(-1, targets.where(real, 0)[..., None])[..., 0]
    return -probabilities[real].log().mean()


# %% wrong: a_little_for_zero — Adds a small number before the logarithm
# fails: large_logits_are_safe
import torch


def sequence_loss(logits, targets, pad):
    real = targets != pad
    probabilities = logits.softmax(-1).gather(-1, targets.where(real, 0)[..., None])[..., 0]
    return -(probabilities[real] + 1e-9).log().mean()


# %% wrong: bits — Takes logarithms to base 2
# fails: a_half_and_three_quarters, knowing_nothing_costs_ln_v
import math

import torch.nn.functional as F


def sequence_loss(logits, targets, pad):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad) / math.log(2)


# %% wrong: perplexity_itself — Goes on to the exponential
# fails: a_half_and_three_quarters, knowing_nothing_costs_ln_v
import torch.nn.functional as F


def sequence_loss(logits, targets, pad):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad).exp()


# %% wrong: targets_shifted_again — Compares each step with the target of the next
# fails: a_half_and_three_quarters, other_batches_cost_what_they_should
import torch.nn.functional as F


def sequence_loss(logits, targets, pad):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), targets[:, 1:].flatten(), ignore_index=pad)


# %% wrong: sign_forgotten — The mean log probability
# fails: a_half_and_three_quarters, knowing_nothing_costs_ln_v
import torch.nn.functional as F


def sequence_loss(logits, targets, pad):
    return -F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad)


# %% wrong: a_plain_number — Turns the loss into a number, from which nothing can be learnt
# fails: a_half_and_three_quarters, knowing_nothing_costs_ln_v
import torch.nn.functional as F


def sequence_loss(logits, targets, pad):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad).item()


# %% wrong: padding_is_negative — Takes every target from 0 up for an id
# fails: other_batches_cost_what_they_should
import torch


def sequence_loss(logits, targets, pad):
    counts = targets >= 0
    chosen = logits.log_softmax(-1).gather(-1, (targets * counts).clamp(max=logits.shape[-1] - 1)[..., None])[..., 0]
    return -chosen[counts].mean()


# %% wrong: padding_made_zero — Looks up symbol 0 at a negative number, and nothing at V
# fails: other_batches_cost_what_they_should
import torch


def sequence_loss(logits, targets, pad):
    costs = -logits.log_softmax(-1).gather(-1, targets.clamp(min=0)[..., None])[..., 0]
    return costs[targets != pad].mean()


# %% right: padding_left_out_first — The places that count, then one row each
def sequence_loss(logits, targets, pad):
    kept = (targets != pad).nonzero(as_tuple=True)
    rows, wanted = logits[kept], targets[kept]
    return (rows.logsumexp(-1) - rows.take_along_dim(wanted[:, None], 1)[:, 0]).sum() / len(wanted)


# %% wrong: in_float64 — More exact than the logits, in a type that nobody asked for
# fails: other_batches_cost_what_they_should
import torch


def sequence_loss(logits, targets, pad):
    return torch.nn.functional.cross_entropy(logits.double().mT, targets, ignore_index=pad)


# %% wrong: half_a_gradient — The sum below the line is taken for a constant
# fails: a_net_can_learn_from_it
import torch


def sequence_loss(logits, targets, pad):
    there = targets != pad
    scores, wanted = logits[there], targets[there]
    return (scores.detach().logsumexp(-1) - scores.gather(1, wanted[:, None])[:, 0]).mean()


# %% wrong: every_negative_number — Takes what is below 0 for padding, and V for an id
# fails: padding_counts_neither_above_nor_below
import torch


def sequence_loss(logits, targets, pad):
    there = targets >= 0
    return torch.nn.functional.cross_entropy(logits[there], targets[there])


# %% wrong: held_below_two_thousand — Larger logits are cut, "for safety"
# fails: other_batches_cost_what_they_should
import torch.nn.functional as F


def sequence_loss(logits, targets, pad):
    logits = logits.clamp(-2000, 2000).flatten(0, 1)
    return F.cross_entropy(logits, targets.flatten(), ignore_index=pad)
