# Answers to 5.7, four scores. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: sums_of_products — Broadcast and summed
import torch


def attention_scores(query, keys, kind, params):
    q = query.unsqueeze(1)
    if kind == "dot":
        return (q * keys).sum(-1)
    if kind == "scaled":
        return (q * keys).sum(-1) / keys.shape[-1] ** 0.5
    if kind == "bilinear":
        return (q * (keys @ params["W"].T)).sum(-1)
    inner = torch.tanh(q @ params["Wq"].T + keys @ params["Wh"].T + params["b"])
    return (inner * params["u"]).sum(-1)


# %% right: pair_by_pair — Each query with each of its keys, as vectors
import torch


def attention_scores(query, keys, kind, params):
    def score(q, h):
        if kind in ("dot", "scaled"):
            return q.dot(h) / (len(h) ** 0.5 if kind == "scaled" else 1)
        if kind == "bilinear":
            return q @ params["W"] @ h
        return params["u"] @ torch.tanh(params["Wq"] @ q + params["Wh"] @ h + params["b"])

    return torch.stack([torch.stack([score(q, h) for h in row]) for q, row in zip(query, keys)])


# %% right: bmm_and_linear — Batched products with an axis of one, taken away again
import torch
import torch.nn.functional as F


def attention_scores(query, keys, kind, params):
    if kind == "additive":
        inner = F.linear(query, params["Wq"]).unsqueeze(1) + F.linear(keys, params["Wh"], params["b"])
        return F.linear(inner.tanh(), params["u"].unsqueeze(0)).squeeze(-1)
    if kind == "bilinear":
        query = torch.mm(query, params["W"])
    scores = torch.bmm(keys, query.unsqueeze(2)).squeeze(2)
    return scores * keys.size(2) ** -0.5 if kind == "scaled" else scores


# %% right: einsum — Letters for axes
import math

import torch


def attention_scores(query, keys, kind, params):
    forms = {
        "dot": lambda: torch.einsum("bk,bnk->bn", query, keys),
        "scaled": lambda: torch.einsum("bk,bnk->bn", query, keys).div(math.sqrt(query.shape[-1])),
        "bilinear": lambda: torch.einsum("bq,qk,bnk->bn", query, params["W"], keys),
        "additive": lambda: torch.einsum(
            "a,bna->bn",
            params["u"],
            (
                torch.einsum("aq,bq->ba", params["Wq"], query)[:, None]
                + torch.einsum("ak,bnk->bna", params["Wh"], keys)
                + params["b"]
            ).tanh(),
        ),
    }
    return forms[kind]()


# %% right: root_as_a_tensor — The root of K as a tensor, in torch's own type
import torch


def attention_scores(query, keys, kind, params):
    if kind == "additive":
        return torch.tanh((query @ params["Wq"].T).unsqueeze(1) + keys @ params["Wh"].T + params["b"]) @ params["u"]
    if kind == "bilinear":
        query = query @ params["W"]
    scores = (query.unsqueeze(1) @ keys.transpose(1, 2)).squeeze(1)
    return scores / torch.sqrt(torch.tensor(keys.shape[-1])) if kind == "scaled" else scores


# %% wrong: missing_root — Scaled is not scaled
# fails: two_keys_by_hand, all_four_are_the_librarys
import torch


def attention_scores(query, keys, kind, params):
    if kind == "additive":
        return torch.tanh((query @ params["Wq"].T)[:, None] + keys @ params["Wh"].T + params["b"]) @ params["u"]
    if kind == "bilinear":
        query = query @ params["W"]
    return torch.einsum("bk,bnk->bn", query, keys)


# %% wrong: divided_by_the_width — K for its root
# fails: two_keys_by_hand, all_four_are_the_librarys
import torch


def attention_scores(query, keys, kind, params):
    if kind == "additive":
        return torch.tanh((query @ params["Wq"].T)[:, None] + keys @ params["Wh"].T + params["b"]) @ params["u"]
    if kind == "bilinear":
        query = query @ params["W"]
    scores = torch.einsum("bk,bnk->bn", query, keys)
    return scores / keys.shape[2] if kind == "scaled" else scores


# %% wrong: root_of_the_number_of_keys — √N for √K
# fails: two_keys_by_hand, all_four_are_the_librarys
import torch


