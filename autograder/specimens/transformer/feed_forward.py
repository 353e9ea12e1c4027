# Answers to 7.2, a small net for each word. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: einsum — Sums by letters, and torch.where
import torch


def feed_forward(x, params):
    z = torch.einsum("...d,fd->...f", x, params["W1"]) + params["b1"]
    h = torch.where(z > 0, z, torch.zeros_like(z))
    return torch.einsum("...f,df->...d", h, params["W2"]) + params["b2"]


# %% right: words_in_a_row — All words as rows of one matrix
import torch


def feed_forward(x, params):
    rows = x.reshape(-1, x.shape[-1])
    h = torch.addmm(params["b1"], rows, params["W1"].t())
    h = torch.maximum(h, h.new_zeros(()))
    return torch.addmm(params["b2"], h, params["W2"].t()).reshape(x.shape)


# %% right: word_by_word — A loop, W x as it is written
import torch


def feed_forward(x, params):
    def one(v):
        z = params["W1"] @ v + params["b1"]
        return params["W2"] @ (z * (z > 0)) + params["b2"]

    return torch.stack([one(v) for v in x.reshape(-1, x.shape[-1])]).view_as(x)


# %% right: linear_layers — F.linear and F.relu
import torch.nn.functional as F


def feed_forward(x, params):
    return F.linear(F.relu(F.linear(x, params["W1"], params["b1"])), params["W2"], params["b2"])


# %% wrong: no_bend — Two matrices are one
# fails: three_in_the_middle_by_hand, each_word_goes_through_the_same_net
import torch


def feed_forward(x, params):
    h = x @ params["W1"].T + params["b1"]
    return h @ params["W2"].T + params["b2"]


# %% wrong: bend_at_the_end — max(0, ·) behind the second matrix, too
# fails: each_word_goes_through_the_same_net
import torch


def feed_forward(x, params):
    h = torch.relu(x @ params["W1"].T + params["b1"])
    return torch.relu(h @ params["W2"].T + params["b2"])


# %% wrong: smooth_bend — GELU
# fails: three_in_the_middle_by_hand, each_word_goes_through_the_same_net
import torch


def feed_forward(x, params):
    h = torch.nn.functional.gelu(x @ params["W1"].T + params["b1"])
    return h @ params["W2"].T + params["b2"]


# %% wrong: leaky_bend — Something is left below 0
# fails: three_in_the_middle_by_hand, each_word_goes_through_the_same_net
import torch


def feed_forward(x, params):
    h = torch.nn.functional.leaky_relu(x @ params["W1"].T + params["b1"])
    return h @ params["W2"].T + params["b2"]


# %% wrong: absolute — The sign alone is lost
# fails: three_in_the_middle_by_hand, each_word_goes_through_the_same_net
import torch


def feed_forward(x, params):
    h = (x @ params["W1"].T + params["b1"]).abs()
    return h @ params["W2"].T + params["b2"]


# %% wrong: first_bias_missing — Without b1
# fails: three_in_the_middle_by_hand, each_word_goes_through_the_same_net
import torch


def feed_forward(x, params):
    h = torch.relu(x @ params["W1"].T)
    return h @ params["W2"].T + params["b2"]


# %% wrong: first_bias_after_the_bend — b1 is added behind max(0, ·)
# fails: each_word_goes_through_the_same_net
import torch


def feed_forward(x, params):
    h = torch.relu(x @ params["W1"].T) + params["b1"]
    return h @ params["W2"].T + params["b2"]


# %% wrong: second_bias_missing — Without b2
# fails: three_in_the_middle_by_hand, each_word_goes_through_the_same_net
import torch


def feed_forward(x, params):
    h = torch.relu(x @ params["W1"].T + params["b1"])
    return h @ params["W2"].T


# %% wrong: already_with_a_way_past — x is added here
# fails: three_in_the_middle_by_hand, each_word_goes_through_the_same_net
import torch


def feed_forward(x, params):
    h = torch.relu(x @ params["W1"].T + params["b1"])
    return x + h @ params["W2"].T + params["b2"]


# %% wrong: transposed — The first matrix by its columns
# fails: each_word_goes_through_the_same_net
import torch


def feed_forward(x, params):
    h = torch.relu(x @ params["W1"].reshape(x.shape[-1], -1) + params["b1"])
    return h @ params["W2"].T + params["b2"]


# %% wrong: words_mixed — The bend's mean over the words of a text is added
# fails: each_word_goes_through_the_same_net
import torch


def feed_forward(x, params):
    h = torch.relu(x @ params["W1"].T + params["b1"])
    h = h + (h - h.mean(-2, keepdim=True) if h.dim() > 1 else 0)
    return h @ params["W2"].T + params["b2"]


# %% wrong: cut_at_six — ReLU6
# fails: what_is_below_zero_says_nothing
import torch


def feed_forward(x, params):
    h = torch.nn.functional.relu6(x @ params["W1"].T + params["b1"])
    return h @ params["W2"].T + params["b2"]


# %% wrong: first_layer_detached — The first matrix learns nothing
# fails: x_and_the_four_are_taught
import torch


def feed_forward(x, params):
    h = torch.relu(x @ params["W1"].T + params["b1"])
    return h.detach() @ params["W2"].T + params["b2"]


# %% wrong: bias_by_value — b2 as plain numbers
# fails: x_and_the_four_are_taught
import torch


def feed_forward(x, params):
    h = torch.relu(x @ params["W1"].T + params["b1"])
    return h @ params["W2"].T + params["b2"].data


# %% wrong: by_their_order — The parameters in the order in which they came
# fails: other_small_nets
import torch


def feed_forward(x, params):
    W1, b1, W2, b2 = params.values()
    return torch.relu(x @ W1.T + b1) @ W2.T + b2


# %% wrong: smooth_where_it_is_usual — GELU in layers of the usual width
# fails: each_word_goes_through_the_same_net, other_small_nets
import torch.nn.functional as F


def feed_forward(x, params):
    usual = len(params["b1"]) == 4 * len(params["b2"])
    h = F.linear(x, params["W1"], params["b1"])
    return F.linear(F.gelu(h) if usual else F.relu(h), params["W2"], params["b2"])


# %% wrong: nearly_a_corner — A corner that is rounded off
# fails: what_is_below_zero_says_nothing
import torch.nn.functional as F


def feed_forward(x, params):
    h = F.linear(x, params["W1"], params["b1"])
    return F.linear(F.softplus(h, beta=5000.0), params["W2"], params["b2"])
