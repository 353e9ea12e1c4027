# Answers to 6.1, a text asks itself. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: word_by_word — Each word asks by itself, over a slice of what it may see
import torch


def plain_self_attention(x, causal):
    rows = []
    for text in x:
        new = []
        for i, word in enumerate(text):
            seen = text[: i + 1] if causal else text
            new.append(torch.softmax(seen @ word, dim=0) @ seen)
        rows.append(torch.stack(new))
    return torch.stack(rows)


# %% right: exponentials — By hand, with the largest score of each row taken off
import torch


def plain_self_attention(x, causal):
    N = x.size(1)
    scores = torch.bmm(x, x.transpose(1, 2))
    if causal:
        scores = scores.masked_fill(~torch.ones(N, N).tril().bool(), float("-inf"))
    e = (scores - scores.max(dim=-1, keepdim=True).values).exp()
    return torch.bmm(e / e.sum(-1, keepdim=True), x)


# %% right: added_mask — Minus infinity added above the diagonal
import torch


def plain_self_attention(x, causal):
    B, N, D = x.shape
    above = torch.full((N, N), -torch.inf, dtype=x.dtype).triu(1) if causal else torch.zeros(N, N, dtype=x.dtype)
    weights = (x @ x.mT + above).log_softmax(-1).exp()
    return torch.einsum("bij,bjd->bid", weights, x)


# %% right: lowest_number — The lowest number of the type stands where nobody may look
import torch


def plain_self_attention(x, causal):
    n = x.shape[1]
    places = torch.arange(n)
    seen = places[None, :] <= places[:, None] if causal else torch.ones(n, n, dtype=torch.bool)
    scores = torch.where(seen, x @ x.permute(0, 2, 1), torch.finfo(x.dtype).min)
    return torch.softmax(scores, 2).matmul(x)


# %% wrong: softmax_over_queries — The weights of a word that is asked sum to one
# fails: three_words_by_hand, it_is_the_librarys_attention_of_a_text_to_itself
import torch


def plain_self_attention(x, causal):
    scores = x @ x.mT
    if causal:
        scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -torch.inf)
    return scores.softmax(1) @ x


# %% wrong: softmax_over_texts — The weights sum to one over the batch
# fails: three_words_by_hand, texts_do_not_meet
import torch


def plain_self_attention(x, causal):
    scores = x @ x.mT
    if causal:
        scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -1e30)
    return scores.softmax(0) @ x


# %% wrong: scaled — The root is not yet asked for
# fails: three_words_by_hand, it_is_the_librarys_attention_of_a_text_to_itself
import math
import torch


def plain_self_attention(x, causal):
    scores = x @ x.mT / math.sqrt(x.shape[2])
    if causal:
        scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -torch.inf)
    return scores.softmax(2) @ x


# %% wrong: causal_ignored — All words are seen, always
# fails: three_words_by_hand, what_is_to_come_changes_nothing
def plain_self_attention(x, causal):
    return (x @ x.mT).softmax(2) @ x


# %% wrong: off_by_one_seen — A word sees the one behind it
# fails: three_words_by_hand, what_is_to_come_changes_nothing
import torch


def plain_self_attention(x, causal):
    scores = x @ x.mT
    if causal:
        scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(2), -torch.inf)
    return scores.softmax(2) @ x


# %% wrong: itself_unseen — A word sees those before it, and not itself
# fails: three_words_by_hand, what_is_to_come_changes_nothing
import torch


def plain_self_attention(x, causal):
    scores = x @ x.mT
    if causal:
        hidden = torch.ones_like(scores, dtype=torch.bool).triu(0)
        return scores.masked_fill(hidden, -torch.inf).softmax(2).nan_to_num() @ x
    return scores.softmax(2) @ x


# %% wrong: mask_transposed — A word sees those behind it
# fails: three_words_by_hand, what_is_to_come_changes_nothing
import torch


def plain_self_attention(x, causal):
    scores = x @ x.mT
    if causal:
        scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).tril(-1), -torch.inf)
    return scores.softmax(2) @ x


# %% wrong: mask_inverted — What may be seen is hidden
# fails: three_words_by_hand, what_is_to_come_changes_nothing
import torch


def plain_self_attention(x, causal):
    scores = x @ x.mT
    if causal:
        seen = torch.ones_like(scores, dtype=torch.bool).tril()
        scores = scores.masked_fill(seen, -1e30)
    return scores.softmax(2) @ x