def attention_scores(query, keys, kind, params):
    if kind == "additive":
        return torch.tanh((query @ params["Wq"].T)[:, None] + keys @ params["Wh"].T + params["b"]) @ params["u"]
    if kind == "bilinear":
        query = query @ params["W"]
    scores = torch.einsum("bk,bnk->bn", query, keys)
    return scores / keys.shape[1] ** 0.5 if kind == "scaled" else scores


# %% wrong: all_of_them_scaled — The bilinear one, too
# fails: bilinear_by_hand
import torch


def attention_scores(query, keys, kind, params):
    if kind == "additive":
        return torch.tanh((query @ params["Wq"].T)[:, None] + keys @ params["Wh"].T + params["b"]) @ params["u"]
    if kind == "bilinear":
        query = query @ params["W"]
    scores = torch.einsum("bk,bnk->bn", query, keys)
    return scores if kind == "dot" else scores / keys.shape[2] ** 0.5


# %% wrong: bilinear_transposed — W for keys of the query's width, which fits where both are equal
# fails: all_four_are_the_librarys
import torch


def attention_scores(query, keys, kind, params):
    if kind == "additive":
        return torch.tanh((query @ params["Wq"].T)[:, None] + keys @ params["Wh"].T + params["b"]) @ params["u"]
    if kind == "bilinear":
        W = params["W"] if params["W"].shape[0] != params["W"].shape[1] else params["W"].T
        query = query @ W
    scores = torch.einsum("bk,bnk->bn", query, keys)
    return scores / keys.shape[2] ** 0.5 if kind == "scaled" else scores


# %% wrong: no_tanh — The additive score without its bend
# fails: additive_with_identities_by_hand, all_four_are_the_librarys
import torch


def attention_scores(query, keys, kind, params):
    if kind == "additive":
        return ((query @ params["Wq"].T)[:, None] + keys @ params["Wh"].T + params["b"]) @ params["u"]
    if kind == "bilinear":
        query = query @ params["W"]
    scores = torch.einsum("bk,bnk->bn", query, keys)
    return scores / keys.shape[2] ** 0.5 if kind == "scaled" else scores


# %% wrong: summed_without_u — All units count alike
# fails: additive_with_identities_by_hand, all_four_are_the_librarys
import torch


def attention_scores(query, keys, kind, params):
    if kind == "additive":
        return torch.tanh((query @ params["Wq"].T)[:, None] + keys @ params["Wh"].T + params["b"]).sum(2)
    if kind == "bilinear":
        query = query @ params["W"]
    scores = torch.einsum("bk,bnk->bn", query, keys)
    return scores / keys.shape[2] ** 0.5 if kind == "scaled" else scores


# %% wrong: tanh_of_each — Two bends, one for the query and one for the key
# fails: all_four_are_the_librarys
import torch


def attention_scores(query, keys, kind, params):
    if kind == "additive":
        one = torch.tanh(query @ params["Wq"].T + params["b"])
        return (one[:, None] + torch.tanh(keys @ params["Wh"].T)) @ params["u"]
    if kind == "bilinear":
        query = query @ params["W"]
    scores = torch.einsum("bk,bnk->bn", query, keys)
    return scores / keys.shape[2] ** 0.5 if kind == "scaled" else scores


# %% wrong: bias_forgotten — Without b
# fails: additive_with_identities_by_hand, all_four_are_the_librarys
import torch


def attention_scores(query, keys, kind, params):
    if kind == "additive":
        return torch.tanh((query @ params["Wq"].T)[:, None] + keys @ params["Wh"].T) @ params["u"]
    if kind == "bilinear":
        query = query @ params["W"]
    scores = torch.einsum("bk,bnk->bn", query, keys)
    return scores / keys.shape[2] ** 0.5 if kind == "scaled" else scores


# %% wrong: matrices_exchanged — W_h for the query where the widths are equal
# fails: all_four_are_the_librarys
import torch


def attention_scores(query, keys, kind, params):
    if kind == "additive":
        Wq, Wh = params["Wq"], params["Wh"]
        if Wq.shape == Wh.shape:
            Wq, Wh = Wh, Wq
        return torch.tanh((query @ Wq.T)[:, None] + keys @ Wh.T + params["b"]) @ params["u"]
    if kind == "bilinear":
        query = query @ params["W"]
    scores = torch.einsum("bk,bnk->bn", query, keys)
    return scores / keys.shape[2] ** 0.5 if kind == "scaled" else scores


