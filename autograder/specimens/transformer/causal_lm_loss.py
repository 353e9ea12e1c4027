# Answers to 7.6, the loss of all next symbols. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: cross_entropy — torch's loss, which ignores the pads
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    said, answers = logits[:, :-1], ids[:, 1:]
    return F.cross_entropy(said.reshape(-1, said.shape[-1]), answers.reshape(-1), ignore_index=pad)


# %% right: logsumexp — Logarithms by hand, a sum over a mask
import torch


def causal_lm_loss(logits, ids, pad):
    B, N = ids.shape
    total, count = logits.new_zeros(()), 0
    for i in range(N - 1):
        z, right = logits[:, i], ids[:, i + 1]
        nats = torch.logsumexp(z, dim=1) - z[torch.arange(B), right]
        asked = right.ne(pad)
        total = total + nats[asked].sum()
        count = count + int(asked.sum())
    return total / max(count, 1)


# %% right: rolled — All logits, targets rolled by one, the last place closed
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    wanted = ids.roll(-1, dims=1)
    asked = wanted != pad
    asked[:, -1] = False
    nats = F.cross_entropy(logits.transpose(1, 2), wanted, reduction="none")
    return nats.masked_select(asked).mean()


# %% right: another_mark — Pads become −100
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    targets = ids[:, 1:].masked_fill(ids[:, 1:] == pad, -100)
    logs = F.log_softmax(logits[:, : ids.size(1) - 1], dim=-1)
    return F.nll_loss(logs.flatten(0, 1), targets.flatten())


# %% wrong: unshifted — Each symbol is to say itself
# fails: two_questions_by_hand, the_next_symbol_is_the_answer
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    return F.cross_entropy(logits.flatten(0, 1), ids.flatten(), ignore_index=pad)


# %% wrong: unshifted_without_the_first — The same, from the second on
# fails: two_questions_by_hand, the_next_symbol_is_the_answer
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    said, answers = logits[:, 1:], ids[:, 1:]
    return F.cross_entropy(said.reshape(-1, said.shape[-1]), answers.reshape(-1), ignore_index=pad)


# %% wrong: shifted_backwards — The symbol before is the answer
# fails: two_questions_by_hand, the_next_symbol_is_the_answer
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    said, answers = logits[:, 1:], ids[:, :-1]
    return F.cross_entropy(said.reshape(-1, said.shape[-1]), answers.reshape(-1), ignore_index=pad)


# %% wrong: shifted_by_two — The symbol after next
# fails: the_next_symbol_is_the_answer
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    said, answers = logits[:, :-2], ids[:, 2:]
    return F.cross_entropy(said.reshape(-1, said.shape[-1]), answers.reshape(-1), ignore_index=pad)


# %% wrong: round_the_corner — The last place is to say the first symbol
# fails: two_questions_by_hand, the_next_symbol_is_the_answer
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    return F.cross_entropy(logits.flatten(0, 1), ids.roll(-1, 1).flatten(), ignore_index=pad)


# %% wrong: pads_counted — Pads are to be said
# fails: pads_are_not_to_be_said
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    said, answers = logits[:, :-1], ids[:, 1:]
    return F.cross_entropy(said.reshape(-1, said.shape[-1]), answers.reshape(-1))


# %% wrong: pads_counted_in_the_mean — Pads bring 0, and are counted
# fails: pads_are_not_to_be_said
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    said, answers = logits[:, :-1], ids[:, 1:]
    return (
        F.cross_entropy(said.reshape(-1, said.shape[-1]), answers.reshape(-1), ignore_index=pad, reduction="sum")
        / answers.numel()
    )


# %% wrong: last_symbol_and_pads — Only the first pad of a text is left out
# fails: pads_are_not_to_be_said
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    asked = (ids[:, :-1] != pad) if False else (ids[:, 1:] != pad) | (ids[:, :-1] == pad)
    nats = F.cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")
    return nats[asked].mean()


# %% wrong: reading_pads_alone — Left out where a pad is read, not where one is to be said
# fails: pads_are_not_to_be_said
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    nats = F.cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")
    return nats[ids[:, :-1] != pad].mean()


# %% wrong: pad_is_zero — Whatever the pad is, 0 is left out
# fails: other_texts_and_pads
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    said, answers = logits[:, :-1], ids[:, 1:]
    return F.cross_entropy(said.reshape(-1, said.shape[-1]), answers.reshape(-1), ignore_index=0)


# %% wrong: text_by_text — The mean of the texts' means
# fails: pads_are_not_to_be_said
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    texts = []
    for z, text in zip(logits, ids):
        asked = text[1:] != pad
        if asked.any():
            texts.append(F.cross_entropy(z[:-1][asked], text[1:][asked]))
    return torch.stack(texts).mean()