# %% wrong: mask_after_softmax — The future takes its share first
# fails: three_words_by_hand, what_is_to_come_changes_nothing
def plain_self_attention(x, causal):
    weights = (x @ x.mT).softmax(2)
    return (weights.tril() if causal else weights) @ x


# %% wrong: mask_after_softmax_renormalised — 0/0 where the future took all
# fails: scores_of_any_size
def plain_self_attention(x, causal):
    weights = (x @ x.mT).softmax(2)
    weights = weights.tril() if causal else weights
    return weights / weights.sum(2, keepdim=True).clamp(min=1e-30) @ x


# %% wrong: mask_multiplied — Hidden scores are 0, which is no low one
# fails: three_words_by_hand, what_is_to_come_changes_nothing
def plain_self_attention(x, causal):
    scores = x @ x.mT
    return (scores.tril() if causal else scores).softmax(2) @ x


# %% wrong: minus_a_milliard_added — A score may be larger than that
# fails: scores_of_any_size
import torch


def plain_self_attention(x, causal):
    scores = x @ x.mT
    if causal:
        scores = scores + torch.full_like(scores, -1e9).triu(1)
    return scores.softmax(2) @ x


# %% wrong: e_to_large_scores — Without taking the largest off
# fails: scores_of_any_size
import torch


def plain_self_attention(x, causal):
    e = torch.exp(x @ x.mT)
    e = e.tril() if causal else e
    return e / e.sum(2, keepdim=True) @ x


# %% wrong: largest_of_the_batch — The largest score of all texts is taken off each
# fails: scores_of_any_size
import torch


def plain_self_attention(x, causal):
    scores = x @ x.mT
    e = torch.exp(scores - scores.max())
    e = e.tril() if causal else e
    return e / e.sum(2, keepdim=True) @ x


# %% wrong: running_mean — All that may be seen counts alike
# fails: three_words_by_hand, it_is_the_librarys_attention_of_a_text_to_itself
import torch


def plain_self_attention(x, causal):
    if causal:
        return x.cumsum(1) / torch.arange(1, x.shape[1] + 1)[:, None]
    return x.mean(1, keepdim=True).expand_as(x)


# %% wrong: texts_in_one — All words of a batch see each other
# fails: texts_do_not_meet
import torch


def plain_self_attention(x, causal):
    flat = x.reshape(-1, x.shape[2])
    scores = flat @ flat.T
    if causal:
        scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -torch.inf)
    return (scores.softmax(1) @ flat).reshape(x.shape)


# %% wrong: first_texts_weights — The weights of the first text for all
# fails: texts_do_not_meet
import torch


def plain_self_attention(x, causal):
    scores = x[0] @ x[0].T
    if causal:
        scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -torch.inf)
    return scores.softmax(1) @ x


# %% wrong: squeezed — A batch of one loses its axis
# fails: it_is_the_librarys_attention_of_a_text_to_itself
import torch


def plain_self_attention(x, causal):
    scores = x @ x.mT
    if causal:
        scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -torch.inf)
    return (scores.softmax(2) @ x).squeeze()


# %% wrong: cosines — The words are made as long as 1 before they ask
# fails: three_words_by_hand
import torch
import torch.nn.functional as F


def plain_self_attention(x, causal):
    unit = F.normalize(x, dim=2)
    scores = unit @ unit.mT
    if causal:
        scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -torch.inf)
    return scores.softmax(2) @ x


# %% wrong: x_added — What stood there is added to what was found
# fails: three_words_by_hand
import torch


def plain_self_attention(x, causal):
    scores = x @ x.mT
    if causal:
        scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -torch.inf)
    return x + scores.softmax(2) @ x


# %% wrong: weights_detached — Nothing is learnt of where to look
# fails: words_are_taught_three_ways
import torch


def plain_self_attention(x, causal):
    scores = (x @ x.mT).detach()
    if causal:
        scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -torch.inf)
    return scores.softmax(2) @ x


# %% wrong: single_precision — float32 whatever came
# fails: other_texts_ask_themselves
import torch


def plain_self_attention(x, causal):
    scores = (x @ x.mT).float()
    if causal:
        scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -torch.inf)
    return scores.softmax(2).to(x.dtype) @ x


# %% wrong: librarys_attention — torch's own
# fails: three_words_by_hand
import torch.nn.functional as F


def plain_self_attention(x, causal):
    return F.scaled_dot_product_attention(x, x, x, is_causal=causal, scale=1.0)
