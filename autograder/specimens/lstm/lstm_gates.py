# Answers to 3.2, the gates. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: written_out — Four lines, one a gate
import torch


def lstm_gates(x, h, params):
    f = torch.sigmoid(h @ params["U_f"].T + x @ params["W_f"].T + params["b_f"])
    i = torch.sigmoid(h @ params["U_i"].T + x @ params["W_i"].T + params["b_i"])
    g = torch.tanh(h @ params["U_g"].T + x @ params["W_g"].T + params["b_g"])
    o = torch.sigmoid(h @ params["U_o"].T + x @ params["W_o"].T + params["b_o"])
    return {"f": f, "i": i, "g": g, "o": o}


# %% right: packed_and_chunked — One product for all four, cut afterwards
import torch
import torch.nn.functional as F


def lstm_gates(x, h, params):
    U, W, b = (torch.cat([params[f"{kind}_{gate}"] for gate in "ifgo"]) for kind in "UWb")
    i, f, g, o = (F.linear(h, U) + F.linear(x, W, b)).chunk(4, dim=1)
    return {"i": i.sigmoid(), "f": f.sigmoid(), "g": g.tanh(), "o": o.sigmoid()}


# %% right: side_by_side — [h, x, 1] times [U, W, b], row by row
import torch


def lstm_gates(x, h, params):
    rows = torch.cat([h, x, torch.ones(len(x), 1, dtype=x.dtype)], dim=-1)
    gates = {}
    for gate in "ogif":
        weights = torch.cat([params["U_" + gate], params["W_" + gate], params["b_" + gate][:, None]], dim=1)
        squash = torch.tanh if gate == "g" else torch.sigmoid
        gates[gate] = torch.stack([squash(weights @ row) for row in rows])
    return gates


# %% right: stacked_einsum — All gates on an axis of their own; tanh(a) is 2σ(2a) − 1
import torch


def lstm_gates(x, h, params):
    U, W, b = (torch.stack([params[f"{kind}_{gate}"] for gate in "figo"]) for kind in "UWb")
    a = torch.einsum("gij,bj->gbi", U, h) + torch.einsum("gid,bd->gbi", W, x) + b[:, None]
    twice = torch.tensor([1, 1, 2, 1], dtype=x.dtype)[:, None, None]
    return dict(zip("figo", torch.sigmoid(twice * a) * twice - (twice - 1)))


# %% wrong: numpy_in_double — numpy in float64, turned back at the end: no gradient passes
# fails: gradients_find_every_gate
import numpy as np
import torch


def lstm_gates(x, h, params):
    gates = {}
    for gate in ("f", "i", "g", "o"):
        U, W, b = (params[f"{kind}_{gate}"].numpy().astype(np.float64) for kind in "UWb")
        a = h.numpy() @ U.T + x.numpy() @ W.T + b
        gates[gate] = torch.tensor(np.tanh(a) if gate == "g" else 0.5 * (1 + np.tanh(a / 2)), dtype=h.dtype)
    return gates


# %% wrong: sigmoid_and_tanh_exchanged — The gates get the tanh, the proposal the sigmoid
# fails: three_open_and_shut_and_g_takes_both_signs, they_are_the_gates_of_the_librarys_lstm
import torch


def lstm_gates(x, h, params):
    gates = {}
    for gate in "figo":
        a = h @ params[f"U_{gate}"].T + x @ params[f"W_{gate}"].T + params[f"b_{gate}"]
        gates[gate] = torch.sigmoid(a) if gate == "g" else torch.tanh(a)
    return gates


# %% wrong: sigmoid_for_all — The proposal is a gate, too
# fails: three_open_and_shut_and_g_takes_both_signs, with_all_signs_turned_gates_do_the_opposite
import torch


def lstm_gates(x, h, params):
    gates = {}
    for gate in "figo":
        gates[gate] = torch.sigmoid(h @ params[f"U_{gate}"].T + x @ params[f"W_{gate}"].T + params[f"b_{gate}"])
    return gates


# %% wrong: tanh_for_the_output_gate — The tanh of h = o ⊙ tanh(c), at the wrong place
# fails: three_open_and_shut_and_g_takes_both_signs, each_gate_reads_its_own_parameters
import torch


def lstm_gates(x, h, params):
    gates = {}
    for gate in "figo":
        a = h @ params[f"U_{gate}"].T + x @ params[f"W_{gate}"].T + params[f"b_{gate}"]
        gates[gate] = torch.tanh(a) if gate in "go" else torch.sigmoid(a)
    return gates


