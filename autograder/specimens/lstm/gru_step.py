# Answers to 3.8, a step of the GRU. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: the_formulas — Line by line, as in the text
import torch


def gru_step(x, h, params):
    r = torch.sigmoid(h @ params["U_r"].T + x @ params["W_r"].T + params["b_r"])
    z = torch.sigmoid(h @ params["U_z"].T + x @ params["W_z"].T + params["b_z"])
    told = h @ params["U_n"].T + params["d_n"]
    n = torch.tanh(x @ params["W_n"].T + params["b_n"] + r * told)
    return n + z * (h - n)


# %% right: packed_and_chunked — torch's own order r, z, n, two products, cut afterwards
import torch
import torch.nn.functional as F


def gru_step(x, h, params):
    U, W, b = (torch.cat([params[f"{kind}_{gate}"] for gate in "rzn"]) for kind in "UWb")
    nothing = torch.zeros_like(params["d_n"])
    xr, xz, xn = F.linear(x, W, b).chunk(3, dim=1)
    hr, hz, hn = F.linear(h, U, torch.cat([nothing, nothing, params["d_n"]])).chunk(3, dim=1)
    return torch.lerp(torch.tanh(xn + (xr + hr).sigmoid() * hn), h, (xz + hz).sigmoid())


# %% right: row_by_row — A loop over the batch with column vectors
import torch


def gru_step(x, h, params):
    rows = []
    for x_row, h_row in zip(x, h):
        r, z = (params[f"U_{n}"] @ h_row + params[f"W_{n}"] @ x_row + params[f"b_{n}"] for n in "rz")
        r, z = r.sigmoid(), z.sigmoid()
        n = torch.tanh(params["W_n"] @ x_row + params["b_n"] + torch.diag(r) @ (params["U_n"] @ h_row + params["d_n"]))
        rows.append(torch.diag(1 - z) @ n + torch.diag(z) @ h_row)
    return torch.stack(rows)


# %% right: side_by_side — [h, x] for the two gates, in place on its own copy
import torch


def gru_step(x, h, params):
    both = torch.cat([h, x], dim=1)
    r, z = (
        torch.sigmoid(
            torch.einsum("bk,ik->bi", both, torch.cat([params[f"U_{g}"], params[f"W_{g}"]], 1)) + params[f"b_{g}"]
        )
        for g in "rz"
    )
    new = h.clone()
    new *= z
    new += (1 - z) * torch.tanh(r * (h @ params["U_n"].T) + r * params["d_n"] + x @ params["W_n"].T + params["b_n"])
    return new


# %% right: numpy_in_double — numpy in float64, turned back at the end
import numpy as np
import torch


def gru_step(x, h, params):
    p = {name: value.numpy().astype(np.float64) for name, value in params.items()}
    X, S = x.numpy(), h.numpy()
    r, z = ((1 + np.tanh((S @ p[f"U_{n}"].T + X @ p[f"W_{n}"].T + p[f"b_{n}"]) / 2)) / 2 for n in "rz")
    n = np.tanh(X @ p["W_n"].T + p["b_n"] + r * (S @ p["U_n"].T + p["d_n"]))
    return torch.from_numpy((1 - z) * n + z * S).to(h.dtype)


# %% wrong: z_and_its_rest_exchanged — Keeps where it should write, as the paper of 2014 does
# fails: z_keeps_the_state_or_replaces_it, each_gate_of_it_reads_its_own_parameters
import torch


