# Answers to 2.1, logits of a window. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: rows_and_products — Embeddings looked up, put end to end, two products
import torch


def window_logits(context, E, W, b, U, c):
    x = E[context]  # (B, k, D)
    e = x.reshape(len(context), -1)
    return torch.tanh(e @ W.T + b) @ U.T + c


# %% right: library_functions — F.embedding and F.linear
import torch.nn.functional as F


def window_logits(context, E, W, b, U, c):
    e = F.embedding(context, E).flatten(start_dim=1)
    return F.linear(F.linear(e, W, b).tanh(), U, c)


# %% right: einsum_by_place — One block of W for each place of the window, no e at all
import torch


def window_logits(context, E, W, b, U, c):
    k, D = context.shape[1], E.shape[1]
    blocks = W.view(len(W), k, D)
    inside = torch.einsum("hkd,bkd->bh", blocks, E[context]) + b
    return torch.einsum("vh,bh->bv", U, torch.tanh(inside)) + c


# %% right: one_window_at_a_time — A loop over the batch, column vectors as in the text
import torch


def window_logits(context, E, W, b, U, c):
    rows = []
    for window in context:
        e = torch.cat([E[symbol] for symbol in window])
        rows.append(U @ torch.tanh(W @ e + b) + c)
    return torch.stack(rows)


# %% right: numpy_products — numpy, in the type that came
import numpy as np


def window_logits(context, E, W, b, U, c):
    E, W, b, U, c = (part.numpy() for part in (E, W, b, U, c))
    e = E[context.numpy()].reshape(context.shape[0], -1)
    return np.tanh(e @ W.T + b) @ U.T + c


# %% wrong: newest_first — The embedding of the oldest symbol comes last
# fails: the_oldest_symbol_comes_first, other_windows_and_sizes
import torch


def window_logits(context, E, W, b, U, c):
    e = E[context.flip(1)].flatten(1)
    return torch.tanh(e @ W.T + b) @ U.T + c


# %% wrong: numbers_interleaved — The embeddings' first numbers, then their second ones
# fails: the_oldest_symbol_comes_first, other_windows_and_sizes
import torch


def window_logits(context, E, W, b, U, c):
    e = E[context].transpose(1, 2).flatten(1)
    return torch.tanh(e @ W.T + b) @ U.T + c


# %% wrong: no_tanh — Two linear maps, which are one
# fails: two_embeddings_stand_end_to_end, zero_embeddings_leave_the_biases, other_windows_and_sizes
def window_logits(context, E, W, b, U, c):
    e = E[context].flatten(1)
    return (e @ W.T + b) @ U.T + c


# %% wrong: tanh_on_logits — Squashes once more, at the end
# fails: two_embeddings_stand_end_to_end, zero_embeddings_leave_the_biases
import torch


def window_logits(context, E, W, b, U, c):
    e = E[context].flatten(1)
    return torch.tanh(torch.tanh(e @ W.T + b) @ U.T + c)


# %% wrong: sigmoid_for_tanh — Another squashing
# fails: two_embeddings_stand_end_to_end, zero_embeddings_leave_the_biases
import torch


def window_logits(context, E, W, b, U, c):
    e = E[context].flatten(1)
    return torch.sigmoid(e @ W.T + b) @ U.T + c


# %% wrong: b_forgotten — The hidden units have no bias
# fails: zero_embeddings_leave_the_biases, other_windows_and_sizes
import torch


def window_logits(context, E, W, b, U, c):
    e = E[context].flatten(1)
    return torch.tanh(e @ W.T) @ U.T + c


# %% wrong: b_outside — Adds the bias after the tanh
# fails: zero_embeddings_leave_the_biases, other_windows_and_sizes
import torch


def window_logits(context, E, W, b, U, c):
    e = E[context].flatten(1)
    return (torch.tanh(e @ W.T) + b) @ U.T + c


# %% wrong: c_forgotten — The output has no bias
# fails: two_embeddings_stand_end_to_end, zero_embeddings_leave_the_biases
import torch


def window_logits(context, E, W, b, U, c):
    e = E[context].flatten(1)
    return torch.tanh(e @ W.T + b) @ U.T


# %% wrong: probabilities — Goes on to the softmax
# fails: two_embeddings_stand_end_to_end, zero_embeddings_leave_the_biases
import torch


def window_logits(context, E, W, b, U, c):
    e = E[context].flatten(1)
    return (torch.tanh(e @ W.T + b) @ U.T + c).softmax(-1)


# %% wrong: last_symbol_only — Reads the newest symbol in every place
# fails: the_oldest_symbol_comes_first, other_windows_and_sizes
import torch


def window_logits(context, E, W, b, U, c):
    e = E[context[:, -1:]].expand(-1, context.shape[1], -1).flatten(1)
    return torch.tanh(e @ W.T + b) @ U.T + c


# %% wrong: embeddings_averaged — Every place gets the mean embedding of the window
# fails: the_oldest_symbol_comes_first, other_windows_and_sizes
import torch


def window_logits(context, E, W, b, U, c):
    mean = E[context].mean(1, keepdim=True)
    e = mean.expand(-1, context.shape[1], -1).flatten(1)
    return torch.tanh(e @ W.T + b) @ U.T + c


# %% wrong: batch_and_places_mixed — Puts the batch's symbols in order of place before cutting rows
# fails: each_window_has_a_row_of_its_own, other_windows_and_sizes
import torch


def window_logits(context, E, W, b, U, c):
    e = E[context.T].reshape(len(context), -1)
    return torch.tanh(e @ W.T + b) @ U.T + c


# %% wrong: centred_over_the_batch — Takes the batch's mean off the hidden units
# fails: zero_embeddings_leave_the_biases, other_windows_and_sizes
import torch


def window_logits(context, E, W, b, U, c):
    inside = E[context].flatten(1) @ W.T + b
    return torch.tanh(inside - inside.mean(0)) @ U.T + c


# %% wrong: no_batch — Handles a single window, as a vector
# fails: two_embeddings_stand_end_to_end
import torch


def window_logits(context, E, W, b, U, c):
    return U @ torch.tanh(W @ E[context[0]].flatten() + b) + c


# %% wrong: in_float64 — More exact than the parameters, in a type that nobody asked for
# fails: other_windows_and_sizes
import torch


def window_logits(context, E, W, b, U, c):
    E, W, b, U, c = (part.double() for part in (E, W, b, U, c))
    return torch.tanh(E[context].flatten(1) @ W.T + b) @ U.T + c


# %% wrong: in_float32 — Gives digits away where the parameters have more
# fails: other_windows_and_sizes
import torch


def window_logits(context, E, W, b, U, c):
    E, W, b, U, c = (part.float() for part in (E, W, b, U, c))
    return torch.tanh(E[context].flatten(1) @ W.T + b) @ U.T + c


# %% wrong: windows_remembered — Keeps what it once looked up, though training changes the embeddings
# fails: other_windows_and_sizes
import torch

known = {}


def window_logits(context, E, W, b, U, c):
    e = known.setdefault((tuple(context.flatten().tolist()), E.shape, W.shape), E[context].flatten(1))
    return torch.tanh(e.to(W.dtype) @ W.T + b) @ U.T + c
