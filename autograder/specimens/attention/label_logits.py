# Answers to 6.7, a net with one layer. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: all_in_one — Everything written out
import torch


def table(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


def heads_of(x, params, heads, seen):
    B, N, _ = x.shape
    q, k, v = ((x @ params["W" + r].T + params["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2) for r in "qkv")
    scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(x.dtype).min)
    found = (scores.softmax(-1).masked_fill(~seen, 0.0) @ v).transpose(1, 2).flatten(2)
    return found @ params["Wo"].T + params["bo"]


def label_logits(ids, real, params, heads, causal):
    N = ids.shape[1]
    seen = real[:, None, None] & (torch.ones(N, N).tril().bool() if causal else torch.ones(N, N).bool())
    x = params["E"][ids] + table(N, params["E"].shape[1])
    x = heads_of(x, params, heads, seen)
    return x @ params["W"].T + params["b"]


# %% right: sentence_by_sentence — A loop over sentences and heads, over real words alone
import math
import torch


def label_logits(ids, real, params, heads, causal):
    N, D = ids.shape[1], params["E"].shape[1]
    K = params["Wk"].shape[0] // heads
    out = []
    for row, words in zip(ids, real):
        places = [[p / 10000 ** (2 * (c // 2) / D) for c in range(D)] for p in range(N)]
        table = [[math.cos(a) if c % 2 else math.sin(a) for c, a in enumerate(r)] for r in places]
        x = params["E"][row] + torch.tensor(table, dtype=params["E"].dtype)
        new = []
        for i in range(N):
            own = [j for j in range(N) if words[j] and (j <= i or not causal)]
            y = params["bo"]
            for h in range(heads if own else 0):
                s = slice(h * K, (h + 1) * K)
                q = params["Wq"][s] @ x[i] + params["bq"][s]
                k = x[own] @ params["Wk"][s].T + params["bk"][s]
                v = x[own] @ params["Wv"][s].T + params["bv"][s]
                y = y + params["Wo"][:, s] @ (torch.softmax(k @ q / K**0.5, 0) @ v)
            new.append(params["W"] @ y + params["b"])
        out.append(torch.stack(new))
    return torch.stack(out)


# %% right: zeros_at_the_pads — What comes out at pads is wiped, which is of no matter
import torch


def table(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


def heads_of(x, params, heads, seen):
    B, N, _ = x.shape
    q, k, v = ((x @ params["W" + r].T + params["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2) for r in "qkv")
    scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(x.dtype).min)
    found = (scores.softmax(-1).masked_fill(~seen, 0.0) @ v).transpose(1, 2).flatten(2)
    return found @ params["Wo"].T + params["bo"]


def label_logits(ids, real, params, heads, causal):
    N = ids.shape[1]
    seen = real[:, None, None] & (torch.ones(N, N).tril().bool() if causal else torch.ones(N, N).bool())
    x = params["E"][ids] + table(N, params["E"].shape[1])
    x = heads_of(x, params, heads, seen)
    return (x @ params["W"].T + params["b"]) * real[..., None]


# %% right: added_mask — A mask of minus infinity is added, but for sentences without a word
import torch
import torch.nn.functional as F


def label_logits(ids, real, params, heads, causal):
    E = params["E"]
    n, d = ids.shape[1], E.shape[1]
    x = F.embedding(ids, E)
    p = torch.arange(n, dtype=torch.float64)[:, None]
    w = 10000 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    pe = torch.zeros(n, d, dtype=E.dtype)
    pe[:, 0::2] = (p * w).sin().to(E.dtype)
    pe[:, 1::2] = (p * w).cos().to(E.dtype)
    x = x + pe
    added = torch.zeros(len(ids), 1, n, n, dtype=E.dtype).masked_fill(
        ~(real | ~real.any(1, keepdim=True))[:, None, None], -torch.inf
    )
    if causal:
        added = added + torch.full((n, n), -torch.inf, dtype=E.dtype).triu(1)
    q, k, v = (
        F.linear(x, params["W" + r], params["b" + r]).view(len(ids), n, heads, -1).transpose(1, 2) for r in "qkv"
    )
    weights = (q @ k.transpose(2, 3) / q.shape[3] ** 0.5 + added).softmax(-1).nan_to_num(0.0)
    y = F.linear((weights @ v).transpose(1, 2).reshape(len(ids), n, -1), params["Wo"], params["bo"])
    return F.linear(y, params["W"], params["b"])


# %% wrong: positions_added_after_attention — Attention cannot ask for places
# fails: it_is_the_librarys_parts_together
import torch


def table(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


def heads_of(x, params, heads, seen):
    B, N, _ = x.shape
    q, k, v = ((x @ params["W" + r].T + params["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2) for r in "qkv")
    scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(x.dtype).min)
    found = (scores.softmax(-1).masked_fill(~seen, 0.0) @ v).transpose(1, 2).flatten(2)
    return found @ params["Wo"].T + params["bo"]


def label_logits(ids, real, params, heads, causal):
    N = ids.shape[1]
    seen = real[:, None, None] & (torch.ones(N, N).tril().bool() if causal else torch.ones(N, N).bool())
    x = params["E"][ids]
    x = heads_of(x, params, heads, seen) + table(N, x.shape[2])
    return x @ params["W"].T + params["b"]


# %% wrong: no_positions — A bag of words
# fails: two_words_by_hand, it_is_the_librarys_parts_together, order_matters
import torch


def table(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


def heads_of(x, params, heads, seen):
    B, N, _ = x.shape
    q, k, v = ((x @ params["W" + r].T + params["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2) for r in "qkv")
    scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(x.dtype).min)
    found = (scores.softmax(-1).masked_fill(~seen, 0.0) @ v).transpose(1, 2).flatten(2)
    return found @ params["Wo"].T + params["bo"]


def label_logits(ids, real, params, heads, causal):
    N = ids.shape[1]
    seen = real[:, None, None] & (torch.ones(N, N).tril().bool() if causal else torch.ones(N, N).bool())
    x = params["E"][ids]
    x = heads_of(x, params, heads, seen)
    return x @ params["W"].T + params["b"]


# %% wrong: positions_added_twice — Before attention and after it
# fails: two_words_by_hand, it_is_the_librarys_parts_together
import torch


def table(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


def heads_of(x, params, heads, seen):
    B, N, _ = x.shape
    q, k, v = ((x @ params["W" + r].T + params["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2) for r in "qkv")
    scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(x.dtype).min)
    found = (scores.softmax(-1).masked_fill(~seen, 0.0) @ v).transpose(1, 2).flatten(2)
    return found @ params["Wo"].T + params["bo"]


def label_logits(ids, real, params, heads, causal):
    N = ids.shape[1]
    seen = real[:, None, None] & (torch.ones(N, N).tril().bool() if causal else torch.ones(N, N).bool())
    x = params["E"][ids] + table(N, params["E"].shape[1])
    x = heads_of(x, params, heads, seen) + table(N, x.shape[2])
    return x @ params["W"].T + params["b"]


# %% wrong: x_is_added — What stood there is added, as unit 7 will do
# fails: two_words_by_hand, it_is_the_librarys_parts_together
import torch


def table(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


def heads_of(x, params, heads, seen):
    B, N, _ = x.shape
    q, k, v = ((x @ params["W" + r].T + params["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2) for r in "qkv")
    scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(x.dtype).min)
    found = (scores.softmax(-1).masked_fill(~seen, 0.0) @ v).transpose(1, 2).flatten(2)
    return found @ params["Wo"].T + params["bo"]


def label_logits(ids, real, params, heads, causal):
    N = ids.shape[1]
    seen = real[:, None, None] & (torch.ones(N, N).tril().bool() if causal else torch.ones(N, N).bool())
    x = params["E"][ids] + table(N, params["E"].shape[1])
    x = x + heads_of(x, params, heads, seen)
    return x @ params["W"].T + params["b"]


# %% wrong: words_added — The vector of the word is added
# fails: two_words_by_hand, it_is_the_librarys_parts_together
import torch


def table(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


def heads_of(x, params, heads, seen):
    B, N, _ = x.shape
    q, k, v = ((x @ params["W" + r].T + params["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2) for r in "qkv")
    scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(x.dtype).min)
    found = (scores.softmax(-1).masked_fill(~seen, 0.0) @ v).transpose(1, 2).flatten(2)
    return found @ params["Wo"].T + params["bo"]


def label_logits(ids, real, params, heads, causal):
    N = ids.shape[1]
    seen = real[:, None, None] & (torch.ones(N, N).tril().bool() if causal else torch.ones(N, N).bool())
    x = params["E"][ids] + table(N, params["E"].shape[1])
    x = params["E"][ids] + heads_of(x, params, heads, seen)
    return x @ params["W"].T + params["b"]


# %% wrong: base_100 — Another table of positions
# fails: it_is_the_librarys_parts_together
import torch


def table(n, d):
    angles = torch.arange(n)[:, None] / 100 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


def heads_of(x, params, heads, seen):
    B, N, _ = x.shape
    q, k, v = ((x @ params["W" + r].T + params["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2) for r in "qkv")
    scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(x.dtype).min)
    found = (scores.softmax(-1).masked_fill(~seen, 0.0) @ v).transpose(1, 2).flatten(2)
    return found @ params["Wo"].T + params["bo"]


def label_logits(ids, real, params, heads, causal):
    N = ids.shape[1]
    seen = real[:, None, None] & (torch.ones(N, N).tril().bool() if causal else torch.ones(N, N).bool())
    x = params["E"][ids] + table(N, params["E"].shape[1])
    x = heads_of(x, params, heads, seen)
    return x @ params["W"].T + params["b"]


# %% wrong: causal_ignored — All words are seen, always
# fails: causal_labels_do_not_see_what_is_to_come
import torch


def table(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


def heads_of(x, params, heads, seen):
    B, N, _ = x.shape
    q, k, v = ((x @ params["W" + r].T + params["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2) for r in "qkv")
    scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(x.dtype).min)
    found = (scores.softmax(-1).masked_fill(~seen, 0.0) @ v).transpose(1, 2).flatten(2)
    return found @ params["Wo"].T + params["bo"]


def label_logits(ids, real, params, heads, causal):
    N = ids.shape[1]
    seen = real[:, None, None] & torch.ones(N, N).bool()
    x = params["E"][ids] + table(N, params["E"].shape[1])
    x = heads_of(x, params, heads, seen)
    return x @ params["W"].T + params["b"]


# %% wrong: causal_always — No word sees what is behind it
# fails: it_is_the_librarys_parts_together, causal_labels_do_not_see_what_is_to_come
import torch


def table(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


def heads_of(x, params, heads, seen):
    B, N, _ = x.shape
    q, k, v = ((x @ params["W" + r].T + params["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2) for r in "qkv")
    scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(x.dtype).min)
    found = (scores.softmax(-1).masked_fill(~seen, 0.0) @ v).transpose(1, 2).flatten(2)
    return found @ params["Wo"].T + params["bo"]


def label_logits(ids, real, params, heads, causal):
    N = ids.shape[1]
    seen = real[:, None, None] & torch.ones(N, N).tril().bool()
    x = params["E"][ids] + table(N, params["E"].shape[1])
    x = heads_of(x, params, heads, seen)
    return x @ params["W"].T + params["b"]


# %% wrong: causal_off_by_one — The word behind is seen
# fails: it_is_the_librarys_parts_together, causal_labels_do_not_see_what_is_to_come
import torch


def table(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


def heads_of(x, params, heads, seen):
    B, N, _ = x.shape
    q, k, v = ((x @ params["W" + r].T + params["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2) for r in "qkv")
    scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(x.dtype).min)
    found = (scores.softmax(-1).masked_fill(~seen, 0.0) @ v).transpose(1, 2).flatten(2)
    return found @ params["Wo"].T + params["bo"]


def label_logits(ids, real, params, heads, causal):
    N = ids.shape[1]
    seen = real[:, None, None] & (torch.ones(N, N).tril(1).bool() if causal else torch.ones(N, N).bool())
    x = params["E"][ids] + table(N, params["E"].shape[1])
    x = heads_of(x, params, heads, seen)
    return x @ params["W"].T + params["b"]


# %% wrong: pads_are_seen — Real or not
# fails: it_is_the_librarys_parts_together, pads_change_no_label
import torch


def table(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


def heads_of(x, params, heads, seen):
    B, N, _ = x.shape
    q, k, v = ((x @ params["W" + r].T + params["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2) for r in "qkv")
    scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(x.dtype).min)
    found = (scores.softmax(-1).masked_fill(~seen, 0.0) @ v).transpose(1, 2).flatten(2)
    return found @ params["Wo"].T + params["bo"]


def label_logits(ids, real, params, heads, causal):
    N = ids.shape[1]
    seen = torch.ones(N, N).tril().bool() if causal else torch.ones(N, N).bool()
    x = params["E"][ids] + table(N, params["E"].shape[1])
    x = heads_of(x, params, heads, seen)
    return x @ params["W"].T + params["b"]


# %% wrong: pads_are_seen_where_it_is_causal — One mask or the other, never both
# fails: it_is_the_librarys_parts_together
import torch


def table(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


def heads_of(x, params, heads, seen):
    B, N, _ = x.shape
    q, k, v = ((x @ params["W" + r].T + params["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2) for r in "qkv")
    scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(x.dtype).min)
    found = (scores.softmax(-1).masked_fill(~seen, 0.0) @ v).transpose(1, 2).flatten(2)
    return found @ params["Wo"].T + params["bo"]


def label_logits(ids, real, params, heads, causal):
    N = ids.shape[1]
    seen = torch.ones(N, N).tril().bool() if causal else real[:, None, None]
    x = params["E"][ids] + table(N, params["E"].shape[1])
    x = heads_of(x, params, heads, seen)
    return x @ params["W"].T + params["b"]


# %% wrong: first_sentences_pads — The first sentence's mask for all
# fails: it_is_the_librarys_parts_together, pads_change_no_label
import torch


def table(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


def heads_of(x, params, heads, seen):
    B, N, _ = x.shape
    q, k, v = ((x @ params["W" + r].T + params["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2) for r in "qkv")
    scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(x.dtype).min)
    found = (scores.softmax(-1).masked_fill(~seen, 0.0) @ v).transpose(1, 2).flatten(2)
    return found @ params["Wo"].T + params["bo"]


def label_logits(ids, real, params, heads, causal):
    N = ids.shape[1]
    seen = real[:1, None, None] & (torch.ones(N, N).tril().bool() if causal else torch.ones(N, N).bool())
    x = params["E"][ids] + table(N, params["E"].shape[1])
    x = heads_of(x, params, heads, seen)
    return x @ params["W"].T + params["b"]


# %% wrong: rows_of_the_mask — Pads do not look, and are seen
# fails: it_is_the_librarys_parts_together, pads_change_no_label
import torch


def table(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


def heads_of(x, params, heads, seen):
    B, N, _ = x.shape
    q, k, v = ((x @ params["W" + r].T + params["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2) for r in "qkv")
    scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(x.dtype).min)
    found = (scores.softmax(-1).masked_fill(~seen, 0.0) @ v).transpose(1, 2).flatten(2)
    return found @ params["Wo"].T + params["bo"]


def label_logits(ids, real, params, heads, causal):
    N = ids.shape[1]
    seen = real[:, None, :, None] & (torch.ones(N, N).tril().bool() if causal else torch.ones(N, N).bool())
    x = params["E"][ids] + table(N, params["E"].shape[1])
    x = heads_of(x, params, heads, seen)
    return x @ params["W"].T + params["b"]


# %% wrong: pads_told_by_their_id — Id 0 is taken for a pad
# fails: it_is_the_librarys_parts_together, pads_change_no_label
import torch


def table(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


def heads_of(x, params, heads, seen):
    B, N, _ = x.shape
    q, k, v = ((x @ params["W" + r].T + params["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2) for r in "qkv")
    scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(x.dtype).min)
    found = (scores.softmax(-1).masked_fill(~seen, 0.0) @ v).transpose(1, 2).flatten(2)
    return found @ params["Wo"].T + params["bo"]


def label_logits(ids, real, params, heads, causal):
    N = ids.shape[1]
    seen = (ids != 0)[:, None, None] & (torch.ones(N, N).tril().bool() if causal else torch.ones(N, N).bool())
    x = params["E"][ids] + table(N, params["E"].shape[1])
    x = heads_of(x, params, heads, seen)
    return x @ params["W"].T + params["b"]


# %% wrong: positions_from_one — The first word stands at 1
# fails: two_words_by_hand, it_is_the_librarys_parts_together
import torch


def table(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


def heads_of(x, params, heads, seen):
    B, N, _ = x.shape
    q, k, v = ((x @ params["W" + r].T + params["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2) for r in "qkv")
    scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(x.dtype).min)
    found = (scores.softmax(-1).masked_fill(~seen, 0.0) @ v).transpose(1, 2).flatten(2)
    return found @ params["Wo"].T + params["bo"]


def label_logits(ids, real, params, heads, causal):
    N = ids.shape[1]
    seen = real[:, None, None] & (torch.ones(N, N).tril().bool() if causal else torch.ones(N, N).bool())
    x = params["E"][ids] + table(N + 1, params["E"].shape[1])[1:]
    x = heads_of(x, params, heads, seen)
    return x @ params["W"].T + params["b"]


# %% wrong: bias_missing — Without c
# fails: two_words_by_hand, it_is_the_librarys_parts_together
import torch


def table(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


def heads_of(x, params, heads, seen):
    B, N, _ = x.shape
    q, k, v = ((x @ params["W" + r].T + params["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2) for r in "qkv")
    scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(x.dtype).min)
    found = (scores.softmax(-1).masked_fill(~seen, 0.0) @ v).transpose(1, 2).flatten(2)
    return found @ params["Wo"].T + params["bo"]


def label_logits(ids, real, params, heads, causal):
    N = ids.shape[1]
    seen = real[:, None, None] & (torch.ones(N, N).tril().bool() if causal else torch.ones(N, N).bool())
    x = params["E"][ids] + table(N, params["E"].shape[1])
    x = heads_of(x, params, heads, seen)
    return x @ params["W"].T


# %% wrong: shares_for_logits — A softmax too many
# fails: two_words_by_hand, it_is_the_librarys_parts_together
import torch


def table(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


def heads_of(x, params, heads, seen):
    B, N, _ = x.shape
    q, k, v = ((x @ params["W" + r].T + params["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2) for r in "qkv")
    scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(x.dtype).min)
    found = (scores.softmax(-1).masked_fill(~seen, 0.0) @ v).transpose(1, 2).flatten(2)
    return found @ params["Wo"].T + params["bo"]


def label_logits(ids, real, params, heads, causal):
    N = ids.shape[1]
    seen = real[:, None, None] & (torch.ones(N, N).tril().bool() if causal else torch.ones(N, N).bool())
    x = params["E"][ids] + table(N, params["E"].shape[1])
    x = heads_of(x, params, heads, seen)
    return (x @ params["W"].T + params["b"]).softmax(-1)


# %% wrong: embedding_frozen — The words learn nothing
# fails: the_whole_net_is_taught
import torch


def table(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


def heads_of(x, params, heads, seen):
    B, N, _ = x.shape
    q, k, v = ((x @ params["W" + r].T + params["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2) for r in "qkv")
    scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(x.dtype).min)
    found = (scores.softmax(-1).masked_fill(~seen, 0.0) @ v).transpose(1, 2).flatten(2)
    return found @ params["Wo"].T + params["bo"]


def label_logits(ids, real, params, heads, causal):
    N = ids.shape[1]
    seen = real[:, None, None] & (torch.ones(N, N).tril().bool() if causal else torch.ones(N, N).bool())
    x = params["E"].detach()[ids] + table(N, params["E"].shape[1])
    x = heads_of(x, params, heads, seen)
    return x @ params["W"].T + params["b"]


# %% wrong: two_layers — The same layer twice
# fails: it_is_the_librarys_parts_together
import torch


def table(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


def heads_of(x, params, heads, seen):
    B, N, _ = x.shape
    q, k, v = ((x @ params["W" + r].T + params["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2) for r in "qkv")
    scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(x.dtype).min)
    found = (scores.softmax(-1).masked_fill(~seen, 0.0) @ v).transpose(1, 2).flatten(2)
    return found @ params["Wo"].T + params["bo"]


def label_logits(ids, real, params, heads, causal):
    N = ids.shape[1]
    seen = real[:, None, None] & (torch.ones(N, N).tril().bool() if causal else torch.ones(N, N).bool())
    x = params["E"][ids] + table(N, params["E"].shape[1])
    x = heads_of(x, params, heads, seen)
    x = heads_of(x, params, heads, seen)
    return x @ params["W"].T + params["b"]


# %% wrong: scaled_embedding — E times the root of D, which the paper does and the text does not
# fails: two_words_by_hand, it_is_the_librarys_parts_together
import torch


def table(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


def heads_of(x, params, heads, seen):
    B, N, _ = x.shape
    q, k, v = ((x @ params["W" + r].T + params["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2) for r in "qkv")
    scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(x.dtype).min)
    found = (scores.softmax(-1).masked_fill(~seen, 0.0) @ v).transpose(1, 2).flatten(2)
    return found @ params["Wo"].T + params["bo"]


def label_logits(ids, real, params, heads, causal):
    N = ids.shape[1]
    seen = real[:, None, None] & (torch.ones(N, N).tril().bool() if causal else torch.ones(N, N).bool())
    x = params["E"][ids] * params["E"].shape[1] ** 0.5 + table(N, params["E"].shape[1])
    x = heads_of(x, params, heads, seen)
    return x @ params["W"].T + params["b"]


# %% wrong: minus_a_milliard — A number that is not low enough
# fails: other_nets
import torch


def table(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


def heads_of(x, params, heads, seen):
    B, N, _ = x.shape
    q, k, v = ((x @ params["W" + r].T + params["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2) for r in "qkv")
    scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, -1e9)
    found = (scores.softmax(-1).masked_fill(~seen, 0.0) @ v).transpose(1, 2).flatten(2)
    return found @ params["Wo"].T + params["bo"]


def label_logits(ids, real, params, heads, causal):
    N = ids.shape[1]
    seen = real[:, None, None] & (torch.ones(N, N).tril().bool() if causal else torch.ones(N, N).bool())
    x = params["E"][ids] + table(N, params["E"].shape[1])
    x = heads_of(x, params, heads, seen)
    return x @ params["W"].T + params["b"]


# %% wrong: made_single — float32 whatever came
# fails: other_nets
import torch


def table(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


def heads_of(x, params, heads, seen):
    B, N, _ = x.shape
    q, k, v = ((x @ params["W" + r].T + params["b" + r]).unflatten(2, (heads, -1)).transpose(1, 2) for r in "qkv")
    scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(x.dtype).min)
    found = (scores.softmax(-1).masked_fill(~seen, 0.0) @ v).transpose(1, 2).flatten(2)
    return found @ params["Wo"].T + params["bo"]


def label_logits(ids, real, params, heads, causal):
    N = ids.shape[1]
    seen = real[:, None, None] & (torch.ones(N, N).tril().bool() if causal else torch.ones(N, N).bool())
    x = params["E"][ids] + table(N, params["E"].shape[1])
    x = heads_of(x, params, heads, seen)
    return (x @ params["W"].T + params["b"]).float()


# %% wrong: mended_after_the_softmax — A row of minus infinity gives NaN to every gradient
# fails: a_sentence_of_pads
import torch
import torch.nn.functional as F


def label_logits(ids, real, params, heads, causal):
    E = params["E"]
    n, d = ids.shape[1], E.shape[1]
    x = F.embedding(ids, E)
    p = torch.arange(n, dtype=torch.float64)[:, None]
    w = 10000 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    pe = torch.zeros(n, d, dtype=E.dtype)
    pe[:, 0::2] = (p * w).sin().to(E.dtype)
    pe[:, 1::2] = (p * w).cos().to(E.dtype)
    x = x + pe
    added = torch.zeros(len(ids), 1, n, n, dtype=E.dtype).masked_fill(~real[:, None, None], -torch.inf)
    if causal:
        added = added + torch.full((n, n), -torch.inf, dtype=E.dtype).triu(1)
    q, k, v = (
        F.linear(x, params["W" + r], params["b" + r]).view(len(ids), n, heads, -1).transpose(1, 2) for r in "qkv"
    )
    weights = (q @ k.transpose(2, 3) / q.shape[3] ** 0.5 + added).softmax(-1).nan_to_num(0.0)
    y = F.linear((weights @ v).transpose(1, 2).reshape(len(ids), n, -1), params["Wo"], params["bo"])
    return F.linear(y, params["W"], params["b"])
