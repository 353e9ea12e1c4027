# Answers to 3.3, one step. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: the_formulas — Line by line, as in the text
import torch


def lstm_step(x, h, c, params):
    f = torch.sigmoid(h @ params["U_f"].T + x @ params["W_f"].T + params["b_f"])
    i = torch.sigmoid(h @ params["U_i"].T + x @ params["W_i"].T + params["b_i"])
    g = torch.tanh(h @ params["U_g"].T + x @ params["W_g"].T + params["b_g"])
    o = torch.sigmoid(h @ params["U_o"].T + x @ params["W_o"].T + params["b_o"])
    k, j = f * c, i * g
    new_c = k + j
    new_h = o * torch.tanh(new_c)
    return new_h, new_c


# %% right: packed_and_chunked — One product, cut in four; a list comes back
import torch
import torch.nn.functional as F


def lstm_step(x, h, c, params):
    weights = torch.cat([torch.cat([params[f"W_{gate}"], params[f"U_{gate}"]], dim=1) for gate in "ifog"])
    a = F.linear(torch.cat([x, h], dim=1), weights, torch.cat([params[f"b_{gate}"] for gate in "ifog"]))
    i, f, o = a[:, : 3 * h.shape[1]].sigmoid().chunk(3, dim=1)
    c = torch.addcmul(f * c, i, a[:, 3 * h.shape[1] :].tanh())
    return [o * c.tanh(), c]


# %% right: in_place_on_its_own_copy — The copy of the cell is changed, the cell is not
import torch


def lstm_step(x, h, c, params):
    def squashed(gate, by=torch.sigmoid):
        return by(torch.einsum("ij,bj->bi", params["U_" + gate], h) + x @ params["W_" + gate].T + params["b_" + gate])

    new = c.clone()
    new *= squashed("f")
    new += squashed("i") * squashed("g", torch.tanh)
    return squashed("o") * torch.tanh(new), new


# %% right: row_by_row — A loop over the batch with column vectors
import torch


def lstm_step(x, h, c, params):
    hs, cs = [], []
    for x_row, h_row, c_row in zip(x, h, c):
        a = {gate: params[f"U_{gate}"] @ h_row + params[f"W_{gate}"] @ x_row + params[f"b_{gate}"] for gate in "figo"}
        cs.append(torch.sigmoid(a["f"]) * c_row + torch.sigmoid(a["i"]) * torch.tanh(a["g"]))
        hs.append(torch.sigmoid(a["o"]) * torch.tanh(cs[-1]))
    return torch.stack(hs), torch.stack(cs)


# %% right: in_double — In float64, and back
import torch


def lstm_step(x, h, c, params):
    kind, p = h.dtype, {name: value.double() for name, value in params.items()}
    x, h, c = x.double(), h.double(), c.double()
    f, i, g, o = (h @ p[f"U_{gate}"].T + x @ p[f"W_{gate}"].T + p[f"b_{gate}"] for gate in "figo")
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return (o.sigmoid() * c.tanh()).to(kind), c.to(kind)


# %% wrong: sigmoid_and_tanh_exchanged — Gates may be negative, proposals may not
# fails: saturated_gates_keep_erase_and_replace, one_step_by_hand
import torch


def lstm_step(x, h, c, params):
    a = {gate: h @ params[f"U_{gate}"].T + x @ params[f"W_{gate}"].T + params[f"b_{gate}"] for gate in "figo"}
    f, i, g, o = torch.tanh(a["f"]), torch.tanh(a["i"]), torch.sigmoid(a["g"]), torch.tanh(a["o"])
    c = f * c + i * g
    return o * torch.tanh(c), c


# %% wrong: gates_permuted — f writes and i keeps
# fails: saturated_gates_keep_erase_and_replace, it_is_a_step_of_the_librarys_lstm
import torch


def lstm_step(x, h, c, params):
    a = {gate: h @ params[f"U_{gate}"].T + x @ params[f"W_{gate}"].T + params[f"b_{gate}"] for gate in "figo"}
    f, i, g, o = torch.sigmoid(a["f"]), torch.sigmoid(a["i"]), torch.tanh(a["g"]), torch.sigmoid(a["o"])
    c = i * c + f * g
    return o * torch.tanh(c), c


# %% wrong: h_and_c_exchanged — Returns the cell first
# fails: the_state_stays_below_one_and_the_cell_need_not, one_step_by_hand
import torch


def lstm_step(x, h, c, params):
    a = {gate: h @ params[f"U_{gate}"].T + x @ params[f"W_{gate}"].T + params[f"b_{gate}"] for gate in "figo"}
    f, i, g, o = torch.sigmoid(a["f"]), torch.sigmoid(a["i"]), torch.tanh(a["g"]), torch.sigmoid(a["o"])
    c = f * c + i * g
    return c, o * torch.tanh(c)