# %% wrong: place_by_place — The mean of the places' means
# fails: pads_are_not_to_be_said
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    places = []
    for i in range(ids.shape[1] - 1):
        asked = ids[:, i + 1] != pad
        if asked.any():
            places.append(F.cross_entropy(logits[asked, i], ids[asked, i + 1]))
    return torch.stack(places).mean()


# %% wrong: empty_texts_spoil — A text of pads is 0/0
# fails: pads_are_not_to_be_said
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    asked = (ids[:, 1:] != pad).to(logits.dtype)
    nats = F.cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")
    per_text = (nats * asked).sum(1) / asked.sum(1)
    return (per_text * asked.sum(1)).sum() / asked.sum()


# %% wrong: sum_for_mean — The sum of all
# fails: two_questions_by_hand, the_next_symbol_is_the_answer
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    said, answers = logits[:, :-1], ids[:, 1:]
    return F.cross_entropy(said.reshape(-1, said.shape[-1]), answers.reshape(-1), ignore_index=pad, reduction="sum")


# %% wrong: sum_by_texts — The sum, divided by the number of texts
# fails: two_questions_by_hand, the_next_symbol_is_the_answer
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    said, answers = logits[:, :-1], ids[:, 1:]
    rows, wanted = said.reshape(-1, said.shape[-1]), answers.reshape(-1)
    return F.cross_entropy(rows, wanted, ignore_index=pad, reduction="sum") / len(ids)


# %% wrong: bits — Logarithms to base 2
# fails: two_questions_by_hand, the_next_symbol_is_the_answer
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    said, answers = logits[:, :-1], ids[:, 1:]
    return (
        1
        / torch.tensor(2.0).log().item()
        * F.cross_entropy(said.reshape(-1, said.shape[-1]), answers.reshape(-1), ignore_index=pad)
    )


# %% wrong: sign_lost — The mean of ln P
# fails: two_questions_by_hand, the_next_symbol_is_the_answer
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    said, answers = logits[:, :-1], ids[:, 1:]
    return -F.cross_entropy(said.reshape(-1, said.shape[-1]), answers.reshape(-1), ignore_index=pad)


# %% wrong: softmax_twice — Probabilities taken for logits
# fails: two_questions_by_hand, the_next_symbol_is_the_answer
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    said, answers = logits[:, :-1].softmax(2), ids[:, 1:]
    return F.cross_entropy(said.reshape(-1, said.shape[-1]), answers.reshape(-1), ignore_index=pad)


# %% wrong: log_of_softmax — A logarithm of 0
# fails: logits_of_any_size
import torch


def causal_lm_loss(logits, ids, pad):
    p = logits[:, :-1].softmax(2).gather(2, ids[:, 1:, None])[..., 0]
    return -(p + 1e-12).log()[ids[:, 1:] != pad].mean()


# %% wrong: batch_of_one — The first text alone
# fails: the_next_symbol_is_the_answer
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    said, answers = logits[:1, :-1], ids[:1, 1:]
    return F.cross_entropy(said.reshape(-1, said.shape[-1]), answers.reshape(-1), ignore_index=pad)


# %% wrong: a_float — A number without a way back
# fails: what_is_said_is_taught
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    said, answers = logits[:, :-1], ids[:, 1:]
    return F.cross_entropy(said.reshape(-1, said.shape[-1]), answers.reshape(-1), ignore_index=pad).item()


# %% wrong: detached — A tensor without a way back
# fails: what_is_said_is_taught
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    said, answers = logits[:, :-1], ids[:, 1:]
    return F.cross_entropy(said.reshape(-1, said.shape[-1]), answers.reshape(-1), ignore_index=pad).detach()


# %% wrong: largest_of_all — The batch's largest logit is taken off, and small rows vanish
# fails: logits_of_any_size, logits_without_an_answer
import torch


def causal_lm_loss(logits, ids, pad):
    off = logits[:, :-1] - logits.max()
    logs = off - off.exp().sum(2, keepdim=True).log()
    return -logs.gather(2, ids[:, 1:, None])[..., 0][ids[:, 1:] != pad].mean()


# %% wrong: seven_digits — The loss of float64 in float32
# fails: logits_without_an_answer
import torch
import torch.nn.functional as F


def causal_lm_loss(logits, ids, pad):
    said, answers = logits[:, :-1].float(), ids[:, 1:]
    return F.cross_entropy(said.flatten(0, 1), answers.flatten(), ignore_index=pad).to(logits.dtype)
