# Answers to 8.9, a class of the first piece. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: library_linear — Torch's linear layers
import torch
import torch.nn.functional as F


def classify(hidden, params):
    pooled = F.linear(hidden[:, 0], params["W"], params["b"]).tanh()
    return F.linear(pooled, params["Wc"], params["bc"])


# %% right: row_by_row — Text by text
import torch


def classify(hidden, params):
    rows = [torch.tanh(params["W"] @ states[0] + params["b"]) for states in hidden]
    return torch.stack([params["Wc"] @ row + params["bc"] for row in rows])


# %% right: einsum — By letters
import torch


def classify(hidden, params):
    first = hidden.select(1, 0)
    pooled = torch.tanh(torch.einsum("bd,ed->be", first, params["W"]) + params["b"])
    return torch.einsum("bd,cd->bc", pooled, params["Wc"]) + params["bc"]


# %% right: pooled_everywhere — All places pooled, the first one taken in the end
import torch


def classify(hidden, params):
    everywhere = torch.tanh(hidden @ params["W"].T + params["b"]) @ params["Wc"].T + params["bc"]
    return everywhere[:, 0, :]


# %% wrong: last_place — The last place
# fails: other_texts_and_classes
import torch


def classify(hidden, params):
    pooled = torch.tanh(hidden[:, -1] @ params["W"].T + params["b"])
    return pooled @ params["Wc"].T + params["bc"]


# %% wrong: mean_of_all — A mean over the places
# fails: other_texts_and_classes
import torch


def classify(hidden, params):
    pooled = torch.tanh(hidden.mean(1) @ params["W"].T + params["b"])
    return pooled @ params["Wc"].T + params["bc"]


# %% wrong: second_place — The second place
# fails: other_texts_and_classes
import torch


def classify(hidden, params):
    pooled = torch.tanh(hidden[:, min(1, hidden.shape[1] - 1)] @ params["W"].T + params["b"])
    return pooled @ params["Wc"].T + params["bc"]


# %% wrong: first_text — The first text for the first place
# fails: other_texts_and_classes
import torch


def classify(hidden, params):
    pooled = torch.tanh(hidden[0] @ params["W"].T + params["b"])
    return pooled @ params["Wc"].T + params["bc"]


# %% wrong: no_tanh — Without tanh
# fails: other_texts_and_classes
import torch


def classify(hidden, params):
    pooled = hidden[:, 0] @ params["W"].T + params["b"]
    return pooled @ params["Wc"].T + params["bc"]


# %% wrong: relu — ReLU for tanh
# fails: other_texts_and_classes
import torch


def classify(hidden, params):
    pooled = torch.relu(hidden[:, 0] @ params["W"].T + params["b"])
    return pooled @ params["Wc"].T + params["bc"]


# %% wrong: tanh_last — tanh of the logits, too
# fails: other_texts_and_classes
import torch


def classify(hidden, params):
    pooled = torch.tanh(hidden[:, 0] @ params["W"].T + params["b"])
    return torch.tanh(pooled @ params["Wc"].T + params["bc"])


# %% wrong: not_turned — W from the wrong side
# fails: other_texts_and_classes
import torch


def classify(hidden, params):
    pooled = torch.tanh(hidden[:, 0] @ params["W"] + params["b"])
    return pooled @ params["Wc"].T + params["bc"]


# %% wrong: no_bias — Without the pooler's bias
# fails: other_texts_and_classes
import torch


def classify(hidden, params):
    pooled = torch.tanh(hidden[:, 0] @ params["W"].T)
    return pooled @ params["Wc"].T + params["bc"]


# %% wrong: no_last_bias — Without the last bias
# fails: other_texts_and_classes
import torch


def classify(hidden, params):
    pooled = torch.tanh(hidden[:, 0] @ params["W"].T + params["b"])
    return pooled @ params["Wc"].T


# %% wrong: no_pooler — The first place straight to the classes
# fails: other_texts_and_classes
import torch


def classify(hidden, params):
    pooled = hidden[:, 0]
    return pooled @ params["Wc"].T + params["bc"]


# %% wrong: probabilities — Probabilities for logits
# fails: other_texts_and_classes
import torch


def classify(hidden, params):
    pooled = torch.tanh(hidden[:, 0] @ params["W"].T + params["b"])
    return (pooled @ params["Wc"].T + params["bc"]).softmax(-1)


# %% wrong: bias_inside_out — The bias behind the tanh
# fails: other_texts_and_classes
import torch


def classify(hidden, params):
    pooled = torch.tanh(hidden[:, 0] @ params["W"].T) + params["b"]
    return pooled @ params["Wc"].T + params["bc"]


# %% wrong: pooled_alone — What was pooled, not the classes
# fails: other_texts_and_classes
import torch


def classify(hidden, params):
    pooled = torch.tanh(hidden[:, 0] @ params["W"].T + params["b"])
    return pooled


# %% wrong: frozen — The net below is not taught
# fails: the_first_place_alone_is_taught
import torch


def classify(hidden, params):
    pooled = torch.tanh(hidden[:, 0].detach() @ params["W"].T + params["b"])
    return pooled @ params["Wc"].T + params["bc"]


# %% wrong: one_row — Without an axis for one text
# fails: other_texts_and_classes
import torch


def classify(hidden, params):
    pooled = torch.tanh(hidden[:, 0] @ params["W"].T + params["b"])
    return (pooled @ params["Wc"].T + params["bc"]).squeeze()
