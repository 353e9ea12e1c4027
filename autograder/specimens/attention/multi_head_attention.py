# Answers to 6.5, many heads. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: head_by_head — A loop over heads, and a sum of products
import math
import torch


def multi_head_attention(x, params, heads, mask):
    B, N, _ = x.shape
    K = params["Wq"].shape[0] // heads
    seen = torch.ones(B, heads, N, N, dtype=torch.bool) if mask is None else mask.expand(B, heads, N, N)
    out, kept = params["bo"], []
    for h in range(heads):
        rows = slice(h * K, h * K + K)
        q, k, v = (torch.nn.functional.linear(x, params["W" + r][rows], params["b" + r][rows]) for r in "qkv")
        scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(K)
        low = torch.finfo(scores.dtype).min
        weights = scores.masked_fill(~seen[:, h], low).softmax(2).masked_fill(~seen[:, h], 0.0)
        out = out + torch.bmm(weights, v) @ params["Wo"][:, rows].T
        kept.append(weights)
    return out, torch.stack(kept, dim=1)


# %% right: one_matrix_for_three — The three matrices below each other, cut afterwards
import torch


def multi_head_attention(x, params, heads, mask):
    W = torch.cat([params["Wq"], params["Wk"], params["Wv"]])
    b = torch.cat([params["bq"], params["bk"], params["bv"]])
    q, k, v = (x @ W.T + b).unflatten(2, (3, heads, -1)).permute(2, 0, 3, 1, 4)
    scores = torch.einsum("bhik,bhjk->bhij", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = scores.softmax(-1).nan_to_num(0.0)
    found = torch.einsum("bhij,bhjk->bihk", weights, v).flatten(2)
    return torch.nn.functional.linear(found, params["Wo"], params["bo"]), weights


# %% right: parameters_as_tensors_of_heads — Einsum over everything
import torch


def multi_head_attention(x, params, heads, mask):
    def of_heads(r):
        W = params["W" + r].view(heads, -1, x.shape[-1])
        b = params["b" + r].view(heads, 1, -1)
        return torch.einsum("bnd,hkd->bhnk", x, W) + b

    q, k, v = map(of_heads, "qkv")
    scores = q.matmul(k.transpose(2, 3)).div(k.size(3) ** 0.5)
    if mask is None:
        alpha = torch.softmax(scores, -1)
    else:
        seen = mask.expand_as(scores)
        nobody = ~seen.any(3, keepdim=True)
        alpha = torch.softmax(scores.masked_fill(~(seen | nobody), -torch.inf), -1).masked_fill(nobody, 0)
    Wo = params["Wo"].view(params["Wo"].shape[0], heads, -1)
    return [torch.einsum("bhij,bhjk,dhk->bid", alpha, v, Wo) + params["bo"], alpha]


# %% wrong: split_by_reshape — Heads that are made of other words
# fails: three_words_with_two_heads_by_hand, it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, heads, N, -1) for a in (q, k, v))
    found, weights = one_look(q, k, v, mask)
    joined = found.transpose(1, 2).reshape(B, N, E)
    return joined @ params["Wo"].T + params["bo"], weights


# %% wrong: merged_without_transposing_back — Words that are made of other words' heads
# fails: three_words_with_two_heads_by_hand, it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q, k, v, mask)
    joined = found.reshape(B, N, E)
    return joined @ params["Wo"].T + params["bo"], weights


# %% wrong: split_and_merged_by_reshape — Both without a transpose, which looks whole
# fails: three_words_with_two_heads_by_hand, it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, heads, N, -1) for a in (q, k, v))
    found, weights = one_look(q, k, v, mask)
    joined = found.reshape(B, N, E)
    return joined @ params["Wo"].T + params["bo"], weights


# %% wrong: output_missing — W^O is left out, where widths allow it
# fails: three_words_with_two_heads_by_hand, it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q, k, v, mask)
    joined = found.transpose(1, 2).reshape(B, N, E)
    return (joined if E == D else joined @ params["Wo"].T) + params["bo"], weights


# %% wrong: output_transposed — W^O is turned where it is square
# fails: three_words_with_two_heads_by_hand, it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q, k, v, mask)
    joined = found.transpose(1, 2).reshape(B, N, E)
    W = params["Wo"] if E == D else params["Wo"].T
    return joined @ W + params["bo"], weights


# %% wrong: output_bias_missing — b^O is left out
# fails: three_words_with_two_heads_by_hand, it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q, k, v, mask)
    joined = found.transpose(1, 2).reshape(B, N, E)
    return joined @ params["Wo"].T, weights


# %% wrong: same_projection_for_keys_and_values — W^K in the place of W^V
# fails: three_words_with_two_heads_by_hand, it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q = x @ params["Wq"].T + params["bq"]
    k = x @ params["Wk"].T + params["bk"]
    v = k
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q, k, v, mask)
    joined = found.transpose(1, 2).reshape(B, N, E)
    return joined @ params["Wo"].T + params["bo"], weights


