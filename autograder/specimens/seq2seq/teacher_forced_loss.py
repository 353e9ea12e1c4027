# Answers to 5.4, the loss by teacher forcing. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: running_sum — A sum and a count, place by place
import torch


def teacher_forced_loss(step, state, read, said, mask):
    total, count = 0.0, 0
    for j in range(read.shape[1]):
        log_probs, state = step(state, read[:, j])
        picked = log_probs[torch.arange(len(read)), said[:, j]]
        total = total - torch.where(mask[:, j], picked, torch.zeros_like(picked)).sum()
        count += int(mask[:, j].sum())
    return total / float(count)


# %% right: librarys_nll — All log probabilities side by side, and torch's loss over the real ones
import torch
import torch.nn.functional as F


def teacher_forced_loss(step, state, read, said, mask):
    rows = []
    for words in read.T:
        out, state = step(state, words.contiguous())
        rows.append(out)
    return F.nll_loss(torch.stack(rows, 1)[mask], said[mask])


# %% right: ignored_index — torch's loss with the pads ignored
import torch
import torch.nn.functional as F


def teacher_forced_loss(step, state, read, said, mask):
    outs = []
    for j in range(said.size(1)):
        log_probs, state = step(state, read[:, j])
        outs.append(log_probs)
    targets = said.masked_fill(~mask, -100)
    return F.nll_loss(torch.stack(outs, dim=2), targets, ignore_index=-100)


# %% right: only_as_long_as_needed — Word by word in Python, and steps no longer than the longest row
import torch


def teacher_forced_loss(step, state, read, said, mask):
    picked = []
    for j in range(int(mask.sum(1).max())):
        log_probs, state = step(state, read[:, j])
        for b in range(len(read)):
            if mask[b, j]:
                picked.append(log_probs[b, said[b, j]])
    return -torch.stack(picked).mean()


# %% wrong: loss_over_pads — The mean over all places, pads and all
# fails: three_words_by_hand, pads_cost_nothing
import torch


def teacher_forced_loss(step, state, read, said, mask):
    found = []
    for j in range(read.shape[1]):
        log_probs, state = step(state, read[:, j])
        found.append(-log_probs.gather(1, said[:, j, None]))
    return torch.cat(found, 1).mean()


# %% wrong: times_the_mask — 0 times infinity
# fails: pads_cost_nothing
import torch


def teacher_forced_loss(step, state, read, said, mask):
    found = []
    for j in range(read.shape[1]):
        log_probs, state = step(state, read[:, j])
        found.append(-log_probs.gather(1, said[:, j, None]))
    return (torch.cat(found, 1) * mask).sum() / mask.sum()


# %% wrong: summed_over_real_divided_by_all — Divided by the number of places
# fails: three_words_by_hand, each_word_counts_alike
import torch


def teacher_forced_loss(step, state, read, said, mask):
    found = []
    for j in range(read.shape[1]):
        log_probs, state = step(state, read[:, j])
        found.append(-log_probs.gather(1, said[:, j, None]))
    return torch.cat(found, 1)[mask].sum() / mask.numel()


# %% wrong: mean_of_rows — A mean of each row's mean
# fails: three_words_by_hand, each_word_counts_alike
import torch


def teacher_forced_loss(step, state, read, said, mask):
    found = []
    for j in range(read.shape[1]):
        log_probs, state = step(state, read[:, j])
        found.append(-log_probs.gather(1, said[:, j, None]))
    found = torch.cat(found, 1)
    return torch.stack([row[real].mean() for row, real in zip(found, mask)]).mean()


# %% wrong: mean_of_steps — A mean of each step's mean
# fails: three_words_by_hand, rows_of_a_batch_do_not_meet
import torch


def teacher_forced_loss(step, state, read, said, mask):
    found = []
    for j in range(read.shape[1]):
        log_probs, state = step(state, read[:, j])
        picked = -log_probs.gather(1, said[:, j, None])[:, 0]
        if mask[:, j].any():
            found.append(picked[mask[:, j]].mean())
    return torch.stack(found).mean()


# %% wrong: reads_what_it_should_say — The word that is to be said is read before it is said
# fails: three_words_by_hand, a_decoder_that_knows_the_text_loses_nothing
import torch


def teacher_forced_loss(step, state, read, said, mask):
    found = []
    for j in range(read.shape[1]):
        log_probs, state = step(state, said[:, j])
        found.append(-log_probs.gather(1, said[:, j, None]))
    return torch.cat(found, 1)[mask].mean()


# %% wrong: shifted_once_more — Asks for the next word but one
# fails: three_words_by_hand, a_decoder_that_knows_the_text_loses_nothing
import torch


def teacher_forced_loss(step, state, read, said, mask):
    found = []
    for j in range(read.shape[1]):
        log_probs, state = step(state, read[:, j])
        found.append(-log_probs.gather(1, said[:, min(j + 1, said.shape[1] - 1), None]))
    return torch.cat(found, 1)[mask].mean()


# %% wrong: asks_for_what_was_read — The loss of the word that went in
# fails: three_words_by_hand
import torch


def teacher_forced_loss(step, state, read, said, mask):
    found = []
    for j in range(read.shape[1]):
        log_probs, state = step(state, read[:, j])
        found.append(-log_probs.gather(1, read[:, j, None]))
    return torch.cat(found, 1)[mask].mean()


