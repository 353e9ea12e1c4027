# Answers to 4.4, a loss without pads. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: librarys_on_real_words — F.cross_entropy of what the mask picks
import torch.nn.functional as F


def masked_cross_entropy(logits, targets, mask):
    return F.cross_entropy(logits[mask], targets[mask])


# %% right: ignored_targets — Marks the pads' targets, and lets the library leave them out
import torch
import torch.nn.functional as F


def masked_cross_entropy(logits, targets, mask):
    marked = torch.where(mask, targets, torch.full_like(targets, -100))
    return F.cross_entropy(logits.transpose(1, 2), marked, ignore_index=-100)


# %% right: sentence_by_sentence — A sum over sentences, divided once
import torch


def masked_cross_entropy(logits, targets, mask):
    total, real_words = 0, 0
    for scores, tags, real in zip(logits, targets, mask):
        n = int(real.sum())
        for t in range(n):
            total = total + torch.logsumexp(scores[t], 0) - scores[t, tags[t]]
        real_words += n
    return total / real_words


# %% right: targets_made_harmless_and_selected — A loss for each place, of which the real ones are selected
import torch
import torch.nn.functional as F


def masked_cross_entropy(logits, targets, mask):
    safe = targets.masked_fill(~mask, 0)
    each = F.nll_loss(F.log_softmax(logits, -1).flatten(0, 1), safe.flatten(), reduction="none")
    return torch.masked_select(each, mask.flatten()).mean()


# %% right: one_hot_sums — Where the target is one, by a comparison
import torch


def masked_cross_entropy(logits, targets, mask):
    K = logits.shape[-1]
    chosen = (torch.arange(K) == targets[..., None]) & mask[..., None]
    log_probs = logits - logits.logsumexp(-1, keepdim=True)
    return -log_probs[chosen].sum() / mask.sum()


# %% wrong: mean_over_all_places — Divides by B · T
# fails: three_real_words_by_hand, what_stands_at_the_pads_is_of_no_matter
import torch
import torch.nn.functional as F


def masked_cross_entropy(logits, targets, mask):
    safe = targets.masked_fill(~mask, 0)
    each = F.cross_entropy(logits.mT, safe, reduction="none")
    return torch.where(mask, each, torch.zeros_like(each)).mean()


# %% wrong: loss_over_pads — The mask is not looked at
# fails: three_real_words_by_hand, what_stands_at_the_pads_is_of_no_matter
import torch.nn.functional as F


def masked_cross_entropy(logits, targets, mask):
    return F.cross_entropy(logits.mT, targets)


# %% wrong: mask_inverted — The mean over the pads
# fails: three_real_words_by_hand
import torch.nn.functional as F


def masked_cross_entropy(logits, targets, mask):
    return F.cross_entropy(logits[~mask], targets[~mask])


# %% wrong: mean_of_means — Each sentence counts alike
# fails: three_real_words_by_hand, each_word_counts_alike
import torch
import torch.nn.functional as F


def masked_cross_entropy(logits, targets, mask):
    return torch.stack([F.cross_entropy(l[m], t[m]) for l, t, m in zip(logits, targets, mask)]).mean()


# %% wrong: sum_for_mean — Sums over the real words
# fails: three_real_words_by_hand, without_pads_it_is_the_librarys
import torch.nn.functional as F


def masked_cross_entropy(logits, targets, mask):
    return F.cross_entropy(logits[mask], targets[mask], reduction="sum")


# %% wrong: sum_over_the_batch — Divides by the number of sentences
# fails: three_real_words_by_hand, without_pads_it_is_the_librarys
import torch.nn.functional as F


def masked_cross_entropy(logits, targets, mask):
    return F.cross_entropy(logits[mask], targets[mask], reduction="sum") / len(logits)


# %% wrong: softmax_over_time — The distribution is over the words
# fails: three_real_words_by_hand, without_pads_it_is_the_librarys
import torch


def masked_cross_entropy(logits, targets, mask):
    log_probs = logits.log_softmax(1)
    safe = targets.masked_fill(~mask, 0)
    each = -log_probs.gather(2, safe[..., None])[..., 0]
    return each[mask].mean()


# %% wrong: log_of_softmax — e to a large number, then its logarithm
# fails: large_logits_are_no_trouble
def masked_cross_entropy(logits, targets, mask):
    e = logits[mask].exp()
    probs = e / e.sum(-1, keepdim=True)
    return -probs.gather(1, targets[mask][:, None]).log().mean()


# %% wrong: in_bits — Logarithms to base 2
# fails: three_real_words_by_hand, without_pads_it_is_the_librarys
import math

import torch.nn.functional as F


def masked_cross_entropy(logits, targets, mask):
    return F.cross_entropy(logits[mask], targets[mask]) / math.log(2)


# %% wrong: a_plain_number — Right, and no gradient finds back
# fails: the_gradient_is_zero_at_the_pads_alone
import torch
import torch.nn.functional as F


def masked_cross_entropy(logits, targets, mask):
    return torch.tensor(F.cross_entropy(logits[mask], targets[mask]).item(), dtype=logits.dtype)


# %% wrong: negative_targets_are_pads — Goes by the targets instead of the mask
# fails: what_stands_at_the_pads_is_of_no_matter
import torch.nn.functional as F


def masked_cross_entropy(logits, targets, mask):
    real = targets >= 0
    return F.cross_entropy(logits[real], targets[real])


# %% wrong: zeros_for_pads — Logits of pads become zeros, which cost ln K each
# fails: three_real_words_by_hand
import torch
import torch.nn.functional as F


def masked_cross_entropy(logits, targets, mask):
    return F.cross_entropy((logits * mask[..., None]).mT, targets.masked_fill(~mask, 0))


# %% wrong: multiplied_by_one_hot — 0 times −∞ where a tag cannot be
# fails: impossible_tags_cost_nothing
import torch.nn.functional as F


def masked_cross_entropy(logits, targets, mask):
    log_probs = logits[mask].log_softmax(-1)
    return -(F.one_hot(targets[mask], logits.shape[-1]) * log_probs).sum() / mask.sum()


# %% wrong: impossible_is_minus_ten_thousand — A number for −∞, which other logits may be below
# fails: impossible_tags_cost_nothing
import torch


def masked_cross_entropy(logits, targets, mask):
    log_probs = torch.log_softmax(logits[mask].clamp(min=-10_000), -1)
    return -log_probs[torch.arange(len(log_probs)), targets[mask]].mean()


# %% wrong: losses_times_mask — A loss for each place, pads' targets made tags, and infinity times 0
# fails: impossible_tags_cost_nothing
import torch.nn.functional as F


def masked_cross_entropy(logits, targets, mask):
    known = targets.clamp(0, logits.shape[-1] - 1)
    losses = F.cross_entropy(logits.transpose(1, 2), known, reduction="none")
    return (losses * mask).sum() / mask.sum()


# %% wrong: tag_0_is_the_pads — Leaves tag 0 out, be it real or not
# fails: three_real_words_by_hand, without_pads_it_is_the_librarys
import torch.nn.functional as F


def masked_cross_entropy(logits, targets, mask):
    return F.cross_entropy(logits[mask], targets[mask], ignore_index=0)