# %% wrong: values_are_the_words — No W^V, where widths allow it
# fails: three_words_with_two_heads_by_hand, it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    v = x if E == D else v
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q, k, v, mask)
    joined = found.transpose(1, 2).reshape(B, N, E)
    return joined @ params["Wo"].T + params["bo"], weights


# %% wrong: queries_and_keys_exchanged — Who asks is asked
# fails: three_words_with_two_heads_by_hand, it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(k, q, v, mask)
    joined = found.transpose(1, 2).reshape(B, N, E)
    return joined @ params["Wo"].T + params["bo"], weights


# %% wrong: keys_and_values_exchanged — What is looked for is handed over
# fails: three_words_with_two_heads_by_hand, it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q, v, k, mask)
    joined = found.transpose(1, 2).reshape(B, N, E)
    return joined @ params["Wo"].T + params["bo"], weights


# %% wrong: projections_not_turned — x @ W where W is square
# fails: it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    turn = (lambda W: W) if E == D else (lambda W: W.T)
    q, k, v = (x @ turn(params["W" + r]) + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q, k, v, mask)
    joined = found.transpose(1, 2).reshape(B, N, E)
    return joined @ params["Wo"].T + params["bo"], weights


# %% wrong: biases_missing — Without b^Q, b^K and b^V
# fails: it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q, k, v, mask)
    joined = found.transpose(1, 2).reshape(B, N, E)
    return joined @ params["Wo"].T + params["bo"], weights


# %% wrong: scaled_by_the_whole_width — The root of E in the place of a head's
# fails: it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / (k.shape[-1] * k.shape[1]) ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q, k, v, mask)
    joined = found.transpose(1, 2).reshape(B, N, E)
    return joined @ params["Wo"].T + params["bo"], weights


# %% wrong: root_missing — Unscaled
# fails: it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / 1.0
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q, k, v, mask)
    joined = found.transpose(1, 2).reshape(B, N, E)
    return joined @ params["Wo"].T + params["bo"], weights


# %% wrong: scaled_by_k — K in the place of its root
# fails: it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1]
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q, k, v, mask)
    joined = found.transpose(1, 2).reshape(B, N, E)
    return joined @ params["Wo"].T + params["bo"], weights


# %% wrong: width_of_a_head_from_x — K = D / H, whatever the rows say
# fails: heads_may_be_wider_or_narrower_than_the_words
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, D // heads).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q, k, v, mask)
    joined = found.transpose(1, 2).reshape(B, N, E)
    return joined @ params["Wo"].T + params["bo"], weights


# %% wrong: heads_dealt_out — Head h has every H-th number
# fails: it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, -1, heads).permute(0, 3, 1, 2) for a in (q, k, v))
    found, weights = one_look(q, k, v, mask)
    joined = found.permute(0, 2, 3, 1).reshape(B, N, E)
    return joined @ params["Wo"].T + params["bo"], weights


# %% wrong: heads_backwards — The last head first
# fails: three_words_with_two_heads_by_hand, it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q, k, v, mask)
    joined = found.flip(1).transpose(1, 2).reshape(B, N, E)
    return joined @ params["Wo"].T + params["bo"], weights


# %% wrong: mean_of_heads — Heads averaged in the place of joined
# fails: it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q, k, v, mask)
    joined = found.mean(1).repeat(1, 1, heads)
    return joined @ params["Wo"].T + params["bo"], weights


# %% wrong: one_head_only — All as one head
# fails: three_words_with_two_heads_by_hand, it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    q, k, v = (a.transpose(1, 2).reshape(B, 1, N, E) for a in (q, k, v))
    found, weights = one_look(q, k, v, None if mask is None else mask.expand(B, heads, N, N)[:, :1])
    weights = weights.expand(B, heads, N, N)
    joined = found.transpose(1, 2).reshape(B, N, E)
    return joined @ params["Wo"].T + params["bo"], weights


# %% wrong: mask_forgotten — Everybody sees everything
# fails: it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q, k, v, None)
    joined = found.transpose(1, 2).reshape(B, N, E)
    return joined @ params["Wo"].T + params["bo"], weights


# %% wrong: mask_inverted — The convention of the module, not of the function
# fails: it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q, k, v, None if mask is None else ~mask)
    joined = found.transpose(1, 2).reshape(B, N, E)
    return joined @ params["Wo"].T + params["bo"], weights


