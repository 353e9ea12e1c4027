# Answers to 6.8, fewer heads. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: head_by_head — Each matrix cut in heads, and joined again
import torch


def pruned(params, heads, keep):
    new = dict(params)
    for name in ("Wq", "Wk", "Wv", "bq", "bk", "bv"):
        pieces = params[name].chunk(heads)
        new[name] = torch.cat([pieces[h] for h in keep])
    columns = params["Wo"].chunk(heads, dim=1)
    new["Wo"] = torch.cat([columns[h] for h in keep], dim=1)
    return new


# %% right: one_index — Numbers of rows by one tensor
import torch


def pruned(params, heads, keep):
    K = params["Wq"].shape[0] // heads
    rows = (torch.tensor(keep)[:, None] * K + torch.arange(K)).flatten()
    cut = {}
    for name, value in params.items():
        if name in ("Wq", "Wk", "Wv", "bq", "bk", "bv"):
            cut[name] = value.index_select(0, rows).clone()
        elif name == "Wo":
            cut[name] = value.index_select(1, rows).clone()
        else:
            cut[name] = value
    return cut


# %% right: shaped_by_heads — An axis for the heads
def pruned(params, heads, keep):
    def rows(W):
        return W.reshape(heads, -1, *W.shape[1:])[keep].reshape(-1, *W.shape[1:])

    small = {
        name: rows(params[name]) if name in ("Wq", "Wk", "Wv", "bq", "bk", "bv") else params[name] for name in params
    }
    small["Wo"] = rows(params["Wo"].T).T
    return small


# %% wrong: columns_of_queries — Columns where rows are a head's, where they fit
# fails: what_is_left_does_what_it_did
def pruned(params, heads, keep):
    K = params["Wk"].shape[0] // heads
    own = [h * K + n for h in keep for n in range(K)]
    left = {name: params[name][own] for name in ("Wk", "bk", "Wv", "bv", "bq")}
    Wq = params["Wq"]
    left["Wq"] = Wq[:, own].T if Wq.shape[0] == Wq.shape[1] else Wq[own]
    return {**params, **left, "Wo": params["Wo"][:, own]}


# %% wrong: output_kept — W^O keeps the columns of all heads
# fails: one_of_two_heads_by_hand, what_is_left_does_what_it_did
def pruned(params, heads, keep):
    K = params["Wk"].shape[0] // heads
    own = [h * K + n for h in keep for n in range(K)]
    return {**params, **{name: params[name][own] for name in ("Wq", "bq", "Wk", "bk", "Wv", "bv")}}


# %% wrong: rows_of_the_output — W^O loses rows
# fails: one_of_two_heads_by_hand, what_is_left_does_what_it_did
def pruned(params, heads, keep):
    K = params["Wk"].shape[0] // heads
    own = [h * K + n for h in keep for n in range(K)]
    left = {name: params[name][own] for name in ("Wq", "bq", "Wk", "bk", "Wv", "bv")}
    rows = [n for n in own if n < len(params["Wo"])]
    return {**params, **left, "Wo": params["Wo"][rows]}


# %% wrong: biases_kept — The biases of all heads
# fails: one_of_two_heads_by_hand, what_is_left_does_what_it_did
def pruned(params, heads, keep):
    K = params["Wk"].shape[0] // heads
    own = [h * K + n for h in keep for n in range(K)]
    left = {name: params[name][own] for name in ("Wq", "Wk", "Wv")}
    return {**params, **left, "Wo": params["Wo"][:, own]}


# %% wrong: first_biases — As many biases as are needed, the first ones
# fails: one_of_two_heads_by_hand, what_is_left_does_what_it_did
def pruned(params, heads, keep):
    K = params["Wk"].shape[0] // heads
    own = [h * K + n for h in keep for n in range(K)]
    left = {name: params[name][own] for name in ("Wq", "Wk", "Wv")}
    left |= {name: params[name][: len(own)] for name in ("bq", "bk", "bv")}
    return {**params, **left, "Wo": params["Wo"][:, own]}


# %% wrong: output_bias_cut — b^O loses numbers, too
# fails: one_of_two_heads_by_hand
def pruned(params, heads, keep):
    K = params["Wk"].shape[0] // heads
    own = [h * K + n for h in keep for n in range(K)]
    left = {name: params[name][own] for name in ("Wq", "bq", "Wk", "bk", "Wv", "bv")}
    bo = params["bo"][[n for n in own if n < len(params["bo"])]]
    return {**params, **left, "Wo": params["Wo"][:, own], "bo": bo}


# %% wrong: output_bias_shared_out — b^O in proportion to the heads that stay
# fails: one_of_two_heads_by_hand, what_is_left_does_what_it_did
def pruned(params, heads, keep):
    K = params["Wk"].shape[0] // heads
    own = [h * K + n for h in keep for n in range(K)]
    left = {name: params[name][own] for name in ("Wq", "bq", "Wk", "bk", "Wv", "bv")}
    return {**params, **left, "Wo": params["Wo"][:, own], "bo": params["bo"] * len(keep) / heads}


# %% wrong: heads_dealt_out — Every H-th number is taken for a head's
# fails: one_of_two_heads_by_hand, what_is_left_does_what_it_did
def pruned(params, heads, keep):
    K = params["Wk"].shape[0] // heads
    own = [n * heads + h for h in keep for n in range(K)]
    left = {name: params[name][own] for name in ("Wq", "bq", "Wk", "bk", "Wv", "bv")}
    return {**params, **left, "Wo": params["Wo"][:, own]}


