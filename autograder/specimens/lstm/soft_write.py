# Answers to 3.1, soft writing. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: a_step_towards_the_new — The old, and a share of the way to the new
import torch
import torch.nn.functional as F


def soft_write(old, new, x, h, params):
    w = torch.sigmoid(F.linear(h, params["U"]) + F.linear(x, params["W"], params["b"]))
    return torch.lerp(old, new, w)


# %% right: one_matrix_for_both — x and h side by side, U and W side by side
import torch


def soft_write(old, new, x, h, params):
    both = torch.cat([h, x], dim=1)
    w = (both @ torch.cat([params["U"], params["W"]], dim=1).T + params["b"]).sigmoid()
    kept = old.clone()
    kept *= 1 - w
    return kept.add_(w * new)


# %% right: unit_by_unit — Two loops and einsum's sums
import torch


def soft_write(old, new, x, h, params):
    out = torch.empty_like(old)
    for row in range(old.shape[0]):
        for unit in range(old.shape[1]):
            a = torch.einsum("j,j->", params["U"][unit], h[row]) + torch.einsum("d,d->", params["W"][unit], x[row])
            w = torch.sigmoid(a + params["b"][unit])
            out[row, unit] = w * new[row, unit] + (1 - w) * old[row, unit]
    return out


# %% right: tanh_for_the_gate — The gate from a tanh, as (1 + tanh(a/2))/2
import torch


def soft_write(old, new, x, h, params):
    a = torch.einsum("bj,ij->bi", h, params["U"]) + torch.einsum("bd,id->bi", x, params["W"]) + params["b"]
    w = (1 + torch.tanh(a / 2)) / 2
    return torch.where(w > 0.5, new - (1 - w) * (new - old), old + w * (new - old))


# %% wrong: keeps_where_it_should_write — w and 1 − w exchanged
# fails: an_open_gate_writes_and_a_shut_one_keeps, four_and_eight_by_hand
import torch


def soft_write(old, new, x, h, params):
    w = torch.sigmoid(h @ params["U"].T + x @ params["W"].T + params["b"])
    return (1 - w) * new + w * old


# %% wrong: adds_to_all_of_the_old — Writes without making room
# fails: what_is_the_same_in_both_stays, four_and_eight_by_hand
import torch


def soft_write(old, new, x, h, params):
    w = torch.sigmoid(h @ params["U"].T + x @ params["W"].T + params["b"])
    return w * new + old


# %% wrong: reads_only — The old is always erased
# fails: an_open_gate_writes_and_a_shut_one_keeps, what_is_the_same_in_both_stays
import torch


def soft_write(old, new, x, h, params):
    w = torch.sigmoid(h @ params["U"].T + x @ params["W"].T + params["b"])
    return w * new


# %% wrong: tanh_for_sigmoid — A gate between −1 and 1
# fails: an_open_gate_writes_and_a_shut_one_keeps, what_comes_lies_between_old_and_new
import torch


def soft_write(old, new, x, h, params):
    w = torch.tanh(h @ params["U"].T + x @ params["W"].T + params["b"])
    return w * new + (1 - w) * old


# %% wrong: a_hard_gate — Writes all or nothing
# fails: what_is_the_same_in_both_stays, four_and_eight_by_hand
import torch


def soft_write(old, new, x, h, params):
    a = h @ params["U"].T + x @ params["W"].T + params["b"]
    return torch.where(a > 0, new, old)


# %% wrong: no_sigmoid — The gate is not squashed
# fails: an_open_gate_writes_and_a_shut_one_keeps, what_is_the_same_in_both_stays
def soft_write(old, new, x, h, params):
    w = h @ params["U"].T + x @ params["W"].T + params["b"]
    return w * new + (1 - w) * old


# %% wrong: forgets_b — The gate has no bias
# fails: state_input_and_bias_open_the_gate, other_memories_and_sizes
import torch


def soft_write(old, new, x, h, params):
    w = torch.sigmoid(h @ params["U"].T + x @ params["W"].T)
    return w * new + (1 - w) * old


# %% wrong: forgets_the_state — The gate looks at x alone
# fails: state_input_and_bias_open_the_gate, four_and_eight_by_hand
import torch


def soft_write(old, new, x, h, params):
    w = torch.sigmoid(x @ params["W"].T + params["b"])
    return w * new + (1 - w) * old


# %% wrong: transposed_u — Multiplies with the transpose of U
# fails: state_input_and_bias_open_the_gate, four_and_eight_by_hand
import torch


