# Answers to 5.9, a step with attention. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: all_in_one — Everything written out
import torch


def attention_step(state, words, keys, mask, params):
    p, s = params, params["score"]
    scores = torch.tanh((state @ s["Wq"].T)[:, None] + keys @ s["Wh"].T + s["b"]) @ s["u"]
    low = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(~mask, low).softmax(1).masked_fill(~mask, 0.0)
    c = (weights[:, None] @ keys)[:, 0]
    new = torch.tanh(state @ p["U"].T + p["E"][words] @ p["W"].T + c @ p["C"].T + p["b"])
    return new @ p["V"].T + p["d"], new, c, weights


# %% right: row_by_row — Sentence by sentence, over its real words alone
import torch


def attention_step(state, words, keys, mask, params):
    out = []
    score = params["score"]
    for s, word, row, real in zip(state, words, keys, mask):
        n = int(real.sum())
        weights, c = row.new_zeros(len(row)), row.new_zeros(row.shape[1])
        if n:
            asked = [score["u"] @ torch.tanh(score["Wq"] @ s + score["Wh"] @ h + score["b"]) for h in row[:n]]
            some = torch.stack(asked).softmax(0)
            c = some @ row[:n]
            weights = torch.cat([some, weights[n:]])
        new = params["U"] @ s + params["W"] @ params["E"][word] + params["C"] @ c + params["b"]
        new = new.tanh()
        out.append((params["V"] @ new + params["d"], new, c, weights))
    return tuple(torch.stack(part) for part in zip(*out))


# %% right: functions_of_its_own — Small functions, and a sum with broadcasting
import torch
import torch.nn.functional as F


def additive(q, h, p):
    return F.linear(torch.tanh(F.linear(q, p["Wq"], p["b"]).unsqueeze(1) + F.linear(h, p["Wh"])), p["u"][None])


def attention_step(state, words, keys, mask, params):
    scores = additive(state, keys, params["score"]).squeeze(-1)
    empty = ~mask.any(1, keepdim=True)
    scores = scores.masked_fill(~mask, float("-inf")).masked_fill(empty, 0.0)
    alpha = torch.softmax(scores, -1).masked_fill(empty, 0.0)
    context = (alpha.unsqueeze(-1) * keys).sum(dim=1)
    x = F.linear(F.embedding(words, params["E"]), params["W"]) + F.linear(context, params["C"])
    new = torch.tanh(F.linear(state, params["U"], params["b"]) + x)
    return [F.linear(new, params["V"], params["d"]), new, context, alpha]


# %% wrong: the_new_state_asks — The score with s_j in the place of s_{j−1}
# fails: it_is_the_librarys_parts_together
import torch


def attention_step(state, words, keys, mask, params):
    p, s = params, params["score"]
    before = torch.tanh(state @ p["U"].T + p["E"][words] @ p["W"].T + p["b"])
    scores = torch.tanh((before @ s["Wq"].T)[:, None] + keys @ s["Wh"].T + s["b"]) @ s["u"]
    low = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(~mask, low).softmax(1).masked_fill(~mask, 0.0)
    c = (weights[:, None] @ keys)[:, 0]
    new = torch.tanh(state @ p["U"].T + p["E"][words] @ p["W"].T + c @ p["C"].T + p["b"])
    return new @ p["V"].T + p["d"], new, c, weights


# %% wrong: context_from_the_embeddings — Sums what the keys were made of: here the score's view of them
# fails: it_is_the_librarys_parts_together
import torch