def gru_step(x, h, params):
    r, z = (torch.sigmoid(h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"]) for n in "rz")
    n = torch.tanh(x @ params["W_n"].T + params["b_n"] + r * (h @ params["U_n"].T + params["d_n"]))
    return z * n + (1 - z) * h


# %% wrong: reset_before_the_product — U_n (r ⊙ h), as in the paper of 2014
# fails: r_lets_the_old_state_speak_or_not, r_comes_after_the_product
import torch


def gru_step(x, h, params):
    r, z = (torch.sigmoid(h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"]) for n in "rz")
    n = torch.tanh(x @ params["W_n"].T + params["b_n"] + (r * h) @ params["U_n"].T + r * params["d_n"])
    return (1 - z) * n + z * h


# %% wrong: reset_before_the_product_d_outside — The same with d_n outside
# fails: r_lets_the_old_state_speak_or_not, each_gate_of_it_reads_its_own_parameters
import torch


def gru_step(x, h, params):
    r, z = (torch.sigmoid(h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"]) for n in "rz")
    n = torch.tanh(x @ params["W_n"].T + params["b_n"] + (r * h) @ params["U_n"].T + params["d_n"])
    return (1 - z) * n + z * h


# %% wrong: d_outside_the_reset — d_n is added whatever r is
# fails: r_lets_the_old_state_speak_or_not, each_gate_of_it_reads_its_own_parameters
import torch


def gru_step(x, h, params):
    r, z = (torch.sigmoid(h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"]) for n in "rz")
    n = torch.tanh(x @ params["W_n"].T + params["b_n"] + r * (h @ params["U_n"].T) + params["d_n"])
    return (1 - z) * n + z * h


# %% wrong: b_inside_the_reset — b_n is held back, too
# fails: r_lets_the_old_state_speak_or_not, one_unit_of_it_by_hand
import torch


def gru_step(x, h, params):
    r, z = (torch.sigmoid(h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"]) for n in "rz")
    n = torch.tanh(x @ params["W_n"].T + r * (h @ params["U_n"].T + params["d_n"] + params["b_n"]))
    return (1 - z) * n + z * h


# %% wrong: r_and_z_exchanged — The one gate does the other's work
# fails: z_keeps_the_state_or_replaces_it, one_unit_of_it_by_hand
import torch


def gru_step(x, h, params):
    z, r = (torch.sigmoid(h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"]) for n in "rz")
    n = torch.tanh(x @ params["W_n"].T + params["b_n"] + r * (h @ params["U_n"].T + params["d_n"]))
    return (1 - z) * n + z * h


# %% wrong: forgets_d — Three biases
# fails: r_lets_the_old_state_speak_or_not, each_gate_of_it_reads_its_own_parameters
import torch


def gru_step(x, h, params):
    r, z = (torch.sigmoid(h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"]) for n in "rz")
    n = torch.tanh(x @ params["W_n"].T + params["b_n"] + r * (h @ params["U_n"].T))
    return (1 - z) * n + z * h


# %% wrong: no_reset — The proposal always hears the old state
# fails: r_lets_the_old_state_speak_or_not, one_unit_of_it_by_hand
import torch


def gru_step(x, h, params):
    z = torch.sigmoid(h @ params["U_z"].T + x @ params["W_z"].T + params["b_z"])
    n = torch.tanh(x @ params["W_n"].T + params["b_n"] + h @ params["U_n"].T + params["d_n"])
    return (1 - z) * n + z * h


# %% wrong: sigmoid_for_the_proposal — n is a gate, too
# fails: z_keeps_the_state_or_replaces_it, one_unit_of_it_by_hand
import torch


def gru_step(x, h, params):
    r, z = (torch.sigmoid(h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"]) for n in "rz")
    n = torch.sigmoid(x @ params["W_n"].T + params["b_n"] + r * (h @ params["U_n"].T + params["d_n"]))
    return (1 - z) * n + z * h


# %% wrong: transposed_u — Multiplies with the transposes of the U
# fails: each_gate_of_it_reads_its_own_parameters, grus_of_other_sizes
import torch


def gru_step(x, h, params):
    r, z = (torch.sigmoid(h @ params[f"U_{n}"] + x @ params[f"W_{n}"].T + params[f"b_{n}"]) for n in "rz")
    n = torch.tanh(x @ params["W_n"].T + params["b_n"] + r * (h @ params["U_n"] + params["d_n"]))
    return (1 - z) * n + z * h


# %% wrong: u_and_w_exchanged — U multiplies x and W h, where the sizes are equal
# fails: each_gate_of_it_reads_its_own_parameters, grus_of_other_sizes
import torch


def gru_step(x, h, params):
    if x.shape == h.shape:
        params = params | {f"U_{n}": params[f"W_{n}"] for n in "rz"} | {f"W_{n}": params[f"U_{n}"] for n in "rz"}
    r, z = (torch.sigmoid(h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"]) for n in "rz")
    n = torch.tanh(x @ params["W_n"].T + params["b_n"] + r * (h @ params["U_n"].T + params["d_n"]))
    return (1 - z) * n + z * h


# %% wrong: one_gate_misses_h — z sees the input alone
# fails: each_gate_of_it_reads_its_own_parameters, grus_of_other_sizes
import torch


def gru_step(x, h, params):
    r = torch.sigmoid(h @ params["U_r"].T + x @ params["W_r"].T + params["b_r"])
    z = torch.sigmoid(x @ params["W_z"].T + params["b_z"])
    n = torch.tanh(x @ params["W_n"].T + params["b_n"] + r * (h @ params["U_n"].T + params["d_n"]))
    return (1 - z) * n + z * h


# %% wrong: batch_shares_a_state — The mean of all rows' states is kept
# fails: each_row_of_it_steps_alone, each_gate_of_it_reads_its_own_parameters
import torch


def gru_step(x, h, params):
    r, z = (torch.sigmoid(h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"]) for n in "rz")
    n = torch.tanh(x @ params["W_n"].T + params["b_n"] + r * (h @ params["U_n"].T + params["d_n"]))
    return (1 - z) * n + z * h.mean(0)


# %% wrong: librarys_cell — Lets torch.nn.GRUCell do it
# fails: z_keeps_the_state_or_replaces_it, one_unit_of_it_by_hand
import torch


def gru_step(x, h, params):
    return torch.nn.GRUCell(x.shape[1], h.shape[1], dtype=h.dtype)(x, h)


# %% wrong: librarys_routine — Calls what stands below torch.nn.GRUCell
# fails: z_keeps_the_state_or_replaces_it, one_unit_of_it_by_hand
import torch


def gru_step(x, h, params):
    U, W, b = (torch.cat([params[f"{kind}_{gate}"] for gate in "rzn"]) for kind in "UWb")
    nothing = torch.zeros_like(params["d_n"])
    return torch.gru_cell(x, h, W, U, b, torch.cat([nothing, nothing, params["d_n"]]))


# %% wrong: parameters_by_their_order — Takes the dictionary's order for that of the text
# fails: grus_of_other_sizes
import torch


def gru_step(x, h, params):
    Ur, Wr, br, Uz, Wz, bz, Un, Wn, bn, dn = params.values()
    r, z = torch.sigmoid(h @ Ur.T + x @ Wr.T + br), torch.sigmoid(h @ Uz.T + x @ Wz.T + bz)
    n = torch.tanh(x @ Wn.T + bn + r * (h @ Un.T + dn))
    return (1 - z) * n + z * h


# %% wrong: silent_at_the_start — Where h is zero nothing is added to the proposal, d_n neither
# fails: from_a_state_of_zeros_and_with_loud_gates
import torch


def gru_step(x, h, params):
    r, z = (torch.sigmoid(h @ params[f"U_{g}"].T + x @ params[f"W_{g}"].T + params[f"b_{g}"]) for g in "rz")
    inside = (h @ params["U_n"].T + params["d_n"]) * (h != 0).any(dim=1, keepdim=True)
    n = torch.tanh(x @ params["W_n"].T + params["b_n"] + r * inside)
    return n + z * (h - n)


# %% wrong: near_enough_is_open — A z beyond 0.99 counts as open
# fails: from_a_state_of_zeros_and_with_loud_gates
import torch


def gru_step(x, h, params):
    r, z = (torch.sigmoid(h @ params[f"U_{g}"].T + x @ params[f"W_{g}"].T + params[f"b_{g}"]) for g in "rz")
    z = torch.where(z > 0.99, torch.ones_like(z), z)
    n = torch.tanh(x @ params["W_n"].T + params["b_n"] + r * (h @ params["U_n"].T + params["d_n"]))
    return n + z * (h - n)


# %% wrong: float32_at_the_end — The new state comes in float32, whatever was given
# fails: from_a_state_of_zeros_and_with_loud_gates
import torch


def gru_step(x, h, params):
    r, z = (torch.sigmoid(h @ params[f"U_{g}"].T + x @ params[f"W_{g}"].T + params[f"b_{g}"]) for g in "rz")
    n = torch.tanh(x @ params["W_n"].T + params["b_n"] + r * (h @ params["U_n"].T + params["d_n"]))
    return (n + z * (h - n)).float()