# %% wrong: tanh_of_c_forgotten — h = o ⊙ c
# fails: the_state_stays_below_one_and_the_cell_need_not, an_open_output_gate_shows_the_new_cell
import torch


def lstm_step(x, h, c, params):
    a = {gate: h @ params[f"U_{gate}"].T + x @ params[f"W_{gate}"].T + params[f"b_{gate}"] for gate in "figo"}
    f, i, g, o = torch.sigmoid(a["f"]), torch.sigmoid(a["i"]), torch.tanh(a["g"]), torch.sigmoid(a["o"])
    c = f * c + i * g
    return o * c, c


# %% wrong: the_old_cell_in_h — h = o ⊙ tanh(c_{t−1})
# fails: an_open_output_gate_shows_the_new_cell, one_step_by_hand
import torch


def lstm_step(x, h, c, params):
    a = {gate: h @ params[f"U_{gate}"].T + x @ params[f"W_{gate}"].T + params[f"b_{gate}"] for gate in "figo"}
    f, i, g, o = torch.sigmoid(a["f"]), torch.sigmoid(a["i"]), torch.tanh(a["g"]), torch.sigmoid(a["o"])
    return o * torch.tanh(c), f * c + i * g


# %% wrong: squashed_cell_kept — The cell is squashed, too, so that it cannot count
# fails: saturated_gates_keep_erase_and_replace, the_state_stays_below_one_and_the_cell_need_not
import torch


def lstm_step(x, h, c, params):
    a = {gate: h @ params[f"U_{gate}"].T + x @ params[f"W_{gate}"].T + params[f"b_{gate}"] for gate in "figo"}
    f, i, g, o = torch.sigmoid(a["f"]), torch.sigmoid(a["i"]), torch.tanh(a["g"]), torch.sigmoid(a["o"])
    c = torch.tanh(f * c + i * g)
    return o * c, c


# %% wrong: nothing_forgotten — The first LSTM of 1997: c + i ⊙ g, without a forget gate
# fails: saturated_gates_keep_erase_and_replace, one_step_by_hand
import torch


def lstm_step(x, h, c, params):
    a = {gate: h @ params[f"U_{gate}"].T + x @ params[f"W_{gate}"].T + params[f"b_{gate}"] for gate in "figo"}
    i, g, o = torch.sigmoid(a["i"]), torch.tanh(a["g"]), torch.sigmoid(a["o"])
    c = c + i * g
    return o * torch.tanh(c), c


# %% wrong: coupled_gates — What is not kept is written: i = 1 − f
# fails: saturated_gates_keep_erase_and_replace, it_is_a_step_of_the_librarys_lstm
import torch


def lstm_step(x, h, c, params):
    a = {gate: h @ params[f"U_{gate}"].T + x @ params[f"W_{gate}"].T + params[f"b_{gate}"] for gate in "figo"}
    f, g, o = torch.sigmoid(a["f"]), torch.tanh(a["g"]), torch.sigmoid(a["o"])
    c = f * c + (1 - f) * g
    return o * torch.tanh(c), c


# %% wrong: one_gate_misses_h — o sees the input alone
# fails: it_is_a_step_of_the_librarys_lstm, steps_of_other_sizes
import torch


def lstm_step(x, h, c, params):
    a = {gate: h @ params[f"U_{gate}"].T + x @ params[f"W_{gate}"].T + params[f"b_{gate}"] for gate in "fig"}
    c = torch.sigmoid(a["f"]) * c + torch.sigmoid(a["i"]) * torch.tanh(a["g"])
    return torch.sigmoid(x @ params["W_o"].T + params["b_o"]) * torch.tanh(c), c


# %% wrong: o_sees_the_new_cell — A peephole that nobody asked for
# fails: it_is_a_step_of_the_librarys_lstm, steps_of_other_sizes
import torch


def lstm_step(x, h, c, params):
    a = {gate: h @ params[f"U_{gate}"].T + x @ params[f"W_{gate}"].T + params[f"b_{gate}"] for gate in "figo"}
    c = torch.sigmoid(a["f"]) * c + torch.sigmoid(a["i"]) * torch.tanh(a["g"])
    return torch.sigmoid(a["o"] + c) * torch.tanh(c), c


# %% wrong: bias_doubled — b with U and b with W
# fails: one_step_by_hand, it_is_a_step_of_the_librarys_lstm
import torch
import torch.nn.functional as F