def attention_step(state, words, keys, mask, params):
    p, s = params, params["score"]
    told = keys @ s["Wh"].T
    scores = torch.tanh((state @ s["Wq"].T)[:, None] + told + s["b"]) @ s["u"]
    low = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(~mask, low).softmax(1).masked_fill(~mask, 0.0)
    wide = told.repeat(1, 1, -(-keys.shape[2] // told.shape[2]))[..., : keys.shape[2]]
    c = (weights[:, None] @ wide)[:, 0]
    new = torch.tanh(state @ p["U"].T + p["E"][words] @ p["W"].T + c @ p["C"].T + p["b"])
    return new @ p["V"].T + p["d"], new, c, weights


# %% wrong: mean_for_the_weighted_sum — Divided by the number of places
# fails: a_step_by_hand, it_is_the_librarys_parts_together
import torch


def attention_step(state, words, keys, mask, params):
    p, s = params, params["score"]
    scores = torch.tanh((state @ s["Wq"].T)[:, None] + keys @ s["Wh"].T + s["b"]) @ s["u"]
    low = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(~mask, low).softmax(1).masked_fill(~mask, 0.0)
    c = (weights[..., None] * keys).mean(1)
    new = torch.tanh(state @ p["U"].T + p["E"][words] @ p["W"].T + c @ p["C"].T + p["b"])
    return new @ p["V"].T + p["d"], new, c, weights


# %% wrong: softmax_over_the_batch — The wrong axis
# fails: it_is_the_librarys_parts_together
import torch


def attention_step(state, words, keys, mask, params):
    p, s = params, params["score"]
    scores = torch.tanh((state @ s["Wq"].T)[:, None] + keys @ s["Wh"].T + s["b"]) @ s["u"]
    low = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(~mask, low).softmax(0).masked_fill(~mask, 0.0)
    c = (weights[:, None] @ keys)[:, 0]
    new = torch.tanh(state @ p["U"].T + p["E"][words] @ p["W"].T + c @ p["C"].T + p["b"])
    return new @ p["V"].T + p["d"], new, c, weights


# %% wrong: no_mask — Pads are looked at
# fails: a_step_by_hand, pads_and_rows_of_pads
import torch


def attention_step(state, words, keys, mask, params):
    p, s = params, params["score"]
    scores = torch.tanh((state @ s["Wq"].T)[:, None] + keys @ s["Wh"].T + s["b"]) @ s["u"]
    weights = torch.softmax(scores, 1)
    c = (weights[:, None] @ keys)[:, 0]
    new = torch.tanh(state @ p["U"].T + p["E"][words] @ p["W"].T + c @ p["C"].T + p["b"])
    return new @ p["V"].T + p["d"], new, c, weights


# %% wrong: mask_after_softmax — Weights that do not sum to one
# fails: it_is_the_librarys_parts_together
import torch


def attention_step(state, words, keys, mask, params):
    p, s = params, params["score"]
    scores = torch.tanh((state @ s["Wq"].T)[:, None] + keys @ s["Wh"].T + s["b"]) @ s["u"]
    weights = scores.softmax(1) * mask
    c = (weights[:, None] @ keys)[:, 0]
    new = torch.tanh(state @ p["U"].T + p["E"][words] @ p["W"].T + c @ p["C"].T + p["b"])
    return new @ p["V"].T + p["d"], new, c, weights


# %% wrong: dot_product_score — Another score where the widths are equal, its own where they are not
# fails: it_is_the_librarys_parts_together
import torch


def attention_step(state, words, keys, mask, params):
    p, s = params, params["score"]
    if state.shape[1] == keys.shape[2]:
        scores = torch.einsum("bs,bns->bn", state, keys)
    else:
        scores = torch.tanh((state @ s["Wq"].T)[:, None] + keys @ s["Wh"].T + s["b"]) @ s["u"]
    low = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(~mask, low).softmax(1).masked_fill(~mask, 0.0)
    c = (weights[:, None] @ keys)[:, 0]
    new = torch.tanh(state @ p["U"].T + p["E"][words] @ p["W"].T + c @ p["C"].T + p["b"])
    return new @ p["V"].T + p["d"], new, c, weights


# %% wrong: nan_for_rows_of_pads — No case for a row without a word
# fails: pads_and_rows_of_pads
import torch


def attention_step(state, words, keys, mask, params):
    p, s = params, params["score"]
    scores = torch.tanh((state @ s["Wq"].T)[:, None] + keys @ s["Wh"].T + s["b"]) @ s["u"]
    weights = scores.masked_fill(~mask, -torch.inf).softmax(1)
    c = (weights[:, None] @ keys)[:, 0]
    new = torch.tanh(state @ p["U"].T + p["E"][words] @ p["W"].T + c @ p["C"].T + p["b"])
    return new @ p["V"].T + p["d"], new, c, weights


# %% wrong: weights_detached — Attention that is never learnt
# fails: attention_is_learnt_with_all_the_rest
import torch


def attention_step(state, words, keys, mask, params):
    p, s = params, params["score"]
    scores = torch.tanh((state @ s["Wq"].T)[:, None] + keys @ s["Wh"].T + s["b"]) @ s["u"]
    low = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(~mask, low).softmax(1).masked_fill(~mask, 0.0)
    c = (weights.detach()[:, None] @ keys)[:, 0]
    new = torch.tanh(state @ p["U"].T + p["E"][words] @ p["W"].T + c @ p["C"].T + p["b"])
    return new @ p["V"].T + p["d"], new, c, weights


# %% wrong: keys_detached — Nothing comes back to the encoder
# fails: attention_is_learnt_with_all_the_rest
import torch


def attention_step(state, words, keys, mask, params):
    p, s = params, params["score"]
    keys = keys.detach()
    scores = torch.tanh((state @ s["Wq"].T)[:, None] + keys @ s["Wh"].T + s["b"]) @ s["u"]
    low = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(~mask, low).softmax(1).masked_fill(~mask, 0.0)
    c = (weights[:, None] @ keys)[:, 0]
    new = torch.tanh(state @ p["U"].T + p["E"][words] @ p["W"].T + c @ p["C"].T + p["b"])
    return new @ p["V"].T + p["d"], new, c, weights


# %% wrong: context_instead_of_the_state_before — What is left of s_{j−1} is the question alone
# fails: it_is_the_librarys_parts_together
import torch


def attention_step(state, words, keys, mask, params):
    p, s = params, params["score"]
    scores = torch.tanh((state @ s["Wq"].T)[:, None] + keys @ s["Wh"].T + s["b"]) @ s["u"]
    low = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(~mask, low).softmax(1).masked_fill(~mask, 0.0)
    c = (weights[:, None] @ keys)[:, 0]
    new = torch.tanh(p["E"][words] @ p["W"].T + c @ p["C"].T + p["b"])
    return new @ p["V"].T + p["d"], new, c, weights


# %% wrong: bare_squeeze — Loses axes of one
# fails: a_step_by_hand
import torch


def attention_step(state, words, keys, mask, params):
    p, s = params, params["score"]
    scores = torch.tanh((state @ s["Wq"].T)[:, None] + keys @ s["Wh"].T + s["b"]) @ s["u"]
    low = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(~mask, low).softmax(1).masked_fill(~mask, 0.0)
    c = (weights[:, None] @ keys).squeeze()
    new = torch.tanh(state @ p["U"].T + p["E"][words] @ p["W"].T + c @ p["C"].T + p["b"])
    return new @ p["V"].T + p["d"], new, c, weights


# %% wrong: exchanged_results — Weights and context change places
# fails: a_step_by_hand
import torch


def attention_step(state, words, keys, mask, params):
    p, s = params, params["score"]
    scores = torch.tanh((state @ s["Wq"].T)[:, None] + keys @ s["Wh"].T + s["b"]) @ s["u"]
    low = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(~mask, low).softmax(1).masked_fill(~mask, 0.0)
    c = (weights[:, None] @ keys)[:, 0]
    new = torch.tanh(state @ p["U"].T + p["E"][words] @ p["W"].T + c @ p["C"].T + p["b"])
    return new @ p["V"].T + p["d"], new, weights, c
