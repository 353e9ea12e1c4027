# Answers to 2.2, one step. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: columns_looked_up — One column of W for each symbol
import torch


def elman_step(ids, h, params):
    x = params["W"].T[ids]  # (B, H)
    return torch.tanh(x + h @ params["U"].T + params["b"])


# %% right: one_hot_product — One-hot vectors and F.linear
import torch.nn.functional as F


def elman_step(ids, h, params):
    one_hot = F.one_hot(ids, params["W"].shape[1]).to(h.dtype)
    return (F.linear(h, params["U"]) + F.linear(one_hot, params["W"], params["b"])).tanh()


# %% right: one_row_at_a_time — A loop over the batch, with column vectors
import torch


def elman_step(ids, h, params):
    U, W, b = params["U"], params["W"], params["b"]
    return torch.stack([torch.tanh(U @ state + W[:, symbol] + b) for symbol, state in zip(ids, h)])


# %% right: tanh_from_exponentials — One matrix for state, symbol and bias, tanh written out as a sigmoid
import torch


def elman_step(ids, h, params):
    one_hot = torch.eye(params["W"].shape[1], dtype=h.dtype)[ids]
    everything = torch.cat([h, one_hot, torch.ones(len(ids), 1, dtype=h.dtype)], dim=1)
    weights = torch.cat([params["U"], params["W"], params["b"][:, None]], dim=1)
    return 2 * torch.sigmoid(2 * torch.einsum("bi,hi->bh", everything, weights)) - 1


# %% wrong: transposed_u — Multiplies with the transpose, which a symmetric U does not show
# fails: one_step_by_hand, it_is_a_step_of_the_librarys_net
import torch


def elman_step(ids, h, params):
    return torch.tanh(h @ params["U"] + params["W"][:, ids].T + params["b"])


# %% wrong: h_and_x_swapped — U multiplies what was read, and W's columns come by the state
# fails: one_step_by_hand, it_is_a_step_of_the_librarys_net
import torch


def elman_step(ids, h, params):
    x = params["W"][:, ids].T
    return torch.tanh(x @ params["U"].T + h + params["b"])


# %% wrong: state_forgotten — Looks at the symbol alone
# fails: one_step_by_hand, it_is_a_step_of_the_librarys_net
import torch


def elman_step(ids, h, params):
    return torch.tanh(0 * h + params["W"][:, ids].T + params["b"])


# %% wrong: missing_bias — No b
# fails: one_step_by_hand, it_is_a_step_of_the_librarys_net
import torch


def elman_step(ids, h, params):
    return torch.tanh(h @ params["U"].T + params["W"][:, ids].T)


# %% wrong: bias_outside — Adds b after the tanh
# fails: one_step_by_hand, it_is_a_step_of_the_librarys_net
import torch


def elman_step(ids, h, params):
    return torch.tanh(h @ params["U"].T + params["W"][:, ids].T) + params["b"]


# %% wrong: no_tanh — A linear step
# fails: one_step_by_hand, each_symbol_reads_its_own_column
def elman_step(ids, h, params):
    return h @ params["U"].T + params["W"][:, ids].T + params["b"]


# %% wrong: sigmoid_for_tanh — Another squashing
# fails: one_step_by_hand, each_symbol_reads_its_own_column
import torch


def elman_step(ids, h, params):
    return torch.sigmoid(h @ params["U"].T + params["W"][:, ids].T + params["b"])


# %% wrong: adds_to_the_old — Adds the new state to the old one
# fails: one_step_by_hand, it_is_a_step_of_the_librarys_net
import torch


def elman_step(ids, h, params):
    return h + torch.tanh(h @ params["U"].T + params["W"][:, ids].T + params["b"])


# %% wrong: the_output_instead — Goes on to the logits, as if there were a rest of the net to run
# fails: one_step_by_hand, it_is_a_step_of_the_librarys_net
import torch


def elman_step(ids, h, params):
    h = torch.tanh(h @ params["U"].T + params["W"][:, ids].T + params["b"])
    return h @ params["V"].T + params["c"]


# %% wrong: through_numpy — Leaves torch on the way
# fails: the_gradient_finds_its_way_back_to_h
import numpy as np


def elman_step(ids, h, params):
    U, W, b = (params[name].numpy() for name in "UWb")
    return np.tanh(h.detach().numpy() @ U.T + W[:, ids.numpy()].T + b)


# %% wrong: one_symbol_for_all — Reads the first row's symbol everywhere
# fails: each_symbol_reads_its_own_column, rows_may_change_places
import torch


def elman_step(ids, h, params):
    return torch.tanh(h @ params["U"].T + params["W"][:, ids[0]] + params["b"])


# %% wrong: rows_of_w — Looks up rows, as if W were (V, H)
# fails: one_step_by_hand, each_symbol_reads_its_own_column
import torch


def elman_step(ids, h, params):
    rows = params["W"].reshape(-1, len(params["b"]))[ids]
    return torch.tanh(h @ params["U"].T + rows + params["b"])


# %% wrong: librarys_cell — Lets torch.nn.RNNCell do it
# fails: one_step_by_hand, it_is_a_step_of_the_librarys_net
import torch


def elman_step(ids, h, params):
    width = params["W"].shape[1]
    cell = torch.nn.RNNCell(width, h.shape[1]).to(h.dtype)
    cell.load_state_dict(
        {
            "weight_ih": params["W"],
            "weight_hh": params["U"],
            "bias_ih": params["b"],
            "bias_hh": torch.zeros_like(params["b"]),
        }
    )
    return cell(torch.eye(width, dtype=h.dtype)[ids], h)


# %% wrong: parameters_detached — The state may be learnt from, the parameters may not
# fails: the_gradient_finds_its_way_back_to_h
import torch


def elman_step(ids, h, params):
    U, W, b = (params[name].detach() for name in "UWb")
    return torch.tanh(h @ U.T + W[:, ids].T + b)


# %% wrong: parameters_by_their_order — Takes the dictionary's order for that of the text
# fails: other_steps_and_sizes
import torch


def elman_step(ids, h, params):
    U, W, b = list(params.values())[:3]
    return torch.tanh(h @ U.T + W[:, ids].T + b)


# %% wrong: in_float64 — More exact than the parameters, in a type that nobody asked for
# fails: other_steps_and_sizes
import torch


def elman_step(ids, h, params):
    U, W, b = (params[name].double() for name in "UWb")
    return torch.tanh(h.double() @ U.T + W[:, ids].T + b)


# %% wrong: the_first_row_tells — Takes a batch for one at its beginning if its first row is
# fails: other_steps_and_sizes
import torch


def elman_step(ids, h, params):
    from_state = h @ params["U"].T if h[0].any() else torch.zeros_like(h)
    return torch.tanh(from_state + params["W"].T[ids] + params["b"])


# %% wrong: bias_as_numbers — b goes in as a list of numbers, so that nothing teaches it
# fails: the_gradient_finds_its_way_back_to_h
import torch


def elman_step(ids, h, params):
    b = torch.tensor(params["b"].tolist(), dtype=h.dtype)
    return torch.tanh(h @ params["U"].T + params["W"].T[ids] + b)