def soft_write(old, new, x, h, params):
    w = torch.sigmoid(h @ params["U"] + x @ params["W"].T + params["b"])
    return w * new + (1 - w) * old


# %% wrong: u_and_w_exchanged — U multiplies x and W h, which equal sizes let pass
# fails: state_input_and_bias_open_the_gate, other_memories_and_sizes
import torch


def soft_write(old, new, x, h, params):
    w = torch.sigmoid(x @ params["U"].T + h @ params["W"].T + params["b"])
    return w * new + (1 - w) * old


# %% wrong: the_old_is_the_state — Takes old for h
# fails: state_input_and_bias_open_the_gate, four_and_eight_by_hand
import torch


def soft_write(old, new, x, h, params):
    w = torch.sigmoid(old @ params["U"].T + x @ params["W"].T + params["b"])
    return w * new + (1 - w) * old


# %% wrong: a_matrix_product_for_hadamard — Mixes rows, where B and H are equal
# fails: an_open_gate_writes_and_a_shut_one_keeps, what_is_the_same_in_both_stays
import torch


def soft_write(old, new, x, h, params):
    w = torch.sigmoid(h @ params["U"].T + x @ params["W"].T + params["b"])
    return w @ new + (1 - w) @ old


# %% wrong: one_gate_for_all_units — The mean of the gates opens them all
# fails: an_open_gate_writes_and_a_shut_one_keeps, four_and_eight_by_hand
import torch


def soft_write(old, new, x, h, params):
    w = torch.sigmoid(h @ params["U"].T + x @ params["W"].T + params["b"]).mean(1, keepdim=True)
    return w * new + (1 - w) * old


# %% wrong: one_gate_for_all_rows — The gate of the first row opens those of all
# fails: each_row_is_written_alone, other_memories_and_sizes
import torch


def soft_write(old, new, x, h, params):
    w = torch.sigmoid(h @ params["U"].T + x @ params["W"].T + params["b"])[:1]
    return w * new + (1 - w) * old


# %% wrong: numpy_in_double — Right numbers by numpy, and no way back for a gradient
# fails: the_gate_can_be_learnt
import numpy as np
import torch


def soft_write(old, new, x, h, params):
    U, W, b = (params[name].numpy().astype(np.float64) for name in "UWb")
    w = 1 / (1 + np.exp(-(h.numpy() @ U.T + x.numpy() @ W.T + b)))
    return torch.from_numpy(w * new.numpy() + (1 - w) * old.numpy()).to(old.dtype)


# %% wrong: a_gate_without_a_gradient — The gate is made anew of plain numbers: right, and never learnt
# fails: the_gate_can_be_learnt
import torch


def soft_write(old, new, x, h, params):
    w = torch.sigmoid(h @ params["U"].T + x @ params["W"].T + params["b"])
    w = torch.tensor(w.tolist(), dtype=old.dtype)
    return w * new + (1 - w) * old


# %% wrong: parameters_by_their_order — Takes the dictionary's order for that of the text
# fails: other_memories_and_sizes
import torch


def soft_write(old, new, x, h, params):
    U, W, b = params.values()
    w = torch.sigmoid(h @ U.T + x @ W.T + b)
    return w * new + (1 - w) * old


# %% wrong: logistic_by_exp — 1/(1 + e^−a): the value is right, the gradient far out is nan
# fails: nearly_open_is_not_open
import torch


def soft_write(old, new, x, h, params):
    w = 1 / (1 + torch.exp(-(h @ params["U"].T + x @ params["W"].T + params["b"])))
    return w * new + (1 - w) * old


# %% wrong: near_enough_is_open — A gate beyond 0.999 counts as open, one below 0.001 as shut
# fails: nearly_open_is_not_open
import torch


def soft_write(old, new, x, h, params):
    w = torch.sigmoid(h @ params["U"].T + x @ params["W"].T + params["b"])
    w = torch.where(w > 0.999, torch.ones_like(w), torch.where(w < 0.001, torch.zeros_like(w), w))
    return w * new + (1 - w) * old


# %% wrong: float32_at_the_end — The result is in float32, whatever was given
# fails: other_memories_and_sizes
import torch


def soft_write(old, new, x, h, params):
    w = torch.sigmoid(h @ params["U"].T + x @ params["W"].T + params["b"])
    return (w * new + (1 - w) * old).float()