# %% wrong: first_heads_mask — The mask of head 0 for all heads
# fails: it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q, k, v, None if mask is None else mask.expand(B, heads, N, N)[:, :1])
    joined = found.transpose(1, 2).reshape(B, N, E)
    return joined @ params["Wo"].T + params["bo"], weights


# %% wrong: first_sentences_mask — The mask of sentence 0 for all sentences
# fails: it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q, k, v, None if mask is None else mask.expand(B, heads, N, N)[:1])
    joined = found.transpose(1, 2).reshape(B, N, E)
    return joined @ params["Wo"].T + params["bo"], weights


# %% wrong: mean_weights — The mean over heads for every head
# fails: three_words_with_two_heads_by_hand, it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q, k, v, mask)
    joined = found.transpose(1, 2).reshape(B, N, E)
    weights = weights.mean(1, keepdim=True).expand_as(weights)
    return joined @ params["Wo"].T + params["bo"], weights


# %% wrong: x_added — What stood there is added
# fails: three_words_with_two_heads_by_hand, it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q, k, v, mask)
    joined = found.transpose(1, 2).reshape(B, N, E)
    return x + joined @ params["Wo"].T + params["bo"], weights


# %% wrong: weights_detached — Weights that teach nothing
# fails: all_eight_parameters_are_taught
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q, k, v, mask)
    joined = found.transpose(1, 2).reshape(B, N, E)
    return joined @ params["Wo"].T + params["bo"], weights.detach()


# %% wrong: queries_detached — Nothing is learnt of what to ask
# fails: all_eight_parameters_are_taught
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q.detach(), k, v, mask)
    joined = found.transpose(1, 2).reshape(B, N, E)
    return joined @ params["Wo"].T + params["bo"], weights


# %% wrong: parameters_as_numbers — The output learns nothing
# fails: all_eight_parameters_are_taught
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q, k, v, mask)
    joined = found.transpose(1, 2).reshape(B, N, E)
    return joined @ params["Wo"].data.T + params["bo"].data, weights


# %% wrong: one_sentence_loses_its_axis — A bare squeeze
# fails: it_is_the_librarys_with_copied_weights
import torch


def one_look(q, k, v, mask):
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        empty = ~mask.any(-1, keepdim=True)
        weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1) * ~empty
    return torch.matmul(weights, v), weights


def multi_head_attention(x, params, heads, mask):
    B, N, D = x.shape
    E = len(params["bq"])
    q, k, v = (x @ params["W" + r].T + params["b" + r] for r in "qkv")
    q, k, v = (a.reshape(B, N, heads, -1).transpose(1, 2) for a in (q, k, v))
    found, weights = one_look(q, k, v, mask)
    joined = found.transpose(1, 2).reshape(B, N, E)
    return (joined @ params["Wo"].T + params["bo"]).squeeze(), weights


# %% wrong: librarys_layer — torch's own, with the numbers copied
# fails: three_words_with_two_heads_by_hand
import torch


def multi_head_attention(x, params, heads, mask):
    D = x.shape[2]
    net = torch.nn.MultiheadAttention(D, heads, batch_first=True, dtype=x.dtype)
    with torch.no_grad():
        net.in_proj_weight.copy_(torch.cat([params["Wq"], params["Wk"], params["Wv"]]))
        net.in_proj_bias.copy_(torch.cat([params["bq"], params["bk"], params["bv"]]))
        net.out_proj.weight.copy_(params["Wo"])
        net.out_proj.bias.copy_(params["bo"])
    closed = None if mask is None else ~mask.expand(len(x), heads, x.shape[1], x.shape[1]).flatten(0, 1)
    return net(x, x, x, attn_mask=closed, average_attn_weights=False)


# %% wrong: eight_names_and_no_more — Whatever else is in the parameters is taken for one of the eight
# fails: heads_may_be_wider_or_narrower_than_the_words
import torch


def multi_head_attention(x, params, heads, mask):
    Wk, Wo, Wq, Wv, bk, bo, bq, bv = (params[name] for name in sorted(params))
    q, k, v = ((x @ W.T + b).unflatten(-1, (heads, -1)).transpose(1, 2) for W, b in ((Wq, bq), (Wk, bk), (Wv, bv)))
    scores = q @ k.mT / q.shape[-1] ** 0.5
    weights = scores.softmax(-1)
    if mask is not None:
        blind = ~mask.any(-1, keepdim=True)
        weights = scores.masked_fill(~(mask | blind), -torch.inf).softmax(-1).masked_fill(blind, 0.0)
    return (weights @ v).transpose(1, 2).flatten(2) @ Wo.T + bo, weights