# %% wrong: those_are_pruned — Keep is taken for what goes
# fails: one_of_two_heads_by_hand, what_is_left_does_what_it_did
def pruned(params, heads, keep):
    K = params["Wk"].shape[0] // heads
    own = [h * K + n for h in range(heads) if h not in keep for n in range(K)]
    left = {name: params[name][own] for name in ("Wq", "bq", "Wk", "bk", "Wv", "bv")}
    return {**params, **left, "Wo": params["Wo"][:, own]}


# %% wrong: first_heads — As many heads as asked for, the first ones
# fails: one_of_two_heads_by_hand, what_is_left_does_what_it_did
def pruned(params, heads, keep):
    K = params["Wk"].shape[0] // heads
    own = list(range(K * len(keep)))
    left = {name: params[name][own] for name in ("Wq", "bq", "Wk", "bk", "Wv", "bv")}
    return {**params, **left, "Wo": params["Wo"][:, own]}


# %% wrong: sorted_heads — The order of keep is lost
# fails: what_is_left_does_what_it_did
def pruned(params, heads, keep):
    K = params["Wk"].shape[0] // heads
    own = [h * K + n for h in sorted(keep) for n in range(K)]
    left = {name: params[name][own] for name in ("Wq", "bq", "Wk", "bk", "Wv", "bv")}
    return {**params, **left, "Wo": params["Wo"][:, own]}


# %% wrong: output_in_another_order — W^O reads the heads in their old order
# fails: what_is_left_does_what_it_did
def pruned(params, heads, keep):
    K = params["Wk"].shape[0] // heads
    own = [h * K + n for h in keep for n in range(K)]
    left = {name: params[name][own] for name in ("Wq", "bq", "Wk", "bk", "Wv", "bv")}
    return {**params, **left, "Wo": params["Wo"][:, sorted(own)]}


# %% wrong: set_to_zero — Heads are silenced, not taken away
# fails: one_of_two_heads_by_hand
import torch


def pruned(params, heads, keep):
    K = params["Wk"].shape[0] // heads
    Wo = torch.zeros_like(params["Wo"])
    for h in keep:
        Wo[:, h * K : (h + 1) * K] = params["Wo"][:, h * K : (h + 1) * K]
    return {**params, "Wo": Wo}


# %% wrong: scaled_up — What is left is made louder, as dropout does
# fails: one_of_two_heads_by_hand, what_is_left_does_what_it_did
def pruned(params, heads, keep):
    K = params["Wk"].shape[0] // heads
    own = [h * K + n for h in keep for n in range(K)]
    left = {name: params[name][own] for name in ("Wq", "bq", "Wk", "bk", "Wv", "bv")}
    return {**params, **left, "Wo": params["Wo"][:, own] * heads / len(keep)}


# %% wrong: the_layer_alone — What else was there is lost
# fails: all_else_stays_as_it_is
def pruned(params, heads, keep):
    K = params["Wk"].shape[0] // heads
    own = [h * K + n for h in keep for n in range(K)]
    left = {name: params[name][own] for name in ("Wq", "bq", "Wk", "bk", "Wv", "bv")}
    return {**left, "Wo": params["Wo"][:, own], "bo": params["bo"]}


# %% wrong: in_place — The parameters that were given are cut
# fails: one_of_two_heads_by_hand
def pruned(params, heads, keep):
    K = params["Wk"].shape[0] // heads
    own = [h * K + n for h in keep for n in range(K)]
    for name in ("Wq", "bq", "Wk", "bk", "Wv", "bv"):
        params[name] = params[name][own]
    params["Wo"] = params["Wo"][:, own]
    return params


# %% wrong: width_from_d — K = D / H, whatever the rows say
# fails: what_is_left_does_what_it_did
def pruned(params, heads, keep):
    K = max(1, params["Wq"].shape[1] // heads)
    own = [h * K + n for h in keep for n in range(K)]
    left = {name: params[name][own] for name in ("Wq", "bq", "Wk", "bk", "Wv", "bv")}
    return {**params, **left, "Wo": params["Wo"][:, own]}


# %% wrong: values_forgotten — Queries and keys only
# fails: one_of_two_heads_by_hand, what_is_left_does_what_it_did
def pruned(params, heads, keep):
    K = params["Wk"].shape[0] // heads
    own = [h * K + n for h in keep for n in range(K)]
    left = {name: params[name][own] for name in ("Wq", "bq", "Wk", "bk")}
    return {**params, **left, "Wo": params["Wo"][:, own]}


# %% wrong: whatever_has_as_many_rows — Other names lose rows, too, where they have as many
# fails: all_else_stays_as_it_is
import torch


def pruned(params, heads, keep):
    rows = len(params["bq"])
    K = rows // heads
    own = torch.cat([torch.arange(h * K, (h + 1) * K) for h in keep])
    left = {}
    for name, part in params.items():
        cut = name not in ("Wo", "bo") and len(part) == rows
        left[name] = part.index_select(0, own) if cut else part.clone()
    left["Wo"] = params["Wo"].index_select(1, own)
    return left