# %% wrong: own_words — Free running: what is read is what it thinks best
# fails: a_decoder_that_knows_the_text_loses_nothing
import torch


def teacher_forced_loss(step, state, read, said, mask):
    found, words = [], read[:, 0]
    for j in range(read.shape[1]):
        log_probs, state = step(state, words)
        found.append(-log_probs.gather(1, said[:, j, None]))
        words = log_probs.max(1).indices
    return torch.cat(found, 1)[mask].mean()


# %% wrong: state_of_the_first_step — Each step begins anew
# fails: a_decoder_that_knows_the_text_loses_nothing
import torch


def teacher_forced_loss(step, state, read, said, mask):
    found = []
    for j in range(read.shape[1]):
        log_probs, _ = step(state, read[:, j])
        found.append(-log_probs.gather(1, said[:, j, None]))
    return torch.cat(found, 1)[mask].mean()


# %% wrong: bits — The logarithm to base 2
# fails: three_words_by_hand
import math

import torch


def teacher_forced_loss(step, state, read, said, mask):
    found = []
    for j in range(read.shape[1]):
        log_probs, state = step(state, read[:, j])
        found.append(-log_probs.gather(1, said[:, j, None]))
    return torch.cat(found, 1)[mask].mean() / math.log(2)


# %% wrong: softmax_again — Log probabilities taken for logits
# fails: three_words_by_hand
import torch
import torch.nn.functional as F


def teacher_forced_loss(step, state, read, said, mask):
    outs = []
    for j in range(read.shape[1]):
        log_probs, state = step(state, read[:, j])
        outs.append(log_probs.exp())
    return F.cross_entropy(torch.stack(outs, 1)[mask], said[mask])


# %% wrong: sum_for_mean — The sum over all words
# fails: three_words_by_hand
import torch


def teacher_forced_loss(step, state, read, said, mask):
    found = []
    for j in range(read.shape[1]):
        log_probs, state = step(state, read[:, j])
        found.append(-log_probs.gather(1, said[:, j, None]))
    return torch.cat(found, 1)[mask].sum()


# %% wrong: pads_by_their_id — Whatever is not the first row's length long is left out
# fails: each_word_counts_alike
import torch


def teacher_forced_loss(step, state, read, said, mask):
    found = []
    for j in range(int(mask[0].sum())):
        log_probs, state = step(state, read[:, j])
        picked = -log_probs.gather(1, said[:, j, None])[:, 0]
        found.append(picked[mask[:, j]])
    return torch.cat(found).mean()


# %% wrong: a_float — Python's numbers, which teach nothing
# fails: the_loss_is_a_tensor_in_its_type
def teacher_forced_loss(step, state, read, said, mask):
    total, count = 0.0, 0
    for j in range(read.shape[1]):
        log_probs, state = step(state, read[:, j])
        for b in range(len(read)):
            if mask[b, j]:
                total -= log_probs[b, said[b, j]].item()
                count += 1
    return total / float(count)


# %% wrong: clamped — Improbable words cost no more than 20 nats
# fails: improbable_words_cost_what_they_cost
import torch


def teacher_forced_loss(step, state, read, said, mask):
    found = []
    for j in range(read.shape[1]):
        log_probs, state = step(state, read[:, j])
        found.append(-log_probs.clamp(min=-20).gather(1, said[:, j, None]))
    return torch.cat(found, 1)[mask].mean()


# %% wrong: float32_buffer — Collected in single precision, returned in double
# fails: the_loss_is_a_tensor_in_its_type
import torch


def teacher_forced_loss(step, state, read, said, mask):
    found = torch.zeros(read.shape)
    for j in range(read.shape[1]):
        log_probs, state = step(state, read[:, j])
        found[:, j] = -log_probs.gather(1, said[:, j, None])[:, 0]
    return found[mask].mean().to(log_probs.dtype)


# %% wrong: made_anew — The mean of Python's numbers, as a tensor that teaches nothing
# fails: the_loss_teaches_the_decoder
import torch


def teacher_forced_loss(step, state, read, said, mask):
    found = []
    for j in range(read.shape[1]):
        log_probs, state = step(state, read[:, j])
        for b in range(len(read)):
            if mask[b, j]:
                found.append(-log_probs[b, said[b, j]].item())
    return torch.tensor(found, dtype=log_probs.dtype).mean()


# %% wrong: detached_at_the_end — Right, and cut off from what it was made of
# fails: the_loss_teaches_the_decoder
import torch


def teacher_forced_loss(step, state, read, said, mask):
    found = []
    for words, wanted in zip(read.unbind(1), said.unbind(1)):
        log_probs, state = step(state, words)
        found.append(log_probs.gather(1, wanted[:, None]))
    return -torch.cat(found, dim=1)[mask].mean().detach()


# %% right: written_over — Log probabilities of pads are overwritten where they stand
import torch


def teacher_forced_loss(step, state, read, said, mask):
    total = 0
    for j in range(read.shape[1]):
        log_probs, state = step(state, read[:, j])
        log_probs[~mask[:, j]] = 0.0
        total = total - log_probs[torch.arange(len(read)), said[:, j]].sum()
    return total / mask.sum()