def lstm_step(x, h, c, params):
    p = params
    f, i, g, o = (F.linear(h, p[f"U_{n}"], p[f"b_{n}"]) + F.linear(x, p[f"W_{n}"], p[f"b_{n}"]) for n in "figo")
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c


# %% wrong: a_matrix_product_for_hadamard — Mixes the units of the memory
# fails: saturated_gates_keep_erase_and_replace, it_is_a_step_of_the_librarys_lstm
import torch


def lstm_step(x, h, c, params):
    a = {gate: h @ params[f"U_{gate}"].T + x @ params[f"W_{gate}"].T + params[f"b_{gate}"] for gate in "figo"}
    f, i, g, o = torch.sigmoid(a["f"]), torch.sigmoid(a["i"]), torch.tanh(a["g"]), torch.sigmoid(a["o"])
    c = f @ c.T @ c / (c * c).sum() + i * g
    return o * torch.tanh(c), c


# %% wrong: batch_shares_a_cell — The mean of all rows' cells is kept
# fails: each_row_steps_alone, it_is_a_step_of_the_librarys_lstm
import torch


def lstm_step(x, h, c, params):
    a = {gate: h @ params[f"U_{gate}"].T + x @ params[f"W_{gate}"].T + params[f"b_{gate}"] for gate in "figo"}
    c = torch.sigmoid(a["f"]) * c.mean(0) + torch.sigmoid(a["i"]) * torch.tanh(a["g"])
    return torch.sigmoid(a["o"]) * torch.tanh(c), c


# %% wrong: detached_states — What came before is a plain number for whoever differentiates
# fails: the_gradient_finds_its_way_back
import torch


def lstm_step(x, h, c, params):
    h, c = h.detach(), c.detach()
    a = {gate: h @ params[f"U_{gate}"].T + x @ params[f"W_{gate}"].T + params[f"b_{gate}"] for gate in "figo"}
    c = torch.sigmoid(a["f"]) * c + torch.sigmoid(a["i"]) * torch.tanh(a["g"])
    return torch.sigmoid(a["o"]) * torch.tanh(c), c


# %% wrong: librarys_cell — Lets torch.nn.LSTMCell do it
# fails: saturated_gates_keep_erase_and_replace, one_step_by_hand
import torch


def lstm_step(x, h, c, params):
    cell = torch.nn.LSTMCell(x.shape[1], h.shape[1], bias=False, dtype=h.dtype)
    return cell(x, (h, c))


# %% wrong: librarys_routine — Calls what stands below torch.nn.LSTMCell
# fails: saturated_gates_keep_erase_and_replace, one_step_by_hand
import torch


def lstm_step(x, h, c, params):
    U, W, b = (torch.cat([params[f"{kind}_{gate}"] for gate in "ifgo"]) for kind in "UWb")
    return torch.lstm_cell(x, (h, c), W, U, b, torch.zeros_like(b))


# %% wrong: parameters_by_their_order — Takes the dictionary's order for that of the text
# fails: steps_of_other_sizes
import torch


def lstm_step(x, h, c, params):
    Uf, Wf, bf, Ui, Wi, bi, Ug, Wg, bg, Uo, Wo, bo = params.values()
    f, i = torch.sigmoid(h @ Uf.T + x @ Wf.T + bf), torch.sigmoid(h @ Ui.T + x @ Wi.T + bi)
    g, o = torch.tanh(h @ Ug.T + x @ Wg.T + bg), torch.sigmoid(h @ Uo.T + x @ Wo.T + bo)
    c = f * c + i * g
    return o * torch.tanh(c), c


# %% wrong: parameters_detached — h and c may be learnt from, no parameter may
# fails: the_gradient_finds_its_way_back
import torch


def lstm_step(x, h, c, params):
    p = {name: value.detach() for name, value in params.items()}
    f, i, g, o = (h @ p[f"U_{n}"].T + x @ p[f"W_{n}"].T + p[f"b_{n}"] for n in "figo")
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c


# %% wrong: clipped_at_a_hundred — The cell is held within ±100, "for safety"
# fails: a_cell_may_be_as_large_as_it_likes
import torch


def lstm_step(x, h, c, params):
    f, i, g, o = (h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"] for n in "figo")
    c = (torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)).clamp(-100, 100)
    return torch.sigmoid(o) * torch.tanh(c), c


# %% wrong: float32_at_the_end — Both come in float32, whatever was given
# fails: steps_of_other_sizes
import torch


def lstm_step(x, h, c, params):
    f, i, g, o = (h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"] for n in "figo")
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return (torch.sigmoid(o) * torch.tanh(c)).float(), c.float()
