# Answers to 4.8, a mean of what is real. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: einsum_and_counts — A product with the mask, summed by einsum
import torch


def masked_mean(states, mask):
    real = mask.to(states.dtype)
    total = torch.einsum("bth,bt->bh", states, real)
    return total / torch.clamp(real.sum(1), min=1).unsqueeze(1)


# %% right: shares_first — Each real step has its share, and a matrix product adds up
import torch


def masked_mean(states, mask):
    shares = mask.to(states.dtype)
    shares = shares / shares.sum(dim=1, keepdim=True).clamp_min(1)
    return torch.bmm(shares.unsqueeze(1), states).squeeze(1)


# %% right: row_by_row — The mean of each row's real steps, where there are any
import torch


def masked_mean(states, mask):
    rows = []
    for row, real in zip(states, mask):
        n = int(real.sum())
        rows.append(row[:n].sum(0) / n if n else row.sum(0) * 0)
    return torch.stack(rows)


# %% right: filled_and_selected — Pads filled with zeros; rows without a step are chosen by where
import torch


def masked_mean(states, mask):
    filled = torch.where(mask[:, :, None], states, torch.zeros_like(states))
    count = torch.count_nonzero(mask, dim=1)[:, None]
    return filled.sum(dim=1) / torch.where(count > 0, count, 1)


# %% right: means_of_selections — The mean of what is picked; of nothing it is nan, which is replaced
import torch


def masked_mean(states, mask):
    rows = torch.stack([row[real].mean(0) for row, real in zip(states, mask)])
    return torch.where(rows.isnan(), torch.zeros_like(rows), rows)


# %% wrong: mean_over_pads — The mean over all T places
# fails: the_mean_of_two_by_hand, pads_have_no_part_in_the_mean
def masked_mean(states, mask):
    return states.mean(dim=1)


# %% wrong: padded_end_taken — Pools by the last place, which is a pad's in all rows but the longest
# fails: the_mean_of_two_by_hand, pads_have_no_part_in_the_mean
def masked_mean(states, mask):
    return states[:, -1]


# %% wrong: real_sum_over_all_places — Sums what is real, divides by T
# fails: the_mean_of_two_by_hand, pads_have_no_part_in_the_mean
def masked_mean(states, mask):
    return (states * mask[..., None]).mean(1)


# %% wrong: mask_inverted — The mean of the pads
# fails: the_mean_of_two_by_hand, pads_have_no_part_in_the_mean
def masked_mean(states, mask):
    other = ~mask
    return (states * other[..., None]).sum(1) / other.sum(1, keepdim=True).clamp(min=1)


# %% wrong: zero_over_zero — A row without a real step is nan
# fails: a_row_without_a_real_step_has_zeros
def masked_mean(states, mask):
    return (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)


# %% wrong: nan_put_to_zero — Zeros in the result, nan in the gradient
# fails: a_row_without_a_real_step_has_zeros
def masked_mean(states, mask):
    rows = (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
    return rows.nan_to_num(0.0)


# %% wrong: one_more_below — Adds one to the number of steps, to be on the safe side
# fails: the_mean_of_two_by_hand, pads_have_no_part_in_the_mean
def masked_mean(states, mask):
    return (states * mask[..., None]).sum(1) / (mask.sum(1, keepdim=True) + 1)


# %% wrong: all_rows_alike — Divides by the number of real steps of the batch
# fails: the_mean_of_two_by_hand
def masked_mean(states, mask):
    return (states * mask[..., None]).sum(1) / mask.sum().clamp(min=1)


# %% wrong: mask_on_the_wrong_axis — The mask is broadcast along the units
# fails: the_mean_of_two_by_hand, the_mask_picks_steps_and_not_units
def masked_mean(states, mask):
    return (states * mask[:, None]).sum(1) / mask.sum(1, keepdim=True).clamp(min=1)


# %% wrong: nonzero_steps — Takes steps whose states are zeros for pads
# fails: pads_have_no_part_in_the_mean
def masked_mean(states, mask):
    real = states.abs().sum(-1) > 0
    return (states * real[..., None]).sum(1) / real.sum(1, keepdim=True).clamp(min=1)


# %% wrong: detached — Numbers by numpy, and no way back
# fails: a_row_without_a_real_step_has_zeros
import numpy as np
import torch


def masked_mean(states, mask):
    s, m = states.detach().numpy(), mask.numpy()
    total = (s * m[..., None]).sum(1)
    return torch.from_numpy(total / np.maximum(m.sum(1, keepdims=True), 1)).to(states.dtype)


# %% wrong: mean_over_units — The mean over the last axis of real steps
# fails: the_mean_of_two_by_hand
def masked_mean(states, mask):
    return (states * mask[..., None]).mean(-1)


# %% wrong: float32_inside — The mask as float32 makes float64 out of nothing, and float32 of a mean
# fails: the_mask_picks_steps_and_not_units, means_of_other_batches
def masked_mean(states, mask):
    real = mask.float()
    return (states.float() * real[..., None]).sum(1) / real.sum(1, keepdim=True).clamp(min=1)


# %% right: chosen_after_the_division — 0/0 where no step is real, and no way back from there to a state
import torch


def masked_mean(states, mask):
    total = torch.where(mask[..., None], states, torch.zeros_like(states)).sum(dim=1)
    means = total / mask.sum(dim=1, keepdim=True).to(states.dtype)
    return torch.where(mask.any(dim=1, keepdim=True), means, torch.zeros_like(means))


# %% wrong: zeros_are_no_step — Counts the real states that hold something
# fails: the_mean_of_two_by_hand, means_of_other_batches
def masked_mean(states, mask):
    kept = states.masked_fill(~mask[..., None], 0)
    steps = (kept.abs().sum(-1) > 0).sum(1)
    return kept.sum(1) / steps.clamp(min=1)[:, None]