# %% wrong: rows_for_keys — Where there are as many keys as rows, each key meets another row's query
# fails: all_four_are_the_librarys
import torch


def attention_scores(query, keys, kind, params):
    if kind == "additive":
        asked = query @ params["Wq"].T
        asked = asked[None] if keys.shape[0] == keys.shape[1] else asked[:, None]
        return torch.tanh(asked + keys @ params["Wh"].T + params["b"]) @ params["u"]
    if kind == "bilinear":
        query = query @ params["W"]
    scores = torch.einsum("bk,bnk->bn", query, keys)
    return scores / keys.shape[2] ** 0.5 if kind == "scaled" else scores


# %% wrong: softmaxed — Weights, not scores
# fails: two_keys_by_hand, bilinear_by_hand
import torch


def attention_scores(query, keys, kind, params):
    if kind == "additive":
        scores = torch.tanh((query @ params["Wq"].T)[:, None] + keys @ params["Wh"].T + params["b"]) @ params["u"]
        return scores.softmax(1)
    if kind == "bilinear":
        query = query @ params["W"]
    scores = torch.einsum("bk,bnk->bn", query, keys)
    return (scores / keys.shape[2] ** 0.5 if kind == "scaled" else scores).softmax(1)


# %% wrong: first_query_for_all — The query of the first row
# fails: all_four_are_the_librarys, each_key_by_itself
import torch


def attention_scores(query, keys, kind, params):
    query = query[:1].expand(len(keys), -1)
    if kind == "additive":
        return torch.tanh((query @ params["Wq"].T)[:, None] + keys @ params["Wh"].T + params["b"]) @ params["u"]
    if kind == "bilinear":
        query = query @ params["W"]
    scores = torch.einsum("bk,bnk->bn", query, keys)
    return scores / keys.shape[2] ** 0.5 if kind == "scaled" else scores


# %% wrong: bare_squeeze — Loses the batch of one and the only key
# fails: two_keys_by_hand, each_key_by_itself
import torch


def attention_scores(query, keys, kind, params):
    if kind == "additive":
        return (
            torch.tanh((query @ params["Wq"].T)[:, None] + keys @ params["Wh"].T + params["b"]) @ params["u"][:, None]
        ).squeeze()
    if kind == "bilinear":
        query = query @ params["W"]
    scores = (keys @ query[:, :, None]).squeeze()
    return scores / keys.shape[2] ** 0.5 if kind == "scaled" else scores


# %% wrong: cosine — Lengths divided out
# fails: two_keys_by_hand
import torch
import torch.nn.functional as F


def attention_scores(query, keys, kind, params):
    if kind == "additive":
        return torch.tanh((query @ params["Wq"].T)[:, None] + keys @ params["Wh"].T + params["b"]) @ params["u"]
    if kind == "bilinear":
        query = query @ params["W"]
    scores = F.cosine_similarity(query[:, None], keys, dim=2)
    return scores / keys.shape[2] ** 0.5 if kind == "scaled" else scores


# %% wrong: keys_detached — The encoder learns nothing by being asked
# fails: a_score_teaches_all_that_it_uses
import torch


def attention_scores(query, keys, kind, params):
    keys = keys.detach()
    if kind == "additive":
        return torch.tanh((query @ params["Wq"].T)[:, None] + keys @ params["Wh"].T + params["b"]) @ params["u"]
    if kind == "bilinear":
        query = query @ params["W"]
    scores = torch.einsum("bk,bnk->bn", query, keys)
    return scores / keys.shape[2] ** 0.5 if kind == "scaled" else scores


# %% wrong: float32_buffer — Scores are collected in single precision
# fails: other_queries_and_keys
import torch


def attention_scores(query, keys, kind, params):
    out = torch.zeros(keys.shape[:2])
    for n in range(keys.shape[1]):
        h = keys[:, n]
        if kind == "additive":
            out[:, n] = torch.tanh(query @ params["Wq"].T + h @ params["Wh"].T + params["b"]) @ params["u"]
        else:
            q = query @ params["W"] if kind == "bilinear" else query
            out[:, n] = (q * h).sum(1) / (h.shape[1] ** 0.5 if kind == "scaled" else 1)
    return out.to(keys.dtype)