# %% wrong: nothing_squashed — Forgets σ and tanh
# fails: three_open_and_shut_and_g_takes_both_signs, each_gate_reads_its_own_parameters
def lstm_gates(x, h, params):
    return {g: h @ params[f"U_{g}"].T + x @ params[f"W_{g}"].T + params[f"b_{g}"] for g in "figo"}


# %% wrong: gates_permuted — Packs them i, f, g, o, and takes them out as f, i, g, o
# fails: each_gate_reads_its_own_parameters, they_are_the_gates_of_the_librarys_lstm
import torch


def lstm_gates(x, h, params):
    U, W, b = (torch.cat([params[f"{kind}_{gate}"] for gate in "ifgo"]) for kind in "UWb")
    f, i, g, o = (h @ U.T + x @ W.T + b).chunk(4, dim=1)
    return {"f": torch.sigmoid(f), "i": torch.sigmoid(i), "g": torch.tanh(g), "o": torch.sigmoid(o)}


# %% wrong: one_gate_misses_h — A line copied without its first term
# fails: each_gate_reads_its_own_parameters, state_input_and_bias_move_every_gate
import torch


def lstm_gates(x, h, params):
    f = torch.sigmoid(h @ params["U_f"].T + x @ params["W_f"].T + params["b_f"])
    i = torch.sigmoid(h @ params["U_i"].T + x @ params["W_i"].T + params["b_i"])
    g = torch.tanh(h @ params["U_g"].T + x @ params["W_g"].T + params["b_g"])
    o = torch.sigmoid(x @ params["W_o"].T + params["b_o"])
    return {"f": f, "i": i, "g": g, "o": o}


# %% wrong: a_letter_not_changed — A line copied, and one letter forgotten
# fails: each_gate_reads_its_own_parameters, they_are_the_gates_of_the_librarys_lstm
import torch


def lstm_gates(x, h, params):
    f = torch.sigmoid(h @ params["U_f"].T + x @ params["W_f"].T + params["b_f"])
    i = torch.sigmoid(h @ params["U_f"].T + x @ params["W_i"].T + params["b_i"])
    g = torch.tanh(h @ params["U_g"].T + x @ params["W_g"].T + params["b_g"])
    o = torch.sigmoid(h @ params["U_o"].T + x @ params["W_o"].T + params["b_o"])
    return {"f": f, "i": i, "g": g, "o": o}


# %% wrong: forgets_b — No biases
# fails: each_gate_reads_its_own_parameters, state_input_and_bias_move_every_gate
import torch


def lstm_gates(x, h, params):
    a = {gate: h @ params[f"U_{gate}"].T + x @ params[f"W_{gate}"].T for gate in "figo"}
    return {gate: torch.tanh(a[gate]) if gate == "g" else torch.sigmoid(a[gate]) for gate in "figo"}


# %% wrong: bias_doubled — Adds b with U and with W, as torch adds two
# fails: each_gate_reads_its_own_parameters, state_input_and_bias_move_every_gate
import torch
import torch.nn.functional as F


def lstm_gates(x, h, params):
    gates = {}
    for gate in "figo":
        U, W, b = (params[f"{kind}_{gate}"] for kind in "UWb")
        a = F.linear(h, U, b) + F.linear(x, W, b)
        gates[gate] = torch.tanh(a) if gate == "g" else torch.sigmoid(a)
    return gates


# %% wrong: transposed_u — Multiplies with the transpose of U
# fails: state_input_and_bias_move_every_gate, they_are_the_gates_of_the_librarys_lstm
import torch


def lstm_gates(x, h, params):
    a = {gate: h @ params[f"U_{gate}"] + x @ params[f"W_{gate}"].T + params[f"b_{gate}"] for gate in "figo"}
    return {gate: torch.tanh(a[gate]) if gate == "g" else torch.sigmoid(a[gate]) for gate in "figo"}


# %% wrong: u_and_w_exchanged — U multiplies x and W h, where the sizes are equal
# fails: state_input_and_bias_move_every_gate, gates_of_other_sizes
import torch


def lstm_gates(x, h, params):
    gates = {}
    for gate in "figo":
        U, W, b = (params[f"{kind}_{gate}"] for kind in "UWb")
        U, W = (W, U) if U.shape == W.shape else (U, W)
        a = h @ U.T + x @ W.T + b
        gates[gate] = torch.tanh(a) if gate == "g" else torch.sigmoid(a)
    return gates


# %% wrong: numbers_for_matrices — U's diagonal alone, number by number
# fails: state_input_and_bias_move_every_gate, they_are_the_gates_of_the_librarys_lstm
import torch


def lstm_gates(x, h, params):
    a = {}
    for gate in "figo":
        a[gate] = h * params[f"U_{gate}"].diagonal() + x @ params[f"W_{gate}"].T + params[f"b_{gate}"]
    return {gate: torch.tanh(a[gate]) if gate == "g" else torch.sigmoid(a[gate]) for gate in "figo"}


# %% wrong: a_batch_of_one_state — The first row's state for all rows
# fails: each_row_has_gates_of_its_own, they_are_the_gates_of_the_librarys_lstm
import torch


def lstm_gates(x, h, params):
    a = {gate: h[:1] @ params[f"U_{gate}"].T + x @ params[f"W_{gate}"].T + params[f"b_{gate}"] for gate in "figo"}
    return {gate: torch.tanh(a[gate]) if gate == "g" else torch.sigmoid(a[gate]) for gate in "figo"}


# %% wrong: a_list_of_four — No names
# fails: three_open_and_shut_and_g_takes_both_signs, they_are_the_gates_of_the_librarys_lstm
import torch


def lstm_gates(x, h, params):
    a = [h @ params[f"U_{gate}"].T + x @ params[f"W_{gate}"].T + params[f"b_{gate}"] for gate in "figo"]
    return [torch.sigmoid(a[0]), torch.sigmoid(a[1]), torch.tanh(a[2]), torch.sigmoid(a[3])]


# %% wrong: parameters_by_their_order — Takes the dictionary's order for that of the text
# fails: gates_of_other_sizes
import torch


def lstm_gates(x, h, params):
    Uf, Wf, bf, Ui, Wi, bi, Ug, Wg, bg, Uo, Wo, bo = params.values()
    return {
        "f": torch.sigmoid(h @ Uf.T + x @ Wf.T + bf),
        "i": torch.sigmoid(h @ Ui.T + x @ Wi.T + bi),
        "g": torch.tanh(h @ Ug.T + x @ Wg.T + bg),
        "o": torch.sigmoid(h @ Uo.T + x @ Wo.T + bo),
    }


# %% right: names_in_another_order — The output gate first, the proposal last
import torch


def lstm_gates(x, h, params):
    by = {"o": torch.sigmoid, "f": torch.sigmoid, "i": torch.sigmoid, "g": torch.tanh}
    return {n: act(x @ params["W_" + n].mT + h @ params["U_" + n].mT + params["b_" + n]) for n, act in by.items()}


# %% wrong: written_into_itself — The sigmoid's own result is changed in place, which backward needs as it was
# fails: gradients_find_every_gate
import torch


def lstm_gates(x, h, params):
    U, W, b = (torch.stack([params[f"{kind}_{gate}"] for gate in "figo"]) for kind in "UWb")
    a = torch.einsum("gij,bj->gbi", U, h) + torch.einsum("gid,bd->gbi", W, x) + b[:, None]
    a[2] *= 2
    squashed = torch.sigmoid(a)
    squashed[2] = 2 * squashed[2] - 1
    return dict(zip("figo", squashed))


# %% wrong: state_cut_off — The state is detached, as between two pieces of a text
# fails: gradients_find_every_gate
import torch


def lstm_gates(x, h, params):
    h, gates = h.detach(), {}
    for name, squash in zip("figo", (torch.sigmoid, torch.sigmoid, torch.tanh, torch.sigmoid)):
        gates[name] = squash(h @ params[f"U_{name}"].T + x @ params[f"W_{name}"].T + params[f"b_{name}"])
    return gates


# %% wrong: near_enough_is_open — What is beyond 0.99 counts as open, below 0.01 as shut
# fails: nearly_open_gates_are_not_open
import torch


def lstm_gates(x, h, params):
    gates = {}
    for name in "figo":
        a = h @ params[f"U_{name}"].T + x @ params[f"W_{name}"].T + params[f"b_{name}"]
        if name == "g":
            gates[name] = torch.tanh(a)
        else:
            gate = torch.sigmoid(a)
            gates[name] = torch.where(gate > 0.99, torch.ones_like(gate), torch.where(gate < 0.01, 0 * gate, gate))
    return gates
